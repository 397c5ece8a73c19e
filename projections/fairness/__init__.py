"""Results of wheels, dealers and shoes against what the plans say that they must be."""
