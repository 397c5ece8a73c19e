"""Questions of what is owed to participants and authorities: cases, duties, holds, findings."""

from __future__ import annotations

from typing import Annotated

from ledger.core.clock import last_day
from projections.checks.legal_holds import HoldRegister, list_holds
from projections.reconciliation.complaints import Case, CaseRegister, list_cases, show_case
from projections.reconciliation.duties import DutyRegister, list_duties
from projections.reconciliation.finding_lifecycle import FindingRegister, show_finding
from projections.words.catalogue import Language, Words
from tools.access.questions.declaration import Column, Context, Parameter, question
from tools.access.scopes import Scope
from tools.data.notation import minute, period_end

__all__ = ["cases", "duties", "holds", "one_case", "one_finding", "status_of"]

OfAccount = Annotated[str, Parameter("Of one account only.", metavar="ACCOUNT")]
ENDED = "Those that ended too."
OF_CODE = "Of one duty only, by the code of its finding."


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
        Column(
            "until (Prague)",
            lambda duty: f"{period_end(duty.until)}{' overdue' if duty.is_overdue else ''}",
        ),
        Column("paragraph", wraps=True),
    ),
    bounded="duties",
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
