"""An examined file into the chain: against what is imported already, piece by piece, then in force.

What comes in: what a file says, and the statements that count in the chain. What goes out: the
commands, the one that puts the statements in force last. Promised: a run that was killed leaves
nothing in force, and the next one sends the same commands, of which the ledger records each once.
Refused before anything is sent: a file that counts already, a period that overlaps another without
a reason.
"""

from __future__ import annotations

from collections import deque
from datetime import date
from itertools import pairwise
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, NamedTuple

from ledger.core import events as e
from ledger.core.errors import InputError
from ledger.decisions.decider import read_command
from ledger.decisions.statements import SUPERSEDED_MAX, ImportStatements
from ledger.log.port import Query, events_at
from tools.statements.parts import crowns
from tools.statements.reading import Asked, Examined, examine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Future
    from typing import IO

    from ledger.log.port import Log
    from ledger.writer import Receipt
    from tools.service.client import AnyLedger

__all__ = ["Judged", "Standing", "check", "import_file", "standing"]

ON_THEIR_WAY = 8
"""Commands that are sent before the first of them is answered."""


class Standing(NamedTuple):
    """A statement of the chain; ``superseded_by`` is empty while it counts."""

    position: int
    imported_at: int
    event: e.StatementImported
    superseded_by: str

    @property
    def days(self) -> tuple[date, date]:
        """First and last day."""
        return date.fromisoformat(self.event.first_day), date.fromisoformat(self.event.last_day)


class Judged(NamedTuple):
    """A file that may be imported: what it supersedes, and what is worth a look."""

    examined: Examined
    supersedes: tuple[str, ...]
    notes: list[str]


def standing(log: Log) -> list[Standing]:
    """Read all statements of a chain, the oldest first."""
    found = list(events_at(log, log.find(Query(types=("StatementImported",)))))
    gone: dict[str, str] = {}
    for one in found:
        if isinstance(one.event, e.StatementImported):
            for name in one.event.supersedes:
                gone.setdefault(name, one.event.statement)
    return [
        Standing(
            one.position,
            one.envelope.recorded_at,
            one.event,
            gone.get(one.event.statement, ""),
        )
        for one in found
        if isinstance(one.event, e.StatementImported)
    ]


def check(
    asked: Asked, before: list[Standing], *, tell: Callable[[int, int], None] | None = None
) -> Judged:
    """Read a file and compare it with the statements of the chain; nothing is sent.

    Raises:
        InputError: it can't be imported, and why, by line and column.

    """
    return _judged(examine(asked, tell=tell), before)


def import_file(
    asked: Asked,
    before: list[Standing],
    ledger: AnyLedger,
    *,
    tell: Callable[[int, int], None] | None = None,
    lines_max: int = 500,
) -> Judged:
    """Read a file whole, then record its lines and put its statements in force.

    Args:
        asked: the file.
        before: the statements of the chain.
        ledger: takes the commands.
        tell: gets bytes done and bytes there are, first of the file, then of the commands.
        lines_max: lines of one command.

    Raises:
        InputError: it can't be imported, and why; nothing is in force.
        AvailabilityError: the writer is away; import it again.

    """
    with TemporaryFile() as kept:
        judged = _judged(examine(asked, keep=kept.write, tell=tell, lines_max=lines_max), before)
        size = kept.tell()
        kept.seek(0)
        _send(kept, size, ledger, tell)
    ledger.execute(_command(judged))
    return judged


def _send(
    kept: IO[bytes], size: int, ledger: AnyLedger, tell: Callable[[int, int], None] | None
) -> None:
    """Send the commands in their order, some before the first is answered."""
    waiting: deque[Future[Receipt]] = deque()
    for text in kept:
        waiting.append(ledger.submit(read_command(text)))
        if len(waiting) > ON_THEIR_WAY:
            waiting.popleft().result()
            if tell is not None:
                tell(kept.tell(), size)
    for one in waiting:
        one.result()


def _command(judged: Judged) -> ImportStatements:
    examined, asked = judged.examined, judged.examined.asked
    return ImportStatements(
        source="cli",
        issuer=asked.name,
        issuer_kind=asked.issuer.kind,
        currency=asked.issuer.currency,
        format=asked.issuer.format,
        covers=asked.issuer.answers_for,
        file=asked.path.name,
        file_digest=examined.digest,
        settings=asked.issuer.to_json(),
        statements=tuple(examined.statements),
        supersedes=judged.supersedes,
        reason=asked.reason,
    )


def _judged(examined: Examined, before: list[Standing]) -> Judged:
    """Compare a file with the statements of the chain; the decision does so once more."""
    asked = examined.asked
    count = [one for one in before if not one.superseded_by]
    mine = [one for one in count if one.event.issuer == asked.name]
    same = [one for one in count if one.event.file_digest == examined.digest]
    overlapped = [
        one
        for one in mine
        if any(
            one.days[0] <= new.last_day and new.first_day <= one.days[1]
            for new in examined.statements
        )
    ]
    if not asked.reason:
        for one in same:
            raise InputError(
                f"{asked.path.name} is imported already: {_described(one)}; to read it anew in "
                "place of that, say why with --reason"
            )
        for one in overlapped:
            raise InputError(
                f"{asked.path.name}: its period overlaps {_described(one)}; if it corrects that, "
                "say why with --reason"
            )
        return Judged(examined, (), _notes(examined, mine))
    if not overlapped:
        raise InputError(
            f"{asked.path.name}: there is no statement of issuer {asked.name} in its period that "
            "it could supersede: leave out --reason"
        )
    if len(overlapped) > SUPERSEDED_MAX:
        raise InputError(
            f"{asked.path.name} would supersede {len(overlapped)} statements, {SUPERSEDED_MAX} at "
            "most"
        )
    names = tuple(one.event.statement for one in overlapped)
    left = [one for one in mine if one.event.statement not in names]
    return Judged(examined, names, _notes(examined, left))


def _notes(examined: Examined, neighbours: Iterable[Standing]) -> list[str]:
    """Name gaps and balances that don't go on, between the new statements and those that count."""
    spans = [
        (*one.days, one.event.opening, one.event.closing, one.event.statement, False)
        for one in neighbours
    ]
    spans += [
        (one.first_day, one.last_day, one.opening, one.closing, one.statement, True)
        for one in examined.statements
    ]
    spans.sort(key=lambda span: span[0])
    found = []
    for one, other in pairwise(spans):
        if not (one[5] or other[5]):
            continue
        days = (other[0] - one[1]).days - 1
        if days > 0:
            found.append(
                f"gap: {days} days without a statement between {one[1]} ({one[4]}) and {other[0]} "
                f"({other[4]})"
            )
        elif one[3] is not None and other[2] is not None and one[3] != other[2]:
            found.append(
                f"balance: statement {one[4]} ends with {crowns(one[3])} on {one[1]}, and "
                f"statement {other[4]} begins with {crowns(other[2])}"
            )
    return found


def _described(one: Standing) -> str:
    event = one.event
    return (
        f"statement {event.statement} of issuer {event.issuer}, {event.first_day} to "
        f"{event.last_day}"
    )
