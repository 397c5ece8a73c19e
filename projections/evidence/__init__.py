"""Evidence files: one round or one account's period, verifiable without trusting the issuer."""
