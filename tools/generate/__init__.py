"""Generators of what follows from schemas and game plans."""
