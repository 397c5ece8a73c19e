"""``balance`` and ``balances``: money of accounts, now or at any position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.questions.balances import currency_of
from tools.access.questions.accounts import balances as all_balances
from tools.access.questions.accounts import one_balance
from tools.cli._output import counted, echo, facts, money, table
from tools.cli._questions import command_of

if TYPE_CHECKING:
    from projections.questions.balances import Balance
    from tools.data.documents import AccountBalance, AllBalances

__all__ = ["balance", "balances"]

AMOUNTS = ("wallet", "chips", "in play", "withdrawals", "sum", "owed")


def _print_balance(answer: AccountBalance) -> None:
    found, stakes = answer.balance, answer.open_stakes
    rows = [
        ("wallet", found.wallet),
        ("chips, no bet yet", found.reserved),
        ("bets in play", found.in_play),
        ("withdrawals asked for", found.withdrawals),
        ("sum", _sum(found)),
    ]
    echo(f"Account {found.account} as of position {found.position}", style="bold")
    table(("", "CZK"), [(name, money(amount)) for name, amount in rows], total=True)
    if found.claims:
        echo(f"The player owes the operator {money(found.claims)} CZK.")
    if stakes.stakes:
        table(
            ("open stake", "round", "CZK", "since position"),
            [(one.bet, one.round, money(one.amount), one.since_position) for one in stakes.stakes],
        )


def _print_csv(answer: AllBalances) -> None:
    headings = ["account", *(f"{name} CZK" for name in AMOUNTS)]
    table(headings, _rows(answer), as_csv=True)


def _print_balances(answer: AllBalances) -> None:
    trial, held, rows = answer.trial_balance, _print_held(answer), _rows(answer)
    totals = [sum(column) for column in zip(*map(_parts, held), strict=True)] or [0] * 6
    rows.append((counted(len(held), "account"), *map(money, totals)))
    echo(f"CZK as of position {trial.position}", style="bold")
    table(("account", *AMOUNTS), rows, total=True)
    for currency, total in trial.sums.items():
        kinds = [
            (kind, money(amount))
            for kind, amount in trial.totals.items()
            if currency_of(kind) == currency
        ]
        table(("postings by kind", currency), [*kinds, ("sum", money(total))], total=True)
    facts(
        [
            ("positions that do not sum to zero", len(trial.uneven)),
            ("balances that fell below zero", len(trial.negative)),
        ]
    )


def _parts(one: Balance) -> tuple[int, ...]:
    return one.wallet, one.reserved, one.in_play, one.withdrawals, _sum(one), one.claims


def _print_held(answer: AllBalances) -> list[Balance]:
    return [one for one in answer.balances if one.account]


def _rows(answer: AllBalances) -> list[tuple[str, ...]]:
    return [(one.account, *map(money, _parts(one))) for one in _print_held(answer)]


def _sum(found: Balance) -> int:
    return found.wallet + found.reserved + found.in_play + found.withdrawals


balance = command_of(one_balance, show=_print_balance)
balances = command_of(all_balances, show=_print_balances, show_csv=_print_csv)
