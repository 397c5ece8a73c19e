"""Compare when wins and returned stakes were due with when they were credited (SAZKA 15(3))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.reconciliation.duty_query import StartedDuty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.reconciliation.duty_query import DutyQuery

__all__ = ["credits_of_rounds"]

MINUTE = 60_000_000

CREDITED = """
WITH
    ended AS
    (
        SELECT round, min(recorded_at) AS ended_at, 'result' AS end
        FROM RoundResulted
        WHERE position < {size:Int64}
        GROUP BY round
        UNION ALL
        SELECT round, min(recorded_at), 'void'
        FROM RoundVoided
        WHERE position < {size:Int64}
        GROUP BY round
    ),
    credited AS
    (
        SELECT position, recorded_at, account, round, bet, paid AS amount, 'result' AS end
        FROM BetSettled
        WHERE position < {size:Int64} AND paid > 0
        UNION ALL
        SELECT position, recorded_at, account, round, bet, amount, 'void'
        FROM BetVoided
        WHERE position < {size:Int64}
    ),
    released AS
    (
        SELECT account, round, max(recorded_at) AS released_at
        FROM PayoutReleased
        WHERE position < {size:Int64}
        GROUP BY account, round
    ),
    decided AS
    (
        SELECT bet, min(recorded_at) AS decided_at
        FROM PrisonDecided
        WHERE position < {size:Int64}
        GROUP BY bet
    )
SELECT
    credited.position AS position, credited.account AS account, credited.round AS round,
    credited.bet AS bet, credited.amount AS amount, credited.recorded_at AS credited_at,
    greatest(ended_at, released_at, decided_at) AS due_at
FROM credited
INNER JOIN ended ON credited.round = ended.round AND credited.end = ended.end
LEFT JOIN released ON credited.account = released.account AND credited.round = released.round
LEFT JOIN decided ON credited.bet = decided.bet
WHERE credited_at - due_at > {least:Int64}"""


def credits_of_rounds(query: DutyQuery) -> Iterator[StartedDuty]:
    """Yield the credits made later than ``place.least`` after the end of their round.

    A payout that was put on hold is due from its last release, and a bet with an imprisoned chip
    from the spin that decided it. A bet without a settlement is reported by another check.
    """
    for row in query.store.rows(CREDITED, size=query.size, least=query.least):
        yield StartedDuty(
            position=row["position"],
            begun_at=row["due_at"],
            account=row["account"],
            round=row["round"],
            bet=row["bet"],
            amount=row["amount"],
            detail=(row["credited_at"] - row["due_at"]) // MINUTE,
            closed_at=row["credited_at"],
        )
