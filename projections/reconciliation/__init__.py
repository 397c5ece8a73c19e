"""What the record says against what the rules say: findings."""
