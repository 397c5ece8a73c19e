"""``statement rules`` and ``statement set-rules``: rules of matching as facts with an author."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Annotated

import typer
from msgspec.structs import asdict

from ledger.core.clock import in_prague
from ledger.decisions.operator.matching_rules import SetMatchingRules
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from tools.cli._answering import answers, sends
from tools.cli._finding import By
from tools.cli._options import DATA, Data
from tools.cli._output import money, number, table, wrapped
from tools.cli._statement_matched import app
from tools.data.moments import day
from tools.data.notation import haler

__all__ = ["RecordedRules", "app"]


@dataclass(frozen=True, slots=True)
class RecordedRules:
    """Rules of matching as recorded; amounts are haléř, windows are days."""

    position: int
    recorded_at: int
    first_day: str
    bank_days: int
    payments_days: int
    tolerance: int
    by_amount: bool
    write_off_max: int
    by: str
    reason: str


def _show(found: list[RecordedRules]) -> None:
    table(
        (
            "from", "bank days", "payments days", "tolerance", "by amount", "write-off at most",
            "set by", "position", wrapped("because"),
        ),
        [
            (
                one.first_day,
                number(one.bank_days),
                number(one.payments_days),
                money(one.tolerance),
                "yes" if one.by_amount else "no",
                money(one.write_off_max),
                one.by,
                one.position,
                one.reason,
            )
            for one in found
        ],
        nothing="No rules are recorded: the figures of `gameledger rules show` apply.",
    )  # fmt: skip


@app.command("rules")
@answers(_show)
def rules_command(*, data: Data = DATA) -> list[RecordedRules]:
    """List the rules by which statements are matched, as they were recorded, with their authors.

    Example: `gameledger statement rules`
    """
    with closing(data.read()) as log:
        return [
            RecordedRules(
                position=one.position,
                recorded_at=one.envelope.recorded_at,
                **asdict(one.event),
            )
            for one in events_at(log, log.find(Query(types=("MatchingRulesSet",))))
            if isinstance(one.event, e.MatchingRulesSet)
        ]


@app.command("set-rules")
@sends(done="Set the rules from {first_day}", would="Would set the rules from {first_day}")
def set_rules(
    *,
    first_day: Annotated[
        str, typer.Option("--first-day", metavar="DAY", help="First day that they hold for.")
    ],
    bank_days: Annotated[
        int, typer.Option(help="Days between a line of a bank and our entry, at most.")
    ],
    payments_days: Annotated[
        int, typer.Option(help="Days between a line of a payment provider and our entry, at most.")
    ],
    reason: Annotated[str, typer.Option(help="Why, in words that name no person.")],
    by: By,
    tolerance: Annotated[
        str, typer.Option(metavar="CZK", help="Difference that is tolerated, in crowns.")
    ] = "0",
    by_amount: Annotated[
        bool,
        typer.Option(
            "--by-amount/--by-reference-only",
            help="Whether a line without a reference is matched by amount and day.",
        ),
    ] = True,
    write_off_max: Annotated[
        str, typer.Option(metavar="CZK", help="Largest write-off; 0: none is allowed.")
    ] = "0",
) -> SetMatchingRules:
    """Set by which rules statements about money are matched, from today or a later day on.

    Example: `gameledger statement set-rules --first-day 2026-12-01 --bank-days 5 \
    --payments-days 2 --tolerance 1 --write-off-max 100 --reason "Rounding of GoPay" --by finance`
    """
    return SetMatchingRules(
        first_day=in_prague(day(first_day).begins).date(),
        bank_days=bank_days,
        payments_days=payments_days,
        tolerance=haler(tolerance),
        by_amount=by_amount,
        write_off_max=haler(write_off_max),
        reason=reason,
        by=by,
        source="cli",
    )
