"""Commands as JSON lines, and their answers: the same for a pipe, a socket and HTTP.

A line is one command, its answer one JSON object: ``recorded`` or ``refused`` with the receipt,
``valid`` when nothing was to be written, or ``error`` with its ``kind`` and a text. Answers
come in the order of the lines; a line with a ``command_id`` may be sent again.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NotRequired, Protocol, TypedDict

import msgspec

from ledger.core.errors import InputError, LedgerError
from ledger.core.refusals import Refusal  # noqa: TC001 - msgspec reads the type
from ledger.decisions.decider import decode_command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future
    from uuid import UUID

    from ledger.events.command import Command
    from ledger.writer import Receipt

__all__ = [
    "LINE_BYTES_MAX",
    "Answer",
    "Decider",
    "Line",
    "Lines",
    "Numbering",
    "await_answer",
    "begin",
    "error_answer",
    "numbered",
]

LINE_BYTES_MAX = 1 << 20


class Lines(Protocol):
    """A source of lines: a file, a pipe or a connection."""

    def readline(self, limit: int, /) -> bytes:
        """Read up to the end of a line, or ``limit`` bytes; return ``b""`` at the end."""


class Decider(Protocol):
    """A destination of commands: a ledger, or a layer in front of one."""

    def submit(self, command: Command) -> Future[Receipt]:
        """Take a command; receipts come in the order of submission."""


class Line(NamedTuple):
    """A line in progress: its future receipt, or its answer, and the time at which it arrived."""

    number: int
    answer: Future[Receipt] | dict[str, Any]
    begun_at: float = 0.0


class Numbering:
    """Number the lines of a stream that arrives in pieces, wherever the pieces are cut.

    Empty lines are skipped; None stands for a line that is too long, of which no bytes are kept.
    A byte-order mark of UTF-8 at the beginning is not part of the first line.
    """

    def __init__(self) -> None:
        """Begin before the first line."""
        self._number = 0
        self._held = bytearray()
        self._is_too_long = False

    @property
    def is_inside(self) -> bool:
        """Return whether a line has begun and not yet ended."""
        return bool(self._held) or self._is_too_long

    def feed(self, content: bytes) -> Iterator[tuple[int, bytes | None]]:
        """Take a piece and return the lines that end in it."""
        begin = 0
        while end := content.find(b"\n", begin) + 1:
            self._hold(content[begin:end])
            yield from self.end()
            begin = end
        self._hold(content[begin:])

    def end(self) -> Iterator[tuple[int, bytes | None]]:
        """Yield the remaining bytes as the last line, if there are any."""
        if not self.is_inside:
            return
        self._number += 1
        line = None if self._is_too_long else bytes(self._held)
        self._held.clear()
        self._is_too_long = False
        if line is not None and self._number == 1:
            line = line.removeprefix(BOM_UTF8)
        if line is None or line.strip():
            yield self._number, line

    def _hold(self, part: bytes) -> None:
        size = len(self._held) + len(part) - part.endswith(b"\n")
        if self._is_too_long or size > LINE_BYTES_MAX:
            self._held.clear()
            self._is_too_long = True
        else:
            self._held += part


class Answer(TypedDict):
    """The answer to one line: the receipt, or what was wrong with the line."""

    line: int
    status: Literal["recorded", "allowed", "refused", "valid", "error"]
    dry_run: NotRequired[Literal[True]]
    command: NotRequired[str]
    kind: NotRequired[str]
    text: NotRequired[str]
    chain: NotRequired[str]
    command_id: NotRequired[str]
    first_position: NotRequired[int]
    last_position: NotRequired[int]
    hash: NotRequired[str]
    recorded_at: NotRequired[int]
    events: NotRequired[list[str]]
    refused: NotRequired[Refusal]


def numbered(stream: Lines) -> Iterator[tuple[int, bytes | None]]:
    """Number the lines of a stream; see :class:`Numbering`."""
    numbering = Numbering()
    while piece := stream.readline(LINE_BYTES_MAX + 1):
        yield from numbering.feed(piece)
    yield from numbering.end()


def begin(
    ledger: Decider | None, line: bytes | None, command_id: UUID | None = None
) -> Future[Receipt] | dict[str, Any]:
    """Put a line into the ledger's queue; without a ledger, only check whether the line is valid.

    ``command_id`` is the identifier of a command that has none itself.
    """
    try:
        if line is None:
            raise InputError(f"the command is longer than {LINE_BYTES_MAX} bytes")
        command = decode_command(line)
        if command_id is not None:
            if command.command_id not in {None, command_id}:
                raise InputError(
                    f"it was sent as {command_id} and says command_id {command.command_id}: "
                    "give one of them"
                )
            command = msgspec.structs.replace(command, command_id=command_id)
        if ledger is None:
            return {"status": "valid", "command": str(command.__struct_config__.tag)}
        return ledger.submit(command)
    except LedgerError as error:
        return error_answer(error)


def await_answer(line: Line) -> dict[str, Any]:
    """Wait for the receipt of a line and return its answer."""
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
    """Describe an error and who must act on it, as an answer."""
    return {"status": "error", "kind": error.kind, "text": str(error)}
