"""Compare the lines of a re-sent statement with those that it would supersede.

What comes in: a file that may be imported, and the chain. What goes out: how many lines stay, which
ones are no longer there and which ones are new. A line is compared by its day, kind, amounts and
references; what payers wrote is in the chain as keyed digests, and is not compared.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from ledger.decisions.decider import decode_command
from ledger.decisions.statements import RecordStatementLines
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from tools.statements.reading import examine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ledger.log.port import Log
    from tools.statements.importing import CheckedFile

__all__ = ["ComparedLine", "LineChanges", "changed_lines"]

EPOCH = date(1970, 1, 1)


class ComparedLine(NamedTuple):
    """A line as it is compared; amounts are hundredths of the currency, as the line has them."""

    booked: date
    kind: str
    amount: int
    fee: int
    stake: int
    paid: int
    reference: str
    their_reference: str
    round: str
    bet: str


class LineChanges(NamedTuple):
    """What a re-sent statement changes: lines that stay, that are gone and that are new, by day."""

    same: int
    gone: tuple[ComparedLine, ...]
    new: tuple[ComparedLine, ...]


def changed_lines(checked: CheckedFile, log: Log) -> LineChanges:
    """Return what changes where a file supersedes statements of the chain.

    Raises:
        InputError: the file can't be read any more.

    """
    lines: list[ComparedLine] = []

    def keep(text: bytes) -> None:
        command = decode_command(text)
        if isinstance(command, RecordStatementLines):
            lines.extend(
                ComparedLine(*(getattr(line, name) for name in ComparedLine._fields))
                for line in command.lines
            )

    examine(checked.parsed.request, keep=keep)
    before, after = Counter(_recorded(log, checked.supersedes)), Counter(lines)
    return LineChanges(
        (before & after).total(),
        tuple(sorted((before - after).elements())),
        tuple(sorted((after - before).elements())),
    )


def _recorded(log: Log, statements: Iterable[str]) -> Iterator[ComparedLine]:
    for name in statements:
        query = Query(types=("StatementLinesRecorded",), tags=(f"statement:{name}",))
        for at in events_at(log, log.find(query)):
            event = at.event
            if isinstance(event, e.StatementLinesRecorded):
                yield from map(
                    ComparedLine,
                    [EPOCH + timedelta(days=day) for day in event.booked_days],
                    event.kinds,
                    event.amounts,
                    event.line_fees,
                    event.line_stakes,
                    event.line_paid,
                    event.references,
                    event.their_references,
                    event.their_rounds,
                    event.their_bets,
                )
