"""Deliver packages: publish, serve the authority, fetch confirmations, register certificates."""
