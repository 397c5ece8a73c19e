# needs = ["CardDealt"]
# reads = ["BetsClosed", "RoundResulted", "RoundReconstructed"]
#
# [CARD_BEFORE_CLOSE]
# name.en = "Card dealt before the close"
# name.cs = "Karta rozdaná před koncem sázek"
# text.en = "Card {detail:count} of the round was dealt before betting closed."
# text.cs = "Karta č. {detail} byla v kole rozdána před koncem sázek."
# paragraph = "game plan, cards"
#
# [CARD_SKIPPED]
# name.en = "Card of the order missing"
# name.cs = "Karta v pořadí chybí"
# text.en = "The round has a result, and its card {detail:count} was never recorded."
# text.cs = "Kolo má výsledek, ale jeho karta č. {detail} nebyla zaznamenána."
# paragraph = "game plan, cards"

"""Find cards dealt while bets were open, and places in the order of a round without a card.

What comes in: cards of rounds with a result, below a position; a successful reconstruction replaces
the record of its round. Cards are numbered from 1 in the sentences, from 0 in the record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

ROUNDS = """
WITH
    closed AS
    (
        SELECT round, min(position) AS closed_position
        FROM BetsClosed
        WHERE position < {size:Int64}
        GROUP BY round
    ),
    resulted AS
    (
        SELECT round, min(position) AS resulted_position
        FROM RoundResulted
        WHERE position < {size:Int64} AND round NOT IN
            (SELECT round FROM RoundReconstructed WHERE position < {size:Int64} AND succeeded)
        GROUP BY round
    ),
    cards AS
    (
        SELECT
            round, argMin(index, dealt.position) AS first_index,
            min(dealt.position) AS first_position,
            arraySort(groupUniqArray(dealt.index)) AS indices
        FROM CardDealt AS dealt
        WHERE dealt.position < {size:Int64}
        GROUP BY round
    )
SELECT
    cards.round AS round, first_index, first_position, closed_position, resulted_position,
    arrayFirstIndex((index, place) -> index != place - 1, indices, arrayEnumerate(indices))
        AS skipped
FROM cards
INNER JOIN resulted ON cards.round = resulted.round
LEFT JOIN closed ON cards.round = closed.round
WHERE skipped > 0 OR first_position < closed_position"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find the first such card of each round."""
    for row in of.store.rows(ROUNDS, size=of.size):
        if row["first_position"] < row["closed_position"]:
            yield DetectedFinding(
                "CARD_BEFORE_CLOSE",
                position=row["first_position"],
                round=row["round"],
                detail=row["first_index"] + 1,
            )
        if row["skipped"]:
            yield DetectedFinding(
                "CARD_SKIPPED",
                position=row["resulted_position"],
                round=row["round"],
                detail=row["skipped"],
            )
