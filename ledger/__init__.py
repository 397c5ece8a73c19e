"""The ledger: events, the chained log, and the decisions that write it."""

from ledger.core.texts import register as _register

_register("ledger")
