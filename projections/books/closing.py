"""Close a day or month: trial balance, games and tables, channels, floor, corrections.

What comes in: the tables, a period, and the number of messages that count. What goes out: for each
ledger account (a kind of postings in its currency) opening, debits, credits and closing; stakes and
payments of each game and table; money in and out by each channel; movements on the floor of a
casino. All of it is summed from the same postings, so that each part ties to the trial balance.

Signs: amounts that the operator owes or earned (players, prize pool, result, charges) increase on
the credit side; payments from outside and a place of cash or chips on the floor increase on the
debit side. Balances are positive for debit. Amounts are hundredths of the account's currency.

A closed day never changes: a later correction is booked on the day of its record, and listed there
as a correction of an earlier day.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import schemas
from ledger.core.clock import in_prague
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.units import Hundredth
from projections.questions.balances import CURRENCY, ON_THE_FLOOR, currency_of
from projections.store.as_of import as_of, event_tables, moment_of_question, size_at
from projections.store.definitions import any_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.store.period import Period
    from projections.store.tables import Store

__all__ = [
    "CORRECTIONS",
    "OF_PLAY",
    "WINNINGS",
    "ChannelLine",
    "Closing",
    "EarlierDay",
    "FloorLine",
    "GameLine",
    "Movements",
    "TrialLine",
    "WrittenOff",
    "close",
    "game_lines",
    "movements_in",
]

STAKES = {"BetConcluded", "HandAction", "TournamentEntryPaid"}
RETURNS = {"BetVoided", "UncalledReturned", "MisdealDeclared", "TournamentEntryReturned"}
WINNINGS = {"BetSettled", "PotAwarded", "PointsSettled", "TournamentPrizePaid"}
CORRECTIONS = {"WinCorrected", "BetCorrected", "PrizeWithheld"}
DEPOSITS = {"DepositCredited"}
DEPOSITS_RETURNED = {"DepositReturned"}
WRITE_OFF = "WriteOffConfirmed"
OF_PLAY = {"in_play", "prize_pool"}


class Movements(NamedTuple):
    """Movements of one event type in a ledger account in the period, by game and table.

    ``plus`` and ``minus`` are sums of positive and negative postings, the second as a positive
    number.
    """

    kind: str
    event: str
    game: str
    table: str
    streamed: bool
    plus: int
    minus: int
    times: int

    @property
    def net(self) -> int:
        """Net change."""
        return self.plus - self.minus


@dataclass(frozen=True, slots=True)
class TrialLine:
    """One ledger account of the trial balance; opening and closing are positive for debit."""

    account: str
    currency: str
    opening: Hundredth
    debit: Hundredth
    credit: Hundredth
    closing: Hundredth

    @property
    def is_even(self) -> bool:
        """Return whether as a sum of all accounts it is balanced and follows from movements."""
        return self.debit == self.credit and not self.opening and not self.closing


@dataclass(frozen=True, slots=True)
class GameLine:
    """Play by account in one game, in haléř.

    The line with an empty game has money that belongs to no game, such as time collections.
    ``stakes`` were concluded or put in, ``returned`` were given back, ``winnings`` were paid
    including the stake, ``corrections`` are the operator's gain from later changes. ``result`` is
    the earned amount, with rake and fees; ``open`` is the growth of open bets and prize pools.
    Stakes less returned less winnings plus corrections equals result plus open.
    """

    game: str
    name: str
    table: str
    streamed: bool
    stakes: int
    returned: int
    winnings: int
    corrections: int
    result: int
    open: int


@dataclass(frozen=True, slots=True)
class ChannelLine:
    """Money by one channel in haléř; ``net`` is money in less money out.

    ``written_off`` is what write-offs added to the channel, below zero what they took from it.
    """

    channel: str
    deposits: int
    deposits_returned: int
    paid_out: int
    written_off: int
    net: int


@dataclass(frozen=True, slots=True)
class FloorLine:
    """One kind of movement at a place of the floor: number of movements, money in and out."""

    place: str
    means: str
    currency: str
    movement: str
    count: int
    into: int
    out: int


@dataclass(frozen=True, slots=True)
class EarlierDay:
    """A correction that was recorded in the period for a booking of an earlier day.

    ``amount`` is the operator's gain or, on the floor, the difference of the slip.
    """

    position: int
    day: str
    movement: str
    account: str
    round: str
    what: str
    currency: str
    amount: int


@dataclass(frozen=True, slots=True)
class WrittenOff:
    """A write-off or its reversal; ``amount`` is the operator's gain, below zero the loss."""

    position: int
    write_off: str
    reverses: str
    item: str
    account: str
    statement: str
    proposed_by: str
    by: str
    reason: str
    amount: int


