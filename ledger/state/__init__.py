"""The writer's state, folded from events: accounts, rounds, hands, tournaments, the operator."""
