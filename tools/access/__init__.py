"""The read-only service: an HTTP API and pages over the answers of the command line.

Every answer follows the same steps: a route requires a scope, the query runs against the tables or
the log as on the command line, the access is recorded, and only then the answer is sent.
"""
