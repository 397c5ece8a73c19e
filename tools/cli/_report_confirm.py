"""``report``: confirm what the authority answered, and correct what has to be corrected."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ledger.core.errors import InputError
from ledger.decisions.packages import Finding, RecordConfirmation, RequestCorrection, series_of
from ledger.events import event_types as events
from ledger.storage.named_files import read_bounded
from tools.cli._answering import answers
from tools.cli._options import DATA, Data, DryRun
from tools.cli._output import echo, echo_each, facts, table, wrapped
from tools.cli._report_options import (
    Certificates,
    OptionalKey,
    PassphraseFile,
    Signers,
    TrustFiles,
    country_in,
    read_pair,
    recorded,
    trust_in,
)
from tools.data import DataDirectory
from tools.delivery.confirming import (
    build_again,
    confirmation_command,
    files_that_differ,
    next_steps,
)

if TYPE_CHECKING:
    from projections.packages.country import Country
    from projections.packages.results import Name

__all__ = ["Confirmed", "ToCorrect", "confirm", "correct"]

SHOWN_MAX = 40


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What the authority answered, and what to do next."""

    package: str
    verdict: str
    findings: tuple[Finding, ...]
    files_that_differ: list[str]
    next: list[str]
    command: RecordConfirmation | None


@dataclass(frozen=True, slots=True)
class ToCorrect:
    """A package to be corrected, and those that will be checked again."""

    package: str
    checked_again: list[str]
    command: RequestCorrection


def _show_confirmed(found: Confirmed) -> None:
    is_ok = found.verdict == "OK"
    echo(f"{found.package}: {found.verdict}", style="green" if is_ok else "red")
    if found.findings:
        counts = Counter((one.file, one.code) for one in found.findings)
        table(
            ("file", "code", "findings"),
            [(file, code, count) for (file, code), count in counts.most_common()],
        )
        table(
            ("file", "line or key", "field", "code", wrapped("message")),
            [
                (one.file, one.key, one.column, one.code, one.message)
                for one in found.findings[:SHOWN_MAX]
            ],
        )
        if len(found.findings) > SHOWN_MAX:
            echo(f"{len(found.findings) - SHOWN_MAX} more: --json shows all.")
    echo_each(found.next)


@answers(_show_confirmed)
def confirm(
    ctx: typer.Context,
    *,
    file: Annotated[
        Path, typer.Argument(help="NAME.Ok.zip or NAME.Err.zip, or sealed: ….zip.p7e.p7s.")
    ],
    key: OptionalKey = None,
    certificate: Certificates = None,
    passphrase_file: PassphraseFile = None,
    trust: TrustFiles = None,
    signer: Signers = None,
    record: Annotated[
        bool, typer.Option(help="Record ConfirmationReceived; needs the writer's place.")
    ] = True,
    data: Data = DATA,
    dry_run: DryRun = False,
) -> Confirmed:
    """Read a confirmation of the authority, record it, and print the next step.

    A sealed one is verified and opened with `--key` and `--trust`.

    Example: `gameledger report confirm 26493993-V-2026112016-Z-01.Ok.zip`
    """
    of = country_in(ctx)
    received = content = read_bounded(file, bytes_max=of.ANSWER_BYTES_MAX)
    if file.name.endswith(of.SEALED):
        if key is None:
            raise InputError(f"{file.name} is sealed: name our key with --key")
        pair = read_pair(key, certificate, passphrase_file)
        content = of.open_sealed(received, pair, trust_in(trust, signer)).content
    found = of.read_confirmation(file.name, content)
    series, version = series_of(str(found.package))
    verdicts: list[str] = []
    built: dict[str, str] = {}
    newest = version
    for event in recorded(data, "", series):
        if isinstance(event, events.ConfirmationReceived) and event.version == version:
            verdicts.append(event.verdict)
        if isinstance(event, events.PackagePublished):
            newest = max(newest, event.version)
        if isinstance(event, events.PackageBuilt) and event.version == version:
            built = dict(zip(event.files, event.digests, strict=True))
    others = files_that_differ(found, built)
    command = confirmation_command(found, file.name, received, source="cli")
    if record and not dry_run:
        with data.write() as ledger:
            ledger.execute(command)
    steps = next_steps(found, was_accepted="OK" in verdicts, others=others, newest=newest)
    return Confirmed(
        package=str(found.package),
        verdict=found.verdict,
        findings=found.findings,
        files_that_differ=others,
        next=steps,
        command=command,
    )


def _show_correction(found: ToCorrect, *, ctx: typer.Context) -> None:
    name = country_in(ctx).parse_name(found.package)
    facts([("to be corrected", name), ("next", build_again(name).strip("`"))])
    if not found.checked_again:
        echo("No later package is published, so none will be checked again.")
        return
    echo("These later packages will be checked again, and can be refused then:")
    for one in found.checked_again:
        echo(f"  {one}")


@answers(_show_correction)
def correct(
    ctx: typer.Context,
    *,
    package: Annotated[str, typer.Argument(help="Published package, with its version.")],
    explanation: Annotated[str, typer.Option(help="What is wrong, in words.")],
    kind: Annotated[
        Literal["formal", "material"],
        typer.Option(help="A formal error (decree § 4) or a material one (§ 5)."),
    ] = "material",
    request: Annotated[
        str, typer.Option(help="Reference of the request to the authority, if there is one.")
    ] = "",
    data: Data = DATA,
    dry_run: DryRun = False,
) -> ToCorrect:
    """Record that a package has to be corrected, and list what will be checked again.

    A higher version makes the authority check all later packages again; one that it accepted
    before can be refused then (decree § 5).

    Example: `gameledger report correct 26493993-V-2026112016-Z-01 --explanation "A win was
    paid twice."`
    """
    name = country_in(ctx).parse_name(package)
    command = RequestCorrection(
        package=str(name), kind=kind, request=request, explanation=explanation, source="cli"
    )
    if not dry_run:
        with data.write() as ledger:
            ledger.execute(command)
    later = _later(data, country_in(ctx), name)
    return ToCorrect(str(name), [str(one) for one in later], command)


def _later(data: DataDirectory, country: Country, name: Name) -> list[Name]:
    """List the newest published version of each later period."""
    newest: dict[str, Name] = {}
    for event in recorded(data, "PackagePublished"):
        if not isinstance(event, events.PackagePublished):
            continue
        try:
            one = country.parse_name(f"{event.series}-{event.version:02d}")
        except InputError:
            continue
        present = newest.get(one.period)
        if one.start > name.start and (present is None or present.version < one.version):
            newest[one.period] = one
    return [newest[period] for period in sorted(newest)]
