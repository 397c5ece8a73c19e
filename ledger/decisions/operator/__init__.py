"""The operator's side: games, rules, places, tables."""
