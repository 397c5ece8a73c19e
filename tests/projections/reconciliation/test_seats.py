"""Seats beyond those of a table, and colours of chips that two players have, made by hand."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from ledger import games
from ledger.events import event_types as e
from projections.checks.seats import _seats_of
from tests.projections.shared_cases import Asking, together

if TYPE_CHECKING:
    from tests.projections.history_cases import House

EVOLUTION, INFINITE = "sazka.blackjack_evolution", "sazka.infinite_blackjack"


def table_of(game: str) -> e.TableOpened:
    return e.TableOpened(table="seats", registration="1", game=game, place="p", streamed=True)


def seated(*numbers: int) -> list[e.Event]:
    return [e.SeatTaken(account=f"p{number}", table="seats") for number in numbers]


def left(number: int) -> e.Event:
    return e.SeatLeft(account=f"p{number}", table="seats")


@pytest.mark.law("SAZKA annex")
@pytest.mark.parametrize(
    ("game", "facts", "is_found"),
    [
        (EVOLUTION, seated(*range(7)), False),
        (EVOLUTION, seated(*range(8)), True),
        (EVOLUTION, [*seated(*range(7)), left(3), *seated(9)], False),
        (EVOLUTION, [*seated(*range(7)), table_of(EVOLUTION), *seated(9)], False),
        (INFINITE, seated(*range(30)), False),
    ],
)
@together
def test_a_table_has_the_seats_of_its_plan(
    house: House, game: str, facts: list[e.Event], is_found: bool
) -> Asking:
    house.at(0, table_of(game))
    positions = [house.at(1, fact) for fact in facts]
    found = [one.position for one in (yield) if one.code == "TABLE_OVERFULL"]
    assert found == positions[-1:] * is_found


def issued(account: str, colour: str) -> e.ColourChipsIssued:
    return e.ColourChipsIssued(
        table="colours", account=account, guest="", colour=colour, chip=100, chips=10,
        paid_with="cash",
    )  # fmt: skip


def returned(account: str, colour: str, **facts: Any) -> e.ColourChipsReturned:
    known: dict[str, Any] = {
        "table": "colours", "account": account, "guest": "", "colour": colour, "chip": 100,
        "chips": 10, "has_left": False, "is_last": True,
    }  # fmt: skip
    return e.ColourChipsReturned(**known | facts)


@pytest.mark.law("Czech Casinos, cash and chips")
@pytest.mark.parametrize(
    ("facts", "is_found"),
    [
        ([issued("a", "blue"), issued("a", "blue")], False),
        ([issued("a", "blue"), issued("b", "red")], False),
        ([issued("a", "blue"), issued("b", "blue")], True),
        ([issued("a", "blue"), returned("a", "blue"), issued("b", "blue")], False),
        ([issued("a", "blue"), returned("a", "blue", is_last=False), issued("b", "blue")], True),
        ([issued("a", "blue"), issued("a", "red")], True),
        ([issued("a", "blue"), returned("a", "blue"), issued("a", "red")], False),
    ],
)
@together
def test_a_colour_belongs_to_one_player_who_has_one(
    house: House, facts: list[e.Event], is_found: bool
) -> Asking:
    positions = [house.at(1, fact) for fact in facts]
    found = [one.position for one in (yield) if one.code == "COLOUR_TWICE"]
    assert found == positions[-1:] * is_found


def test_a_game_whose_plan_is_not_read_here_has_no_bound_and_ends_no_examination() -> None:
    text = 'game = "acme.later"\nfamily = "later"\n'
    published = ("acme.later", "2027-01-01", text, sha256(text.encode()).hexdigest())
    with games.only_published([published]):
        assert "acme.later" in games.games()
        assert _seats_of("acme.later") == 0


def laid(account: str = "a", colour: str = "blue", chip: int = 100) -> e.ChipsLaid:
    return e.ChipsLaid(
        bet="r-1", account=account, round="r", table="colours", chip=chip, chips=1, colour=colour
    )


@pytest.mark.law("Czech Casinos, cash and chips")
@pytest.mark.parametrize(
    ("facts", "is_found"),
    [
        ([issued("a", "blue"), laid()], False),
        ([issued("a", "blue"), laid(chip=50)], False),
        ([issued("a", "blue"), laid(chip=500)], True),
        ([issued("a", "blue"), laid(account="b")], True),
        ([issued("a", "blue"), laid(colour="red")], True),
        ([issued("a", "blue"), laid(colour="")], False),
        ([issued("a", "blue"), returned("a", "blue"), laid()], True),
        ([issued("a", "blue"), returned("a", "blue", table="other")], True),
        ([issued("a", "blue"), returned("a", "blue", chip=200)], True),
        ([laid()], True),
    ],
)
@together
def test_colour_chips_are_valid_for_their_player_at_their_table(
    house: House, facts: list[e.Event], is_found: bool
) -> Asking:
    positions = [house.at(1, fact) for fact in facts]
    found = [one.position for one in (yield) if one.code == "COLOUR_MISUSED"]
    assert found == positions[-1:] * is_found
