"""``make bench SCENARIO=growth``: what each question costs as a realistic chain grows.

Makes chains of simulated evenings (:mod:`tools.workshop.bench.evenings`), starts ``gameledger
serve`` over each, and asks every page and every address of the API and the questions of the command
line, with names from the chain. Printed are the processor seconds of the program that answers, and
how they grow per event. A chain that is in the folder is asked again and not made.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urlsplit

from rich.table import Table

from tools.access.changes import COMPARED
from tools.workshop.bench.evenings import lengthened
from tools.workshop.bench.machine import machine, show

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator

__all__ = [
    "EVERYTHING",
    "KINDS",
    "NOT_ASKED",
    "PAGES",
    "QUESTIONS",
    "Figures",
    "commands_of",
    "measured",
    "paths_of",
    "run",
]

PROGRAM = (sys.executable, "-m", "tools.cli")
TIMEOUT_SECONDS = 600
CPU_OF_PROCESS = 2
"""Linux: the clock of a process is its identifier, inverted, shifted by 3, with this kind."""
LOOK_SECONDS = 0.5
IDLE = 0.02
"""Share of a processor below which a service is idle."""
UNAVAILABLE = 503


class Figures(NamedTuple):
    """Events of a chain, processor seconds by query, and peak megabytes of the service."""

    events: int
    seconds: dict[str, float]
    service_mb: float


def measured(data: Path, *, times: int = 5, is_flat: bool = False) -> Figures:
    """Ask everything of a chain: of its service, then of the command line.

    Args:
        data: the chain.
        times: how often a page is asked for.
        is_flat: leave out what goes through everything.

    Raises:
        RuntimeError: a question was not answered.

    """
    with tempfile.TemporaryDirectory() as cache:
        return _measured(data, cache, times, () if is_flat else EVERYTHING)


class _Seconds(dict[str, float]):
    """Print each figure on standard error as soon as it is measured."""

    def __setitem__(self, question: str, seconds: float) -> None:
        super().__setitem__(question, seconds)
        print(f"{question}: {seconds:.3f}", file=sys.stderr, flush=True)


def _measured(data: Path, cache: str, times: int, everything: Iterable[str]) -> Figures:
    seconds = _Seconds()
    _used(["project"], data, cache)
    for question in everything:
        seconds[question] = _used(question.split(), data, cache)
    with _serving(data, cache) as (ask, used, memory):
        names = _names(ask)
        described = ask("/openapi.json")["paths"]
        patterns = [pattern for pattern, one in described.items() if "get" in one]
        for path in paths_of(names, (*PAGES, *patterns)):
            seconds[_title(path, names)] = _median(partial(ask, path), used, times)
        service_mb = memory()
    for command in commands_of(names):
        seconds[_title(" ".join(command), names)] = _used(command, data, cache)
    return Figures(int(names["events"]), seconds, service_mb)


PAGES = (
    *("/", "/findings", "/statements", "/rounds", "/results", "/tables", "/duties", "/cases"),
    *(
        "/books",
        "/open-items",
        "/persons",
        "/play-time",
        "/tournaments",
        "/packages",
        "/events",
        "/my-accesses",
        "/accesses",
    ),
    *("/fairness", "/saved", "/docs", "/search", "/sql"),
    *("/accounts/{name}", "/accounts/{name}/movements", "/accounts/{name}/play-time"),
    "/accounts/{name}/closing-balance",
    *("/rounds/{name}", "/cases/{name}"),
    *("/tournaments/{name}", "/findings/{name}", "/packages/{name}", "/events/{position}"),
    *(f"/changes{one.path}" for one in COMPARED),
)
"""Patterns of pages; those of the API are in the description that the service gives of itself."""
KINDS = {
    "accounts": "account",
    "books": "month",
    "cases": "case",
    "checkpoints": "checkpoint",
    "days": "day",
    "events": "position",
    "findings": "finding",
    "games": "game",
    "packages": "package",
    "rounds": "round",
    "tournaments": "tournament",
    "views": "view",
}
"""What an address of one thing names, by the part before the name."""
NOT_ASKED = {
    "/api/accounts/{name}/evidence": "a whole history, by name",
    "/api/accounts/{name}/person": "needs a purpose and the keys",
    "/api/evidence/rounds": "files",
    "/api/log": "the whole log",
    "/api/changes/packages/{name}": "builds the package again",
    "/api/packages/{name}": "builds the package again",
    "/api/packages/{name}/sealed": "a file",
    "/api/packages/{name}/verdict": "of a file",
    "/api/packages/{name}/zip": "a file",
    "/api/packages/{name}/{file}/{row}": "builds the package again",
    "/api/rounds/{name}/letter": "a file, of a participant",
    "/api/sql": "is asked below",
    "/api/views/{name}": "the whole view",
    "/changes/packages/{name}": "builds the package again",
}
NAMED = re.compile(r"/(\w+)/\{\w+\}")


def paths_of(names: dict[str, str], patterns: Iterable[str]) -> tuple[str, ...]:
    """Return addresses that answer a question, with names of a chain.

    Args:
        names: by kind; an address of a kind that the chain lacks is left out.
        patterns: of pages and of the API.

    Raises:
        KeyError: a pattern names something of an unknown kind.

    """
    return (
        *(
            NAMED.sub(lambda found: f"/{found[1]}/{quote(names[KINDS[found[1]]])}", pattern)
            for pattern in patterns
            if pattern not in NOT_ASKED
            and all(KINDS[part] in names or part not in KINDS for part in NAMED.findall(pattern))
        ),
        *_with_parameters(names),
    )


def _with_parameters(names: dict[str, str]) -> tuple[str, ...]:
    """Return addresses that ask for a part of a list, or for an earlier place."""
    account, day, half = names["account"], names["day"], names["half"]
    return (
        *(f"/search?q={account}", f"/?day={day}", f"/rounds?account={account}"),
        *(f"/api/rounds?game={quote(names['game'])}", f"/api/rounds?table={names['table']}"),
        *(f"/api/rounds?day={day}", f"/api/bets?account={account}", f"/api/bets?day={day}"),
        *(f"/api/bets?round={names['round']}", f"/api/duties?account={account}"),
        *(
            f"/api/events?tag=account:{account}",
            f"/api/books/{day}",
            "/api/retention?everybody=yes",
        ),
        *(f"/api/balances?as_of={half}", f"/api/bets?as_of={half}", f"/api/rounds?as_of={half}"),
        *("/api/cases?ended=yes", f"/api/fairness?as_of={half}"),
        "/api/sql?q=SELECT+count()+FROM+reader_bet_placed",
    )


QUESTIONS = (
    *("account movements ACCOUNT", "balance ACCOUNT", "balances", "play-time"),
    *("books day DAY", "books month MONTH", "books open-items"),
    *(
        "books trial MONTH",
        "books tax MONTH",
        "books check MONTH",
        "round list",
        "round show ROUND",
    ),
    *("round replay ROUND", "bet list", "tournament list", "tournament show TOURNAMENT"),
    *("account list", "account show ACCOUNT", "complaint list --all", "complaint show CASE"),
    *("duty list", "rules show", "games list", "games show GAME", "games fairness"),
    *("hold list --all", "retention show", "retention unclaimed", "statement list"),
    *(
        "statement matched",
        "statement rules",
        "finding list --all",
        "finding show FINDING",
        "finding write-offs",
        "report status",
    ),
    *("log show", "log status", "access report", "reader list"),
    "reconcile --since last",
)
"""Questions of the command line, besides those that go through everything."""
EVERYTHING = ("reconcile", "reconcile --record", "log verify")
"""Asked first: what is recorded can be asked for then."""


def commands_of(names: dict[str, str]) -> tuple[list[str], ...]:
    """Return the questions of the command line, with names of a chain."""
    shown = {kind.upper(): name for kind, name in names.items()}
    asked = [question.split() for question in QUESTIONS]
    return tuple(
        [shown.get(word, word) for word in words]
        for words in asked
        if all(word in shown or not word.isupper() for word in words)
    )


def _title(asked: str, names: dict[str, str]) -> str:
    """Write a question with the kinds of names in it, so that sizes can be compared."""
    for kind in sorted(names, key=lambda kind: -len(names[kind])):
        if kind not in {"events", "view", "position"}:
            name = re.compile(
                rf"(?<![\w-])(?:{re.escape(quote(names[kind]))}|{re.escape(names[kind])})(?![\w-])"
            )
            asked = name.sub(kind.upper(), asked)
    return asked


def _names(ask: Callable[[str], Any]) -> dict[str, str]:
    """Choose names from the middle of a chain: an account with bets, its round, table and day."""
    events = ask("/api/chain")["basis"]["position"]
    (bet,) = ask(f"/api/bets?limit=1&as_of={events // 2}")["answer"]["bets"]
    listed = ask(f"/api/rounds?account={bet['account']}&limit=1&as_of={events // 2}")
    (round_,) = listed["answer"]["rounds"]
    moment = time.gmtime(bet["placed_at"] / 1e6)
    lists: dict[str, tuple[str, str, Callable[[Any], Any]]] = {
        "case": ("/api/cases?ended=yes", "case", lambda found: found["cases"]),
        "finding": ("/api/findings", "identity", lambda found: found["findings"]),
        "tournament": ("/api/tournaments", "tournament", lambda found: found),
        "package": ("/api/packages", "package", lambda found: found),
        "checkpoint": ("/api/checkpoints", "size", lambda found: found["checkpoints"]),
    }
    first = {
        kind: [str(one[key]) for one in rows(ask(path)["answer"]) if _is_recorded(one)][:1]
        for kind, (path, key, rows) in lists.items()
    }
    return {
        **{kind: name for kind, found in first.items() for name in found},
        "events": str(events),
        "half": str(events // 2),
        "account": bet["account"],
        "round": bet["round"],
        "table": bet["table"],
        "game": round_["game"],
        "day": time.strftime("%Y-%m-%d", moment),
        "month": time.strftime("%Y-%m", moment),
        "position": str(events // 2),
        "view": "reader_bet_placed",
    }


def _is_recorded(one: dict[str, Any]) -> bool:
    """Return whether a finding or a package of a list can be asked for by its name."""
    return bool(one.get("version", 1)) and one.get("state") != "new"


def _median(ask: Callable[[], Any], used: Callable[[], float], times: int) -> float:
    """Return the processor seconds of the service for an answer, once warm."""
    ask()
    found = []
    for _ in range(times):
        before = used()
        ask()
        found.append(used() - before)
    return statistics.median(found)


@contextmanager
def _serving(
    data: Path, cache: str
) -> Iterator[tuple[Callable[[str], Any], Callable[[], float], Callable[[], float]]]:
    """Serve a chain; yield how to ask, its processor seconds so far and its memory in MB."""
    command = [*PROGRAM, "serve", "--data", str(data), "--listen", "127.0.0.1:0", "--json"]
    with subprocess.Popen(  # noqa: S603 - our own program
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(cache),
        text=True,
    ) as process:
        try:
            assert process.stdout is not None  # noqa: S101 - it is piped
            said = json.loads(process.stdout.readline())
            ask = partial(_asked, urlsplit(said["address"]).netloc, said["token"])
            clock = (~process.pid << 3) | CPU_OF_PROCESS
            used = partial(time.clock_gettime, clock)
            ask("/api/findings")
            while True:
                before = used()
                time.sleep(LOOK_SECONDS)
                if used() - before < IDLE * LOOK_SECONDS:
                    break
            yield ask, used, partial(_memory, process.pid)
        finally:
            process.terminate()
            process.wait(TIMEOUT_SECONDS)


def _memory(process: int) -> float:
    text = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    (line,) = (line for line in text.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1000


def _environment(cache: str) -> dict[str, str]:
    kept = {name: text for name, text in os.environ.items() if "GAMELEDGER" not in name}
    return {**kept, "GAMELEDGER_CACHE": cache}


def _asked(place: str, token: str, path: str) -> Any:
    """Ask for an address until it is answered; JSON is decoded."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while True:
        connection = http.client.HTTPConnection(place, timeout=TIMEOUT_SECONDS)
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        if answer.status == UNAVAILABLE and time.monotonic() < deadline:
            time.sleep(LOOK_SECONDS)
            continue
        if answer.status >= 400:  # noqa: PLR2004 - an error
            raise RuntimeError(f"{path}: {answer.status} {body[:300]!r}")
        is_json = "json" in (answer.getheader("Content-Type") or "")
        return json.loads(body) if is_json else None


