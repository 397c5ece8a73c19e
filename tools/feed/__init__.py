"""Providers' feeds: webhooks of a game provider become commands of the ledger.

``server`` takes a message and answers when it is in the ``spool``; ``following`` sends what it says
to the writer, in the order that the provider gave it. What a provider means by its messages is the
only part that differs: a module beside ``aurora``. See docs/recipes/connect-a-provider.md.
"""
