"""Check the record against the rules and report findings."""
