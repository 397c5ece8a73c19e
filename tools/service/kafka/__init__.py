"""Commands from Kafka: the third door of a writer, with the same way in as the others.

``topics`` names and checks the topics, ``reading`` reads commands, ``answering`` writes answers and
what was answered in one transaction, ``serving`` is the thread that goes between.
"""
