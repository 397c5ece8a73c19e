# needs = ["SourceRegistered"]
#
# [SENT_NOT_RECORDED]
# name.en = "Sent by a source and not recorded"
# name.cs = "Odeslané příkazy chybějí v evidenci"
# text.en = "A source sealed commands as sent of which nothing is recorded: {detail:phrase}."
# text.cs = "Zdroj zapečetil odeslané příkazy, které nejsou zaznamenány: {detail}."
# paragraph = "decree 208/2017"
# identity = "named"
#
# [RECORDED_NOT_SENT]
# name.en = "Recorded and never sent by its source"
# name.cs = "Zaznamenáno, co zdroj neodeslal"
# text.en = "Commands are recorded as of a source that sealed no such commands: {detail:phrase}."
# text.cs = "Jsou zaznamenány příkazy zdroje, který žádné takové nezapečetil: {detail}."
# paragraph = "decree 208/2017"
#
# [SENT_TWICE]
# name.en = "Command sealed twice"
# name.cs = "Příkaz zapečetěn dvakrát"
# text.en = "A source sealed one command under two numbers: {detail:phrase}."
# text.cs = "Zdroj zapečetil jeden příkaz pod dvěma čísly: {detail}."
# paragraph = "decree 208/2017"
# identity = "named"
#
# [SENT_OUT_OF_ORDER]
# name.en = "Recorded out of the order of its source"
# name.cs = "Zaznamenáno mimo pořadí zdroje"
# text.en = "Commands were recorded over a minute after what was sent later: {detail:phrase}."
# text.cs = "Příkazy byly zaznamenány o více než minutu po příkazech později odeslaných: {detail}."
# paragraph = "decree 208/2017"
# identity = "named"
#
# [SENT_NUMBERS_MISSING]
# name.en = "Gap in the numbers of a source"
# name.cs = "Mezera v číslování zdroje"
# text.en = "A source sealed no commands of these numbers: {detail:phrase}."
# text.cs = "Zdroj příkazy těchto čísel nezapečetil: {detail}."
# paragraph = "decree 208/2017"
# identity = "named"
#
# [SEAL_CONTRADICTED]
# name.en = "Seal of a source contradicted"
# name.cs = "Rozpor pečetí zdroje"
# text.en = "A seal differs from an earlier one, or its digest from the record: {detail:phrase}."
# text.cs = "Pečeť odporuje dřívější pečeti, nebo její otisk evidenci: {detail}."
# paragraph = "decree 208/2017"
# identity = "named"
#
# [SEAL_OVERDUE]
# name.en = "Seal of a source overdue"
# name.cs = "Zdroj nezapečetil včas"
# text.en = "A source sealed nothing within its interval: {detail:phrase}."
# text.cs = "Zdroj ve své lhůtě nic nezapečetil: {detail}."
# paragraph = "decree 208/2017"

"""Compare what sources sealed as sent with what is recorded as theirs (ADR 0057).

What comes in: registrations, seals, and the envelopes of all commands of registered sources. What
goes out: a finding for each run of consecutive numbers, or for each command that was never sent.
A seal is compared a minute after it was recorded, since commands that were sent before it may still
arrive; a command is compared once its source sealed up to a minute after the command was recorded,
since clocks may be apart. Refused commands are recorded, too. Numbers are those of the source.
"""

from __future__ import annotations

from itertools import groupby, islice, pairwise
from typing import TYPE_CHECKING, Any

from ledger.core.clock import CLOCKS_APART_MAX, MINUTE
from ledger.core.phrases import Phrase
from ledger.tlog.source_seals import MARK_BYTES
from projections.findings.finding import DetectedFinding
from projections.store.as_of import event_tables
from projections.store.definitions import any_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from projections.checks import CheckInput

__all__ = ["find"]

OWN = frozenset({"SourceSealed", "SourceRegistered", "ChainOpened", "SchemaPublished"})
"""Events that no source numbers."""

