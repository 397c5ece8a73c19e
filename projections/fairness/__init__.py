"""Test results of wheels, dealers and shoes against the probabilities of the game plans."""
