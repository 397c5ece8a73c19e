"""``log``: show, verify, sign, export and copy the chain. Nothing here needs the projection."""

from __future__ import annotations

import struct
import sys
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer
from msgspec import UNSET, UnsetType

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.events import event_types as events
from ledger.log.copying import copy
from ledger.log.port import Log, Query
from ledger.log.tiles import TiledLog, is_tiled
from tools.cli import _log_checkpoint, _log_seal, _log_status, _log_tiles, _log_verify
from tools.cli._answering import answers, emits
from tools.cli._cuts import cut
from tools.cli._facts import (
    ENVELOPE_MOMENTS,
    as_document,
    in_words,
    moments_of,
    with_moments,
)
from tools.cli._help import Commands
from tools.cli._options import DATA, Csv, Data, DryRun, FullHashes, Json
from tools.cli._output import (
    counted,
    echo,
    emit,
    facts,
    hashed,
    moment,
    number,
    progress,
    table,
    wrapped,
)
from tools.cli._when import (
    Day,
    First,
    Span,
    Until,
)
from tools.data import DataDirectory, open_log
from tools.data.documents import Event, decoded, matching, require_tags

__all__ = ["Copied", "app"]

app = Commands("The chain: show, verify, sign, export and copy it.")

app.command()(_log_verify.verify)
app.command()(_log_tiles.tiles)
app.command()(_log_checkpoint.checkpoint)
app.command()(_log_status.status)
app.command("export-seal")(_log_seal.export_seal)
app.command("export-source-seal")(_log_seal.export_source_seal)

LIMIT = 50
LENGTH = struct.Struct(">I")


@app.command()
@emits(Event, is_line=True)
def show(
    *,
    day: Day = None,
    first: First = None,
    until: Until = None,
    limit: Annotated[int, typer.Option(min=1, help="How many events at most.")] = LIMIT,
    event_type: Annotated[
        str, typer.Option("--type", help="Only events of a type, such as BetRefused.")
    ] = "",
    account: Annotated[str, typer.Option(help="Only events of an account.")] = "",
    round_name: Annotated[str, typer.Option("--round", help="Only events of a round.")] = "",
    full_hashes: FullHashes = False,
    data: Data = DATA,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Show events in the order of the chain; with `--limit 1` every fact on its own line.

    Example: `gameledger log show --type BetRefused --day 2026-11-20 --limit 20`
    """
    if event_type and event_type not in events.EVENTS:
        raise InputError(Phrase("EVENT_TYPE_UNKNOWN", name=event_type))
    tags = [f"account:{account}"] if account else []
    tags += [f"round:{round_name}"] if round_name else []
    query = Query(types=(event_type,) if event_type else (), tags=tuple(tags))
    with closing(data.read()) as log:
        span = Span.of(log, log.head().size, day, first, until)
        found = list(matching(log, query, span, limit + 1))
        if not found:
            require_tags(log, tags)
    if len(found) > limit:
        after, _ = found.pop()
        cut(f"{counted(limit, 'event')} shown; more: --from {after}, or --limit")
    recorded = [decoded(position, message) for position, message in found]
    if as_json:
        for event in recorded:
            emit(as_document(event))
        return
    if limit == 1 and recorded and not as_csv:
        document = as_document(recorded[0])
        first_rows = {"type": document.type, "hash": document.hash}
        facts([*first_rows.items(), *with_moments(document.envelope, ENVELOPE_MOMENTS)])
        echo()
        facts(with_moments(document.facts, moments_of(document.type)))
        return
    rows = [
        (
            event.position,
            moment(event.envelope.recorded_at),
            type(event.event).__name__,
            in_words(event.event),
            *([hashed(event.hash.hex(), full=True)] if full_hashes or as_csv else ()),
        )
        for event in recorded
    ]
    columns = ("position", "recorded (Prague)", "event", wrapped("facts"))
    table(
        (*columns, "hash") if full_hashes or as_csv else columns,
        rows,
        nothing="No event is like that. `gameledger log show` begins with the first of all.",
        as_csv=as_csv,
    )


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy of a chain; under ``--dry-run`` nothing was copied."""

    size: int
    head: str
    copied: int | UnsetType = UNSET
    verified: Literal[True] | UnsetType = UNSET
    target: str | UnsetType = UNSET
    dry_run: Literal[True] | UnsetType = UNSET


def _show_copied(done: Copied) -> None:
    if done.copied is UNSET:
        echo(f"Would copy {number(done.size)} messages to {done.target}.")
        return
    echo(f"{number(done.copied)} messages copied, {number(done.size)} verified.", style="green")
    facts([("head", done.head)])


@app.command("copy")
@answers(_show_copied)
def copy_command(
    *,
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE", help="Folder, URL of a topic, or folder or URL of a log in tiles."
        ),
    ],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="Folder, or URL of a topic.")],
    key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Public keys of which one signed the tiles, one a line."),
    ] = None,
    data: Data = DATA,
    dry_run: DryRun = False,
) -> Copied:
    """Copy a chain into another log: the same bytes, the same head, from SQLite to Kafka or back.

    The target is empty or holds a beginning of the source, so an interrupted copy goes on where
    it stopped. At the end every message of it is verified. Keys are not copied; stop the writer
    of the source first if the target is to go on in its place. With a topic, `--data` names the
    folder that keeps what this machine needs besides.

    Tiles, such as those of a mirror, are verified before the first message is copied: a chain is
    restored from them up to their checkpoint.

    Example: `gameledger log copy data kafka://kafka-1:9092/sazka-live`
    """
    with ExitStack() as stack:
        reader = stack.enter_context(closing(_source(source, data, key)))
        if dry_run:
            size, head = reader.head()
            return Copied(size, head.hex(), target=target, dry_run=True)
        writer = stack.enter_context(closing(open_log(target, data.path, writable=True)))
        done = copy(reader, writer, progress=stack.enter_context(progress("copying")))
    size, head = done.head
    return Copied(size, head.hex(), copied=size - done.begun_at, verified=True)


def _source(source: str, data: DataDirectory, key: Path | None) -> Log | TiledLog:
    """Open a log, or verify and open a log in tiles."""
    if not is_tiled(source):
        if key is not None:
            raise InputError("--key is for a log in tiles: `log verify --key` checks another")
        return open_log(source, data.path, writable=False)
    tiles = TiledLog(source)
    _log_verify.verified_tiles(tiles, _log_verify.trusted_keys(key, None))
    return tiles


@app.command()
@emits(Event, is_line=True)
def export(
    *,
    day: Day = None,
    first: First = None,
    until: Until = None,
    raw: Annotated[
        bool,
        typer.Option("--raw", help="The exact messages, each behind its length in 4 bytes."),
    ] = False,
    data: Data = DATA,
    as_json: Json = False,  # noqa: ARG001 - the answer is JSON either way
) -> None:
    """Write the chain to stdout: JSON lines with envelope, facts and hash.

    With `--raw` the exact bytes, each message behind its length (4 bytes, most significant
    first): what an outsider needs to hash the chain again. docs/format.md describes them.

    Example: `gameledger log export --raw > chain.bin`
    """
    with closing(data.read()) as log:
        span = Span.of(log, log.head().size, day, first, until)
        for position, message in log.read(*span):
            if raw:
                sys.stdout.buffer.write(LENGTH.pack(len(message)) + message)
            else:
                emit(as_document(decoded(position, message)))
