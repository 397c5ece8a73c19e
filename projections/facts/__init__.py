"""Facts in the order of the chain, rendered as sentences."""
