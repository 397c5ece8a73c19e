"""Files: durable writing, files named by users, secrets, locks, errors of SQLite."""
