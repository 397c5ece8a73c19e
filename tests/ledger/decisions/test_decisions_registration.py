"""Who may have an account, and with which payment methods (SAZKA 7 to 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ledger.decisions.decisions_casino import EVOLUTION, VERSION, sentence_of

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino


@pytest.mark.law("SAZKA 8(11)", "L-27", "L-30")
def test_a_registration_records_account_verification_and_register(house: Casino) -> None:
    opened, verified, checked = house.register()
    assert (opened.plan_version, opened.regime) == (VERSION, "permanent")
    assert (verified.what, verified.how) == ("identity and age", "bank identity")
    assert (checked.occasion, checked.answer, checked.live) == ("registration", "clear", True)


@pytest.mark.law("SAZKA 7(1)", "SAZKA 8(2)", "L-54")
def test_the_eighteenth_birthday_is_the_first_day(house: Casino) -> None:
    house.at("2026-03-01 23:59:59.999999")
    minor = house.registration(birth_date="2008-03-02")
    (refused,) = house.refuse("UNDER_AGE", "open_account", **minor)
    assert type(refused).__name__ == "RegistrationRefused"
    house.at("2026-03-02 00:00")
    house.do("open_account", **minor)


@pytest.mark.law("L-54")
def test_who_was_born_on_29_february_is_of_age_on_1_march(house: Casino) -> None:
    house.at("2026-02-28 23:59:59.999999")
    minor = house.registration(birth_date="2008-02-29")
    house.refuse("UNDER_AGE", "open_account", **minor)
    house.at("2026-03-01 00:00")
    house.do("open_account", **minor)


@pytest.mark.law("SAZKA 8(2)", "SAZKA 8(11)", "SAZKA 12a(4)", "L-32")
def test_a_listed_person_gets_no_account(house: Casino) -> None:
    house.refuse("LISTED_IN_REGISTER", "open_account", **house.registration(register="listed"))


@pytest.mark.law("SAZKA 8(10)", "L-27", "L-30")
def test_an_unverified_person_gets_no_account(house: Casino) -> None:
    house.refuse("IDENTITY_NOT_VERIFIED", "open_account", **house.registration(verified_how=""))


@pytest.mark.law("SAZKA 8(13)")
def test_the_game_plan_is_accepted_first(house: Casino) -> None:
    house.refuse("PLAN_NOT_ACCEPTED", "open_account", **house.registration(plan_version=""))


@pytest.mark.law("SAZKA 8(13)")
def test_the_accepted_game_plan_was_published_and_is_in_force(house: Casino) -> None:
    for version in ("2024-10-25", "anything"):
        unknown = house.registration(plan_version=version)
        (refused,) = house.refuse("PLAN_NOT_IN_FORCE", "open_account", **unknown)
        assert version in sentence_of(refused)
    house.do("open_account", **house.registration(plan_version=VERSION))


@pytest.mark.law("SAZKA 8(13)")
def test_a_game_plan_is_accepted_neither_before_its_time_nor_after_it(bare: Casino) -> None:
    bare.do("list_game", game=EVOLUTION, name="Roulette")
    bare.refuse("PLAN_NOT_IN_FORCE", "open_account", **bare.registration())
    later = "2026-03-01T00:00:00+01:00"
    bare.do("publish_rules", game=EVOLUTION, plan_version=VERSION, effective_from=later)
    bare.at("2026-02-28 23:59:59.999999")
    bare.refuse("PLAN_NOT_IN_FORCE", "open_account", **bare.registration())
    bare.at("2026-03-01 00:00")
    bare.register()


def test_the_name_of_a_refused_registration_stays_free(house: Casino) -> None:
    house.refuse("IDENTITY_NOT_VERIFIED", "open_account", **house.registration(verified_how=""))
    house.register()
    house.fail("anna exists already", "open_account", **house.registration(identity="CZ other"))


@pytest.mark.law("SAZKA 9(3)")
def test_one_person_has_one_account(house: Casino) -> None:
    house.register(identity="CZ 900517/1234")
    again = house.registration("bara", identity="  cz   900517/1234 ")
    (refused,) = house.refuse("SECOND_ACCOUNT", "open_account", **again)
    assert "anna" in sentence_of(refused)


@pytest.mark.law("SAZKA 9(3)")
def test_one_way_to_write_a_letter_is_as_good_as_another(house: Casino) -> None:
    house.register(identity="SK \N{LATIN SMALL LETTER S WITH CARON}1")
    again = house.registration("bara", identity="SK s\N{COMBINING CARON}1")
    house.refuse("SECOND_ACCOUNT", "open_account", **again)


def test_two_persons_have_different_digests(house: Casino) -> None:
    (anna, *_), (bara, *_) = house.register("anna"), house.register("bara")
    assert anna.person != bara.person


def test_an_account_opened_while_the_register_is_away_is_not_yet_checked(house: Casino) -> None:
    *_, checked = house.register(register="unavailable")
    assert (checked.answer, checked.live) == ("not_checked", False)
    assert house.account().register_answer == "not_checked"


@pytest.mark.law("SAZKA 8(9)")
def test_a_declaration_proves_no_ownership(house: Casino) -> None:
    house.register()
    declared = {"account": "anna", "method": "bank", "method_class": "account", "masked": "**1"}
    declared |= {"country": "CZ", "proof": "declaration"}
    house.refuse("OWNERSHIP_NOT_PROVED", "register_payment_method", **declared)
    assert house.account().methods == {}


@pytest.mark.law("SAZKA 8(6)", "SAZKA 8(7)", "SAZKA 8(8)", "L-29")
@pytest.mark.parametrize(
    ("method_class", "country", "allowed"),
    [
        ("account", "CZ", True),
        ("account", "SK", True),
        ("account", "GB", False),
        ("account", "US", False),
        ("card", "SK", True),
        ("card", "NO", True),
        ("card", "GB", False),
        ("card", "CH", False),
        ("other", "LI", True),
        ("other", "US", False),
    ],
)
def test_the_bank_or_issuer_is_in_the_eea(
    house: Casino, method_class: str, country: str, *, allowed: bool
) -> None:
    house.register()
    method = {"account": "anna", "method": "m", "method_class": method_class, "masked": "**1"}
    method |= {"country": country, "proof": "test_payment"}
    if allowed:
        house.do("register_payment_method", **method)
    else:
        house.refuse("ISSUER_NOT_ALLOWED", "register_payment_method", **method)


def test_a_payment_method_is_registered_once_and_is_never_called_cash(house: Casino) -> None:
    house.register()
    house.add_method("anna", "bank", "account")
    method = {"account": "anna", "method_class": "card", "masked": "**1", "country": "CZ"}
    method |= {"proof": "card_3ds"}
    house.fail("registered for anna already", "register_payment_method", method="bank", **method)
    for name in ("cash", "postal"):
        house.fail("another name", "register_payment_method", method=name, **method)


@pytest.mark.parametrize(
    ("masked", "is_taken"),
    [
        ("4111 11** **** 1111", True),
        ("41111111****1111", True),
        ("CZ65****5399", True),
        ("4111 1111 1111 1111", False),
        ("4111-1111-1111-1111", False),
        ("CZ6508000000192000145399", False),
        ("2000145399/0800", False),
        ("+420 601 234 567", False),
    ],
)
def test_no_whole_number_of_a_card_or_account_is_kept(
    house: Casino, masked: str, *, is_taken: bool
) -> None:
    house.register()
    method = {"account": "anna", "method": "m", "method_class": "other", "masked": masked}
    method |= {"country": "CZ", "proof": "test_payment"}
    if is_taken:
        house.do("register_payment_method", **method)
    else:
        house.fail("leave its middle out", "register_payment_method", **method)


@pytest.mark.law("SAZKA 8(12)")
def test_a_changed_address_and_a_later_verification_are_recorded(house: Casino) -> None:
    house.register()
    (changed,) = house.do("change_person", account="anna", address="Brno, Nová 1")
    assert changed.address
    assert changed.name == b""
    (verified,) = house.do("verify_person", account="anna", what="address", how="document")
    assert verified.what == "address"


@pytest.mark.law("L-27")
def test_a_temporary_account_becomes_permanent(house: Casino) -> None:
    house.register(regime="temporary")
    facts = {"regime": "permanent", "internet": True, "land_based": True}
    (changed,) = house.do("change_account_mode", account="anna", **facts)
    assert (changed.regime, house.account().regime) == ("permanent", "permanent")
    house.fail("never becomes temporary", "change_account_mode", account="anna", regime="temporary",
               internet=True, land_based=True)  # fmt: skip


@pytest.mark.law("SAZKA 8(1)")
@pytest.mark.law("L-27")
def test_an_account_that_is_not_for_the_internet_takes_no_bets_at_streamed_tables(
    casino: Casino,
) -> None:
    facts = {"regime": "permanent", "internet": False, "land_based": True}
    casino.do("change_account_mode", account="anna", **facts)
    casino.refuse_bet("LAND_BASED_ONLY", casino.open_round())
    casino.do("take_seat", account="anna", table="l1")
    casino.bet(casino.open_round("l1"))


@pytest.mark.law("SAZKA 8(3)", "SAZKA 8(10)")
@pytest.mark.parametrize("field", ["address", "email"])
def test_a_registration_without_contact_data_is_refused(house: Casino, field: str) -> None:
    facts = house.registration()
    (refused,) = house.refuse("DATA_MISSING", "open_account", **facts | {field: ""})
    assert field in sentence_of(refused)
    del facts[field]
    house.refuse("DATA_MISSING", "open_account", **facts)
    house.register()


@pytest.mark.law("SAZKA 8(3)", "SAZKA 8(10)")
@pytest.mark.parametrize("field", ["name", "address", "email", "identity", "verified_how"])
@pytest.mark.parametrize("blank", [" ", "\t\n", "\u00a0\u2003"])
def test_blanks_identify_nobody(house: Casino, field: str, blank: str) -> None:
    house.fail(field, "open_account", **house.registration(**{field: blank}))


@pytest.mark.law("SAZKA 8(3)", "SAZKA 8(10)")
def test_an_account_that_came_without_contact_data_takes_no_money_and_no_bet(
    casino: Casino,
) -> None:
    """Such a fact comes from outside, or from before the data were asked for."""
    account = casino.account()
    account.missing = ["address"]
    paid = {"account": "anna", "deposit": "x", "amount": 100, "method": "bank"}
    casino.refuse("DATA_MISSING", "deposit", **paid)
    round_ = casino.open_round()
    casino.refuse_bet("DATA_MISSING", round_)
    casino.do("change_person", account="anna", address="Krátká 2, Brno")
    casino.pay_in(1)
    casino.bet(round_)
