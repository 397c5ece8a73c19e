"""Record answers of the register of excluded persons (SAZKA 8(11), 9(5), 12a(4)).

The register lists persons. Its answers and the resulting exclusions are recorded for the person's
current or last account; they apply there, and are copied to the next account that the person opens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ledger.decisions.session_end import end_session
from ledger.events import event_types as e

if TYPE_CHECKING:
    from ledger.rules.operator import OperatorRules
    from ledger.state.account import AccountState

__all__ = ["REGISTER", "RegisterPersonAnswer", "checked_outside_login", "register_events"]

REGISTER = "register"
"""Ground of an exclusion by the register."""
RegisterPersonAnswer = Literal["clear", "listed", "unavailable"]
"""Answer of the register of excluded persons, or that it was unavailable."""


def register_events(
    account: AccountState, answer: RegisterPersonAnswer, occasion: str
) -> list[e.Event]:
    """Return the events for an answer; if the register is unavailable, the last answer applies.

    Source: SAZKA 8(11).
    """
    live = answer != "unavailable"
    known = account.register_answer if not live else answer
    events: list[e.Event] = [
        e.RegisterChecked(account=account.account, occasion=occasion, answer=known, live=live)
    ]
    # An exclusion with an end is not sufficient for a person listed in the register.
    if known == "listed" and account.exclusions.get(REGISTER, 0) is not None:
        events.append(e.ExclusionImposed(account=account.account, ground=REGISTER, until=None))
    if known == "clear" and live and REGISTER in account.exclusions:
        events.append(e.ExclusionEnded(account=account.account, ground=REGISTER))
    return events


def checked_outside_login(
    account: AccountState, answer: RegisterPersonAnswer, occasion: str, rules: OperatorRules
) -> list[e.Event]:
    """Return the events for an answer outside a login; an exclusion ends an open session."""
    events = register_events(account, answer, occasion)
    if any(isinstance(event, e.ExclusionImposed) for event in events):
        events += end_session(account, "exclusion", rules)
    return events
