"""The chain that every seed starts with, made once in a process and held in memory.

A house with a table, three participants with money who are logged in, and persons whose accounts
were closed so long ago that they may be erased. It is made with fixed chance and a fixed clock, so
it is the same in every process.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.message import EMPTY
from ledger.rules.retention import end_of_retention
from tests.ledger.decisions.decisions_casino import Casino, close, prague
from tests.simulation.simulated_disk_log import record_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.core.message import Head, Message

PLAYERS = ("anna", "bara", "cyril")
TABLES = ("r1", "r2")
GONE = ("dora", "ema", "filip", "gita", "hugo")
"""Their accounts were closed, and the period to keep their data is over."""


class Template(NamedTuple):
    """Where a seed starts."""

    messages: list[Message]
    head: Head
    begin: int
    keys: dict[str, bytes]
    record: bytes

    def write_keys(self, directory: Path) -> None:
        """Place a copy of the key store."""
        put_keys(directory, self.keys)


def put_keys(directory: Path, files: dict[str, bytes]) -> None:
    """Make a key store of files by name."""
    directory.mkdir(mode=0o700)
    for name, content in files.items():
        path = directory / name
        path.touch(mode=0o600)
        path.write_bytes(content)


@cache
def template() -> Template:
    """Make the chain."""
    chance = random.Random("template")
    directory = Path(tempfile.mkdtemp())
    try:
        casino = Casino(directory, entropy=chance.randbytes, writer="template")
        with casino.ledger:
            casino.open_house()
            for name in GONE:
                casino.register(name)
                close(casino, name)
            casino.clock.moment = end_of_retention(casino.account(GONE[-1]).closed_at)
            casino.clock.moment = max(casino.clock.moment, prague("2040-03-02 18:00"))
            for player in PLAYERS:
                casino.player(player)
            messages, begin = list(casino.log._messages), casino.clock.moment
            head = casino.log.head()
        keys = {path.name: path.read_bytes() for path in casino.keys.iterdir()}
    finally:
        shutil.rmtree(directory)
    assert head != EMPTY
    record = record_of([message.body for message in messages])
    return Template(messages, head, begin, keys, record)


@contextmanager
def folder() -> Iterator[Path]:
    """Give a folder for the keys of a seed."""
    place = Path("/dev/shm")  # noqa: S108 - every seed has a folder of its own there
    made = Path(tempfile.mkdtemp(dir=place if place.is_dir() else None))
    try:
        yield made
    finally:
        shutil.rmtree(made)
