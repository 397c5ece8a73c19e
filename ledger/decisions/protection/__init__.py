"""Protection of participants: measures, panic button, exclusion, continuous play."""
