"""The checks, one file each: its header (:mod:`projections.findings.headers`), then its code.

A Python check has a function ``find`` that takes a :class:`CheckInput` and returns what it detects;
only those of a settlement (``settled`` in the header) are called round by round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ledger.rules.operator import OperatorRules
    from projections.store.tables import Store

__all__ = ["CheckInput"]


class CheckInput(NamedTuple):
    """Input of a check: messages below ``size``, the last of them recorded at ``now``."""

    store: Store
    size: int
    now: int
    rules: OperatorRules