SOURCES = """
SELECT position, recorded_at, system, interval_seconds * 1000000 AS interval
FROM SourceRegistered
WHERE position < {size:Int64}
ORDER BY position"""
SEALS = """
SELECT position, recorded_at, system, first_number AS first, first_number + commands AS end,
    until, is_last
FROM SourceSealed
WHERE position < {size:Int64}
ORDER BY position"""
PARTS = f"""
WITH registered AS
(
    SELECT position, system, certificate != '' AS is_sealing
    FROM SourceRegistered
    WHERE position < {{size:Int64}}
),
sealed AS
(
    SELECT position, recorded_at, system, digest, commands, until,
        first_number + place AS number,
        substring(marks, place * {MARK_BYTES} + 1, {MARK_BYTES}) AS mark
    FROM SourceSealed
    ARRAY JOIN range(toUInt64(commands)) AS place
    WHERE position < {{size:Int64}}
),
sent AS
(
    SELECT position, recorded_at, splitByChar('/', source)[1] AS system, command_id,
        substring(SHA256(command_id), 1, {MARK_BYTES}) AS mark
    FROM merge(currentDatabase(), {{tables:String}})
    WHERE position < {{size:Int64}} AND decision_index = 0
        AND system IN (SELECT system FROM registered)
),
covered AS
(
    SELECT system, max(until) - {{minute:Int64}} AS until
    FROM SourceSealed
    WHERE position < {{size:Int64}}
    GROUP BY system
)
"""  # noqa: S608 - only own numbers
MISSING = """
SELECT position, system, number
FROM sealed
LEFT ANTI JOIN sent ON sent.system = sealed.system AND sent.mark = sealed.mark
WHERE recorded_at + {minute:Int64} <= {now:Int64}
ORDER BY system, number, position"""
UNSEALED = """
SELECT sent.position AS position, sent.system AS system, sent.recorded_at AS recorded_at,
    sent.recorded_at <= covered.until AS is_covered
FROM sent
LEFT ANTI JOIN sealed ON sealed.system = sent.system AND sealed.mark = sent.mark
ASOF INNER JOIN registered ON registered.system = sent.system
    AND registered.position < sent.position
LEFT JOIN covered ON covered.system = sent.system
WHERE registered.is_sealing
ORDER BY position"""
TWICE = """
SELECT argMin(sealed.position, (-sealed.number, sealed.position)) AS position, system,
    max(sealed.number) AS number
FROM sealed
GROUP BY system, mark
HAVING uniqExact(sealed.number) > 1
ORDER BY system, number"""
CHANGED = """
SELECT max(sealed.position) AS position, system, number
FROM sealed
GROUP BY system, number
HAVING uniqExact(mark) > 1
UNION ALL
SELECT sealed.position AS position, sealed.system AS system, min(sealed.number) AS number
FROM sealed
INNER JOIN sent ON sent.system = sealed.system AND sent.mark = sealed.mark
GROUP BY sealed.position, sealed.system, digest, commands
HAVING uniqExact(sealed.number) = commands AND digest != SHA256(unhex(arrayStringConcat(
    arrayMap(one -> hex(one.2), arraySort(groupArray((sealed.number, command_id))))
)))
ORDER BY system, number"""
LATE = """
SELECT position, system, number
FROM
(
    SELECT sealed.position AS position, sealed.system AS system, number,
        sent.recorded_at AS sent_at,
        min(sent.recorded_at) OVER (
            PARTITION BY sealed.system ORDER BY number
            ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
        ) AS later_at
    FROM sealed
    INNER JOIN sent ON sent.system = sealed.system AND sent.mark = sealed.mark
)
WHERE sent_at > later_at + {minute:Int64}
ORDER BY system, number"""


