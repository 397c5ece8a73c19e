"""Replay rounds, hands and tournaments from the record, and settle them again."""
