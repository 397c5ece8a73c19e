"""How far a mirror is behind a log of 1,000 events a second, while either side fails.

An operator's process appends the messages of simulated evenings at their rate, signs and publishes
every two seconds; its tiles are served over HTTP, and ``gameledger mirror run`` fetches them, each
with a disk of its own: a file system in a file where root may mount one. The lag is the age of the
oldest message that is recorded and not held, verified and signed. Each fault lasts some seconds:
the mirror or the operator is killed, the connection is cut, a disk is full.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.core.errors import LedgerError
from ledger.log.index.tag_index import message_of
from ledger.log.port import checkpoint_of
from ledger.log.sqlite import SqliteLog
from ledger.log.tiles import TiledLog, publish
from ledger.tlog.signing import SigningKey, make_note
from tools import simulator
from tools.mirror.folder import MirrorFolder
from tools.service.address import listening
from tools.workshop.bench.copies import COPIES_MAX, append_copy, originals
from tools.workshop.bench.machine import machine
from tools.workshop.bench.steps import command_of, measure

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from ledger.core.message import Message

__all__ = ["FaultLag", "run"]

NAME = "operator.example"
SIGN_SECONDS = 2.0
LAG_SECONDS_MAX = 120.0
DISK_MB = 800
EVENING_HOURS = 1.5
SECRET = Random("gameledger|signing|1").randbytes(32)


class FaultLag(NamedTuple):
    """A fault: how long it lasted, the greatest lag in and after it, and the time to catch up."""

    fault: str
    seconds: float
    lag_seconds: float
    caught_up_seconds: float


def run(asked: argparse.Namespace) -> None:
    """Let both sides fail in turn, and print the lag."""
    with TemporaryDirectory(prefix="gameledger-bench-") as place, ExitStack() as stack:
        folder = Path(place)
        measure("source", folder / NAME, str(asked.events), module="lag")
        disks = [folder / side for side in ("operator", "authority")]
        mounted = [stack.enter_context(_disk(disk)) for disk in disks]
        is_bounded = all(mounted)
        sides = stack.enter_context(closing(_Sides(folder, asked.rate)))
        sides.wait_until_held(sides.recorded())
        steady = sides.watch("nothing", lambda: None, asked.seconds)
        found = [steady, *_fail(sides, asked, is_bounded=is_bounded)]
        sides.require_all_running()
        sides.require_equal()
    if asked.json:
        rows = [one._asdict() for one in found]
        print(json.dumps({"faults": rows, "machine": machine(), "rate": asked.rate}))
    else:
        print("fault                        lasted   lag at most   caught up after")
        print(*map(_line, found), sep="\n")
        if not is_bounded:
            print("full disks were not tried: only root can mount a disk of their own")
    if max(one.lag_seconds for one in found) > LAG_SECONDS_MAX:
        raise AssertionError(f"the lag was more than {LAG_SECONDS_MAX:g} s")


def _line(lag: FaultLag) -> str:
    times = f"{lag.seconds:6.1f} s {lag.lag_seconds:10.1f} s {lag.caught_up_seconds:12.1f} s"
    return f"{lag.fault:27}{times}"


def _fail(sides: _Sides, asked: argparse.Namespace, *, is_bounded: bool) -> Iterator[FaultLag]:
    seconds = asked.seconds
    for _ in range(asked.times):
        yield sides.watch("mirror killed", sides.kill_mirror, 0)
        yield sides.watch("operator killed", sides.kill_operator, 0)
        yield sides.watch("connection cut", sides.cut, seconds)
        yield sides.watch("mirror away", sides.stop_mirror, seconds)
        if is_bounded:
            yield sides.watch("disk of the mirror full", sides.fill("authority"), seconds)
            yield sides.watch("disk of the operator full", sides.fill("operator"), seconds)


@contextmanager
def _disk(folder: Path) -> Iterator[bool]:
    """Mount a small file system of its own on a folder; yield False where that can't be done."""
    folder.mkdir()
    image = folder.with_suffix(".img")
    mkfs, mount, umount = (shutil.which(name) for name in ("mkfs.ext4", "mount", "umount"))
    if not (mkfs and mount and umount):
        yield False
        return
    with image.open("wb") as file:
        file.truncate(DISK_MB << 20)
    made = subprocess.run([mkfs, "-q", str(image)], check=False, capture_output=True)  # noqa: S603 - tools of the system
    mounted = subprocess.run(  # noqa: S603
        [mount, "-o", "loop", str(image), str(folder)], check=False, capture_output=True
    )
    if made.returncode or mounted.returncode:
        yield False
        return
    (folder / "lost+found").rmdir()
    try:
        yield True
    finally:
        subprocess.run([umount, "--lazy", str(folder)], check=True)  # noqa: S603


