"""Compute the stable identifier of a finding, and the fingerprint of its facts.

What comes in: results of checks. What goes out: digests. A finding is identified by its code and
its subject, so it has the same identifier in every run, whatever is recorded later and however its
sentence is worded. Its fingerprint changes with its facts. Two findings of one run never have the
same identifier.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol

from ledger.core.phrases import encode_value
from projections.findings.headers import known_findings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Side", "fingerprint_of", "identities_of", "identity_of"]

DIGITS = 16
"""Hexadecimal digits of an identifier: with a million findings, a collision has odds of 1:37
million."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a finding that compares our record with a statement of a third party.

    ``reference`` identifies the item on that side, ``amount`` is haléř, ``at`` microseconds
    (midnight in Prague if only the day is known; 0 if unknown), ``position`` that of its event (-1
    if none). The third party's side also has the ``statement`` and its ``line`` (from 1; 0 for a
    total). ``count`` is the number of events or lines in the amount.
    """

    reference: str
    amount: int
    at: int = 0
    position: int = -1
    statement: str = ""
    line: int = 0
    count: int = 1


class _FindingFields(Protocol):
    """Fields used here of :class:`projections.findings.finding.DetectedFinding`."""

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


def identity_of(found: _FindingFields) -> str:
    """Return the identifier of a finding: a digest of its code and its subject.

    The subject is account, round, bet, and ``about``. If the check leaves ``about`` empty, the
    position of the event that shows it takes its place, for *named* findings together with the
    detail; *moving* ones (:mod:`projections.findings.headers`) have only account, round and bet.
    Amounts, sentences and the time of the run are not part of the subject.
    """
    return _digest(found.code, found.account, found.round, found.bet, _about(found))


def identities_of(found: Iterable[_FindingFields]) -> Iterator[str]:
    """Return the identifier of each finding of a run; repeated findings are numbered."""
    times: Counter[str] = Counter()
    for one in found:
        name = identity_of(one)
        times[name] += 1
        yield name if times[name] == 1 else _digest(name, str(times[name]))


def fingerprint_of(found: _FindingFields) -> str:
    """Return a digest of the facts of a finding: amount, detail and both sides.

    Positions of the sides are not part of it: a corrected file moves a line, but does not change
    its facts. A phrase contributes its code and parameters, a text itself.
    """
    sides = [
        (one.reference, one.amount, one.at, one.count) if one is not None else None
        for one in (found.ours, found.theirs)
    ]
    detail = found.detail
    text = str(detail) if isinstance(detail, str | int) else encode_value(detail)
    return _digest(str(found.amount), text, *(repr(side) for side in sides))


def _about(found: _FindingFields) -> str:
    if found.about:
        return found.about
    match known_findings()[found.code].identity:
        case "moving":
            return ""
        case "named":
            return f"{found.position}:{found.detail}"
    return str(found.position)


def _digest(*parts: str) -> str:
    """Return a hash of parts and their lengths, so that different lists never give one input."""
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return sha256(text.encode()).hexdigest()[:DIGITS]
