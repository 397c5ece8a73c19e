"""Zero at Czech Casinos: chips, prison, the spin that decides; chips of a colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.events import event_types as e
from tests.ledger.decisions.decisions_casino import CROWN

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

CZECH = "czech_casinos.american_roulette"
TABLE = "c1"
CHIP = 100 * CROWN


@pytest.fixture
def czech(house: Casino) -> Casino:
    for name in ("anna", "bara"):
        house.player(name, 10_000, table="")
    house.add_game(CZECH, TABLE, "anna", "bara")
    house.do("set_table_limits", table=TABLE, stakes={"red": [20 * CROWN, 5_000 * CROWN]})
    return house


def spin(
    casino: Casino,
    number: int,
    *stakes: tuple[str, int],
    dealers: tuple[str, ...] = (),
    **facts: Any,
) -> str:
    """Play a round on red to its result; stakes in crowns, chips of 100."""
    round_ = casino.open_round(TABLE)
    for dealer in dealers:
        casino.do("seat_dealer", table=TABLE, dealer=dealer)
    for account, stake in stakes:
        casino.bet(round_, stake, account, **{"chip": CHIP} | facts)
    before = casino.round(round_).turned_before
    way = "counterclockwise" if before == "clockwise" else "clockwise"
    other = "clockwise" if way == "counterclockwise" else "counterclockwise"
    facts = {"wheel_direction": way, "ball_direction": other, "revolutions": 12}
    casino.do("spin_wheel", round=round_, **facts)
    casino.close(round_)
    casino.do("land_ball", round=round_, number=number)
    casino.do("record_result", round=round_)
    return round_


def wallet(casino: Casino, account: str = "anna") -> int:
    return casino.account(account).wallet // CROWN


@pytest.mark.law("Czech Casinos, simple chance")
@pytest.mark.parametrize(("following", "back"), [(2, 200), (1, 300), (0, 200)])
@pytest.mark.parametrize("is_reopened", [False, True])
def test_of_five_chips_two_come_back_and_the_next_spin_decides_about_one(
    czech: Casino, following: int, back: int, *, is_reopened: bool
) -> None:
    """The wheel alternates, and a chip waits, also over the night."""
    zero = spin(czech, 0, ("anna", 500))
    (imprisoned,) = czech.all_events("BetImprisoned")
    assert isinstance(imprisoned, e.BetImprisoned)
    assert (imprisoned.account, imprisoned.chip) == ("anna", CHIP)
    czech.refuse("BET_IN_PRISON", "settle_round", round=zero)
    if is_reopened:
        czech.do("close_table", table=TABLE, reason="night")
        czech.open_table_of(CZECH, TABLE)
    after = spin(czech, following, ("bara", 300))
    assert czech.round(after).turned_before == czech.round(zero).turned
    (decided,) = czech.all_events("PrisonDecided")
    assert isinstance(decided, e.PrisonDecided)
    assert (decided.round, decided.next_round, decided.next_number) == (zero, after, following)
    assert decided.released == (following == 1)
    (settled,) = czech.do("settle_round", round=zero)
    assert settled.result == "half_back"
    assert wallet(czech) == 9_500 + back
    if following:
        czech.do("settle_round", round=after)
        assert wallet(czech, "bara") == 9_700 + 600 * (following == 1)
    else:
        czech.refuse("BET_IN_PRISON", "settle_round", round=after)
    czech.assert_cold_is_hot()


@pytest.mark.law("Czech Casinos, simple chance")
def test_an_even_number_of_chips_and_other_bets_are_settled_at_once(czech: Casino) -> None:
    zero = spin(czech, 0, ("anna", 400), ("bara", 500))
    assert [event.paid for event in czech.do("settle_round", round=zero)] == [200 * CROWN]
    assert czech.round(zero).status == "resulted"
    with czech.as_reopened():
        spin(czech, 2)
        (decided,) = czech.all_events("PrisonDecided")
        assert isinstance(decided, e.PrisonDecided)
        assert decided.account == "bara"
        assert [event.paid for event in czech.do("settle_round", round=zero)] == [200 * CROWN]
        assert czech.round(zero).status == "settled"


@pytest.mark.law("Czech Casinos, simple chance")
def test_a_spin_that_does_not_count_decides_nothing(czech: Casino) -> None:
    zero = spin(czech, 0, ("anna", 500))
    round_ = czech.open_round(TABLE)
    czech.close(round_)
    czech.do("void_round", round=round_, ground="no_spin_too_few_revolutions")
    assert not czech.all_events("PrisonDecided")
    with czech.as_reopened():
        spin(czech, 1)
        czech.do("settle_round", round=zero)
        assert wallet(czech) == 9_800
        czech.assert_cold_is_hot()


def test_the_next_number_is_not_told_with_the_result(czech: Casino) -> None:
    round_ = czech.open_round(TABLE)
    czech.bet(round_, 500, chip=CHIP)
    czech.land(round_, 0)
    said = {"number": 0, "next_number": 1}
    czech.refuse("RESULT_CONTRADICTS", "record_result", round=round_, outcome=said)


def test_chips_that_do_not_make_the_stake_are_refused(czech: Casino) -> None:
    round_ = czech.open_round(TABLE)
    czech.refuse_bet("BET_NOT_ALLOWED", round_, 250, chip=CHIP)


def issue(account: str = "anna", colour: str = "blue", chip: int = CHIP) -> dict[str, Any]:
    return {"table": TABLE, "account": account, "colour": colour, "chip": chip, "chips": 20}


@pytest.mark.law("Czech Casinos, cash and chips")
def test_a_colour_belongs_to_one_player_and_a_player_has_one(czech: Casino) -> None:
    czech.do("issue_colour_chips", **issue())
    czech.refuse("COLOUR_NOT_ALLOWED", "issue_colour_chips", **issue("bara"))
    czech.refuse("COLOUR_NOT_ALLOWED", "issue_colour_chips", **issue(colour="green"))
    czech.refuse("COLOUR_NOT_ALLOWED", "issue_colour_chips", **issue(chip=2 * CHIP))
    guest = issue(colour="blue") | {"account": "", "guest": "g-7"}
    czech.refuse("GUEST_NOT_ADMITTED", "issue_colour_chips", **guest)
    document = {"birth_date": "1980-01-01", "register": "clear", "verified_how": "passport"}
    czech.do("admit_guest", place="casino", guest="g-7", identity="SK 1", **document)
    czech.refuse("COLOUR_NOT_ALLOWED", "issue_colour_chips", **guest)
    czech.do("issue_colour_chips", **guest | {"colour": "red"})
    czech.refuse("COLOUR_NOT_ALLOWED", "issue_colour_chips", **guest | {"colour": "pink"})
    czech.fail("and not both", "issue_colour_chips", **issue() | {"guest": "g-7"})
    czech.do("return_colour_chips", table=TABLE, account="anna", colour="blue", chips=20)
    czech.do("issue_colour_chips", **issue("bara"))
    czech.refuse(
        "COLOUR_NOT_ALLOWED",
        "return_colour_chips",
        table=TABLE,
        account="anna",
        colour="blue",
        chips=1,
    )


@pytest.mark.law("Czech Casinos, cash and chips")
@pytest.mark.parametrize("chip", [10, 6_000])
def test_the_value_of_a_chip_lies_within_the_limits_of_the_table(czech: Casino, chip: int) -> None:
    czech.refuse("COLOUR_NOT_ALLOWED", "issue_colour_chips", **issue(chip=chip * CROWN))


@pytest.mark.law("Czech Casinos, cash and chips")
def test_bets_of_a_player_with_a_colour_are_made_of_these_chips(czech: Casino) -> None:
    czech.do("issue_colour_chips", **issue())
    round_ = czech.open_round(TABLE)
    czech.bet(round_, 500)
    (laid,) = czech.all_events("ChipsLaid")
    assert isinstance(laid, e.ChipsLaid)
    assert (laid.colour, laid.chip, laid.chips) == ("blue", CHIP, 5)
    zero = spin(czech, 0)
    spin(czech, 1)
    czech.do("settle_round", round=zero)
    assert wallet(czech) == 9_800


@pytest.mark.law("Czech Casinos, cash and chips")
def test_chips_that_left_the_table_are_worth_its_minimum(czech: Casino) -> None:
    czech.do("issue_colour_chips", **issue())
    czech.do("leave_seat", account="anna", table=TABLE)
    back = {"table": TABLE, "account": "anna", "colour": "blue", "chips": 20}
    (returned,) = czech.do("return_colour_chips", **back)
    assert (returned.chip, returned.has_left) == (20 * CROWN, True)
    czech.refuse("NOT_SEATED", "issue_colour_chips", **issue())


@pytest.mark.law("Czech Casinos, cash and chips")
def test_chips_of_a_colour_need_limits_and_a_roulette_on_land(czech: Casino) -> None:
    czech.do("leave_seat", account="bara", table=TABLE)
    czech.open_table_of(CZECH, "c2", "bara")
    other = issue("bara") | {"table": "c2"}
    czech.refuse("COLOUR_NOT_ALLOWED", "issue_colour_chips", **other)
    czech.do("take_seat", account="bara", table="r1")
    czech.fail("not played with chips", "issue_colour_chips", **issue("bara") | {"table": "r1"})


@pytest.mark.law("Czech Casinos, simple chance")
def test_a_simple_chance_states_the_value_of_its_chips(czech: Casino) -> None:
    """Without it, zero would pay back half of an odd number of chips, and imprison none."""
    round_ = czech.open_round(TABLE)
    bet = {"round": round_, "account": "anna", "bet": f"{round_}-1", "stake": 500 * CROWN}
    czech.refuse("BET_NOT_ALLOWED", "place_bet", **bet, bet_code="red")
    czech.do("place_bet", **bet, bet_code="red", chip=CHIP)
    other = bet | {"bet": f"{round_}-2", "bet_code": "straight", "selection": [5]}
    czech.do("place_bet", **other)


@pytest.mark.law("Czech Casinos, play")
def test_an_inspector_checks_what_a_round_paid(czech: Casino) -> None:
    round_ = czech.open_round(TABLE)
    checked = {"round": round_, "by": "inspector 3", "correct": True}
    czech.refuse("WRONG_ORDER", "check_payouts", **checked)
    czech.close(round_)
    czech.do("void_round", round=round_, ground="no_spin_direction")
    spun = spin(czech, 1, ("anna", 100))
    czech.do("settle_round", round=spun)
    czech.do("seat_dealer", table=TABLE, dealer="d-9")
    by_dealer = {"round": spun, "by": "d-9", "correct": True}
    czech.refuse("CHECKED_BY_DEALER", "check_payouts", **by_dealer)
    again = spin(czech, 1, dealers=("took-over", "d-10"))
    for dealer in ("d-9", "took-over", "d-10"):
        by_dealer = {"round": again, "by": dealer, "correct": True}
        czech.refuse("CHECKED_BY_DEALER", "check_payouts", **by_dealer)
    (fact,) = czech.do("check_payouts", **checked | {"round": spun})
    assert isinstance(fact, e.PayoutsChecked)
    assert (fact.table, fact.correct) == (TABLE, True)
