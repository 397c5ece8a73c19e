"""Options and answers of log commands about cosignatures, time stamps and seals."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ledger.core.errors import InputError
from ledger.log.port import Query
from ledger.storage.named_files import read_bounded
from ledger.tlog.notes import Note
from ledger.tlog.policy import Policy
from tools.cli._output import number

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

    from tools.data import DataDirectory
    from tools.witness.attestations import Attestations

__all__ = [
    "SealAuthorities",
    "StampRoots",
    "TrustedKeys",
    "VerifiedAttestations",
    "WitnessPolicy",
    "attestations_of_note",
    "missing_attestations",
    "read_policy",
    "read_roots",
    "verified_attestations",
]

WitnessPolicy = Annotated[
    Path | None,
    typer.Option(
        "--witness-policy",
        envvar="GAMELEDGER_WITNESS_POLICY",
        metavar="FILE",
        help="Which witnesses have to cosign: a policy, as C2SP tlog-policy has it.",
    ),
]
"""The policy that says when a checkpoint is witnessed."""

StampRoots = Annotated[
    Path | None,
    typer.Option(
        "--stamp-roots",
        envvar="GAMELEDGER_STAMP_ROOTS",
        metavar="FILE",
        help="Certificates in PEM that vouch for time stamps.",
    ),
]
"""Who is trusted with time stamps."""

SealAuthorities = Annotated[
    Path | None,
    typer.Option(
        "--seal-ca",
        envvar="GAMELEDGER_SEAL_CA",
        metavar="FILE",
        help="Certificates in PEM of who issued the certificates of seals.",
    ),
]
"""Who is trusted to issue the certificates of seals."""

TrustedKeys = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="Public keys that you trust, one a line."),
]
"""Whose signatures count."""


SEALS = Query(types=("CheckpointSealed",))


def read_policy(path: Path | None) -> Policy | None:
    """Read a policy, if one is named.

    Raises:
        InputError: it is none.

    """
    if path is None:
        return None
    content = _read(path)
    try:
        return Policy.parse(content)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def read_roots(path: Path | None) -> list[Certificate] | None:
    """Read certificates of roots, if a file of them is named.

    Raises:
        InputError: it holds none.

    """
    if path is None:
        return None
    from ledger.tlog.stamps import parse_roots

    content = _read(path)
    try:
        return parse_roots(content)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def missing_attestations(
    attestations: Attestations,
    policy: Policy | None,
    *,
    has_roots: bool,
    has_authorities: bool = False,
) -> list[str]:
    """Describe which requested attestation is missing."""
    texts, last = [], attestations.last
    size = last.size if last else 0
    if policy and (attestations.witnessed is None or attestations.witnessed.size < size):
        missing = [name for name in policy.witnesses if name not in attestations.cosigned]
        text = "UNWITNESSED: the policy does not accept the last checkpoint"
        if last is not None:
            text += f" (the first {number(size)} messages): {', '.join(missing)} did not cosign it"
        text += ". " + (
            f"Only the first {number(attestations.witnessed.size)} messages are witnessed."
            if attestations.witnessed
            else "No other is witnessed: who holds the key of the log could show everybody another."
        )
        texts.append(text)
    if has_roots and (attestations.stamped is None or attestations.stamped.size < size):
        text = "UNSTAMPED: the last checkpoint bears no time stamp that the roots vouch for"
        texts.append(
            f"{text}{f' ({attestations.stamp_problem})' if attestations.stamp_problem else ''}."
        )
    if has_authorities and (attestations.sealed is None or attestations.sealed.size < size):
        text = "UNSEALED: the last checkpoint bears no seal that the authorities vouch for"
        texts.append(
            f"{text}{f' ({attestations.seal_problem})' if attestations.seal_problem else ''}."
        )
    return texts


class VerifiedAttestations(NamedTuple):
    """How many messages are witnessed, stamped and sealed, None where it was not asked; what lacks.

    ``seal_certificate`` is the SHA-256 of the certificate of the last seal, hexadecimal.
    """

    witnessed: int | None
    stamped: int | None
    lacking: list[str]
    sealed: int | None = None
    seal_certificate: str | None = None
    sealer: str = ""

    @property
    def rows(self) -> list[tuple[str, str]]:
        """What a person is shown of it."""
        sizes = (
            ("witnessed", self.witnessed),
            ("stamped", self.stamped),
            ("sealed", self.sealed),
        )
        shown = [(name, size) for name, size in sizes if size is not None]
        rows = [(name, f"the first {number(size)}" if size else "nothing") for name, size in shown]
        return [*rows, ("sealed by", self.sealer)] if self.sealer else rows


def verified_attestations(
    directory: DataDirectory,
    policy: Policy | None,
    roots: list[Certificate] | None,
    authorities: list[Certificate] | None = None,
    *,
    is_known: bool = True,
) -> VerifiedAttestations:
    """Verify what witnesses and authorities said of a log, and the seals of its operator.

    Where nothing is asked, a log with events that this version does not know (``is_known``) is not
    searched for seals: only the version that wrote it can make its index.

    Raises:
        IntegrityError: a cosignature, a stamp, a seal or a clock is false.

    """
    from tools.witness.attestations import attestations_of

    is_asked = (policy, roots, authorities) != (None, None, None)
    if not is_asked and not is_known:
        return VerifiedAttestations(None, None, [])
    with closing(directory.read()) as log:
        if not is_asked and not log.find(SEALS, limit=1):
            return VerifiedAttestations(None, None, [])
        attestations = attestations_of(log, policy, roots, authorities=authorities)
    sizes = [one.size if one else 0 for one in (attestations.witnessed, attestations.stamped)]
    witnessed, stamped = sizes[0] if policy else None, sizes[1] if roots else None
    lacking = missing_attestations(
        attestations, policy, has_roots=bool(roots), has_authorities=bool(authorities)
    )
    seal, sealed = attestations.seal, attestations.sealed
    if seal is None or sealed is None:
        return VerifiedAttestations(witnessed, stamped, lacking, 0 if authorities else None)
    certificate = seal.signer.certificate
    sealer = f"{certificate.subject.rfc4514_string()}, SHA-256 {seal.signer.digest.hex()}"
    if authorities is None:
        sealer += "; who issued the certificate was not checked: name its authority with --seal-ca"
    return VerifiedAttestations(
        witnessed, stamped, lacking, sealed.size, seal.signer.digest.hex(), sealer
    )


def attestations_of_note(note: str, policy: Policy | None) -> VerifiedAttestations:
    """Verify what witnesses said of a log in tiles.

    Args:
        note: its checkpoint, the very one that its messages were compared with: a server that is
            asked again may show that of another history.
        policy: the witnesses that have to have cosigned it.

    Raises:
        IntegrityError: a cosignature is false.

    """
    if policy is None:
        return VerifiedAttestations(None, None, [])
    checkpoint = Note.parse(note)
    cosigned = policy.cosigned(checkpoint)
    if policy.is_met(cosigned):
        return VerifiedAttestations(checkpoint.head.size, None, [])
    missing = ", ".join(name for name in policy.witnesses if name not in cosigned)
    text = f"UNWITNESSED: the policy does not accept the checkpoint: {missing} did not cosign it."
    return VerifiedAttestations(0, None, [text])


def _read(path: Path) -> bytes:
    return read_bounded(path)
