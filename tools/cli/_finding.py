"""``finding``: what reconciliation recorded, and who does what about it."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.errors import InputError
from ledger.decisions.findings.handling import (
    AssignFinding,
    CloseFinding,
    CommentFinding,
    ExplainFinding,
    ReopenFinding,
)
from ledger.events import event_types as e
from ledger.log.port import events_at
from projections.reconciliation.finding_lifecycle import list_findings
from projections.reconciliation.numbers import parse_number, position_of
from tools.access.questions.duties import one_finding
from tools.cli._findings import findings_table, side_in_words
from tools.cli._help import Commands
from tools.cli._options import DATA, Csv, Data, DryRun, Json
from tools.cli._output import echo, emit, facts, moment, money, table
from tools.cli._project import up_to_date
from tools.cli._questions import command_of
from tools.cli._single_command import execute_or_rehearse
from tools.cli._when import First, ListAt, Span, position
from tools.data import DataDirectory

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.events.command import Command
    from projections.reconciliation.finding_lifecycle import FindingRegister, KnownFinding

__all__ = ["app"]

app = Commands("Findings: list, show, assign, explain, comment, close, reopen.")

NAME = re.compile(r"[0-9a-f]{16}")


def _whole_name(name: str) -> str:
    if not NAME.fullmatch(name) and parse_number(name) is None:
        raise InputError(
            f"{name!r} is no number of a finding, such as F-2026-000123, and no name, 16 of 0-9 "
            "and a-f: see `finding list`"
        )
    return name


def _identity(data: DataDirectory, finding: str) -> str:
    """Return the name of a finding that is given by its name or number."""
    if parse_number(finding) is None:
        return finding
    with closing(data.read()) as log:
        position = position_of(log, finding, log.head().size)
        for raised in events_at(log, [] if position is None else [position]):
            if isinstance(raised.event, e.FindingRaised):
                return raised.event.finding
    raise InputError(f"no finding has the number {finding}: `gameledger finding list --all`")


WholeName = Annotated[
    str,
    typer.Argument(
        metavar="FINDING",
        callback=_whole_name,
        help="Its number, or its name in full, as `finding list` shows them.",
    ),
]
By = Annotated[
    str, typer.Option("--by", envvar="GAMELEDGER_BY", help="Who does it: a sign, not a name.")
]
Reason = Annotated[str, typer.Option(help="Why, in words that name no person.")]
Evidence = Annotated[
    str, typer.Option(help="What it rests on: a document's number, or the digest of a file.")
]


@app.command("list")
def list_command(
    *,
    account: Annotated[str, typer.Option(metavar="ACCOUNT", help="Of one account only.")] = "",
    code: Annotated[str, typer.Option(metavar="CODE", help="Of one code only.")] = "",
    assignee: Annotated[
        str, typer.Option(metavar="WHO", help="Only findings assigned to a person.")
    ] = "",
    mine: Annotated[
        bool, typer.Option("--mine", help="Only what you look after: `--by` says who you are.")
    ] = False,
    by: By = "",
    first: First = None,
    ended: Annotated[
        bool, typer.Option("--all", help="Also what is closed, or found no more.")
    ] = False,
    at: ListAt = None,
    data: Data = DATA,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """List the findings that are open, the oldest first; `--from` where they were recorded.

    Example: `gameledger finding list --code PAID_TOO_MUCH`
    """
    if mine and not by:
        raise InputError("say who you are: `--by` or GAMELEDGER_BY")
    with up_to_date(data) as (store, log):
        register = list_findings(
            store,
            account=account,
            code=code,
            assignee=by if mine else assignee,
            first=Span.of(log, store.position, None, first, None).first,
            with_ended=ended,
            at=position(log, at, size=store.position),
        )
    if as_json:
        emit(register)
        return
    if register.findings or as_csv:
        findings_table((one.finding for one in register.findings), as_csv=as_csv)
    if not as_csv:
        if not register.findings and register.examined:
            echo("No such finding is recorded." if ended else "Nothing is open.", style="green")
        _print_position(register)


def _print_register(register: FindingRegister) -> None:
    for one in register.findings:
        _print_finding(one)
    _print_position(register)


app.command("show")(command_of(one_finding, at=ListAt, show=_print_register))


def _print_finding(known: KnownFinding) -> None:
    one = known.finding
    rows: list[tuple[str, object]] = [
        ("name", one.identity),
        ("state", one.state + (f", with {one.assignee}" if one.assignee else "")),
        ("what", one.sentence),
        ("source", one.paragraph or "none"),
        ("account", one.account or "none"),
        ("round", one.round or "none"),
        ("bet", one.bet or "none"),
        ("amount", f"{money(one.amount)} CZK"),
        ("shown by", f"position {one.position}"),
    ]
    if one.ours or one.theirs:
        rows += [("ours", side_in_words(one.ours)), ("theirs", side_in_words(one.theirs))]
    echo(f"{one.code} {one.number}", style="bold")
    facts(rows)
    table(
        ("when (Prague)", ">position", "step", "by", "with", "why~", "evidence"),
        [
            (
                moment(step.recorded_at),
                step.position,
                step.event.removeprefix("Finding").lower(),
                step.by,
                step.assignee,
                step.text,
                step.evidence,
            )
            for step in known.steps
        ],
    )


def _print_position(register: FindingRegister) -> None:
    if not register.examined:
        echo("No reconciliation is recorded: `gameledger reconcile --record`.")
        return
    echo(
        f"Reconciled up to position {register.examined}; as of position {register.position}, "
        f"{moment(register.recorded_at)} in Prague."
    )


@app.command()
def assign(
    *,
    finding: WholeName,
    to: Annotated[str, typer.Option("--to", help="Who looks after it from now on.")],
    by: By,
    reason: Reason = "",
    data: Data = DATA,
    as_json: Json = False,
    dry_run: DryRun = False,
) -> None:
    """Assign a finding to the person who looks after it.

    Example: `gameledger finding assign 3f0c7d2a90b1e4f6 --to cage-2 --by risk`
    """
    name = _identity(data, finding)
    command = AssignFinding(finding=name, assignee=to, by=by, reason=reason, source="cli")
    _record_step(
        command, f"finding {finding} to {to}", "give", data, as_json=as_json, dry_run=dry_run
    )


def _with_reason(step: Callable[[str, str, str, str], Command]) -> None:
    """Make a command of a step that has a reason; its docstring is the command's help."""
    name = step.__name__

    def command(
        *,
        finding: WholeName,
        reason: Reason,
        by: By,
        evidence: Evidence = "",
        data: Data = DATA,
        as_json: Json = False,
        dry_run: DryRun = False,
    ) -> None:
        taken = step(_identity(data, finding), reason, by, evidence)
        _record_step(taken, f"finding {finding}", name, data, as_json=as_json, dry_run=dry_run)

    command.__doc__ = step.__doc__
    app.command(name)(command)


