"""What follows from an answer of the register of excluded persons (SAZKA 8(11), 9(5), 12a(4)).

The register speaks of a person. Its answers and the exclusions that follow are recorded for the
account that the person has, or had last: there they bind, and from there they are handed on
when the person opens another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ledger.core import events as e
from ledger.decisions.leaving import session_over

if TYPE_CHECKING:
    from ledger.rules.operator import OperatorRules
    from ledger.state.account import AccountState

__all__ = ["REGISTER", "RegisterPersonAnswer", "checked_outside_login", "register_events"]

REGISTER = "register"
"""Ground of an exclusion that the register asks for."""
RegisterPersonAnswer = Literal["clear", "listed", "unavailable"]
"""What the register of excluded persons said, or that it was away."""


def register_events(
    account: AccountState, answer: RegisterPersonAnswer, occasion: str
) -> list[e.Event]:
    """Record an answer; while the register is away the last one known counts (SAZKA 8(11))."""
    live = answer != "unavailable"
    known = account.register_answer if not live else answer
    events: list[e.Event] = [
        e.RegisterChecked(account=account.account, occasion=occasion, answer=known, live=live)
    ]
    # An exclusion that ends by itself is not enough for who stands in the register.
    if known == "listed" and account.exclusions.get(REGISTER, 0) is not None:
        events.append(e.ExclusionImposed(account=account.account, ground=REGISTER, until=None))
    if known == "clear" and live and REGISTER in account.exclusions:
        events.append(e.ExclusionEnded(account=account.account, ground=REGISTER))
    return events


def checked_outside_login(
    account: AccountState, answer: RegisterPersonAnswer, occasion: str, rules: OperatorRules
) -> list[e.Event]:
    """Record an answer as :func:`register_events` does; an exclusion ends an open session."""
    events = register_events(account, answer, occasion)
    if any(isinstance(event, e.ExclusionImposed) for event in events):
        events += session_over(account, "exclusion", rules)
    return events
