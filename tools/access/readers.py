"""Who may read: readers with their roles, how they are known, and until when.

What comes in: events about readers, in the order of the chain of accesses. What goes out: the
reader that a token or a certificate belongs to. Of a token only its SHA-256 is kept; it has 256
random bits, so that the digest needs no salt and no slowness. Every comparison takes the same time
whether or not it fits.
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
    from ledger.events.encoding import Recorded

__all__ = ["TRIAL", "AccessUser", "Readers", "digest_of", "new_token", "trial_reader"]

TOKEN_BYTES = 32
TRIAL = "trial"
"""Name of the only reader of a service without any other."""


@dataclass(frozen=True, slots=True)
class AccessUser:
    """A reader as the chain of accesses has it; moments are microseconds."""

    name: str
    roles: tuple[str, ...]
    token_digest: str
    certificate: str
    added_at: int
    expires_at: int
    revoked_at: int | None = None

    @property
    def scopes(self) -> frozenset[Scope]:
        """What the reader may see."""
        return scopes_of(self.roles)

    @property
    def known_by(self) -> str:
        """What the reader shows: the digest of a token, or the fingerprint of a certificate."""
        return self.token_digest or self.certificate

    def is_let_in(self, now: int) -> bool:
        """Return whether the reader is neither revoked nor past the end."""
        return self.revoked_at is None and now < self.expires_at


class Readers:
    """All readers there ever were; safe to use from several threads."""

    def __init__(self) -> None:
        """Begin with none."""
        self._trial: AccessUser | None = None
        self._by_name: dict[str, AccessUser] = {}
        self._changing = Lock()

    def admit(self, trial: AccessUser) -> None:
        """Let in a reader who stands in no chain, until the first who does."""
        self._trial = trial

    def learn(self, recorded: Recorded | None) -> None:
        """Take an event about a reader; None forgets all that was taken."""
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
        """Return every reader by name, or the one for trying as long as there is no other."""
        known = [one for _, one in sorted(self._by_name.copy().items())]
        return known or ([self._trial] if self._trial else [])

    def named(self, name: str) -> AccessUser | None:
        """Find a reader by name."""
        return next((one for one in self.all() if one.name == name), None)

    def still(self, name: str, known_by: str, now: int) -> AccessUser | None:
        """Find the reader of a session, if the reader is still admitted by the same credential."""
        reader = self.named(name)
        if reader is None or reader.known_by != known_by or not reader.is_let_in(now):
            return None
        return reader

    def by_token(self, token: str, now: int) -> AccessUser | None:
        """Find who a token belongs to, if that reader is let in."""
        return self._found("token_digest", digest_of(token), now)

    def by_certificate(self, fingerprint: str, now: int) -> AccessUser | None:
        """Find who a certificate belongs to, if that reader is let in."""
        return self._found("certificate", fingerprint, now)

    def _found(self, field: str, value: str, now: int) -> AccessUser | None:
        found = None
        for reader in self.all():
            if compare_digest(getattr(reader, field), value) and reader.is_let_in(now):
                found = reader
        return found if value else None


def new_token() -> str:
    """Make a token, which cannot be shown again."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest_of(token: str) -> str:
    """Return what is kept of a token."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def trial_reader(token: str, now: int, lasts: int) -> AccessUser:
    """Make the reader for trying, with all scopes and in no chain."""
    return AccessUser(TRIAL, tuple(ROLES), digest_of(token), "", now, now + lasts)
