"""Facts in the order of the chain, told in sentences."""
