"""Tables: made, filled from the log, rebuilt, read as of a position."""
