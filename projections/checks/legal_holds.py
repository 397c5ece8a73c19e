# needs = ["PersonErased"]
#
# [ERASED_UNDER_HOLD]
# name.en = "Erased under a legal hold"
# name.cs = "Údaje vymazány, ačkoli měly být uchovány jako důkaz"
# text.en = "The person was erased while hold {detail} kept the data as evidence."
# text.cs = "Osoba byla vymazána, ačkoli zajištění {detail} uchovávalo údaje jako důkaz."
# paragraph = "GDPR 17(3)(b), 17(3)(e), 18"
# identity = "named"

"""The register of legal holds: whose data are kept as evidence, for whom, until when.

Everything is as of a position; holds are in force by the timestamp of the last counted message.
Timestamps are microseconds. The participants of a held round are derived from its events.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import schemas
from ledger.core.units import Count, Moment
from ledger.log.port import Query
from projections.findings.finding import DetectedFinding
from projections.store.as_of import as_of, event_tables, moment_of, moment_of_question

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from ledger.log.port import Log
    from projections.checks import CheckInput
    from projections.store.tables import Store

__all__ = [
    "Hold",
    "HoldRegister",
    "HoldsByPerson",
    "all_holds",
    "find",
    "holds_on_account",
    "list_holds",
]

HOLDS = """
SELECT
    placed.hold AS hold, placed.account AS account, placed.person AS person,
    placed.round AS round, placed.ordered_by AS ordered_by, placed.reason AS reason,
    placed.reference AS reference, placed.until AS until, placed.position AS position,
    placed.recorded_at AS placed_at, ended.position AS ended_position,
    ended.recorded_at AS ended_at, ended.ordered_by AS ended_by, ended.reason AS ended_reason
FROM (SELECT * FROM LegalHoldPlaced WHERE position < {size:Int64}) AS placed
LEFT JOIN (SELECT * FROM LegalHoldEnded WHERE position < {size:Int64}) AS ended
    ON placed.hold = ended.hold
