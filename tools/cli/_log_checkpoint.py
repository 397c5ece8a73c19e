"""``log checkpoint``: sign the chain as it is, and have others say that they saw it."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ledger.core.clock import SECOND, SystemClock
from ledger.core.errors import (
    AuthorizationError,
    AvailabilityError,
    InputError,
    IntegrityError,
)
from ledger.decisions.operator.attestations import RecordCosignature, RecordSeal, RecordStamp
from ledger.decisions.operator.keys import AddSigningKey, RecordCheckpoint
from ledger.events import event_types as events
from ledger.log.checkpoints import checkpoints, cosigned_size, keys_of
from ledger.log.port import Query, events_at
from ledger.tlog import merkle
from ledger.tlog.algorithms import ECDSA_P256, ED25519
from ledger.tlog.signing import SigningKey
from tools.cli._answering import emits
from tools.cli._log_attestations import StampRoots, WitnessPolicy, read_policy, read_roots
from tools.cli._log_verify import KEY_PREFIX
from tools.cli._options import DATA, Data, DryRun, Json
from tools.cli._output import echo, emit, moment
from tools.data import DataDirectory
from tools.sanitize import escape_controls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cryptography.x509 import Certificate

    from ledger.log.port import Log
    from ledger.tlog.cosigning import Cosignature
    from ledger.tlog.policy import Policy, Witness
    from tools.service.client import AnyLedger
    from tools.witness.client import CosignResult

__all__ = [
    "OfSigningKey",
    "SignedCheckpoint",
    "SigningAlgorithm",
    "WitnessAnswer",
    "checkpoint",
    "key_history",
]


class SigningAlgorithm(StrEnum):
    """Algorithms of keys that sign checkpoints (C2SP signed-note)."""

    ED25519 = "ed25519"
    ECDSA_P256 = "ecdsa-p256"

    @property
    def algorithm(self) -> str:
        """The name of the algorithm as it is recorded."""
        return {self.ED25519: ED25519, self.ECDSA_P256: ECDSA_P256}[self].name


OfSigningKey = Annotated[
    SigningAlgorithm, typer.Option("--algorithm", help="Signature algorithm of a new key.")
]


@dataclass(frozen=True, slots=True)
class WitnessAnswer:
    """What came of asking a witness: when it cosigned, or why it did not."""

    witness: str
    cosigned_at: int | None
    problem: str | None


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """A checkpoint; under ``--dry-run`` nothing was signed."""

    size: int
    root: str
    map_root: str | UnsetType = UNSET
    key: str | UnsetType = UNSET
    note: str | UnsetType = UNSET
    witnesses: list[WitnessAnswer] | UnsetType = UNSET
    witnessed: bool | UnsetType = UNSET
    stamped_at: int | UnsetType | None = UNSET
    sealed_at: int | UnsetType | None = UNSET
    warnings: list[str] | UnsetType = UNSET
    dry_run: Literal[True] | UnsetType = UNSET


@emits(SignedCheckpoint)
def checkpoint(
    *,
    witness_policy: WitnessPolicy = None,
    stamp_url: Annotated[
        str,
        typer.Option(
            envvar="GAMELEDGER_STAMP_URL",
            metavar="URL",
            help="A time-stamp authority (RFC 3161) to ask; with --stamp-roots.",
        ),
    ] = "",
    stamp_roots: StampRoots = None,
    seal_key: Annotated[
        str,
        typer.Option(
            envvar="GAMELEDGER_SEAL_KEY",
            metavar="FILE|URI",
            help="Key of the seal: PEM, PKCS#12, or pkcs11:token=…;object=…?module-path=….",
        ),
    ] = "",
    seal_certificate: Annotated[
        Path | None,
        typer.Option(
            envvar="GAMELEDGER_SEAL_CERTIFICATE",
            metavar="FILE",
            help="Certificate of the key of the seal.",
        ),
    ] = None,
    new_key: Annotated[
        str,
        typer.Option(
            metavar="REASON",
            help="Make a new signing key, as for one that was lost; the reason is recorded.",
        ),
    ] = "",
    algorithm: OfSigningKey = SigningAlgorithm.ED25519,
    data: Data = DATA,
    as_json: Json = False,
    dry_run: DryRun = False,
) -> None:
    """Sign how long the chain is and the root of the tree over it, record it, print it as a note.

    Keep the note where those with write access to the log can't change it. The first checkpoint
    of a chain makes the key, in `keys/checkpoint.key`; its public half goes to stderr, to be kept
    too. A key that is missing later is an error: restore it, or announce its successor with
    `--new-key` (docs/keys.md).

    With `--witness-policy` its witnesses are asked to cosign, with `--stamp-url` an authority for
    a time stamp; what they say is checked and recorded. Missing answers and refusals are printed.
    For a witness with ML-DSA-44 a second checkpoint is signed, which covers the record of the
    first: such a witness does not sign the root of the tag map, and that record holds it.
    With `--seal-key` and `--seal-certificate` the operator seals the note (CAdES, ECDSA P-256 or
    RSA-PSS), and the seal is recorded; GAMELEDGER_SEAL_PASSPHRASE holds the passphrase or PIN.
    Exit code 1 if the policy is not met, a witness saw another history, or a stamp or seal is
    missing; the checkpoint is recorded all the same. docs/witness.md tells more.

    Example: `gameledger log checkpoint > note.txt`
    """
    policy = read_policy(witness_policy)
    roots = read_roots(stamp_roots) if stamp_url else None
    if stamp_url and not roots:
        raise InputError("--stamp-url needs --stamp-roots: a stamp is checked before it is kept")
    if bool(seal_key) != bool(seal_certificate):
        raise InputError("a seal needs both --seal-key and --seal-certificate")
    if dry_run:
        _print_dry_run(data, as_json=as_json)
        return
    history = key_history(data)
    with data.write() as ledger:
        key = _signing_key(data, ledger, history, new_key, algorithm.algorithm)
        signed = ledger.checkpoint()
        receipt = ledger.execute(replace(RecordCheckpoint.of(signed, key), source="cli"))
        if policy and not all(one.key.covers_extensions for one in policy.witnesses.values()):
            signed = ledger.checkpoint(receipt.last_position + 1)
            ledger.execute(replace(RecordCheckpoint.of(signed, key), source="cli"))
        with closing(data.read()) as log:
            attestations = _AttestationRequests(data, ledger, log)
            is_enough = attestations.request_cosignatures(policy) if policy else True
            is_enough &= attestations.request_stamp(stamp_url, roots) if roots else True
            if seal_certificate:
                is_enough &= attestations.seal(seal_key, seal_certificate)
            note = str(next(checkpoints(log)).note)
    if as_json:
        emit(
            SignedCheckpoint(
                size=signed.size,
                root=signed.root.hex(),
                map_root=signed.map_root.hex(),
                key=key.public.text,
                note=note,
                **attestations.answer,
            )
        )
    else:
        sys.stdout.write(note)
        print(f"{KEY_PREFIX}{key.public.text}", file=sys.stderr)
        attestations.print_lines()
    if not is_enough:
        raise typer.Exit(1)


class _AttestationRequests:
    """Cosignatures and stamps of the last checkpoint: requested, recorded, printed."""

    def __init__(self, directory: DataDirectory, ledger: AnyLedger, log: Log) -> None:
        self._directory, self._ledger, self._log = directory, ledger, log
        self._last = next(checkpoints(log))
        self.answer: dict[str, Any] = {}
        self._warnings: list[str] = []
        self._lines: list[str] = []

    def request_cosignatures(self, policy: Policy) -> bool:
        """Ask the witnesses of a policy, and return whether that is enough for it."""
        from tools.witness.client import CosignRequest, request_cosignatures

        last, log, witnesses = self._last, self._log, policy.witnesses.values()
        keys = tuple(keys_of(log))
        asking = CosignRequest(
            last.log_note,
            keys,
            log,
            last.recorded_at,
            SystemClock().now,
            signed=lambda: next(checkpoints(log)).size,
        )
        asked = request_cosignatures(witnesses, asking, _cosigned_sizes(log, witnesses))
        cosigned = [one.witness.name for one in asked if self._is_recorded(one)]
        is_met = policy.is_met(cosigned)
        if not is_met:
            text = "UNWITNESSED: too few witnesses cosigned for the policy"
            self._warnings.append(f"{text}; sign again when they can be reached.")
        self.answer |= {"witnessed": is_met, "warnings": self._warnings}
        return is_met and not any(one.is_split for one in asked)

    def request_stamp(self, url: str, roots: list[Certificate]) -> bool:
        """Ask an authority for a time stamp, and return whether there is one."""
        from ledger.tlog.stamps import stamp_moment
        from tools.witness.stamping import request_stamp

        last, note = self._last, str(self._last.log_note).encode()
        now = SystemClock().now
        try:
            stamp = request_stamp(url, note, roots, recorded_at=last.recorded_at, now=now)
            self._ledger.execute(
                RecordStamp(size=last.size, authority=url, stamp=stamp, source="cli")
            )
        except (AvailabilityError, InputError, IntegrityError) as error:
            self._warnings.append(f"UNSTAMPED: {error}.")
            self.answer |= {"stamped_at": None, "warnings": self._warnings}
            return False
        at = stamp_moment(stamp, note)
        self._lines.append(f"stamped {moment(at)} by {url}")
        self.answer |= {"stamped_at": at, "warnings": self._warnings}
        return True

    def seal(self, key: str, certificate: Path) -> bool:
        """Seal the note with the operator's certificate, and return whether that was recorded."""
        from ledger.tlog.seals import seal_certificate
        from tools.witness.sealing import seal_note

        note = str(self._last.log_note).encode()
        try:
            seal = seal_note(note, key, certificate, SystemClock().now())
            self._ledger.execute(RecordSeal(size=self._last.size, seal=seal, source="cli"))
        except (AuthorizationError, AvailabilityError, InputError) as error:
            self._warnings.append(f"UNSEALED: {error}.")
            self.answer |= {"sealed_at": None, "warnings": self._warnings}
            return False
        signer = seal_certificate(seal)
        subject = signer.certificate.subject.rfc4514_string()
        self._lines.append(f"sealed {moment(signer.sealed_at)} by {subject}")
        self.answer |= {"sealed_at": signer.sealed_at, "warnings": self._warnings}
        return True

    def print_lines(self) -> None:
        """Print the result for a person; warnings come last, where they are noticed."""
        for line in (*self._lines, *self._warnings):
            print(escape_controls(line), file=sys.stderr)

    def _is_recorded(self, asked: CosignResult) -> bool:
        """Record or print the answer of a witness; return whether a cosignature was recorded."""
        name, problem, at = asked.witness.name, asked.problem, None
        if asked.proof:
            problem = f"{problem}; {self._store_proof(asked.proof)}"
        if asked.cosignature is not None:
            try:
                self._record(asked.witness, asked.cosignature, is_mirror=asked.is_mirror)
                at = asked.cosignature.seconds * SECOND
            except InputError as error:
                problem = f"cosigned it, which was not recorded: {error}"
        if at is None:
            loud = "SPLIT HISTORY: " if asked.is_split else ""
            self._warnings.append(f"{loud}witness {name} {problem}.")
        else:
            self._lines.append(f"cosigned {moment(at)} by {name}")
        witnesses = self.answer.setdefault("witnesses", [])
        witnesses.append(WitnessAnswer(name, at, problem or None))
        return at is not None

    def _store_proof(self, proof: str) -> str:
        from tools.witness.proofs import keep_proof

        try:
            return f"the proof is kept as {keep_proof(self._directory.misconduct_path, proof)}"
        except AvailabilityError as error:
            return f"the proof can't be kept, so repeat when it can: {error}"

    def _record(self, witness: Witness, cosignature: Cosignature, *, is_mirror: bool) -> None:
        self._ledger.execute(
            RecordCosignature(
                size=self._last.size,
                witness=witness.key.name,
                public_key=witness.key.raw,
                seconds=cosignature.seconds,
                signature=cosignature.signature,
                algorithm=witness.key.algorithm.name,
                is_mirror=is_mirror,
                source="cli",
            )
        )


