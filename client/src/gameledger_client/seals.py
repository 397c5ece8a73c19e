"""Seals of a source: number what is sent, keep it until it is answered, and sign what was sent.

A journal, a file of SQLite, holds each command before it is sent, so that a crash of this program
or of the writer loses none: what was not answered is sent again with the same identifier. The bytes
of a seal are those of docs/format.md, "Seals of sources". Needs `gameledger-client[seals]`.
"""

from __future__ import annotations

import hmac
import sqlite3
import threading
import time
import uuid
from base64 import b64encode, urlsafe_b64encode
from contextlib import suppress
from hashlib import sha256
from secrets import token_bytes
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key

from gameledger_client._errors import (
    AccessError,
    GameledgerError,
    RequestError,
    UnavailableError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gameledger_client._writer import Receipt, Writer

__all__ = ["SealedWriter", "SourceJournal"]

MARK_BYTES = 6
COMMANDS_MAX = 8_000
MICROSECONDS = 1_000_000
MINUTE = 60
SCHEMA = """
CREATE TABLE IF NOT EXISTS secret (one INTEGER PRIMARY KEY CHECK (one = 1), value BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS sent
(
    number INTEGER PRIMARY KEY,
    command_id BLOB NOT NULL UNIQUE,
    body BLOB
);
CREATE TABLE IF NOT EXISTS seals
(
    seal INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    end INTEGER NOT NULL,
    until INTEGER NOT NULL,
    is_last INTEGER NOT NULL,
    is_recorded INTEGER NOT NULL DEFAULT 0
);
"""


class _Seal(NamedTuple):
    seal: int
    first: int
    end: int
    until: int
    is_last: bool


class SourceJournal:
    """What a source sent, in its own numbering, on a disk that survives a crash.

    Args:
        path: the file; if it is lost, the source needs another name.
        chain: name of the chain.
        system: name of the source, as the writer's list of clients has it.
        pem: its private key on P-256 and its certificate.

    Raises:
        RequestError: the PEM text has no such key and certificate.

    """

    def __init__(self, path: str | Path, *, chain: str, system: str, pem: bytes) -> None:
        """Open the journal, or begin one."""
        try:
            key = load_pem_private_key(pem, None)
            certificate = x509.load_pem_x509_certificate(pem)
        except (TypeError, ValueError) as error:
            raise RequestError(f"no private key and certificate in PEM: {error}") from error
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name != "secp256r1":
            raise RequestError("a source seals with a key of ECDSA on P-256")
        self.chain, self.system = chain, system
        self._key, self._certificate = key, certificate.public_bytes(Encoding.DER)
        self._begins_at = int(certificate.not_valid_before_utc.timestamp()) * MICROSECONDS
        self._file = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._lock = threading.RLock()
        self._file.execute("PRAGMA synchronous = FULL")
        self._file.executescript(SCHEMA)
        self._file.execute("INSERT OR IGNORE INTO secret VALUES (1, ?)", (token_bytes(32),))
        ((self._secret,),) = self._file.execute("SELECT value FROM secret")

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def registration(self, reason: str, interval_minutes: int = 5) -> dict[str, Any]:
        """Return the command by which the operator registers this source."""
        return {
            "command": "register_source",
            "system": self.system,
            "certificate": b64encode(self._certificate).decode(),
            "interval_minutes": interval_minutes,
            "reason": reason,
        }

    def enter(self, command: Mapping[str, Any], command_id: str | None = None) -> str:
        """Number a command before it is sent; return its identifier, the same for a repeat.

        Without one, the identifier is derived from number, content and a secret of this journal, so
        that the source can later prove the content by it (UUID version 8).

        Raises:
            RequestError: the command is not JSON.

        """
        try:
            body = msgspec.json.encode(dict(command), order="deterministic")
        except (TypeError, ValueError) as error:
            raise RequestError(f"the command is not JSON: {error}") from error
        with self._lock, self._file:
            self._file.execute("BEGIN IMMEDIATE")
            (number,) = self._file.execute(
                "SELECT coalesce(max(number), 0) + 1 FROM sent"
            ).fetchone()
            content = b"%d\n%b" % (number, body)
            identifier = uuid.UUID(command_id) if command_id else self._named(content)
            self._file.execute(
                "INSERT OR IGNORE INTO sent VALUES (?, ?, ?)",
                (number, identifier.bytes, body),
            )
        return str(identifier)

    def answered(self, command_id: str) -> None:
        """Forget the content of a command that has its answer."""
        with self._lock:
            self._file.execute(
                "UPDATE sent SET body = NULL WHERE command_id = ?", (uuid.UUID(command_id).bytes,)
            )

    def unanswered(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the commands without an answer, in their order."""
        with self._lock:
            rows = self._file.execute(
                "SELECT command_id, body FROM sent WHERE body IS NOT NULL ORDER BY number"
            ).fetchall()
        return [(str(uuid.UUID(bytes=one)), msgspec.json.decode(body)) for one, body in rows]

    def close_interval(self, *, is_last: bool = False) -> None:
        """Enter the seals of what was sent by now; after an interval without a command, the last.

        ``is_last``: no seal is due until the source sends again. Seals that wait from a time before
        the certificate began would be refused: what they name is sealed with the rest.
        """
        with self._lock, self._file:
            self._file.execute("BEGIN IMMEDIATE")
            self._file.execute(
                "DELETE FROM seals WHERE NOT is_recorded AND until < ?", (self._begins_at,)
            )
            until = time.time_ns() // 1_000
            (first,) = self._file.execute("SELECT coalesce(max(end), 1) FROM seals").fetchone()
            (end,) = self._file.execute("SELECT coalesce(max(number), 0) + 1 FROM sent").fetchone()
            is_paused = self._file.execute(
                "SELECT is_last FROM seals ORDER BY seal DESC LIMIT 1"
            ).fetchone() in {None, (1,)}
            if first == end and is_paused:
                return
            is_last |= first == end
            while True:
                part = min(end, first + COMMANDS_MAX)
                self._file.execute(
                    "INSERT INTO seals (first, end, until, is_last) VALUES (?, ?, ?, ?)",
                    (first, part, until, is_last and part == end),
                )
                first = part
                if part == end:
                    return

    def seals(self) -> list[tuple[int, str, dict[str, Any]]]:
        """Return the seals that are not recorded, each with its command, signed with this key.

        The same seal has the same identifier and the same bytes, so that it is recorded once.
        """
        with self._lock:
            rows = self._file.execute(
                "SELECT seal, first, end, until, is_last FROM seals "
                "WHERE NOT is_recorded ORDER BY seal"
            ).fetchall()
            return [(row[0], *self._named_command(_Seal(*row))) for row in rows]

    def recorded(self, seal: int) -> None:
        """Note that a seal is recorded."""
        with self._lock:
            self._file.execute("UPDATE seals SET is_recorded = 1 WHERE seal = ?", (seal,))

    def _named(self, content: bytes) -> uuid.UUID:
        return _uuid8(hmac.digest(self._secret, content, "sha256"))

    def _named_command(self, seal: _Seal) -> tuple[str, dict[str, Any]]:
        command = self._command(seal)
        return str(self._named(msgspec.json.encode(command, order="deterministic"))), command

    def _command(self, seal: _Seal) -> dict[str, Any]:
        rows = self._file.execute(
            "SELECT command_id FROM sent WHERE number >= ? AND number < ? ORDER BY number",
            (seal.first, seal.end),
        ).fetchall()
        digest = sha256(b"".join(one for (one,) in rows)).digest()
        marks = b"".join(sha256(one).digest()[:MARK_BYTES] for (one,) in rows)
        lines = (
            "gameledger-source-seal/v1",
            self.chain,
            self.system,
            f"{seal.first} {len(rows)}",
            str(seal.until),
            "last" if seal.is_last else "more",
            digest.hex(),
            marks.hex(),
        )
        payload = "".join(f"{line}\n" for line in lines)
        thumbprint = _base64url(sha256(self._certificate).digest())
        seconds = seal.until // MICROSECONDS
        header = f'{{"alg":"ES256","iat":{seconds},"x5t#S256":"{thumbprint}"}}'
        signed = f"{_base64url(header.encode())}.{_base64url(payload.encode())}".encode()
        how = ec.ECDSA(hashes.SHA256(), deterministic_signing=True)
        r, s = decode_dss_signature(self._key.sign(signed, how))
        return {
            "command": "seal_source",
            "system": self.system,
            "first_number": seal.first,
            "until": seal.until,
            "is_last": bool(seal.is_last),
            "digest": b64encode(digest).decode(),
            "marks": b64encode(marks).decode(),
            "signature": b64encode(r.to_bytes(32) + s.to_bytes(32)).decode(),
        }


class SealedWriter:
    """Sends commands of one source and seals them; use as a context manager.

    What an earlier run left without an answer is sent first. A seal is made each
    ``interval_minutes``, also while nothing is sent, and at the end. Where no writer answers, seals
    wait in the journal for the next ones. ``seal_error`` is the error of the last seal that was
    made on time, None if it was recorded.

    Args:
        writer: the writers of the chain; it is not closed.
        journal: of this source; it is not closed.
        interval_minutes: as the source was registered, at most.

    """

    def __init__(
        self, writer: Writer, journal: SourceJournal, *, interval_minutes: float = 4
    ) -> None:
        """Begin with nothing sent."""
        self._writer, self._journal = writer, journal
        self._seconds = interval_minutes * MINUTE
        self.seal_error: GameledgerError | None = None
        self._stopped, self._sealing = threading.Event(), threading.Lock()
        self._thread = threading.Thread(target=self._seal_on_time, daemon=True)

    def __enter__(self) -> Self:
        """Send what an earlier run left; begin to seal."""
        self.resend()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Seal for the last time; without an answer, the seal is sent by the next run."""
        self._stopped.set()
        self._thread.join()
        with suppress(UnavailableError):
            self.seal(is_last=True)

    def execute(self, command: Mapping[str, Any], *, command_id: str | None = None) -> Receipt:
        """Have a command decided, as :meth:`Writer.execute` does.

        Raises:
            UnavailableError: no answer in time; :meth:`resend` or the next run sends it again.
            GameledgerError: as of the writer.

        """
        identifier = self._journal.enter(command, command_id)
        return self._send(identifier, command)

    def resend(self) -> list[Receipt]:
        """Send the commands without an answer again; return the receipts of those decided now.

        Raises:
            UnavailableError: no answer in time.

        """
        receipts = []
        for identifier, command in self._journal.unanswered():
            with suppress(RequestError, AccessError):
                receipts.append(self._send(identifier, command))
        return receipts

    def seal(self, *, is_last: bool = False) -> None:
        """Seal what was sent by now, and send the seals that wait.

        Raises:
            UnavailableError: no answer in time; the seals wait.
            GameledgerError: the writer rejects a seal.

        """
        with self._sealing:
            self._journal.close_interval(is_last=is_last)
            for seal, identifier, command in self._journal.seals():
                self._writer.execute(command, command_id=identifier)
                self._journal.recorded(seal)

    def _send(self, identifier: str, command: Mapping[str, Any]) -> Receipt:
        try:
            receipt = self._writer.execute(command, command_id=identifier)
        except (RequestError, AccessError):
            self._journal.answered(identifier)
            raise
        self._journal.answered(identifier)
        return receipt

    def _seal_on_time(self) -> None:
        while not self._stopped.wait(self._seconds):
            try:
                self.seal()
            except GameledgerError as error:
                self.seal_error = error
            else:
                self.seal_error = None


def _uuid8(digest: bytes) -> uuid.UUID:
    """Return the UUID of version 8 (RFC 9562) with the first bits of a digest."""
    content = bytearray(digest[:16])
    content[6] = content[6] & 0x0F | 0x80
    content[8] = content[8] & 0x3F | 0x80
    return uuid.UUID(bytes=bytes(content))


def _base64url(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()
