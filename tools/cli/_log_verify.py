"""``log verify``: the chain, its index, its signatures; or a log in tiles, from its files alone."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.chain import CHECKPOINT_WINDOW
from ledger.core.chain import verify as verify_chain
from ledger.core.errors import InputError, IntegrityError
from ledger.core.map_check import MapCheck, MapCheckBeside, MapJudge
from ledger.core.signing import Checkpoint, PublicKey, parse_note, verify_note
from ledger.log.index.check import IndexCheck
from ledger.log.tiles import TiledLog
from tools.cli._options import Data, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import counted, emit, facts, moment, number, progress, say
from tools.data import DataDirectory

if TYPE_CHECKING:
    from ledger.core.chain import Verified

__all__ = ["KEY_PREFIX", "verify"]

KEY_PREFIX = "public key: "

_MANY_MESSAGES = 50_000
"""Below, another process would take longer to start than its work takes here."""


def verify(
    place: Annotated[
        str,
        typer.Argument(
            metavar="[DIR|URL]",
            help="A log in tiles, as `log tiles` writes it; the log of --data if left out.",
        ),
    ] = "",
    *,
    since: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A note that `log checkpoint` printed earlier."),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Public keys that you trust, one a line."),
    ] = None,
    data: Data = Path("data"),
    as_json: Json = False,
) -> None:
    """Hash and read every message again; check links, decisions, times and signatures.

    The first fault is named with its position; exit code 3. `--since` also finds history
    that was replaced or cut off behind a remembered checkpoint; `--key` has its signature
    checked, and those of the chain, with keys that you have from elsewhere. The index that
    finds events and known commands is compared with the messages too.

    Exit code 1 if nothing is wrong and yet not all could be told: no checkpoint of the keys
    given covers the chain, or it holds events that this version does not know.

    A log in tiles is verified from its files alone, by anybody: its checkpoint, its messages, and
    each tile of the tree.

    Example: `gameledger log verify --since note.txt --key keys.txt`
    """
    keys = _public_keys(key)
    remembered = _remembered(since, keys)
    if place:
        found, indexed = _verified_tiles(place, keys, remembered), 0
        covered = found.head.size
    else:
        found, indexed = _verified(DataDirectory(data), keys, remembered)
        covered = max(found.covered, remembered.size if remembered and keys else 0)
    reservations = _reservations(found, is_covered=not keys or covered > 0)
    if as_json:
        emit(
            {
                "chain": found.chain,
                "size": found.head.size,
                "head": found.head.hash.hex(),
                "root": found.root.hex(),
                "decisions": found.decisions,
                "checkpoints": found.checkpoints,
                "covered": covered,
                "first_recorded_at": found.first_recorded_at,
                "last_recorded_at": found.last_recorded_at,
                "since": remembered.size if remembered else None,
                "indexed": indexed,
                "unknown": [schema._asdict() for schema in found.unknown],
                "reservations": reservations,
            }
        )
    else:
        _say_verified(found, remembered, covered, indexed, reservations)
    if reservations:
        raise typer.Exit(1)


def _verified(
    directory: DataDirectory, keys: list[PublicKey], remembered: Checkpoint | None
) -> tuple[Verified, int]:
    """Verify the chain, and tell up to which size the index was compared with it."""
    with ExitStack() as stack:
        log = directory.read()
        stack.callback(log.close)
        size = log.head().size
        tell = stack.enter_context(progress("verifying"))
        trusted = {one.key_id: one.raw for one in keys} or None
        index = IndexCheck(directory.index_path, log)
        found = verify_chain(
            log.read(),
            keys=trusted,
            since=remembered,
            scanned=index.note,
            progress=lambda done: tell(done, size),
            maps=_maps(size, remembered),
        )
        return found, index.finish()


def _verified_tiles(place: str, keys: list[PublicKey], remembered: Checkpoint | None) -> Verified:
    """Verify a log in tiles; its checkpoint is signed by a key given, or by one of the chain."""
    log = TiledLog(place)
    if keys:
        verify_note(log.note, keys)
    trusted = {one.key_id: one.raw for one in keys} or None
    with progress("verifying") as tell:
        found = verify_chain(
            log.read(),
            keys=trusted,
            since=remembered,
            progress=lambda done: tell(done, log.checkpoint.size),
            maps=_maps(log.checkpoint.size, remembered),
        )
    said = log.checkpoint
    if (found.chain, found.head.size, found.root) != (said.chain, said.size, said.root):
        raise IntegrityError(f"{place}: the messages do not give the root of the checkpoint")
    if not keys:
        verify_note(log.note, found.keys)
    return found


def _maps(size: int, remembered: Checkpoint | None) -> MapJudge:
    """Have the tag map computed beside, if there is another core and enough to do."""
    has_room = (os.cpu_count() or 1) > 1 and size >= _MANY_MESSAGES
    return (MapCheckBeside if has_room else MapCheck)(CHECKPOINT_WINDOW, remembered)


def _reservations(found: Verified, *, is_covered: bool) -> list[str]:
    """Say what could not be told of a chain without a fault."""
    said = []
    if not is_covered:
        said.append(
            "No checkpoint of the keys given covers any of it: "
            "who can write the log could have written all of it anew."
        )
    events = sum(schema.events for schema in found.unknown)
    if events:
        names = ", ".join(f"{one.name} v{one.version} ({one.events})" for one in found.unknown)
        said.append(
            f"{counted(events, 'event')} of types that this version does not know: {names}. "
            "Verify with the version that WriterStarted names, or a newer one."
        )
    return said


def _say_verified(
    found: Verified,
    remembered: Checkpoint | None,
    covered: int,
    indexed: int,
    reservations: list[str],
) -> None:
    say(f"The chain {found.chain} is whole.", style="green")
    for reservation in reservations:
        say(reservation, style="yellow")
    size = number(found.head.size)
    rows = [
        ("messages", size),
        ("decisions", number(found.decisions)),
        ("from", moment(found.first_recorded_at)),
        ("to", moment(found.last_recorded_at)),
        ("checkpoints", number(found.checkpoints)),
        ("covered", f"the first {number(covered)} of {size} messages" if covered else "nothing"),
        ("index", f"right for the first {number(indexed)}" if indexed else "none to compare"),
        ("head", found.head.hash.hex()),
        ("root", found.root.hex()),
    ]
    if remembered is not None:
        rows.append(("since", f"the first {number(remembered.size)} are those of the note"))
    facts(rows)


def _public_keys(path: Path | None) -> list[PublicKey]:
    if path is None:
        return []
    keys = []
    for number_of_line, line in enumerate(_read(path).splitlines(), 1):
        text = line.removeprefix(KEY_PREFIX).strip()
        if not text:
            continue
        try:
            keys.append(PublicKey.parse(text))
        except InputError as error:
            raise InputError(f"{path}, line {number_of_line}: {error}") from error
    if not keys:
        raise InputError(f"{path} holds no key: `gameledger log checkpoint` prints its own")
    return keys


def _remembered(path: Path | None, keys: list[PublicKey]) -> Checkpoint | None:
    if path is None:
        return None
    note = _read(path)
    try:
        return verify_note(note, keys) if keys else parse_note(note)[0]
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise InputError(f"{path} can't be read: {reason}") from error
