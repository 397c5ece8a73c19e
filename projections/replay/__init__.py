"""One round or hand, fact by fact."""
