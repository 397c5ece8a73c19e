"""Common parts of all families of games: the contract, plans, limits, cards, checks."""
