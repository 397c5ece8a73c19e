"""The read-only service: an HTTP API and pages over the answers of the command line.

Every answer takes one way: an address asks under a scope, the question is put to the tables or
the log as the command line puts it, the access is recorded, and only then the answer leaves.
"""
