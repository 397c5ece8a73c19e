"""Generators of code and pages derived from schemas and game plans."""