def find(of: CheckInput) -> Iterable[DetectedFinding]:
    """Find commands that were sent and not recorded, or the reverse, and faults of seals."""
    sources = of.store.rows(SOURCES, size=of.size)
    seals = of.store.rows(SEALS, size=of.size)
    yield from _gaps(seals, of.now)
    tables = any_of(set(event_tables(of.store)) - OWN)

    def rows(query: str) -> list[dict[str, Any]]:
        return of.store.rows(PARTS + query, size=of.size, now=of.now, minute=MINUTE, tables=tables)

    unsealed = rows(UNSEALED)
    if seals:
        yield from _numbered("SENT_NOT_RECORDED", rows(MISSING))
        yield from _numbered("SENT_TWICE", rows(TWICE))
        yield from _numbered("SEAL_CONTRADICTED", rows(CHANGED))
        yield from _numbered("SENT_OUT_OF_ORDER", rows(LATE))
    for row in unsealed:
        if row["is_covered"]:
            detail = Phrase("SOURCE_POSITION", system=row["system"], at=row["position"])
            yield DetectedFinding("RECORDED_NOT_SENT", position=row["position"], detail=detail)
    yield from _overdue(sources, seals, unsealed, of.now)


def _numbered(code: str, rows: Sequence[dict[str, Any]]) -> Iterator[DetectedFinding]:
    """Yield a finding for each run of consecutive numbers of a source in one seal."""
    for _, same in groupby(enumerate(rows), lambda one: _run_of(*one)):
        run = [row for _, row in same]
        system, first, last = run[0]["system"], run[0]["number"], run[-1]["number"]
        yield _of_numbers(code, run[0]["position"], system, first, last)


def _run_of(place: int, row: dict[str, Any]) -> tuple[object, ...]:
    return row["system"], row["position"], row["number"] - place


def _of_numbers(code: str, position: int, system: str, first: int, last: int) -> DetectedFinding:
    detail = Phrase("SOURCE_NUMBERS", system=system, first=first, last=last)
    if first == last:
        detail = Phrase("SOURCE_NUMBER", system=system, number=first)
    about = f"{system} {first}"
    return DetectedFinding(code, position=position, detail=detail, about=about)


def _gaps(seals: Sequence[dict[str, Any]], now: int) -> Iterator[DetectedFinding]:
    """Yield the numbers that no seal of a source has, before one that it has."""
    by_number = sorted(seals, key=lambda seal: (seal["system"], seal["first"], seal["position"]))
    for system, own in groupby(by_number, lambda seal: str(seal["system"])):
        due = 1
        for seal in own:
            if seal["first"] > due and seal["recorded_at"] + MINUTE <= now:
                last = seal["first"] - 1
                yield _of_numbers("SENT_NUMBERS_MISSING", seal["position"], system, due, last)
            due = max(due, seal["end"])


def _overdue(
    sources: Sequence[dict[str, Any]],
    seals: Sequence[dict[str, Any]],
    unsealed: Sequence[dict[str, Any]],
    now: int,
) -> Iterator[DetectedFinding]:
    """Yield the times without a seal that were longer than the interval of the source.

    They begin with a seal, unless the source stopped with it; then, and before the first one, with
    the first command that is not sealed. They end with the next seal, or now.
    """
    for system in dict.fromkeys(str(row["system"]) for row in sources):
        registered = [row for row in sources if row["system"] == system]
        own = sorted(
            (row for row in seals if row["system"] == system), key=lambda row: int(row["until"])
        )
        spans = [
            (row["position"], row["until"], following["until"])
            for row, following in pairwise(own)
            if not row["is_last"]
        ]
        if own and not own[-1]["is_last"]:
            spans.append((own[-1]["position"], own[-1]["until"], now))
        else:
            later = (row for row in unsealed if row["system"] == system and not row["is_covered"])
            spans += [(row["position"], row["recorded_at"], now) for row in islice(later, 1)]
        for position, begun_at, ended_at in spans:
            interval = max(
                (row["position"], row["interval"])
                for row in registered
                if row["position"] <= position or row is registered[0]
            )[1]
            silent = ended_at - begun_at
            if interval and silent > interval + CLOCKS_APART_MAX:
                detail = Phrase("SOURCE_MINUTES", system=system, minutes=silent // MINUTE)
                place = {"position": position, "about": f"{system} {position}"}
                yield DetectedFinding("SEAL_OVERDUE", detail=detail, **place)
