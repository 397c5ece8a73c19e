"""``log``: show, verify, sign, export and copy the chain. Nothing here needs the projection."""

from __future__ import annotations

import struct
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core import events
from ledger.core.chain import verify as verify_chain
from ledger.core.encoding import decode
from ledger.core.errors import AuthorizationError, InputError, IntegrityError
from ledger.core.signing import (
    Checkpoint,
    PublicKey,
    SigningKey,
    make_note,
    parse_note,
    verify_note,
)
from ledger.decisions.operator.keys import AddSigningKey, RecordCheckpoint
from ledger.log.copying import copy
from ledger.log.index.check import IndexCheck
from ledger.log.port import Query
from tools.cli._facts import (
    ENVELOPE_MOMENTS,
    as_document,
    in_words,
    moments_of,
    with_moments,
)
from tools.cli._options import Csv, Data, DryRun, FullHashes, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import (
    counted,
    cut,
    emit,
    facts,
    hashed,
    moment,
    number,
    progress,
    say,
    table,
)
from tools.cli._when import (
    Day,
    First,
    Span,
    Until,
)
from tools.data import DataDirectory, open_log

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.core.chain import Verified
    from ledger.core.encoding import Recorded
    from ledger.log.port import Log
    from tools.service.client import AnyLedger

__all__ = ["app"]

app = typer.Typer(
    help="The chain: show, verify, sign, export and copy it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
)

LIMIT = 50
KEY_PREFIX = "public key: "
LENGTH = struct.Struct(">I")


@app.command()
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
    data: Data = Path("data"),
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Show events in the order of the chain; with `--limit 1` every fact on its own line.

    Example: `gameledger log show --type BetRefused --day 2026-11-20 --limit 20`
    """
    if event_type and event_type not in events.EVENTS:
        raise InputError(f"there is no event type {event_type}: docs/events.md lists them")
    tags = [f"account:{account}"] if account else []
    tags += [f"round:{round_name}"] if round_name else []
    query = Query(types=(event_type,) if event_type else (), tags=tuple(tags))
    with ExitStack() as stack:
        log = DataDirectory(data).read()
        stack.callback(log.close)
        span = Span.of(log, log.head().size, day, first, until)
        found = list(_matching(log, query, span, limit + 1))
    if len(found) > limit:
        after, _ = found.pop()
        cut(f"{counted(limit, 'event')} shown; more: --from {after}, or --limit")
    recorded = [_decoded(position, message) for position, message in found]
    if as_json:
        for event in recorded:
            emit(as_document(event))
        return
    if limit == 1 and recorded and not as_csv:
        document = as_document(recorded[0])
        first_rows = {"type": document["type"], "hash": document["hash"]}
        facts([*first_rows.items(), *with_moments(document["envelope"], ENVELOPE_MOMENTS)])
        say()
        facts(with_moments(document["facts"], moments_of(document["type"])))
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
    columns = (">position", "recorded (Prague)", "event", "facts~")
    table(
        (*columns, "hash") if full_hashes or as_csv else columns,
        rows,
        nothing="No event is like that. `gameledger log show` begins with the first of all.",
        as_csv=as_csv,
    )


def _matching(log: Log, query: Query, span: Span, limit: int) -> Iterator[tuple[int, bytes]]:
    if not query.types and not query.tags:
        last = span.first + limit
        yield from log.read(span.first, last if span.end is None else min(last, span.end))
        return
    for position in log.find(query, after=span.first - 1, before=span.end, limit=limit):
        yield from log.read(position, position + 1)


def _decoded(position: int, message: bytes) -> Recorded:
    """Decode a message; one that can't be is named by its position."""
    try:
        return decode(message)
    except IntegrityError as error:
        text = f"{error}; `gameledger log verify` finds the first fault"
        raise IntegrityError(text, position=position) from error


