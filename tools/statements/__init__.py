"""Files of banks, payment providers and game providers: read, checked, imported."""
