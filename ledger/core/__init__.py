"""What all parts build on: time, errors, refusals and their texts, messages, decoders."""
