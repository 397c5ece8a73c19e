"""Processes that ``make bench SCENARIO=serving`` runs: the writer, and the baselines.

Each is a step (:mod:`tools.workshop.bench.steps`). ``write`` records bets at a fixed rate, without
waiting for earlier answers, and measures from the time at which each was due; ``bare`` serves a
constant through uvicorn and Starlette until it is stopped; ``tables`` runs the queries of the pages
on log and tables alone.
"""

from __future__ import annotations

import json
import time
from collections import deque
from contextlib import closing
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from ledger.decisions.rounds.betting import PlaceBet
from ledger.log.sqlite import SqliteLog
from tools.workshop.bench.kafka_latency import LatencySamples
from tools.workshop.bench.load import ACCOUNTS
from tools.workshop.bench.writing import open_at_the_end, rounds

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from projections.store.tables import Store

__all__ = ["bare", "percentiles", "tables", "write"]

BETS = 40
"""Bets of a round."""
WARM = len(ACCOUNTS) // BETS
"""Rounds in which each account bets once."""
PARTS = 3
"""Of a round: its opening, its bets and the rest."""
BYTES = 16_384
"""Of the constant: as long as the page of a round."""
TIMES = 50
QUIET_SECONDS = 5
PIECE_BYTES = 1 << 18
KEEP_ALIVE_SECONDS = 15
"""As `gameledger serve` has it."""


def percentiles(seconds: list[float]) -> dict[str, float]:
    """Return count, p50 and p99 in milliseconds."""
    ordered = sorted(seconds)
    return {
        "count": len(ordered),
        "p50_ms": ordered[len(ordered) // 2] * 1000,
        "p99_ms": ordered[len(ordered) * 99 // 100] * 1000,
    }


def write(folder: Path, rate: str, seconds: str) -> dict[str, Any]:
    """Record whole rounds, so many bets a second, once the state of each account is in memory."""
    waited, asked = LatencySamples(), int(int(rate) * float(seconds))
    with open_at_the_end(folder) as ledger:
        played = rounds("w", WARM * BETS + asked, BETS, first=time.time_ns())
        warming = chain.from_iterable(islice(played, WARM * PARTS))
        for answer in [ledger.submit(command) for command in warming]:
            answer.result()
        begun, bets = time.perf_counter(), 0
        for command in chain.from_iterable(played):
            due = begun + bets / int(rate)
            time.sleep(max(due - time.perf_counter(), 0))
            answer = ledger.submit(command)
            if isinstance(command, PlaceBet):
                waited.add(answer, due)
                bets += 1
        return waited.found(f"{rate}/s", begun)


def bare(_: Path) -> dict[str, Any]:
    """Serve a constant."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.responses import HTMLResponse
    from starlette.routing import Route

    text = "x" * BYTES

    def constant(_: Any) -> HTMLResponse:
        return HTMLResponse(text)

    app = Starlette(routes=[Route("/{path:path}", constant)])
    config = uvicorn.Config(
        app,
        port=0,
        http="h11",
        log_config=None,
        access_log=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
    )
    server = uvicorn.Server(config)
    started = server.startup

    async def startup(sockets: Any = None) -> None:
        await started(sockets)
        port = server.servers[0].sockets[0].getsockname()[1]
        print(json.dumps({"address": f"http://127.0.0.1:{port}/", "token": "none"}), flush=True)

    server.startup = startup  # type: ignore[method-assign]
    server.run()
    return {}


def tables(folder: Path) -> dict[str, Any]:
    """Ask alone, one question after the other: a round of the log, the newest ten, all postings.

    The tables are merged before, as they are an hour after an evening.
    """
    import clickhouse_connect

    from projections.replay.from_log import replay
    from projections.replay.rounds import list_rounds
    from projections.store.tables import Store

    found: dict[str, list[float]] = {"round": [], "front": []}
    log = SqliteLog(folder, writable=False)
    with closing(log), Store.open(folder / "projection") as store:
        _await_merged(store)
        name = list_rounds(store, limit=1).rounds[0].round
        for _ in range(TIMES):
            began = time.perf_counter()
            replay(log, name)
            replayed = time.perf_counter()
            list_rounds(store, limit=10)
            found["round"].append(replayed - began)
            found["front"].append(time.perf_counter() - replayed)
        bare = clickhouse_connect.get_client(interface="chdb", path=str(folder / "projection"))
        postings = f"SELECT * FROM {store.database}.postings"  # noqa: S608 - a name of ours
        began = time.perf_counter()
        with bare.query_row_block_stream(postings) as blocks:
            rows = sum(map(len, blocks))
        rates = {"rows": rows / (time.perf_counter() - began)}
        for name, form in (("csv", "CSV"), ("ndjson", "JSONEachRow")):
            began = time.perf_counter()
            with bare.raw_stream(postings, fmt=form) as stream:
                deque(iter(partial(stream.read, PIECE_BYTES), b""), 0)
            rates[name] = rows / (time.perf_counter() - began)
        bare.close()
    times = {name: percentiles(seconds) for name, seconds in found.items()}
    return {**times, "rows": rows, "rows_per_second": rates}


def _await_merged(store: Store) -> None:
    """Wait until nothing was merged for a while."""
    quiet_since = time.monotonic()
    while time.monotonic() < quiet_since + QUIET_SECONDS:
        time.sleep(QUIET_SECONDS / 20)
        if store.value("SELECT count() FROM system.merges"):
            quiet_since = time.monotonic()


STEPS: dict[str, Callable[..., dict[str, Any]]] = {"write": write, "bare": bare, "tables": tables}
