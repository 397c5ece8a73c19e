"""Replay of one round or hand, event by event."""
