"""Providers' feeds: webhooks of a game provider become commands of the ledger.

``server`` receives a message and acknowledges it once it is in the ``spool``; ``following`` sends
its commands to the writer, in the provider's order. Only the interpretation of messages depends on
the provider: a file of its own, which the settings name. See docs/recipes/connect-a-provider.md.
"""
