"""What all families of games share: the contract, plans, limits, cards, checks."""
