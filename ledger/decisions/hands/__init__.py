"""Hands among players: Texas and Omaha cash games, open-face Chinese poker, tournament hands."""
