"""``log verify``: the chain, its index, its signatures; or a log in tiles, from its files alone."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.chain import CHECKPOINT_WINDOW
from ledger.core.clock import SystemClock
from ledger.core.errors import InputError, IntegrityError
from ledger.log.index.check import verify_log
from ledger.log.index.tag_map_file import MAP, map_of_note
from ledger.log.tiles import TiledLog
from ledger.log.trusted_prefix import read_trusted_prefix
from ledger.storage.named_files import read_text
from ledger.tlog.signing import Checkpoint, PublicKey, parse_note, verify_note
from ledger.verification.chain_verifier import UnknownSchema
from ledger.verification.tag_map_check import MapCheck, NoMapCheck
from ledger.verification.verify import verify as verify_chain
from tools.access.anchor import recorded_head
from tools.access.chain import FOLDER
from tools.cli import _stand_alone_verifier as stand_alone
from tools.cli._answering import emits
from tools.cli._log_attestations import (
    SealAuthorities,
    StampRoots,
    TrustedKeys,
    WitnessPolicy,
    attestations_of_note,
    read_policy,
    read_roots,
    verified_attestations,
)
from tools.cli._options import DATA, Data, Json
from tools.cli._output import counted, echo, emit, facts, moment, number, progress
from tools.data import DataDirectory
from tools.data.last_verification import remember_verified
from tools.data.locations import LOCAL

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

    from ledger.tlog.policy import Policy
    from ledger.verification.verify import VerificationResult

__all__ = ["KEY_PREFIX", "VerifiedChain", "trusted_keys", "verified_tiles", "verify"]

KEY_PREFIX = "public key: "

REFERENCE = "gameledger"
"""The verifier in this program."""


@dataclass(frozen=True, slots=True)
class VerifiedChain:
    """What a verification covered; with ``--from`` only what is behind ``verified_from``.

    ``facts``: whether they were read, which ``--links`` leaves out. ``verifier``: the program that
    verified, ``gameledger-verify`` or ``gameledger``.
    """

    chain: str
    size: int
    head: str
    root: str
    decisions: int
    checkpoints: int
    covered: int
    first_recorded_at: int
    last_recorded_at: int
    since: int | None
    verified_from: int | None
    facts: bool
    indexed: int
    tag_map: bool
    witnessed: int | None
    stamped: int | None
    sealed: int | None
    seal_certificate: str | None
    verifier: str
    unknown: tuple[UnknownSchema, ...]
    reservations: list[str]


@emits(VerifiedChain)
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
    start: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="A note that you trust: verify only what is behind it."
        ),
    ] = None,
    key: TrustedKeys = None,
    access: Annotated[
        bool, typer.Option("--access", help="The chain of accesses, that `serve` keeps.")
    ] = False,
    witness_policy: WitnessPolicy = None,
    stamp_roots: StampRoots = None,
    seal_ca: SealAuthorities = None,
    links: Annotated[
        bool, typer.Option("--links", help="Read no facts: hashes, links, tree and signatures.")
    ] = False,
    jobs: Annotated[
        int,
        typer.Option(min=0, help="Threads of gameledger-verify, if installed; 0: one a core."),
    ] = 0,
    data: Data = DATA,
    as_json: Json = False,
) -> None:
    """Hash and read every message again; check links, decisions, times and signatures.

    The first fault is named with its position; exit code 3. `--since` also finds history
    that was replaced or cut off behind a remembered checkpoint; `--key` has its signature
    checked, and those of the chain, with keys that you have from elsewhere. The index that
    finds events and known commands is compared with the messages too, and the tag map that each
    checkpoint names is computed again.

    `--from` takes what a note covers as verified: it is proved that the log begins with it, and
    what came later is verified. The tag map is then computed only if the file beside the log is
    that of the note, so verify before you sign the next checkpoint. The index is not compared, and
    a command that was decided before the note and again behind it is not found.

    `--links` reads no facts, and compares neither the tag map nor the index. It tells sooner
    whether a message that a checkpoint covers was altered, put in or taken out; not whether the
    writer wrote what the schemas allow.

    Exit code 1 if nothing is wrong and yet not all could be told: no checkpoint of the keys
    given covers the chain, the last one lacks the cosignatures of `--witness-policy`, a time
    stamp that `--stamp-roots` vouch for or a seal by `--seal-ca`, or there are events that this
    version does not know.

    Seals of checkpoints are verified wherever the chain has any. Without `--seal-ca` the answer
    names the certificate that sealed, and who issued it is not checked.

    The chain of accesses (`--access`) has to be the one whose head the chain itself recorded last.

    Where the package gameledger-verify is installed in the version of this program, it verifies
    the log of --data, many times faster; what it finds faulty is verified again here, and the
    answer names which of the two it is of.

    A log in tiles is verified from its files alone, by anybody: its checkpoint, its messages, and
    each tile of the tree.

    Example: `gameledger log verify --since note.txt --key keys.txt`
    """
    _require_together(place, since=since, start=start, links=links)
    policy = None if access else read_policy(witness_policy)
    roots = None if access else read_roots(stamp_roots)
    authorities = None if access else read_roots(seal_ca)
    keys = trusted_keys(key, policy)
    remembered = _remembered(since or start, keys)
    has_map = not links
    if access:
        remembered = remembered or _access_head(data)
        data = DataDirectory(data.path / FOLDER, LOCAL)
    if place:
        _require_no_stamps(roots, authorities)
        tiled, indexed = TiledLog(place), 0
        found, verifier = verified_tiles(tiled, keys, remembered), REFERENCE
        covered = found.head.size
    elif start is not None and remembered is not None:
        found, has_map = _verified_from(data, keys, remembered)
        verifier = REFERENCE
        indexed, covered = 0, max(found.covered, remembered.size)
    else:
        began = SystemClock().now()
        try:
            found, indexed, verifier = _verified(
                data, keys, remembered, since, jobs, reads_facts=not links
            )
        except IntegrityError as error:
            remember_verified(data, began, fault=error, keys=keys)
            raise
        if not access and not links:
            remember_verified(data, began, found.head, keys=keys)
        covered = max(found.covered, remembered.size if remembered and keys else 0)
    reservations = _reservations(found, is_covered=not keys or covered > 0)
    attestations = (
        attestations_of_note(tiled.note, policy)
        if place
        else verified_attestations(data, policy, roots, authorities, is_known=not found.unknown)
    )
    reservations += attestations.lacking
    if as_json:
        emit(
            VerifiedChain(
                chain=found.chain,
                size=found.head.size,
                head=found.head.hash.hex(),
                root=found.root.hex(),
                decisions=found.decisions,
                checkpoints=found.checkpoints,
                covered=covered,
                first_recorded_at=found.first_recorded_at,
                last_recorded_at=found.last_recorded_at,
                since=remembered.size if since and remembered else None,
                verified_from=remembered.size if start and remembered else None,
                facts=not links,
                indexed=indexed,
                tag_map=has_map,
                witnessed=attestations.witnessed,
                stamped=attestations.stamped,
                sealed=attestations.sealed,
                seal_certificate=attestations.seal_certificate,
                verifier=verifier,
                unknown=found.unknown,
                reservations=reservations,
            )
        )
    else:
        _print_verified(found, covered, indexed, reservations)
        facts([("verified by", verifier)])
        if remembered is not None:
            facts(
                [_source_of_prefix(remembered, is_note=bool(since or start), is_read=start is None)]
            )
        facts(attestations.rows)
        if not has_map:
            without = (
                "its facts were not read" if links else "the file of the note's map is not there"
            )
            facts([("tag map", f"not computed: {without}")])
    if reservations:
        raise typer.Exit(1)


def _require_together(place: str, *, since: Path | None, start: Path | None, links: bool) -> None:
    if start is not None and (since is not None or place):
        raise InputError("--from goes with a log of --data alone, and without --since")
    if links and (start is not None or place):
        raise InputError("--links goes with a log of --data alone, and without --from")


def _require_no_stamps(
    roots: list[Certificate] | None, authorities: list[Certificate] | None
) -> None:
    """Refuse to look for stamps in tiles: they are recorded after the messages that tiles hold."""
    for name, given in (("stamp-roots", roots), ("seal-ca", authorities)):
        if given is not None:
            text = "time stamps and seals are verified in a log, not in tiles"
            raise InputError(f"{text}: leave --{name} out")


def _verified(
    directory: DataDirectory,
    keys: list[PublicKey],
    remembered: Checkpoint | None,
    since: Path | None,
    jobs: int,
    *,
    reads_facts: bool,
) -> tuple[VerificationResult, int, str]:
    """Verify the chain; return up to which size the index was compared, and what verified it."""
    program = stand_alone.installed()
    is_file = (directory.path / "log.sqlite").is_file() and (remembered is None) == (since is None)
    with closing(directory.read()) as log, progress("verifying") as advance:
        size, answer = log.head().size, None
        if program is not None and is_file:
            answer = stand_alone.verify_log(
                program,
                log,
                directory.path,
                directory.index_path,
                keys=keys,
                since=since,
                reads_facts=reads_facts,
                jobs=jobs,
                progress=lambda done: advance(done, size),
            )
            if answer.result is not None:
                return answer.result, answer.indexed, stand_alone.DISTRIBUTION
        found, indexed = verify_log(
            log,
            directory.index_path,
            keys={one.key_id: one.raw for one in keys} or None,
            since=remembered,
            reads_facts=reads_facts,
            progress=lambda done: advance(done, size),
        )
        if answer is not None and answer.is_fault:
            raise IntegrityError(
                f"{stand_alone.DISTRIBUTION} finds a fault in {directory.path}, and gameledger "
                "finds none: keep the folder unchanged, and report both answers (docs/verify.md)"
            )
        return found, indexed, REFERENCE


def _verified_from(
    directory: DataDirectory, keys: list[PublicKey], note: Checkpoint
) -> tuple[VerificationResult, bool]:
    """Verify what follows a note; return whether the tag map could be computed."""
    with ExitStack() as stack:
        log = stack.enter_context(closing(directory.read()))
        size = log.head().size
        advance = stack.enter_context(progress("verifying"))
        after = read_trusted_prefix(log, note)
        begun = map_of_note((directory.path / MAP, directory.cache / MAP), note)
        found = verify_chain(
            log.read(note.size),
            keys={one.key_id: one.raw for one in keys} or None,
            progress=lambda done: advance(done - note.size, size - note.size),
            maps=NoMapCheck() if begun is None else MapCheck(CHECKPOINT_WINDOW, initial_map=begun),
            after=after,
        )
        return found, begun is not None


def _access_head(directory: DataDirectory) -> Checkpoint | None:
    """Return the last head of the chain of accesses that the chain recorded."""
    with closing(directory.read()) as log:
        return recorded_head(log)


def verified_tiles(
    log: TiledLog, keys: list[PublicKey], remembered: Checkpoint | None = None
) -> VerificationResult:
    """Verify a log in tiles; its checkpoint is signed by a key given, or by one of the chain.

    Raises:
        IntegrityError: the messages are damaged, or do not yield the root of the checkpoint.
        AuthorizationError: no key given signed the checkpoint.
        AvailabilityError: a file can't be read.

    """
    if keys:
        verify_note(log.note, keys)
    trusted = {one.key_id: one.raw for one in keys} or None
    with progress("verifying") as advance:
        found = verify_chain(
            log.read(),
            keys=trusted,
            since=remembered,
            progress=lambda done: advance(done, log.checkpoint.size),
        )
    said = log.checkpoint
    if (found.chain, found.head.size, found.root) != (said.chain, said.size, said.root):
        raise IntegrityError(f"{log.place}: the messages do not give the root of the checkpoint")
    if not keys:
        verify_note(log.note, found.keys)
    return found


def _reservations(found: VerificationResult, *, is_covered: bool) -> list[str]:
    """Describe what could not be verified of a chain without a fault."""
    said = []
    if not is_covered:
        said.append(
            "No checkpoint of the keys given covers any of it: "
            "a process with write access to the log could have replaced all of it."
        )
    events = sum(schema.events for schema in found.unknown)
    if events:
        names = ", ".join(f"{one.name} v{one.version} ({one.events})" for one in found.unknown)
        said.append(
            f"{counted(events, 'event')} of types that this version does not know: {names}. "
            "Verify with the version that WriterStarted names, or a newer one."
        )
    return said


def _print_verified(
    found: VerificationResult,
    covered: int,
    indexed: int,
    reservations: list[str],
) -> None:
    echo(f"The chain {found.chain} is whole.", style="yellow" if reservations else "green")
    for reservation in reservations:
        echo(reservation, style="yellow")
    size = number(found.head.size)
    rows = [
        ("messages", size),
        ("decisions", number(found.decisions)),
        ("from", moment(found.first_recorded_at)),
        ("to", moment(found.last_recorded_at)),
        ("checkpoints", number(found.checkpoints)),
        ("covered", f"the first {number(covered)} of {size} messages" if covered else "nothing"),
        ("index", f"right for the first {number(indexed)}" if indexed else "not compared"),
        ("head", found.head.hash.hex()),
        ("root", found.root.hex()),
    ]
    facts(rows)


def _source_of_prefix(remembered: Checkpoint, *, is_note: bool, is_read: bool) -> tuple[str, str]:
    """Describe the source of the remembered beginning of the chain."""
    first = f"the first {number(remembered.size)}"
    if not is_note:
        return "recorded", f"{first} are those whose head the chain itself recorded last"
    return "note", f"{first} are those of the note{'' if is_read else ', and were not read again'}"


def trusted_keys(path: Path | None, policy: Policy | None) -> list[PublicKey]:
    """Return the keys of logs that the reader trusts: those of a file, or else of the policy.

    Raises:
        InputError: the file holds none.

    """
    return _public_keys(path) or [log.key for log in (policy.logs if policy else ())]


def _public_keys(path: Path | None) -> list[PublicKey]:
    """Read public keys from a file, one a line; none without a file.

    Raises:
        InputError: a line is none, or there is no line.

    """
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
    return read_text(path)
