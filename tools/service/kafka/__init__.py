"""Commands from Kafka: the third listener of a writer, with the same command intake as the others.

``topics`` names and checks the topics, ``command_reader`` reads commands, ``answer_producer``
writes answers and the offsets of answered commands in one transaction, ``serving`` is the thread
that connects them.
"""
