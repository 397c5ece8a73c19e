"""Tables of a chain: create, fill from the log, rebuild, read as of a position."""
