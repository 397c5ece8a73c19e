"""Questions of lists and of one thing, each declared once; see :mod:`.declaration`."""
