"""Options and files that the commands of ``report`` share: keys, trust, packages, the log."""

from __future__ import annotations

import os
from contextvars import ContextVar
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.encoding import decode
from ledger.core.errors import AvailabilityError, InputError
from ledger.log.port import Query
from projections.packages.country import country_of
from tools.data import DataDirectory

if TYPE_CHECKING:
    from ledger.core import events
    from projections.packages.country import Country
    from projections.packages.cz.keys import KeyPair
    from projections.packages.cz.seal import Trust

__all__ = [
    "COUNTRY",
    "Certificates",
    "Key",
    "OptionalKey",
    "PassphraseFile",
    "Signers",
    "TrustFiles",
    "country",
    "folder_at",
    "package_path",
    "read_bytes",
    "read_pair",
    "recorded",
    "trust_in",
    "write_whole",
]

PASSPHRASE = "GAMELEDGER_KEY_PASSPHRASE"  # noqa: S105 - the name of a variable
READABLE = 0o644
COUNTRY: ContextVar[str] = ContextVar("country", default="cz")
"""Code of the country, as the option of ``report`` says."""

Key = Annotated[
    Path,
    typer.Option(
        "--key",
        envvar="GAMELEDGER_KEY",
        metavar="FILE",
        help="Our private key, PEM or PKCS#12, mode 600.",
    ),
]
OptionalKey = Annotated[
    Path | None,
    typer.Option(
        "--key",
        envvar="GAMELEDGER_KEY",
        metavar="FILE",
        help="Our private key, PEM or PKCS#12, mode 600; for what is sealed.",
    ),
]
Certificates = Annotated[
    list[Path] | None,
    typer.Option(
        "--certificate", metavar="FILE", help="Certificate of the key, if it is not beside it."
    ),
]
PassphraseFile = Annotated[
    Path | None,
    typer.Option(
        "--passphrase-file",
        envvar="GAMELEDGER_KEY_PASSPHRASE_FILE",
        metavar="FILE",
        help=f"Passphrase of the key, mode 600; or set {PASSPHRASE}.",
    ),
]
TrustFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--trust",
        envvar="GAMELEDGER_REPORT_TRUST",
        metavar="FILE",
        help="Certificates of authorities that vouch for seals.",
    ),
]
Signers = Annotated[
    list[Path] | None,
    typer.Option(
        "--signer",
        envvar="GAMELEDGER_REPORT_SIGNERS",
        metavar="FILE",
        help="The only certificates that may have sealed it.",
    ),
]


def package_path(text: str, data: Path) -> Path:
    """Find a package by its path, or by its name among those that were built."""
    path = Path(text)
    built = data / "packages" / text
    return built if not path.exists() and built.is_dir() else path


def country() -> Country:
    """Return the country whose packages are asked for."""
    return country_of(COUNTRY.get())


def folder_at(path: Path) -> Path:
    """Make a folder if it is not there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AvailabilityError(f"{path} can't be used: {error}") from error
    return path


def read_pair(key: Path, certificates: list[Path] | None, passphrase: Path | None) -> KeyPair:
    """Read a private key with its certificate."""
    from projections.packages.cz.keys import read_key, read_passphrase

    secret = read_passphrase(PASSPHRASE, passphrase)
    return read_key(key, secret, certificates=certificates or [])


def write_whole(target: Path, content: bytes) -> None:
    """Write a new file so that it is there whole or not at all.

    Raises:
        InputError: a file of other content is there; it is never overwritten.
        AvailabilityError: the folder can't be written.

    """
    folder = folder_at(target.parent)
    try:
        if os.path.lexists(target):
            if target.is_file() and target.read_bytes() == content:
                return
            raise InputError(f"{target} holds other content: move it away, or name another folder")
        with TemporaryDirectory(dir=folder, prefix=f".{target.name}.") as place:
            part = Path(place) / target.name
            with part.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            part.chmod(READABLE)
            part.rename(target)
    except OSError as error:
        raise AvailabilityError(f"{target} can't be written: {error}") from error


def recorded(data: Path, event_type: str, series: str = "") -> list[events.Event]:
    """Read events of packages from the log."""
    log = DataDirectory(data).read()
    try:
        tags = (f"series:{series}",) if series else ()
        return [
            decode(message).event
            for position in log.find(Query(types=(event_type,), tags=tags))
            for _, message in log.read(position, position + 1)
        ]
    finally:
        log.close()


def trust_in(trust: list[Path] | None, signers: list[Path] | None) -> Trust:
    """Read whom to trust."""
    from projections.packages.cz.keys import read_certificates
    from projections.packages.cz.seal import Trust

    if not trust:
        raise InputError("name with --trust the certificates of authorities that vouch for seals")
    return Trust(read_certificates(trust), read_certificates(signers or []))


def read_bytes(path: Path, *, most: int | None = None) -> bytes:
    """Read a file, which may have to have ``most`` bytes at most."""
    try:
        with path.open("rb") as stream:
            content = stream.read(-1 if most is None else most + 1)
    except OSError as error:
        raise AvailabilityError(f"{path} can't be read: {error}") from error
    if most is not None and len(content) > most:
        raise InputError(f"{path} has more than {most} bytes: it is no answer of the authority")
    return content