def _cosigned_sizes(log: Log, witnesses: Iterable[Witness]) -> dict[str, int]:
    """Return the size of the last checkpoint that each witness cosigned, by the text of its key."""
    sizes = {one.key.text: cosigned_size(log, one.key) for one in witnesses}
    return {key: size for key, size in sizes.items() if size}


def _print_dry_run(directory: DataDirectory, *, as_json: bool) -> None:
    with closing(directory.read()) as log:
        size = log.head().size
        root = merkle.root(log.node, size).hex()
    if as_json:
        emit(SignedCheckpoint(size, root, dry_run=True))
    else:
        echo(f"Would sign size {size}, root {root}.")


def key_history(directory: DataDirectory) -> dict[str, bool]:
    """Return for every signing key of the chain whether it is in force."""
    with closing(directory.read()) as log:
        history = {}
        positions = log.find(Query(types=("SigningKeyAdded", "SigningKeyRevoked")))
        for event in (recorded.event for recorded in events_at(log, positions)):
            if isinstance(event, events.SigningKeyAdded | events.SigningKeyRevoked):
                history[event.key_id] = isinstance(event, events.SigningKeyAdded)
        return history


def _signing_key(
    directory: DataDirectory,
    ledger: AnyLedger,
    history: dict[str, bool],
    new_key: str,
    algorithm: str,
) -> SigningKey:
    """Load the signing key, or make one: the chain's first, or one that a reason is given for.

    Raises:
        InputError: the key is missing though the chain has one, or is another chain's.
        AuthorizationError: the key was revoked.

    """
    path = directory.signing_key_path
    if path.exists():
        if new_key:
            raise InputError(f"--new-key would replace {path}: move that file away first")
        key = SigningKey.load(path)
    elif history and not new_key:
        known = ", ".join(history)
        raise InputError(
            f"{path} is missing, and the chain was signed by {known}: restore the file from its "
            "copy, or name the folder of the keys with --keys; if the key is lost, announce a new "
            "one with --new-key REASON (docs/keys.md)"
        )
    else:
        key = SigningKey.create(path, ledger.chain, algorithm=algorithm)
    if key.public.name != ledger.chain:
        text = f"{path} is a key of the chain {key.public.name}, and this one is {ledger.chain}"
        raise InputError(f"{text}: name the folder of its keys with --keys")
    if key.key_id not in history:
        ledger.execute(
            AddSigningKey.of(key.public, new_key or "Key of the command line.", source="cli")
        )
    elif not history[key.key_id]:
        raise AuthorizationError(
            f"key {key.key_id} was revoked: move {path} away and announce a new key with --new-key"
        )
    return key
