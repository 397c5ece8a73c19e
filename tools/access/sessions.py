"""Sessions of browsers, and the limit on wrong tokens from an address.

A session is a random name in a cookie; only its digest is stored, in memory, so that all sessions
end with the process. A session ends when it was idle for a while, at its end time, or when the
reader's credential is no longer admitted. Its form token prevents cross-site request forgery.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from hmac import compare_digest
from threading import Lock
from typing import TYPE_CHECKING

from ledger.core.clock import HOUR, MINUTE
from tools.access.readers import digest_of

if TYPE_CHECKING:
    from ledger.core.clock import Clock
    from tools.access.readers import AccessUser

__all__ = ["SESSION_LASTS", "FailedTokens", "Session", "Sessions"]

SESSION_LASTS = 8 * HOUR
IDLE = 30 * MINUTE
SESSIONS_MAX = 1000
NAME_BYTES = 32
WRONG_MAX = 10
WRONG_WITHIN = MINUTE
ADDRESSES_MAX = 10_000


@dataclass(slots=True)
class Session:
    """A signed-in reader, the purpose and the end time; ``form_token`` is part of every form.

    ``known_by`` is the credential with which the session began; see :class:`AccessUser`.
    ``began`` is the position of its beginning in the chain of accesses, once that is recorded.
    """

    reader: str
    known_by: str
    purpose: str
    form_token: str
    expires_at: int
    used_at: int
    began: int | None = None

    def is_form_of(self, token: str) -> bool:
        """Return whether a form belongs to this session."""
        return compare_digest(self.form_token.encode(), token.encode("utf-8", "replace"))


class Sessions:
    """Sessions by the digest of their names; above the limit the oldest is dropped."""

    def __init__(self, clock: Clock) -> None:
        """Begin without sessions."""
        self._clock = clock
        self._by_digest: OrderedDict[str, Session] = OrderedDict()
        self._changing = Lock()

    def begin(self, reader: AccessUser, purpose: str) -> tuple[str, Session]:
        """Begin a session, which the reader's end of validity bounds; return name and session."""
        now, name = self._clock.now(), _new_name()
        until, form_token = min(now + SESSION_LASTS, reader.expires_at), _new_name()
        session = Session(reader.name, reader.known_by, purpose, form_token, until, now)
        with self._changing:
            self._by_digest[digest_of(name)] = session
            while len(self._by_digest) > SESSIONS_MAX:
                self._by_digest.popitem(last=False)
        return name, session

    def find(self, name: str, *, is_used: bool = True) -> Session | None:
        """Return a session that has not ended, and extend it by this use."""
        digest, now = digest_of(name), self._clock.now()
        with self._changing:
            session = self._by_digest.get(digest)
            if session is None:
                return None
            if now >= session.expires_at or now >= session.used_at + IDLE:
                del self._by_digest[digest]
                return None
            if is_used:
                session.used_at = now
            return session

    def end(self, name: str) -> None:
        """End a session, if there is one."""
        with self._changing:
            self._by_digest.pop(digest_of(name), None)


class FailedTokens:
    """Number of recent wrong tokens by network address."""

    def __init__(self, clock: Clock) -> None:
        """Begin without wrong tokens."""
        self._clock = clock
        self._tries: OrderedDict[str, list[int]] = OrderedDict()
        self._changing = Lock()

    def is_too_often(self, address: str) -> bool:
        """Return whether an address has to wait."""
        with self._changing:
            return len(self._lately(address)) >= WRONG_MAX

    def note(self, address: str) -> None:
        """Count a wrong token."""
        with self._changing:
            tries = [*self._lately(address), self._clock.now()]
            self._tries[address] = tries[-WRONG_MAX:]
            self._tries.move_to_end(address)
            while len(self._tries) > ADDRESSES_MAX:
                self._tries.popitem(last=False)

    def _lately(self, address: str) -> list[int]:
        since = self._clock.now() - WRONG_WITHIN
        return [moment for moment in self._tries.get(address, []) if moment > since]


def _new_name() -> str:
    return secrets.token_urlsafe(NAME_BYTES)
