"""Options and files that the commands of ``report`` share: keys, trust, packages, the log."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.clock import SystemClock
from ledger.core.errors import InputError
from ledger.log.port import Query, events_at
from projections.packages.country import country_of
from projections.store.as_of import moment_of_question
from tools.cli._options import settings_of
from tools.cli._when import AsOfPoint, moment_or_midnight
from tools.data import DataDirectory

if TYPE_CHECKING:
    from ledger.events import event_types as events
    from projections.packages.country import Country
    from projections.packages.keys import KeyPair
    from projections.packages.trust import Trust
    from projections.store.tables import Store

__all__ = [
    "Certificates",
    "CountryCode",
    "Key",
    "OptionalKey",
    "PassphraseFile",
    "SettingsFile",
    "Signers",
    "TrustFiles",
    "Until",
    "country_in",
    "due_by",
    "package_path",
    "read_pair",
    "recorded",
    "trust_in",
]

PASSPHRASE = "GAMELEDGER_KEY_PASSPHRASE"  # noqa: S105 - the name of a variable
CountryCode = Annotated[
    str,
    typer.Option(
        "--country",
        envvar="GAMELEDGER_REPORT_COUNTRY",
        metavar="CODE",
        help="Whose packages, such as cz.",
    ),
]
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
        "--certificate", metavar="FILE", help="Certificate of the key, if it is in another folder."
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

SettingsFile = Annotated[
    Path | None,
    typer.Option(
        "--settings",
        envvar="GAMELEDGER_REPORT_SETTINGS",
        metavar="FILE",
        help="Readings of the law, TOML; see docs/reporting.md.",
    ),
]
Until = Annotated[
    AsOfPoint | None,
    typer.Option(
        parser=moment_or_midnight,
        metavar="DAY|MOMENT",
        help="Only periods that end by this moment in Prague; by default by now.",
    ),
]


def package_path(text: str, data: DataDirectory) -> Path:
    """Find a package by its path, or by its name among the built ones."""
    path = Path(text)
    built = data.path / "packages" / text
    return built if not path.exists() and built.is_dir() else path


def country_in(ctx: typer.Context) -> Country:
    """Return the country whose packages are asked for, as the option of ``report`` says."""
    return country_of(settings_of(ctx).country)


def read_pair(key: Path, certificates: list[Path] | None, passphrase: Path | None) -> KeyPair:
    """Read a private key with its certificate."""
    from projections.packages.keys import read_key, read_passphrase

    secret = read_passphrase(PASSPHRASE, passphrase)
    return read_key(key, secret, certificates=certificates or [])


def recorded(data: DataDirectory, event_type: str, series: str = "") -> list[events.Event]:
    """Read package events from the log by type and series; an empty text matches all."""
    with closing(data.read()) as log:
        tags = (f"series:{series}",) if series else ()
        query = Query(types=(event_type,) if event_type else (), tags=tags)
        return [recorded.event for recorded in events_at(log, log.find(query))]


def trust_in(trust: list[Path] | None, signers: list[Path] | None) -> Trust:
    """Read the certificates to trust."""
    from projections.packages.keys import read_certificates
    from projections.packages.trust import Trust

    if not trust:
        raise InputError("name with --trust the certificates of authorities that vouch for seals")
    return Trust(read_certificates(trust), read_certificates(signers or []))


def due_by(store: Store, until: AsOfPoint | None) -> int:
    """Return the time up to which periods are due; a simulated chain may be ahead of the clock."""
    now = moment_of_question(store, store.position, SystemClock().now())
    return now if until is None else min(now, until.begins)
