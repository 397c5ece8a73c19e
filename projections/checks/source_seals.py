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

An examination that continues an earlier one compares the new seals and commands, and those that
matched nothing before. It compares everything if a result of before may change: a source was
registered, a seal repeats numbers, a command was sealed that is not among these, what was missing
came after all, or commands are sealed out of their order.
"""

from __future__ import annotations

from itertools import groupby, islice, pairwise
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.core.clock import CLOCKS_APART_MAX, MINUTE
from ledger.core.decoders import decoder_of
from ledger.core.phrases import Phrase
from ledger.tlog.source_seals import MARK_BYTES
from projections.findings.finding import DetectedFinding
from projections.store.as_of import event_tables, event_types_since
from projections.store.definitions import any_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from projections.checks import CheckInput

__all__ = ["find"]

NAME = "source_seals"
REMEMBERED_MAX = 5_000
"""Seals or commands without a match that are remembered; beyond, everything is compared again."""
END = 1 << 62
"""Behind every position."""
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
    WHERE position < {{size:Int64}} AND position >= {{since:Int64}}
),
sent AS
(
    SELECT position, recorded_at, splitByChar('/', source)[1] AS system, command_id,
        substring(SHA256(command_id), 1, {MARK_BYTES}) AS mark
    FROM merge(currentDatabase(), {{tables:String}})
    WHERE position < {{size:Int64}} AND decision_index = 0
        AND (position >= {{since:Int64}} OR position IN {{unsealed:Array(Int64)}})
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
ARRIVED = """
SELECT count() FROM sent WHERE concat(system, '/', hex(mark)) IN {missing:Array(String)}"""
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
APART = """,
joined AS
(
    SELECT system, hex(mark) AS named, number, sealed.position AS seal,
        sealed.recorded_at AS sealed_at, sent.position AS sent, sent.recorded_at AS sent_at,
        seal > 0 AND sent > 0 AS is_matched,
        min(sent_at) OVER (
            PARTITION BY system, is_matched ORDER BY number
            ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
        ) AS later_at,
        min(sent_at) OVER (PARTITION BY system, is_matched) AS earliest,
        max(sent_at) OVER (PARTITION BY system, is_matched) AS latest,
        min(number) OVER (PARTITION BY system, is_matched) AS least
    FROM
    (
        SELECT system, mark, number, min(position) AS position, min(recorded_at) AS recorded_at
        FROM sealed
        GROUP BY system, mark, number
    ) AS sealed
    FULL JOIN sent USING (system, mark)
)
SELECT multiIf(is_matched, 'late', seal > 0, 'missing', 'unsealed') AS kind,
    joined.system AS system,
    concat(joined.system, '/', named) AS named, number, if(seal > 0, seal, sent) AS position,
    if(seal > 0, sealed_at, sent_at) AS recorded_at, sent_at <= covered.until AS is_covered,
    sent_at > later_at + {minute:Int64} AS is_late, earliest, latest
FROM joined
ASOF LEFT JOIN registered ON registered.system = joined.system AND registered.position < joined.sent
LEFT JOIN covered ON covered.system = joined.system
WHERE (kind = 'late' AND (is_late OR number = least)) OR kind = 'missing'
    OR (kind = 'unsealed' AND is_sealing)
