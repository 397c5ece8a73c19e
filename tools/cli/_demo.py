"""``demo``: a simulated evening from the first table to the report of it."""

from __future__ import annotations

import re
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from ledger.core.clock import in_prague
from ledger.core.errors import InputError
from ledger.events.encoding import decode
from ledger.events.event_types import BetSettled
from ledger.log.port import Query
from ledger.storage.writer_lock import WriterLock
from ledger.verification.verify import verify
from projections.books.closing import close
from projections.findings.finding import Finding
from projections.packages.country import CZ, country_of
from projections.questions.report import DayReport, day_report
from projections.reconciliation.reconcile import Reconciliation, examine
from projections.store.as_of import moment_of
from projections.store.operator import operator_rules
from projections.store.period import read_period
from projections.words.catalogue import Language, Words
from projections.words.names import named
from tools.cli._answering import emits
from tools.cli._demo_chains import find_breaches, report_in_confidential_chain
from tools.cli._demo_evidence import prove_round
from tools.cli._demo_findings import handled_finding, handling
from tools.cli._demo_mirror import LicenceCopies, hold_in_process
from tools.cli._demo_packages import (
    CasinoPackage,
    SealedPackage,
    casino_packages,
    publish_packages,
)
from tools.cli._demo_statements import import_statements, lines_matched
from tools.cli._findings import findings_table
from tools.cli._options import Json, finite, path_of_data
from tools.cli._output import (
    counted,
    duration,
    echo,
    emit,
    facts,
    moment,
    money,
    number,
    progress,
    table,
    wrapped,
)
from tools.cli._project import bring_up_to_date, up_to_date
from tools.cli._simulate import play
from tools.data import DataDirectory
from tools.data.locations import LOCAL
from tools.simulator import SAZKA, SourceFault, Summary

if TYPE_CHECKING:
    from ledger.log.port import Log
    from ledger.rules.operator import OperatorRules
    from ledger.verification.verify import VerificationResult
    from projections.books.closing import Closing
    from projections.matching.values import Sums
    from projections.reconciliation.finding_lifecycle import KnownFinding
    from tools.simulator import Breach

__all__ = ["Demo", "demo"]

MILLISECOND = 1_000
MARK = "made-by-demo"
"""A file that marks a directory which may be deleted and made again."""
MADE_BY_DEMO = re.compile(
    rf"(log|index|tree|tag_map)\.sqlite(-\w+)?|(writer|projector)\.lock|{MARK}"
    r"|keys|practice-keys|projection(\.lock|\.seen|\.views)?|packages|month-so-far|sealed|access|apart|breaches|mirror|issuers|licence|evidence\.html"
)
"""What such a directory holds, and nothing else."""


DUTIES = """
SELECT
    (SELECT count() FROM ClockMeasured) AS measured,
    (SELECT max(abs(skew)) FROM ClockMeasured) AS skew,
    (SELECT count() FROM InformationShown) AS shown,
    (SELECT count() FROM BonusGranted) AS bonuses,
    (SELECT count() FROM PersonChecked) AS checks"""
CASINO = """
SELECT
    (SELECT any(day) FROM OperatingDayClosed) AS day,
    (SELECT max(occurred_at) FROM OperatingDayClosed) AS closed_at,
    (SELECT sum(result) FROM SectionClosed) AS won,
    (SELECT count() FROM CageCounted) + (SELECT count() FROM TableFloatCounted) AS counts,
    (SELECT count() FROM ChipBetSettled) AS bets"""

SOURCES = {"studio": SourceFault.LOST, "cage": None}
"""Systems of the evening that seal what they send; a command of one does not reach the writer."""
SEALED = """
SELECT system, count() AS seals, sum(commands) AS commands
FROM SourceSealed
GROUP BY system
ORDER BY system DESC"""


class _Tamper(NamedTuple):
    """A byte of the log's file whose change turns one bet into another account's."""

    offset: int
    byte: str
    position: int


@dataclass(frozen=True, slots=True)
class Demo:
    """The evening of the demo."""

    summary: Summary
    report: DayReport
    reconciliation: Reconciliation
    verified: Literal[True]
    packages: list[SealedPackage]
    casinos: list[CasinoPackage]
    breaches: tuple[Finding, ...]
    held: LicenceCopies
    seconds: float


