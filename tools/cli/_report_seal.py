"""``report``: validate, seal, open, confirm, correct. The commands hang on ``tools.cli._report``.

Keys come from files and passphrases from files or the environment, so that neither stands in
a list of processes. What is sealed is the very file that was validated.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.errors import AuthorizationError, InputError, LedgerError
from ledger.decisions.packages import PublishPackage
from ledger.events import event_types as events
from ledger.storage.named_files import read_bounded
from tools.cli._answering import answers, emits
from tools.cli._options import DATA, Data, DryRun, Json
from tools.cli._output import (
    echo,
    echo_each,
    emit,
    facts,
    moment,
    number,
    progress,
    table,
    wrapped,
)
from tools.cli._report_confirm import confirm, correct
from tools.cli._report_delivery import register_with_authority, run, serve
from tools.cli._report_options import (
    Certificates,
    Key,
    PassphraseFile,
    Signers,
    TrustFiles,
    country_in,
    package_path,
    read_pair,
    recorded,
    trust_in,
)
from tools.data import DataDirectory
from tools.data.documents import Judged, validation_document
from tools.delivery.publishing import SealingKeys, publish_command, publishing, sealed_package
from tools.sanitize import escape_controls
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from ledger.events.command import Command
    from projections.packages.results import Name

__all__ = [
    "NotSealed",
    "Opened",
    "Sealed",
    "open_package",
    "practice_keys",
    "register",
    "seal",
    "validate",
]

SHOWN_MAX = 40

Source = Annotated[
    str, typer.Argument(help="Folder or ZIP file of a package, or the name of one that was built.")
]
Earlier = Annotated[
    list[Path] | None,
    typer.Option(
        "--earlier",
        metavar="DIR",
        help="Folder of packages sent before; by default the one that the package lies in.",
    ),
]
Lines = Annotated[
    bool, typer.Option("--lines", help="One line for each finding, as the authority writes.")
]
AllowLate = Annotated[
    bool,
    typer.Option("--allow-late", help="Rows may be sent for moments before the period."),
]


def register(app: typer.Typer) -> None:
    """Hang the commands on the app of ``report``."""
    app.command()(validate)
    app.command()(seal)
    app.command("open")(open_package)
    app.command()(confirm)
    app.command()(correct)
    app.command("practice-keys")(practice_keys)
    app.command()(run)
    app.command()(serve)
    app.command("register")(register_with_authority)


def _print_verdict(verdict: Judged) -> None:
    if verdict.valid:
        records = number(sum(verdict.records.values()))
        echo(f"{verdict.package} is valid: {records} records.", style="green")
    else:
        echo(f"{verdict.package} is not valid: {len(verdict.findings)} findings.", style="red")
        table(
            ("file", "line", "field", "code", wrapped("message")),
            [
                (
                    fault.file,
                    "" if fault.line is None else fault.line,
                    fault.field,
                    fault.code,
                    fault.message,
                )
                for fault in verdict.findings[:SHOWN_MAX]
            ],
        )
        if len(verdict.findings) > SHOWN_MAX:
            echo(f"{len(verdict.findings) - SHOWN_MAX} more: --lines shows all.")
        echo("Files are never mended by hand: see `report explain`, correct the fact, build again.")
    if verdict.unjudged:
        echo(
            f"{number(verdict.unjudged)} references to facts of earlier periods were not judged: "
            "name the folder of earlier packages with --earlier."
        )


def _show(verdict: Judged, *, lines: Lines = False) -> None:
    if not lines:
        _print_verdict(verdict)
        return
    for fault in verdict.findings:
        print(escape_controls(fault.text))


@answers(_show, end=lambda verdict: 0 if verdict.valid else 1)
def validate(
    ctx: typer.Context,
    *,
    package: Source,
    earlier: Earlier = None,
    as_client: Annotated[
        bool, typer.Option("--as-client", help="Only what the authority's client checks.")
    ] = False,
    allow_late: AllowLate = False,
    data: Data = DATA,
) -> Judged:
    """Judge a package as the authority will, and more strictly; exit code 1 on findings.

    Lines are counted from zero, as the authority does: the first record is line 2.

    Example: `gameledger report validate 26493993-V-2026112016-Z-01 --lines`
    """
    path = package_path(package, data)
    options = country_in(ctx).options_for(
        path, earlier, strict=not as_client, allows_late=allow_late
    )
    return validation_document(country_in(ctx).validate(path, options))


@dataclass(frozen=True, slots=True)
class NotSealed:
    """A package that is not valid was not sealed."""

    package: str
    findings: int


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed file, and the command that records that it is published."""

    file: str
    size: int
    command: PublishPackage