ORDER BY system, number, position"""
"""Sealed commands that are not recorded, commands that no seal has, and those out of order."""


class _Compared(msgspec.Struct):
    """Result of comparing the messages below ``until``, whatever the moment of the question.

    ``missing`` are rows of sealed commands of which nothing is recorded, ``unsealed`` the positions
    of commands that no seal has, ``faults`` rows of other findings by code, and ``last`` the newest
    moment of recording among the sealed commands of each source.
    """

    until: int = 0
    missing: list[dict[str, Any]] = []
    unsealed: list[int] = []
    faults: dict[str, list[dict[str, Any]]] = {}
    last: dict[str, int] = {}


COMPARED = decoder_of(_Compared)


def find(of: CheckInput) -> Iterable[DetectedFinding]:
    """Find commands that were sent and not recorded, or the reverse, and faults of seals."""
    sources = of.store.rows(SOURCES, size=of.size)
    seals = of.store.rows(SEALS, size=of.size)
    yield from _gaps(seals, of.now)
    known = COMPARED.plain(of.memory.pop(NAME, {}))
    if _is_repeated(known, sources, seals):
        known = _Compared()
    compared, unsealed = _compare(of, seals, known)
    if max(len(compared.missing), len(compared.unsealed)) <= REMEMBERED_MAX:
        of.memory[NAME] = msgspec.to_builtins(compared)
    due = [row for row in compared.missing if row["recorded_at"] + MINUTE <= of.now]
    for code, rows in {"SENT_NOT_RECORDED": due, **compared.faults}.items():
        yield from _numbered(code, rows)
    for row in unsealed:
        if row["is_covered"]:
            detail = Phrase("SOURCE_POSITION", system=row["system"], at=row["position"])
            yield DetectedFinding("RECORDED_NOT_SENT", position=row["position"], detail=detail)
    yield from _overdue(sources, seals, unsealed, of.now)


def _is_repeated(
    known: _Compared, sources: Sequence[dict[str, Any]], seals: Sequence[dict[str, Any]]
) -> bool:
    """Return whether a source was registered, or sealed numbers again, behind what is known."""
    ends = dict[str, int]()
    for seal in seals:
        if seal["position"] < known.until:
            ends[seal["system"]] = max(ends.get(seal["system"], 1), seal["end"])
    return any(row["position"] >= known.until for row in sources) or any(
        seal["first"] < ends.get(seal["system"], 1)
        for seal in seals
        if seal["position"] >= known.until
    )


def _compare(
    of: CheckInput, seals: Sequence[dict[str, Any]], known: _Compared
) -> tuple[_Compared, list[dict[str, Any]]]:
    """Compare what is behind the known, or all if what is known may have changed.

    Also return the commands that no seal has.
    """
    tables, new_types = set(event_tables(of.store)) - OWN, None
    has_new_seals = bool(seals) and seals[-1]["position"] >= known.until
    if not known.unsealed:
        new_types = event_types_since(of.store, known.until, of.size)
    if new_types is not None and (tables.intersection(new_types) or not has_new_seals):
        tables &= new_types
    if not tables:
        return _Compared(of.size, known.missing, [], known.faults, known.last), []
    values: dict[str, Any] = {
        "size": of.size,
        "minute": MINUTE,
        "since": known.until,
        "unsealed": known.unsealed,
        "missing": [row["named"] for row in known.missing],
        "tables": any_of(tables),
    }

    def rows(query: str) -> list[dict[str, Any]]:
        return of.store.rows(PARTS + query, **values)

    if known.missing and of.store.value(PARTS + ARRIVED, **values):
        return _compare(of, seals, _Compared())
    apart: dict[str, list[dict[str, Any]]] = {"unsealed": [], "missing": [], "late": []}
    for row in rows(APART):
        apart[row["kind"]].append(row)
    missing, faults, last = known.missing, known.faults, known.last
    unsealed = sorted(apart["unsealed"], key=lambda row: int(row["position"]))
    if has_new_seals:
        new, late = apart["missing"], apart["late"]
        if known.until and (
            new or any(last.get(row["system"], 0) > row["earliest"] + MINUTE for row in late)
        ):
            return _compare(of, seals, _Compared())
        missing = [*missing, *new]
        last = last | {
            row["system"]: max(row["latest"], last.get(row["system"], 0)) for row in late
        }
        more = {
            "SENT_TWICE": rows(TWICE),
            "SEAL_CONTRADICTED": rows(CHANGED),
            "SENT_OUT_OF_ORDER": [row for row in late if row["is_late"]],
        }
        faults = {
            code: sorted([*faults.get(code, []), *more[code]], key=_by_number) for code in more
        }
    positions = [row["position"] for row in unsealed]
    return _Compared(of.size, missing, positions, faults, last), unsealed


def _by_number(row: dict[str, Any]) -> tuple[str, int, int]:
    return row["system"], row["number"], row["position"]


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
    the first command that is not sealed. They end with the next seal, when the source is registered
    as one that cannot seal, or now. The longest interval that was in force counts.
    """
    for system in dict.fromkeys(str(row["system"]) for row in sources):
        registered = [row for row in sources if row["system"] == system]
        own = sorted(
            (row for row in seals if row["system"] == system), key=lambda row: int(row["until"])
        )
        spans = [
            (row["position"], row["until"], following["position"], following["until"])
            for row, following in pairwise(own)
            if not row["is_last"]
        ]
        spans += [
            (row["position"], row["until"], END, now) for row in own[-1:] if not row["is_last"]
        ]
        if not own or own[-1]["is_last"] or _stopped(registered, own[-1]["position"], END):
            later = [row for row in unsealed if row["system"] == system and not row["is_covered"]]
            stops = [row["position"] for row in _stopped(registered, 0, END)]
            again = (row for row in later if row["position"] > max(stops, default=0))
            first = {row["position"]: row["recorded_at"] for row in (*later[:1], *islice(again, 1))}
            spans += [(position, begun_at, END, now) for position, begun_at in first.items()]
        for position, begun_at, end, ended_at in spans:
            before = [row for row in registered if row["position"] <= position] or registered
            during = [row for row in registered if position < row["position"] < end]
            stop = _stopped(registered, position, end)
            interval = max(row["interval"] for row in (before[-1], *during))
            silent = min([ended_at, *(row["recorded_at"] for row in stop)]) - begun_at
            if interval and silent > interval + CLOCKS_APART_MAX:
                detail = Phrase("SOURCE_MINUTES", system=system, minutes=silent // MINUTE)
                place = {"position": position, "about": f"{system} {position}"}
                yield DetectedFinding("SEAL_OVERDUE", detail=detail, **place)


def _stopped(
    registered: Sequence[dict[str, Any]], position: int, end: int
) -> Sequence[dict[str, Any]]:
    """Return the registrations between two positions by which a source cannot seal."""
    return [row for row in registered if position < row["position"] < end and not row["interval"]]
