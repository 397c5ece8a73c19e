"""The log as a Kafka topic of one partition."""
