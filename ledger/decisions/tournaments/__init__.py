"""Poker tournaments: announcement, entries, prize pool, places, prizes."""
