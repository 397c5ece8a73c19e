"""What the writer knows, folded from events: accounts, rounds, hands, tournaments, the house."""
