"""The index of a log: finds events by tag and type and decisions by command, with proof."""
