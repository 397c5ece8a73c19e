"""Answers about accounts, money, play and tournaments."""
