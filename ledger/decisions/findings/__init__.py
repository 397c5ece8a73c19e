"""Lifecycle of findings: they are raised, assigned, explained, closed, and may be raised again."""