class _Sides:
    """Operator, connection and mirror as processes, and the lag, sampled by a thread."""

    def __init__(self, folder: Path, rate: float) -> None:
        self._folder, self._rate = folder, rate
        self._mirror_folder = MirrorFolder(folder / "authority" / "held")
        with listening("127.0.0.1:0") as listener:
            self._port: int = listener.getsockname()[1]
        key = SigningKey(NAME, SECRET).public.text
        held = str(self._mirror_folder.path)
        url = f"http://127.0.0.1:{self._port}"
        self._call("init", held, "--name", "authority.example/mirror")
        self._call("add", held, key, "--from", url)
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._samples: list[float] = []
        self._over = Event()
        for start in (self.start_operator, self.connect, self.start_mirror):
            start()
        self._thread = Thread(target=self._sample)
        self._thread.start()

    def close(self) -> None:
        """End all processes."""
        self._over.set()
        self._thread.join()
        for name in list(self._running):
            self._kill(name)

    def start_operator(self) -> None:
        """Begin to append, or go on."""
        self._start("operator", command_of("lag", "operator", self._folder, str(self._rate)))

    def connect(self) -> None:
        """Serve the tiles of the operator."""
        tiles = self._folder / "operator" / "tiles"
        words = ["-m", "http.server", str(self._port), "--bind", "127.0.0.1", "-d", str(tiles)]
        self._start("connection", [sys.executable, *words])

    def start_mirror(self) -> None:
        """Begin to hold, or go on."""
        words = ["run", str(self._mirror_folder.path), "--listen", "127.0.0.1:0"]
        self._start("mirror", _mirror_command(*words))

    def kill_mirror(self) -> Callable[[], None]:
        """Kill the mirror and start it again."""
        self._kill("mirror")
        self.start_mirror()
        return _nothing

    def kill_operator(self) -> Callable[[], None]:
        """Kill the operator and start it again."""
        self._kill("operator")
        self.start_operator()
        return _nothing

    def stop_mirror(self) -> Callable[[], None]:
        """Kill the mirror; return what starts it again."""
        self._kill("mirror")
        return self.start_mirror

    def cut(self) -> Callable[[], None]:
        """End the server of the tiles; return what starts it again."""
        self._kill("connection")
        return self.connect

    def fill(self, side: str) -> Callable[[], Callable[[], None]]:
        """Return what fills the disk of a side and returns what makes room again."""
        ballast = self._folder / side / "ballast"

        def full() -> Callable[[], None]:
            with suppress(OSError), ballast.open("wb", buffering=0) as file:
                for size in (1 << 20, 1 << 9):
                    with suppress(OSError):
                        while True:
                            file.write(bytes(size))
            return ballast.unlink

        return full

    def watch(self, fault: str, begin: Callable[[], Any], seconds: float) -> FaultLag:
        """Let something fail for some seconds, and wait until all that was recorded is held."""
        self._samples.clear()
        began = time.monotonic()
        end = begin() or _nothing
        time.sleep(seconds)
        end()
        ended, recorded = time.monotonic(), self.recorded()
        self.wait_until_held(recorded)
        caught_up = time.monotonic() - ended
        lag = FaultLag(fault, ended - began, max(self._samples, default=0.0), caught_up)
        print(_line(lag), file=sys.stderr, flush=True)
        return lag

    def recorded(self) -> int:
        """Return the number of messages that the operator recorded."""
        return max((size for _, size in self._moments()), default=0)

    def wait_until_held(self, size: int) -> None:
        """Wait until so many messages are held and signed."""
        deadline = time.monotonic() + 2 * LAG_SECONDS_MAX
        while self._held() < size or not size:
            if time.monotonic() > deadline:
                raise AssertionError(f"{self._held()} of {size} messages held")
            size = size or self.recorded()
            time.sleep(0.1)

    def require_all_running(self) -> None:
        """Require that no process ended by itself: the operator recorded until now."""
        ended = [name for name, process in self._running.items() if process.poll() is not None]
        if ended:
            texts = [(self._folder / f"{name}.txt").read_text()[-2000:] for name in ended]
            raise AssertionError(f"{ended} ended: {texts}")

    def require_equal(self) -> None:
        """Require that what is held is byte for byte what the operator recorded."""
        held = TiledLog(str(self._mirror_folder.tiles_of(NAME)))
        with closing(SqliteLog(self._folder / "operator" / "log", writable=False)) as log:
            if list(held.read()) != list(log.read(0, held.checkpoint.size)):
                raise AssertionError("the copy is another log")

    def _held(self) -> int:
        signed = self._mirror_folder.signed(NAME)
        return signed.head.size if signed else 0

    def _moments(self) -> list[tuple[float, int]]:
        path = self._folder / "recorded.txt"
        lines = path.read_text().splitlines(keepends=True) if path.exists() else []
        pairs = (line.split() for line in lines if line.endswith("\n"))
        return [(float(moment), int(size)) for moment, size in pairs]

    def _sample(self) -> None:
        while not self._over.wait(0.25):
            held, now = self._held(), time.monotonic()
            waiting = [moment for moment, size in self._moments() if size > held]
            self._samples.append(now - waiting[0] if waiting else 0.0)

    def _start(self, name: str, command: list[str]) -> None:
        (self._folder / "operator" / "tiles").mkdir(exist_ok=True)
        with (self._folder / f"{name}.txt").open("ab") as errors:
            self._running[name] = subprocess.Popen(command, stdout=errors, stderr=errors)  # noqa: S603 - our own programs

    def _kill(self, name: str) -> None:
        process = self._running.pop(name)
        process.kill()
        process.wait()

    def _call(self, *words: str) -> None:
        subprocess.run(_mirror_command(*words), check=True, capture_output=True)  # noqa: S603


