"""Determine which checkpoints of a log are attested by trusted witnesses, time stamps and seals."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import SECOND
from ledger.core.errors import IntegrityError
from ledger.log.checkpoints import checkpoints
from ledger.tlog.seals import require_issuer
from ledger.tlog.stamps import verify_stamp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cryptography.x509 import Certificate

    from ledger.log.checkpoints import AttestedCheckpoint, RecordedSeal
    from ledger.log.port import Log
    from ledger.tlog.policy import Policy

__all__ = ["Attestations", "attestations_of"]


class Attestations(NamedTuple):
    """Attestations of a log; timestamps in microseconds, None where there is no attestation.

    ``last`` is the newest checkpoint, ``cosigned`` names the witnesses of the policy that cosigned
    it; ``witnessed`` is the newest checkpoint whose cosignatures meet the policy, ``stamped`` the
    newest whose time stamp the roots accept, ``sealed`` the newest with a seal, whose certificate
    one of the authorities issued if there are any, and ``seal`` that seal.
    """

    last: AttestedCheckpoint | None
    cosigned: tuple[str, ...]
    witnessed: AttestedCheckpoint | None
    witnessed_at: int | None
    stamped: AttestedCheckpoint | None
    stamped_at: int | None
    stamp_problem: str
    sealed: AttestedCheckpoint | None
    seal: RecordedSeal | None
    seal_problem: str


def attestations_of(
    log: Log,
    policy: Policy | None,
    roots: Sequence[Certificate] | None,
    checkpoints_max: int | None = None,
    *,
    authorities: Sequence[Certificate] | None = None,
) -> Attestations:
    """Examine the checkpoints of a log, the newest first.

    Args:
        log: any log.
        policy: which witnesses count; None: no checkpoint counts as witnessed.
        roots: trusted certificates for time stamps; None: no checkpoint counts as stamped.
        checkpoints_max: number of checkpoints to examine; the search ends earlier once the
            requested attestations are found. None verifies the attestations of every checkpoint.
        authorities: trusted issuers of the certificates of seals; None: any issuer.

    Raises:
        IntegrityError: a cosignature, a time stamp, a seal or a clock in the log is invalid.

    """
    last = witnessed = stamped = None
    names: tuple[str, ...] = ()
    witnessed_at = stamped_at = None
    problem = seal_problem = ""
    sealed = seal = None
    for one in islice(checkpoints(log), checkpoints_max):
        cosigned = policy.cosigned(one.note) if policy else {}
        if last is None:
            last, names = one, tuple(cosigned)
        if policy and witnessed is None and policy.is_met(cosigned):
            witnessed = one
            witnessed_at = max(cosigned.values()) * SECOND if cosigned else None
        if roots and stamped is None:
            stamped_at, stamp_problem = _stamped(one, roots)
            stamped = one if stamped_at is not None else None
            problem = problem or stamp_problem
        if seal is None:
            seal, problem_here = _seal_of(one, authorities)
            sealed, seal_problem = one if seal else None, seal_problem or problem_here
        is_found = (witnessed or not policy) and (stamped or not roots)
        if is_found and checkpoints_max is not None:
            break
    return Attestations(
        last,
        names,
        witnessed,
        witnessed_at,
        stamped,
        stamped_at,
        problem,
        sealed,
        seal,
        seal_problem,
    )


def _stamped(one: AttestedCheckpoint, roots: Sequence[Certificate]) -> tuple[int | None, str]:
    """Return the time of the first stamp that a root vouches for, or why there is none."""
    problem = ""
    for stamp in one.stamps:
        try:
            return verify_stamp(stamp.stamp, str(one.log_note).encode(), roots), ""
        except IntegrityError as error:
            problem = f"{stamp.authority}: {error}"
    return None, problem


def _seal_of(
    one: AttestedCheckpoint, authorities: Sequence[Certificate] | None
) -> tuple[RecordedSeal | None, str]:
    """Return the first seal of an accepted issuer, or why there is none."""
    problem = ""
    for seal in one.seals:
        try:
            if authorities is not None:
                require_issuer(seal.signer.certificate, authorities, seal.recorded_at)
        except IntegrityError as error:
            problem = str(error)
        else:
            return seal, ""
    return None, problem
