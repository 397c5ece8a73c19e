"""Common parts of the HTTP services: problem documents, and connections with timeouts."""