def _nothing() -> None:
    pass


def _mirror_command(*words: str) -> list[str]:
    return [sys.executable, "-m", "tools.cli", "mirror", *words]


class _Schedule(NamedTuple):
    """How many messages are due: those that were there at the beginning, and a rate."""

    first: int
    began: float
    rate: float

    @property
    def due(self) -> int:
        return self.first + int((time.monotonic() - self.began) * self.rate)


def _operator(folder: Path, rate: str) -> dict[str, Any]:
    """Append a source's messages at a rate, sign and publish, until there are no more."""
    schedule = None
    with closing(SqliteLog(folder / NAME, writable=False)) as source:
        while True:
            try:
                with closing(SqliteLog(folder / "operator" / "log", writable=True)) as log:
                    now = _Schedule(log.head().size, time.monotonic(), float(rate))
                    schedule = schedule or now
                    _append(source, log, folder, schedule)
            except StopIteration:
                return {}
            except LedgerError as error:
                print(error, file=sys.stderr, flush=True)
                time.sleep(0.5)


def _append(source: SqliteLog, log: SqliteLog, folder: Path, schedule: _Schedule) -> None:
    key, signed = SigningKey(NAME, SECRET), 0.0
    decisions = _decisions(source, log.head().size)
    with (folder / "recorded.txt").open("a") as recorded:
        while True:
            waiting: list[Message] = []
            while log.head().size + len(waiting) < schedule.due:
                waiting += next(decisions)
            if waiting:
                log.append(waiting)
                recorded.write(f"{time.monotonic()} {log.head().size}\n")
                recorded.flush()
            if time.monotonic() - signed > SIGN_SECONDS:
                signed = time.monotonic()
                checkpoint = checkpoint_of(NAME, log)
                note = make_note(checkpoint, [(key.public, key.sign(checkpoint))])
                publish(log, note, folder / "operator" / "tiles")
            time.sleep(0.1)


def _decisions(source: SqliteLog, start: int) -> Iterator[list[Message]]:
    decision: list[Message] = []
    for position, body in source.read(start):
        decision.append(message_of(position, body))
        if len(decision) == decision[-1].decision_size:
            yield decision
            decision = []


def _source(folder: Path, events: str) -> dict[str, Any]:
    """Make a log of so many events: an evening, and copies of it."""
    with simulator.create(
        SqliteLog(folder, writable=True), folder / "keys", chain=folder.name
    ) as ledger:
        simulator.run(ledger, hours=EVENING_HOURS)
    with closing(SqliteLog(folder, writable=True)) as log:
        evening = list(originals(log.read()))
        for number in range(COPIES_MAX):
            if log.head().size >= int(events):
                break
            append_copy(log, evening, number, number + 1)
        return {"events": log.head().size}


STEPS = {"operator": _operator, "source": _source}
