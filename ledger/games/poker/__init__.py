"""Hands of Texas and Omaha: streets, pots, showdown, ranks."""
