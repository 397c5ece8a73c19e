"""Evidence against devices as e-values; pure functions that read no tables."""
