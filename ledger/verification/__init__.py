"""Verification of a chain, from its first message or from a trusted note."""
