"""Blackjack: five variants, side bets, boxes."""
