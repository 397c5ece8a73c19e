"""Every game has its picture, and in it every card, number and bet stands exactly once."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ledger import games
from projections.facts import masking
from projections.facts.masking import accounts_in, masked_facts
from projections.pictures.round import draw_round
from projections.words.catalogue import Language
from tests.projections.pictures.picture_cases import (
    bets_recorded,
    cards_recorded,
    faces,
    read_back,
    texts,
    values,
)

if TYPE_CHECKING:
    from projections.replay.round import Replay

ROULETTES = {game for game in games.games() if "roulette" in game}
HOSTILE = (
    "</text><script>alert(1)</script>",
    "\u202eevil \u2066rtl\x00\x1b[31m",
    "x" * 5_000,
    "]]>&amp;\"'` onload=1",
)

GAMES = sorted(games.games())
"""Games that ship: plans of chains that other tests read are not among them."""


def test_the_evening_has_every_game_with_bets(replays: dict[str, list[Replay]]) -> None:
    assert sorted(replays) == GAMES
    assert all(bets_recorded(rounds[-1]) for rounds in replays.values())


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("game", GAMES)
def test_every_card_and_bet_stands_in_the_picture_once(
    replays: dict[str, list[Replay]], game: str, language: Language
) -> None:
    for round_ in replays[game]:
        root = read_back(draw_round(round_, language))
        assert faces(root) == cards_recorded(round_)
        assert set(values(root, "card").values()) <= {1}
        assert values(root, "bet") == dict.fromkeys(bets_recorded(round_), 1)
        assert root.get("lang") == language


@pytest.mark.parametrize("game", sorted(ROULETTES))
def test_a_wheel_marks_the_number_that_fell(replays: dict[str, list[Replay]], game: str) -> None:
    for round_ in replays[game]:
        root = read_back(draw_round(round_, Language.EN))
        landed = [fact.facts["number"] for fact in round_.facts if fact.event == "BallLanded"]
        assert values(root, "number") == {str(number): 1 for number in landed[-1:]}
        pockets = [one.get("data-pocket") for one in root.iter() if one.get("data-pocket")]
        assert pockets[:5] == ["0", "32", "15", "19", "4"]
        assert len(set(pockets)) == 37


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_written_and_not_obeyed(
    replays: dict[str, list[Replay]], name: str
) -> None:
    for rounds in replays.values():
        picture = draw_round(_renamed(rounds[-1], name), Language.CS)
        root = read_back(picture)
        assert "\u202e" not in picture
        assert max(map(len, texts(root))) < 200


def _renamed(round_: Replay, name: str) -> Replay:
    """Give the hostile name to everything that has a name, and to a card."""
    shoes = [fact.facts.get("shoe") for fact in round_.facts]
    cards = [fact.facts["card"] for fact in round_.facts if fact.event == "CardDealt"]
    old = [round_.round.round, round_.round.table, *shoes[:1], *cards[-1:]]
    old += accounts_in(round_.facts)
    names = {one: f"{number}{name}" for number, one in enumerate(old) if one}
    pattern = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
    return masking._replaced(round_, pattern, names)


@pytest.mark.parametrize("outcome", ["", "[]", "null", "{", '{"number": 99}', '{"field": [1]}'])
def test_an_outcome_that_makes_no_sense_is_drawn_as_far_as_it_goes(
    replays: dict[str, list[Replay]], outcome: str
) -> None:
    for rounds in replays.values():
        facts = tuple(
            replace(fact, facts={**fact.facts, "outcome": outcome})
            if fact.event == "RoundResulted"
            else fact
            for fact in rounds[-1].facts
        )
        changed = replace(rounds[-1], facts=facts)
        assert faces(read_back(draw_round(changed, Language.EN))) == cards_recorded(changed)


def test_a_masked_round_names_nobody_else(replays: dict[str, list[Replay]]) -> None:
    played = (round_ for rounds in replays.values() for round_ in rounds)
    round_ = next(one for one in played if len({wager.account for wager in one.wagers}) > 1)
    own = round_.wagers[0].account
    others = {wager.account for wager in round_.wagers} - {own}
    picture = draw_round(masked_facts(round_, round_.facts, own), Language.CS)
    assert own in picture
    assert not any(account in picture for account in others)


def test_a_round_of_an_unknown_plan_shows_its_cards_and_bets(
    replays: dict[str, list[Replay]],
) -> None:
    round_ = replays["sazka.blackjack_evolution"][-1]
    changed = replace(round_, round=replace(round_.round, plan_version="of tomorrow"))
    root = read_back(draw_round(changed, Language.EN))
    assert faces(root) == cards_recorded(round_)
    assert values(root, "bet") == {wager.bet: 1 for wager in round_.wagers}
