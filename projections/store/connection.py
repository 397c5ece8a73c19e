"""How to reach ClickHouse, and what its errors mean.

What comes in: a location, a directory or a server. What goes out: a way to connect, any
number of times, and errors sorted by who must act. The engine inside the
process allows one process at a time; who holds a directory is said, because the engine's
own text is empty there.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.core.errors import AuthorizationError, AvailabilityError, InputError, LedgerError
from ledger.core.secret_files import require_private
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
    "session_timezone": "UTC",
}
"""What every query runs with.

An insert is there when it is answered, whatever the server's profile says. A block that is
sent again after its rows were deleted is no duplicate, which replicated tables would drop.
Without ``rebuild``, a table with a projection refuses deletes. To compile the expressions of a
query takes longer than it saves, with few events and with 300,000.
"""

GONE = {60, 81}
"""Error codes of a table or database that is not there: perhaps it was swapped away."""
NO_COLUMNS = {51, 90}
"""Error codes of a view whose parameters are not given."""
FORBIDDEN = {164, 192, 193, 194, 497, 516}
"""Error codes of a read-only user, a wrong password or a missing right."""


PIECE_BYTES = 1 << 18
EXCEPTION_BYTES_MAX = 1 << 15
"""Of what a server says among the rows: a message of up to 16 KiB between two marks."""
BEGINS_A_ROW = b'"{,-0123456789'


def engine_error() -> type[ClickHouseError]:
    """Return the error of the client, which is imported where something is asked, and not before.

    It brings a web client and all of its types along, for which no help has to wait.
    """
    from clickhouse_connect.driver.exceptions import ClickHouseError

    return ClickHouseError


@dataclass(frozen=True, slots=True)
class Connector:
    """A way to connect to a location, any number of times; other processes can be given it."""

    location: Path | ClickHouseServer

    @property
    def serves_others(self) -> bool:
        """Whether other processes may connect meanwhile."""
        return isinstance(self.location, ClickHouseServer)

    def __call__(self) -> Client:
        """Connect.

        Raises:
            AvailabilityError: the directory belongs to another process, or the server is away.
            AuthorizationError: the server refuses the user.
        """
        if isinstance(self.location, ClickHouseServer):
            return _connect_to(self.location)
        return _open(self.location)


def _connect_to(server: ClickHouseServer) -> Client:
    import clickhouse_connect

    try:
        if server.client_cert_key is not None:
            require_private(Path(server.client_cert_key))
        client = clickhouse_connect.get_client(**server.options(), settings=dict(SETTINGS))
        if server.cluster:
            client.set_client_setting("insert_quorum", replicas_of(client, server.cluster))
    except OSError as error:  # a certificate that is not there
        raise AvailabilityError(f"ClickHouse at {server} can't be reached: {error}") from error
    except engine_error() as error:
        raise translated(error) from error
    return client


def _open(path: Path) -> Client:
    import clickhouse_connect

    name = engine.named(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        with engine.connecting(path):
            return clickhouse_connect.get_client(
                interface="chdb", path=name, settings=dict(SETTINGS)
            )
    except OSError as error:
        raise AvailabilityError(f"the directory {path} can't be used: {error}") from error
    except engine_error() as error:
        raise _refused(path, error) from error


def _refused(path: Path, error: ClickHouseError) -> LedgerError:
    """Return why the engine did not open a directory; its own text often is empty."""
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
    """Sort an error of ClickHouse by who must act; passwords never stand in its text."""
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
    """Let errors of ClickHouse be ours.

    Raises:
        AvailabilityError, AuthorizationError, InputError: by who must act.
    """
    try:
        yield
    except engine_error() as error:
        raise translated(error) from error


def whole_lines(stream: IOBase) -> Iterator[bytes]:
    """Give what ClickHouse writes, row by row in CSV or JSON, in pieces that end with a line.

    A server that can't go on writes why among the rows, or less than a line.

    Raises:
        AvailabilityError: it did.

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
    """Is a table or database not there, perhaps because its generation was swapped away?"""
    return getattr(error, "code", None) in GONE
