"""Questions of lists and of one thing, each declared once: see :mod:`.declaration`.

A command of ``tools.cli`` imports the one module that has its question; the API has all of them.
"""
