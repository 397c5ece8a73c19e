"""The stable name of a finding over all runs, and the fingerprint of its facts.

What comes in: results of checks. What goes out: stable names. A finding is identified by its code
and its subject, so the same fact has the same name in every run, whatever comes later and however
its sentence is worded; its fingerprint changes with its facts. Two findings of one run never share
a name. Records of version 1 of ``FindingRaised`` hold a fingerprint of the English detail.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol

from ledger.core.phrases import encode_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Side", "fingerprint_of", "identities_of", "identity_of"]

DIGITS = 16
"""Hexadecimal digits of a name: a collision among a million findings has odds of 1:37 million."""

MOVING = frozenset(
    {
        # Of a bet
        "BET_NOT_PLACED", "BET_TAKEN_TWICE", "BET_NOT_CONCLUDED", "BET_SETTLED_TWICE",
        "BET_ENDED_TWICE", "BET_NOT_SETTLED", "PAID_ON_HOLD", "BET_SETTLED_EARLY",
        "BET_NOT_RETURNED", "BET_LEFT_ON_TABLE", "STAKE_DIFFERS",
        # Of a round
        "ROUND_FACT_TWICE", "ROUND_NOT_OPENED", "RESULT_AND_VOID", "RESULT_BEFORE_CLOSE",
        "CLOSE_MISCOUNTED",
        # Of a player in a round or hand
        "DUE_WRONG", "RESULT_WRONG", "PAID_TOO_LITTLE", "PAID_TOO_MUCH", "PRIZE_NOT_COLLECTED",
        "UNCALLED_WRONG", "RAKE_WRONG", "RAKE_TOO_MUCH", "RAKE_TOO_LITTLE",
        # Of an account
        "CLAIM_OPEN", "NOT_ERASED", "TEMPORARY_NOT_ENDED", "TEMPORARY_NOT_REPAID",
    }
)  # fmt: skip
"""Codes whose position moves as more facts come: account, round and bet identify them alone."""

NAMED = frozenset(
    {
        "BALANCE_NEGATIVE", "BET_WHILE_EXCLUDED", "BET_WHILE_SUSPENDED", "ERASED_UNDER_HOLD",
        "MEASURE_LOOSENED_EARLY", "MEASURE_LOOSER_THAN_BEFORE", "MEASURE_PASSED",
        "OUTSIDE_SECTION", "SECTION_OUTSIDE_DAY",
    }
)  # fmt: skip
"""Codes whose detail is a name that distinguishes those at one place."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a finding that compares our record with the outside world.

    ``reference`` is its name on that side, ``amount`` haléř, ``at`` microseconds (midnight in
    Prague if only the day is known; 0 if nothing is), ``position`` its event (-1 for none). Theirs
    names the ``statement`` and its ``line`` (from 1; 0 for a total). ``count`` is the number of
    facts or lines in the amount.
    """

    reference: str
    amount: int
    at: int = 0
    position: int = -1
    statement: str = ""
    line: int = 0
    count: int = 1


class _Found(Protocol):
    """The used fields of :class:`projections.reconciliation.findings.Found`."""

    @property
    def code(self) -> str: ...
    @property
    def position(self) -> int: ...
    @property
    def account(self) -> str: ...
    @property
    def round(self) -> str: ...
    @property
    def bet(self) -> str: ...
    @property
    def amount(self) -> int: ...
    @property
    def detail(self) -> Any: ...
    @property
    def about(self) -> str: ...
    @property
    def ours(self) -> Side | None: ...
    @property
    def theirs(self) -> Side | None: ...


def identity_of(found: _Found) -> str:
    """Return the name of a finding: a digest of its code and its subject.

    The subject is account, round and bet, and ``about``; if the check leaves that out, the position
    of the event that shows it. Amounts, sentences and the moment of the run are not part of it.
    """
    return _digest(found.code, found.account, found.round, found.bet, _about(found))


def identities_of(found: Iterable[_Found]) -> Iterator[str]:
    """Return the name of each finding of a run; a repeated one has a name per occurrence."""
    times: Counter[str] = Counter()
    for one in found:
        name = identity_of(one)
        times[name] += 1
        yield name if times[name] == 1 else _digest(name, str(times[name]))


def fingerprint_of(found: _Found) -> str:
    """Return a digest of the facts of a finding: amount, detail and both sides.

    Their positions in the chain are not part of it: a corrected file moves a line, not the fact.
    A phrase counts by its code and parameters. A text counts as such: the detail of a finding with
    its sentence, in English, gives the fingerprint of a record of version 1.
    """
    sides = [
        (one.reference, one.amount, one.at, one.count) if one is not None else None
        for one in (found.ours, found.theirs)
    ]
    detail = found.detail
    text = str(detail) if isinstance(detail, str | int) else encode_value(detail)
    return _digest(str(found.amount), text, *(repr(side) for side in sides))


def _about(found: _Found) -> str:
    if found.about:
        return found.about
    if found.code in MOVING:
        return ""
    return f"{found.position}:{found.detail}" if found.code in NAMED else str(found.position)


def _digest(*parts: str) -> str:
    """Hash parts with their lengths, so that no two lists of them collide."""
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return sha256(text.encode()).hexdigest()[:DIGITS]
