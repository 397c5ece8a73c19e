"""TLS certificates of the service: the writer's own, those of clients, and their authorities.

Only TLS 1.3, always with a certificate of the other side. Both sides run our code, so no older
version is needed. TLS sessions are not resumed: a client removed from the list, or whose authority
is replaced, is refused at its next connection.
"""

from __future__ import annotations

import ssl
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from ledger.core.errors import InputError
from ledger.storage.named_files import reading
from ledger.storage.secret_files import require_private

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Certificate", "TlsFiles", "certificate_of"]


class Certificate(NamedTuple):
    """The holder of a verified certificate.

    ``names`` are DNS names, or the common name if there are none; ``fingerprint`` is the
    SHA-256 of the certificate, hexadecimal.
    """

    names: tuple[str, ...]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Three PEM files: the authority of the other side, our certificate, and its key."""

    authority: Path
    certificate: Path
    key: Path

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Read ``GAMELEDGER_TLS_CA``, ``GAMELEDGER_TLS_CERT`` and ``GAMELEDGER_TLS_KEY``.

        Raises:
            InputError: one of the variables is missing.

        """
        names = [f"GAMELEDGER_TLS_{name}" for name in ("CA", "CERT", "KEY")]
        found = [environment.get(name) for name in names]
        if not all(found):
            missing = ", ".join(name for name, value in zip(names, found, strict=True) if not value)
            raise InputError(
                f"{missing} is not set: TLS needs --tls-ca, --tls-cert and --tls-key together"
            )
        return cls(*(Path(str(value)) for value in found))

    def for_writer(self) -> ssl.SSLContext:
        """Return a context for a listener; each client must show a certificate of the authority.

        Raises:
            InputError: a file is malformed.
            AuthorizationError: other users may read the key.
            AvailabilityError: a file can't be read.

        """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.verify_mode = ssl.CERT_REQUIRED
        context.num_tickets = 0
        context.sslobject_class = _ExplainedHandshake
        return self._load(context)

    def for_client(self) -> ssl.SSLContext:
        """Return a context for connections to writers, whose certificate must name their host.

        Raises:
            LedgerError: as :meth:`for_writer`.
        """
        return self._load(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))

    def _load(self, context: ssl.SSLContext) -> ssl.SSLContext:
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        with reading(self.key):
            require_private(self.key)
        with _in_pem(self.authority, "certificates of an authority"):
            context.load_verify_locations(self.authority)
        with _in_pem(f"{self.certificate} with {self.key}", "a certificate and its key"):
            context.load_cert_chain(self.certificate, self.key, password=_refuse_password)
        return context


class _ExplainedHandshake(ssl.SSLObject):
    """A handshake whose failure reaches the client, as an alert that names the reason.

    asyncio closes a connection at the error of a handshake and drops the alert that OpenSSL wrote
    for the client, which would then see a writer that hangs up, and try again. So the error waits
    until the alert is sent, and is raised with the next bytes, the end, or the handshake's timeout.
    """

    _error: ssl.SSLError | None = None

    def do_handshake(self) -> None:
        """Go on with the handshake."""
        if self._error is not None:
            raise self._error
        try:
            super().do_handshake()
        except ssl.SSLWantReadError:
            raise
        except ssl.SSLError as error:
            self._error = error
            raise ssl.SSLWantReadError from error


def certificate_of(tls: ssl.SSLObject) -> Certificate:
    """Return the verified certificate of the other side."""
    from cryptography import x509
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.x509.oid import NameOID

    found = x509.load_der_x509_certificate(tls.getpeercert(binary_form=True) or b"")
    names: list[Any] = []
    try:
        extension = found.extensions.get_extension_for_class(x509.SubjectAlternativeName)
        names = extension.value.get_values_for_type(x509.DNSName)
    except x509.ExtensionNotFound:
        pass
    if not names:
        names = [one.value for one in found.subject.get_attributes_for_oid(NameOID.COMMON_NAME)]
    return Certificate(tuple(map(str, names)), found.fingerprint(SHA256()).hex())


def _refuse_password() -> str:
    raise InputError("the key of --tls-key is encrypted: give one without a passphrase, mode 600")


@contextmanager
def _in_pem(place: Path | str, what: str) -> Iterator[None]:
    """Load a file that must be PEM."""
    with reading(place):
        try:
            yield
        except ssl.SSLError as error:
            text = f"{place} does not hold {what} in PEM: {error.reason or error}"
            raise InputError(text) from error
