# needs = ["BetSettled", "BetVoided"]
# duty.who = "operator"
# duty.name.en = "Credit a win or a returned stake"
# duty.name.cs = "Připsat výhru nebo vrácenou sázku"
# duty.begins_when = "a round ends in which a bet wins or is returned"
# duty.done_when = "the credit of the bet"
# duty.is_listed = false
#
# [CREDITED_LATE]
# name.en = "Win or stake credited late"
# name.cs = "Výhra nebo sázka připsána pozdě"
# text.en = """\
#   {amount:money} were credited {detail:count} minutes after the round ended, later than \
#   {figures.credited_minutes.value:count}."""
# text.cs = """\
#   {amount} bylo připsáno {detail} minut po konci kola, později než do \
#   {figures.credited_minutes.value}."""
# paragraph = "ZHH (payment of winnings)"

"""Compare when wins and returned stakes were due with when they were credited (SAZKA 15(3))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.findings.duties import StartedDuty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["started"]

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


def started(of: CheckInput) -> Iterator[StartedDuty]:
    """Yield the credits made later than ``of.least`` after the end of their round.

    A payout that was put on hold is due from its last release, and a bet with an imprisoned chip
    from the spin that decided it. A bet without a settlement is reported by another check.
    """
    for row in of.store.rows(CREDITED, size=of.size, least=of.least):
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
