"""Projections: the log as ClickHouse tables, and the queries on them."""
