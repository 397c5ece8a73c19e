"""Money into and out of accounts."""
