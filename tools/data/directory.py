"""The data directory: one chain, its keys and its projection.

``DIR`` holds ``log.sqlite`` (the evidence) with its index, ``keys/`` (persons, digests,
checkpoints; mode 700) and ``projection/``, which can be deleted and rebuilt. One process writes at
a time; any number may read, even without write permission: what a reader has to store goes to a
cache of its own. If the log is on Kafka, ``DIR`` holds only what this machine needs besides: the
index and the last acknowledged head. Only this module knows which log is used and where tables and
keys are; commands ask it. Modules needed only by a writer are imported when a writer is opened: a
query does not load the rules of the games.
"""

from __future__ import annotations

import os
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.core.clock import StoppedClock, in_prague
from ledger.core.errors import AuthorizationError, AvailabilityError, InputError
from ledger.events.encoding import decode_envelope
from ledger.events.event_types import AccountOpened
from ledger.log.opening import opening_in, opening_of
from ledger.log.port import Query, events_at
from ledger.log.sqlite import SqliteLog
from ledger.log.standby import LockStandby
from ledger.storage.durable import make_folder
from ledger.storage.writer_lock import WriterLock
from tools.data.locations import Locations
from tools.sanitize import warn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ledger.core.clock import Clock
    from ledger.log.port import Log
    from ledger.log.standby import Standby
    from ledger.privacy import KeyStore
    from ledger.rules.operator import NamedRules
    from ledger.writer import Ledger
    from projections.store.clickhouse import ClickHouseServer
    from tools.service.client import AnyLedger

__all__ = ["DataDirectory", "is_log_url", "open_log"]


CLOCK_WAIT_SECONDS = 10.0
"""How long a writer that takes over waits for what one with a faster clock recorded last."""
PERSONS_MAX = 100
"""How many accounts, from the first on, are looked at to find a person whom the keys know."""


def open_log(
    place: Path | str,
    folder: Path,
    *,
    writable: bool,
    overtaking: bool = False,
    creating: bool = True,
    cache: Path | None = None,
) -> Log:
    """Open the log at a location: the URL of a topic, or else a folder with ``log.sqlite``.

    Args:
        place: URL or folder.
        folder: where this machine stores its files for a log that is elsewhere.
        writable: open for the one writer.
        overtaking: open even if another writer serves the topic, which is then fenced.
        creating: the one writer creates a missing topic.
        cache: where a reader may store an index of its own.

    Raises:
        InputError: there is no log to read.
        IntegrityError: the log is damaged.
        AvailabilityError: another process writes, or the disk or broker is unavailable.

    """
    if isinstance(place, str) and is_log_url(place):
        from ledger.log.kafka.log import KafkaLog, KafkaSettings
        from ledger.log.kafka.standby import has_writers

        settings = KafkaSettings.from_url(place)
        if writable and not overtaking and has_writers(settings):
            raise AvailabilityError(
                f"a writer serves topic {settings.topic}, and writing here would fence it: name "
                "it with --writers https://host:port, or stop it and its standbys first"
            )
        log = KafkaLog(settings, folder, writable=writable, creating=creating, cache=cache)
        if log.fault is not None:
            warn(f"warning: {log.fault}", *log.fault.__notes__)
        return log
    return SqliteLog(place, writable=writable, cache=cache)


def is_log_url(place: str) -> bool:
    """Return whether a location is the URL of a topic and not a folder."""
    return place.startswith("kafka:")


