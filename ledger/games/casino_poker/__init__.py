"""Poker against the house: Casino Hold'em and Ultimate Texas Hold'em."""
