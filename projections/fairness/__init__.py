"""Results of wheels, dealers and shoes, tested against the plans' probabilities."""
