"""What becomes of findings: they are raised, looked after, explained, closed, and come back."""
