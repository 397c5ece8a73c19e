"""Poker tournaments: entries, prize pool, payouts."""
