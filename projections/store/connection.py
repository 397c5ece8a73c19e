"""Connections to ClickHouse, and the classification of its errors.

What comes in: a location, a directory or a server. What goes out: a connector, usable any number of
times, and errors classified by who must act. The embedded engine allows one process at a time; the
error for a directory in use names the process that uses it, because the engine's own text is empty
in this case.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.core.errors import AuthorizationError, AvailabilityError, InputError, LedgerError
from ledger.storage.durable import PRIVATE
from ledger.storage.secret_files import require_private
from projections.store import engine
from projections.store.clickhouse import ClickHouseServer
from projections.store.cluster import replicas_of
from projections.store.folders import holder_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import IOBase

    from clickhouse_connect.driver.client import Client
    from clickhouse_connect.driver.exceptions import ClickHouseError

__all__ = [
    "Connector",
    "engine_error",
    "is_gone",
    "translated",
    "translating",
    "whole_lines",
]

SETTINGS = {
    "async_insert": 0,
    "compile_aggregate_expressions": 0,
    "compile_expressions": 0,
    "compile_sort_description": 0,
    "input_format_avro_allow_missing_fields": 1,
    "insert_deduplicate": 0,
    "lightweight_mutation_projection_mode": "rebuild",
    "optimize_and_compare_chain": 0,
    "session_timezone": "UTC",
}
"""Settings of every query.

An insert is complete when it is acknowledged, whatever the server's profile says. A block that is
sent again after its rows were deleted is not a duplicate, although a table with a deduplication
window, such as every replicated one, would answer success and drop it; see ``NEWER_SETTINGS``.
Without ``rebuild``, a table with a projection rejects deletes. Compiling the expressions of a query
takes longer than it saves, with few events and with 300,000. Deriving conditions from chains of
comparisons costs a tenth of the planning of a reconciliation.
"""

NEWER_SETTINGS = {"deduplicate_insert": "disable"}
"""Settings that older servers do not know.

Since ClickHouse 26.2 this one decides about duplicates, and ``insert_deduplicate`` decides nothing.
"""
CLUSTER_SETTINGS = {
    "distributed_ddl_output_mode": "throw",
    "distributed_ddl_task_timeout": 180,
    "insert_quorum_parallel": 1,
    "insert_quorum_timeout": 60_000,
}
"""What inserts and definitions on all replicas rest on besides the quorum: ADR 0035.

Two connections may insert into one table, each waits a minute for all replicas, and a definition
that a replica did not carry out within three minutes is an error.
"""
GONE = {60, 81}
"""Error codes of a missing table or database: perhaps its generation was replaced."""
NO_COLUMNS = {51, 90}
"""Error codes of a view without its parameters."""
FORBIDDEN = {164, 192, 193, 194, 497, 516}
"""Error codes of a read-only user, a wrong password or a missing privilege."""


PIECE_BYTES = 1 << 18
EXCEPTION_BYTES_MAX = 1 << 15
"""Maximum bytes of a server's error among the rows: up to 16 KiB between two marks."""
BEGINS_A_ROW = b'"{,-0123456789'


def engine_error() -> type[ClickHouseError]:
    """Return the error class of the client, importing it at the first call.

    The import loads a web client and all of its types, which would delay every help text.
    """
    from clickhouse_connect.driver.exceptions import ClickHouseError

    return ClickHouseError


@dataclass(frozen=True, slots=True)
class Connector:
    """Connects to a location, any number of times; can be passed to other processes."""

    location: Path | ClickHouseServer

    @property
    def serves_others(self) -> bool:
        """Whether other processes may connect at the same time."""
        return isinstance(self.location, ClickHouseServer)

    def __call__(self) -> Client:
        """Connect.

        Raises:
            AvailabilityError: another process uses the directory, or the server is unavailable.
            AuthorizationError: the server rejects the user.
        """
        if isinstance(self.location, ClickHouseServer):
            return _connect_to(self.location)
        return _open(self.location)

    def renew(self, client: Client) -> None:
        """Let the next inserts of a connection wait for all replicas that the cluster has now.

        Raises:
            AvailabilityError: the server is unavailable.
            InputError: the cluster is no longer there, or has several shards.

        """
        server = self.location
        if isinstance(server, ClickHouseServer) and server.cluster:
            with translating():
                client.set_client_setting("insert_quorum", replicas_of(client, server.cluster))


