"""The books: closing of days and months, trial balance, base of the gambling tax."""