@emits(Demo)
def demo(
    *,
    seed: Annotated[int, typer.Option(envvar="GAMELEDGER_SEED", help="Of all chance.")] = 1,
    hours: Annotated[
        float, typer.Option(min=0.1, max=10, callback=finite, help="Length of the evening.")
    ] = 2.5,
    data: Annotated[
        Path,
        typer.Option(
            envvar="GAMELEDGER_DEMO_DATA",
            metavar="DIR",
            callback=path_of_data,
            help="Directory that is deleted and made again.",
        ),
    ] = Path("data/demo"),
    as_json: Json = False,
) -> None:
    """Play an evening of a live-dealer studio, project it, verify it, and report it.

    The same seed gives the same evening, to the last hash; its packages are sealed with keys
    that are made each time, and recorded behind it.

    Example: `gameledger demo --seed 7`
    """
    began = time.monotonic()
    directory = DataDirectory(data, LOCAL)
    _recreate(directory)
    summary = play(
        directory,
        seed=seed,
        hours=hours,
        tables=0,
        players=100,
        events_max=None,
        dealt=SAZKA,
        casino=True,
        sources=SOURCES,
    )
    with ThreadPoolExecutor(1) as second_core, up_to_date(directory) as (store, log):
        found = examine(store)
        report = day_report(store, reconciliation=found)
        (duties,) = store.rows(DUTIES)
        (casino,) = store.rows(CASINO)
        sealed = store.rows(SEALED)
        rules = operator_rules(store)
        day = in_prague(moment_of(store, 1)).date().isoformat()
        books = close(store, read_period(day))
        packages = publish_packages(store, directory, summary.ended_at)
        months = casino_packages(store, directory.path / "month-so-far")
        signed_at = country_of(CZ).period_at("demo", summary.ended_at).end
        suspect = summary.notable.get("rested_account", "a-0001")
        bound = report_in_confidential_chain(data / "apart", summary.chain, suspect, signed_at)
        import_statements(directory, log, signed_at)
        behind = [bound, *handling(found)]
        evidence = prove_round(directory, _round_to_show(summary), signed_at, behind)
        bring_up_to_date(log, store)
        copies = second_core.submit(hold_in_process, data / "mirror", data, signed_at)
        closed = handled_finding(store)
        lines = lines_matched(store)
        verified = _verify(log)
        tamper = _tamper(directory, log)
        breaches = find_breaches(data / "breaches", store)
    with progress("mirroring"):
        held = copies.result()
    seconds = time.monotonic() - began
    if as_json:
        shown = tuple(one for _, one in breaches)
        emit(Demo(summary, report, found, True, packages, months, shown, held, round(seconds, 1)))
        return
    _print_report(summary, report, found, verified, rules)
    if closed is not None:
        _print_closed(closed)
    _print_duties(duties)
    _print_casino(casino)
    _print_sealed(sealed)
    _print_books(books)
    _print_statements(*lines)
    _print_breaches(breaches)
    _print_packages(packages, months)
    _print_held(held)
    echo(f"All of it took {seconds:.1f} s; seed {summary.seed}.")
    _print_next_steps(data, summary, packages, tamper)
    _print_evidence(evidence)


def _recreate(directory: DataDirectory) -> None:
    path = directory.path
    if path.exists() and any(path.iterdir()):
        foreign = sorted(one.name for one in path.iterdir() if not MADE_BY_DEMO.fullmatch(one.name))
        if foreign or not (path / MARK).exists():
            what = f"holds {foreign[0]}, which no demo makes," if foreign else "was not made by one"
            raise InputError(f"{path} {what} and is left alone: name another directory with --data")
        lock = WriterLock(path / "writer.lock")
        try:
            shutil.rmtree(path)
        finally:
            lock.release()
    path.mkdir(parents=True, exist_ok=True)
    (path / MARK).write_text("`gameledger demo` deletes this directory and makes it again.\n")


def _verify(log: Log) -> VerificationResult:
    size = log.head().size
    with progress("verifying") as advance:
        return verify(log.read(), progress=lambda done: advance(done, size))


