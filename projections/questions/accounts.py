"""Read one account: its data, restrictions, balance and last events; and list accounts.

Everything is as of a position; time-dependent values (blocks, breaks, pending measures) are those
at the timestamp of the last counted message. Money is haléř, timestamps are microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from msgspec.json import decode as decode_json

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.units import Count, Moment
from ledger.rules.law import TEMPORARY_LASTS
from projections.checks.legal_holds import Hold, holds_on_account
from projections.facts.facts import Fact, newest_facts
from projections.questions.balances import Balance, balance
from projections.questions.continuous_play import Sequence, play
from projections.store.as_of import as_of, moment_of, moment_of_question
from projections.store.operator import published_rules
from projections.store.parallel_query import query_in_parallel

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ledger.log.port import Log
    from projections.questions.continuous_play import Play
    from projections.store.as_of import AsOf
    from projections.store.operator import PublishedRules
    from projections.store.tables import Store

__all__ = [
    "AccountLine",
    "AccountStory",
    "Accounts",
    "Block",
    "MeasureInForce",
    "RegisterState",
    "Session",
    "Status",
    "account_story",
    "list_accounts",
    "sessions_of",
]

Status = Literal["open", "cancelling", "closed"]
FACTS = 50
STATUSES: dict[str, Status] = {
    "CancellationRequested": "cancelling",
    "CancellationWithdrawn": "open",
    "AccountRestored": "open",
    "AccountClosed": "closed",
}
"""The status of an account after each event that changes it."""


@dataclass(frozen=True, slots=True)
class MeasureInForce:
    """A self-restricting measure: its value, and a pending change.

    ``value`` is ``None`` if the participant declined the measure: haléř for measures a to d, number
    of logins for e, minutes for f and g. ``next_at`` is ``None`` if no change is pending.
    """

    measure: str
    value: int | None
    next_value: int | None
    next_at: int | None


@dataclass(frozen=True, slots=True)
class Block:
    """A reason for which no bet is accepted; ``until`` is ``None`` if it has no end.

    ``temporary`` is the end of a temporary account.
    """

    kind: Literal["panic", "exclusion", "break", "temporary"]
    ground: str
    since: int
    until: int | None


@dataclass(frozen=True, slots=True)
class RegisterState:
    """The last response of the register of excluded persons."""

    position: int
    asked_at: int
    occasion: str
    answer: str
    live: bool


@dataclass(frozen=True, slots=True)
class Session:
    """One session; ``ended_at`` and ``cause`` are ``None`` while it is open."""

    session: str
    mode: str
    began_at: int
    ended_at: int | None
    cause: str | None


@dataclass(frozen=True, slots=True)
class AccountStory:
    """All data of an account.

    ``sequence`` is the last sequence of continuous play, over all accounts of the person;
    ``sequence_runs``: another bet now would continue it. ``holds`` are the legal holds in force on
    the person's data. ``sessions`` and ``facts`` are the most recent ones, newest last.
    """

    position: int
    head: str
    recorded_at: int
    moment: int
    account: str
    person: str
    status: Status
    opened_at: int
    regime: str
    internet: bool
    land_based: bool
    measures: tuple[MeasureInForce, ...]
    blocks: tuple[Block, ...]
    register: RegisterState | None
    sessions: tuple[Session, ...]
    balance: Balance
    sequence: Sequence | None
    sequence_runs: bool
    holds: tuple[Hold, ...]
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class AccountLine:
    """One account of a list: when and at which position it was opened, and its status."""

    account: str
    opened_at: Moment
    position: Count
    status: Status


@dataclass(frozen=True, slots=True)
class Accounts:
    """Accounts, newest first; pass ``before`` to get the next page, if it is not None."""

    accounts: tuple[AccountLine, ...]
    before: int | None
    position: int
    recorded_at: int


LISTED = f"""
SELECT account, opened_at, opened_position AS position, status
FROM
(
    SELECT account, recorded_at AS opened_at, position AS opened_position
    FROM AccountOpened
    WHERE position < {{size:Int64}} AND position < {{before:Int64}}
) AS opened
LEFT JOIN
(
    SELECT account, argMax(status, at) AS status FROM (
        {
    " UNION ALL ".join(
        f"SELECT account, position AS at, '{status}' AS status FROM {event} "
        "WHERE position < {size:Int64}"
        for event, status in STATUSES.items()
    )
}
    ) GROUP BY account
) AS changed USING account
WHERE {{status:String}} IN ('', if(status = '', 'open', status))
ORDER BY opened_position DESC
LIMIT {{limit:Int64}}
"""  # noqa: S608 - names of our own


def list_accounts(
    store: Store,
    *,
    status: Status | Literal[""] = "",
    before: int | None = None,
    limit: int = FACTS,
    at: int | None = None,
) -> Accounts:
    """List accounts, newest opening first.

    Args:
        store: the tables.
        status: only accounts of this status.
        before: only accounts opened before this position.
        limit: maximum number of accounts.
        at: number of messages that count; all by default.

    """
    place = as_of(store, at)
    rows = store.rows(
        LISTED,
        size=place.position,
        before=place.position if before is None else before,
        status=status,
        limit=limit,
    )
    lines = tuple(AccountLine(**{**row, "status": row["status"] or "open"}) for row in rows)
    following = lines[-1].position if len(lines) == limit else None
    return Accounts(lines, following, place.position, moment_of(store, place.position))


def account_story(
    store: Store,
    log: Log,
    account: str,
    *,
    at: int | None = None,
    now: int | None = None,
    facts: int = FACTS,
) -> AccountStory:
    """Return all data of an account; ``facts`` limits the number of facts and sessions.

    What is in force is judged at the moment ``now``, by default that of the last message.

    The last facts are read from the log.

    Raises:
        InputError: no counted message opened the account.

    """
    place = as_of(store, at)
    of_person = partial(play, account=account, of_person=True, at=place.position)
    with query_in_parallel(store, of_person) as played:
        moment = moment_of_question(store, place.position, now)
        return _story(store, log, place, account, played, now=moment, last=facts)


def _story(
    store: Store, log: Log, place: AsOf, account: str, played: Future[Play], *, now: int, last: int
) -> AccountStory:
    reader, published = _Reader(store, place, account), published_rules(store)
    figures = published.last.figures
    modes = reader.rows("AccountOpened", "AccountModeChanged")
    if not modes:
        raise InputError(Phrase("ACCOUNT_UNKNOWN", name=account, size=place.position))
    opened, mode = modes[0], modes[-1]
    status, measures, register = _status(reader), _measures(reader, now), _register(reader)
    sessions, blocks = _sessions(reader)[-last:], _blocks(reader, now, published)
    held = balance(store, account, at=place.position)
    holds = holds_on_account(store, log, account, opened["person"], size=place.position, now=now)
    told = newest_facts(log, tag=f"account:{account}", size=place.position, limit=last)
    sequence = max(played.result().sequences, key=lambda one: one.last_position, default=None)
    return AccountStory(
        position=place.position,
        head=place.head,
        recorded_at=moment_of(store, place.position),
        moment=now,
        account=account,
        person=opened["person"],
        status=status,
        opened_at=opened["recorded_at"],
        regime=mode["regime"],
        internet=mode["internet"],
        land_based=mode["land_based"],
        measures=measures,
        blocks=(
            *blocks,
            *_break(sequence, now, figures.break_minutes.source),
            *_over(opened["recorded_at"], mode["regime"], now),
        ),
        register=register,
        sessions=sessions,
        balance=held,
        sequence=sequence,
        sequence_runs=bool(sequence and now < sequence.last_evaluated_at + figures.break_length),
        holds=holds,
        facts=tuple(told),
    )


READ = {
    "AccountOpened": "person, regime, internet, land_based",
    "AccountModeChanged": "regime, internet, land_based",
    **dict.fromkeys(STATUSES, "account"),
    "LimitSet": "measure, value, change, effective_at",
    "LimitDeclined": "measure, effective_at",
    "PanicButtonPressed": "until",
    "ExclusionImposed": "ground, until",
    "ExclusionEnded": "ground",
    "RegisterChecked": "occasion, answer, live",
    "LoggedIn": "session, mode",
    "LoggedOut": "session, cause",
}
"""Events of an account and their fields, read by one query: starting one takes as long as running
it."""
FOUND = " UNION ALL ".join(
    f"SELECT position, recorded_at, '{event}' AS event, "  # noqa: S608 - names of our own
    f"formatRow('JSONEachRow', {fields}) AS facts FROM {event} "
    "WHERE account = {account:String} AND position < {size:Int64}"
    for event, fields in READ.items()
)


class _Reader:
    """Reads the events of one account, oldest first."""

    def __init__(self, store: Store, place: AsOf, account: str) -> None:
        found = store.rows(
            f"SELECT * FROM ({FOUND}) ORDER BY position",  # noqa: S608 - the same
            account=account,
            size=place.position,
        )
        self._rows = [{**row, **decode_json(row["facts"])} for row in found]

    def rows(self, *events: str) -> list[dict[str, Any]]:
        """Return the events of some types."""
        return [row for row in self._rows if row["event"] in events]


def _status(reader: _Reader) -> Status:
    changes = reader.rows(*STATUSES)
    return STATUSES[changes[-1]["event"]] if changes else "open"


def _measures(reader: _Reader, now: int) -> tuple[MeasureInForce, ...]:
    """Return the settings of each measure that are in force or pending.

    Of several settings at one time, the last one counts.
    """
    settings: dict[str, list[dict[str, Any]]] = {}
    for found in reader.rows("LimitSet", "LimitDeclined"):
        row = {"value": None, "change": "looser", **found}
        known = settings.get(row["measure"], [])
        settings[row["measure"]] = [*(one for one in known if _stays(one, row)), row]
    return tuple(_in_force(letter, settings[letter], now) for letter in sorted(settings))


def _stays(known: dict[str, Any], later: dict[str, Any]) -> bool:
    """Return whether an earlier setting remains relevant next to a later one.

    A setting in effect remains until the later one takes effect; a pending one remains only if it
    makes the measure stricter and the later one makes it looser.
    """
    if known["effective_at"] <= later["recorded_at"]:
        return bool(known["effective_at"] < later["effective_at"])
    return (known["change"], later["change"]) == ("stricter", "looser")


def _in_force(letter: str, settings: list[dict[str, Any]], now: int) -> MeasureInForce:
    binding = [one["value"] for one in settings if one["effective_at"] <= now]
    waiting = [one for one in settings if one["effective_at"] > now]
    coming = waiting[0] if waiting else {"value": None, "effective_at": None}
    return MeasureInForce(
        letter, binding[-1] if binding else None, coming["value"], coming["effective_at"]
    )


def _blocks(reader: _Reader, now: int, published: PublishedRules) -> list[Block]:
    blocks = [
        Block("panic", "", since, max(row["until"], since + rules.figures.panic_block))
        for row in reader.rows("PanicButtonPressed")
        for since in [row["recorded_at"]]
        for rules in [published.at_moment(since)]
    ]
    found = [*blocks, *_exclusions(reader)]
    return [block for block in found if block.until is None or now < block.until]


def _exclusions(reader: _Reader) -> list[Block]:
    """Return the exclusions that were not ended; on each ground only the longest one."""
    exclusions: dict[str, Block] = {}
    for row in reader.rows("ExclusionImposed", "ExclusionEnded"):
        if row["event"] == "ExclusionEnded":
            exclusions.pop(row["ground"], None)
        else:
            block = Block("exclusion", row["ground"], row["recorded_at"], row["until"])
            known = exclusions.get(row["ground"], block)
            exclusions[row["ground"]] = max(known, block, key=_lasts)
    return list(exclusions.values())


def _lasts(block: Block) -> tuple[bool, int]:
    return block.until is None, block.until or 0


def _break(sequence: Sequence | None, now: int, paragraph: str) -> list[Block]:
    if sequence is None or sequence.break_until is None or now >= sequence.break_until:
        return []
    return [Block("break", paragraph, sequence.last_evaluated_at, sequence.break_until)]


def _over(opened_at: int, regime: str, now: int) -> list[Block]:
    over_at = opened_at + TEMPORARY_LASTS
    if regime != "temporary" or now < over_at:
        return []
    return [Block("temporary", "ZHH 80(1)", over_at, None)]


def _register(reader: _Reader) -> RegisterState | None:
    rows = reader.rows("RegisterChecked")
    if not rows:
        return None
    last = rows[-1]
    return RegisterState(
        last["position"], last["recorded_at"], last["occasion"], last["answer"], last["live"]
    )


def sessions_of(store: Store, account: str, *, at: int | None = None) -> tuple[Session, ...]:
    """Return the sessions of an account, oldest first."""
    return _sessions(_Reader(store, as_of(store, at), account))


def _sessions(reader: _Reader) -> tuple[Session, ...]:
    sessions: dict[str, Session] = {}
    for row in reader.rows("LoggedIn", "LoggedOut"):
        name = row["session"]
        if row["event"] == "LoggedIn":
            sessions[name] = Session(name, row["mode"], row["recorded_at"], None, None)
        elif name in sessions:
            began = sessions[name]
            sessions[name] = Session(
                name, began.mode, began.began_at, row["recorded_at"], row["cause"]
            )
    return tuple(sessions.values())
