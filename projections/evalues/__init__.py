"""Evidence against devices as e-values; pure, no table is read here."""
