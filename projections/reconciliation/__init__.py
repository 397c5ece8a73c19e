"""Compare the record with the rules: findings."""
