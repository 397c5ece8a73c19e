"""Draw a replayed round as one picture, depending on the plan of the game.

What comes in: a replay and a language. What goes out: an SVG as text, for embedding in a page or
for standalone use. Guaranteed: every card, number and bet of the replay is shown exactly once, each
with its result; only recorded data are drawn. A round whose plan is unknown here, or of a family
without a picture of its own, shows its cards by recipient and its bets. Nothing is rejected: names
are cleaned and truncated, inconsistent records are drawn as far as possible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger import games
from ledger.games import ofc_rules_of
from ledger.games.baccarat import BaccaratPlan
from ledger.games.blackjack import BlackjackPlan
from ledger.games.casino_poker import CasinoHoldemPlan, UltimateHoldemPlan
from ledger.games.roulette import RoulettePlan
from ledger.games.wheels import WheelPlan
from projections.pictures.banker import (
    describe_baccarat,
    describe_house_poker,
    draw_baccarat,
    draw_house_poker,
)
from projections.pictures.blackjack import describe_blackjack, draw_blackjack
from projections.pictures.cards import cards_in_row
from projections.pictures.hands import describe_cards
from projections.pictures.open_face import describe_open_face, draw_open_face
from projections.pictures.pieces import (
    describe_bets,
    game_name,
    heading,
    label,
    notes,
    people_with_bets,
)
from projections.pictures.poker import describe_poker, draw_poker
from projections.pictures.roulette import (
    describe_fortune,
    describe_roulette,
    draw_fortune,
    draw_roulette,
)
from projections.pictures.scene import scene_of
from projections.pictures.svg import WIDTH, Drawing, below, framed, picture

if TYPE_CHECKING:
    from collections.abc import Callable

    from projections.pictures.scene import Scene
    from projections.replay.round import Replay
    from projections.words.catalogue import Language

__all__ = ["draw_round"]


class _Family(NamedTuple):
    """The functions that draw the rounds of a family of games and describe their result."""

    draw: Callable[[Scene], list[Drawing]]
    describe: Callable[[Scene], str]


def draw_round(replay: Replay, language: Language) -> str:
    """Draw a replayed round.

    Args:
        replay: the round; for one participant, a masked one.
        language: of all words in it, and of its name and description for screen readers.

    Returns:
        An ``svg`` element without declaration: no script, no style, no reference.

    """
    scene = scene_of(replay, language)
    family = _family(scene.plan)
    game, name = game_name(scene), replay.round.round
    said = [family.describe(scene)]
    if replay.wagers:
        said.append(scene.text("pictures.said_bets", bets=describe_bets(scene)))
    elif replay.among_players is None:
        said.append(scene.text("pictures.no_bets"))
    return picture(
        [heading(scene), *family.draw(scene)],
        title=scene.text("pictures.title", game=game, round=name),
        description=" ".join(one for one in said if one),
        language=language,
    )


def _family(plan: games.GamePlan | None) -> _Family:
    if isinstance(plan, games.HandPlan):
        return POKER if ofc_rules_of(plan) is None else OPEN_FACE
    return next((FAMILIES[kind] for kind in type(plan).__mro__ if kind in FAMILIES), OTHER)


def _draw_other(scene: Scene) -> list[Drawing]:
    """Draw the cards of each recipient and the bets."""
    hands = [
        below(
            label(name or "?", width_max=WIDTH - 16),
            cards_in_row(scene.dealt_to(name), width_max=WIDTH - 16),
        )
        for name in dict.fromkeys(card.recipient for card in scene.cards)
    ]
    table = [framed(below(*hands), width=WIDTH)] if hands else []
    return [*table, people_with_bets(scene), notes(scene)]


def _describe_other(scene: Scene) -> str:
    names = dict.fromkeys(card.recipient for card in scene.cards)
    return " ".join(f"{name}: {describe_cards(scene.dealt_to(name))}." for name in names)


OTHER = _Family(_draw_other, _describe_other)
POKER = _Family(draw_poker, describe_poker)
OPEN_FACE = _Family(draw_open_face, describe_open_face)
FAMILIES: dict[type, _Family] = {
    RoulettePlan: _Family(draw_roulette, describe_roulette),
    WheelPlan: _Family(draw_fortune, describe_fortune),
    BlackjackPlan: _Family(draw_blackjack, describe_blackjack),
    BaccaratPlan: _Family(draw_baccarat, describe_baccarat),
    CasinoHoldemPlan: _Family(draw_house_poker, describe_house_poker),
    UltimateHoldemPlan: _Family(draw_house_poker, describe_house_poker),
}
"""By the type of the plan; a subclass is drawn as its nearest base class here."""
