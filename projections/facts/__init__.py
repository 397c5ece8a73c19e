"""Facts (recorded events) in the order of the chain, rendered as sentences."""