class DataDirectory:
    """A data directory; nothing is opened or created before it is needed."""

    def __init__(
        self,
        path: Path | str,
        locations: Locations | None = None,
        *,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        """Set the path.

        Args:
            path: the directory.
            locations: what is stored elsewhere; None reads it from the environment.
            environment: variables of the program.

        """
        self.path, self.environment = Path(path), environment
        self._locations = locations

    def __str__(self) -> str:
        """Return the path."""
        return str(self.path)

    @property
    def locations(self) -> Locations:
        """Locations outside of the directory.

        Raises:
            InputError: the environment names an invalid location, or a log though the directory
                holds one.

        """
        if self._locations is None:
            found = Locations.from_environment(self.environment)
            if found.log is not None and self._log_here.exists():
                raise InputError(
                    f"{self.path} holds a log of its own, and {found.log} is named: leave --log "
                    "and GAMELEDGER_LOG out to use the one of the folder, or name another folder "
                    "with --data"
                )
            self._locations = found
        return self._locations

    @property
    def hosts(self) -> frozenset[str]:
        """Names, besides those of this machine, by which clients may address ports of this program.

        Raises:
            InputError: one of them is not a host name.

        """
        from tools.web.hosts import allowed_hosts

        return allowed_hosts(self.environment)

    @property
    def has_log(self) -> bool:
        """Return whether there is a chain; on Kafka, query the broker.

        Raises:
            AvailabilityError: the broker is unavailable.

        """
        if self.locations.log is None:
            return self._log_here.exists()
        try:
            log = self.open_log(writable=False)
        except InputError:
            return False
        try:
            return log.head().size > 0
        finally:
            log.close()

    @property
    def _log_here(self) -> Path:
        return self.path / "log.sqlite"

    @property
    def index_path(self) -> Path:
        """File of the log's index, wherever the log is."""
        return self.path / "index.sqlite"

    @property
    def keys_path(self) -> Path:
        """Folder of the keys."""
        return self.locations.keys or self.path / "keys"

    @property
    def certificates(self) -> tuple[Path, ...]:
        """TLS certificates used by this process, whose expiry is monitored."""
        tls = self.locations.tls
        return () if tls is None else (tls.authority, tls.certificate)

    @property
    def signing_key_path(self) -> Path:
        """File of the key that signs checkpoints."""
        return self.keys_path / "checkpoint.key"

    @property
    def misconduct_path(self) -> Path:
        """Folder of proofs that two histories of the chain were signed."""
        return self.path / "misconduct"

    @property
    def cache(self) -> Path:
        """Folder for files of a reader who can't use those in the directory."""
        named = self.environment.get("GAMELEDGER_CACHE")
        above = self.environment.get("XDG_CACHE_HOME") or Path("~").expanduser() / ".cache"
        place = self.locations.log or str(self.path.resolve())
        base = Path(named) if named else Path(above) / "gameledger"
        return base / sha256(place.encode(errors="surrogateescape")).hexdigest()[:16]

    def at_hand(self, log: Log) -> Log | None:
        """Return a log with fast access to messages, if the tables here belong to it."""
        is_beside = self.locations.log is None and self.locations.clickhouse is None
        return log if is_beside else None

    def projection(self) -> Path | ClickHouseServer:
        """Return the location of the tables that this machine writes: a folder, or a server.

        Raises:
            InputError: the URL of the server is invalid, or there are several.

        """
        place = self.tables_to_read()
        if isinstance(place, Path):
            return place
        if len(place) > 1:
            raise InputError(
                "several servers of ClickHouse are named, and a projector writes to one: name it "
                "with --clickhouse"
            )
        return place[0]

    def tables_to_read(self) -> Path | tuple[ClickHouseServer, ...]:
        """Return the locations of the tables for a reader: a folder, or one or more servers.

        Raises:
            InputError: the URL of a server is invalid.

        """
        if self.locations.clickhouse is None:
            return self.path / "projection"
        from projections.store.clickhouse import ClickHouseServer

        return tuple(
            ClickHouseServer.parse(url, password=self.locations.clickhouse_password)
            for url in self.locations.clickhouse.split(",")
        )

    @contextmanager
    def projecting(self) -> Iterator[None]:
        """Hold the lock of the one process of this directory that writes tables.

        The embedded engine enforces this by itself; a server would admit two processes, which would
        duplicate each other's rows.

        Raises:
            AvailabilityError: another process holds the lock.

        """
        if self.locations.clickhouse is None:
            yield
            return
        make_folder(self.path)
        try:
            lock = WriterLock(self.path / "projector.lock")
        except AvailabilityError as error:
            raise AvailabilityError(
                f"another process of {self.path} projects into the server: leave it to that one, "
                "or stop it first"
            ) from error
        try:
            yield
        finally:
            lock.release()

    def open_log(self, *, writable: bool, overtaking: bool = False, creating: bool = True) -> Log:
        """Open the log, even if it has no chain; see :func:`open_log`."""
        place = self.locations.log or self.path
        return open_log(
            place,
            self.path,
            writable=writable,
            overtaking=overtaking,
            creating=creating,
            cache=self.cache,
        )

    def create(
        self,
        *,
        operator: str,
        operator_name: str,
        chain: str,
        rules: NamedRules | None = None,
        clock: Clock | None = None,
    ) -> Ledger:
        """Create a chain and open it for writing; ``rules`` as in :meth:`Ledger.create`.

        Raises:
            InputError: there is a chain already.
            AvailabilityError: the directory can't be used, or another process writes.

        """
        from ledger.privacy import KeyStore
        from ledger.writer import Ledger

        log = self.open_log(writable=True)
        try:
            keys = KeyStore(self.keys_path)
            return Ledger.create(
                log,
                keys,
                operator=operator,
                operator_name=operator_name,
                chain_name=chain,
                rules=rules,
                clock=clock,
            )
        except BaseException:
            log.close()
            raise

    def write(self, *, clock: Clock | None = None) -> AnyLedger:
        """Open the chain for writing: in this process, or through the configured writers.

        Raises:
            InputError: there is no chain, or an address is invalid.
            IntegrityError: the log is damaged.
            AvailabilityError: another process writes, or the clock is behind the chain.

        """
        if self.locations.writers is not None:
            from tools.service.client import LedgerClient

            addresses = self.locations.writers.split(",")
            return LedgerClient(
                addresses, self.read, tls=self.locations.tls, token=self.locations.token
            )
        return self._open_ledger(clock=clock, overtaking=False)

    def lead(self, *, clock: Clock | None = None) -> Ledger:
        """Open the chain for writing in this process, even if writers are configured.

        Raises:
            InputError: there is no chain.
            IntegrityError: the log is damaged.
            AvailabilityError: another process writes, or the clock is behind the chain.

        """
        return self._open_ledger(
            clock=clock, overtaking=True, clock_wait_seconds=CLOCK_WAIT_SECONDS
        )

    def rehearse(self, moment: int) -> Ledger:
        """Open the chain for a dry run: commands are decided as of a time, and nothing is recorded.

        Raises:
            InputError: there is no chain or no key store, or the chain ends after that time.

        """
        from ledger.log.dry_run import DryRunLog
        from ledger.privacy import DryRunKeys
        from ledger.writer import Ledger

        log = self.read()
        try:
            _require_not_before_end(log, moment)
            self._require_keys()
            keys = DryRunKeys(self.keys_path)
            self._require_keys_of(log, keys)
            return Ledger(DryRunLog(log), keys, clock=StoppedClock(moment))
        except BaseException:
            log.close()
            raise

    def _open_ledger(
        self, *, clock: Clock | None, overtaking: bool, clock_wait_seconds: float = 0
    ) -> Ledger:
        from ledger.privacy import KeyStore
        from ledger.writer import Ledger

        self._require_log()
        log = self.open_log(writable=True, overtaking=overtaking, creating=False)
        try:
            opening_of(log)
            self._require_keys()
            keys = KeyStore(self.keys_path)
            self._require_keys_of(log, keys)
            return Ledger(log, keys, clock=clock, clock_wait_seconds=clock_wait_seconds)
        except BaseException:
            log.close()
            raise

    def read(self) -> Log:
        """Open the log for reading, also while another process writes.

        Raises:
            InputError: there is no chain.
            IntegrityError: the log is damaged.

        """
        self._require_log()
        return self.open_log(writable=False)

    def chain_name(self) -> str:
        """Read the name of the chain, without waiting for a writer or indexer.

        Raises:
            InputError: there is no chain.
            AvailabilityError: the broker is unavailable.

        """
        self._require_log()
        if self.locations.log is None:
            with closing(self.read()) as log:
                return opening_of(log).chain
        from ledger.log.kafka.reader import genesis_of

        return opening_in(genesis_of(self.locations.log)).chain

    def standby(self, *, lease_seconds: float) -> Standby:
        """Start to wait for the leadership as a standby.

        Raises:
            InputError: there is no chain, or the lease is too short.
            AvailabilityError: the broker is unavailable, or another process uses the directory.

        """
        self._require_log()
        if self.locations.log is None:
            return LockStandby(self.path)
        from ledger.log.kafka.log import KafkaSettings
        from ledger.log.kafka.standby import KafkaStandby

        settings = KafkaSettings.from_url(self.locations.log)
        return KafkaStandby(settings, self.path, lease_seconds=lease_seconds)

    def keys(self) -> KeyStore:
        """Open the key store for reading.

        Raises:
            InputError: there is no key store.
            AuthorizationError: this user may not read it, or other users may use it.

        """
        from ledger.privacy import KeyStore

        try:
            if not KeyStore.exists_in(self.keys_path):
                raise InputError(
                    f"{self.keys_path} holds no key store: personal data can't be read"
                )
            return KeyStore(self.keys_path, writable=False)
        except PermissionError as error:
            raise AuthorizationError(
                f"{self.keys_path} belongs to another user: personal data is for its readers alone"
            ) from error

    @contextmanager
    def keys_at_hand(self) -> Iterator[KeyStore | None]:
        """Lend the key store for reading; None if this user has none."""
        try:
            keys = self.keys()
        except (InputError, AuthorizationError):
            yield None
            return
        with closing(keys):
            yield keys

    def _require_keys(self) -> None:
        """Require that a chain continues with its keys: new keys would recognise no person."""
        from ledger.privacy import KeyStore

        if not KeyStore.exists_in(self.keys_path):
            raise InputError(
                f"{self.keys_path} does not hold the keys of the chain: put them back from their "
                "copy, or name their folder with --keys or GAMELEDGER_KEYS"
            )

    def _require_keys_of(self, log: Log, keys: KeyStore) -> None:
        """Require that the keys know a person of the chain: others would admit each again."""
        opened = events_at(log, log.find(Query(types=("AccountOpened",)), limit=PERSONS_MAX))
        persons = [one.event.person for one in opened if isinstance(one.event, AccountOpened)]
        if persons and not any(map(keys.knows, persons)):
            keys.close()
            raise InputError(
                f"{self.keys_path} holds no key of a person of the chain, so it is empty or of "
                "another chain: restore it from its copy, or name the folder of the chain with "
                "--keys or GAMELEDGER_KEYS"
            )

    def _require_log(self) -> None:
        if self.locations.log is None and not self.has_log:
            raise InputError(
                f"{self.path} holds no log: begin a chain with `gameledger init`, "
                "or name another directory with --data or GAMELEDGER_DATA"
            )


def _require_not_before_end(log: Log, moment: int) -> None:
    for _, last in log.read(log.head().size - 1):
        ends = decode_envelope(last).recorded_at
        if moment < ends:
            raise InputError(
                f"the chain ends at {in_prague(ends).isoformat()}: a dry run decides on what it "
                "holds at its end, name a moment that is not before it"
            )
