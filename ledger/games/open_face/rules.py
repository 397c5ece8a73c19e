"""Plan data of Open Face Chinese Poker: points, royalties, Fantasyland, rake."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import field

from ledger.games.api.plan_table import PlanTable
from ledger.games.api.typed import Count, Haler, Text
from ledger.games.open_face.rows import Fantasyland, RowRules, Royalties

if TYPE_CHECKING:
    from ledger.games.poker.fee import TimeCollection


class OfcTable(PlanTable, frozen=True):
    """The table `hand` of a plan."""

    players_max: Count
    row: Count = field(name="row_points")
    scoop: Count = field(name="scoop_points")
    equal_rows_foul: bool
    foul_scoops: bool


class RuledOfcTable(OfcTable, frozen=True):
    """The table `hand` of a tournament; `rule` is the paragraph that decides a game."""

    rule: Text


class PlayerRake(PlanTable, frozen=True):
    """The rake taken from every player's stack."""

    haler: Haler = field(name="per_player")


@dataclass(frozen=True, kw_only=True, slots=True)
class OfcRules:
    """A plan's rules of a game.

    `rule` is the paragraph that decides a game. `rake_haler` is taken from every player's stack;
    `time` is None if there is no time collection.
    """

    rule: str
    players_max: int
    rows: RowRules
    rake_haler: int
    time: TimeCollection | None


def ofc_rules(
    hand: OfcTable,
    rule: str,
    royalties: Royalties,
    fantasyland: Fantasyland,
    *,
    rake_haler: int = 0,
    time: TimeCollection | None = None,
) -> OfcRules:
    """Return a plan's rules of a game; `rule` is the paragraph that decides it."""
    return OfcRules(
        rule=rule,
        players_max=hand.players_max,
        rows=RowRules(
            row=hand.row,
            scoop=hand.scoop,
            equal_rows_foul=hand.equal_rows_foul,
            foul_scoops=hand.foul_scoops,
            royalties=royalties,
            fantasyland=fantasyland,
        ),
        rake_haler=rake_haler,
        time=time,
    )
