"""``statement matched``: how the lines of each statement stand against our books."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.clock import SystemClock
from ledger.core.errors import InputError
from projections.matching.values import LineStatus
from tools.cli._answering import answers
from tools.cli._options import DATA, Data
from tools.cli._output import echo, money, number, table, wrapped
from tools.cli._project import up_to_date
from tools.cli._statement import app
from tools.cli._when import Now
from tools.data.matching_cache import cached_matching
from tools.data.moments import now_of_question

if TYPE_CHECKING:
    from projections.matching.match import StatementSums

__all__ = ["AppliedRules", "MatchedLines", "MatchedStatement", "app"]

STANDINGS = {
    LineStatus.REFERENCE: "by reference",
    LineStatus.TOGETHER: "several lines together",
    LineStatus.AMOUNT: "by amount and day",
    LineStatus.SETTLEMENT: "paid out to the bank",
    LineStatus.COST: "costs and interest",
    LineStatus.TOTAL: "totals",
    LineStatus.NO_MONEY: "moved no money",
    LineStatus.WITHIN_TOLERANCE: "agree within the tolerance",
    LineStatus.WRITTEN_OFF: "written off",
    LineStatus.WAITING: "not yet",
}
"""How lines stand, in words; what is not here is the code of a finding."""


@dataclass(frozen=True, slots=True)
class MatchedLines:
    """How many lines there are, and what they sum up to, in hundredths of the currency."""

    lines: int
    amount: int
    fee: int
    stake: int
    paid: int


@dataclass(frozen=True, slots=True)
class MatchedStatement:
    """A statement that counts: ``imported`` is ``matched`` and ``unmatched``; each way apart.

    ``rules`` are the recorded rules by which its lines are matched; none: the operator's figures.
    """

    statement: str
    imported: MatchedLines
    matched: MatchedLines
    unmatched: MatchedLines
    standing: dict[str, MatchedLines]
    rules: list[AppliedRules]


@dataclass(frozen=True, slots=True)
class AppliedRules:
    """Recorded rules, with the first day that they hold for, and the author."""

    position: int
    first_day: str
    by: str


def _show(found: list[MatchedStatement]) -> None:
    for one in found:
        echo()
        echo(f"Statement {one.statement}", style="bold")
        rows = [_row(*_standing(name), sums) for name, sums in one.standing.items()]
        rows += [_row("", "matched", one.matched), _row("", "not matched", one.unmatched)]
        table(
            (wrapped("lines are"), "lines", "amount", "fees", "stakes", "paid"),
            [*rows, _row("", "imported", one.imported)],
        )
        for rules in one.rules:
            echo(f"By the rules from {rules.first_day} of {rules.by}, position {rules.position}.")
    if not found:
        echo("No statement counts.")


def _standing(name: str) -> tuple[str, str]:
    how = LineStatus(name)
    return "  " if how.is_match else "  ! ", STANDINGS.get(how, name)


def _row(mark: str, name: str, sums: MatchedLines) -> tuple[str, ...]:
    figures = (sums.amount, sums.fee, sums.stake, sums.paid)
    return (mark + name, number(sums.lines), *map(money, figures))


@app.command("matched")
@answers(_show)
def matched_command(
    *,
    statement: Annotated[
        str, typer.Argument(metavar="[STATEMENT]", help="One alone: its name, or how it begins.")
    ] = "",
    now: Now = None,
    data: Data = DATA,
) -> list[MatchedStatement]:
    """Tell how the lines of each statement stand against our books, to the haléř.

    What does not agree is a finding of `reconcile`, with both sides.

    Example: `gameledger statement matched`
    """
    with up_to_date(data) as (store, _):
        asked_at = now_of_question(SystemClock(), None, now)
        statements = cached_matching(data, store, now=asked_at).statements
    found = [one for one in statements if one.statement.startswith(statement)]
    if statement and not found:
        raise InputError(f"no statement that counts begins with {statement}: `statement list`")
    return [_matched_statement(one) for one in found]


def _matched_statement(one: StatementSums) -> MatchedStatement:
    standing = {how.value: MatchedLines(*sums) for how, sums in one.by_status.items()}
    return MatchedStatement(
        statement=one.statement,
        imported=MatchedLines(*one.imported),
        matched=MatchedLines(*one.matched),
        unmatched=MatchedLines(*one.unmatched),
        standing=standing,
        rules=[
            AppliedRules(rules.position, rules.begins.isoformat(), rules.by) for rules in one.rules
        ],
    )
