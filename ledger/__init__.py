"""The ledger: events, the chained log, and the decisions that write it."""
