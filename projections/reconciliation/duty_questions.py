"""Duties of the table whose beginning is no single fact: each with a question of its own.

What comes in: the tables of a chain, a place in it, and the operator's rules. What goes out: for
each duty that began, where and when, about what, and when it was done, if it was. Length, source,
sentence and paragraph stand in the table of duties, which describes begin and end in words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.reconciliation.accounts import logins_beyond_their_time
from projections.reconciliation.bonuses import unclaimed_money
from projections.reconciliation.credits import credits_of_rounds
from projections.reconciliation.diligence import sums_without_check
from projections.reconciliation.dormancy import dormant_accounts
from projections.reconciliation.informing import play_without_information
from projections.reconciliation.retention import persons_to_erase
from projections.reconciliation.studio import rounds_without_recording, wheels_in_play
from projections.reconciliation.temporary_accounts import unspent_deposits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from projections.reconciliation.duty_begun import Begun, Place

__all__ = ["NEVER_OPEN", "QUESTIONS"]

QUESTIONS: Mapping[str, Callable[[Place], Iterable[Begun]]] = {
    "CHECK_NOT_DONE": sums_without_check,
    "CREDITED_LATE": credits_of_rounds,
    "DORMANT_NOT_CANCELLED": dormant_accounts,
    "INFORMATION_NOT_SHOWN": play_without_information,
    "LOGIN_TOO_LONG": logins_beyond_their_time,
    "MONEY_UNCLAIMED": unclaimed_money,
    "NOT_ERASED": persons_to_erase,
    "RECORDING_MISSING": rounds_without_recording,
    "TEMPORARY_NOT_REPAID": unspent_deposits,
    "WHEEL_NOT_INSPECTED": wheels_in_play,
}
"""The question of each duty that the table describes by ``begins_when``."""
NEVER_OPEN = frozenset({"CREDITED_LATE"})
"""Duties that only show when they are done: a bet that is not settled is a finding of its own."""
