"""Questions of what is owed or open: cases, duties, holds, findings, open items, statements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

from ledger.core.clock import last_day
from projections.books.ageing import OpenItems, open_items
from projections.checks.legal_holds import HoldRegister, list_holds
from projections.matching.statement_states import StatementRegister, list_statements
from projections.reconciliation.complaints import Case, CaseRegister, list_cases, show_case
from projections.reconciliation.duties import DutyRegister, list_duties
from projections.reconciliation.finding_lifecycle import FindingRegister, show_finding
from projections.words.catalogue import Language, Words
from tools.access.query_context import QueryContext
from tools.access.questions.declaration import Column, Context, Parameter, Part, question
from tools.access.scopes import Scope
from tools.data.notation import minute, moment, money, period_end
from tools.data.personal import SEALED

if TYPE_CHECKING:
    from projections.findings.finding import Finding, Side

__all__ = [
    "cases",
    "duties",
    "holds",
    "items_by_age",
    "one_case",
    "one_finding",
    "statements",
    "status_of",
]

OfAccount = Annotated[str, Parameter("Of one account only.", metavar="ACCOUNT")]
ENDED = "Those that ended too."
OF_CODE = "Of one duty only, by the code of its finding."


def _recorded(at: int | None, position: int | None) -> str:
    return "" if at is None else f"{moment(at)} in Prague, position {position}"


def _step(event: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", event.removeprefix("Finding")).lower()


def _answer(text: str | None) -> str:
    return SEALED if text is None else text or "none"


def _side_of(finding: Finding, side: Side | None) -> str:
    """Describe a side of a finding that has two, with times in Prague; empty for others."""
    if side is None:
        return "nothing" if finding.ours or finding.theirs else ""
    parts = [side.reference, f"{money(side.amount)} {finding.currency}"]
    parts += [f"of {side.count} together"] if side.count > 1 else []
    parts += [moment(side.at)] if side.at else []
    parts += [f"statement {side.statement}"] if side.statement else []
    parts += [f"line {side.line}"] if side.line else []
    parts += [f"position {side.position}"] if side.position >= 0 else []
    return ", ".join(part for part in parts if part)


def _state(finding: Finding) -> str:
    return finding.state + (f", with {finding.assignee}" if finding.assignee else "")


def status_of(case: Case) -> str:
    """Return the status of a case in a word."""
    return "overdue" if case.is_overdue else case.status


@question(
    "/cases",
    Scope.ACCOUNTS,
    is_timed=True,
    rows="cases",
    columns=(
        Column("case"),
        Column("kind"),
        Column("account"),
        Column("status", status_of),
        Column("filed (Prague)", "filed_at", minute),
        Column("answer by", lambda case: last_day(case.answer_until)),
        Column("rounds and bets", lambda case: ", ".join((*case.rounds, *case.bets)), wraps=True),
    ),
    bounded="cases",
    overdue=("case is", "cases are"),
    names_position=True,
    nothing="No case is open.",
    nothing_ended="No case is recorded.",
    command="complaint list",
    example="--at 2026-11-20",
    more="The most urgent case comes first.",
)
def cases(
    context: Context,
    *,
    account: OfAccount = "",
    ended: Annotated[
        bool, Parameter("Also cases that were decided or lapsed.", "--all", description=ENDED)
    ] = False,
) -> CaseRegister:
    """List complaints and objections with the last day for their answers."""
    found = list_cases(
        context.store, account=account, with_ended=ended, at=context.size, now=context.now
    )
    return context.opened(found)


@question(
    "/cases/{name}",
    Scope.ACCOUNTS,
    is_timed=True,
    concerns=lambda found: {"account": found.cases[0].account},
    things="cases",
    title=lambda case: f"{case.kind.capitalize()} {case.case}",
    columns=(
        Column("account"),
        Column("status", status_of),
        Column("filed", lambda case: _recorded(case.filed_at, case.position)),
        Column("answer by", lambda case: f"{last_day(case.answer_until)} ({case.source})"),
        Column("rounds", lambda case: ", ".join(case.rounds) or "none"),
        Column("bets", lambda case: ", ".join(case.bets) or "none"),
        Column("grounds", lambda case: SEALED if case.grounds is None else case.grounds),
        Column("ended", lambda case: _recorded(case.ended_at, case.ended_position)),
        Column("answer", lambda case: "" if case.ended_at is None else _answer(case.answer)),
    ),
    names_position=True,
    command="complaint show",
    example="case-1",
)
def one_case(
    context: Context, name: Annotated[str, Parameter("Complaint or objection.", metavar="CASE")]
) -> CaseRegister:
    """Show a complaint or objection, and its answer."""
    return context.opened(show_case(context.store, name, at=context.size, now=context.now))


@question(
    "/duties",
    Scope.ACCOUNTS,
    is_timed=True,
    rows="duties",
    columns=(
        Column("duty", lambda duty: Words(Language.EN).text(f"duties.{duty.code}"), wraps=True),
        Column("code"),
        Column(
            "about",
            lambda duty: " ".join(filter(None, (duty.account, duty.round, duty.subject))),
        ),
        Column("begun (Prague)", "begun_at", minute),
        Column("until (Prague)", lambda duty: period_end(duty.until)),
        Column("overdue", lambda duty: "yes" if duty.is_overdue else ""),
        Column("paragraph", wraps=True),
    ),
    bounded="duties",
    overdue=("duty is", "duties are"),
    names_position=True,
    serving={"is_slow": True, "is_supervised": True},
    nothing="No duty is open.",
    command="duty list",
    example="--at 2026-11-20",
    more="Duties and their periods stand in docs/duties.md; `reconcile` finds those that were not "
    "done in time, done later or not.",
)
def duties(
    context: Context,
    *,
    account: OfAccount = "",
    code: Annotated[
        str,
        Parameter(
            OF_CODE,
            metavar="CODE",
            description=OF_CODE,
        ),
    ] = "",
) -> DutyRegister:
    """List the open duties with their last day, overdue ones first."""
    known = context.supervision.duties if context.supervision else None
    return list_duties(
        context.store,
        account=account,
        code=code,
        at=context.size,
        now=context.now,
        register=known,
    )


@question(
    "/holds",
    Scope.ACCOUNTS,
    is_timed=True,
    rows="holds",
    columns=(
        Column("hold"),
        Column("on", lambda one: f"round {one.round}" if one.round else f"account {one.account}"),
        Column("ordered by", "ordered_by"),
        Column("reference"),
        Column("reason", wraps=True),
        Column("placed (Prague)", "placed_at"),
        Column("until", lambda hold: period_end(hold.until) if hold.until else "it is ended"),
        Column("ended", "ended_at"),
    ),
    names_position=True,
    nothing="No hold is in force.",
    nothing_ended="No hold is recorded.",
    command="hold list",
    example="--all",
)
def holds(
    context: Context,
    *,
    ended: Annotated[
        bool, Parameter("Also holds that have ended.", "--all", description=ENDED)
    ] = False,
) -> HoldRegister:
    """List legal holds, which keep personal data as evidence."""
    return list_holds(context.store, with_ended=ended, at=context.size, now=context.now)


@question(
    "/findings/{name}",
    Scope.MONEY,
    concerns=lambda found: {
        kind: getattr(found.findings[0].finding, kind) for kind in ("account", "round")
    },
    things="findings",
    title=lambda known: f"{known.finding.code} {known.finding.number}",
    columns=(
        Column("name", lambda known: known.finding.identity),
        Column("state", lambda known: _state(known.finding)),
        Column("what", lambda known: known.finding.sentence),
        Column("source", lambda known: known.finding.paragraph or "none"),
        Column("account", lambda known: known.finding.account or "none"),
        Column("round", lambda known: known.finding.round or "none"),
        Column("bet", lambda known: known.finding.bet or "none"),
        Column("amount", lambda known: f"{money(known.finding.amount)} {known.finding.currency}"),
        Column("shown by", lambda known: f"position {known.finding.position}"),
        Column("ours", lambda known: _side_of(known.finding, known.finding.ours)),
        Column("theirs", lambda known: _side_of(known.finding, known.finding.theirs)),
    ),
    parts=(
        Part(
            "steps",
            (
                Column("when (Prague)", "recorded_at"),
                Column("position"),
                Column("step", lambda step: _step(step.event)),
                Column("amount", lambda step: money(step.amount) if step.amount else ""),
                Column("by"),
                Column("with", "assignee"),
                Column("why", "text", wraps=True),
                Column("evidence"),
                Column("write-off", "write_off"),
            ),
        ),
    ),
    command="finding show",
    example="3f0c7d2a90b1e4f6",
)
def one_finding(
    context: Context,
    name: Annotated[
        str,
        Parameter(
            "Its number or name, as `finding list` shows it, or how that begins.",
            metavar="FINDING",
        ),
    ],
) -> FindingRegister:
    """Show a finding that was recorded: both sides, its state, and who did what about it."""
    return show_finding(context.store, name, at=context.size)


@question(
    "/open-items",
    Scope.MONEY,
    is_timed=True,
    rows="items",
    columns=(
        Column("kind"),
        Column("issuer"),
        Column("currency"),
        Column("items"),
        Column("0-1 days", "days_0_1"),
        Column("2-7 days", "days_2_7"),
        Column("8-30 days", "days_8_30"),
        Column("older"),
        Column("total"),
        Column("books"),
    ),
    names_position=True,
    serving={"is_slow": True},
    nothing="Nothing is open.",
    command="books open-items",
    example="--at 2026-11-20",
    more="Withdrawals and claims have the total of their ledger account in `books day`, lines that "
    "of what is not matched in `statement matched`.",
)
def items_by_age(context: Context) -> OpenItems:
    """Sum up withdrawals, claims, payments and lines of statements that are open, by their age."""
    return open_items(context.store, at=context.size, now=context.now)


@question("/statements", Scope.MONEY, is_timed=True, rows="statements", serving={"is_slow": True})
def statements(context: QueryContext) -> StatementRegister:
    """List the imported statements, those of the newest days first, with what is not matched."""
    return list_statements(context.store, at=context.size, now=context.now)
