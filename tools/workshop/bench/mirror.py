"""What a mirror costs an event: several licences, each with its own chain, fetched at once.

Chains are simulated evenings under other names, published as tiles. One mirror verifies, stores and
signs them all in threads. Processor time is that of the mirror alone: the evenings are made before,
in other processes.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ledger.core.clock import SystemClock
from ledger.log.checkpoints import last_note
from ledger.log.sqlite import SqliteLog
from ledger.log.tiles import TiledLog, publish
from ledger.tlog.signing import PublicKey, SigningKey
from tools import simulator
from tools.mirror.asking import ask_copies
from tools.mirror.folder import MirrorFolder
from tools.mirror.mirror import Mirror
from tools.mirror.pulling import Puller
from tools.workshop.bench.machine import machine
from tools.workshop.bench.steps import measure, memory_mb

if TYPE_CHECKING:
    import argparse

__all__ = ["run"]

DAY_EVENTS = 500_000_000
"""Records of a day that the authority of a country with 77 operators takes."""
STANDSTILL_SECONDS = 120.0


def run(asked: argparse.Namespace) -> None:
    """Make the chains, hold them all, and print what an event costs."""
    with TemporaryDirectory(prefix="gameledger-bench-") as place:
        folder = Path(place)
        for number in range(asked.licences):
            measure("evening", folder / f"licence-{number}", str(asked.hours), module="mirror")
        found = {**measure("hold", folder, module="mirror"), "licences": asked.licences}
        found["machine"] = machine()
    if asked.json:
        print(json.dumps(found))
        return
    cost = found["processor_seconds"] / found["events"]
    print(f"{asked.licences} licences, {found['events']:,} events")
    print(f"processor time an event   {cost * 1e6:.0f} µs")
    print(f"events a second           {found['events'] / found['seconds']:,.0f}")
    print(f"memory before, at most    {found['before_mb']:.0f} MB, {found['peak_mb']:.0f} MB")
    quarters = ", ".join(f"{one:.0f}" for one in found["quarters_mb"])
    print(f"memory by quarter         {quarters} MB")
    print(f"disk an event             {found['disk_bytes'] / found['events']:.0f} bytes")
    print(f"one question about all    {found['asked_seconds']:.0f} s")
    print(f"a day of {DAY_EVENTS:,} events   {cost * DAY_EVENTS / 3600:.1f} hours of one core")
    print(f"this is its part          1/{DAY_EVENTS / found['events']:,.0f}")
    print(*found["faults"], sep="\n")


def _evening(folder: Path, hours: str) -> dict[str, Any]:
    """Play and publish an evening of one licence, named after its folder."""
    with simulator.create(
        SqliteLog(folder, writable=True), folder / "keys", chain=folder.name
    ) as ledger:
        simulator.run(ledger, hours=float(hours))
    key = SigningKey(folder.name, Random("gameledger|signing|1").randbytes(32))
    (folder / "own.pub").write_text(key.public.text)
    with closing(SqliteLog(folder, writable=False)) as log:
        return {"events": publish(log, last_note(log), folder / "tiles").size}


def _hold(folder: Path) -> dict[str, Any]:
    """Fetch the chains of all licences at once, by the threads of ``mirror run``."""
    places = sorted(path.parent for path in folder.glob("*/own.pub"))
    held = MirrorFolder(folder / "held")
    held.create("authority.example/mirror")
    keys = [PublicKey.parse((place / "own.pub").read_text()) for place in places]
    with held.turn() as turn:
        for key in keys:
            turn.add_key(key)
    wanted = [TiledLog(str(place / "tiles")).checkpoint.size for place in places]
    messages: list[str] = []
    mirror = Mirror(held, SystemClock(), messages.append)
    before, started, used = memory_mb("VmRSS"), time.perf_counter(), time.process_time()
    pullers = [
        Puller(mirror, key.name, str(place / "tiles"), messages.append)
        for key, place in zip(keys, places, strict=True)
    ]
    with closing(mirror):
        memory = _memory_until_held(
            mirror, dict(zip([key.name for key in keys], wanted, strict=True))
        )
        seconds, used = time.perf_counter() - started, time.process_time() - used
        for step in (Puller.end, Puller.stop):
            for puller in pullers:
                step(puller)
    asked = time.perf_counter()
    answered = list(ask_copies(held, ["log", "show", "--type", "DeviceAssigned"], seconds=60))
    if any(reply.fault for reply in answered):
        raise AssertionError(answered)
    asked = time.perf_counter() - asked
    disk = sum(
        (Path(root) / name).stat().st_size
        for root, _, names in os.walk(held.path)
        for name in names
    )
    return {
        "events": sum(wanted),
        "seconds": seconds,
        "processor_seconds": used,
        "before_mb": before,
        "quarters_mb": memory,
        "faults": [one for one in messages if not one.endswith("messages held")],
        "disk_bytes": disk,
        "asked_seconds": asked,
    }


def _memory_until_held(mirror: Mirror, wanted: dict[str, int]) -> list[float]:
    """Wait until all is held; return the memory after each quarter of the messages, in MB."""
    quarters: list[float] = []
    parts = 4
    total, stored, changed = sum(wanted.values()), 0, time.monotonic()
    while any(mirror.signed(origin) < size for origin, size in wanted.items()):
        now = sum(_stored(mirror.folder.data_of(origin)) for origin in wanted)
        if now > stored:
            stored, changed = now, time.monotonic()
        if time.monotonic() - changed > STANDSTILL_SECONDS:
            raise AssertionError(f"{stored} of {total} messages, and no more")
        if parts * stored >= (len(quarters) + 1) * total and len(quarters) < parts - 1:
            quarters.append(memory_mb("VmRSS"))
        time.sleep(0.5)
    return [*quarters, memory_mb("VmRSS")]


def _stored(data: Path) -> int:
    """Return the number of messages of a copy, without opening it as a log."""
    if not (data / "log.sqlite").exists():
        return 0
    with closing(sqlite3.connect(data / "log.sqlite")) as file:
        return int(
            file.execute("SELECT coalesce(max(position), -1) + 1 FROM message").fetchone()[0]
        )


STEPS = {"evening": _evening, "hold": _hold}
