"""A host that runs the product's writer, step by step; it can be killed between any two.

The two loops of the writer are two parts of one process: they call the steps that the product's
threads call. The clock of a host may differ from the true time, and may be set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.clock import SystemClock
from ledger.core.errors import AvailabilityError, FencedError, IntegrityError
from ledger.core.message import EMPTY
from ledger.log.kafka.log import KafkaLog
from ledger.privacy import KeyStore
from ledger.writer import Ledger
from tests.simulation.simulated_sqlite_log import SimulatedSqliteLog
from tests.simulation.simulated_world import SECOND, Process

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.batch_decider import Batch
    from ledger.core.errors import LedgerError
    from ledger.log.port import Log
    from ledger.log.standby import Standby
    from ledger.receipts import CommandTask
    from ledger.steps import Steps, StoredBatch
    from tests.simulation.simulated_disk import Disk
    from tests.simulation.simulated_ports import CommandPorts
    from tests.simulation.simulated_world import World

STANDBY_SECONDS = 2.0
SCHEDULING = 3_000
"""A thread that could go on does so within so many microseconds."""


class SimulatedDrive:
    """Calls the steps of a writer in two parts of a process; see ``ledger.steps.Drive``."""

    def __init__(self, steps: Steps, process: Process, world: World) -> None:
        self._steps, self._world = steps, world
        self._chance = world.stream(f"threads of {process.name}")
        self._inbox: list[CommandTask | StoredBatch] = []
        self._batch: Batch | None = None
        self._deciding = process.spawn(self._decide)
        self._storing = process.spawn(self._store)
        self._closing: Any = None

    def put(self, task: CommandTask) -> None:
        """Queue a task."""
        self._inbox.append(task)
        self._world.signal(self._deciding)

    @property
    def waiting(self) -> int:
        """Number of queued items."""
        return len(self._inbox)

    def close(self) -> None:
        """Answer all queued tasks."""
        while self._inbox or self._batch is not None or not self._steps.is_idle:
            self._world.pause(SCHEDULING)

    def _decide(self) -> None:
        while True:
            while not self._inbox:
                self._world.park()
            self._world.pause(self._chance.randrange(SCHEDULING))
            items, self._inbox = self._inbox, []
            batch = self._steps.decide(items)
            if batch is not None:
                self._batch = batch
                self._world.signal(self._storing)
                self._world.pause(self._chance.randrange(SCHEDULING))
            self._steps.decide_ahead()

    def _store(self) -> None:
        while True:
            while self._batch is None:
                self._world.park()
            self._world.pause(self._chance.randrange(SCHEDULING))
            stored = self._steps.store(self._batch)
            self._batch = None
            self._inbox.append(stored)
            self._world.signal(self._deciding)


class SimulatedKeys(KeyStore):
    """The product's key store; destroying a key takes time and may fail."""

    def __init__(self, directory: Path, host: Host) -> None:
        self._host = host
        super().__init__(directory, host.world.entropy)

    def destroy(self, person: str, found: bytes | None = None) -> None:
        """Destroy a key."""
        self._host.world.pause(1_000)
        if self._host.happens("process dies at a key"):
            self._host.die()
        if self._host.happens("key cannot be destroyed"):
            raise AvailabilityError("the key store can't be written: repeat")
        super().destroy(person, found)
        self._host.on_destroyed(person)
        self._host.world.pause(1_000)


