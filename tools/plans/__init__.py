"""Game plans for people: the rules in force as rows, and the house edge of each bet."""
