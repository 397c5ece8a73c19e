"""``report``: publish what is due, serve the authority, register with it."""

from __future__ import annotations

import signal
import sys
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event
from typing import Annotated, Any, NotRequired, TypedDict

import msgspec
import typer

from ledger.core.clock import SystemClock, in_prague
from tools.cli._answering import answers, emits
from tools.cli._options import (
    DATA,
    Data,
    DryRun,
    HealthPort,
    Json,
)
from tools.cli._output import echo, echo_each, emit, facts, moment, number, table
from tools.cli._project import up_to_date
from tools.cli._report_options import SettingsFile, Until, country_in, due_by
from tools.cli._when import AsOfPoint, day
from tools.delivery.certificates import ExpiringCertificate
from tools.delivery.publishing import PublishedPackage
from tools.delivery.registration import Registration
from tools.sanitize import escape_controls
from tools.service.address import Address, listening
from tools.signals import handling, wait_for
from tools.whole_files import write_whole

__all__ = [
    "DeliveryFile",
    "DeliveryState",
    "PublishedPackages",
    "RegistrationForm",
    "print_expiring",
    "register_with_authority",
    "run",
    "serve",
]

DeliveryFile = Annotated[
    Path,
    typer.Option(
        "--delivery",
        envvar="GAMELEDGER_REPORT_DELIVERY",
        metavar="FILE",
        help="Keys, certificates and addresses of the exchange, TOML; see docs/reporting.md.",
    ),
]


@dataclass(frozen=True, slots=True)
class PublishedPackages:
    """What a run published, why it stopped (null: it did not), and certificates to replace."""

    published: list[PublishedPackage]
    stopped: str | None
    expiring: list[ExpiringCertificate]


@emits(PublishedPackages | list[str])
def run(
    ctx: typer.Context,
    *,
    delivery: DeliveryFile,
    settings: SettingsFile = None,
    until: Until = None,
    data: Data = DATA,
    as_json: Json = False,
    dry_run: DryRun = False,
) -> None:
    """Build, validate, seal and publish every period that is due; for a timer.

    It goes on where a run before was stopped. With the first package that is not valid it stops,
    exit code 1: nothing of it, or behind it, is published. Nothing due is exit code 0.

    Example: `gameledger report run --delivery delivery.toml`
    """
    from projections.packages.keys import read_certificates
    from tools.delivery.certificates import expiring_certificates
    from tools.delivery.publishing import NotValidError, SealingKeys, publish_due, publishing
    from tools.delivery.recorder import Recorder
    from tools.delivery.settings import read_delivery
    from tools.delivery.trust import key_of, require_stamped, time_stamper

    given = read_delivery(delivery)
    seal = given.seal
    means = SealingKeys(
        key_of(seal),
        read_certificates(seal.recipients),
        time_stamper(seal.time_stamps),
        (lambda sealed: require_stamped(sealed, seal, country_in(ctx)))
        if seal.time_stamps
        else None,
    )
    of, recorder, published, fault = country_in(ctx), Recorder(data), [], None
    with publishing(data.path), up_to_date(data) as (store, _):
        readings, now = of.read_settings(settings), due_by(store, until)
        if dry_run:
            found = of.periods_with_status(store, readings, now)
            due = [one.package for one in found if one.state in {"due", "built"}]
            emit(due) if as_json else echo_each(due, "Nothing is due.")
            return
        try:
            for one in publish_due(
                store, data.path, of, means, recorder.record, readings=readings, now=now
            ):
                published.append(one)
                if not as_json:
                    echo(f"Published {one.package}: {number(one.records)} records.", style="green")
        except NotValidError as error:
            fault = error
    soon = expiring_certificates(given, SystemClock().now())
    if as_json:
        emit(PublishedPackages(published, str(fault) if fault else None, soon))
    else:
        if not published and fault is None:
            echo("Nothing is due.")
        print_expiring(soon)
        if fault is not None:
            print(f"STOPPED: {escape_controls(str(fault))}", file=sys.stderr)
    if fault is not None:
        raise typer.Exit(1)


def print_expiring(soon: list[ExpiringCertificate]) -> None:
    """Warn of certificates that are over or will be soon."""
    if not soon:
        return
    is_over = soon[0].days < 0
    echo(
        "Replace these certificates; the authority has to know of ours 30 days before:",
        style="red" if is_over else "yellow",
    )
    table(
        ("certificate", "of", "until", "days left"),
        [(one.purpose, one.subject, moment(one.until), one.days) for one in soon],
    )


class DeliveryState(TypedDict):
    """What happened at the port for the authority, or on the way to it."""

    state: str
    at: int
    address: NotRequired[str]
    package: NotRequired[str]
    packages: NotRequired[list[str]]
    verdict: NotRequired[str]
    client: NotRequired[str]
    size: NotRequired[int]
    path: NotRequired[str]
    file: NotRequired[str]
    why: NotRequired[str]
    findings: NotRequired[int]
    next: NotRequired[list[str]]
    again_in_seconds: NotRequired[float]
    purpose: NotRequired[str]
    subject: NotRequired[str]
    until: NotRequired[int]
    days: NotRequired[int]
    fingerprint: NotRequired[str]


