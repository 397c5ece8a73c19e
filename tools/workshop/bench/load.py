"""Create a chain of any length quickly: a real set-up, then rounds linked without deciding.

The events are those that decisions would produce, in the same order and mix; only the checks are
left out, so that millions of events take a minute.
"""

from __future__ import annotations

import random
from contextlib import closing
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING

from ledger import chain
from ledger.core.clock import StoppedClock
from ledger.decisions.accounts.books import due_statement
from ledger.decisions.rounds.betting import PlaceBet
from ledger.events import event_types as e
from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore
from ledger.rules.operator import rules_for
from ledger.state.account_fold import fold
from ledger.state.ledger_state import LedgerState, accounts_of
from ledger.writer import Ledger
from tools.simulator import seat_players

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from uuid import UUID

    from ledger.core.clock import Clock
    from ledger.core.message import Head, Message
    from ledger.log.port import Log
    from ledger.state.account import AccountState

__all__ = [
    "ACCOUNTS",
    "OPERATOR",
    "ROUND_MICROSECONDS",
    "SEED",
    "STAKE",
    "START",
    "TABLE",
    "begin",
    "lengthen",
    "states_of",
    "straight",
]

SEED = 20261121
GAME = "sazka.roulette_evolution"
PLAN = "2025-01-21"
TABLE = "evo-1"
OPERATOR = "26493993"
ACCOUNTS = tuple(f"account-{number:04}" for number in range(200))
START = 1_790_000_000_000_000
ROUND_MICROSECONDS = 45_000_000
BETS_PER_ROUND = 40
APPEND_MESSAGES = 5_000
WALLET = 10**13
STAKE = 2_000


def begin(
    directory: Path,
    accounts: tuple[str, ...] = ACCOUNTS,
    *,
    clock: Clock | None = None,
    log: Log | None = None,
) -> Ledger:
    """Make a ledger in a folder, with a table and players with the right to bet.

    The clock stands at :data:`START` and the log is in the folder, by default.
    """
    log = log or SqliteLog(directory, writable=True)
    ledger = Ledger.create(
        log,
        KeyStore(directory / "keys", entropy=random.Random(SEED).randbytes),
        operator=OPERATOR,
        operator_name="SAZKA a.s.",
        chain_name="bench",
        clock=clock or StoppedClock(START),
        entropy=random.Random(SEED + 1).randbytes,
        writer="bench",
    )
    seat_players(ledger, GAME, accounts, WALLET, seed=SEED)
    return ledger


def states_of(folder: Path, accounts: Iterable[str] = ACCOUNTS) -> dict[str, AccountState]:
    """Return the states of accounts of a ledger, for :func:`lengthen`."""
    with (
        closing(SqliteLog(folder, writable=False)) as log,
        closing(KeyStore(folder / "keys")) as keys,
    ):
        ledger_state = LedgerState(log, keys)
        return {name: ledger_state.account(name) for name in accounts}


def straight(
    bet: str, account: str, round_name: str, index: int, command_id: UUID | None = None
) -> PlaceBet:
    """Place a chip on a number."""
    return PlaceBet(
        bet=bet,
        account=account,
        round=round_name,
        bet_code="straight",
        selection=[index % 37],
        stake=STAKE,
        command_id=command_id,
    )


def lengthen(
    log: Log,
    events: int,
    *,
    start: int = START,
    accounts: tuple[str, ...] = ACCOUNTS,
    states: dict[str, AccountState] | None = None,
    bets_per_round: int = BETS_PER_ROUND,
    first_round: int = 0,
) -> int:
    """Append rounds until the log holds that many events; return the moment of the last.

    Args:
        log: a log that :func:`begin` made, closed by its ledger and opened again.
        events: length of the log afterwards, within a round.
        start: moment of the first round in microseconds.
        accounts: who bets.
        states: states of accounts whose books are to be closed each day.
        bets_per_round: bets of a round, shared out over the accounts by chance.
        first_round: number of the first round, where others were appended before.
    """
    source = random.Random(SEED)
    head, moment, batch = log.head(), start, []
    for number in count(first_round):
        if head.size >= events:
            break
        moment += ROUND_MICROSECONDS
        players = source.choices(accounts, k=bets_per_round)
        for decision in _round(f"b{number}", players, source.randrange(37), states or {}, moment):
            messages, head = _link(head, decision, moment)
            batch += messages
        if len(batch) >= APPEND_MESSAGES:
            log.append(batch)
            batch = []
    if batch:
        log.append(batch)
    return moment


def _link(head: Head, events: list[e.Event], moment: int) -> tuple[list[Message], Head]:
    return chain.link(
        head,
        events,
        command_id=sha256(head.hash).digest()[:16],
        command_digest=bytes(16),
        recorded_at=moment,
        occurred_at=moment,
        actor="platform",
        source="studio",
    )


def _round(
    name: str,
    players: list[str],
    number: int,
    states: dict[str, AccountState],
    moment: int,
) -> Iterator[list[e.Event]]:
    bets = [(f"{name}-{index}", account) for index, account in enumerate(players)]
    figures = rules_for(OPERATOR).rules.figures
    statements = [due_statement(state, moment) for state in states.values()]
    closing: list[list[e.Event]] = [[found] for found in statements if found is not None]
    for decision in closing + _decisions(name, number, bets):
        for event in decision:
            for account in accounts_of(event):
                if account in states:
                    states[account] = fold(states[account], event, moment, figures)
        yield decision


def _decisions(name: str, number: int, bets: list[tuple[str, str]]) -> list[list[e.Event]]:
    stake = 10_000
    placed: list[list[e.Event]] = [
        [
            e.BetPlaced(
                bet=bet,
                account=account,
                round=name,
                table=TABLE,
                box="",
                bet_code="straight",
                selection=f"[{index % 37}]",
                wording=f"straight {index % 37}",
                stake=stake,
                parent="",
            )
        ]
        for index, (bet, account) in enumerate(bets)
    ]
    closed: list[e.Event] = [
        e.BetsClosed(round=name, table=TABLE, bets=len(bets), stakes=stake * len(bets)),
        *(
            e.BetConcluded(bet=bet, account=account, round=name, table=TABLE, amount=stake)
            for bet, account in bets
        ),
    ]
    settled: list[e.Event] = [_settled(name, number, stake, *pair) for pair in enumerate(bets)]
    opened = e.RoundOpened(
        round=name,
        table=TABLE,
        game=GAME,
        plan_version=PLAN,
        dealer="dealer-1",
        shoe="",
        registration="T-1",
        devices=("wheel-1",),
        device_kinds=("wheel",),
        serials=("W-1",),
        wheel_turned="",
        streamed=True,
    )
    spun = e.WheelSpun(
        round=name,
        wheel_direction="clockwise",
        ball_direction="counterclockwise",
        revolutions=12,
    )
    resulted = e.RoundResulted(
        round=name,
        table=TABLE,
        outcome=f'{{"number":{number}}}',
        wording=str(number),
        streamed=True,
        accounts=tuple({account: None for _, account in bets}),
    )
    landed = e.BallLanded(round=name, number=number)
    return [[opened], *placed, [spun], closed, [landed], [resulted], settled]


def _settled(name: str, number: int, stake: int, index: int, bet: tuple[str, str]) -> e.BetSettled:
    is_won = index % 37 == number
    paid = stake * 36 if is_won else 0
    return e.BetSettled(
        bet=bet[0],
        account=bet[1],
        round=name,
        result="win" if is_won else "lose",
        stake=stake,
        due=paid,
        paid=paid,
        rule="SAZKA annex Roulette (Evolution) 22-23",
    )