@dataclass(frozen=True, slots=True)
class Closing:
    """A closed period, by the messages below a position.

    ``first`` and ``end`` are the positions of the period. ``is_over``: it had ended at the
    moment of the question, so that nothing can be added to it.
    """

    period: str
    kind: str
    position: int
    head: str
    first: int
    end: int
    is_over: bool
    trial: tuple[TrialLine, ...]
    games: tuple[GameLine, ...]
    channels: tuple[ChannelLine, ...]
    floor: tuple[FloorLine, ...]
    earlier: tuple[EarlierDay, ...]
    write_offs: tuple[WrittenOff, ...]

    @property
    def totals(self) -> dict[str, TrialLine]:
        """The sum of all accounts by currency; debits equal credits, and balances are zero."""
        sums: dict[str, Counter[str]] = defaultdict(Counter)
        for line in self.trial:
            sums[line.currency].update(
                opening=line.opening, debit=line.debit, credit=line.credit, closing=line.closing
            )
        return {
            currency: TrialLine(
                "", currency, of["opening"], of["debit"], of["credit"], of["closing"]
            )
            for currency, of in sorted(sums.items())
        }

    @property
    def is_even(self) -> bool:
        """Return whether debits equal credits and balances follow from movements, by currency."""
        return all(of.is_even for of in self.totals.values())


def close(
    store: Store, period: Period, *, at: int | None = None, now: int | None = None
) -> Closing:
    """Close a period, by the messages below ``at``; by default by all projected messages.

    Whether it is over is judged at the moment ``now``, by default that of the last message.

    Raises:
        InputError: fewer messages are projected, or none of them was recorded before the period's
            end.

    """
    place = as_of(store, at)
    size = place.position
    first, end = size_at(store, period.begins, size), size_at(store, period.ends, size)
    if not end:
        raise InputError(Phrase("PERIOD_BEFORE_CHAIN", text=period.text))
    moved = movements_in(store, first, end)
    names = _names(store, end)
    return Closing(
        period=period.text,
        kind=period.kind,
        position=size,
        head=place.head,
        first=first,
        end=end,
        is_over=moment_of_question(store, size, now) >= period.ends,
        trial=_trial(store, first, moved),
        games=game_lines(moved, names),
        channels=_channels(moved),
        floor=_floor(moved),
        earlier=tuple(_earlier(store, first, end)),
        write_offs=tuple(
            WrittenOff(**row) for row in store.rows(WRITTEN_OFF, first=first, end=end)
        ),
    )


WRITTEN_OFF = f"""
SELECT
    position, write_off, reverses, item, account, statement, proposed_by, by, reason, amount
FROM {WRITE_OFF}
WHERE position >= {{first:Int64}} AND position < {{end:Int64}}
ORDER BY position
"""  # noqa: S608 - own name

MOVED = """
SELECT
    kind, event, games.game AS game, games.table AS table, games.streamed AS streamed,
    sumIf(amount, amount > 0) AS plus, -sumIf(amount, amount < 0) AS minus, count() AS times
FROM postings
LEFT JOIN
(
    SELECT
        round AS name, argMin(game, position) AS game, argMin(table, position) AS table,
        argMin(streamed, position) AS streamed
    FROM RoundOpened
    WHERE position < {end:Int64} AND round IN
    (
        SELECT round FROM postings
        WHERE position >= {first:Int64} AND position < {end:Int64} AND round != ''
    )
    GROUP BY round
    UNION ALL
    SELECT concat('tournament:', tournament), argMin(game, position), '', false
    FROM TournamentAnnounced
    WHERE position < {end:Int64}
    GROUP BY tournament
) AS games ON games.name = if(round = '', bet, round)
WHERE postings.position >= {first:Int64} AND postings.position < {end:Int64}
GROUP BY kind, event, game, table, streamed
"""


