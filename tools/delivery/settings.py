"""Settings of the exchange with the authority: certificates, keys and addresses in one TOML file.

Input: the file of ``--delivery``. Output: checked values; paths in the file are relative to its
folder. Rejected: unknown settings, addresses that are not HTTPS, two addresses that one request
could match, and an address that would match every file. What the law leaves open has a default;
docs/reporting.md lists it.
"""

from __future__ import annotations

from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import urlsplit

from msgspec import Meta, Struct
from msgspec.structs import replace

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from ledger.storage.named_files import read_text, relative_paths

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "Address",
    "ClientSettings",
    "Delivery",
    "ReadingSettings",
    "SealSettings",
    "ServerSettings",
    "read_delivery",
]


Seconds = Annotated[float, Meta(gt=0, le=86_400)]
Days = Annotated[int, Meta(ge=0, le=3_660)]
"""At most ten years, for which the record is kept."""
VerdictWord = Annotated[str, Meta(max_length=20, pattern=r"^[\w-]*\Z")]
"""Part of the name of a file, so that no separator of folders or addresses is in it."""


class _Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A section of the file."""


class SealSettings(_Section, frozen=True, kw_only=True):
    """Keys for sealing packages, their recipients, and the time-stamp authority (CAdES baseline T).

    ``time_stamps`` is the URL of an RFC 3161 authority; without it the seal is of baseline B.
    """

    key: Path
    certificates: tuple[Path, ...] = ()
    passphrase_file: Path | None = None
    recipients: tuple[Path, ...]
    time_stamps: str = ""
    time_stamp_roots: tuple[Path, ...] = ()


class ReadingSettings(_Section, frozen=True, kw_only=True):
    """Keys for opening confirmations, and the trusted sealers.

    ``trust`` are trusted certificates; ``trusted_list`` is a downloaded ETSI TS 119 612 list,
    signed by one of ``trusted_list_signers``. ``crl`` and ``ocsp`` are files or URLs; if
    ``revocation`` is ``required``, each certificate must be found good there.
    """

    key: Path
    certificates: tuple[Path, ...] = ()
    passphrase_file: Path | None = None
    trust: tuple[Path, ...] = ()
    trusted_list: Path | None = None
    trusted_list_signers: tuple[Path, ...] = ()
    signers: tuple[Path, ...] = ()
    crl: tuple[str, ...] = ()
    ocsp: tuple[str, ...] = ()
    revocation: Literal["required", "not_checked"] = "required"
    time_stamp_roots: tuple[Path, ...] = ()


class ServerSettings(_Section, frozen=True, kw_only=True):
    """Our port: certificate and key in PEM, and the only client certificates that are admitted."""

    listen: str
    certificate: Path
    key: Path
    clients: tuple[Path, ...]


class ClientSettings(_Section, frozen=True, kw_only=True):
    """Our client of the authority: certificate, trusted server certificates, and URL.

    ``confirmations`` is the URL of a confirmation, with ``{package}`` and ``{verdict}``; the
    verdict is replaced by the text of ``accepted`` or ``refused``.
    """

    certificate: Path
    key: Path
    authority: tuple[Path, ...]
    confirmations: str
    accepted: VerdictWord = "Ok"
    refused: VerdictWord = "Err"
    answer_seconds: Seconds = 30.0
    retry_seconds: Seconds = 5.0
    retry_seconds_max: Seconds = 3600.0

    def word(self, verdict: str) -> str:
        """Return the text that stands for a verdict in the URL of a confirmation."""
        return self.accepted if verdict == "OK" else self.refused

    def url(self, package: str, verdict: str) -> str:
        """Return the URL of a confirmation."""
        return self.confirmations.format(package=package, verdict=self.word(verdict))


class Address(_Section, frozen=True, kw_only=True):
    """URLs for the packages of one model, kind and casino, and for notices about them."""

    model: Literal["V", "M"]
    kind: Literal["Z"] = "Z"
    casino: str = ""
    packages: str
    accepted: str
    refused: str

    @property
    def paths(self) -> Iterator[tuple[str, str]]:
        """Purposes of requests, with the paths of each."""
        for what in ("packages", "accepted", "refused"):
            yield what, urlsplit(getattr(self, what)).path.rstrip("/")


class Delivery(_Section, frozen=True, kw_only=True):
    """All settings. ``published_days`` is how long a package can be fetched; 0 without limit."""

    seal: SealSettings
    reading: ReadingSettings
    server: ServerSettings
    client: ClientSettings
    addresses: tuple[Address, ...]
    published_days: Days = 0
    warning_days: Days = 45

    def __post_init__(self) -> None:
        """Reject settings that could not work or would open more than intended."""
        for name, value, why in (
            ("addresses", self.addresses, "[[addresses]] for each model"),
            ("server.clients", self.server.clients, "no client could fetch anything"),
            ("client.authority", self.client.authority, "no certificate vouches for its server"),
        ):
            if not value:
                raise ValueError(f"{name} is empty: {why}")
        urls = [getattr(one, what) for one in self.addresses for what, _ in one.paths]
        for url in (_example(self.client), *urls):
            _require_url(url, "https")
        _require_apart(self.addresses)
        _require_of_model(self.addresses)
        _require_sources(self.seal, self.reading)
        if self.client.retry_seconds > self.client.retry_seconds_max:
            raise ValueError("client.retry_seconds is above retry_seconds_max")


def _example(client: ClientSettings) -> str:
    """Return the URL of a sample confirmation, to be checked."""
    try:
        fields = [parts[1:] for parts in Formatter().parse(client.confirmations)]
    except ValueError as error:
        raise ValueError(f"client.confirmations is malformed: {error}") from error
    for name, form, conversion in fields:
        if name not in {None, "package", "verdict"}:
            raise ValueError(f"client.confirmations has no such field: {name!r}")
        if form or conversion:
            raise ValueError(f"client.confirmations takes {{{name}}} as it is, without a format")
    accepted, refused = client.url("p", "OK"), client.url("p", "ERR")
    if "{package}" not in client.confirmations or accepted == refused:
        raise ValueError("client.confirmations lacks {package} or {verdict}")
    return accepted


def _require_apart(addresses: tuple[Address, ...]) -> None:
    seen: dict[str, str] = {}
    for address in addresses:
        for what, path in address.paths:
            if not path:
                raise ValueError(f"addresses.{what} has no path of its own")
            if seen.setdefault(path, what) != what:
                raise ValueError(f"{path} is the address of {seen[path]} and of {what}")


def _require_of_model(addresses: tuple[Address, ...]) -> None:
    for number, address in enumerate(addresses, start=1):
        if (address.model == "M") != bool(address.casino):
            wrong = "of model M names its casino" if not address.casino else "of model V has none"
            raise ValueError(f"addresses.casino of [[addresses]] number {number}: one {wrong}")


def _require_sources(seal: SealSettings, reading: ReadingSettings) -> None:
    """Reject settings by which no package could be sealed, or no confirmation ever be trusted."""
    if not seal.recipients:
        raise ValueError("seal.recipients is empty: name the authority's certificate")
    if not reading.trust and reading.trusted_list is None:
        raise ValueError("reading.trust is empty: without it or trusted_list no seal is trusted")
    if reading.trusted_list is not None and not reading.trusted_list_signers:
        raise ValueError(
            "reading.trusted_list_signers is empty: name the certificate that signs trusted_list"
        )
    if reading.revocation == "required" and not (reading.crl or reading.ocsp):
        raise ValueError("reading.crl and reading.ocsp are empty: nothing shows a certificate good")
    lists = [one for one in reading.crl if urlsplit(one).scheme]
    for url in (*filter(None, [seal.time_stamps]), *lists, *reading.ocsp):
        _require_url(url, "https", "http")


def _require_url(url: str, *schemes: str) -> None:
    parts = urlsplit(url)
    try:
        is_good = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is no number up to 65535
        is_good = False
    if not is_good or not url.isprintable() or " " in url:
        raise ValueError(
            f"{url!r} is no address with {' or '.join(f'{one}://' for one in schemes)}"
        )


def read_delivery(path: Path) -> Delivery:
    """Read the settings of the exchange with the authority.

    Raises:
        InputError: the file can't be read or is malformed.

    """
    content = read_text(path)
    try:
        found = decoder_of(Delivery).toml(content, dec_hook=relative_paths(path))
    except ValueError as error:
        raise InputError(f"{path}: {error}: see docs/reporting.md for the settings") from error
    lists = tuple(
        one if urlsplit(one).scheme else str(path.parent / one) for one in found.reading.crl
    )
    return replace(found, reading=replace(found.reading, crl=lists))
