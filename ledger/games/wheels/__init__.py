"""Wheels of fortune."""
