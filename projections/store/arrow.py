"""Stream query results of any size as Apache Arrow record batches.

What comes in: a connection and a query. What goes out: batches as the engine produces them, a few
at a time. Guaranteed: a truncated result raises an error.
"""

from __future__ import annotations

import io
import os
import re
from contextlib import closing, contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any

import chdb
from clickhouse_connect.driver.binding import bind_query
from clickhouse_connect.driver.exceptions import DatabaseError
from pyarrow import ArrowException, ipc

from ledger.core.errors import AvailabilityError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clickhouse_connect.driver.client import Client
    from pyarrow import RecordBatch

__all__ = ["batches", "batches_in"]

END = b"\xff\xff\xff\xff\0\0\0\0"
"""End-of-stream marker of Arrow; a stream without it would pass for a complete one."""


@contextmanager
def batches(
    client: Client, sql: str, parameters: dict[str, Any] | None
) -> Iterator[Iterator[RecordBatch]]:
    """Run a query, and yield an iterator of its batches; valid while the context is open.

    Raises:
        AvailabilityError: the result is truncated, or is not an Arrow stream.

    """
    path = getattr(client, "path", None)  # of the engine in this process
    if path is None:
        with client.raw_stream(sql, parameters, fmt="ArrowStream") as stream:
            yield batches_in(stream)
    else:
        with _blocks(path, client.database, sql, parameters) as blocks:
            yield chain.from_iterable(map(batches_in, blocks))


@contextmanager
def _blocks(
    path: str, database: str | None, sql: str, parameters: dict[str, Any] | None
) -> Iterator[Iterator[io.BytesIO]]:
    """Query the embedded engine; each yielded block is a complete Arrow stream.

    The client would keep the whole result in memory, because it cannot concatenate Arrow blocks.
    """
    question, bound = bind_query(sql, parameters)
    given = {name.removeprefix("param_"): value for name, value in bound.items()}
    try:
        with closing(chdb.connect(os.path.realpath(path))) as engine:  # type: ignore[no-untyped-call]
            engine.query(f"USE {database}")
            with engine.send_query(question, "ArrowStream", params=given) as found:
                yield (io.BytesIO(block.bytes()) for block in found)
    except RuntimeError as error:  # the engine's; it has two classes of one name
        code = re.search(r"Code: (\d+)\.", str(error))
        raise DatabaseError(str(error), code=int(code[1]) if code else None) from error


def batches_in(stream: io.IOBase) -> Iterator[RecordBatch]:
    """Yield the batches of an Arrow stream from ClickHouse.

    Raises:
        AvailabilityError: the stream is truncated, or is not Arrow.

    """
    source = _EndCheckedStream(stream)
    try:
        yield from ipc.open_stream(source)
    except (ArrowException, OSError) as error:
        raise AvailabilityError(f"ClickHouse did not go on: {error}") from error
    if source.end != END:
        raise AvailabilityError("ClickHouse did not go on: the last batch is cut off")


class _EndCheckedStream:
    """A stream that remembers its last bytes, to check the end-of-stream marker."""

    closed = False

    def __init__(self, stream: io.IOBase) -> None:
        self._stream = stream
        self.end = b""

    def read(self, size: int) -> bytes:
        piece: bytes = self._stream.read(size)
        self.end = (self.end + piece[-len(END) :])[-len(END) :]
        return piece
