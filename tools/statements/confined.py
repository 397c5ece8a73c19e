"""Reading a statement file in a child process with bounds on memory and processor time.

XML and spreadsheets are read by libraries, and a small file can make them take gigabytes or never
end. What comes in: an open file and the settings of its issuer. What goes out: the lines and ends
that the reader gives, in batches as JSON through a pipe. Rejected: a file whose reading takes more
than :data:`MEMORY_BYTES_MAX`, or more seconds than its size allows.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from ledger.decisions.statements import StatementLine
from tools.statements.camt import read_camt
from tools.statements.issuer import Issuer
from tools.statements.parts import End, fault
from tools.statements.tables import read_xlsx

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from tools.statements.parts import Reader

__all__ = ["CONFINED", "MEMORY_BYTES_MAX", "read_confined"]

CONFINED: dict[str, Reader] = {"camt.053": read_camt, "xlsx": read_xlsx}
"""Readers that run in a child process, by format."""
MEMORY_BYTES_MAX = 1 << 30
"""Address space of the child; reading a million rows takes a third of it."""
SECONDS_LEAST = 30
BYTES_A_SECOND = 20_000
"""Processor time of the child: so many seconds, and one more for so many bytes of the file."""
BATCH = 500
_BATCHES = decoder_of(list[StatementLine | End])


class _Outcome(msgspec.Struct):
    """The last line of the child's answer: what is wrong with the file, if anything is."""

    fault: str


def read_confined(file: BinaryIO, issuer: Issuer) -> Iterator[StatementLine | End]:
    """Read a file in a child process; see :mod:`tools.statements.parts` for what comes out.

    Raises:
        InputError: what the reader rejects, or the bounds are passed.

    """
    seconds = SECONDS_LEAST + os.fstat(file.fileno()).st_size // BYTES_A_SECOND
    file.seek(0)
    bounds = (str(seconds), str(MEMORY_BYTES_MAX))
    arguments = [sys.executable, "-m", __name__, issuer.to_json(), *bounds]
    outcome: _Outcome | None = None
    with subprocess.Popen(  # noqa: S603 - our own program
        arguments, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as child:
        try:
            for line in child.stdout or ():
                if line.startswith(b"{"):
                    outcome = decoder_of(_Outcome).json(line)
                else:
                    yield from _BATCHES.json(line)
        finally:
            child.kill()
    if outcome is None:
        raise fault(1, 1, f"reading takes more than {seconds} s or {MEMORY_BYTES_MAX >> 20} MiB")
    if outcome.fault:
        raise InputError(outcome.fault)


def _main(settings: str, seconds: int, memory: int) -> None:
    """Read the standard input, and write batches and then the outcome."""
    issuer = decoder_of(Issuer).json(settings)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    parts = CONFINED[issuer.format](sys.stdin.buffer, issuer)
    wrong = ""
    try:
        while batch := list(islice(parts, BATCH)):
            sys.stdout.buffer.write(msgspec.json.encode(batch) + b"\n")
    except InputError as error:
        wrong = str(error)
    except (MemoryError, RecursionError):
        return
    sys.stdout.buffer.write(msgspec.json.encode(_Outcome(wrong)) + b"\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
