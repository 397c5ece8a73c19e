"""Questions over all logs that an authority holds, asked of tables with the log as first column."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Annotated

from ledger.core.clock import MINUTE, SystemClock
from ledger.core.units import Count, Haler, Moment
from projections.store.period import read_period
from tools.access.questions.declaration import Column, Parameter, question
from tools.access.scopes import Scope
from tools.data.notation import money
from tools.mirror.rates import GameRate, game_rates
from tools.mirror.shared_tables import MissingCopy, SharedTables

__all__ = [
    "QUESTIONS",
    "GameTotal",
    "LicenceDevices",
    "LicenceDuties",
    "LicenceDuty",
    "LicencePlay",
    "LicenceRates",
    "LicenceTotals",
    "LongPlay",
    "SharedDevice",
    "licence_devices",
    "licence_duties",
    "licence_play",
    "licence_rates",
    "licence_totals",
]

OfPeriod = Annotated[str, Parameter("Day, month or quarter, as 2026-11.", metavar="PERIOD")]


@dataclass(frozen=True, slots=True)
class GameTotal:
    """Play of a game at one operator: stakes less what was returned, winnings, result."""

    log: str
    game: str
    stakes: Haler
    winnings: Haler
    result: Haler


@dataclass(frozen=True, slots=True)
class LicenceTotals:
    """Play of a period by operator and game, and logs of which not everything counts."""

    period: str
    games: list[GameTotal]
    missing: list[MissingCopy]


@dataclass(frozen=True, slots=True)
class LicenceRates:
    """Result rates of games by operator, and logs of which not everything counts."""

    games: list[GameRate]
    missing: list[MissingCopy]


@dataclass(frozen=True, slots=True)
class SharedDevice:
    """A device that several operators recorded."""

    kind: str
    serial: str
    logs: list[str]


@dataclass(frozen=True, slots=True)
class LicenceDevices:
    """Devices that several operators recorded, and logs of which not everything counts."""

    devices: list[SharedDevice]
    missing: list[MissingCopy]


@dataclass(frozen=True, slots=True)
class LongPlay:
    """Continuous play of an account that reached the limit of its operator's rules."""

    log: str
    account: str
    started_at: Moment
    minutes: int


@dataclass(frozen=True, slots=True)
class LicencePlay:
    """Continuous play at the limit, the latest first, and logs of which not everything counts."""

    sequences: list[LongPlay]
    missing: list[MissingCopy]


@dataclass(frozen=True, slots=True)
class LicenceDuty:
    """Open duties of a kind at one operator, and how many of them are overdue."""

    log: str
    code: str
    open: Count
    overdue: Count
    until: Moment


@dataclass(frozen=True, slots=True)
class LicenceDuties:
    """Open duties by operator, and logs of which not everything counts."""

    duties: list[LicenceDuty]
    missing: list[MissingCopy]


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2f}"


@question(
    "/licences/totals/{period}",
    Scope.MONEY,
    is_shared=True,
    command="mirror totals",
    example="held 2026-11",
    rows="games",
    columns=(
        Column("log"),
        Column("game"),
        Column("staked CZK", "stakes"),
        Column("won CZK", "winnings"),
        Column("house result CZK", lambda one: money(one.result, sign=True)),
        Column(
            "% of stakes", lambda one: _percent(one.result / one.stakes if one.stakes else None)
        ),
    ),
    nothing="Nothing was played in this period.",
)
def licence_totals(shared: SharedTables, period: OfPeriod) -> LicenceTotals:
    """Sum up play by operator and game; the row without a log is the sum of all."""
    found = read_period(period)
    rows = shared.rows(
        "SELECT log, game, sum(stakes), sum(winnings), sum(result) FROM play "
        "WHERE day BETWEEN ? AND ? GROUP BY log, game ORDER BY log, game",
        str(found.first_day),
        str(found.last_day),
    )
    sums: dict[str, list[int]] = {}
    for _, game, *amounts in rows:
        sums[game] = [a + b for a, b in zip(sums.get(game, (0, 0, 0)), amounts, strict=True)]
    games = [GameTotal(*row) for row in rows]
    games += [GameTotal("", game, *amounts) for game, amounts in sorted(sums.items())]
    return LicenceTotals(period, games, shared.missing())


