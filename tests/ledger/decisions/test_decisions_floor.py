"""The floor of a casino: operating days, sections, counts, movements, corrections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import HOUR
from ledger.core.errors import IntegrityError
from ledger.events import event_types as e
from ledger.state import floor as floor_state
from tests.ledger.decisions.decisions_casino import CROWN, prague

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

CASH, CHIPS, FLOAT = 2_000_000 * CROWN, 3_000_000 * CROWN, 500_000 * CROWN

ADMITTED = {
    "place": "casino",
    "guest": "g-1",
    "identity": "CZ 1",
    "birth_date": "1980-01-01",
    "register": "clear",
    "verified_how": "passport",
}


def slip(casino: Casino, **facts: Any) -> dict[str, Any]:
    """Give facts the next number of a slip."""
    return {"slip": casino.new_name("slip-"), **facts}


def count(casino: Casino, section: str, stage: str, **amounts: int) -> list[e.Event]:
    """Count a cage."""
    return [
        event
        for means, amount in amounts.items()
        for event in casino.do(
            "count_cage",
            section=section,
            stage=stage,
            means=means,
            amount=amount,
            counted_by="cashier and inspector",
        )
    ]


def count_float(casino: Casino, stage: str, amount: int, section: str = "t-1") -> list[e.Event]:
    """Count the chips of a table."""
    facts = {"stage": stage, "amount": amount, "counted_by": "inspector"}
    return casino.do("count_table_float", section=section, **facts)


@pytest.fixture
def floor(house: Casino) -> Casino:
    """Give a casino in its operating day, with a counted cage c-1 and a counted table t-1."""
    house.clock.moment = prague("2026-02-02 18:00")
    house.do("open_operating_day", place="casino")
    house.do("open_section", section="c-1", place="casino", kind="cage", station="main")
    count(house, "c-1", "opening", cash=CASH, chips=CHIPS)
    house.do("open_section", section="t-1", place="casino", kind="table", station="l1")
    count_float(house, "opening", FLOAT)
    return house


def books(casino: Casino) -> dict[str, int]:
    """Tell what is where."""
    return casino.ledger._ledger_state.floor("casino").books


def close_table(casino: Casino, closing: int, drop: int) -> e.SectionClosed:
    """Count, empty and close the section of the table."""
    count_float(casino, "closing", closing)
    if drop:
        casino.do("count_drop", section="t-1", amount=drop, counted_by="count room")
        moved = slip(casino, section="t-1", cage_section="c-1", amount=drop)
        casino.do("move_drop", **moved)
    (closed,) = casino.do("close_section", section="t-1")
    assert isinstance(closed, e.SectionClosed)
    return closed


class TestDaysAndSections:
    @pytest.mark.law("L-9", "L-8")
    def test_an_operating_day_is_called_after_the_day_on_which_it_began(
        self, floor: Casino
    ) -> None:
        """Over midnight at the end of a month, and the next one on the day it ends."""
        close_table(floor, FLOAT, 0)
        count(floor, "c-1", "closing", cash=CASH, chips=CHIPS)
        floor.do("close_section", section="c-1")
        floor.clock.moment = prague("2026-02-03 04:30")
        (closed,) = floor.do("close_operating_day", place="casino")
        assert isinstance(closed, e.OperatingDayClosed)
        assert closed.day == "2026-02-02"
        floor.clock.moment = prague("2026-02-28 19:00")
        floor.do("open_operating_day", place="casino")
        floor.clock.moment = prague("2026-03-01 03:00")
        (opened,) = floor.do(
            "open_section", section="c-2", place="casino", kind="cage", station="main"
        )
        assert isinstance(opened, e.SectionOpened)
        assert opened.day == "2026-02-28"
        floor.assert_cold_is_hot()

    @pytest.mark.law("L-9")
    @pytest.mark.parametrize("day", ["2026-03-28", "2026-10-24"])
    def test_an_operating_day_goes_on_while_clocks_change(self, house: Casino, day: str) -> None:
        house.clock.moment = prague(f"{day} 20:00")
        (opened,) = house.do("open_operating_day", place="casino")
        house.clock.moment = prague(f"{day} 20:00") + 9 * HOUR
        (closed,) = house.do("close_operating_day", place="casino")
        assert isinstance(opened, e.OperatingDayOpened)
        assert isinstance(closed, e.OperatingDayClosed)
        assert opened.day == closed.day == day

    def test_a_day_told_later_is_called_after_when_it_began(self, house: Casino) -> None:
        house.clock.moment = prague("2026-02-03 00:10")
        began = "2026-02-02T23:50:00+01:00"
        (opened,) = house.do("open_operating_day", place="casino", occurred_at=began)
        assert isinstance(opened, e.OperatingDayOpened)
        assert opened.day == "2026-02-02"

    @pytest.mark.law("L-9")
    def test_one_operating_day_at_a_time_and_one_a_day(self, house: Casino) -> None:
        house.refuse("DAY_NOT_OPEN", "close_operating_day", place="casino")
        section = {"section": "c-1", "place": "casino", "kind": "cage", "station": "main"}
        house.refuse("DAY_NOT_OPEN", "open_section", **section)
        house.do("open_operating_day", place="casino")
        house.refuse("DAY_NOT_CLOSED", "open_operating_day", place="casino")
        house.do("open_section", **section)
        house.refuse("SECTIONS_OPEN", "close_operating_day", place="casino")
        count(house, "c-1", "opening", cash=0, chips=0)
        count(house, "c-1", "closing", cash=0, chips=0)
        house.do("close_section", section="c-1")
        house.do("close_operating_day", place="casino")
        house.refuse("DAY_TWICE", "open_operating_day", place="casino")
        house.fail("no casino studio", "open_operating_day", place="studio")

    @pytest.mark.law("L-8", "L-37")
    def test_a_station_has_one_section_in_an_operating_day(self, floor: Casino) -> None:
        again = {"section": "t-2", "place": "casino", "kind": "table", "station": "l1"}
        floor.refuse("SECTION_TWICE", "open_section", **again)
        floor.fail("new name", "open_section", **again | {"section": "t-1"})
        floor.fail("has no table", "open_section", **again | {"station": "r1"})
        floor.fail("is a cage of casino", "open_section", **again | {"station": "main"})
        floor.open_table("l2", game="69games.roulette", place="casino", streamed=False)
        floor.do("close_table", table="l2", reason="worn")
        floor.refuse("TABLE_NOT_OPEN", "open_section", **again | {"station": "l2"})

    @pytest.mark.law("L-8")
    def test_a_section_closes_once_it_is_counted(self, floor: Casino) -> None:
        floor.refuse("NOT_COUNTED", "close_section", section="t-1")
        count_float(floor, "closing", FLOAT)
        floor.do("close_section", section="t-1")
        floor.refuse("SECTION_NOT_OPEN", "close_section", section="t-1")
        floor.refuse("NOT_COUNTED", "close_section", section="c-1")
        floor.fail("is unknown", "close_section", section="c-9")


class TestMovements:
    @pytest.mark.law("L-8")
    def test_an_evening_is_in_the_books_and_gives_the_net_result(self, floor: Casino) -> None:
        """Closing float and drop and credits, less opening float and fills."""
        send = floor.do
        send("record_fill", **slip(floor, section="t-1", cage_section="c-1", amount=100_000,
                                   pieces={"10000": 6, "20000": 2}))  # fmt: skip
        send("sell_chips", **slip(floor, section="t-1", amount=20_000, seat=3))
        send("admit_guest", **ADMITTED)
        send("sell_chips", **slip(floor, section="c-1", amount=50_000, guest="g-1"))
        send("sell_chips", **slip(floor, section="c-1", amount=30_000, method="card"))
        send("record_tip", **slip(floor, section="t-1", amount=1_000))
        send("record_tip", **slip(floor, section="t-1", amount=500, into_tronc=False))
        send("move_tronc", **slip(floor, section="t-1", cage_section="c-1", amount=1_000))
        send("record_credit", **slip(floor, section="t-1", cage_section="c-1", amount=40_000))
        send("redeem_chips", **slip(floor, section="c-1", amount=60_000))
        send("redeem_chips", **slip(floor, section="c-1", amount=500, holder="staff"))
        send("fund_cage", **slip(floor, section="c-1", amount=70_000))
        send("withdraw_from_cage", **slip(floor, section="c-1", amount=10_000))
        send("take_other_cash", **slip(floor, section="c-1", amount=300, reason="cloakroom"))
        missing = slip(floor, section="c-1", amount=200, reason="not back at the end of the month")
        send("record_missing_chips", **missing)
        # The table won 7,000 of the guests' chips.
        closed = close_table(floor, FLOAT + 100_000 - 20_000 - 40_000 + 7_000, 20_000)
        assert closed.result == 7_000
        cash = CASH + 50_000 - 60_000 - 500 + 70_000 - 10_000 + 300 + 20_000
        chips = CHIPS - 100_000 - 50_000 - 30_000 + 1_000 + 40_000 + 60_000 + 500
        assert books(floor) == {
            "cash_CZK:cage:main": cash,
            "chips_CZK:cage:main": chips,
            "card_CZK:cage:main": 30_000,
            "chips_CZK:table:l1": FLOAT + 47_000,
            "cash_CZK:table:l1": 0,
            "chips_CZK:tronc:casino": 0,
        }
        for counted in count(floor, "c-1", "closing", cash=cash, chips=chips):
            assert isinstance(counted, e.CageCounted)
            assert counted.amount == counted.expected
        floor.do("close_section", section="c-1")
        before = books(floor)
        floor.do("close_operating_day", place="casino")
        floor.assert_cold_is_hot()
        assert books(floor) == before

    def test_what_was_counted_stands_though_the_books_say_otherwise(self, floor: Casino) -> None:
        (counted,) = count(floor, "c-1", "closing", cash=CASH - 100)
        assert isinstance(counted, e.CageCounted)
        assert (counted.amount, counted.expected) == (CASH - 100, CASH)
        assert counted.against == "differences"
        (again,) = count(floor, "c-1", "closing", cash=CASH)
        assert isinstance(again, e.CageCounted)
        assert (again.amount, again.expected) == (CASH, CASH - 100)
        assert books(floor)["cash_CZK:cage:main"] == CASH

    @pytest.mark.law("L-8")
    def test_nothing_moves_before_the_first_and_after_the_last_count(self, floor: Casino) -> None:
        sale = slip(floor, section="c-1", amount=100)
        floor.refuse("NOT_COUNTED", "sell_chips", **sale | {"currency": "EUR"})
        floor.do("sell_chips", **sale)
        late = {"section": "c-1", "stage": "opening", "means": "cash", "amount": 1}
        floor.refuse("COUNTED_LATE", "count_cage", **late, counted_by="cashier")
        euros = {"means": "cash", "currency": "EUR", "stage": "closing"}
        floor.refuse("NOT_COUNTED", "count_cage", **late | euros, counted_by="cashier")
        count(floor, "c-1", "closing", chips=CHIPS - 100)
        floor.refuse("COUNTED_ALREADY", "sell_chips", **slip(floor, section="c-1", amount=100))

    @pytest.mark.law("L-8")
    def test_what_can_not_be_is_refused(self, floor: Casino) -> None:
        fill = slip(floor, section="t-1", cage_section="t-1", amount=100)
        floor.refuse("NO_COUNTERPART", "record_fill", **fill)
        floor.refuse("NO_COUNTERPART", "record_fill", **fill | {"cage_section": "c-9"})
        floor.refuse("SECTION_KIND_WRONG", "record_fill", **fill | {"section": "c-1"})
        sale = slip(floor, section="t-1", amount=100)
        floor.refuse("CURRENCY_DIFFERS", "sell_chips", **sale | {"currency": "EUR"})
        floor.refuse("NOT_CASH", "sell_chips", **sale | {"method": "card"})
        floor.fail(">= 1|amount", "sell_chips", **sale | {"amount": -1})
        floor.do("sell_chips", **sale)
        floor.fail("number of its own", "sell_chips", **sale)
        wrong = slip(floor, section="t-1", cage_section="c-1", amount=100, pieces={"50": 3})
        floor.fail("pieces sum to 150", "record_fill", **wrong)

    @pytest.mark.law("L-8")
    def test_a_box_is_counted_and_emptied(self, floor: Casino) -> None:
        floor.do("sell_chips", **slip(floor, section="t-1", amount=100))
        count_float(floor, "closing", FLOAT - 100)
        move = slip(floor, section="t-1", cage_section="c-1", amount=90)
        floor.refuse("NOT_COUNTED", "move_drop", **move)
        floor.refuse("NOT_COUNTED", "close_section", section="t-1")
        floor.do("count_drop", section="t-1", amount=90, counted_by="count room")
        floor.refuse("DROP_NOT_MOVED", "close_section", section="t-1")
        floor.do("move_drop", **move)
        (closed,) = floor.do("close_section", section="t-1")
        assert isinstance(closed, e.SectionClosed)
        assert closed.result == -10

    def test_currencies_are_changed(self, floor: Casino) -> None:
        exchange = slip(floor, section="c-1", amount=10_000, currency="EUR", given=245_000,
                        given_currency="CZK")  # fmt: skip
        floor.refuse("NOT_COUNTED", "exchange_currency", **exchange)
        facts = {"section": "c-1", "stage": "opening", "means": "cash", "currency": "EUR"}
        floor.do("count_cage", **facts, amount=0, counted_by="cashier")
        floor.do("exchange_currency", **exchange)
        assert books(floor)["cash_EUR:cage:main"] == 10_000
        assert books(floor)["cash_CZK:cage:main"] == CASH - 245_000
        same = exchange | {"currency": "CZK", "slip": "s"}
        floor.fail("not into itself", "exchange_currency", **same)
        floor.refuse("NOT_COUNTED", "close_section", section="c-1")

    @pytest.mark.law("L-55")
    def test_much_cash_of_a_guest_calls_for_a_document(self, floor: Casino) -> None:
        """48,000 CZK of an operating day, sold and redeemed together."""
        most = 4_800_000
        floor.do("admit_guest", **ADMITTED)
        sale = {"section": "c-1", "guest": "g-1"}
        floor.do("sell_chips", **slip(floor, amount=most - 200, **sale))
        floor.do("redeem_chips", **slip(floor, amount=100, **sale))
        last = slip(floor, amount=100, **sale)
        floor.refuse("DOCUMENT_NOT_SHOWN", "redeem_chips", **last)
        floor.refuse("DOCUMENT_NOT_SHOWN", "sell_chips", **last)
        floor.refuse("DOCUMENT_NOT_SHOWN", "sell_chips", **last | {"guest": "", "amount": most})
        floor.do("sell_chips", **last, document_shown=True)
        floor.do("sell_chips", **slip(floor, section="c-1", amount=most, method="card"))

    def test_a_guest_without_account_plays_with_chips_at_a_seat(self, floor: Casino) -> None:
        floor.do("open_round", round="q", table="l1")
        bet = slip(floor, section="t-1", round="q", seat=2, bet_code="red", amount=100, paid=200)
        floor.refuse("WRONG_ORDER", "settle_chip_bet", **bet)
        floor.result("q")
        floor.do("settle_chip_bet", **bet)
        assert books(floor)["chips_CZK:table:l1"] == FLOAT - 100
        floor.do("open_round", round="r", table="r1")
        floor.fail("played at table r1", "settle_chip_bet", **bet | {"slip": "x", "round": "r"})


class TestCorrections:
    @pytest.mark.law("L-8")
    def test_a_correction_is_the_difference(self, floor: Casino) -> None:
        floor.do("sell_chips", slip="a", section="c-1", amount=500)
        (corrected,) = floor.do("correct_slip", slip="b", corrects="a", amount=600, cause="typo")
        assert isinstance(corrected, e.ChipsSold)
        assert (corrected.amount, corrected.corrects, corrected.section) == (100, "a", "c-1")
        floor.do("correct_slip", slip="c", corrects="a", amount=0, cause="never was")
        assert books(floor)["chips_CZK:cage:main"] == CHIPS
        floor.fail("is a correction", "correct_slip", slip="d", corrects="b", amount=1, cause="x")
        floor.fail("no slip", "correct_slip", slip="d", corrects="z", amount=1, cause="x")
        floor.fail("second", "correct_slip", slip="d", corrects="a", amount=1, second=1, cause="x")
        floor.assert_cold_is_hot()

    def test_a_correction_after_the_count_leaves_what_was_counted(self, floor: Casino) -> None:
        fill = {"section": "t-1", "cage_section": "c-1", "amount": 1_000}
        floor.do("record_fill", slip="f", **fill)
        close_table(floor, FLOAT + 100, 0)
        (late,) = floor.do("correct_slip", slip="g", corrects="f", amount=100, cause="typo")
        assert isinstance(late, e.FillReceived)
        assert (late.till, late.cage_till, late.amount) == ("guests", "cage:main", -900)
        assert books(floor)["chips_CZK:table:l1"] == FLOAT + 100
        assert books(floor)["chips_CZK:cage:main"] == CHIPS - 100

    def test_both_amounts_of_an_exchange_are_corrected(self, floor: Casino) -> None:
        facts = {"section": "c-1", "stage": "opening", "means": "cash", "currency": "EUR"}
        floor.do("count_cage", **facts, amount=0, counted_by="cashier")
        floor.do("exchange_currency", slip="a", section="c-1", amount=100, currency="EUR",
                 given=2_400, given_currency="CZK")  # fmt: skip
        floor.fail("second", "correct_slip", slip="b", corrects="a", amount=200, cause="typo")
        floor.do("correct_slip", slip="b", corrects="a", amount=200, second=4_800, cause="typo")
        assert books(floor)["cash_EUR:cage:main"] == 200
        assert books(floor)["cash_CZK:cage:main"] == CASH - 4_800


class TestDesk:
    def test_cash_for_an_account_is_in_the_cage(self, floor: Casino) -> None:
        floor.player("bob")
        facts = {"account": "bob", "amount": 100_000, "method": "cash", "document_shown": True}
        taken = floor.do("deposit", **facts, deposit="d", section="c-1")
        assert [type(event) for event in taken] == [e.DepositCredited, e.AccountCashIn]
        paid = floor.do("withdraw", **facts, withdrawal="w", section="c-1")
        assert type(paid[-1]) is e.AccountCashOut
        assert books(floor)["cash_CZK:cage:main"] == CASH
        floor.refuse("SECTION_KIND_WRONG", "deposit", **facts, deposit="x", section="t-1")
        card = facts | {"method": "card"}
        floor.fail("takes cash", "deposit", **card, deposit="y", section="c-1")
        floor.fail("pays cash", "withdraw", **facts | {"method": "bank"}, withdrawal="y",
                   section="c-1")  # fmt: skip

    @pytest.mark.law("L-8")
    def test_jackpots_have_values_at_the_ends(self, floor: Casino) -> None:
        pot = {"place": "casino", "name": "Silver", "game": "69games.roulette"}
        floor.do("define_jackpot", jackpot="j", station="l1", **pot)
        floor.do("define_jackpot", jackpot="g", **pot)
        value = {"stage": "opening", "amount": 5_000}
        (state,) = floor.do("record_jackpot", jackpot="j", section="t-1", **value)
        assert isinstance(state, e.JackpotState)
        assert (state.day, state.section) == ("2026-02-02", "t-1")
        floor.do("record_jackpot", jackpot="g", **value)
        floor.fail("set up already", "define_jackpot", jackpot="j", **pot)
        floor.fail("is unknown", "record_jackpot", jackpot="h", **value)
        floor.fail("section belongs", "record_jackpot", jackpot="j", **value)
        floor.fail("list it", "define_jackpot", jackpot="k", **pot | {"game": "chess"})
        floor.refuse("SECTION_KIND_WRONG", "record_jackpot", jackpot="j", section="c-1", **value)

    @pytest.mark.law("L-8")
    def test_a_jackpot_is_closed_before_its_section_and_day(self, floor: Casino) -> None:
        """A package with one end only is not valid, and no value can be recorded behind it."""
        pot = {"place": "casino", "name": "Silver", "game": "69games.roulette"}
        floor.do("define_jackpot", jackpot="j", station="l1", **pot)
        floor.do("define_jackpot", jackpot="g", **pot)
        floor.do("record_jackpot", jackpot="j", section="t-1", stage="opening", amount=1)
        floor.do("record_jackpot", jackpot="g", stage="closing", amount=2)
        floor.paragraphs["NOT_COUNTED"] = "D10 annex, mozna_vyhra"
        count_float(floor, "closing", FLOAT)
        floor.refuse("NOT_COUNTED", "close_section", section="t-1")
        floor.do("record_jackpot", jackpot="j", section="t-1", stage="closing", amount=3)
        floor.do("close_section", section="t-1")
        count(floor, "c-1", "closing", cash=CASH, chips=CHIPS)
        floor.do("close_section", section="c-1")
        floor.refuse("NOT_COUNTED", "close_operating_day", place="casino")
        floor.do("record_jackpot", jackpot="g", stage="opening", amount=1)
        floor.assert_cold_is_hot()
        floor.do("close_operating_day", place="casino")

    def test_a_table_keeps_its_game_while_its_section_is_open(self, floor: Casino) -> None:
        """The result of a section is that of one game, in package and tax base."""
        table = {"table": "l1", "registration": "7", "streamed": False}
        floor.do("close_table", table="l1", reason="break")
        other = table | {"place": "casino", "game": "69games.black_jack"}
        floor.do("list_game", game=other["game"], name="Black Jack")
        floor.fail("section t-1 of table l1 is open", "open_table", **other)
        floor.do("open_table", **other | {"game": "69games.roulette"})
        close_table(floor, FLOAT, 0)
        floor.do("close_table", table="l1", reason="another game")
        floor.do("open_table", **other)


def test_a_fold_that_disagrees_with_the_movements_stops_the_writer(
    floor: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgetful(*_: object) -> None:
        """Fold nothing."""

    monkeypatch.setitem(floor_state.CHANGES, e.CageFunded, forgetful)
    with pytest.raises(IntegrityError, match="cash_CZK:cage:main"):
        floor.send("fund_cage", **slip(floor, section="c-1", amount=100))
