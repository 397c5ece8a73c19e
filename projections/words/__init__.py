"""Texts for readers outside the command line, in Czech and in English."""
