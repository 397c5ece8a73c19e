"""Checks of language and references that no linter of Python makes; ``make lint`` runs them."""
