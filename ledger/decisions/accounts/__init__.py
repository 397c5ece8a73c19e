"""Accounts: registration, login, cancellation, daily statements."""
