"""Writing: bet decisions under group commit, compared with the eventsourcing library, unbatched."""

from __future__ import annotations

import statistics
import time
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from ledger.core.clock import StoppedClock, SystemClock
from ledger.decisions.rounds.betting import PlaceBet
from ledger.decisions.rounds.closing import CloseBets
from ledger.decisions.rounds.opening import OpenRound
from ledger.decisions.rounds.results import RecordResult, SettleRound
from ledger.decisions.rounds.studio import LandBall, SpinWheel
from ledger.events.encoding import decode_envelope
from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore
from ledger.rules.operator import rules_for
from ledger.writer import Ledger, Receipt
from tools.workshop.bench.kafka_latency import paced
from tools.workshop.bench.load import (
    ACCOUNTS,
    OPERATOR,
    STAKE,
    TABLE,
    begin,
    lengthen,
    states_of,
    straight,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.events.command import Command

__all__ = [
    "LibraryAccount",
    "Rates",
    "bet_decisions",
    "latencies",
    "library_decisions",
    "old_and_new_account",
    "open_at_the_end",
    "rounds",
]

BETS_PER_ROUND = 300
LATENCY_RATES = (100, 1_000, 5_000)
LATENCY_ROUND = 40
LATENCY_SECONDS = 5
DAY_LIMIT = 10**12


class Rates(NamedTuple):
    """Bets a second: placement alone, and with close, result and settlement."""

    placed: float
    played: float


def bet_decisions(folder: Path, bets: int) -> Rates:
    """Play bets in whole rounds, all checks included, each receipt waited for."""
    placing = playing = 0.0
    with begin(folder) as ledger:
        for commands in rounds("w", bets):
            started = time.perf_counter()
            for answer in [ledger.submit(command) for command in commands]:
                _accepted(answer.result())
            seconds = time.perf_counter() - started
            playing += seconds
            if isinstance(commands[0], PlaceBet):
                placing += seconds
    return Rates(bets / placing, bets / playing)


def _accepted(receipt: Receipt) -> None:
    if receipt.refused is not None:
        raise RuntimeError(receipt.refused.sentence)


def latencies(folder: Path) -> list[dict[str, Any]]:
    """Measure the latency of receipts when the commands of whole rounds come at a fixed rate.

    The clock of a command runs from the moment at which it was due.
    """
    bets = sum(LATENCY_RATES) * LATENCY_SECONDS
    commands = chain.from_iterable(rounds("l", bets, LATENCY_ROUND))
    with begin(folder, clock=SystemClock()) as ledger:
        return [
            paced(ledger.submit, islice(commands, rate * LATENCY_SECONDS), rate)
            for rate in LATENCY_RATES
        ]


def rounds(
    prefix: str, bets: int, size: int = BETS_PER_ROUND, *, first: int = 0
) -> Iterator[list[Command]]:
    """Give, for each round, its opening, its bets and the rest, to be waited for apart.

    Args:
        prefix: of the names of rounds and bets.
        bets: how many there are in all rounds.
        size: bets of a round.
        first: number of the first bet, after which rounds, bets and commands are named.

    """
    end = first + bets
    for begins in range(first, end, size):
        name = f"{prefix}{begins}"
        yield [OpenRound(round=name, table=TABLE)]
        yield [
            straight(
                f"{name}-{index}",
                ACCOUNTS[index % len(ACCOUNTS)],
                name,
                index,
                UUID(int=index + 1),
            )
            for index in range(begins, min(begins + size, end))
        ]
        yield _rest_of_round(name, 17)


def _rest_of_round(name: str, number: int) -> list[Command]:
    """Return the commands from the spin to the settlement."""
    return [
        SpinWheel(
            round=name,
            wheel_direction="clockwise",
            ball_direction="counterclockwise",
            revolutions=12,
        ),
        CloseBets(round=name),
        LandBall(round=name, number=number),
        RecordResult(round=name, outcome={"number": number}),
        SettleRound(round=name),
    ]


class LibraryAccount(Aggregate):
    """The baseline's aggregate: check funds and the day's limit, record the bet."""

    @event("Opened")
    def __init__(self, wallet: int) -> None:
        """Open the account."""
        self.wallet = wallet
        self.staked_today = 0

    @event("BetPlaced")
    def place_bet(self, bet: str, stake: int, selection: str) -> None:
        """Place a bet."""
        if stake > self.wallet or self.staked_today + stake > DAY_LIMIT:
            raise ValueError(bet)
        self.wallet -= stake
        self.staked_today += stake
        self.last_selection = selection

    @event("BetConcluded")
    def conclude_bet(self, bet: str, amount: int) -> None:
        """Conclude a bet."""
        self.last_concluded, self.last_amount = bet, amount

    @event("BetSettled")
    def settle_bet(self, bet: str, paid: int) -> None:
        """Settle a bet."""
        self.last_settled = bet
        self.wallet += paid


def library_decisions(folder: Path, bets: int) -> Rates:
    """Measure the baseline: an application of ``eventsourcing`` that saves once per decision.

    An account aggregate checks funds and day limit and records the bet, its conclusion and its
    settlement; aggregates are cached.
    """
    application: Application[UUID] = Application(
        env={
            "PERSISTENCE_MODULE": "eventsourcing.sqlite",
            "SQLITE_DBNAME": str(folder / "library.sqlite"),
            "AGGREGATE_CACHE_MAXSIZE": "1000",
        }
    )
    accounts = [LibraryAccount(wallet=DAY_LIMIT) for _ in ACCOUNTS]
    application.save(*accounts)
    started = time.perf_counter()
    for index in range(bets):
        account: LibraryAccount = application.repository.get(accounts[index % len(accounts)].id)
        account.place_bet(f"w-{index}", STAKE, "[17]")
        application.save(account)
    placing = time.perf_counter() - started
    for index in range(bets):
        account = application.repository.get(accounts[index % len(accounts)].id)
        account.conclude_bet(f"w-{index}", STAKE)
        account.settle_bet(f"w-{index}", 0)
        application.save(account)
    playing = time.perf_counter() - started
    application.close()
    return Rates(bets / placing, bets / playing)


def old_and_new_account(folder: Path, events: int, bets: int) -> dict[str, float]:
    """Compare ``place_bet`` on an account with a long history and on a new one.

    The history is linked without deciding, with the books closed each gaming day. Gives
    microseconds a bet (median of single decisions, each waited for) once both are in
    memory, and for the first decision after a restart, when nothing is.
    """
    old, new = "account-old", "account-new"
    begin(folder, (old, new)).close()
    states = states_of(folder, [old])
    log = SqliteLog(folder, writable=True)
    moment = lengthen(log, events, accounts=(old,), states=states, bets_per_round=4)
    log.close()
    clock = StoppedClock(moment + rules_for(OPERATOR).rules.figures.break_length)
    found = {}
    for name, order in (("old", (old, new)), ("new", (new, old))):
        with _open(folder, clock) as ledger:
            ledger.execute(OpenRound(round=f"first-{name}", table=TABLE))
            found[f"{name}_cold"] = _once(ledger, f"first-{name}", order[0], 0)
            times: dict[str, list[float]] = {old: [], new: []}
            for index in range(1, bets):
                for account in order:
                    times[account].append(_once(ledger, f"first-{name}", account, index))
            found.setdefault("old", statistics.median(times[old]))
            found.setdefault("new", statistics.median(times[new]))
            for command in _rest_of_round(f"first-{name}", 1):
                _accepted(ledger.execute(command))
    return found


def _open(folder: Path, clock: StoppedClock) -> Ledger:
    log = SqliteLog(folder, writable=True)
    return Ledger(log, KeyStore(folder / "keys"), clock=clock, writer="bench")


def _once(ledger: Ledger, round_name: str, account: str, index: int) -> float:
    bet = f"{round_name}-{account.removeprefix('account-')}{index}"
    command = straight(bet, account, round_name, index)
    started = time.perf_counter()
    _accepted(ledger.execute(command))
    return (time.perf_counter() - started) * 1e6


def open_at_the_end(folder: Path) -> Ledger:
    """Open a ledger for writing whose clock stands a break behind its last message."""
    log = SqliteLog(folder, writable=True)
    (last,) = (decode_envelope(message) for _, message in log.read(log.head().size - 1))
    moment = last.recorded_at + rules_for(OPERATOR).rules.figures.break_length
    return Ledger(log, KeyStore(folder / "keys"), clock=StoppedClock(moment), writer="bench")
