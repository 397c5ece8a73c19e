"""``report``: confirm what the authority answered, and correct what has to be corrected."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ledger.core import events
from ledger.core.errors import InputError
from ledger.decisions.packages import RecordConfirmation, RequestCorrection, series_of
from tools.cli._options import Data, DryRun, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import emit, facts, say, table
from tools.cli._report_options import (
    Certificates,
    OptionalKey,
    PassphraseFile,
    Signers,
    TrustFiles,
    country,
    read_bytes,
    read_pair,
    recorded,
    trust_in,
)
from tools.data import DataDirectory

if TYPE_CHECKING:
    from projections.packages.country import Name
    from projections.packages.cz.confirmation import Confirmation

__all__ = ["confirm", "correct"]

SHOWN_MAX = 40
SEALED = ".p7e.p7s"


def confirm(
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
    data: Data = Path("data"),
    as_json: Json = False,
    dry_run: DryRun = False,
) -> None:
    """Read a confirmation of the authority, record it, and say what to do next.

    A sealed one is verified and opened with `--key` and `--trust`.

    Example: `gameledger report confirm 26493993-V-2026112016-Z-01.Ok.zip`
    """
    of = country()
    received = content = read_bytes(file, most=of.ANSWER_BYTES_MAX)
    if file.name.endswith(SEALED):
        if key is None:
            raise InputError(f"{file.name} is sealed: name our key with --key")
        pair = read_pair(key, certificate, passphrase_file)
        content = of.open_sealed(received, pair, trust_in(trust, signer)).content
    found = of.read_confirmation(file.name, content)
    series, version = series_of(str(found.package))
    before = [
        event.verdict
        for event in recorded(data, "ConfirmationReceived", series)
        if isinstance(event, events.ConfirmationReceived) and event.version == version
    ]
    others = _other_files(data, found)
    command = RecordConfirmation(
        package=str(found.package),
        confirmation=file.name,
        verdict=found.verdict,
        file_digest=sha256(received).hexdigest(),
        findings=found.findings,
        cut=found.is_cut,
        source="cli",
    )
    if record and not dry_run:
        with DataDirectory(data).write() as ledger:
            ledger.execute(command)
    steps = _next_steps(found, was_accepted="OK" in before, others=others)
    if as_json:
        emit(
            {
                "package": str(found.package),
                "verdict": found.verdict,
                "findings": found.findings,
                "files_that_differ": others,
                "next": steps,
                "command": command,
            }
        )
        return
    _say(found, steps)


def _other_files(data: Path, found: Confirmation) -> list[str]:
    """Name the files of which the authority read other bytes than were built."""
    series, version = series_of(str(found.package))
    built: dict[str, str] = {}
    for event in recorded(data, "PackageBuilt", series):
        if isinstance(event, events.PackageBuilt) and event.version == version:
            built = dict(zip(event.files, event.digests, strict=True))
    return sorted(
        {
            report.file
            for report in found.reports
            if report.digest and built and built.get(report.file) != report.digest
        }
    )


def _next_steps(found: Confirmation, *, was_accepted: bool, others: list[str]) -> list[str]:
    name = found.package
    steps = []
    if others:
        steps += [
            f"The authority read other bytes than were built of {', '.join(others)}.",
            "Find out what was published before anything else.",
        ]
    if found.verdict == "OK" and others:
        steps.append("What was accepted is not what was built.")
    elif found.verdict == "OK" and not found.findings:
        steps.append("The package is accepted. There is nothing to do.")
    elif found.verdict == "OK":
        steps += [
            "The package is accepted, although the database checks found something.",
            f"Look at each finding; if a fact is wrong: {_correct(name)} (decree § 5).",
        ]
    elif was_accepted:
        steps += [
            "The package was accepted before and is refused now.",
            "An earlier package was corrected, and this one was checked against it again.",
            f"Correct what it refers to, or build it again: {_build_again(name)}.",
        ]
    else:
        steps += [
            "The package is refused for a formal error (decree § 4).",
            f"Remove the cause, then build the next version: {_build_again(name)}.",
            f"Seal and publish it; version {name.version:02d} stays readable.",
        ]
    if found.is_cut:
        steps.append("Findings were left out or shortened: keep the file itself.")
    return steps


def _build_again(name: Name) -> str:
    return f"`gameledger report build --period {name.period} --cause …`"


def _correct(name: Name) -> str:
    return f"`gameledger report correct {name} --explanation …`"


def _say(found: Confirmation, steps: list[str]) -> None:
    is_ok = found.verdict == "OK"
    say(f"{found.package}: {found.verdict}", style="green" if is_ok else "red")
    if found.findings:
        counts = Counter((one.file, one.code) for one in found.findings)
        table(
            ("file", "code", ">findings"),
            [(file, code, count) for (file, code), count in counts.most_common()],
        )
        table(
            ("file", "line or key", "field", "code", "message~"),
            [
                (one.file, one.key, one.column, one.code, one.message)
                for one in found.findings[:SHOWN_MAX]
            ],
        )
        if len(found.findings) > SHOWN_MAX:
            say(f"{len(found.findings) - SHOWN_MAX} more: --json shows all.")
    for step in steps:
        say(step)


def correct(
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
    data: Data = Path("data"),
    as_json: Json = False,
    dry_run: DryRun = False,
) -> None:
    """Record that a package has to be corrected, and list what will be checked again.

    A higher version makes the authority check all later packages again; one that it accepted
    before can be refused then (decree § 5).

    Example: `gameledger report correct 26493993-V-2026112016-Z-01 --explanation "A win was
    paid twice."`
    """
    name = country().parse_name(package)
    command = RequestCorrection(
        package=str(name), kind=kind, request=request, explanation=explanation, source="cli"
    )
    if not dry_run:
        with DataDirectory(data).write() as ledger:
            ledger.execute(command)
    later = _later(data, name)
    if as_json:
        emit(
            {"package": str(name), "checked_again": [str(one) for one in later], "command": command}
        )
        return
    facts([("to be corrected", name), ("next", _build_again(name).strip("`"))])
    if not later:
        say("No later package is published, so none will be checked again.")
        return
    say("These later packages will be checked again, and can be refused then:")
    for one in later:
        say(f"  {one}")


def _later(data: Path, name: Name) -> list[Name]:
    """List the newest published version of each later period."""
    newest: dict[str, Name] = {}
    for event in recorded(data, "PackagePublished"):
        if not isinstance(event, events.PackagePublished):
            continue
        try:
            one = country().parse_name(f"{event.series}-{event.version:02d}")
        except InputError:
            continue
        present = newest.get(one.period)
        if one.start > name.start and (present is None or present.version < one.version):
            newest[one.period] = one
    return [newest[period] for period in sorted(newest)]
