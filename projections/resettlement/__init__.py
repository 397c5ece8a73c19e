"""Replay rounds and hands from the record and settle them again."""
