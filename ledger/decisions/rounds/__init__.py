"""Rounds: bets, studio facts, results, settlement, corrections."""
