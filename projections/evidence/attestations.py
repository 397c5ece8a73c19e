"""Check that trusted witnesses and time-stamp authorities attest the checkpoint of a file.

What comes in: the verified file, a policy of witnesses, and root certificates of time-stamp
authorities. What goes out: the required attestations (cosignatures, time stamps) that are missing.
Rejected: an invalid cosignature under the key of a trusted witness, an invalid time stamp, and
either of them if it is older than the shown events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from ledger.core.clock import CLOCKS_APART_MAX, SECOND
from ledger.core.errors import IntegrityError
from ledger.tlog.notes import Note
from ledger.tlog.stamps import verify_stamp
from projections.evidence.document import EvidenceError
from projections.evidence.verify import stamped_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cryptography.x509 import Certificate

    from ledger.tlog.policy import Policy
    from projections.evidence.verify import VerifiedFile

__all__ = ["missing_attestations"]

COMPLETENESS_UNWITNESSED = (
    "UNWITNESSED: the witnesses cosigned the tree and not the tag map, so that nothing was left "
    "out rests on the log's signature alone. `gameledger log checkpoint` with the policy, then "
    "evidence made again, proves it by the witnesses."
)
"""A policy that is met by ML-DSA-44, of a file of format 1."""


def missing_attestations(
    found: VerifiedFile, policy: Policy | None, roots: Sequence[Certificate] | None
) -> tuple[str, ...]:
    """Return the required attestations that are missing, as texts; empty if none is.

    Args:
        found: the verified content of the file.
        policy: witnesses that must have cosigned; None: no witness is required.
        roots: root certificates for time stamps; None: no time stamp is required.

    Raises:
        EvidenceError: a cosignature or a time stamp is invalid, or older than the events.

    """
    note, texts = Note.parse(found.evidence.note), []
    if policy:
        cosigned = _cosigned(policy, note)
        for name, seconds in cosigned.items():
            _require_later(found, "checkpoint", f"the cosignature of {name}", seconds * SECOND)
        if not policy.is_met(cosigned):
            missing = ", ".join(name for name in policy.witnesses if name not in cosigned)
            text = "UNWITNESSED: the policy does not accept the checkpoint"
            texts.append(f"{text}: {missing} did not cosign it.")
        elif found.evidence.completeness.checkpoint is UNSET:
            of_line = [one for one in cosigned if policy.witnesses[one].key.covers_extensions]
            if not policy.is_met(of_line):
                texts.append(COMPLETENESS_UNWITNESSED)
    if roots:
        for stamp in found.evidence.stamps:
            at = _stamped_at(stamp.answer, stamped_bytes(note, found.signers), roots)
            _require_later(found, "stamp", f"the time stamp of {stamp.authority}", at)
        if not found.evidence.stamps:
            texts.append("UNSTAMPED: the checkpoint bears no time stamp.")
    return tuple(texts)


def _cosigned(policy: Policy, note: Note) -> dict[str, int]:
    try:
        return policy.cosigned(note)
    except IntegrityError as error:
        raise EvidenceError("checkpoint", str(error)) from error


def _stamped_at(answer: bytes, note: bytes, roots: Sequence[Certificate]) -> int:
    try:
        return verify_stamp(answer, note, roots)
    except IntegrityError as error:
        raise EvidenceError("stamp", str(error)) from error


def _require_later(found: VerifiedFile, place: str, what: str, at: int) -> None:
    """Require that an attestation was made after all shown events, within clock tolerance.

    ``at`` is the time of the attestation, in microseconds.
    """
    for event in (*found.events, *found.basis):
        if at + CLOCKS_APART_MAX < event.envelope["recorded_at"]:
            text = f"{what} is older than message {event.position}, which it claims to cover"
            raise EvidenceError(place, text)
