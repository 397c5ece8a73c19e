"""Tables of a chain: created, filled from the log, rebuilt, read as of a position."""
