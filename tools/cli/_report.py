"""``report``: the regulator's packages (decree 10/2019, models V and M, kind Z)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.core.clock import SystemClock
from ledger.core.errors import InputError
from ledger.decisions.packages import RecordPackage
from ledger.log.port import events_at
from projections.packages.country import CZ
from projections.packages.results import BuiltFile
from projections.packages.status import PeriodStatus
from projections.store.as_of import moment_of
from tools.cli._answering import answers, emits
from tools.cli._cuts import cut
from tools.cli._facts import as_document, in_words
from tools.cli._help import Commands
from tools.cli._options import DATA, Csv, Data, DryRun, FullHashes, Json, settings_of
from tools.cli._output import (
    echo,
    echo_each,
    emit,
    facts,
    hashed,
    moment,
    number,
    progress,
    table,
    wrapped,
)
from tools.cli._project import up_to_date
from tools.cli._report_delivery import print_expiring
from tools.cli._report_options import CountryCode, SettingsFile, Until, country_in, due_by
from tools.cli._report_seal import register
from tools.cli._when import WHEN, AsOfPoint, position, when
from tools.data.documents import Explanation

if TYPE_CHECKING:
    from projections.packages.country import Country
    from projections.packages.results import JobResult
    from projections.store.tables import Store

__all__ = ["BuiltPackage", "app", "next_step"]

app = Commands("The regulator's packages: build, validate, seal, confirm, explain, status.")

STEPS = {
    "due": "report run, or report build",
    "built": "report run, or report seal",
    "published": "the authority fetches it: report serve, or report confirm by hand",
    "fetched": "wait for the authority's notice",
    "noticed": "fetch the confirmation: report serve",
    "confirmation_fetched": "read the confirmation: report serve",
    "confirmation_refused": "look at what came; report serve asks for it again",
}
PENDING_MAX = 100
"""Packages of one run; a chain that was left alone for months has more."""

WarningSource = Annotated[
    Path | None,
    typer.Option(
        envvar="GAMELEDGER_REPORT_DELIVERY",
        metavar="FILE",
        help="Settings of the exchange, to warn of certificates that expire.",
    ),
]
KnownAt = Annotated[
    AsOfPoint | None,
    typer.Option(
        parser=when, metavar=WHEN, help="Only what the first so many messages say, or by then."
    ),
]


@app.callback()
def report(
    ctx: typer.Context,
    country: CountryCode = CZ,
) -> None:
    """The regulator's packages (cz: decree 10/2019, kind Z; V over the internet, M in casinos)."""
    settings_of(ctx).country = country


@dataclass(frozen=True, slots=True)
class BuiltPackage:
    """A package that was built, and the command that records it."""

    package: str
    folder: str
    known_at: int
    digest: str
    files: tuple[BuiltFile, ...]
    command: RecordPackage | None


def _show_built(
    done: list[BuiltPackage] | list[str], *, dry_run: bool, full_hashes: FullHashes = False
) -> None:
    if dry_run or not done:
        echo_each(done, "Nothing is due.")
        return
    built = [one for one in done if isinstance(one, BuiltPackage)]
    table(
        ("package", "records", "known at", "digest"),
        [
            (
                one.package,
                number(sum(file.rows for file in one.files)),
                one.known_at,
                hashed(one.digest, full=full_hashes),
            )
            for one in built
        ],
    )
    echo(f"They are in {Path(built[0].folder).parent}.")
    if len(done) == PENDING_MAX:
        echo(f"{PENDING_MAX} packages are built; there may be more: repeat.")


@app.command()
@answers(_show_built)
def build(
    ctx: typer.Context,
    *,
    period: Annotated[
        str,
        typer.Option(help="Beginning in Prague, 2026112108, or a casino's month, 202611-kasino_1."),
    ] = "",
    pending: Annotated[
        bool, typer.Option("--pending", help="Every period that is due and not built.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the packages; DATA/packages.")
    ] = None,
    version: Annotated[
        int | None,
        typer.Option(min=1, max=99, help="An earlier version is made again as it was."),
    ] = None,
    known_at: KnownAt = None,
    cause: Annotated[str, typer.Option(help="Why there is another version.")] = "",
    settings: SettingsFile = None,
    until: Until = None,
    record: Annotated[
        bool, typer.Option(help="Record PackageBuilt in the chain; needs the writer's place.")
    ] = True,
    data: Data = DATA,
    dry_run: DryRun = False,
) -> list[BuiltPackage] | list[str]:
    """Build the package of a period, or all that are due.

    The same chain, period, version and cut-off give the same bytes at any time. While a
    writer is at work, build with `--no-record --json` and send it the `command` of each.

    Example: `gameledger report build --pending`
    """
    if bool(period) is pending:
        raise InputError("name one --period, or ask for --pending")
    with up_to_date(data) as (store, log):
        of = country_in(ctx)
        readings, now = of.read_settings(settings), due_by(store, until)
        known = position(log, known_at, size=store.position)
        if pending:
            jobs = list(islice(of.pending_jobs(store, readings, now), PENDING_MAX))
        else:
            job = of.job_for(
                store, readings, now, period, version=version, known_at=known, cause=cause
            )
            jobs = [job]
        if dry_run:
            return [str(job.name) for job in jobs]
        done = _build_all(of, store, jobs, out or data.path / "packages")
        is_ahead = moment_of(store, store.position) > SystemClock().now()
    commands = [one.command for one in done if one.command is not None]
    if record and commands and not is_ahead:
        with data.write() as ledger:
            for command in commands:
                ledger.execute(command)
    if record and is_ahead:
        cut("Not recorded: the chain is ahead of this clock, as a simulated evening can be")
    return [_built(one) for one in done]


