"""Queries for the duties whose start is not a single event, one function for each.

What comes in: a :class:`projections.reconciliation.duty_query.DutyQuery`. What goes out: each
started duty, with its event, its subject, and when it was completed, if it was. Length, source,
sentence and paragraph are in the table of duties, which describes the start and end of these duties
in words.
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
from projections.reconciliation.silence import last_record
from projections.reconciliation.studio import rounds_without_recording, wheels_in_play
from projections.reconciliation.temporary_accounts import unspent_deposits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from projections.reconciliation.duty_query import DutyQuery, StartedDuty

__all__ = ["NEVER_OPEN", "QUESTIONS"]

QUESTIONS: Mapping[str, Callable[[DutyQuery], Iterable[StartedDuty]]] = {
    "CHAIN_SILENT": last_record,
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
"""The query function of each duty that the table describes by ``begins_when``."""
NEVER_OPEN = frozenset({"CHAIN_SILENT", "CREDITED_LATE"})
"""Duties that are not listed while they are open: every chain has to be continued, and an unsettled
bet is reported by another check."""
