"""Sources of a simulation that number and seal what they send, and the faults of such sources.

What comes in: the commands that a stage sends. What goes out: the same commands with identifiers,
and a seal every five minutes. A source uses no random number of the stage, so an evening with seals
has the events of one without. A lost command is one that never reaches the writer.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import Enum, auto
from hashlib import sha256
from typing import TYPE_CHECKING
from uuid import UUID

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from msgspec.structs import replace

from ledger.core.clock import MINUTE, SECOND
from ledger.decisions.operator.sources import RegisterSource, SealSource
from ledger.tlog.source_seals import SealStatement, SourceKey

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.events.command import Command
    from tools.simulator._stage import Stage

__all__ = ["SealingSource", "SourceFault", "seal_sources"]

SEALED_EVERY = 5 * MINUTE
COMMAND_WITH_FAULT = 40
SEAL_WITH_FAULT = 5
HELD_SEALS = 3
"""For so many seals a command is held that is numbered late."""


class SourceFault(Enum):
    """Something that a source, or the way from it to the writer, does wrong once in an evening."""

    LOST = auto()
    """A command does not reach the writer."""
    LEFT_OUT = auto()
    """A command that was sent is not sealed: it looks as if the writer had made it up."""
    NUMBERED_TWICE = auto()
    NUMBERED_LATE = auto()
    """A command is numbered behind those of the next minutes."""
    SEAL_LOST = auto()
    CUT_OFF = auto()
    """No seal arrives any more."""
    NUMBERS_USED_AGAIN = auto()


class SealingSource:
    """A system that numbers and seals its commands.

    Args:
        stage: through which it sends.
        name: first part of ``source`` in its commands.
        fault: of this source; None for none.

    """

    def __init__(self, stage: Stage, name: str, fault: SourceFault | None = None) -> None:
        """Create key and certificate from the name."""
        self._stage, self._name, self._fault = stage, name, fault
        self._key = _key_of(name)
        self._sent: list[bytes] = []
        self._held: list[bytes] = []
        self._count = self._seals = self._sealed = self._held_until = 0
        self._is_paused = True

    def register(self) -> None:
        """Register the source, before it sends anything."""
        minutes = SEALED_EVERY // MINUTE
        certificate = self._key.certificate
        self._stage.send_apart(
            RegisterSource(
                system=self._name,
                certificate=certificate,
                interval_minutes=minutes,
                reason="It seals what it sends.",
                source="platform",
            )
        )

    def enter(self, command: Command) -> Command:
        """Number a command; return it with its identifier."""
        self._count += 1
        content = f"{self._name}|{self._count}".encode()
        identifier = command.command_id or UUID(bytes=sha256(content).digest()[:16])
        entered = [identifier.bytes]
        if self._count == COMMAND_WITH_FAULT:
            match self._fault:
                case SourceFault.LOST:
                    entered.append(sha256(b"lost").digest()[:16])
                case SourceFault.LEFT_OUT:
                    entered.clear()
                case SourceFault.NUMBERED_TWICE:
                    entered *= 2
                case SourceFault.NUMBERED_LATE:
                    self._held, entered = entered, []
                    self._held_until = self._seals + HELD_SEALS
                case _:
                    pass
        self._sent += entered
        return replace(command, command_id=identifier)

    def seal(self, *, is_last: bool = False) -> None:
        """Seal what was sent since the last seal; a source that sends nothing seals it once."""
        is_idle = self._sealed == len(self._sent) and not self._held
        if is_idle and self._is_paused:
            return
        self._is_paused = is_last = is_last or is_idle
        self._seals += 1
        if self._fault is SourceFault.CUT_OFF and self._seals > SEAL_WITH_FAULT:
            return
        is_faulty = self._seals == SEAL_WITH_FAULT
        if is_last or self._seals >= self._held_until:
            self._sent += self._held
            self._held = []
        first, self._sealed = self._sealed + 1, len(self._sent)
        if self._fault is SourceFault.SEAL_LOST and is_faulty:
            return
        commands = self._sent[first - 1 :]
        if self._fault is SourceFault.NUMBERS_USED_AGAIN and is_faulty:
            first = 1
        statement = SealStatement.over(
            commands,
            chain=self._stage.chain,
            system=self._name,
            first=first,
            until=self._stage.moment,
            is_last=is_last,
        )
        self._stage.send_apart(SealSource.of(statement, self._key, source=self._name))


def seal_sources(stage: Stage, faults: Mapping[str, SourceFault | None]) -> None:
    """Let systems seal what they send from now on, until nothing else is left to do."""
    for name, fault in faults.items():
        source = stage.sources[name] = SealingSource(stage, name, fault)
        source.register()
        _seal_later(stage, source)


def _seal_later(stage: Stage, source: SealingSource) -> None:
    def seal() -> None:
        source.seal()
        if stage.pending >= len(stage.sources):  # more than the next seals of the others
            _seal_later(stage, source)

    stage.after(SEALED_EVERY / SECOND, seal)


def _key_of(name: str) -> SourceKey:
    secret = int.from_bytes(sha256(f"gameledger|source|{name}".encode()).digest()[:31])
    key = ec.derive_private_key(secret, ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    begins, ends = datetime(2026, 1, 1, tzinfo=UTC), datetime(2036, 1, 1, tzinfo=UTC)
    builder = x509.CertificateBuilder(subject, subject, key.public_key(), 1, begins, ends)
    certificate = builder.sign(key, hashes.SHA256(), ecdsa_deterministic=True)
    return SourceKey(key, certificate.public_bytes(Encoding.DER))
