"""``balance`` and ``balances``: money of accounts, now or at any position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from projections.questions.balances import all_balances, currency_of, open_stakes, trial_balance
from projections.questions.balances import balance as balance_of
from tools.cli._options import Csv, Data, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import counted, echo, emit, facts, money, table
from tools.cli._project import up_to_date
from tools.cli._when import At, position

if TYPE_CHECKING:
    from projections.questions.balances import Balance

__all__ = ["balance", "balances"]


def balance(
    *,
    account: Annotated[str, typer.Argument(help="Account.")],
    at: At = None,
    data: Data = Path("data"),
    as_json: Json = False,
) -> None:
    """Return what an account holds, now or earlier.

    Example: `gameledger balance a-0001 --at 2026-11-20T20:00`
    """
    with up_to_date(data) as (store, log):
        size = position(log, at, size=store.position)
        found = balance_of(store, account, at=size)
        stakes = open_stakes(store, account=account, at=size)
    if as_json:
        emit({"balance": found, "open_stakes": stakes})
        return
    rows = [
        ("wallet", found.wallet),
        ("chips, no bet yet", found.reserved),
        ("bets in play", found.in_play),
        ("withdrawals asked for", found.withdrawals),
        ("sum", _sum(found)),
    ]
    echo(f"Account {account} as of position {found.position}", style="bold")
    table(("", ">CZK"), [(name, money(amount)) for name, amount in rows], total=True)
    if found.claims:
        echo(f"The player owes the operator {money(found.claims)} CZK.")
    if stakes.stakes:
        table(
            ("open stake", "round", ">CZK", ">since position"),
            [(one.bet, one.round, money(one.amount), one.since_position) for one in stakes.stakes],
        )


def balances(
    *, at: At = None, data: Data = Path("data"), as_json: Json = False, as_csv: Csv = False
) -> None:
    """Return what every account holds, and whether the books sum to zero.

    Example: `gameledger balances --day 2026-11-20`
    """
    with up_to_date(data) as (store, log):
        size = position(log, at, size=store.position)
        found = all_balances(store, at=size)
        trial = trial_balance(store, at=size)
    if as_json:
        emit({"position": trial.position, "balances": found, "trial_balance": trial})
        return
    held = [one for one in found if one.account]
    rows = [(one.account, *_row(one)) for one in held]
    columns = ("account", ">wallet", ">chips", ">in play", ">withdrawals", ">sum", ">owed")
    if as_csv:
        table([columns[0], *(f"{name} CZK" for name in columns[1:])], rows, as_csv=True)
        return
    totals = [sum(column) for column in zip(*map(_parts, held), strict=True)] or [0] * 6
    rows.append((counted(len(held), "account"), *map(money, totals)))
    echo(f"CZK as of position {trial.position}", style="bold")
    table(columns, rows, total=True)
    for currency, total in trial.sums.items():
        kinds = [
            (kind, money(amount))
            for kind, amount in trial.totals.items()
            if currency_of(kind) == currency
        ]
        table(("postings by kind", f">{currency}"), [*kinds, ("sum", money(total))], total=True)
    facts(
        [
            ("positions that do not sum to zero", len(trial.uneven)),
            ("balances that fell below zero", len(trial.negative)),
        ]
    )


def _parts(found: Balance) -> tuple[int, ...]:
    return (
        found.wallet,
        found.reserved,
        found.in_play,
        found.withdrawals,
        _sum(found),
        found.claims,
    )


def _row(found: Balance) -> list[str]:
    return [money(amount) for amount in _parts(found)]


def _sum(found: Balance) -> int:
    return found.wallet + found.reserved + found.in_play + found.withdrawals
