"""Replay one round or hand, event by event."""
