"""Projections: the log as ClickHouse tables, and the queries on them."""

from ledger.core.texts import register as _register

_register("projections")
