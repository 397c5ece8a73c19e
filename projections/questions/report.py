"""Compute the numbers of a daily report.

What comes in: the tables and a calendar day in Prague, or none for the whole chain. What goes out:
counts and sums of the day's records. Money is haléř. Findings are all that are open as of the
position, also those of earlier days.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from ledger.core.clock import PRAGUE, from_datetime, midnight_after
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from projections.reconciliation.reconcile import examine
from projections.store.as_of import size_at

if TYPE_CHECKING:
    from projections.reconciliation.reconcile import Reconciliation
    from projections.store.tables import Store

__all__ = ["Channel", "DayReport", "GameResult", "LongestPlay", "day_report"]

FAR = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Channel:
    """Money by one channel (cash, account, card, other, postal), less returns."""

    channel: str
    deposits: int
    withdrawals: int


@dataclass(frozen=True, slots=True)
class GameResult:
    """The house's result of a game: stakes less payments, with corrections, or the rake."""

    game: str
    name: str
    rounds: int
    bets: int
    stakes: int
    house_result: int


@dataclass(frozen=True, slots=True)
class LongestPlay:
    """The longest continuous play that an evaluation of the day found, in microseconds."""

    account: str
    length: int
    evaluated_at: int


@dataclass(frozen=True, slots=True)
class DayReport:
    """Numbers of a day; ``day`` is empty for the whole chain.

    ``refusals`` count refused bets by code. ``findings`` count open findings by code.
    """

    position: int
    head: str
    day: str
    rounds_opened: int
    rounds_resulted: int
    rounds_voided: int
    bets: int
    stakes: int
    refusals: dict[str, int]
    channels: tuple[Channel, ...]
    games: tuple[GameResult, ...]
    longest_play: LongestPlay | None
    breaks_imposed: int
    findings: dict[str, int]
    findings_total: int


def day_report(
    store: Store,
    day: str = "",
    *,
    at: int | None = None,
    reconciliation: Reconciliation | None = None,
) -> DayReport:
    """Compute the numbers of a day.

    Args:
        store: the tables.
        day: in the form 2026-11-21; empty for the whole chain.
        at: count the messages below this position only.
        reconciliation: the reconciliation as of the same position, if known; otherwise it is run
            here.

    Raises:
        InputError: ``day`` is not a day, or the position is not projected.

    """
    first, end = _bounds(day)
    known = examine(store, at=at) if reconciliation is None else reconciliation
    size = known.position
    bounds = {"size": size, "first": first, "end": end}
    bounds |= {"begin": size_at(store, first, size), "until": size_at(store, end, size)}
    reader = _Reader(store, bounds)
    (counts,) = reader.rows(COUNTS)
    return DayReport(
        position=known.position,
        head=known.head,
        day=day,
        **counts,
        refusals={row["code"]: row["refused"] for row in reader.rows(REFUSALS)},
        channels=tuple(Channel(**row) for row in reader.rows(CHANNELS)),
        games=tuple(GameResult(**row) for row in reader.rows(GAMES)),
        longest_play=next((LongestPlay(**row) for row in reader.rows(LONGEST)), None),
        findings=known.by_code,
        findings_total=len(known.findings),
    )


def _bounds(day: str) -> tuple[int, int]:
    """Return the first microsecond of a day in Prague, and that of the next day."""
    if not day:
        return 0, FAR
    try:
        found = date.fromisoformat(day)
    except ValueError as error:
        malformed = Phrase("DAY_MALFORMED", text=repr(day), example="2026-11-21")
        raise InputError(malformed) from error
    first = from_datetime(datetime(found.year, found.month, found.day, tzinfo=PRAGUE))
    return first, midnight_after(first)


class _Reader:
    """Runs queries within the bounds of the day."""

    def __init__(self, store: Store, bounds: dict[str, int]) -> None:
        self._store = store
        self._bounds = bounds

    def rows(self, sql: str) -> list[dict[str, Any]]:
        return self._store.rows(sql, **self._bounds)


