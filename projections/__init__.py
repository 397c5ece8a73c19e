"""Projections: the log as ClickHouse tables, and the questions that are asked of them."""