@app.command()
def verify(
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

    Example: `gameledger log verify --since note.txt --key keys.txt`
    """
    keys = _public_keys(key)
    remembered = _remembered(since, keys)
    found, indexed = _verified(DataDirectory(data), keys, remembered)
    covered = max(found.covered, remembered.size if remembered and keys else 0)
    reservations = _reservations(found, is_covered=not keys or covered > 0)
    if as_json:
        emit(
            {
                "chain": found.chain,
                "size": found.head.size,
                "head": found.head.hash.hex(),
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
        )
        return found, index.finish()


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


@app.command()
def checkpoint(
    *, data: Data = Path("data"), as_json: Json = False, dry_run: DryRun = False
) -> None:
    """Sign how long the chain is and how it ends, record it, and print it as a note.

    Keep the note where nobody who can change the log can change the note. The key is made
    on first use, in `keys/checkpoint.key`; its public half goes to stderr, to be kept too.

    Example: `gameledger log checkpoint > note.txt`
    """
    directory = DataDirectory(data)
    if dry_run:
        log = directory.read()
        size, head = log.head()
        log.close()
        if as_json:
            emit({"dry_run": True, "size": size, "head": head.hex()})
        else:
            say(f"Would sign size {size}, head {head.hex()}.")
        return
    history = _key_history(directory)
    with directory.write() as ledger:
        key = _signing_key(directory, ledger, history)
        size, head = ledger.head
        signed = Checkpoint(ledger.chain, size, head)
        signature = key.sign(signed)
        command = RecordCheckpoint(
            size=size, head=head, key_id=key.key_id, signature=signature, source="cli"
        )
        ledger.execute(command)
    note = make_note(signed, [(key.public, signature)])
    if as_json:
        emit({"size": size, "head": head.hex(), "key": key.public.text, "note": note})
    else:
        sys.stdout.write(note)
        print(f"{KEY_PREFIX}{key.public.text}", file=sys.stderr)


def _key_history(directory: DataDirectory) -> dict[str, bool]:
    """Tell of every signing key that the chain knows whether it is in force."""
    log = directory.read()
    try:
        history = {}
        for position in log.find(Query(types=("SigningKeyAdded", "SigningKeyRevoked"))):
            for _, message in log.read(position, position + 1):
                event = decode(message).event
                if isinstance(event, events.SigningKeyAdded | events.SigningKeyRevoked):
                    history[event.key_id] = isinstance(event, events.SigningKeyAdded)
        return history
    finally:
        log.close()


def _signing_key(
    directory: DataDirectory, ledger: AnyLedger, history: dict[str, bool]
) -> SigningKey:
    path = directory.signing_key_path
    if path.exists():
        key = SigningKey.load(path)
    else:
        size, _ = ledger.head
        key = SigningKey.create(path, f"checkpoint-{size}")
    if key.key_id not in history:
        ledger.execute(
            AddSigningKey(
                key_id=key.key_id,
                public_key=key.public.raw,
                reason="Key of the command line.",
                source="cli",
            )
        )
    elif not history[key.key_id]:
        raise AuthorizationError(
            f"key {key.key_id} was revoked: move {path} away, and a new key is made"
        )
    return key


@app.command("copy")
def copy_command(
    *,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="Folder, or URL of a topic.")],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="Folder, or URL of a topic.")],
    data: Data = Path("data"),
    as_json: Json = False,
    dry_run: DryRun = False,
) -> None:
    """Copy a chain into another log: the same bytes, the same head, from SQLite to Kafka or back.

    The target is empty or holds a beginning of the source, so an interrupted copy goes on where
    it stopped. At the end every message of it is verified. Keys are not copied; stop the writer
    of the source first if the target is to go on in its place. With a topic, `--data` names the
    folder that keeps what this machine needs beside it.

    Example: `gameledger log copy data kafka://kafka-1:9092/sazka-live`
    """
    with ExitStack() as stack:
        reader = open_log(source, data, writable=False)
        stack.callback(reader.close)
        if dry_run:
            size, head = reader.head()
            if as_json:
                emit({"dry_run": True, "size": size, "head": head.hex(), "target": target})
            else:
                say(f"Would copy {number(size)} messages to {target}.")
            return
        writer = open_log(target, data, writable=True)
        stack.callback(writer.close)
        done = copy(reader, writer, progress=stack.enter_context(progress("copying")))
    size, head = done.head
    if as_json:
        emit({"copied": size - done.begun_at, "size": size, "head": head.hex(), "verified": True})
        return
    say(f"{number(size - done.begun_at)} messages copied, {number(size)} verified.", style="green")
    facts([("head", head.hex())])


@app.command()
def export(
    *,
    day: Day = None,
    first: First = None,
    until: Until = None,
    raw: Annotated[
        bool,
        typer.Option("--raw", help="The exact messages, each behind its length in 4 bytes."),
    ] = False,
    data: Data = Path("data"),
    as_json: Json = False,  # noqa: ARG001 - the answer is JSON either way
) -> None:
    """Write the chain to stdout: JSON lines with envelope, facts and hash.

    With `--raw` the exact bytes, each message behind its length (4 bytes, most significant
    first): what an outsider needs to hash the chain again. docs/format.md describes them.

    Example: `gameledger log export --raw > chain.bin`
    """
    log = DataDirectory(data).read()
    try:
        span = Span.of(log, log.head().size, day, first, until)
        for position, message in log.read(*span):
            if raw:
                sys.stdout.buffer.write(LENGTH.pack(len(message)) + message)
            else:
                emit(as_document(_decoded(position, message)))
    finally:
        log.close()
