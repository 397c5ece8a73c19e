"""The checks, one file each: its header (:mod:`projections.findings.headers`), then its code.

A Python check has a function ``find`` that takes a :class:`CheckInput` and returns what it detects;
only those of a settlement (``settled`` in the header) are called round by round. One that declares
a duty has a function ``started`` instead, which returns each duty that began; a duty that begins
and ends with facts needs no code, and is a TOML file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ledger.rules.operator import OperatorRules
    from projections.store.tables import Store

__all__ = ["CheckInput"]


class CheckInput(NamedTuple):
    """Input of a check: messages below ``size``, judged at the moment ``now``.

    A check of a duty may leave out what was done within ``least`` microseconds: it is not late.
    """

    store: Store
    size: int
    now: int
    rules: OperatorRules
    least: int = 0