def _used(command: list[str], data: Path, cache: str) -> float:
    """Run a command, and return its processor seconds with those of its processes."""
    before = os.times()
    done = subprocess.run(  # noqa: S603 - our own program
        [*PROGRAM, *command],
        capture_output=True,
        env={**_environment(cache), "GAMELEDGER_DATA": str(data)},
        check=False,
    )
    after = os.times()
    if done.returncode not in {0, 1}:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.decode(errors='replace')}")
    used = after.children_user - before.children_user
    return used + after.children_system - before.children_system


def _table(found: list[Figures]) -> Table:
    table = Table(title="Processor seconds", title_justify="left")
    table.add_column("question", overflow="fold")
    for one in found:
        table.add_column(f"{one.events:,} events", justify="right")
    table.add_column("µs an event", justify="right")
    first, last = found[0], found[-1]
    for name in last.seconds:
        more = last.seconds[name] - first.seconds[name]
        slope = more / max(last.events - first.events, 1) * 1e6
        table.add_row(name, *(f"{one.seconds[name]:.3f}" for one in found), f"{slope:.2f}")
    table.add_row("memory of the service, MB", *(f"{one.service_mb:,.0f}" for one in found), "")
    return table


def run(asked: argparse.Namespace) -> None:
    """Make the chains that are missing, measure and print."""
    with tempfile.TemporaryDirectory() as place:
        found = []
        for size in map(int, asked.sizes.split(",")):
            data = lengthened(Path(asked.folder or place) / str(size), size)
            found.append(measured(data, times=asked.times, is_flat=asked.flat))
            print(json.dumps(found[-1]._asdict()), file=sys.stderr, flush=True)
            if asked.json:
                Path(asked.json).write_text(json.dumps([one._asdict() for one in found]))
    show(_table(found), machine("chdb", "clickhouse-connect", times=str(asked.times)))