@question(
    "/licences/rates",
    Scope.MONEY,
    is_shared=True,
    command="mirror rates",
    example="held",
    more="A rate is unusual from four standard errors, by the spread of days; below seven days of "
    "play on either side nothing is compared. It is a reason to look, and no proof.",
    rows="games",
    columns=(
        Column("log"),
        Column("game"),
        Column("days"),
        Column("staked CZK", "stakes"),
        Column("% kept", lambda one: _percent(one.rate)),
        Column("% kept by others", lambda one: _percent(one.others)),
        Column("errors", lambda one: "" if one.errors is None else f"{one.errors:+.1f}"),
        Column("unusual", lambda one: "yes" if one.is_unusual else ""),
    ),
    nothing="Nothing was played.",
)
def licence_rates(shared: SharedTables) -> LicenceRates:
    """Compare what the house kept of a game at each operator with all others."""
    rows = shared.rows("SELECT log, game, stakes, result FROM play")
    return LicenceRates(game_rates((log, game, *of) for log, game, *of in rows), shared.missing())


@question(
    "/licences/devices",
    Scope.ROUNDS,
    is_shared=True,
    command="mirror devices",
    example="held",
    rows="devices",
    columns=(
        Column("kind"),
        Column("serial"),
        Column("logs", lambda one: ", ".join(one.logs), wraps=True),
    ),
    nothing="No device is recorded by several operators.",
)
def licence_devices(shared: SharedTables) -> LicenceDevices:
    """List devices, by serial number, that several operators recorded.

    Persons and dealers can't be compared: they are recorded under pseudonyms by keys of each
    operator.
    """
    logs: dict[tuple[str, str], list[str]] = defaultdict(list)
    for log, kind, serial in shared.rows("SELECT log, kind, serial FROM devices ORDER BY log"):
        logs[kind, serial].append(log)
    several = [SharedDevice(*key, found) for key, found in sorted(logs.items()) if len(found) > 1]
    return LicenceDevices(several, shared.missing())


@question(
    "/licences/play-time",
    Scope.ACCOUNTS,
    is_shared=True,
    command="mirror play-time",
    example="held",
    more="Of each operator apart: no person can be followed from one to another.",
    rows="sequences",
    columns=(
        Column("log"),
        Column("account"),
        Column("started (Prague)", "started_at"),
        Column("minutes"),
    ),
    nothing="Nobody reached the limit.",
)
def licence_play(shared: SharedTables) -> LicencePlay:
    """List continuous play that reached the limit of 120 minutes, the latest first."""
    rows = shared.rows(
        "SELECT log, account, started_at, length FROM long_play "
        "ORDER BY started_at DESC LIMIT 10000"
    )
    found = [LongPlay(log, account, at, length // MINUTE) for log, account, at, length in rows]
    return LicencePlay(found, shared.missing())


@question(
    "/licences/duties",
    Scope.ACCOUNTS,
    is_shared=True,
    command="mirror duties",
    example="held",
    rows="duties",
    columns=(
        Column("log"),
        Column("duty", "code"),
        Column("open"),
        Column("overdue"),
        Column("earliest end (Prague)", "until"),
    ),
    nothing="No duty is open.",
)
def licence_duties(shared: SharedTables) -> LicenceDuties:
    """Count the open duties of each operator, and those that are overdue."""
    rows = shared.rows(
        "SELECT log, code, sum(open), sum(open) FILTER (WHERE until <= ?), min(until) FROM duties "
        "GROUP BY log, code ORDER BY log, code",
        SystemClock().now(),
    )
    found = [LicenceDuty(log, code, all_, late or 0, at) for log, code, all_, late, at in rows]
    return LicenceDuties(found, shared.missing())


QUESTIONS = (licence_totals, licence_rates, licence_devices, licence_play, licence_duties)
"""All of them, in the order of pages and helps."""
