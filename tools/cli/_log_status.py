"""``log status``: how long the chain is, and what of it others have seen, told loudly if not."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.clock import DAY, HOUR, SystemClock
from ledger.core.errors import InputError
from ledger.log.checkpoints import keys_of, last_seal
from ledger.log.finality import Finality, FinalSizes, final_sizes
from ledger.rules.published_rules import AuthorityCopy, authority_copy
from ledger.storage.named_files import read_text
from ledger.tlog import merkle
from ledger.tlog.misconduct import is_signed
from ledger.tlog.notes import Note
from projections.words.catalogue import Language, Words
from projections.words.names import named
from tools.cli._answering import emits
from tools.cli._log_attestations import (
    StampRoots,
    WitnessPolicy,
    missing_attestations,
    read_policy,
    read_roots,
)
from tools.cli._options import DATA, Data, Json, finite
from tools.cli._output import duration, echo, emit, facts, moment, number, table
from tools.data import DataDirectory
from tools.witness.proofs import keep_proof, stored_proofs

if TYPE_CHECKING:
    from ledger.core.message import Head
    from ledger.log.checkpoints import AttestedCheckpoint
    from ledger.log.port import Log
    from ledger.tlog.seals import SealCertificate
    from tools.witness.attestations import Attestations

__all__ = ["CoveredSize", "FinalMessages", "LogStatus", "status"]

ENGLISH = Words(Language.EN)
HOURS_MAX = 87_600
"""Ten years: who allows more has switched the alarm off."""

CHECKPOINTS_MAX = 10_000
"""What was witnessed longer ago is no news."""


SEAL_WARNING_DAYS = 45
"""How long before its end a certificate of seals has to be renewed, as those of deliveries."""


@dataclass(frozen=True, slots=True)
class CoveredSize:
    """A checkpoint with its note; ``at`` is the moment of what was said of it last."""

    size: int
    recorded_at: int
    at: int | None
    age: int
    note: str


@dataclass(frozen=True, slots=True)
class FinalMessages:
    """The number of first messages that have reached a stage of finality, and what it means."""

    stage: Finality
    size: int
    meaning: str


@dataclass(frozen=True, slots=True)
class LogStatus:
    """How long the chain is, and what of it others have seen; moments in microseconds.

    ``finality`` counts cosigners as the chain records them, and with a policy those that meet it.
    """

    size: int
    head: str
    checkpoint: CoveredSize | None
    cosigned_by: list[str]
    held: AuthorityCopy | None
    witnessed: CoveredSize | None
    stamped: CoveredSize | None
    seal_expires_at: int | None
    finality: list[FinalMessages]
    misconduct: list[str]
    warnings: list[str]


@emits(LogStatus)
def status(
    *,
    witness_policy: WitnessPolicy = None,
    stamp_roots: StampRoots = None,
    note: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A note of this log that another party holds."),
    ] = None,
    late_after: Annotated[
        float,
        typer.Option(
            envvar="GAMELEDGER_LATE_AFTER",
            metavar="HOURS",
            min=0,
            max=HOURS_MAX,
            callback=finite,
            help="How old the last witnessed checkpoint may be.",
        ),
    ] = 24.0,
    data: Data = DATA,
    as_json: Json = False,
) -> None:
    """Show the length of the chain, its last checkpoint, and its witnesses and time stamps.

    Exit code 1, and loud words, if the history is split, unwitnessed, unstamped or late. With
    `--note` a note that another party holds is compared: if the log signed it and yet does not
    continue it, both are kept in `misconduct/` as a proof that anybody can check. Nothing is
    verified from the beginning: that is `gameledger log verify`.

    Example: `gameledger log status --witness-policy policy.txt`
    """
    from tools.witness.attestations import attestations_of

    now = SystemClock().now()
    policy, roots = read_policy(witness_policy), read_roots(stamp_roots)
    with closing(data.read()) as log:
        head = log.head()
        sizes = final_sizes(log, head.size)
        attestations = attestations_of(log, policy, roots, CHECKPOINTS_MAX)
        warnings = [
            warning
            for path in note or ()
            if (warning := _compared(data, log, attestations.last, path))
        ]
        seal = last_seal(log)
        announced = attestations.last.size if attestations.last else 0
        held = authority_copy(log, announced=announced)
    if policy:
        witnessed = attestations.witnessed.size if attestations.witnessed else 0
        sizes = sizes._replace(cosigned=witnessed, mirrored=min(sizes.mirrored, witnessed))
    finality = _finality(head.size, sizes)
    proofs = [str(path) for path in stored_proofs(data.misconduct_path)]
    if proofs:
        text = f"SPLIT HISTORY: {data.misconduct_path} holds proof that two were signed"
        warnings.append(f"{text}; keep it, and ask who used the key.")
    if attestations.last is None:
        warnings.append("UNSIGNED: no checkpoint was ever signed; `gameledger log checkpoint`.")
    else:
        warnings += missing_attestations(attestations, policy, has_roots=bool(roots))
    if seal is not None and seal.expires_at - now < SEAL_WARNING_DAYS * DAY:
        subject = seal.certificate.subject.rfc4514_string()
        text = f"SEAL EXPIRES: the certificate of the last seal ({subject}) is in force until"
        warnings.append(f"{text} {moment(seal.expires_at)}; renew it (docs/keys.md).")
    counted = attestations.witnessed if policy else attestations.last
    if counted is not None and now - counted.recorded_at > late_after * HOUR:
        what = "witnessed checkpoint" if policy else "checkpoint"
        age = duration(now - counted.recorded_at)
        warnings.append(f"LATE: the last {what} is {age} old, {late_after:g} h are allowed.")
    if as_json:
        answer = _answer(
            head,
            attestations,
            now,
            finality,
            held=held,
            seal=seal,
            misconduct=proofs,
            warnings=warnings,
        )
        emit(answer)
    else:
        _print_status(
            head,
            attestations,
            now,
            held=held,
            seal=seal,
            has_policy=policy is not None,
            has_roots=bool(roots),
        )
        rows = [(_stage_name(one.stage), number(one.size), one.meaning) for one in finality]
        table(("finality", "first messages", "meaning"), rows)
        for warning in warnings:
            echo(warning, style="bold red")
    if warnings:
        raise typer.Exit(1)


def _compared(
    directory: DataDirectory, log: Log, last: AttestedCheckpoint | None, path: Path
) -> str:
    """Compare a note from elsewhere with the log; return what does not fit, or nothing."""
    from tools.witness.client import contradiction

    text = read_text(path)
    try:
        other = Note.parse(text)
        found = other.head
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    keys = [one for one in keys_of(log) if one.name == found.origin]
    if not is_signed(other, keys):
        raise InputError(f"{path} is not signed by a key of this log: it says nothing of it")
    whose = f"SPLIT HISTORY: the note {path} of {number(found.size)} messages"
    if found.size > log.head().size:
        text = "is longer than the log: its end was cut off, or there are two of it"
        return f"{whose} {text}."
    if found.size == 0 or merkle.root(log.node, found.size) == found.root:
        return ""
    if last is None or last.size < found.size:
        return f"{whose} is of another history; sign a checkpoint and repeat to keep the proof."
    proof = contradiction(log.node, other, last.log_note)
    kept = keep_proof(directory.misconduct_path, proof)
    return f"{whose} is of another history; the proof is kept as {kept}."


def _stage_name(stage: Finality) -> str:
    return named(ENGLISH, "finality", stage)


def _finality(size: int, sizes: FinalSizes) -> list[FinalMessages]:
    counts = (size, sizes.covered, sizes.cosigned, sizes.mirrored)
    return [
        FinalMessages(stage, count, named(ENGLISH, "finality_meanings", stage))
        for stage, count in zip(Finality, counts, strict=True)
    ]


def _answer(
    head: Head,
    attestations: Attestations,
    now: int,
    finality: list[FinalMessages],
    *,
    held: AuthorityCopy | None,
    seal: SealCertificate | None,
    misconduct: list[str],
    warnings: list[str],
) -> LogStatus:
    def one(found: AttestedCheckpoint | None, at: int | None) -> CoveredSize | None:
        if found is None:
            return None
        age = now - found.recorded_at
        return CoveredSize(found.size, found.recorded_at, at, age, str(found.note))

    last = attestations.last
    return LogStatus(
        size=head.size,
        head=head.hash.hex(),
        checkpoint=one(last, last.recorded_at if last else None),
        cosigned_by=list(attestations.cosigned),
        held=held,
        witnessed=one(attestations.witnessed, attestations.witnessed_at),
        stamped=one(attestations.stamped, attestations.stamped_at),
        seal_expires_at=seal.expires_at if seal else None,
        finality=finality,
        misconduct=misconduct,
        warnings=warnings,
    )


def _print_status(
    head: Head,
    attestations: Attestations,
    now: int,
    *,
    held: AuthorityCopy | None,
    seal: SealCertificate | None,
    has_policy: bool,
    has_roots: bool,
) -> None:
    def one(found: AttestedCheckpoint | None, at: int | None, asked: str) -> str:
        if found is None:
            return asked
        ago = duration(now - (at or found.recorded_at))
        return f"the first {number(found.size)}, {moment(at or found.recorded_at)}, {ago} ago"

    no_policy = "nothing" if has_policy else "not asked: name a policy with --witness-policy"
    no_roots = "nothing" if has_roots else "not asked: name roots with --stamp-roots"
    copied = "not known: the operator's rules name no mirror"
    if held is not None:
        copied = f"up to {number(held.held)}, announced up to {number(held.announced)}"
    behind = head.size - (attestations.last.size if attestations.last else 0)
    facts(
        [
            ("messages", number(head.size)),
            ("head", head.hash.hex()),
            ("checkpoint", one(attestations.last, None, "none")),
            ("behind it", number(behind)),
            ("cosigned by", ", ".join(attestations.cosigned) or "no witness of the policy"),
            ("held by the authority", copied),
            ("witnessed", one(attestations.witnessed, attestations.witnessed_at, no_policy)),
            ("stamped", one(attestations.stamped, attestations.stamped_at, no_roots)),
            ("seals in force until", moment(seal.expires_at) if seal else "no seal"),
        ]
    )
