"""Questions of accounts and their money."""

from __future__ import annotations

from typing import Annotated

from ledger.core.clock import day_of
from projections.checks.money_unclaimed import UnclaimedRegister, list_unclaimed
from projections.questions.account_movements import AccountMovements, account_movements
from projections.questions.accounts import Accounts, Status, list_accounts
from projections.questions.balances import all_balances, balance, open_stakes, trial_balance
from tools.access.questions.declaration import Column, Context, Parameter, question
from tools.access.scopes import Scope
from tools.data.documents import AccountBalance, AllBalances
from tools.data.notation import minute

__all__ = ["accounts", "balances", "movements", "one_balance", "unclaimed"]


@question(
    "",
    Scope.ACCOUNTS,
    rows="accounts",
    columns=(
        Column("position"),
        Column("account"),
        Column("opened (Prague)", "opened_at", minute),
        Column("status"),
    ),
    nothing="No account is like that. `gameledger account list` shows the newest of all.",
    paged="accounts opened",
    command="account list",
    example="--status cancelling",
)
def accounts(
    context: Context,
    status: Annotated[Status | None, Parameter("Only accounts of this status.")] = None,
) -> Accounts:
    """List accounts by their opening, newest first."""
    part = {name: value for name, value in context.part.items() if name != "since"}
    return list_accounts(context.store, status=status or "", **part)


@question(
    "",
    Scope.MONEY,
    is_timed=True,
    rows="accounts",
    columns=(
        Column("account"),
        Column("CZK", "amount"),
        Column("closed (Prague)", "closed_at"),
        Column("due from", lambda one: day_of(one.due_at)),
        Column("is due", lambda one: "yes" if one.is_due else ""),
    ),
    nothing="No money is left in a closed account.",
    command="retention unclaimed",
    more="Nothing here gives it to anybody; from that day on `gameledger reconcile` finds it.",
)
def unclaimed(context: Context) -> UnclaimedRegister:
    """List money left in closed accounts, and from when on it is to be decided on."""
    return list_unclaimed(context.store, at=context.size, now=context.now)


@question(
    "/accounts/{name}/balance",
    Scope.MONEY,
    command="balance",
    example="a-0001 --at 2026-11-20T20:00",
)
def one_balance(
    context: Context, name: Annotated[str, Parameter("Account.", metavar="account")]
) -> AccountBalance:
    """Show what an account holds, and its open stakes."""
    return AccountBalance(
        balance=balance(context.store, name, at=context.size),
        open_stakes=open_stakes(context.store, account=name, at=context.size),
    )


@question(
    "/accounts/{name}/movements",
    Scope.MONEY,
    rows="movements",
    columns=(
        Column("position"),
        Column("recorded (Prague)", "recorded_at"),
        Column("event"),
        Column("round"),
        Column("bet"),
        Column("amount CZK", "amount"),
        Column("balance CZK", "balance"),
    ),
    nothing="Nothing moved the wallet.",
    paged="movements recorded",
    has_span=True,
    command="account movements",
    example="a-0001 --day 2026-11-20",
)
def movements(
    context: Context, name: Annotated[str, Parameter("Account.", metavar="account")]
) -> AccountMovements:
    """List movements of an account's wallet with the balance after each, newest first."""
    return account_movements(context.store, name, **context.part)


@question("/balances", Scope.MONEY, rows="balances", command="balances", example="--day 2026-11-20")
def balances(context: Context) -> AllBalances:
    """Show what every account holds, and whether the books sum to zero."""
    trial = trial_balance(context.store, at=context.size)
    found = all_balances(context.store, at=context.size)
    return AllBalances(position=trial.position, balances=found, trial_balance=trial)