def _connect_to(server: ClickHouseServer) -> Client:
    import clickhouse_connect

    try:
        if server.client_cert_key is not None:
            require_private(Path(server.client_cert_key))
        client = clickhouse_connect.get_client(**server.options(), settings=dict(SETTINGS))
        _set_newer(client)
        if server.cluster:
            for name, value in CLUSTER_SETTINGS.items():
                client.set_client_setting(name, value)
            client.set_client_setting("insert_quorum", replicas_of(client, server.cluster))
    except OSError as error:  # a missing certificate
        raise AvailabilityError(f"ClickHouse at {server} can't be reached: {error}") from error
    except engine_error() as error:
        raise translated(error) from error
    return client


def _open(path: Path) -> Client:
    import clickhouse_connect

    name = engine.named(path)
    engine.load()
    try:
        path.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        client = clickhouse_connect.get_client(
            interface="chdb",
            path=name,
            chdb_options=engine.SETTINGS,
            settings=dict(SETTINGS),
        )
    except OSError as error:
        raise AvailabilityError(f"the directory {path} can't be used: {error}") from error
    except engine_error() as error:
        raise _refused(path, error) from error
    _set_newer(client)
    return client


def _set_newer(client: Client) -> None:
    for name, value in NEWER_SETTINGS.items():
        if name in client.server_settings:
            client.set_client_setting(name, value)


def _refused(path: Path, error: ClickHouseError) -> LedgerError:
    """Return an error that explains why the engine did not open a directory.

    The engine's own text is often empty.
    """
    if "already initialized with path" in str(error):
        return AvailabilityError(
            f"this process already works with another ClickHouse directory than {path}: "
            "close that one first, or use a second process"
        )
    holder = holder_of(path)
    if holder:
        return AvailabilityError(
            f"{path} is in use by another process ({holder}): the engine inside the process "
            "allows one at a time. Stop that process and repeat, or give the URL of a "
            "ClickHouse server, which serves many"
        )
    return AvailabilityError(f"{path} can't be opened as a ClickHouse directory: {error}")


def translated(error: ClickHouseError) -> LedgerError:
    """Classify an error of ClickHouse by who must act; its text never contains passwords."""
    missing = re.search(r"Substitution `(\w+)` is not set", str(error))
    if missing:
        name = missing[1]
        return InputError(
            f"the question needs a value for its parameter {name}: give {name} with it, "
            f"in a client of ClickHouse with `SET param_{name} = …`; docs/sql.md lists them"
        )
    if getattr(error, "code", None) in NO_COLUMNS:
        return InputError(
            "the question needs values for its parameters, and is a view without columns until "
            "they are given: docs/sql.md lists the parameters of each"
        )
    if getattr(error, "code", None) in FORBIDDEN:
        return AuthorizationError(f"ClickHouse does not allow this: {error}")
    return AvailabilityError(f"ClickHouse did not do it: {error}")


@contextmanager
def translating() -> Iterator[None]:
    """Translate errors of ClickHouse into the error classes of this program.

    Raises:
        AvailabilityError, AuthorizationError, InputError: by who must act.

    """
    try:
        yield
    except engine_error() as error:
        raise translated(error) from error


def whole_lines(stream: IOBase) -> Iterator[bytes]:
    """Yield the output of ClickHouse, rows in CSV or JSON, in pieces of whole lines.

    If the server cannot continue, it writes its error among the rows, or an incomplete line.

    Raises:
        AvailabilityError: the server could not continue.

    """
    rest = b""
    while piece := stream.read(PIECE_BYTES):
        end = piece.rfind(b"\n") + 1
        whole, rest = (rest + piece[:end], piece[end:]) if end else (b"", rest + piece)
        last = whole[whole.rfind(b"\n", 0, -1) + 1 :]
        has_marker = whole.find(b"\n__exception__", -EXCEPTION_BYTES_MAX) >= 0
        if whole and (last[0] not in BEGINS_A_ROW or has_marker):
            raise AvailabilityError(
                f"ClickHouse did not go on: {last[:200].decode(errors='replace')}"
            )
        if whole:
            yield whole
    if rest:
        raise AvailabilityError("ClickHouse did not go on: the last row is cut off")


def is_gone(error: ClickHouseError) -> bool:
    """Return whether an error says that a table or database is missing.

    Its generation may have been replaced.
    """
    return getattr(error, "code", None) in GONE
