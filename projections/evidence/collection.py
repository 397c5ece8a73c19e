"""Pack the evidence of several rounds into one archive with a table of contents.

What comes in: a log with a checkpoint, up to :data:`ROUNDS_MAX` rounds, and the participant whom
the files are for, or none. What goes out: a ZIP archive with an evidence file for each round, which
proves its round alone, and with ``contents.html`` and ``contents.json``, which list the rounds and
the SHA-256 of their files. The table of contents proves nothing by itself. The same log gives the
same bytes. Rejected: no round, too many, one named twice, and an unknown round.
"""

from __future__ import annotations

import re
import zipfile
from hashlib import sha256
from typing import IO, TYPE_CHECKING, cast

from msgspec import Struct, json

from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.events.encoding import decode
from ledger.tlog.signing import parse_note
from projections.evidence.collect import MADE_BY, complete_to, require_known, rounds_evidence
from projections.evidence.document import encode
from projections.evidence.page import page_of, render

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from ledger.log.port import Log
    from projections.evidence.document import Evidence

__all__ = ["ROUNDS_MAX", "collect_rounds", "evidence_name", "packed"]

ROUNDS_MAX = 200
EARLIEST = (1980, 1, 1, 0, 0, 0)
UNIX = 3
READABLE = 0o100644 << 16


class _Line(Struct, frozen=True):
    """A round of an archive: when it was opened (microseconds), its result and its file.

    ``wording`` is empty without a result, or if the record of the result is withheld.
    """

    round: str
    game: str
    table: str
    opened_at: int
    wording: str
    messages: int
    withheld: int
    file: str
    bytes: int
    sha256: str


class _Contents(Struct, frozen=True):
    """The table of contents of an archive; ``size`` is the number of messages of the checkpoint.

    ``lacking`` are the requested rounds that go on behind the checkpoint.
    """

    made_by: str
    chain: str
    size: int
    meant_for: str
    rounds: tuple[_Line, ...]
    lacking: tuple[str, ...]


def evidence_name(tag: str, suffix: str) -> str:
    """Return the name of an evidence file by its subject, with letters, digits and hyphens only."""
    kind, _, name = tag.partition(":")
    return f"evidence-{kind}-{re.sub('[^A-Za-z0-9-]', '_', name)[:100]}{suffix}"


def collect_rounds(log: Log, names: Sequence[str], *, account: str = "") -> list[Evidence]:
    """Collect the evidence of rounds, each of which proves its round alone.

    Raises:
        InputError: no round, too many, one twice, or one that is unknown or not covered.

    """
    if not 1 <= len(names) <= ROUNDS_MAX:
        raise InputError(f"{len(names)} rounds are named: name 1 to {ROUNDS_MAX}")
    if len(set(names)) < len(names):
        raise InputError("a round is named twice: name each one once")
    return [require_known(one) for one in rounds_evidence(log, names, account=account)]


def packed(made: Sequence[Evidence], lacking: Sequence[str] = ()) -> Generator[bytes, None, None]:
    """Pack evidence of rounds into an archive, given in pieces; each page is verified as made.

    The contents name the ``lacking`` rounds, of which there is no evidence yet.
    """
    sink = _Sink()
    lines = []
    with zipfile.ZipFile(cast("IO[bytes]", sink), "w") as archive:
        for number, evidence in enumerate(made, 1):
            page = page_of(encode(evidence))
            file = f"{number:03}-{evidence_name(evidence.subject.tag, '.html')}"
            _add(archive, file, page)
            lines.append(_line(evidence, file, page))
            yield sink.take()
        checkpoint = parse_note(made[0].note)[0]
        size, meant_for = complete_to(made[0]), made[0].subject.account
        contents = _Contents(
            MADE_BY, checkpoint.chain, size, meant_for, tuple(lines), tuple(lacking)
        )
        _add(archive, "contents.html", render("contents.html", contents=contents).encode())
        _add(archive, "contents.json", json.encode(contents) + b"\n")
    yield sink.take()


class _Sink:
    """What a ZIP archive was written of since the last piece was taken."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self.pieces.append(bytes(piece))
        return len(self.pieces[-1])

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        taken, self.pieces = b"".join(self.pieces), []
        return taken


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, EARLIEST)
    entry.create_system, entry.external_attr = UNIX, READABLE
    archive.writestr(entry, content, compress_type=zipfile.ZIP_DEFLATED)


def _line(evidence: Evidence, file: str, page: bytes) -> _Line:
    name = evidence.subject.tag.removeprefix("round:")
    game = table = wording = ""
    opened_at = 0
    for message in evidence.messages:
        recorded = decode(message.body)
        event = recorded.event
        if getattr(event, "round", "") != name:
            continue
        if isinstance(event, e.RoundOpened | e.HandStarted):
            game, table, opened_at = event.game, event.table, recorded.envelope.recorded_at
        elif isinstance(event, e.RoundResulted):
            wording = event.wording
    return _Line(
        round=name,
        game=game,
        table=table,
        opened_at=opened_at,
        wording=wording,
        messages=len(evidence.messages),
        withheld=len(evidence.withheld),
        file=file,
        bytes=len(page),
        sha256=sha256(page).hexdigest(),
    )
