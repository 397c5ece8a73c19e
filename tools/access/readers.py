"""Readers: their roles, credentials and end of validity.

Input: events about readers, in the order of the chain of accesses. Output: the reader of a token or
a certificate. Only the SHA-256 of a token is stored; a token has 256 random bits, so the digest
needs no salt or slow hash. Comparisons take constant time.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from hashlib import sha256
from hmac import compare_digest
from threading import Lock
from typing import TYPE_CHECKING

from ledger.events import event_types as e
from tools.access.scopes import ROLES, Scope, scopes_of

if TYPE_CHECKING:
    from ledger.events.encoding import RecordedEvent

__all__ = ["TRIAL", "AccessUser", "Readers", "digest_of", "new_token", "trial_reader"]

TOKEN_BYTES = 32
TRIAL = "trial"
"""Name of the only reader of a service without any other."""


@dataclass(frozen=True, slots=True)
class AccessUser:
    """A reader as recorded in the chain of accesses; timestamps in microseconds."""

    name: str
    roles: tuple[str, ...]
    token_digest: str
    certificate: str
    added_at: int
    expires_at: int
    revoked_at: int | None = None

    @property
    def scopes(self) -> frozenset[Scope]:
        """Scopes of the reader's roles."""
        return scopes_of(self.roles)

    @property
    def known_by(self) -> str:
        """The reader's credential: the digest of a token, or the fingerprint of a certificate."""
        return self.token_digest or self.certificate

    def is_let_in(self, now: int) -> bool:
        """Return whether the reader is admitted: neither revoked nor past its end of validity."""
        return self.revoked_at is None and now < self.expires_at


class Readers:
    """All readers ever recorded; thread-safe."""

    def __init__(self) -> None:
        """Begin without readers."""
        self._trial: AccessUser | None = None
        self._by_name: dict[str, AccessUser] = {}
        self._changing = Lock()

    def admit(self, trial: AccessUser) -> None:
        """Admit the trial reader until the first recorded reader."""
        self._trial = trial

    def learn(self, recorded: RecordedEvent | None) -> None:
        """Apply an event about a reader; None discards everything applied so far."""
        with self._changing:
            if recorded is None:
                self._by_name = {}
                return
            event, moment = recorded.event, recorded.envelope.recorded_at
            if isinstance(event, e.ReaderAdded):
                self._by_name[event.reader] = AccessUser(
                    event.reader,
                    event.roles,
                    event.token_digest,
                    event.certificate,
                    moment,
                    event.expires_at,
                )
            elif isinstance(event, e.ReaderRenewed):
                self._by_name[event.reader] = replace(
                    self._by_name[event.reader],
                    token_digest=event.token_digest,
                    certificate=event.certificate,
                    expires_at=event.expires_at,
                )
            elif isinstance(event, e.ReaderRevoked):
                self._by_name[event.reader] = replace(
                    self._by_name[event.reader], revoked_at=moment
                )

    def all(self) -> list[AccessUser]:
        """Return every reader by name, or the trial reader as long as there is no other."""
        known = [one for _, one in sorted(self._by_name.copy().items())]
        return known or ([self._trial] if self._trial else [])

    def named(self, name: str) -> AccessUser | None:
        """Find a reader by name."""
        return next((one for one in self.all() if one.name == name), None)

    def still(self, name: str, known_by: str, now: int) -> AccessUser | None:
        """Find the reader of a session, if it is still admitted with the same credential."""
        reader = self.named(name)
        if reader is None or reader.known_by != known_by or not reader.is_let_in(now):
            return None
        return reader

    def by_token(self, token: str, now: int) -> AccessUser | None:
        """Find the admitted reader of a token."""
        return self._found("token_digest", digest_of(token), now)

    def by_certificate(self, fingerprint: str, now: int) -> AccessUser | None:
        """Find the admitted reader of a certificate."""
        return self._found("certificate", fingerprint, now)

    def _found(self, field: str, value: str, now: int) -> AccessUser | None:
        found = None
        for reader in self.all():
            if compare_digest(getattr(reader, field), value) and reader.is_let_in(now):
                found = reader
        return found if value else None


def new_token() -> str:
    """Generate a token, which can't be shown again."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest_of(token: str) -> str:
    """Return the stored digest of a token."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def trial_reader(token: str, now: int, lasts: int) -> AccessUser:
    """Create the trial reader, which has all scopes and is recorded in no chain."""
    return AccessUser(TRIAL, tuple(ROLES), digest_of(token), "", now, now + lasts)
