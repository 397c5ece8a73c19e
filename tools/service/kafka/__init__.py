"""Commands from Kafka: the third listener of a writer, with the same command intake as the others.

``topics`` names and checks the topics, ``reading`` reads commands, ``answering`` writes answers and
the offsets of answered commands in one transaction, ``serving`` is the thread that connects them.
"""