OF_DAYS = """
SELECT
    kind, event, game, table, streamed, sum(daily.plus) AS plus, sum(daily.minus) AS minus,
    sum(daily.times) AS times
FROM daily_movements AS daily
WHERE daily.position > {first:Int64} AND daily.position <= {end:Int64}
GROUP BY kind, event, game, table, streamed
"""
WHOLE_DAYS = """
SELECT min(position) AS first, max(position) AS end FROM day_ends
WHERE position >= {first:Int64} AND position <= {end:Int64}
"""


def movements_in(store: Store, first: int, end: int) -> list[Movements]:
    """Sum the postings of a range of positions by account, event type, game and table.

    Sums of whole finished days are read from the table of daily sums.
    """
    (days,) = store.rows(WHOLE_DAYS, first=first, end=end)
    begin, until = days["first"] if first else 0, days["end"]
    if begin >= until:
        parts = [(MOVED, first, end)]
    else:
        parts = [(MOVED, first, begin), (OF_DAYS, begin, until), (MOVED, until, end)]
    sums: dict[tuple[Any, ...], tuple[int, int, int]] = {}
    for sql, since, before in parts:
        for row in store.rows(sql, first=since, end=before) if since < before else ():
            *key, plus, minus, times = row.values()
            known = sums.get(tuple(key), (0, 0, 0))
            sums[tuple(key)] = (known[0] + plus, known[1] + minus, known[2] + times)
    return [Movements._make((*key, *of)) for key, of in sorted(sums.items())]


def _trial(store: Store, first: int, moved: Iterable[Movements]) -> tuple[TrialLine, ...]:
    opening: Counter[str] = Counter()
    for row in store.rows(
        "SELECT kind, sum(amount) AS amount FROM money_by_day(size = {first:Int64}) "
        "GROUP BY kind HAVING amount != 0",
        first=first,
    ):
        opening[row["kind"]] = row["amount"]
    plus: Counter[str] = Counter()
    minus: Counter[str] = Counter()
    for one in moved:
        plus[one.kind] += one.plus
        minus[one.kind] += one.minus
    lines = []
    for kind in sorted({*opening, *plus, *minus}):
        floor = ON_THE_FLOOR.fullmatch(kind)
        sign, debit, credit = (1, plus, minus) if floor else (-1, minus, plus)
        before = sign * opening[kind]
        lines.append(
            TrialLine(
                account=kind,
                currency=currency_of(kind),
                opening=before,
                debit=debit[kind],
                credit=credit[kind],
                closing=before + debit[kind] - credit[kind],
            )
        )
    return tuple(lines)


def _names(store: Store, end: int) -> dict[str, str]:
    rows = store.rows(
        "SELECT game, argMax(name, position) AS name FROM GameListed "
        "WHERE position < {end:Int64} GROUP BY game",
        end=end,
    )
    return {row["game"]: row["name"] for row in rows}


def game_lines(moved: Iterable[Movements], names: dict[str, str]) -> tuple[GameLine, ...]:
    """Return play by account of each game and table that movements are about."""
    sums: dict[tuple[str, str, bool], Counter[str]] = defaultdict(Counter)
    for one in moved:
        if ON_THE_FLOOR.fullmatch(one.kind) or one.event in {"FeeCharged", "FeeReturned"}:
            continue
        of = sums[one.game, one.table, one.streamed]
        if one.kind in OF_PLAY:
            of["open"] += one.net
        if one.kind == "in_play" and one.event in STAKES:
            of["stakes"] += one.net
        elif one.kind == "in_play" and one.event in RETURNS:
            of["returned"] -= one.net
        elif one.kind == "wallet" and one.event in WINNINGS:
            of["winnings"] += one.net
        elif one.kind in {"game_result", "charges"}:
            of["result"] += one.net
            if one.event in CORRECTIONS:
                of["corrections"] += one.net
            elif one.event == "TimeCollectionTaken":
                of["stakes"] += one.net
    return tuple(
        GameLine(
            game=game,
            name=names.get(game, ""),
            table=table,
            streamed=streamed,
            stakes=of["stakes"],
            returned=of["returned"],
            winnings=of["winnings"],
            corrections=of["corrections"],
            result=of["result"],
            open=of["open"],
        )
        for (game, table, streamed), of in sorted(sums.items())
        if any(of.values())
    )


