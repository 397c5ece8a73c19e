"""Evidence files: one round or one account's period, verifiable without trust in the issuer."""
