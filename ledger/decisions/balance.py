"""Check before a decision is recorded that its movements of money add up to zero.

The postings of one event cancel out by the table of movements, whatever its columns contain. But
that table and the folds may disagree, or a decision may name money that does not exist. So both are
compared for each account: the change of the player's money in the folded state, plus the change of
house, pools and payments by the table, must be zero. On the floor of a casino, the change of each
place of cash or chips in the books must equal its change by the table of movements.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from ledger.core.errors import IntegrityError
from ledger.decisions.movements import MOVEMENTS, PLAYERS, If, Movement, terms
from ledger.state.floor import FLOOR_EVENTS, is_of_house
from ledger.state.ledger_state import accounts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.events import event_types as e
    from ledger.state.account import AccountState
    from ledger.state.ledger_state import LedgerState

BRACES = re.compile(r"\{(\w+)\}")
NOTHING = Movement()

__all__ = ["Balances", "UnbalancedError", "balances_of", "require_balanced"]


class UnbalancedError(IntegrityError):
    """A decision would create or lose money; none of its events is recorded."""


class Balances(NamedTuple):
    """Money that a decision may move, in haléř: by account, and by place and kind."""

    accounts: dict[str, int]
    floor: dict[str, int]


def balances_of(ledger_state: LedgerState, events: Sequence[e.Event]) -> Balances:
    """Return the total money of each account in a decision, less claims; haléř."""
    accounts: dict[str, int] = {}
    for event in events:
        for name in accounts_of(event):
            if name not in accounts:
                accounts[name] = _worth(ledger_state.account_or_new(name))
    return Balances(accounts, _on_floors(ledger_state, events))


def _on_floors(ledger_state: LedgerState, events: Sequence[e.Event]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for event in events:
        if type(event) in FLOOR_EVENTS:
            place = event.place  # type: ignore[attr-defined]
            books = ledger_state.floor(place).books
            sums |= {f"{place} {kind}": amount for kind, amount in books.items()}
    return sums


def _worth(state: AccountState) -> int:
    worth = state.wallet - state.claims
    for bet in state.bets.values():
        worth += bet.stake
    if state.withdrawals:
        for amount, _, _ in state.withdrawals.values():
            worth += amount
    return worth


def require_balanced(
    ledger_state: LedgerState, events: Sequence[e.Event], before: Balances, command_id: bytes
) -> None:
    """Compare the change of players' money in a decision with its other movements.

    Args:
        ledger_state: the state after the decision.
        events: the events of the decision.
        before: result of :func:`balances_of` before the events were folded.
        command_id: identifies the decision in the error.

    Raises:
        UnbalancedError: the sum is not zero for an account or a place.

    """
    sums = {}
    for name, amount in before.accounts.items():
        sums[name] = _worth(ledger_state.account_or_new(name)) - amount
    if before.floor or not FLOOR_EVENTS.isdisjoint(map(type, events)):
        now = _on_floors(ledger_state, events)
        for name in before.floor | now:
            sums[name] = now.get(name, 0) - before.floor.get(name, 0)
    for event in events:
        kind = type(event)
        if kind in PLAIN:
            facts: Any = event
            amount = 0
            for sign, column in PLAIN[kind]:
                amount += sign * getattr(facts, column)
            sums[facts.account] = sums.get(facts.account, 0) + amount
        elif kind in OUTSIDE:
            for name, amount in _outside(event):
                sums[name] = sums.get(name, 0) + amount
        if kind in FLOOR_EVENTS:
            for name, amount in _on_floor(event):
                sums[name] = sums.get(name, 0) + amount
    for name, amount in sums.items():
        if amount:
            kind_of_owner = "place" if ":" in name else "account"
            kinds = ", ".join(dict.fromkeys(type(event).__name__ for event in events))
            raise UnbalancedError(
                f"the decision on command {UUID(bytes=command_id)} ({kinds}) does not balance: "
                f"{amount} haléř too much for {kind_of_owner} {name!r}. Nothing of it is recorded; "
                "report this as a fault of gameledger"
            )


def _outside(event: e.Event) -> Iterator[tuple[str, int]]:
    """Yield, by account, what an event adds outside the players' money, in haléř."""
    moved = OUTSIDE[type(event)]
    if moved.when and getattr(event, moved.when[0]) != moved.when[1]:
        return
    facts: Any = event
    for sums in moved.each:
        for seat, account in enumerate(facts.accounts):
            yield account, sum([sign * getattr(facts, column)[seat] for sign, column in sums])
    account = getattr(event, "account", "")
    for kind, sums in moved.legs:
        if not isinstance(kind, If) or _chosen(kind, event) not in PLAYERS:
            yield account, sum([sign * getattr(facts, column) for sign, column in sums])


def _on_floor(event: e.Event) -> Iterator[tuple[str, int]]:
    """Yield, with inverted sign, the change of each place in a casino's books by an event."""
    facts: Any = event
    for leg, amount in MOVEMENTS.get(type(event), NOTHING).legs:
        kind = _chosen(leg, event) if isinstance(leg, If) else leg
        kind = BRACES.sub(lambda column: getattr(facts, column[1]), kind)
        if is_of_house(kind):
            yield (
                f"{facts.place} {kind}",
                -sum([sign * getattr(facts, column) for sign, column in terms(amount)]),
            )


def _chosen(kind: If, event: e.Event) -> str:
    return kind.kind if getattr(event, kind.column) == kind.value else kind.otherwise


class _Outside(NamedTuple):
    legs: list[tuple[str | If, tuple[tuple[int, str], ...]]]
    each: list[tuple[tuple[int, str], ...]]
    when: tuple[str, str | bool] | None


def _read(movement: Movement) -> _Outside:
    """Return the legs of a movement outside the players' money, with parsed sums."""
    legs = [(kind, terms(amount)) for kind, amount in movement.legs if kind not in PLAYERS]
    each = [terms(amount) for kind, amount in movement.each if kind not in PLAYERS]
    return _Outside(legs, each, movement.when)


OUTSIDE = {
    event: outside for event, movement in MOVEMENTS.items() if any((outside := _read(movement))[:2])
}

PLAIN = {
    event: tuple(term for _, sums in outside.legs for term in sums)
    for event, outside in OUTSIDE.items()
    if not (outside.when or outside.each or any(isinstance(kind, If) for kind, _ in outside.legs))
    and "account" in event.__struct_fields__
}
"""Events that always move the same columns of one account, with their total outside."""
