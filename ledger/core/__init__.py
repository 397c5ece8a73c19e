"""What every part stands on: events and their bytes, the chain, keys, time, errors, commands."""
