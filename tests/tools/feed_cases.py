"""A house that takes a provider's feed, and the evening that the provider sends."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from docs.examples.aurora import Aurora
from docs.examples.aurora_evening import evening
from ledger.core.clock import SystemClock
from ledger.decisions.decider import decode_command
from ledger.events.encoding import decode
from ledger.log.memory import MemoryLog
from ledger.privacy import KeyStore
from ledger.writer import Ledger
from tests.tools.cli_cases import command, studio
from tools.feed.following import Follower
from tools.feed.provider import UnmappedError
from tools.feed.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from docs.examples.aurora_evening import Message
    from tools.feed.sealing import FeedSealer

PLAYERS = {"AUR-1": ("a-1", "a-2"), "AUR-2": ("a-3",)}
TABLES = {"AUR-1": "t1", "AUR-2": "t2"}
SECRET = b"a secret of twenty-four b"
AT = datetime.now(UTC) - timedelta(minutes=5)


def house() -> list[dict[str, Any]]:
    """Two tables, and three players with money who are logged in; nobody sits."""
    first = studio()
    at = [one["command"] for one in first].index("open_account")
    table, person = first[:at], first[at:-2]
    other = [{**one, "table": "t2"} for one in table if "table" in one]
    other[0]["registration"], other[1]["device"], other[1]["serial"] = "2", "w2", "W-2"
    found = [*table, *other, *person]
    for name in ("a-2", "a-3"):
        for one in person:
            more = {**one, "account": name}
            for key in ("identity", "deposit", "session", "method"):
                if key in more:
                    more[key] = f"{more[key]}-{name}"
            found.append(more)
    return found


class Adapter:
    """A feed in this process, over a ledger in memory."""

    def __init__(self, folder: Path, name: str = "feed") -> None:
        self.log = MemoryLog()
        self.ledger = Ledger.create(
            self.log,
            KeyStore(folder / f"{name}-keys"),
            operator="26493993",
            operator_name="SAZKA a.s.",
            chain_name="feed",
        )
        for line in house():
            receipt = self.ledger.execute(decode_command(json.dumps(line)))
            assert receipt.refused is None, receipt
        self.begun = self.ledger.head.size
        self.provider = Aurora("aurora", TABLES)
        self.spool = Spool(folder / f"{name}.sqlite")
        self.sealer: FeedSealer | None = None

    def put(self, messages: Iterable[Message]) -> None:
        """Take messages as the port does, but for the signature."""
        for one in messages:
            try:
                place, why = self.provider.place(one.body), ""
            except UnmappedError as error:
                place, why = None, str(error)
            self.spool.put(one.identifier, one.body, place, why, SystemClock().now())

    def follow(self, **bounds: int) -> None:
        """Follow until there is nothing to do."""
        follower = Follower(
            self.spool,
            self.provider,
            self.ledger,
            SystemClock(),
            sealer=self.sealer,
            **bounds,
        )
        while follower.step():
            follower.seal()

    def events(self) -> list[Any]:
        """What was recorded since the house opened."""
        return [decode(body) for _, body in self.log.read(self.begun)]

    def close(self) -> None:
        self.ledger.close()
        self.spool.close()


@contextmanager
def adapter(folder: Path, name: str = "feed") -> Iterator[Adapter]:
    found = Adapter(folder, name)
    try:
        yield found
    finally:
        found.close()


def played(seed: int, rounds: int = 6, *, faults: bool = False) -> list[list[Message]]:
    """An evening at both tables."""
    return evening(seed=seed, tables=dict(PLAYERS), rounds=rounds, at=AT, faults=faults)


def content(events: Iterable[Any]) -> dict[str, list[Any]]:
    """What a chain says of each round and account, in order, without its places and moments."""
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for one in events:
        name = type(one.event).__name__
        if name == "FeedMessageUnmapped":
            continue
        of = getattr(one.event, "round", "") or getattr(one.event, "account", "") or name
        found[of].append((name, asdict(one.event), one.envelope.occurred_at, one.envelope.source))
    return dict(found)


def unmapped(events: Iterable[Any]) -> Counter[tuple[str, str]]:
    """Count what was told as not followed, by message and reason."""
    return Counter(
        (one.event.message, one.event.reason)
        for one in events
        if type(one.event).__name__ == "FeedMessageUnmapped"
    )


def not_followed(messages: Iterable[Message]) -> set[str]:
    """Name those that the ledger can't follow."""
    return {one.identifier for one in messages if not one.is_followed}


__all__ = [
    "PLAYERS", "SECRET", "TABLES", "Adapter", "adapter", "command", "content", "house",
    "not_followed", "played", "unmapped",
]  # fmt: skip
