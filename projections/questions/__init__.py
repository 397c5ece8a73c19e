"""Queries about accounts, money, play and tournaments."""