@emits(DeliveryState, is_line=True)
def serve(
    ctx: typer.Context,
    *,
    delivery: DeliveryFile,
    health: HealthPort = None,
    data: Data = DATA,
    as_json: Json = False,
) -> None:
    """Serve the authority: packages to fetch, its notices; fetch confirmations; until SIGTERM.

    HTTPS with the certificates that are named one by one. Every step is recorded in the chain
    before the other end can count on it, through the writers of `--writers` or in the writer's
    place of this machine.

    Example: `gameledger report serve --delivery delivery.toml`
    """
    from tools.delivery.authority_endpoint import AuthorityEndpoint
    from tools.delivery.certificates import expiring_certificates
    from tools.delivery.exchange import Exchange
    from tools.delivery.fetching import ConfirmationFetcher
    from tools.delivery.recorder import Recorder
    from tools.delivery.server import admitted_fingerprints, for_authority, serving
    from tools.delivery.settings import read_delivery
    from tools.service.health import ProcessHealth, health_port
    from tools.web.metrics import ChainRegistry

    given = read_delivery(delivery)

    def notify(state: str, **facts: Any) -> None:
        now = SystemClock().now()
        if as_json:
            emit({"state": state, "at": now, **facts})
            sys.stdout.flush()
        else:
            words = " ".join(f"{name}={_in_words(value)}" for name, value in facts.items())
            line = f"{moment(now)} {state} {escape_controls(words)}"
            print(line, file=sys.stderr, flush=True)

    over, woken = Event(), Event()

    def stop() -> None:
        over.set()
        woken.set()

    for signal_number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signal_number, handling(stop))
    with closing(data.read()) as log:
        exchange, recorder = Exchange(log), Recorder(data)
        fetching = ConfirmationFetcher(
            given,
            data.path / "confirmations",
            exchange,
            recorder,
            country=country_in(ctx),
            notify=notify,
        )

        def noticed(package: str) -> None:
            fetching.at_once(package)
            woken.set()

        endpoint = AuthorityEndpoint(
            given,
            data.path / "sealed",
            exchange,
            recorder,
            sealed=country_in(ctx).SEALED,
            admitted_fingerprints=admitted_fingerprints(given.server),
            notify=notify,
            noticed=noticed,
        )
        listener, tls = listening(given.server.listen), for_authority(given.server)
        for one in expiring_certificates(given, SystemClock().now()):
            notify("certificate_expires", **asdict(one))
        watched = ProcessHealth(
            "report",
            ChainRegistry(data.chain_name()),
            data.path,
            (given.client.certificate, given.server.certificate),
        )
        with (
            serving(endpoint.app, listener, tls, data.hosts),
            health_port(health, watched, data.hosts),
        ):
            watched.enter("serving", ready=True)
            notify("serving", address=f"https://{Address.of(listener)}")
            while not over.is_set():
                woken.clear()
                seconds = fetching.work()
                wait_for(woken, max(seconds, 0.05))
        notify("stopped")


def _in_words(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else str(value)


@dataclass(frozen=True, slots=True)
class RegistrationForm:
    """The form for the authority, its file, and certificates to replace."""

    file: str
    form: Registration
    expiring: list[ExpiringCertificate]


def _show_form(made: RegistrationForm) -> None:
    form = made.form
    facts(
        [
            ("file", made.file),
            ("operator", form.operator),
            ("holds from", form.effective_from),
            ("what changed", f"{len(form.added)} added, {len(form.removed)} removed"),
        ]
    )
    table(
        ("certificate", "of", "until"),
        [(one.purpose, one.subject, one.until_day) for one in form.certificates],
    )
    print_expiring(made.expiring)


@answers(_show_form)
def register_with_authority(
    *,
    delivery: DeliveryFile,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the form goes.")],
    effective_from: Annotated[
        AsOfPoint, typer.Option(parser=day, metavar="DAY", help="From which day it holds.")
    ],
    before: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The earlier form, for one that lists the changes."),
    ] = None,
    data: Data = DATA,
    dry_run: DryRun = False,
) -> RegistrationForm:
    """Make the form by which the authority learns our certificates and addresses (decree § 2).

    It must have it 30 days before the first output. Certificates that expire are named.

    Example: `gameledger report register --delivery delivery.toml --out form.json
    --effective-from 2027-01-01`
    """
    from ledger.log.opening import opening_of
    from tools.delivery.certificates import expiring_certificates
    from tools.delivery.registration import make_registration, read_registration
    from tools.delivery.settings import read_delivery

    given, now = read_delivery(delivery), SystemClock().now()
    with closing(data.read()) as log:
        operator = opening_of(log).operator
    earlier = read_registration(before) if before else None
    form = make_registration(given, operator, in_prague(effective_from.begins).date(), now, earlier)
    if not dry_run:
        content = msgspec.json.format(msgspec.json.encode(form), indent=2) + b"\n"
        write_whole(out, content)
    soon = expiring_certificates(given, now)
    return RegistrationForm(str(out), form, soon)
