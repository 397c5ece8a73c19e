"""docs/recipes/connect-a-provider.md: its commands run, and a provider of one's own is a module."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack, closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import SystemClock
from ledger.decisions.rounds.opening import OpenRound
from ledger.events.encoding import decode
from ledger.events.event_types import FeedMessageUnmapped
from ledger.log.memory import MemoryLog
from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore
from ledger.writer import Ledger
from tools.feed.following import BUFFERED_MAX, PATIENCE, Follower
from tools.feed.provider import Place, UnmappedError
from tools.feed.settings import read_feed
from tools.feed.spool import Spool
from tools.web.webhooks import APART_MAX

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ledger.events.command import Command

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "recipes" / "connect-a-provider.md").read_text(encoding="utf-8")
SECONDS_MAX = 120
PORTS = ("7412", "7413")
ENVIRONMENT = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.search
def test_the_page_can_be_followed(tmp_path: Path) -> None:
    begin, writer, secret, feed, provider, key, register = map(_moved, blocks("sh"))
    (settings,) = blocks("toml")
    settings = settings.replace("[tables]", 'seal = "aurora.pem"\nchain = "sazka-live"\n\n[tables]')
    (tmp_path / "aurora.toml").write_text(_moved(settings), encoding="utf-8")
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    with ExitStack() as stack:
        _done(begin, tmp_path)
        _done(secret, tmp_path)
        _done(key, tmp_path)
        stack.callback(_ended, _started(writer, tmp_path))
        _done(register, tmp_path)
        stack.callback(_ended, _started(feed, tmp_path))
        sent = json.loads(_done(provider, tmp_path))
        assert sent["sent"] > sent["messages"]
        with closing(Spool(tmp_path / "aurora.sqlite")) as spool:
            end = time.monotonic() + SECONDS_MAX
            while spool.waiting() or spool.aside():
                assert time.monotonic() < end
                time.sleep(0.05)
    with closing(SqliteLog(tmp_path / "provider", writable=False)) as log:
        kinds = Counter(type(decode(body).event).__name__ for _, body in log.read())
    assert kinds["RoundOpened"] == 8
    assert kinds["SourceSealed"] >= 1
    reconcile = _moved("gameledger --data provider reconcile --json || [ $? = 1 ]")
    reconciled = _done(reconcile, tmp_path)
    codes = [one["code"] for one in json.loads(reconciled)["findings"]]
    assert set(codes) == {"FEED_UNMAPPED", "FEED_REFUSED"}
    assert len(codes) == kinds["FeedMessageUnmapped"]


def test_figures_and_names_of_the_page_are_those_of_the_program(tmp_path: Path) -> None:
    assert (PATIENCE, BUFFERED_MAX) == (120_000_000, 1_000)
    assert "two minutes" in PAGE
    assert "\n  1,000 messages" in PAGE
    assert APART_MAX == 300_000_000
    assert "at most 5 minutes" in PAGE
    path = tmp_path / "aurora.toml"
    path.write_text(blocks("toml")[0], encoding="utf-8")
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    assert read_feed(path).reader().name == "aurora"


class Borealis:
    """A provider of one's own, as small as one can be: it opens rounds."""

    name = "borealis"
    after_others: frozenset[str] = frozenset()

    def place(self, body: bytes) -> Place:
        number, kind, name = body.decode().split()
        return Place("all", int(number), kind, name)

    def commands(self, body: bytes, accepted: Collection[str]) -> Sequence[Command]:
        assert not accepted
        _, kind, name = body.decode().split()
        if kind != "OPEN":
            raise UnmappedError(f"{kind} means nothing to us")
        return [OpenRound(round=name, table="t1")]


def test_another_provider_says_where_a_message_belongs_and_what_it_means(tmp_path: Path) -> None:
    log, keys = MemoryLog(), KeyStore(tmp_path / "keys")
    provider, clock = Borealis(), SystemClock()
    with (
        Ledger.create(log, keys, operator="26493993", operator_name="B", chain_name="b") as ledger,
        closing(Spool(tmp_path / "spool.sqlite")) as spool,
    ):
        for number, body in enumerate((b"2 SING r-2", b"1 OPEN r-1"), 1):
            spool.put(f"m{number}", body, provider.place(body), "", clock.now())
        follower = Follower(spool, provider, ledger, clock)
        follower.step()
        assert spool.waiting() == 0
        events = [decode(body).event for _, body in log.read()]
        first, second = (one for one in events if isinstance(one, FeedMessageUnmapped))
        assert (first.message, first.detail) == ("m1", "SING means nothing to us")
        assert (second.message, second.reason) == ("m2", "unmapped")
        assert "table t1 is unknown" in second.detail


@cache
def _ports() -> list[int]:
    with ExitStack() as stack:
        taken = [stack.enter_context(socket.socket()) for _ in PORTS]
        for one in taken:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in taken]


def _moved(text: str) -> str:
    """Use ports that are free, and this Python."""
    for known, free in zip(PORTS, _ports(), strict=True):
        text = text.replace(known, str(free))
    text = re.sub(r"\bgameledger (?=-)", f"{sys.executable} -m tools.cli ", text)
    return text.replace("python3 docs", f"{sys.executable} docs")


def _started(line: str, folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S602 - a line of the page
        f"exec {line}", shell=True, cwd=folder, env=ENVIRONMENT, stderr=subprocess.PIPE
    )


def _ended(running: subprocess.Popen[bytes]) -> None:
    running.send_signal(signal.SIGTERM)
    _, words = running.communicate(timeout=SECONDS_MAX)
    assert running.returncode == 0, words


def _done(lines: str, folder: Path) -> str:
    done = subprocess.run(  # noqa: S602 - lines of the page
        lines, shell=True, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
