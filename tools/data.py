"""The data directory: where one chain, its keys and its projection live.

``DIR`` holds ``log.sqlite`` (the evidence) with its index, ``keys/`` (persons, digests,
checkpoints; mode 700) and ``projection/``, which can be deleted and made again. One process
writes at a time; any number may read.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ledger.errors import InputError
from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore
from ledger.writer import Ledger

if TYPE_CHECKING:
    from ledger.clock import Clock

__all__ = ["DataDirectory"]


class DataDirectory:
    """One data directory; nothing is opened or made before it is asked for."""

    def __init__(self, path: Path | str) -> None:
        """Name it."""
        self.path = Path(path)

    @property
    def has_log(self) -> bool:
        """Tell whether there is a log."""
        return (self.path / "log.sqlite").exists()

    @property
    def keys_path(self) -> Path:
        """Folder of the keys."""
        return self.path / "keys"

    @property
    def signing_key_path(self) -> Path:
        """File of the key that signs checkpoints."""
        return self.keys_path / "checkpoint.key"

    @property
    def projection_path(self) -> Path:
        """Folder of the projection."""
        return self.path / "projection"

    def create(
        self, *, operator: str, operator_name: str, chain: str, clock: Clock | None = None
    ) -> Ledger:
        """Begin a chain and open it for writing.

        Raises:
            InputError: there is a chain already.
            AvailabilityError: the directory can't be used, or another process writes.

        """
        log = SqliteLog(self.path, writable=True)
        try:
            keys = KeyStore(self.keys_path)
            return Ledger.create(
                log,
                keys,
                operator=operator,
                operator_name=operator_name,
                chain_name=chain,
                clock=clock,
            )
        except BaseException:
            log.close()
            raise

    def write(self, *, clock: Clock | None = None) -> Ledger:
        """Open the chain for writing.

        Raises:
            InputError: there is no chain.
            IntegrityError: the log is damaged.
            AvailabilityError: another process writes, or the clock is behind the chain.

        """
        self._assert_log()
        log = SqliteLog(self.path, writable=True)
        try:
            return Ledger(log, KeyStore(self.keys_path), clock=clock)
        except BaseException:
            log.close()
            raise

    def read(self) -> SqliteLog:
        """Open the log for reading, also while another process writes.

        Raises:
            InputError: there is no chain.
            IntegrityError: the log is damaged.

        """
        self._assert_log()
        return SqliteLog(self.path, writable=False)

    def keys(self) -> KeyStore:
        """Open the key store.

        Raises:
            InputError: there is none.

        """
        if not (self.keys_path / "persons.sqlite").exists():
            raise InputError(f"{self.keys_path} holds no key store: personal data can't be read")
        return KeyStore(self.keys_path)

    def _assert_log(self) -> None:
        if not self.has_log:
            raise InputError(
                f"{self.path} holds no log: begin a chain with `gameledger init`, "
                "or name another directory with --data or GAMELEDGER_DATA"
            )
