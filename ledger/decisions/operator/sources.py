"""Register the sources of commands, and record what they seal as sent (ADR 0057).

A seal is verified before it is recorded, by what is in memory: no decision waits for it, and it
waits for no command. Whether the record has what was sealed is a finding, not a reason to refuse
the seal: the statement of a source is a fact in either case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta
from msgspec.structs import asdict

from ledger.core.clock import CLOCKS_APART_MAX, MINUTE, SECOND
from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.events.command import Command, Id, Moment, Text
from ledger.tlog.source_seals import (
    COMMANDS_MAX,
    MARK_BYTES,
    NUMBER_MAX,
    SealStatement,
    SourceCertificate,
)

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState
    from ledger.tlog.source_seals import SourceKey

__all__ = ["RegisterSource", "SealSource", "register_source", "seal_source"]

CERTIFICATE_BYTES_MAX = 8_192
INTERVAL_MINUTES_MAX = 1_440


class RegisterSource(Command, frozen=True):
    """Register a system that sends commands, and the certificate of its seals.

    ``certificate`` is X.509 in DER, base64 in JSON, of an ECDSA key on P-256; without one, the
    source cannot seal, and ``reason`` states why. A registration replaces the earlier one.
    """

    system: Id
    reason: Text
    certificate: Annotated[bytes, Meta(max_length=CERTIFICATE_BYTES_MAX)] = b""
    interval_minutes: Annotated[int, Meta(ge=1, le=INTERVAL_MINUTES_MAX)] = 5


class SealSource(Command, frozen=True):
    """Record what a source states that it sent; bytes are base64 in JSON (docs/format.md).

    ``until`` is in microseconds since 1970, by the clock of the source.
    """

    system: Id
    first_number: Annotated[int, Meta(ge=1, le=NUMBER_MAX)]
    until: Moment
    digest: Annotated[bytes, Meta(min_length=32, max_length=32)]
    marks: Annotated[bytes, Meta(max_length=COMMANDS_MAX * MARK_BYTES)]
    signature: Annotated[bytes, Meta(min_length=64, max_length=64)]
    is_last: bool = False

    @classmethod
    def of(cls, statement: SealStatement, key: SourceKey, *, source: str) -> SealSource:
        """Create the command that records a statement, signed with the key of its source."""
        return cls(
            system=statement.system,
            first_number=statement.first,
            until=statement.until,
            digest=statement.digest,
            marks=statement.marks,
            signature=key.sign(statement),
            is_last=statement.is_last,
            source=source,
        )


def register_source(ledger_state: LedgerState, command: RegisterSource, at: int) -> list[e.Event]:
    """Decide :class:`RegisterSource`.

    Raises:
        InputError: the certificate is not one of ECDSA on P-256, or has ended.

    """
    del ledger_state
    if not command.certificate:
        return [command.as_event(e.SourceRegistered, public_key=b"", interval_seconds=0)]
    certificate = SourceCertificate.read(command.certificate)
    if certificate.ends_at <= at:
        raise InputError(f"the certificate of {command.system} has ended: give its next one")
    interval_seconds = command.interval_minutes * MINUTE // SECOND
    return [
        command.as_event(
            e.SourceRegistered,
            public_key=certificate.public_key,
            interval_seconds=interval_seconds,
        )
    ]


def seal_source(ledger_state: LedgerState, command: SealSource, at: int) -> list[e.Event]:
    """Decide :class:`SealSource`.

    Raises:
        InputError: the source is not registered with a certificate, the certificate is not in force
            at the moment of the seal, that moment is in the future, or the signature is not valid.

    """
    house, system = ledger_state.operator_state, command.system
    certificate = house.sources.get(system)
    if certificate is None:
        raise InputError(f"{system} is not registered with a certificate: register it first")
    if len(command.marks) % MARK_BYTES:
        raise InputError(f"the marks of a seal have {MARK_BYTES} bytes each")
    if command.until > at + CLOCKS_APART_MAX:
        raise InputError(
            f"the clock of {system} is ahead of ours: compare both with the right time"
        )
    if not certificate.begins_at <= command.until < certificate.ends_at:
        raise InputError(f"the certificate of {system} is not in force then: register its next one")
    statement = SealStatement.of(house.chain, asdict(command))
    if not statement.is_signed_by(certificate.public_key, certificate.der, command.signature):
        raise InputError(f"the signature is not one of {system} over this seal")
    return [command.as_event(e.SourceSealed, commands=statement.commands)]
