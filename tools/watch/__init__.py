"""The live watch: find findings and notable events as they are recorded, and send alarms."""
