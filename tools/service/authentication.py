"""Authenticate clients and determine which commands each may send.

Input: a connection, and the list of clients, a TOML file::

    [clients.studio-prague]
    certificate = "studio.example.cz"      # DNS name, or common name where there is none
    roles = ["studio"]

    [clients.back-office]
    token_sha256 = "9f86d081…"
    roles = ["back_office", "cage"]

    [clients.platform]
    topic = "platform-commands"            # on Kafka, where the brokers authorise writing to it
    roles = ["site"]

Output: the authenticated client, with the commands that its roles allow. Guaranteed: the recorded
``source`` of a command always begins with the client's own name, whatever the client sent, so that
no client can impersonate another. Rejected: clients that are not listed, before any command is
read; commands that no role of the client allows, before they are decided. Without a list, every
client that connects may send every command.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta, Struct

from ledger.core.decoders import decoder_of
from ledger.core.errors import AuthorizationError, InputError
from ledger.storage.named_files import read_text
from tools.service.roles import ROLES, commands_of
from tools.service.tls import certificate_of

if TYPE_CHECKING:
    import ssl
    from pathlib import Path

    from tools.service.tls import TlsFiles
    from tools.service.wire import LineStream

__all__ = ["ANYONE", "Client", "ClientAuthenticator", "RejectedClientError", "WithoutToken"]

NAME = re.compile(r"[\w.-]{1,64}")
TOKEN_LINE_BYTES_MAX = 4096
LIST_BYTES_MAX = 1 << 20
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


class RejectedClientError(AuthorizationError):
    """The client is not admitted; ``why`` is the reason code of the rejection metric."""

    def __init__(self, why: str, text: str) -> None:
        """Store the reason code with the text."""
        super().__init__(text)
        self.why = why


@dataclass(frozen=True, slots=True)
class Client:
    """An authenticated client; ``commands`` are those it may send, None if it may send all."""

    name: str
    commands: frozenset[str] | None = None


ANYONE = Client("")
"""Whoever can connect, where there is no list."""


class _Entry(Struct, frozen=True, forbid_unknown_fields=True):
    roles: list[str]
    certificate: str | None = None
    topic: str | None = None
    fingerprint_sha256: Digest | None = None
    token_sha256: Digest | None = None


class _List(Struct, frozen=True, forbid_unknown_fields=True):
    clients: dict[str, _Entry]


class _Token(Struct, frozen=True, forbid_unknown_fields=True):
    token: str


class WithoutToken:
    """The lines of a client that needs no token; a token in its first line is skipped.

    A client with a token sends it without being asked, and takes the first answer as the answer to
    its first command.
    """

    def __init__(self, lines: LineStream) -> None:
        """Begin at the first line."""
        self._lines = lines
        self._is_first = True

    def readline(self, limit: int) -> bytes:
        """Read up to the end of a line, or ``limit`` bytes; return ``b""`` at the end.

        Raises:
            OSError: reading from the underlying lines failed.

        """
        line = self._lines.readline(limit)
        if self._is_first:
            self._is_first = False
            with suppress(RejectedClientError):
                _token_of(line)
                return self._lines.readline(limit)
        return line


class ClientAuthenticator:
    """Admit clients by certificate or token, or all clients where there is no list."""

    def __init__(self, clients: Path | None = None, tls: TlsFiles | None = None) -> None:
        """Read the list of clients and the certificates.

        Args:
            clients: the list; None admits every client that can connect.
            tls: the writer's certificate, its key and the authority for clients of HTTP; None for
                a socket and for plain HTTP, where a listed client sends its token.

        Raises:
            InputError: a file is malformed.
            AuthorizationError: other users may read the key.
            AvailabilityError: a file can't be read.

        """
        self._path, self._tls = clients, tls
        self.reload()

    @property
    def asks_for_certificates(self) -> bool:
        """Return whether only listed clients with a verified certificate are admitted."""
        return self._tls is not None and self._path is not None

    @property
    def has_list(self) -> bool:
        """Return whether only listed clients are admitted."""
        return self._path is not None

    def reload(self) -> None:
        """Read the files again; if they are invalid, the previous content stays in force.

        Raises:
            LedgerError: a file can't be read or is invalid; see the constructor.

        """
        context = None if self._tls is None else self._tls.for_writer()
        by_key = None if self._path is None else _read(self._path)
        self.context, self._by_key = context, by_key

    def admit(self, lines: LineStream) -> Client:
        """Authenticate the client of a socket by the token in its first line, if there is a list.

        Raises:
            RejectedClientError: the client is not admitted.
            OSError: the connection broke, or the client sent nothing in time.

        """
        if self._by_key is None:
            return ANYONE
        line = lines.readline(TOKEN_LINE_BYTES_MAX)
        if not line:
            raise ConnectionError("it hung up before it said who it is")
        return self.admit_token(_token_of(line))

    def admit_certificate(self, tls: ssl.SSLObject) -> Client:
        """Find the listed client of a certificate that TLS has verified.

        Raises:
            RejectedClientError: the client is not admitted.

        """
        if self._by_key is None:
            return ANYONE
        found = certificate_of(tls)
        keys = [("fingerprint", found.fingerprint), *(("certificate", one) for one in found.names)]
        return self._client(keys, f"the certificate of {keys[-1][1]!r}")

    def admit_token(self, token: str) -> Client:
        """Find the client of a token; without a list no token is needed.

        Raises:
            RejectedClientError: the client is not admitted.

        """
        if self._by_key is None:
            return ANYONE
        digest = sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
        return self._client([("token", digest)], "the token")

    def admit_topic(self, topic: str) -> Client:
        """Find the client of a command topic; the brokers authorise writing to the topic.

        Raises:
            RejectedClientError: no listed client has the topic.

        """
        if self._by_key is None:
            return ANYONE
        return self._client([("topic", topic)], f"topic {topic}")

    def _client(self, keys: list[tuple[str, str]], shown: str) -> Client:
        known = self._by_key or {}
        client = next((known[key] for key in keys if key in known), None)
        if client is None:
            raise RejectedClientError(
                "unknown", f"{shown} is not on the writer's list of clients: ask its operator"
            )
        return client


def _token_of(line: bytes) -> str:
    try:
        return decoder_of(_Token).json(line).token
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RejectedClientError(
            "token", 'the first line must be {"token": "…"}: name a file with --token-file'
        ) from error


def _read(path: Path) -> dict[tuple[str, str], Client]:
    """Read the list of clients, indexed by certificate, fingerprint, token and topic."""
    text = read_text(path, bytes_max=LIST_BYTES_MAX)
    try:
        found = decoder_of(_List).toml(text).clients
    except msgspec.DecodeError as error:
        raise InputError(f"{path} is no list of clients: {error}") from error
    by_key: dict[tuple[str, str], Client] = {}
    for name, entry in found.items():
        for key in _keys_of(path, name, entry):
            if key in by_key:
                raise InputError(f"{path}: {name} and {by_key[key].name} have the same {key[0]}")
            by_key[key] = Client(name, _commands_of(path, name, entry))
    return by_key


def _keys_of(path: Path, name: str, entry: _Entry) -> list[tuple[str, str]]:
    if not NAME.fullmatch(name):
        raise InputError(f"{path}: {name!r} is no name: use letters, digits, dots and hyphens")
    given = {
        "certificate": entry.certificate,
        "topic": entry.topic,
        "fingerprint": entry.fingerprint_sha256,
        "token": entry.token_sha256,
    }
    keys = [(kind, value) for kind, value in given.items() if value]
    if not keys:
        raise InputError(
            f"{path}: no client can be {name}: give certificate, fingerprint_sha256, token_sha256 "
            "or topic"
        )
    return keys


def _commands_of(path: Path, name: str, entry: _Entry) -> frozenset[str]:
    for role in entry.roles:
        if role not in ROLES:
            raise InputError(f"{path}: {name} has role {role!r}: roles are {', '.join(ROLES)}")
    return frozenset[str]().union(*(commands_of(role) for role in entry.roles))
