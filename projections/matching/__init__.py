"""Statements of the world outside, matched with our books."""
