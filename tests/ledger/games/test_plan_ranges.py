"""Every number of a plan has a range, and the bets of a plan within it are counted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from ledger import games
from ledger.core.errors import InputError
from ledger.games.plans import read_plan
from tools.plans.edges import edges

if TYPE_CHECKING:
    from collections.abc import Iterator

NUMBER = re.compile(r"(?<=[=\[, ])[0-9]+(?=[,\]\s}])")


def numbers() -> Iterator[tuple[str, str, re.Match[str]]]:
    for game in games.games():
        for version in games.versions(game):
            text = games.document(game, version)
            for line in re.finditer(r"^\w+ = (?:[0-9]|\[[0-9\[]).*$", text, re.MULTILINE):
                for number in NUMBER.finditer(text, line.start(), line.end() + 1):
                    yield game, text, number


@pytest.mark.parametrize("value", [2**31, 2**63, 2**70])
def test_no_number_of_a_plan_may_be_extreme(value: int) -> None:
    seen = 0
    for game, text, number in numbers():
        extreme = f"{text[: number.start()]}{value}{text[number.end() :]}"
        with pytest.raises(InputError):
            read_plan(extreme.encode(), game)
        seen += 1
    assert seen > 50


@pytest.mark.parametrize("draws_to", [0, 20])
def test_edges_of_the_extremes_of_a_range_are_counted(draws_to: int) -> None:
    text = games.document("sazka.infinite_blackjack", "2025-01-21")
    text = text.replace("draws_to = 16", f"draws_to = {draws_to}").replace(
        "decks = 8", "decks = 16"
    )
    assert all(edge.bet for edge in edges(read_plan(text.encode(), "sazka.infinite_blackjack")))


def test_a_plan_outside_a_range_is_rejected_with_the_place() -> None:
    text = games.document("sazka.infinite_blackjack", "2025-01-21")
    with pytest.raises(InputError, match=r"draws_to must be an integer <= 20"):
        read_plan(text.replace("draws_to = 16", f"draws_to = {2**62}").encode(), "x")