DAY = "position >= {begin:Int64} AND position < {until:Int64}"
STAKES = f"""
    SELECT round, toInt64(1) AS bets, amount FROM BetConcluded WHERE {DAY}
    UNION ALL
    SELECT round, in_hand = amount, amount FROM HandAction
    WHERE {DAY} AND tournament = '' AND amount != 0
    UNION ALL
    SELECT round, 0, -amount FROM UncalledReturned WHERE {DAY} AND tournament = ''
    UNION ALL
    SELECT round, -length(accounts), -arraySum(amounts) FROM MisdealDeclared
    WHERE {DAY} AND tournament = ''
"""  # noqa: S608 - own text
COUNTS = f"""
    SELECT
        (SELECT count() FROM RoundOpened WHERE {DAY}) AS rounds_opened,
        (SELECT count() FROM RoundResulted WHERE {DAY}) AS rounds_resulted,
        (SELECT count() FROM RoundVoided WHERE {DAY}) AS rounds_voided,
        (SELECT sum(bets) FROM ({STAKES})) AS bets,
        (SELECT sum(amount) FROM ({STAKES})) AS stakes,
        (SELECT count() FROM BreakImposed WHERE {DAY}) AS breaks_imposed
"""  # noqa: S608 - own text
REFUSALS = f"""
    SELECT code, count() AS refused FROM BetRefused WHERE {DAY} GROUP BY code ORDER BY code
"""  # noqa: S608 - own text
CHANNELS = f"""
    SELECT
        substring(kind, length('channel_') + 1) AS channel,
        -sumIf(amount, event IN ('DepositCredited', 'DepositReturned')) AS deposits,
        sumIf(amount, event NOT IN ('DepositCredited', 'DepositReturned')) AS withdrawals
    FROM postings
    WHERE {DAY} AND startsWith(kind, 'channel_')
    GROUP BY channel
    ORDER BY channel
"""  # noqa: S608 - own text
GAMES = f"""
    SELECT
        game,
        any(name) AS name,
        countIf(fact = 'round') AS rounds,
        sum(counted) AS bets,
        sumIf(moved, fact = 'bet') AS stakes,
        sumIf(moved, fact = 'posting') AS house_result
    FROM
    (
        SELECT round, 'round' AS fact, toInt64(0) AS moved, toInt64(0) AS counted
        FROM RoundResulted
        WHERE {DAY}
        UNION ALL
        SELECT round, 'bet', amount, bets FROM ({STAKES})
        UNION ALL
        SELECT round, 'posting', amount, 0 FROM postings
        WHERE (kind = 'game_result' OR kind = 'charges' AND event = 'RakeTaken') AND {DAY}
            AND round != ''
    ) AS facts
    LEFT JOIN
    (
        SELECT round, argMin(game, position) AS game
        FROM facts_of_rounds
        WHERE fact = 'opened' AND position < {{size:Int64}} AND round IN
        (
            SELECT round FROM RoundResulted WHERE {DAY}
            UNION ALL
            SELECT round FROM ({STAKES})
            UNION ALL
            SELECT round FROM postings WHERE {DAY} AND round != ''
        )
        GROUP BY round
    ) AS opened ON facts.round = opened.round
    LEFT JOIN
    (
        SELECT game AS listed, argMax(name, position) AS name
        FROM GameListed
        WHERE position < {{size:Int64}}
        GROUP BY listed
    ) AS names ON opened.game = names.listed
    GROUP BY game
    ORDER BY game
"""  # noqa: S608 - own text
LONGEST = """
    SELECT account, length, evaluated_at
    FROM play(size = {size:Int64}, account = '')
    WHERE evaluated_at >= {first:Int64} AND evaluated_at < {end:Int64}
    ORDER BY length DESC, position
    LIMIT 1
"""
