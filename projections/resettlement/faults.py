"""Convert an error of a settlement to a phrase."""

from __future__ import annotations

from ledger.core.phrases import Phrase
from ledger.games import SettlementError

__all__ = ["fault_of"]


def fault_of(error: Exception) -> Phrase:
    """Return why something cannot be settled: the phrase of the error, or its text."""
    if isinstance(error, SettlementError):
        return Phrase("FAULT_OF_SETTLEMENT", fault=error.code, reason=error.phrase)
    return Phrase("MALFORMED", problem=error)
