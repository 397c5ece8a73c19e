"""Evidence files: one round or one account's period, provable to who trusts nobody."""
