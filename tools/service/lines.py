"""Commands as JSON lines, and their answers: the same for a pipe and for a socket.

A line is one command, its answer one JSON object: ``recorded`` or ``refused`` with the receipt,
``valid`` when nothing was to be written, or ``error`` with its ``kind`` and a text. Answers
come in the order of the lines; a line with a ``command_id`` may be sent again.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from ledger.core.errors import InputError, LedgerError
from ledger.decisions.decider import read_command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from ledger.core.command import Command
    from ledger.writer import Receipt

__all__ = [
    "LINE_BYTES_MAX",
    "Decider",
    "Line",
    "Lines",
    "answer_of",
    "begin",
    "error_answer",
    "numbered",
]

LINE_BYTES_MAX = 1 << 20


class Lines(Protocol):
    """Where lines come from: a file, a pipe, a connection."""

    def readline(self, limit: int, /) -> bytes:
        """Read up to the end of a line, or so many bytes; none at the end."""


class Decider(Protocol):
    """Who takes commands: a ledger, or what stands before it."""

    def submit(self, command: Command) -> Future[Receipt]:
        """Take a command; receipts come in the order of submission."""


class Line(NamedTuple):
    """A line on its way: the receipt to come, or the answer itself."""

    number: int
    answer: Future[Receipt] | dict[str, Any]


def numbered(stream: Lines) -> Iterator[tuple[int, bytes | None]]:
    """Number the lines, leave empty ones out; None stands for a line that is too long.

    The mark with which some editors begin a file of UTF-8 is no part of the first line.
    """
    number = 0
    while line := stream.readline(LINE_BYTES_MAX + 1):
        number += 1
        is_too_long = len(line) > LINE_BYTES_MAX
        while is_too_long and line and not line.endswith(b"\n"):
            line = stream.readline(LINE_BYTES_MAX)
        if is_too_long:
            yield number, None
            continue
        if number == 1:
            line = line.removeprefix(BOM_UTF8)
        if line.strip():
            yield number, line


def begin(ledger: Decider | None, line: bytes | None) -> Future[Receipt] | dict[str, Any]:
    """Put a line into the ledger's queue; without a ledger, only look whether it is valid."""
    try:
        if line is None:
            raise InputError(f"the line is longer than {LINE_BYTES_MAX} bytes")
        command = read_command(line)
        if ledger is None:
            return {"status": "valid", "command": str(command.__struct_config__.tag)}
        return ledger.submit(command)
    except LedgerError as error:
        return error_answer(error)


def answer_of(line: Line) -> dict[str, Any]:
    """Wait for the receipt of a line and give its answer."""
    if isinstance(line.answer, dict):
        return {"line": line.number, **line.answer}
    try:
        receipt = line.answer.result()
    except LedgerError as error:
        return {"line": line.number, **error_answer(error)}
    status = "recorded" if receipt.refused is None else "refused"
    facts = msgspec.to_builtins(receipt)
    if receipt.refused is None:
        del facts["refused"]
    return {"line": line.number, "status": status, **facts}


def error_answer(error: LedgerError) -> dict[str, Any]:
    """Say what was wrong, and who must act."""
    return {"status": "error", "kind": error.kind, "text": str(error)}