@_with_reason
def explain(finding: str, reason: str, by: str, evidence: str) -> Command:
    """Say how a finding came about; it stays open until it is closed.

    Example: `gameledger finding explain 3f0c7d2a90b1e4f6 --reason "Paid twice by hand" --by cage-2`
    """
    return ExplainFinding(
        finding=finding, explanation=reason, by=by, evidence=evidence, source="cli"
    )


@app.command()
def comment(
    *,
    finding: WholeName,
    text: Annotated[str, typer.Option(help="What is to be noted; it names no person.")],
    by: By,
    evidence: Evidence = "",
    data: Data = DATA,
    as_json: Json = False,
    dry_run: DryRun = False,
) -> None:
    """Note something on a finding, whatever its state.

    Example: `gameledger finding comment 3f0c7d2a90b1e4f6 --text "Asked the bank" --by risk`
    """
    name = _identity(data, finding)
    command = CommentFinding(finding=name, comment=text, by=by, evidence=evidence, source="cli")
    _record_step(
        command, f"finding {finding}", "comment on", data, as_json=as_json, dry_run=dry_run
    )


@_with_reason
def close(finding: str, reason: str, by: str, evidence: str) -> Command:
    """Close a finding; it comes back by itself when its facts change.

    Example: `gameledger finding close 3f0c7d2a90b1e4f6 --reason "Paid back" --by risk`
    """
    return CloseFinding(finding=finding, reason=reason, by=by, evidence=evidence, source="cli")


@_with_reason
def reopen(finding: str, reason: str, by: str, evidence: str) -> Command:
    """Open a closed finding again.

    Example: `gameledger finding reopen 3f0c7d2a90b1e4f6 --reason "Another player" --by risk`
    """
    return ReopenFinding(finding=finding, reason=reason, by=by, evidence=evidence, source="cli")


DONE = {
    "give": "Gave",
    "explain": "Explained",
    "comment on": "Commented on",
    "close": "Closed",
    "reopen": "Reopened",
}


def _record_step(
    command: Command, what: str, step: str, data: DataDirectory, *, as_json: bool, dry_run: bool
) -> None:
    execute_or_rehearse(
        data,
        command,
        done=f"{DONE[step]} {what}",
        would=f"Would {step} {what}",
        as_json=as_json,
        dry_run=dry_run,
    )
