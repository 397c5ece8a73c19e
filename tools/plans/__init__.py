"""Game plans for people: what is in force as rows, and what each bet costs."""
