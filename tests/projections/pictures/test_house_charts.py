"""Charts of the house against the plans: each bet and game stands in them once, judged rightly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.pictures.house_charts import BetMark, bound_of, draw_deviations, draw_shares
from projections.words.catalogue import Language, Words
from projections.words.names import named
from tests.projections.pictures.picture_cases import read_back, texts, values

GAMES = ("sazka.roulette_synot", "sazka.roulette_evolution", "<script>\u202e\x00" + "y" * 900)
CS = Words(Language.CS)
HALER = st.integers(-(10**13), 10**13)
MARKS = st.builds(
    BetMark,
    game=st.sampled_from(GAMES),
    bet=st.sampled_from(["red", "black", "straight", "<x>"]),
    staked=st.integers(0, 10**13),
    kept=HALER,
    expected=HALER | st.none(),
    spread=st.integers(0, 10**12) | st.none(),
    leans=st.booleans(),
)


@given(st.lists(MARKS, max_size=30))
def test_every_judged_bet_has_a_mark_that_says_whether_it_is_outside(marks: list[BetMark]) -> None:
    root = read_back(draw_deviations(marks, Language.CS, title="<x>"))
    known = [found for one in marks if (found := one.deviations) is not None]
    outside = sum(abs(found) > bound_of(len(known)) for found in known)
    assert values(root, "outside").total() == len(known)
    assert values(root, "outside")["yes"] == outside


@given(st.lists(MARKS, max_size=30))
def test_every_game_with_stakes_has_its_share(marks: list[BetMark]) -> None:
    root = read_back(draw_shares(marks, Language.EN, title="x"))
    staked = {game: sum(one.staked for one in marks if one.game == game) for game in GAMES}
    assert values(root, "share").total() == sum(bool(amount) for amount in staked.values())


@pytest.mark.parametrize(
    ("kept", "expected", "spread", "verdict"),
    [
        (270, 270, 1_000, "v mezích"),
        (2_270, 270, 1_000, "v mezích"),
        (2_271, 270, 1_000, "mimo meze"),
        (-1_731, 270, 1_000, "mimo meze"),
        (270, None, None, "bez mezí"),
        (270, 270, None, "bez mezí"),
    ],
)
def test_a_share_is_judged_by_two_standard_deviations(
    kept: int, expected: int | None, spread: int | None, verdict: str
) -> None:
    mark = BetMark(GAMES[0], "red", 10_000, kept, expected, spread)
    shown = texts(read_back(draw_shares([mark], Language.CS, title="x")))
    assert verdict in shown
    assert f"{CS.decimal(kept, 2)} %" in shown
    assert named(CS, "games", GAMES[0]) in shown


def test_bounds_are_so_wide_that_all_bets_stay_within_them() -> None:
    assert [round(bound_of(bets), 2) for bets in (0, 1, 60)] == [2.58, 2.58, 3.76]


def test_a_bet_outside_the_bounds_has_its_name() -> None:
    marks = [BetMark(GAMES[0], "red", 100, 0, 0, 10), BetMark(GAMES[0], "black", 100, 90, 0, 10)]
    shown = texts(read_back(draw_deviations(marks, Language.CS, title="x")))
    assert "Černá" in " ".join(shown) or "černá" in " ".join(shown)
    assert not any("ervená" in text for text in shown)
