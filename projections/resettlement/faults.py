"""Why something can't be settled, as a phrase: of an error of the games, or of another one."""

from __future__ import annotations

from ledger.core.phrases import Phrase
from ledger.games import SettlementError

__all__ = ["fault_of"]


def fault_of(error: Exception) -> Phrase:
    """Return why something can't be settled: code and phrase, or the text of another error."""
    if isinstance(error, SettlementError):
        return Phrase("FAULT_OF_SETTLEMENT", fault=error.code, reason=error.phrase)
    return Phrase("MALFORMED", problem=error)
