"""What all parts build on: events and their bytes, the chain, keys, time, errors, commands."""
