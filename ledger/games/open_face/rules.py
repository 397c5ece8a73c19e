"""Plan data of Open Face Chinese Poker: points, royalties, Fantasyland, what the casino takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.games.api.cards import RANKS
from ledger.games.api.plan_reader import PlanError
from ledger.games.open_face.rows import Fantasyland, RowRules, Royalties
from ledger.games.poker.fee import plan_amount, read_time_collection
from ledger.games.poker.ranking import HandCategory

if TYPE_CHECKING:
    from ledger.games.api.plan_reader import Section
    from ledger.games.poker.fee import TimeCollection


@dataclass(frozen=True, kw_only=True, slots=True)
class OfcRules:
    """What a plan says about a game.

    `rule` is the paragraph that decides it. `rake_haler` is taken from every player's stack;
    `time` None where there is no fee at all.
    """

    rule: str
    players_max: int
    rows: RowRules
    rake_haler: int
    time: TimeCollection | None


def read_ofc_rules(section: Section, rule: str | None = None) -> OfcRules:
    """Read the rules of a game from a plan file.

    Args:
        section: the whole file; `hand`, `royalties` and `fantasyland` are needed, `rake` and
            `time_collection` go together.
        rule: the paragraph that decides a game; None where `hand.rule` gives it.

    Raises:
        PlanError: a field is missing, misspelt or impossible.

    """
    hand, fees = section.section("hand"), "rake" in section
    rules = OfcRules(
        rule=rule or hand.text("rule"),
        players_max=hand.integer("players_max"),
        rows=RowRules(
            row=hand.integer("row_points"),
            scoop=hand.integer("scoop_points"),
            equal_rows_foul=hand.flag("equal_rows_foul"),
            foul_scoops=hand.flag("foul_scoops"),
            royalties=_read_royalties(section.section("royalties")),
            fantasyland=_read_fantasyland(section.section("fantasyland")),
        ),
        rake_haler=_read_rake(section.section("rake")) if fees else 0,
        time=read_time_collection(section.section("time_collection")) if fees else None,
    )
    hand.close()
    return rules


def _read_rake(section: Section) -> int:
    haler = plan_amount(section, "per_player")
    section.close()
    return haler


def _read_royalties(section: Section) -> Royalties:
    royalties = Royalties(
        back=_read_by_category(section.section("back")),
        middle=_read_by_category(section.section("middle")),
        front_pair=_read_by_rank(section.section("front_pair")),
        front_three=_read_by_rank(section.section("front_three")),
    )
    section.close()
    return royalties


def _read_fantasyland(section: Section) -> Fantasyland:
    fantasyland = Fantasyland(
        pair=_read_by_rank(section.section("front_pair")),
        three=section.integer("front_three"),
        stay_back=section.integer("stay_back"),
    )
    section.close()
    return fantasyland


def _read_by_category(section: Section) -> dict[HandCategory, int]:
    names = {category.name.lower(): category for category in HandCategory}
    for name in section:
        if name not in names:
            raise PlanError(section.place(name), "is not a kind of hand")
    return {names[name]: section.integer(name) for name in section}


def _read_by_rank(section: Section) -> dict[str, int]:
    for rank in section:
        if len(rank) != 1 or rank not in RANKS:
            raise PlanError(section.place(rank), f"is not a rank, one of {RANKS}")
    return {rank: section.integer(rank) for rank in section}
