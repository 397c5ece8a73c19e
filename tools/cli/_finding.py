"""``finding``: what reconciliation recorded, and who does what about it."""

from __future__ import annotations

import re
from contextlib import closing
from typing import Annotated

import typer

from ledger.core.clock import in_prague
from ledger.core.errors import InputError
from ledger.decisions.findings.deputies import NameDeputy
from ledger.decisions.findings.handling import (
    Assessment,
    AssignFinding,
    CloseFinding,
    CommentFinding,
    ExplainFinding,
    ReopenFinding,
)
from ledger.events import event_types as e
from ledger.log.port import events_at
from projections.reconciliation.finding_lifecycle import (
    FindingRegister,
    list_findings,
)
from projections.reconciliation.numbers import parse_number, position_of
from tools.access.questions.duties import one_finding
from tools.cli._answering import answers, sends
from tools.cli._findings import findings_table
from tools.cli._help import Commands
from tools.cli._options import DATA, Csv, Data
from tools.cli._output import echo, moment
from tools.cli._project import up_to_date
from tools.cli._questions import command_of
from tools.cli._when import First, ListAt, Span, position
from tools.data import DataDirectory
from tools.data.moments import day

__all__ = ["By", "Evidence", "Reason", "WholeName", "app", "identity_of"]

app = Commands(
    "Findings: list, show, assign, explain, comment, close, reopen, write off; deputies."
)

NAME = re.compile(r"[0-9a-f]{16}")


def _whole_name(name: str) -> str:
    if not NAME.fullmatch(name) and parse_number(name) is None:
        raise InputError(
            f"{name!r} is no number of a finding, such as F-2026-000123, and no name, 16 of 0-9 "
            "and a-f: see `finding list`"
        )
    return name


def identity_of(data: DataDirectory, finding: str) -> str:
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
FirstDay = Annotated[
    str, typer.Option("--first-day", metavar="DAY", help="First day of the deputy.")
]
LastDay = Annotated[str, typer.Option("--last-day", metavar="DAY", help="Last day of the deputy.")]
Reason = Annotated[str, typer.Option(help="Why, in words that name no person.")]
Evidence = Annotated[
    str, typer.Option(help="What it rests on: a document's number, or the digest of a file.")
]


def _print_position(register: FindingRegister) -> None:
    if not register.examined:
        echo("No reconciliation is recorded: `gameledger reconcile --record`.")
        return
    echo(
        f"Reconciled up to position {register.examined}; as of position {register.position}, "
        f"{moment(register.recorded_at)} in Prague."
    )


def _show_list(register: FindingRegister, *, ended: bool, as_csv: Csv = False) -> None:
    if register.findings or as_csv:
        findings_table((one.finding for one in register.findings), as_csv=as_csv)
    if not as_csv:
        if not register.findings and register.examined:
            echo("No such finding is recorded." if ended else "Nothing is open.", style="green")
        _print_position(register)


@app.command("list")
@answers(_show_list)
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
) -> FindingRegister:
    """List the findings that are open, the oldest first; `--from` where they were recorded.

    Example: `gameledger finding list --code PAID_TOO_MUCH`
    """
    if mine and not by:
        raise InputError("say who you are: `--by` or GAMELEDGER_BY")
    with up_to_date(data) as (store, log):
        return list_findings(
            store,
            account=account,
            code=code,
            assignee=by if mine else assignee,
            first=Span.of(log, store.position, None, first, None).first,
            with_ended=ended,
            at=position(log, at, size=store.position),
        )


app.command("show")(command_of(one_finding, at=ListAt, footer=_print_position))


@app.command()
@sends(done="Gave finding {finding} to {to}", would="Would give finding {finding} to {to}")
def assign(
    *,
    finding: WholeName,
    to: Annotated[str, typer.Option("--to", help="Who looks after it from now on.")],
    by: By,
    reason: Reason = "",
    data: Data = DATA,
) -> AssignFinding:
    """Assign a finding to the person who looks after it.

    Example: `gameledger finding assign 3f0c7d2a90b1e4f6 --to cage-2 --by risk`
    """
    name = identity_of(data, finding)
    return AssignFinding(finding=name, assignee=to, by=by, reason=reason, source="cli")


@app.command()
@sends(
    done="{person} has the deputy {to} from {first_day} to {last_day}",
    would="{person} would have the deputy {to} from {first_day} to {last_day}",
)
def deputy(
    *,
    person: Annotated[str, typer.Argument(metavar="PERSON", help="Whose findings are handled.")],
    to: Annotated[str, typer.Option("--to", help="The deputy; empty: none any more.")] = "",
    first_day: FirstDay,
    last_day: LastDay,
    by: By,
    reason: Reason = "",
) -> NameDeputy:
    """Name who handles the findings of a person on certain days, such as those of a vacation.

    Example: `gameledger finding deputy cage-2 --to cage-3 --first-day 2026-12-21 \
    --last-day 2026-12-31 --by risk`
    """
    first, last = (in_prague(day(text).begins).date() for text in (first_day, last_day))
    return NameDeputy(
        absent=person,
        deputy=to,
        first_day=first,
        last_day=last,
        by=by,
        reason=reason,
        source="cli",
    )


@app.command()
@sends(done="Explained finding {finding}", would="Would explain finding {finding}")
def explain(
    *, finding: WholeName, reason: Reason, by: By, evidence: Evidence = "", data: Data = DATA
) -> ExplainFinding:
    """Say how a finding came about; it stays open until it is closed.

    Example: `gameledger finding explain 3f0c7d2a90b1e4f6 --reason "Paid twice by hand" --by cage-2`
    """
    name = identity_of(data, finding)
    return ExplainFinding(finding=name, explanation=reason, by=by, evidence=evidence, source="cli")


@app.command()
@sends(done="Commented on finding {finding}", would="Would comment on finding {finding}")
def comment(
    *,
    finding: WholeName,
    text: Annotated[str, typer.Option(help="What is to be noted; it names no person.")],
    by: By,
    evidence: Evidence = "",
    data: Data = DATA,
) -> CommentFinding:
    """Note something on a finding, whatever its state.

    Example: `gameledger finding comment 3f0c7d2a90b1e4f6 --text "Asked the bank" --by risk`
    """
    name = identity_of(data, finding)
    return CommentFinding(finding=name, comment=text, by=by, evidence=evidence, source="cli")


@app.command()
@sends(done="Closed finding {finding}", would="Would close finding {finding}")
def close(
    *,
    finding: WholeName,
    reason: Reason,
    by: By,
    evidence: Evidence = "",
    was: Annotated[
        Assessment, typer.Option("--was", help="Whether the finding was right or wrong.")
    ] = "",
    data: Data = DATA,
) -> CloseFinding:
    """Close a finding; it comes back by itself when its facts change.

    Example: `gameledger finding close 3f0c7d2a90b1e4f6 --reason "Paid back" --by risk`
    """
    name = identity_of(data, finding)
    return CloseFinding(
        finding=name, reason=reason, by=by, evidence=evidence, assessment=was, source="cli"
    )


@app.command()
@sends(done="Reopened finding {finding}", would="Would reopen finding {finding}")
def reopen(
    *, finding: WholeName, reason: Reason, by: By, evidence: Evidence = "", data: Data = DATA
) -> ReopenFinding:
    """Open a closed finding again.

    Example: `gameledger finding reopen 3f0c7d2a90b1e4f6 --reason "Another player" --by risk`
    """
    name = identity_of(data, finding)
    return ReopenFinding(finding=name, reason=reason, by=by, evidence=evidence, source="cli")
