"""Match statements of banks, payment providers and game providers with our books."""