def _build_all(of: Country, store: Store, jobs: list[Any], out: Path) -> list[JobResult]:
    with progress("building") as advance:
        done = []
        for job in jobs:
            done.append(of.run(store, job, out))
            advance(len(done), len(jobs))
    return done


def _built(done: JobResult) -> BuiltPackage:
    built = done.built
    return BuiltPackage(
        package=str(built.cut.name),
        folder=str(built.folder),
        known_at=built.cut.known_at,
        digest=built.digest,
        files=built.files,
        command=done.command,
    )


@app.command()
@emits(Explanation)
def explain(
    ctx: typer.Context,
    *,
    package: Annotated[str, typer.Argument(help="Package, with its version.")],
    file: Annotated[str, typer.Argument(help="File, such as hra_toky.")],
    row: Annotated[str, typer.Argument(help="Number of the record, from 1, or its key.")],
    known_at: KnownAt = None,
    settings: SettingsFile = None,
    full_hashes: FullHashes = False,
    data: Data = DATA,
    as_json: Json = False,
) -> None:
    """Show a row of a package with the events that it was made from.

    Example: `gameledger report explain 26493993-V-2026112016-Z-01 hra_toky 1`
    """
    country_in(ctx).parse_name(package)
    with up_to_date(data) as (store, log):
        known = position(log, known_at, size=store.position)
        readings = country_in(ctx).read_settings(settings)
        found = country_in(ctx).explain(
            store, package, file, row, settings=readings, known_at=known
        )
        events = list(events_at(log, found.positions))
    if as_json:
        emit(Explanation(found, [as_document(event) for event in events]))
        return
    echo(f"{found.file} of {found.package}", style="bold")
    facts([(name, value) for name, value in found.values.items() if value])
    table(
        ("position", "recorded (Prague)", "event", wrapped("facts"), "hash"),
        [
            (
                event.position,
                moment(event.envelope.recorded_at),
                type(event.event).__name__,
                in_words(event.event),
                hashed(event.hash.hex(), full=full_hashes),
            )
            for event in events
        ],
    )


def _show_status(
    found: list[PeriodStatus], *, delivery: WarningSource = None, as_csv: Csv = False
) -> None:
    table(
        ("period", "package", "state", "findings", wrapped("next step")),
        [
            (
                one.period,
                one.package if one.version else "",
                f"{one.state}, {one.step}".rstrip(", ").replace("_", " "),
                one.findings or "",
                next_step(one),
            )
            for one in found
        ],
        nothing="No period is over by then.",
        as_csv=as_csv,
    )
    if delivery is not None and not as_csv:
        from tools.delivery.certificates import expiring_certificates
        from tools.delivery.settings import read_delivery

        print_expiring(expiring_certificates(read_delivery(delivery), SystemClock().now()))


@app.command()
@answers(_show_status)
def status(
    ctx: typer.Context,
    *,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many at most.")] = 30,
    settings: SettingsFile = None,
    until: Until = None,
    data: Data = DATA,
) -> list[PeriodStatus]:
    """List the periods that are over, newest last, and what became of their packages.

    Example: `gameledger report status --limit 9`
    """
    with up_to_date(data) as (store, _):
        readings = country_in(ctx).read_settings(settings)
        found = country_in(ctx).periods_with_status(store, readings, due_by(store, until))
    if len(found) > limit:
        cut(f"{len(found) - limit} older periods are not shown: --limit")
    return found[-limit:]


def next_step(status: PeriodStatus) -> str:
    """Return what is to be done next about a period."""
    if status.to_correct and status.step in {"", "fetched"}:
        return f"report build --period {status.period} --cause …"
    return STEPS.get(status.step) or STEPS.get(status.state, "")


register(app)
