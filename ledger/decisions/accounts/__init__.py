"""Accounts: registration, login, cancellation, the books."""
