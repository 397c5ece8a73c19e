"""What the services over HTTP share: problem documents, and connections with bounds of time."""