def _tamper(directory: DataDirectory, log: Log) -> _Tamper | None:
    """Find a byte inside a settled bet, in the middle of the evening."""
    content = (directory.path / "log.sqlite").read_bytes()
    positions = log.find(Query(types=("BetSettled",)))
    for position in positions[len(positions) // 2 :]:
        for _, message in log.read(position, position + 1):
            event, start = decode(message).event, content.find(message)
            if start >= 0 and isinstance(event, BetSettled):
                inside = message.rindex(event.account.encode()) + len(event.account) - 1
                digit = "7" if event.account[-1] != "7" else "3"
                return _Tamper(start + inside, digit, position)
    return None


def _print_report(
    summary: Summary,
    report: DayReport,
    found: Reconciliation,
    verified: VerificationResult,
    rules: OperatorRules,
) -> None:
    echo()
    echo("An evening in the studio", style="bold")
    longest = report.longest_play
    deposits = sum(one.deposits for one in report.channels)
    withdrawals = sum(one.withdrawals for one in report.channels)
    longest_text = (
        f"{duration(longest.length)} by {longest.account}, until {moment(longest.evaluated_at)}"
        if longest
        else "none"
    )
    facts(
        [
            ("rounds", f"{number(report.rounds_opened)}, {report.rounds_voided} of them void"),
            ("bets", f"{number(report.bets)} over {money(report.stakes)} CZK"),
            ("accounts", number(summary.accounts)),
            ("money in", f"{money(deposits)} CZK"),
            ("money out", f"{money(withdrawals)} CZK"),
            ("longest play", longest_text),
            ("breaks imposed", number(report.breaks_imposed)),
        ]
    )
    columns = ("game", "rounds", "bets", "staked CZK", "house result CZK")
    table(
        columns,
        [
            (
                named(Words(Language.EN), "games", one.game) or one.name,
                number(one.rounds),
                number(one.bets),
                money(one.stakes),
                money(one.house_result, sign=True),
            )
            for one in report.games
        ],
    )
    table(
        ("channel", "in CZK", "out CZK"),
        [(one.channel, money(one.deposits), money(one.withdrawals)) for one in report.channels],
    )
    refusals = sorted(summary.refusals.items(), key=lambda entry: (-entry[1], entry[0]))
    table(
        ("refused because", "times", wrapped("paragraph")),
        [(code, count, rules.paragraph(code)) for code, count in refusals],
    )
    _print_findings(found)
    echo()
    echo(f"The chain is whole: {number(verified.head.size)} events, every hash and link checked.")
    echo(f"head {verified.head.hash.hex()}")


def _print_findings(found: Reconciliation) -> None:
    echo(
        f"Reconciliation: {counted(found.bets, 'bet')} settled again, "
        f"{len(found.corrected)} of them corrected in time, "
        f"{counted(len(found.findings), 'finding')}."
    )
    if found.findings:
        findings_table(found.findings)


def _print_closed(known: KnownFinding) -> None:
    steps = ", ".join(step.event.removeprefix("Finding").lower() for step in known.steps)
    echo(f"What people did about finding {known.finding.identity}, in the chain: {steps}.")
    echo(f"  gameledger finding show {known.finding.identity}")


def _print_casino(casino: dict[str, Any]) -> None:
    echo(
        f"A casino on land kept operating day {casino['day']} until {moment(casino['closed_at'])}: "
        f"{counted(casino['counts'], 'count')} of cage and tables, which won "
        f"{money(casino['won'])} CZK by their chips, {counted(casino['bets'], 'bet')} recorded by "
        "seat."
    )


def _print_sealed(sealed: list[dict[str, Any]]) -> None:
    sources = " and ".join(
        f"{one['system']} {counted(one['commands'], 'command')} in {counted(one['seals'], 'seal')}"
        for one in sealed
    )
    echo(f"Two sources sealed what they sent: {sources}; SENT_NOT_RECORDED names what is missing.")


def _print_books(books: Closing) -> None:
    sums = " and ".join(f"{money(of.debit)} {of.currency}" for of in books.totals.values())
    echo(
        f"The books of {books.period}: {len(books.trial)} ledger accounts; debits are credits, "
        f"{sums}."
    )


def _print_statements(imported: Sums, agreed: Sums) -> None:
    echo(
        f"Bank and payment provider sent their files: {counted(imported.lines, 'line')} over "
        f"{money(imported.amount)} CZK together, {number(agreed.lines)} matched with our books."
    )


def _print_duties(duties: dict[str, Any]) -> None:
    apart = (duties["skew"] or 0) / MILLISECOND
    measured, shown = counted(duties["measured"], "time"), counted(duties["shown"], "notice")
    bonuses, checks = counted(duties["bonuses"], "bonus", "bonuses"), duties["checks"]
    echo(
        f"The clock was compared {measured} with its source, at most {apart:.1f} ms apart. {shown} "
        f"shown to participants, {bonuses}, {counted(checks, 'check')} of persons."
    )


def _print_breaches(breaches: list[tuple[Breach, Finding]]) -> None:
    echo()
    echo(f"A careless operator recorded {len(breaches)} breaches in a chain apart; all are found:")
    table(
        ("family", wrapped("what was recorded"), "found as", wrapped("paragraph")),
        [(breach.family, breach.what, found.code, found.paragraph) for breach, found in breaches],
    )


def _print_packages(packages: list[SealedPackage], months: list[CasinoPackage]) -> None:
    echo()
    echo("The regulator's packages are valid, and sealed with keys for practice:")
    table(
        ("package", "records", "bytes sealed"),
        [(one.name, number(one.records), number(one.size)) for one in packages],
    )
    for one in months:
        echo(
            f"The casino's month so far is valid, {one.records} records of {one.sections} "
            f"sections, in {one.folder}:"
        )
        echo(f"  gameledger report explain {one.name} PSTB_transakce 1")


def _print_held(held: LicenceCopies) -> None:
    events = sum(copy.held for copy in held.copies)
    echo(
        f"The authority's own copies of {counted(len(held.copies), 'licence')}: {number(events)} "
        "events, each verified again before it was stored, and signed."
    )
    for device in held.devices.devices:
        echo(f"Both have recorded a device of serial number {device.serial}.")


def _round_to_show(summary: Summary) -> str:
    """Return the round of the evening that is worth proving most."""
    rounds = (name for key, name in summary.notable.items() if key.endswith("_round"))
    return summary.notable.get("corrected_round") or next(rounds, "none")


def _print_evidence(file: Path) -> None:
    echo()
    echo("One round as evidence that stands alone; it opens and checks itself without us:")
    echo(f"  xdg-open {file}            # or any browser, offline")
    echo(f"  gameledger evidence verify {file}")
    echo(f"  dist/gameledger-verify evidence {file}    # without us: make verifier, docs/verify.md")


def _print_next_steps(
    data: Path, summary: Summary, packages: list[SealedPackage], tamper: _Tamper | None
) -> None:
    notable = summary.notable
    echo()
    echo("What to type next", style="bold")
    if shutil.which("gameledger") is None:
        echo(f"  export PATH={Path(sys.executable).parent}:$PATH")
    echo(f"  export GAMELEDGER_DATA={data}")
    hints = (
        ("panic_round", "round replay", "the panic button, with chips on the table"),
        ("voided_round", "round replay", "a round that was interrupted"),
        ("wrong_payment_round", "round replay", "the wrong payment that was found"),
        ("corrected_round", "round replay", "one that was corrected in time"),
        ("exposed_card_round", "round replay", "a hidden card that was shown too early"),
        ("misrecorded_round", "round replay", "a card that the machine read wrongly"),
        ("held_round", "round replay", "a legal hold: no person in it can be erased"),
        ("rested_account", "play-time", "who reached 120 minutes"),
        ("rested_account", "account show", "the same player's account"),
        ("panic_account", "account show", "blocked for 48 hours"),
    )
    lines = [
        (f"  gameledger {command} {notable[name]}", f"# {why}")
        for name, command, why in hints
        if name in notable
    ]
    until = in_prague(country_of(CZ).period_at("demo", summary.ended_at).end).strftime(
        "%Y-%m-%dT%H:%M"
    )
    tiles = data.with_name(f"{data.name}-tiles")
    lines += [
        (f"  gameledger report status --until {until}", "# which packages are published"),
        ("  gameledger statement matched", "# how the lines of each statement stand"),
        ("  gameledger finding list --all", "# findings, and what became of each"),
        ("  gameledger balances", "# all wallets; the books sum to zero"),
        ("  gameledger books month 2026-11", "# trial balance, games, channels, floor"),
        ("  gameledger log show --type BetRefused", "# every refusal, with its paragraph"),
        (
            f"  gameledger report explain {packages[0].name} hra_toky 1",
            "# the facts behind a row of a package",
        ),
        (f"  gameledger serve --data {data}", "# the same in a browser: http://127.0.0.1:8411/"),
        (f"  gameledger reconcile --data {data}/breaches", "# what the careless operator recorded"),
        (
            f"  gameledger suspicion verify --apart {data}/apart --data {data}",
            "# a report that this chain tells nothing of",
        ),
        (f"  gameledger log tiles {tiles}", "# the log as files for any web server"),
        (f"  gameledger log verify {tiles}", "# what a stranger can check of them, without us"),
        (f"  gameledger mirror status {data}/mirror", "# the authority's own copies"),
        (
            f"  gameledger mirror devices {data}/mirror",
            "# one question over two chains",
        ),
        ("  gameledger witness --help", "# how others bind an operator to one history"),
        (
            f"  dist/gameledger-verify log {data}",
            "# a program of its own; `make verifier` builds it",
        ),
    ]
    facts(lines, dim_first=False)
    echo()
    echo("Open a package as the authority does:")
    echo(f"  gameledger report open {packages[0].file} \\")
    echo(f"    --key {data}/practice-keys/authority.pem --trust {data}/practice-keys/root.crt")
    if tamper is None:
        return
    copy = data.with_name(f"{data.name}-tampered")
    echo()
    echo(f"Change one byte of a copy; the verifier names position {tamper.position}:")
    echo(f"  rm -rf {copy}; cp -r {data} {copy}")
    echo(
        f"  printf {tamper.byte} | dd of={copy}/log.sqlite bs=1 seek={tamper.offset} "
        "conv=notrunc status=none"
    )
    echo(f"  gameledger log verify --data {copy}")