class Host:
    """A machine with a disk, a clock and, most of the time, a writer."""

    def __init__(self, world: World, disk: Disk, begin: int) -> None:
        self.world, self.disk, self.name, self.happens = world, disk, disk.name, disk.happens
        self.offset = self.offset_at_start = 0
        self.ledger: Ledger | None = None
        self.log: Log | None = None
        self.keys: SimulatedKeys | None = None
        self.process: Process | None = None
        self.fault: Exception | None = None
        self.starts = self.started_at = 0
        disk.on_death = self.die
        self.on_destroyed: Callable[[str], None] = lambda _: None
        self.on_started: Callable[[Host], None] = lambda _: None
        self.open_doors: Callable[[Process], CommandPorts] | None = None
        self.doors: CommandPorts | None = None
        self.make_standby: Callable[[], Standby] | None = None
        self.standby: Standby | None = None
        self._begin = begin

    def wall(self) -> int:
        """Return what the clock of this host shows, in nanoseconds."""
        return (self._begin + self.world.now + self.offset) * 1000

    @property
    def is_up(self) -> bool:
        """Whether a process runs here, or begins to."""
        return self.process is not None and not self.process.is_dead

    @property
    def is_leading(self) -> bool:
        """Whether the writer works."""
        return self.is_up and self.ledger is not None and self.ledger.broken is None

    @property
    def size(self) -> int:
        """Number of messages that the writer knows, also once it was fenced."""
        writer = self.log._writer if isinstance(self.log, KafkaLog) else None
        known = writer.head if writer is not None else getattr(self.log, "_head", EMPTY)
        return int(known.size)

    def start(self, open_log: Callable[[Host], Log], keys: Path) -> None:
        """Begin a process that opens the log and takes over the chain."""
        self.starts, self.started_at = self.starts + 1, self.world.now
        self.ledger, self.log, self.fault = None, None, None
        process = self.process = Process(self.world, f"{self.name}/{self.starts}")
        process.spawn(lambda: self._open(process, open_log, keys))

    def _open(self, process: Process, open_log: Callable[[Host], Log], keys: Path) -> None:
        try:
            if self.make_standby is not None:
                self.standby = self.make_standby()
                while not self.standby.wait(STANDBY_SECONDS):
                    pass
            self.log = open_log(self)
            self.keys = SimulatedKeys(keys, self)
            self.offset_at_start = self.offset
            self.ledger = Ledger(
                self.log,
                self.keys,
                clock=SystemClock(self.wall, lambda: self.world.now * 1000),
                entropy=self.world.entropy,
                writer=process.name,
                scheduler=lambda steps: SimulatedDrive(steps, process, self.world),
            )
        except (AvailabilityError, FencedError, IntegrityError) as error:
            self.fault = error
            self.world.log(process.name, f"does not start: {type(error).__name__}")
            self.kill()
            return
        self.on_started(self)
        if self.standby is not None:
            self.standby.watch(lambda error: self._lose(process, error))
        if self.open_doors is not None:
            self.doors = self.open_doors(process)
        self.world.log(process.name, f"leads from {self.log.head().size if self.log else 0}")

    def _lose(self, process: Process, error: LedgerError) -> None:
        """End, because the lease went to another host."""
        self.world.log(process.name, f"loses the lease: {type(error).__name__}")
        self.world.call_in(0, lambda: self.kill() if self.process is process else None)

    def kill(self) -> None:
        """End the process at once, perhaps from inside; the machine goes on."""
        process, keys, log = self.process, self.keys, self.log
        self.process = self.ledger = self.log = self.keys = self.doors = None
        self.standby = None
        if keys is not None:
            keys.close()  # as the system does with its files
        if isinstance(log, SimulatedSqliteLog):
            log.end()
        if process is not None:
            process.kill()

    def die_of_the_network(self) -> None:
        """End, because the brokers can't be reached for too long."""
        if self.world.is_faulty:
            self.kill()

    def lose_power(self) -> None:
        """End everything; what was not synced may be gone."""
        self.disk.crash()
        self.kill()

    def die(self, with_power: bool = False) -> None:  # noqa: FBT002 - one word at the place of call
        """End at this very access, unless nothing of the host runs."""
        if self.is_up and self.process is not None and self.process.is_current:
            if with_power:
                self.disk.crash()
            self.kill()

    def close(self) -> None:
        """Ask the process to answer what is queued and to end."""
        process, ledger, standby = self.process, self.ledger, self.standby
        if process is None or ledger is None:
            return

        def close() -> None:
            ledger.close()
            if standby is not None:
                standby.close()
            if self.process is process:
                self.kill()

        process.spawn(close)

    def set_clock(self, seconds: float) -> None:
        """Set the clock to so many seconds from the true time."""
        self.offset = int(seconds * SECOND)
