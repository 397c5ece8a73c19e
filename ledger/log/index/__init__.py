"""The index beside a log: what is found by tag, type and command, each answer proved."""
