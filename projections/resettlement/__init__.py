"""Rounds and hands followed from the record and settled again."""