@emits(Sealed | NotSealed)
def seal(
    ctx: typer.Context,
    *,
    package: Source,
    recipient: Annotated[
        list[Path],
        typer.Option(
            "--recipient",
            envvar="GAMELEDGER_REPORT_RECIPIENTS",
            metavar="FILE",
            help="Certificate for whom to encrypt: the authority's, and our own.",
        ),
    ],
    key: Key,
    certificate: Certificates = None,
    passphrase_file: PassphraseFile = None,
    earlier: Earlier = None,
    allow_late: AllowLate = False,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where it goes; DATA/sealed.")
    ] = None,
    record: Annotated[
        bool, typer.Option(help="Record PackagePublished in the chain; needs the writer's place.")
    ] = True,
    data: Data = DATA,
    as_json: Json = False,
    dry_run: DryRun = False,
) -> None:
    """Validate a package, encrypt it for the authority, and seal it: NAME.zip.p7e.p7s.

    A package with findings is never sealed. The very ZIP file that was validated is sealed.

    Example: `gameledger report seal 26493993-V-2026112016-Z-01 --key seal.p12 --recipient
    authority.crt --recipient ours.crt`
    """
    from projections.packages.keys import read_certificates

    of, path = country_in(ctx), package_path(package, data)
    options = of.options_for(path, earlier, allows_late=allow_late)
    sealer = read_pair(key, certificate, passphrase_file)
    recipients = read_certificates(recipient)
    sealed_folder = data.path / "sealed"
    target = (out or sealed_folder) / f"{of.package_name(path)}{of.SEALED}"
    with ExitStack() as stack:
        if record:
            stack.enter_context(publishing(data.path))
            _require_not_published(data, of.package_name(path))
        with progress("sealing") as advance:
            means = SealingKeys(sealer, recipients)
            verdict, digest, sealed = sealed_package(
                of, path, options, means, place=_sibling_folder(path)
            )
            advance(1, 1)
        if sealed is None:
            if as_json:
                emit(NotSealed(str(verdict.package), len(verdict.faults)))
            else:
                _print_verdict(validation_document(verdict))
                echo("Nothing was sealed.")
            raise typer.Exit(1)
        command = publish_command(verdict.package, digest, target, sealed, source="cli")
        if not dry_run:
            # A file that no record names was left by a run that was killed before its record.
            write_whole(target, sealed, replacing=record and target.parent == sealed_folder)
            if record:
                _record_or_remove(data, command, target)
    if as_json:
        emit(Sealed(str(target), len(sealed), command))
        return
    echo("Checked, nothing is written." if dry_run else f"Sealed {verdict.package}.", style="green")
    facts(
        [
            ("file", target),
            ("bytes", number(len(sealed))),
            ("digest", sha256(sealed).hexdigest()),
            ("records", number(sum(verdict.rows.values()))),
            ("readable by", "; ".join(one.subject.rfc4514_string() for one in recipients)),
        ]
    )
    if verdict.unjudged:
        echo(f"{verdict.unjudged} references to earlier periods were not judged: --earlier")


def _sibling_folder(path: Path) -> Path | None:
    """Find room for a ZIP file that is not sealed yet: never where sealed ones are fetched."""
    parent = path.resolve().parent
    return parent if os.access(parent, os.W_OK) else None


def _record_or_remove(data: DataDirectory, command: Command, target: Path) -> None:
    """Record that a file is published; what surely is not recorded must not be fetched.

    Where no answer came the record may be there, and that very file is what it names.
    """
    try:
        ledger = data.write()
    except LedgerError:
        target.unlink()
        raise
    with ledger:
        try:
            ledger.execute(command)
        except (InputError, AuthorizationError):
            target.unlink()
            raise


def _require_not_published(data: DataDirectory, name: Name) -> None:
    """Refuse before the file of a published version would be overwritten."""
    series, _, _ = str(name).rpartition("-")
    for event in recorded(data, "PackagePublished", series):
        if isinstance(event, events.PackagePublished) and event.version == name.version:
            raise InputError(
                f"package {name} is published already as {event.file}: "
                "a correction is the next version, `report build --cause`"
            )


@dataclass(frozen=True, slots=True)
class Opened:
    """A file whose seal is good."""

    file: str
    signer: str
    signed_at: int | None


def _show_opened(opened: Opened) -> None:
    echo("The seal is good.", style="green")
    rows = [("sealed by", opened.signer), ("file", opened.file)]
    if opened.signed_at is not None:
        rows.insert(1, ("says it was sealed at", moment(opened.signed_at)))
    facts(rows)


@answers(_show_opened)
def open_package(
    ctx: typer.Context,
    *,
    file: Annotated[Path, typer.Argument(help="Sealed file, NAME.zip.p7e.p7s.")],
    key: Key,
    certificate: Certificates = None,
    passphrase_file: PassphraseFile = None,
    trust: TrustFiles = None,
    signer: Signers = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the ZIP file goes; by default to its folder."),
    ] = None,
    dry_run: DryRun = False,
) -> Opened:
    """Verify the seal of a file and decrypt it; what is wrong is named, exit code 1.

    Revocation is not looked up: nothing is fetched from a network.

    Example: `gameledger report open NAME.zip.p7e.p7s --key ours.pem --trust root.crt`
    """
    inside = _inside(file.name, country_in(ctx).SEALED)
    pair = read_pair(key, certificate, passphrase_file)
    content = read_bounded(file, bytes_max=country_in(ctx).SEALED_BYTES_MAX)
    opened = country_in(ctx).open_sealed(content, pair, trust_in(trust, signer))
    target = (out or file.parent) / inside
    if not dry_run:
        write_whole(target, opened.content)
    return Opened(str(target), opened.signer, opened.signed_at)


def _inside(file_name: str, suffix: str) -> str:
    if not file_name.endswith(suffix):
        raise InputError(f"{file_name} is not the name of a sealed file, NAME{suffix}")
    return f"{file_name.removesuffix(suffix)}.zip"


@answers(echo_each)
def practice_keys(
    *,
    folder: Annotated[Path, typer.Argument(help="Where the keys go.")],
) -> list[str]:
    """Make keys to practise `seal`, `open` and `confirm` with; they are trusted nowhere else.

    They hold for a month. The real ones come from a qualified provider, and the
    authority's certificate from the parameters that it publishes.

    Example: `gameledger report practice-keys keys`
    """
    from tools.practice.keys import write_practice_keys

    return [str(path) for path in write_practice_keys(folder)]
