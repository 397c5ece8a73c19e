"""Packages on their way: publish, answer the authority, fetch confirmations, register."""
