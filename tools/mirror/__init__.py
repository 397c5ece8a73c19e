"""The copy of logs that an authority holds, verifies and signs."""
