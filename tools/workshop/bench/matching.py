"""Measure the matching of a game provider's report with the ledger, line by line.

ClickHouse generates as many bets as the report has lines, with a few errors among them; then the
statements are matched as in `reconcile`. The baseline of the same run is a plain join of the two
sides that only compares amounts. Memory is the increase since the start of the process; a run with
fewer lines comes first, to show whether memory grows.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import TYPE_CHECKING

from ledger.core.clock import DAY
from ledger.core.message import Head
from ledger.rules.operator import encode_operator_rules, shipped_rules
from projections.matching.match import differences, matched_statements
from projections.store.tables import Store
from tools.workshop.bench.machine import machine

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

__all__ = ["run"]

START = 1_760_000_000_000_000
DAYS = 30
ERR_EVERY = 100_000
PAGE = 4096

BETS = """
INSERT INTO postings
SELECT
    number * 6 + part AS position, part,
    {start:Int64} + intDiv(number * {span:Int64}, {bets:Int64}),
    leg.1, concat('a-', toString(number % 5000)), concat('r-', toString(intDiv(number, 10))),
    concat('r-', toString(intDiv(number, 10)), '-', toString(number % 10)), leg.2, leg.3
FROM numbers({bets:Int64})
ARRAY JOIN
    [('reserved', 'BetPlaced', 10000), ('reserved', 'BetConcluded', -10000),
        ('in_play', 'BetConcluded', 10000), ('in_play', 'BetSettled', -10000),
        ('game_result', 'BetSettled', 10000 - (number % 3) * 10000),
        ('wallet', 'BetSettled', (number % 3) * 10000)] AS leg,
    [0, 1, 2, 3, 4, 5] AS part
WHERE leg.3 != 0"""
ROUNDS = """
INSERT INTO RoundOpened (position, recorded_at, round, table, game)
SELECT number, {start:Int64}, concat('r-', toString(number)), concat('t-', toString(number % 20)),
    'roulette'
FROM numbers(intDiv({bets:Int64}, 10) + 1)"""
LINES = """
INSERT INTO statement_lines
    (position, statement, line, issuer, issuer_kind, kind, stake, paid, currency, booked_on, round,
        bet, table)
SELECT
    6 * {bets:Int64}, concat('s-', toString(day)), number, 'studio', 'GAMES', 'bet',
    10000 + (number % {err:Int64} = 5), (number % 3) * 10000, 'CZK', day,
    concat('r-', toString(intDiv(number, 10))),
    concat('r-', toString(intDiv(number, 10)), '-', toString(number % 10)),
    concat('t-', toString(intDiv(number, 10) % 20))
FROM
(
    SELECT number, toDate(fromUnixTimestamp64Micro({start:Int64}
        + intDiv(number * {span:Int64}, {bets:Int64}), 'Europe/Prague')) AS day
    FROM numbers({bets:Int64})
)
WHERE number % {err:Int64} != 7"""
STATEMENTS = """
INSERT INTO StatementImported (position, recorded_at, statement, issuer, issuer_kind, currency,
    first_day, last_day)
SELECT 6 * {bets:Int64} + row_number() OVER (), {start:Int64} + {span:Int64}, statement, 'studio',
    'GAMES', 'CZK', toString(any(booked_on)), toString(any(booked_on))
FROM statement_lines
GROUP BY statement"""
RULES = """
INSERT INTO OperatorRulesPublished (position, rules) SELECT 0, {rules:String}"""
NOW = """
INSERT INTO ClockMeasured (position, recorded_at) SELECT {size:Int64} - 1, {now:Int64}"""
JOIN = """
SELECT count()
FROM
(
    SELECT bet, sum(-amount) AS stake FROM postings
    WHERE kind = 'in_play' AND event = 'BetSettled' GROUP BY bet
) AS ours
FULL JOIN (SELECT bet, stake FROM statement_lines WHERE issuer_kind = 'GAMES') AS theirs
    ON ours.bet = theirs.bet
WHERE ours.stake != theirs.stake"""


class _PeakMemory:
    """Peak memory of a process, sampled repeatedly."""

    def __init__(self) -> None:
        self.most = 0
        self._over = Event()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Look until the block is over."""
        self.most, before = 0, _held()
        self._over.clear()
        thread = Thread(target=self._look, args=(before,))
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _look(self, before: int) -> None:
        while not self._over.wait(0.01):
            self.most = max(self.most, _held() - before)


def _held() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE


def run(asked: argparse.Namespace) -> None:
    """Measure, and print a table for docs/performance.md."""
    print(
        ", ".join(
            f"{name} {value}" for name, value in machine("chdb", lines=str(asked.lines)).items()
        )
    )
    print("| lines | what | s | of processor | MB more |\n|---|---|---|---|---|", flush=True)
    for lines in (asked.lines // 4, asked.lines):
        with TemporaryDirectory() as folder, Store.open(Path(folder)) as store:
            _measure(store, lines)


def _measure(store: Store, lines: int) -> None:
    facts = {"start": START, "span": DAYS * DAY, "bets": lines}
    for sql in (BETS, ROUNDS):
        store.command(sql, **facts)
    store.command(LINES, **facts, err=ERR_EVERY)
    store.command(STATEMENTS, **facts)
    size, figures = 6 * lines + 1_000, shipped_rules()["sazka"].figures
    now = START + (DAYS + 1) * DAY
    store.command(RULES, rules=encode_operator_rules(shipped_rules()["sazka"]))
    store.command(NOW, size=size, now=now)
    store.set_head(Head(size, bytes(32)), now)
    found: list[str] = []
    for what, question in (
        ("a plain join", lambda: store.value(JOIN)),
        (
            "findings",
            lambda: found.extend(one.status for one in differences(store, size, now, figures)),
        ),
        ("sums of each statement", lambda: matched_statements(store)),
    ):
        watched = _PeakMemory()
        began, used = time.perf_counter(), time.process_time()
        with watched.watching():
            question()
        took, used = time.perf_counter() - began, time.process_time() - used
        print(
            f"| {lines:,} | {what} | {took:.1f} | {used:.1f} | {watched.most / 1e6:,.0f} |",
            flush=True,
        )
    made = sum(1 for number in range(lines) if number % ERR_EVERY in {5, 7})
    if len(found) != made:
        raise AssertionError(f"{made} errors were made, and {len(found)} found")
