"""Writing: bet decisions under group commit, against the eventsourcing library one by one."""

from __future__ import annotations

import statistics
import time
from collections import deque
from typing import TYPE_CHECKING
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from ledger.accounts.fold import BREAK
from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore
from ledger.rounds.betting import CloseBets, PlaceBet
from ledger.rounds.course import LandBall, OpenRound, SpinWheel
from ledger.rounds.results import RecordResult, SettleRound
from ledger.world import World
from ledger.writer import Ledger, Receipt
from tools.bench.load import ACCOUNTS, TABLE, SetClock, begin, lengthen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from ledger.accounts.state import AccountState
    from ledger.command import Command

__all__ = ["bet_decisions", "library_decisions", "old_and_new_account"]

BETS_PER_ROUND = 300
IN_FLIGHT = 2_000
STAKE = 100
DAY_LIMIT = 10**12


def bet_decisions(folder: Path, bets: int) -> float:
    """Place bets in whole rounds, all checks included; gives bet decisions a second.

    The time covers everything from the first command to the last receipt: opening, closing,
    results and settlement of the rounds too, although only the bets are counted.
    """
    clock = SetClock()
    with begin(folder, clock) as ledger:
        answers: deque[Future[Receipt]] = deque()
        started = time.perf_counter()
        for command in _rounds("w", bets):
            answers.append(ledger.submit(command))
            if len(answers) > IN_FLIGHT:
                _accepted(answers.popleft().result())
        while answers:
            _accepted(answers.popleft().result())
        return bets / (time.perf_counter() - started)


def _accepted(receipt: Receipt) -> None:
    if receipt.refused is not None:
        raise RuntimeError(receipt.refused.sentence)


def _rounds(prefix: str, bets: int) -> Iterator[Command]:
    for first in range(0, bets, BETS_PER_ROUND):
        name = f"{prefix}{first}"
        yield OpenRound(round=name, table=TABLE)
        for index in range(first, min(first + BETS_PER_ROUND, bets)):
            yield PlaceBet(
                bet=f"{name}-{index}",
                account=ACCOUNTS[index % len(ACCOUNTS)],
                round=name,
                bet_code="straight",
                selection=[index % 37],
                stake=STAKE,
                command_id=UUID(int=index + 1),
            )
        yield SpinWheel(
            round=name,
            wheel_direction="clockwise",
            ball_direction="counterclockwise",
            revolutions=12,
        )
        yield CloseBets(round=name)
        yield LandBall(round=name, number=17)
        yield RecordResult(round=name, outcome={"number": 17}, wording="17 black")
        yield SettleRound(round=name)


class LibraryAccount(Aggregate):
    """The baseline's aggregate: checks funds and the day's limit, records the bet."""

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


def library_decisions(folder: Path, bets: int) -> float:
    """Baseline: the library's own application over its SQLite recorder, one save a bet.

    An account aggregate checks funds and day limit and records the bet; aggregates are
    cached. Gives bet decisions a second.
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
    rate = bets / (time.perf_counter() - started)
    application.close()
    return rate


def old_and_new_account(folder: Path, events: int, bets: int) -> dict[str, float]:
    """Compare ``place_bet`` on an account with a long history and on a new one.

    The history is linked without deciding, with the books closed each gaming day. Gives
    microseconds a bet (median of single decisions, each waited for) once both are in
    memory, and for the first decision after a restart, when nothing is.
    """
    old, new = "account-old", "account-new"
    clock = SetClock()
    begin(folder, clock, (old, new)).close()
    log = SqliteLog(folder, writable=True)
    states = _states(log, folder, old)
    moment = lengthen(
        log, events, start=clock.now(), accounts=(old,), states=states, bets_per_round=4
    )
    log.close()
    clock.moment = moment + BREAK
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
            ledger.execute(CloseBets(round=f"first-{name}"))
            ledger.execute(
                SpinWheel(
                    round=f"first-{name}",
                    wheel_direction="clockwise",
                    ball_direction="counterclockwise",
                    revolutions=9,
                )
            )
            ledger.execute(LandBall(round=f"first-{name}", number=1))
            ledger.execute(RecordResult(round=f"first-{name}", outcome={"number": 1}))
    return found


def _states(log: SqliteLog, folder: Path, account: str) -> dict[str, AccountState]:
    keys = KeyStore(folder / "keys")
    state = World(log, keys).account(account)
    keys.close()
    return {account: state}


def _open(folder: Path, clock: SetClock) -> Ledger:
    log = SqliteLog(folder, writable=True)
    return Ledger(log, KeyStore(folder / "keys"), clock=clock, writer="bench")


def _once(ledger: Ledger, round_name: str, account: str, index: int) -> float:
    command = PlaceBet(
        bet=f"{round_name}-{account.removeprefix('account-')}{index}",
        account=account,
        round=round_name,
        bet_code="straight",
        selection=[index % 37],
        stake=STAKE,
    )
    started = time.perf_counter()
    _accepted(ledger.execute(command))
    return (time.perf_counter() - started) * 1e6
