"""Find dealers, tables and wheels whose rounds are voided or corrected more often than others'.

What comes in: the tables. What goes out: for each dealer, table and wheel of the last 31 days the
rounds that it had, those of them that were voided or in which a stake, a payment or a card was
corrected, and why. It stands out if it would hardly have so many of all corrected rounds by chance:
that any of its kind does so without a cause has a chance of at most 1 in 100, whatever their number
(exact test of Fisher).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import exp, lgamma
from typing import TYPE_CHECKING, Literal

from projections.store.as_of import as_of

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["CorrectedRounds", "Correction", "corrected_rounds", "tail"]

DAYS = 31
CHANCE = 0.01
"""With which any dealer, table or wheel of many stands out without a cause."""
SINCE = """
SELECT position FROM day_ends WHERE position <= {size:Int64}
ORDER BY position DESC LIMIT 1 OFFSET {days:Int64}"""
OPENED = """
    SELECT round, arrayJoin([('dealer', by), ('table', place), ('wheel', wheel)]) AS who
    FROM
    (
        SELECT
            round, argMin(dealer, position) AS by, argMin(table, position) AS place,
            argMin(
                arrayFirst((_, kind) -> kind IN ('wheel', 'machine'), devices, device_kinds),
                position
            ) AS wheel
        FROM RoundOpened
        WHERE position >= {first:Int64} AND position < {size:Int64}
        GROUP BY round
    )
    WHERE who.2 != ''"""
ROUNDS = f"""
SELECT who.1 AS kind, who.2 AS name, count() AS rounds
FROM ({OPENED})
GROUP BY kind, name"""  # noqa: S608 - own text
OF_EVENT = "position >= {first:Int64} AND position < {size:Int64}"
CORRECTED = f"""
SELECT
    opened.who.1 AS kind, opened.who.2 AS name, event, cause, count() AS times,
    groupUniqArray(round) AS corrected
FROM
(
    SELECT round, 'RoundVoided' AS event, ground AS cause FROM RoundVoided WHERE {OF_EVENT}
    UNION ALL
    SELECT round, 'BetCorrected', cause FROM BetCorrected WHERE {OF_EVENT}
    UNION ALL
    SELECT round, 'WinCorrected', cause FROM WinCorrected WHERE {OF_EVENT}
    UNION ALL
    SELECT round, 'CardRecordCorrected', by FROM CardRecordCorrected WHERE {OF_EVENT}
) AS corrections
INNER JOIN ({OPENED}) AS opened USING (round)
GROUP BY kind, name, event, cause
ORDER BY kind, name, times DESC, event, cause"""  # noqa: S608 - own text


@dataclass(frozen=True, slots=True)
class Correction:
    """How often an event corrected rounds for a cause; of a void its ground, of a card by whom."""

    event: str
    cause: str
    times: int


@dataclass(frozen=True, slots=True)
class CorrectedRounds:
    """Rounds of a dealer, table or wheel of the last 31 days, and those voided or corrected.

    ``expected`` is how many would be at the rate of all rounds.
    """

    kind: Literal["dealer", "table", "wheel"]
    name: str
    rounds: int
    corrected: int
    expected: float
    stands_out: bool
    corrections: tuple[Correction, ...]


def corrected_rounds(store: Store, *, at: int | None = None) -> list[CorrectedRounds]:
    """Return dealers, tables and wheels with corrected rounds; what stands out comes first."""
    size = as_of(store, at).position
    since = store.rows(SINCE, size=size, days=DAYS)
    span = {"first": since[0]["position"] if since else 0, "size": size}
    rounds: dict[str, dict[str, int]] = defaultdict(dict)
    for row in store.rows(ROUNDS, **span):
        rounds[row["kind"]][row["name"]] = row["rounds"]
    corrected: dict[tuple[str, str], set[str]] = defaultdict(set)
    corrections: dict[tuple[str, str], list[Correction]] = defaultdict(list)
    for row in store.rows(CORRECTED, **span):
        who = row["kind"], row["name"]
        corrected[who].update(row["corrected"])
        corrections[who].append(Correction(row["event"], row["cause"], row["times"]))
    found = []
    for (kind, name), some in corrected.items():
        of_kind = rounds[kind]
        whole = {round_ for who, many in corrected.items() if who[0] == kind for round_ in many}
        own, every = of_kind[name], sum(of_kind.values())
        chance = tail(len(some), rounds=own, corrected=len(whole), whole=every)
        found.append(
            CorrectedRounds(
                kind=kind,  # type: ignore[arg-type]
                name=name,
                rounds=own,
                corrected=len(some),
                expected=round(own * len(whole) / every, 2),
                stands_out=chance < CHANCE / len(of_kind),
                corrections=tuple(corrections[kind, name]),
            )
        )
    found.sort(key=lambda one: (not one.stands_out, -one.corrected / one.rounds, one.name))
    return found


def tail(count: int, *, rounds: int, corrected: int, whole: int) -> float:
    """Return the chance of at least ``count`` corrected rounds among ``rounds``.

    Args:
        count: of the corrected rounds that are among them.
        rounds: which are some of all rounds.
        corrected: rounds of all, each of which is among them with the same chance.
        whole: number of all rounds.

    """
    every = _ways(whole, rounds)
    return sum(
        exp(_ways(corrected, some) + _ways(whole - corrected, rounds - some) - every)
        for some in range(count, min(rounds, corrected) + 1)
        if rounds - some <= whole - corrected
    )


def _ways(all_things: int, chosen: int) -> float:
    """Return the logarithm of the number of ways to choose some of all things."""
    return lgamma(all_things + 1) - lgamma(chosen + 1) - lgamma(all_things - chosen + 1)
