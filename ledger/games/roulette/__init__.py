"""Roulette: layouts, bets, spins."""
