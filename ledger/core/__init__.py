"""Shared foundations: time, errors, refusals and their texts, messages, decoders."""
