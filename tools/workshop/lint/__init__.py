"""Checks of language and references that standard Python linters lack; ``make lint`` runs them."""
