"""Plan data of the poker families: how a wrong file is refused, and other readings."""

from __future__ import annotations

import pytest

from ledger import games
from ledger.games.api.typed import ShapeError
from ledger.games.plans import read_plan
from ledger.games.tournament.payouts import PayoutLines


@pytest.mark.parametrize(
    ("game", "old", "new", "complaint"),
    [
        ("texas_holdem_tournament", "2-5,", "2-x,", "payouts.columns has a line that is no column"),
        ("texas_holdem_tournament", '"rebuy"]', '"redbuy"]', "names 'redbuy'"),
        ("texas_holdem_tournament", "percent_min", "percent_low", "percent_low is not known here"),
        ("texas_holdem_tournament", "exactly_two = false", "", "exactly_two is missing"),
        ("texas_holdem_cash", 'cap = "200.00"', "", "cap is missing"),
        ("texas_holdem_cash", "players_max = 4", "players_max = 40", "caps must hold caps"),
        ("texas_holdem_cash", 'unit = "1.00"', 'unit = "0.00"', "unit must be above zero"),
        ("texas_holdem_cash", '"100.00"', '"99999.00"', "minimum must not be above"),
        ("pineapple_ofc_cash", "straight = 2", "straigth = 2", "straigth is not a kind of hand"),
        ("pineapple_ofc_cash", "T = 18", "10 = 18", "10 is not a rank"),
        ("pineapple_ofc_cash", "stay_back", "stay_front", "stay_front is not known here"),
    ],
)
def test_a_wrong_plan_file_is_refused(game: str, old: str, new: str, complaint: str) -> None:
    content = games.document(f"69games.{game}", "unknown")
    assert old in content
    with pytest.raises(games.PlanError, match=complaint):
        read_plan(content.replace(old, new, 1).encode(), "plan.toml")


@pytest.mark.parametrize("columns", [(), ("2-5",), ("2-5,100",), ("2-5,100.00", ""), ("x,100.00",)])
def test_a_wrong_payout_table_is_refused(columns: tuple[str, ...]) -> None:
    with pytest.raises(ShapeError):
        PayoutLines(columns=columns).read()


def test_the_literal_reading_fouls_equal_rows() -> None:
    content = games.document("69games.pineapple_ofc_cash", "unknown")
    literal = content.replace("equal_rows_foul = false", "equal_rows_foul = true")
    plan = read_plan(literal.encode(), "literal")
    outcome = {
        "seats": ["a", "b"],
        "button": "b",
        "point_value": {"default": "1.00"},
        "sets": {
            "a": {
                "front": ["2C", "3D", "4H"],
                "middle": ["KC", "QC", "9D", "8C", "7C"],
                "back": ["KD", "QD", "9C", "8D", "7D"],
            },
            "b": {
                "front": ["2D", "3H", "4S"],
                "middle": ["JC", "TC", "6D", "5C", "3C"],
                "back": ["AD", "QH", "6C", "5D", "4D"],
            },
        },
    }
    wagers = [games.Wager(name, name, "stack", 10000) for name in "ab"]
    result = plan.settle_round(
        wagers, (), plan.read_outcome(outcome, None, ()), games.TableLimits()
    )
    assert result.details["fouled"] == ["a"]
