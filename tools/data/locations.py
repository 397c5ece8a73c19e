"""Locations of log, tables and keys of a chain outside of its data directory.

They are read from the environment; options of the program take precedence: ``GAMELEDGER_LOG`` (the
URL of a Kafka topic), ``GAMELEDGER_CLICKHOUSE`` (the URL of a server, for readers of several) with
``GAMELEDGER_CLICKHOUSE_PASSWORD`` or ``GAMELEDGER_CLICKHOUSE_PASSWORD_FILE``, ``GAMELEDGER_KEYS``
(a folder that writer and standby share), and ``GAMELEDGER_WRITERS`` (the addresses of ``gameledger
writer``). Whatever is not set is in the data directory, and in this process. The credentials
towards a writer, or of a writer, are ``GAMELEDGER_TLS_CA``, ``GAMELEDGER_TLS_CERT`` and
``GAMELEDGER_TLS_KEY``, or ``GAMELEDGER_TOKEN`` or ``GAMELEDGER_TOKEN_FILE``.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from ledger.core.errors import InputError
from ledger.storage.named_files import reading
from ledger.storage.secret_files import read_secret

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tools.service.tls import TlsFiles

__all__ = ["LOCAL", "Locations"]


@dataclass(frozen=True, slots=True)
class Locations:
    """Locations outside of a data directory; ``None`` means inside of it."""

    log: str | None = None
    clickhouse: str | None = None
    clickhouse_password: str | None = field(default=None, repr=False)
    keys: Path | None = None
    writers: str | None = None
    tls: TlsFiles | None = None
    token: str | None = field(default=None, repr=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Read the variables.

        Raises:
            InputError: a log of another kind is named, a TLS file is missing, or the file of
                a password or token can't be read.
            AuthorizationError: other users may use the file of a password or token.

        """
        found = os.environ if environment is None else environment
        log = found.get("GAMELEDGER_LOG") or None
        if log is not None and not log.startswith("kafka:"):
            raise InputError(
                f"{log} is no log: name a topic as kafka://host:port/topic, "
                "or leave --log and GAMELEDGER_LOG out and name a folder with --data"
            )
        keys = found.get("GAMELEDGER_KEYS")
        return cls(
            log=log,
            clickhouse=found.get("GAMELEDGER_CLICKHOUSE") or None,
            clickhouse_password=_secret(found, "GAMELEDGER_CLICKHOUSE_PASSWORD"),
            keys=Path(keys) if keys else None,
            writers=found.get("GAMELEDGER_WRITERS") or None,
            tls=_tls(found),
            token=_secret(found, "GAMELEDGER_TOKEN"),
        )


LOCAL = Locations()
"""Everything in the data directory, whatever the environment says."""


def _tls(environment: Mapping[str, str]) -> TlsFiles | None:
    if not any(environment.get(f"GAMELEDGER_TLS_{name}") for name in ("CA", "CERT", "KEY")):
        return None
    from tools.service.tls import TlsFiles

    return TlsFiles.from_environment(environment)


def _secret(environment: Mapping[str, str], name: str) -> str | None:
    """Read a secret from a variable, or from the file named by ``NAME_FILE``."""
    path = environment.get(f"{name}_FILE")
    if not path:
        return environment.get(name)
    if name in environment:
        raise InputError(f"{name} and {name}_FILE are both set: keep one")
    with reading(path, named=f"{name}_FILE"):
        return read_secret(Path(path)).decode("utf-8").rstrip("\r\n")