def _channels(moved: Iterable[Movements]) -> tuple[ChannelLine, ...]:
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for one in moved:
        _, is_channel, name = one.kind.partition("channel_")
        if not is_channel:
            continue
        if one.event in DEPOSITS:
            sums[name]["deposits"] -= one.net
        elif one.event in DEPOSITS_RETURNED:
            sums[name]["returned"] += one.net
        elif one.event == WRITE_OFF:
            sums[name]["written"] -= one.net
        else:
            sums[name]["out"] += one.net
    return tuple(
        ChannelLine(
            name, of["deposits"], of["returned"], of["out"], of["written"],
            of["deposits"] - of["returned"] - of["out"] + of["written"],
        )
        for name, of in sorted(sums.items())
    )  # fmt: skip


def _floor(moved: Iterable[Movements]) -> tuple[FloorLine, ...]:
    sums: dict[tuple[str, str, str, str], Counter[str]] = defaultdict(Counter)
    for one in moved:
        found = ON_THE_FLOOR.fullmatch(one.kind)
        if found is not None:
            of = sums[found["place"], found["means"], found["currency"], one.event]
            of.update(count=one.times, into=one.plus, out=one.minus)
    return tuple(
        FloorLine(*place, of["count"], of["into"], of["out"]) for place, of in sorted(sums.items())
    )


AMENDED = """
SELECT
    position, any(event) AS movement, any(account) AS account, any(round) AS round, bet AS what,
    -sum(amount) AS amount
FROM postings
WHERE position >= {first:Int64} AND position < {end:Int64} AND kind IN ('wallet', 'claims')
    AND event IN ('WinCorrected', 'BetCorrected', 'PrizeWithheld', 'BetVoided')
GROUP BY position, bet
"""
SINCE = """
SELECT bet, min(recorded_at) AS since
FROM postings
WHERE kind = 'in_play' AND bet IN {bets:Array(String)} AND position < {first:Int64} AND bet != ''
GROUP BY bet
"""


SLIP = {"slip", "corrects", "currency", "amount"}
"""Columns of a slip: one movement on the floor."""

CORRECTED = """
SELECT _table AS movement, position, corrects AS what, amount, currency
FROM merge(currentDatabase(), {slips:String})
WHERE position >= {first:Int64} AND position < {end:Int64} AND corrects != ''
"""
"""One query of all movements takes as long as six queries; on most days nothing is corrected."""


def _earlier(store: Store, first: int, end: int) -> list[EarlierDay]:
    """List the corrections that were recorded in the period for earlier bookings."""
    amended = store.rows(AMENDED, first=first, end=end)
    bets = sorted({row["what"] for row in amended})
    booked = store.rows(SINCE, bets=bets, first=first) if bets else ()
    since = {row["bet"]: row["since"] for row in booked}
    found = [
        _of_earlier_day({**row, "since": since[row["what"]], "currency": CURRENCY})
        for row in amended
        if row["what"] in since
    ]
    found += _slips_corrected(store, first, end)
    return sorted(found, key=lambda one: one.position)


def _slips_corrected(store: Store, first: int, end: int) -> list[EarlierDay]:
    """List the corrections of floor movements of an earlier day."""
    found: list[EarlierDay] = []
    slips = [name for name in event_tables(store) if _columns(name) >= SLIP]
    asked = {"first": first, "end": end}
    rows = store.rows(CORRECTED, slips=any_of(slips), **asked) if slips else []
    for movement in sorted({row["movement"] for row in rows}):
        before = {
            row["slip"]: row["since"]
            for row in store.rows(
                f"SELECT slip, min(recorded_at) AS since FROM {movement} "  # noqa: S608 - own names
                "WHERE position < {first:Int64} AND slip IN "
                f"(SELECT corrects FROM {movement} "
                "WHERE position >= {first:Int64} AND position < {end:Int64}) GROUP BY slip",
                **asked,
            )
        }
        found += [
            _of_earlier_day({**row, "since": before[row["what"]], "account": "", "round": ""})
            for row in rows
            if row["movement"] == movement and row["what"] in before
        ]
    return found


def _columns(name: str) -> set[str]:
    return {one["name"] for one in schemas.newest()[name].facts}


def _of_earlier_day(row: dict[str, Any]) -> EarlierDay:
    day = in_prague(row.pop("since")).date().isoformat()
    return EarlierDay(**row, day=day)