ORDER BY placed.position"""


@dataclass(frozen=True, slots=True)
class Hold:
    """A legal hold, on the person of an account or on all participants of a round.

    ``until`` is the planned end, ``None`` without one. ``ended_at`` and ``ended_position`` belong
    to the command that ended the hold, ``ended_by`` and ``ended_reason`` name its author and
    reason; they are ``None`` or empty while no command ended it.
    """

    hold: str
    account: str
    person: str
    round: str
    ordered_by: str
    reason: str
    reference: str
    placed_at: Moment
    position: Count
    until: Moment | None
    ended_at: Moment | None
    ended_position: Count | None
    ended_by: str
    ended_reason: str

    @property
    def over_at(self) -> int | None:
        """Timestamp of the planned end or of the command, the earlier one; None without an end."""
        ends = [end for end in (self.until, self.ended_at) if end is not None]
        return min(ends, default=None)

    def is_in_force(self, position: int, moment: int) -> bool:
        """Return whether the hold is in force at a timestamp, by the messages below a position."""
        return (
            self.position < position
            and (self.ended_position is None or position <= self.ended_position)
            and (self.until is None or moment < self.until)
        )


@dataclass(frozen=True, slots=True)
class HoldRegister:
    """Legal holds in the order of the chain, and the position as of which they were read."""

    position: int
    head: str
    recorded_at: int
    moment: int
    holds: tuple[Hold, ...]


def list_holds(
    store: Store, *, with_ended: bool = False, at: int | None = None, now: int | None = None
) -> HoldRegister:
    """List the holds in force at ``now`` or the last message; ``with_ended`` adds ended ones."""
    place = as_of(store, at)
    moment = moment_of_question(store, place.position, now)
    found = all_holds(store, place.position)
    if not with_ended:
        found = [hold for hold in found if hold.is_in_force(place.position, moment)]
    recorded_at = moment_of(store, place.position)
    return HoldRegister(place.position, place.head, recorded_at, moment, tuple(found))


def holds_on_account(
    store: Store, log: Log, account: str, person: str, *, size: int, now: int
) -> tuple[Hold, ...]:
    """Return the holds in force on a person at ``now``, by the messages below ``size``.

    The log's tag index determines whether an account of the person took part in a held round.
    """
    opened = store.rows(
        "SELECT account FROM AccountOpened "
        "WHERE person = {person:String} AND person != '' AND position < {size:Int64}",
        person=person,
        size=size,
    )
    accounts = {account, *(row["account"] for row in opened)}

    def took_part(round_: str) -> bool:
        queries = (Query(tags=(f"round:{round_}", f"account:{one}")) for one in accounts)
        return any(log.find(query, before=size, limit=1) for query in queries)

    return tuple(
        hold
        for hold in all_holds(store, size)
        if hold.is_in_force(size, now)
        and (took_part(hold.round) if hold.round else hold.person == person)
    )


def find(of: CheckInput) -> Iterable[DetectedFinding]:
    """Find persons who were erased while a hold applied to them."""
    holds = all_holds(of.store, of.size)
    erased = of.store.rows(
        "SELECT position, recorded_at, person, account FROM PersonErased "
        "WHERE position < {size:Int64} ORDER BY position",
        size=of.size,
    )
    if not holds or not erased:
        return []
    cover = HoldsByPerson(of.store, of.size, holds, [row["person"] for row in erased])
    return [
        DetectedFinding(
            "ERASED_UNDER_HOLD",
            position=row["position"],
            account=row["account"],
            round=hold.round,
            detail=hold.hold,
        )
        for row in erased
        for hold in cover.of(row["person"], {row["account"]})
        if hold.is_in_force(row["position"], row["recorded_at"])
    ]


class HoldsByPerson:
    """Finds the holds that apply to a person, directly or through a round."""

    def __init__(
        self, store: Store, size: int, holds: Collection[Hold], persons: Iterable[str]
    ) -> None:
        """Read the participants of the held rounds, and the accounts of the persons."""
        self._holds = holds
        rounds = sorted({hold.round for hold in holds} - {""})
        self._participants = _participants(store, size, rounds)
        self._accounts: dict[str, set[str]] = {}
        if rounds:
            opened = store.rows(
                "SELECT person, account FROM AccountOpened "
                "WHERE person IN {persons:Array(String)} AND position < {size:Int64}",
                persons=sorted(set(persons)),
                size=size,
            )
            for row in opened:
                self._accounts.setdefault(row["person"], set()).add(row["account"])

    def of(self, person: str, accounts: set[str]) -> list[Hold]:
        """Return the holds on a person, of whom some accounts are known."""
        accounts = accounts | self._accounts.get(person, set())
        return [
            hold
            for hold in self._holds
            if (hold.person == person and not hold.round)
            or accounts & self._participants.get(hold.round, set())
        ]


def all_holds(store: Store, size: int) -> list[Hold]:
    """Read all holds below a position, in the order of the chain."""
    return [_hold(row) for row in store.rows(HOLDS, size=size)]


def _hold(row: dict[str, Any]) -> Hold:
    ended = bool(row["ended_position"])
    return Hold(
        **{name: row[name] for name in ("hold", "account", "person", "round", "ordered_by")},
        **{name: row[name] for name in ("reason", "reference", "placed_at", "position", "until")},
        ended_at=row["ended_at"] if ended else None,
        ended_position=row["ended_position"] if ended else None,
        ended_by=row["ended_by"],
        ended_reason=row["ended_reason"],
    )


def _participants(store: Store, size: int, rounds: list[str]) -> dict[str, set[str]]:
    """Return the accounts named in any event of each round."""
    if not rounds:
        return {}
    filled = event_tables(store)
    branches = [
        f"SELECT arrayJoin(arrayIntersect({_array(names, 'round')}, {{rounds:Array(String)}})) "  # noqa: S608 - own names
        f"AS round, {_array(accounts, 'account')} AS accounts FROM {event} "
        "WHERE position < {size:Int64}"
        for event, schema in schemas.newest().items()
        if event in filled
        and (names := _tagged(schema, "round"))
        and (accounts := _tagged(schema, "account"))
    ]
    rows = store.rows(
        "SELECT round, groupUniqArrayArray(accounts) AS accounts FROM ("  # noqa: S608 - own names
        + " UNION ALL ".join(branches)
        + ") GROUP BY round",
        rounds=rounds,
        size=size,
    )
    return {row["round"]: set(row["accounts"]) - {""} for row in rows}


def _tagged(schema: schemas.Schema, tag: str) -> list[str]:
    return [fact["name"] for fact in schema.facts if fact.get("tag") == tag]


def _array(names: list[str], single: str) -> str:
    """Return the SQL expression that collects several fields with one tag into an array."""
    return f"arrayConcat({', '.join(f'[{name}]' if name == single else name for name in names)})"
