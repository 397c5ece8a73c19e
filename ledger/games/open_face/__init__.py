"""Open-face Chinese poker."""
