"""What plans ask of dealers, shoes, spins, fees and entries, and what may come into an account.

The facts are made by hand, so that nothing was refused.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ledger import games
from ledger.core.clock import DAY, MINUTE
from ledger.events import event_types as e
from ledger.games.api.round_facts import BURN
from projections.checks.dealing import dealing_faults
from tests.projections.history_cases import (
    PARTS,
    SEALED,
    VERSION,
    House,
    deposited,
    notified,
    rules_published,
    spun,
)
from tests.projections.projection_cases import START
from tests.projections.shared_cases import Asking, Neighbour, together

if TYPE_CHECKING:
    from projections.findings.finding import Finding

DAYS = DAY // MINUTE
CZECH, ROULETTE = "czech_casinos.american_roulette", "69games.roulette"
BLACKJACK, BACCARAT = "69games.blackjack", "baccarat.commission"
FREE_BET, HOLDEM = "sl.free_bet_blackjack", "69games.texas_holdem_cash"
CASINO_HOLDEM, ULTIMATE = "sazka.casino_holdem", "69games.ultimate_texas_holdem"
OMAHA, OPEN_FACE = "69games.omaha_cash", "69games.pineapple_ofc_cash"
TOURNAMENT = "69games.texas_holdem_tournament"


def of(found: list[Finding], *codes: str) -> list[tuple[str, int]]:
    """Return code and position of what the test is about."""
    return [(one.code, one.position) for one in found if one.code in codes]


DEPOSITS = tuple(
    f"DEPOSIT_{when}"
    for when in ("WHILE_EXCLUDED", "WHILE_PANIC", "WHILE_CANCELLING", "WHILE_CLOSED",
                 "WITHOUT_ACCOUNT")
)  # fmt: skip
EXCLUDED = e.ExclusionImposed(account="a", ground="register", until=None)
CANCELLED = e.CancellationRequested(
    person="p-a", account="a", by="participant", ground="12(4)", explanation=b""
)


@pytest.mark.law("SAZKA 12(5)", "SAZKA 12a(4)", "L-32")
@pytest.mark.parametrize(
    ("facts", "account", "expected"),
    [
        ([], "a", None),
        ([EXCLUDED], "a", "DEPOSIT_WHILE_EXCLUDED"),
        ([EXCLUDED, e.ExclusionEnded(account="a", ground="register")], "a", None),
        ([e.PanicButtonPressed(account="a", until=0, channel="web")], "a", "DEPOSIT_WHILE_PANIC"),
        ([CANCELLED], "a", "DEPOSIT_WHILE_CANCELLING"),
        ([CANCELLED, e.CancellationWithdrawn(account="a")], "a", None),
        ([e.AccountClosed(account="a", ground="12(4)")], "a", "DEPOSIT_WHILE_CLOSED"),
        ([], "nobody", "DEPOSIT_WITHOUT_ACCOUNT"),
    ],
)
@together
def test_deposits_of_those_who_may_not_pay_in_are_found(
    house: House, facts: list[e.Event], account: str, expected: str | None
) -> Asking:
    for fact in facts:
        house.at(1, fact)
    position = house.at(2, deposited(account, 500, name="late"))
    assert of((yield), *DEPOSITS) == ([(expected, position)] if expected else [])


@pytest.mark.law("SAZKA 12a(4)", "L-32")
@together
def test_a_deposit_on_another_account_of_an_excluded_person_is_found(house: House) -> Asking:
    house.at(1, EXCLUDED)
    house.account("b", person="p-a", minute=2)
    assert {code for code, _ in of((yield), *DEPOSITS)} == {"DEPOSIT_WHILE_EXCLUDED"}


@pytest.mark.law("SAZKA 12(3)", "SAZKA 12(4)")
@pytest.mark.parametrize(
    ("by", "facts", "missing"),
    [
        ("operator", {}, ""),
        ("operator", {"parts": PARTS[:1]}, "objection email_address postal_address"),
        ("operator", {"way": "post"}, "way"),
        ("participant", {"parts": ()}, ""),
        ("participant", {"way": ""}, "way"),
    ],
)
@together
def test_a_notice_has_its_parts_and_goes_to_a_registered_address(
    house: House, by: str, facts: dict[str, Any], missing: str
) -> Asking:
    house.at(
        1, e.CancellationRequested(person="p-a", account="a", by=by, ground="12", explanation=b"e")
    )
    position = house.at(2, notified("a", **facts))
    found = [one for one in (yield) if one.code == "NOTICE_INCOMPLETE"]
    expected = {(position, part) for part in missing.split()}
    assert {(one.position, one.about) for one in found} == expected


@pytest.mark.law("SAZKA 12(3)")
@together
def test_a_notice_to_nobody_s_address_is_found(house: House) -> Asking:
    """The address may come with a later change of the data."""
    for name in ("b", "c"):
        house.at(0, account_without_email(name))
    house.at(1, e.PersonChanged(account="c", person="p-c", name=b"", address=b"", email=b"new"))
    for name in ("b", "c"):
        house.at(2, notified(name))
    found = [one for one in (yield) if one.code == "NOTICE_INCOMPLETE"]
    assert [(one.account, one.about) for one in found] == [("b", "registered")]


def account_without_email(name: str) -> e.AccountOpened:
    return e.AccountOpened(
        name_digest="",
        account=name, person=f"p-{name}", regime="permanent", internet=True, land_based=False,
        plan_version=VERSION, earlier_account="", **SEALED | {"email": b""},
    )  # fmt: skip


def opened(name: str, game: str, **facts: Any) -> e.RoundOpened:
    known: dict[str, Any] = {
        "table": f"t-{game}", "plan_version": "unknown", "dealer": "d", "shoe": "",
        "registration": "1", "devices": (), "device_kinds": (), "serials": (),
        "wheel_turned": "", "streamed": False,
    }  # fmt: skip
    return e.RoundOpened(round=name, game=game, **known | facts)


def resulted(name: str, game: str, outcome: dict[str, Any]) -> e.RoundResulted:
    return e.RoundResulted(
        round=name, table=f"t-{game}", outcome=json.dumps(outcome), wording="", streamed=False,
        accounts=(),
    )  # fmt: skip


def ruled(name: str) -> e.RulingGiven:
    return e.RulingGiven(
        round=name, table="", tournament="", account="", role="inspector", by="i",
        matter="too few turns", ruling="it counts", penalty="", hands=0, paragraph="",
    )  # fmt: skip


@pytest.mark.law("SAZKA 5(4)")
@pytest.mark.law("69GAMES Ruleta 3 (no-spin)")
@pytest.mark.parametrize(
    ("game", "turns", "rulings", "is_found"),
    [
        (ROULETTE, 5, [], False),
        (ROULETTE, 4, [], True),
        (ROULETTE, 4, ["behind the spin"], False),
        (ROULETTE, 4, ["before the spin"], True),
        (CZECH, 10, [], False),
        (CZECH, 9, [], True),
        (CZECH, 9, ["behind the spin"], False),
    ],
)
@together
def test_a_short_spin_counts_only_by_a_recorded_decision(
    house: House, game: str, turns: int, rulings: list[str], is_found: bool
) -> Asking:
    """The plan leaves it to the inspector, or to the management."""
    house.at(0, opened("r", game))
    if "before the spin" in rulings:
        house.at(1, ruled("r"))
    house.at(1, e.BetsClosed(round="r", table=f"t-{game}", bets=0, stakes=0))
    position = house.at(1, spun("r", turns=turns))
    house.at(1, e.BallLanded(round="r", number=7))
    if "behind the spin" in rulings:
        house.at(1, ruled("r"))
    house.at(2, resulted("r", game, {"number": 7}))
    expected = [("SPIN_NOT_RULED_ON", position)] if is_found else []
    assert of((yield), "SPIN_NOT_RULED_ON", "SPIN_TOO_SHORT") == expected


@pytest.mark.law("SAZKA 5a(1)")
@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"streamed": True}, None),
        ({"streamed": True, "dealer": ""}, "ROUND_WITHOUT_DEALER"),
        ({"streamed": False, "dealer": ""}, None),
        ({"streamed": True, "device_kinds": ("wheel",), "devices": ("w",)}, None),
        ({"streamed": True, "device_kinds": ("machine",), "devices": ("m",)}, "RESULT_BY_MACHINE"),
        ({"streamed": False, "device_kinds": ("machine",), "devices": ("m",)}, None),
    ],
)
@together
def test_a_streamed_round_is_dealt_by_a_person(
    house: House, facts: dict[str, Any], expected: str | None
) -> Asking:
    position = house.at(1, opened("r", ROULETTE, **facts))
    found = of((yield), "ROUND_WITHOUT_DEALER", "RESULT_BY_MACHINE")
    assert found == ([(expected, position)] if expected else [])


def dealt(name: str, *recipients: str, shoe: str = "s") -> list[e.CardDealt]:
    return [
        e.CardDealt(
            round=name, shoe=shoe, index=index, recipient=recipient,
            face_up=recipient != BURN, card="" if recipient == BURN else "2C",
        )
        for index, recipient in enumerate(recipients)
    ]  # fmt: skip


SHOES = ("SHOE_DECKS_WRONG", "SHOE_CUT_WRONG", "CARD_NOT_BURNT")


@pytest.mark.law("SAZKA 5(4)")
@pytest.mark.parametrize("is_opened_before", [False, True])
@pytest.mark.parametrize(
    ("game", "decks", "cut", "burnt", "expected"),
    [
        (BLACKJACK, 6, 52, 3, []),
        (BLACKJACK, 5, 52, 3, ["SHOE_DECKS_WRONG"]),
        (BLACKJACK, 6, 51, 3, ["SHOE_CUT_WRONG"]),
        (BLACKJACK, 6, 261, 3, ["SHOE_CUT_WRONG"]),
        (BLACKJACK, 6, 52, 2, ["CARD_NOT_BURNT"]),
        (FREE_BET, 6, 78, 0, []),
        (FREE_BET, 6, 77, 0, ["SHOE_CUT_WRONG"]),
        (FREE_BET, 6, 157, 0, ["SHOE_CUT_WRONG"]),
        (BACCARAT, 8, 1, 0, []),
        (BACCARAT, 6, 1, 0, ["SHOE_DECKS_WRONG"]),
    ],
)
@together
def test_a_shoe_is_as_the_plan_has_it(
    house: House, game: str, decks: int, cut: int, burnt: int, expected: list[str],
    is_opened_before: bool,
) -> Asking:  # fmt: skip
    """The cards that are burnt are those of the first round that is dealt from the shoe."""
    mark = f"{game}{decks}{cut}{burnt}{is_opened_before}"
    loaded = e.ShoeLoaded(
        shoe=mark, table=mark, decks=decks, shuffle_method="hand", cut=cut, cut_by="1"
    )
    if is_opened_before:
        house.at(1, opened("r", game, table=mark))
    position = house.at(1, loaded)
    if not is_opened_before:
        house.at(2, opened("r", game, table=mark))
    house.at(3, *dealt("r", *burnt * [BURN], "1", "dealer", "1", shoe=mark))
    house.at(4, opened("next", game, table=mark))
    house.at(5, *dealt("next", "1", "dealer", "1", shoe=mark))
    assert of((yield), *SHOES) == [(code, position) for code in expected]


@pytest.mark.law("SAZKA 5(4)")
@pytest.mark.parametrize(
    ("game", "recipients", "expected"),
    [
        (BACCARAT, "player banker player banker", []),
        (BACCARAT, "player banker player banker player banker", []),
        (BACCARAT, "banker player banker player", ["DEALING_ORDER_WRONG"]),
        (BACCARAT, "player player banker banker", ["DEALING_ORDER_WRONG"]),
        (BACCARAT, "burn player banker player banker", []),
        (BLACKJACK, "1 2 dealer 1 2 1 dealer", []),
        (BLACKJACK, "1 2 dealer 2 1", ["DEALING_ORDER_WRONG"]),
        (BLACKJACK, "1 2 dealer 1 2.1 2", ["DEALING_ORDER_WRONG"]),
        (BLACKJACK, "dealer 1 2 1 2", ["DEALING_ORDER_WRONG"]),
        (BLACKJACK, "1 1 dealer", ["DEALING_ORDER_WRONG"]),
        ("sazka.infinite_blackjack", "shared dealer shared dealer shared.1", []),
        ("sazka.infinite_blackjack", "shared shared dealer dealer", ["DEALING_ORDER_WRONG"]),
        ("sazka.blackjack_synot", "3 dealer 3 dealer", []),
        ("sazka.blackjack_synot", "3 dealer 3", ["DEALING_ORDER_WRONG"]),
        ("sazka.blackjack_synot", "3 dealer 3 dealer dealer 3", ["DEALING_ORDER_WRONG"]),
        (BLACKJACK, "1 2 dealer 1 2 dealer 2.1", ["DEALING_ORDER_WRONG"]),
        (FREE_BET, "1 2 dealer 1 2 1 2 dealer dealer", []),
        (FREE_BET, "dealer 1 2 1 2 2.1 dealer", []),
        (FREE_BET, "1 2 dealer 1 2 dealer 2", ["DEALING_ORDER_WRONG"]),
        (CASINO_HOLDEM, "burn shared dealer shared dealer board", []),
        (CASINO_HOLDEM, "burn shared shared dealer dealer board", []),
        (CASINO_HOLDEM, "burn shared shared board dealer dealer", ["DEALING_ORDER_WRONG"]),
        (CASINO_HOLDEM, "shared dealer shared dealer board", ["CARD_NOT_BURNT"]),
        (ULTIMATE, "1 2 dealer 1 2 dealer burn board board board burn board board", []),
        (ULTIMATE, "1 1 2 2 dealer dealer burn board board board", []),
        (ULTIMATE, "1 2 dealer 1 dealer 2 burn board board board", ["DEALING_ORDER_WRONG"]),
        (ULTIMATE, "1 dealer 1 dealer board board board burn board board", ["CARD_NOT_BURNT"]),
        (ULTIMATE, "1 dealer 1 dealer burn board board board board board", ["CARD_NOT_BURNT"]),
        ("unknown", "1 2 3", []),
    ],
)
def test_cards_are_dealt_in_the_order_of_the_plan(
    game: str, recipients: str, expected: list[str]
) -> None:
    assert [code for code, _, _ in dealing_faults(game, recipients.split())] == expected


FLOP = "burn board board board"


@pytest.mark.law("69GAMES poker rules, course of the game")
@pytest.mark.parametrize(
    ("game", "recipients", "expected"),
    [
        (HOLDEM, "a b c a b c", []),
        (HOLDEM, "a a b b c c", []),
        (HOLDEM, f"a b c a b c {FLOP} burn board burn board", []),
        (HOLDEM, f"burn a b c a b c {FLOP}", []),
        (HOLDEM, "b c a b c a", ["DEALING_ORDER_WRONG"]),
        (HOLDEM, "a b c b a c", ["DEALING_ORDER_WRONG"]),
        (HOLDEM, "a b a b", ["DEALING_ORDER_WRONG"]),
        (HOLDEM, "a b c a b c board board board", ["CARD_NOT_BURNT"]),
        (HOLDEM, f"a b c a b c {FLOP} board burn board", ["CARD_NOT_BURNT"]),
        (HOLDEM, f"a b c a b c {FLOP} burn board board", ["CARD_NOT_BURNT"]),
        (TOURNAMENT, "a b c a b c board board board", ["CARD_NOT_BURNT"]),
        (OMAHA, "a b c a b c a b c a b c", []),
        (OMAHA, "a b c a b c", ["DEALING_ORDER_WRONG"]),
        (OPEN_FACE, "a b c a b c a b c a b c a b c a a a b b b", []),
        (OPEN_FACE, "a a a a a b b b b b c c c c c", ["DEALING_ORDER_WRONG"]),
    ],
)
def test_cards_among_players_are_dealt_from_the_left_of_the_button(
    game: str, recipients: str, expected: list[str]
) -> None:
    """The plan leaves open whether a player of Texas or Omaha gets cards one by one."""
    faults = dealing_faults(game, recipients.split(), ("a", "b", "c"))
    assert [code for code, _, _ in faults] == expected


@pytest.mark.law("SAZKA 5(4)")
@pytest.mark.parametrize(
    ("game", "seated", "is_burnt", "is_found"),
    [
        (BLACKJACK, "other", False, True),
        (BLACKJACK, "other", True, False),
        (BLACKJACK, "d", False, False),
        (FREE_BET, "other", False, False),
    ],
)
@together
def test_a_dealer_who_goes_on_with_a_shoe_burns_a_card(
    house: House, game: str, seated: str, is_burnt: bool, is_found: bool
) -> Asking:
    shoe = f"change {game} {seated} {is_burnt}"
    loaded = e.ShoeLoaded(shoe=shoe, table=shoe, decks=6, shuffle_method="hand", cut=80, cut_by="1")
    house.at(1, loaded, opened("r", game, table=shoe))
    house.at(2, *dealt("r", BURN, BURN, BURN, "1", "dealer", "1", shoe=shoe))
    house.at(3, e.DealerSeated(table=shoe, dealer=seated))
    first = house.at(4, *dealt("r", *[BURN] * is_burnt, "dealer", shoe=shoe))
    house.at(5, opened("s", game, table=shoe, dealer=seated))
    house.at(6, *dealt("s", "1", "dealer", "1", shoe=shoe))
    assert of((yield), "CARD_NOT_BURNT") == ([("CARD_NOT_BURNT", first)] if is_found else [])


VOIDS = ("VOID_NOT_ALLOWED", "VOID_NOT_RECONSTRUCTED", "FAULT_NOT_ANNOUNCED")
SYNOT = "sazka.blackjack_synot"


@pytest.mark.law("SAZKA 14(1)", "SAZKA 14(3)")
@pytest.mark.law("SAZKA annex", "Baccarat, Řešení chyb")
@pytest.mark.parametrize(
    ("game", "ground", "before", "account", "expected"),
    [
        (SYNOT, "operator_interruption", [], "", None),
        (SYNOT, "card_misrecorded", [], "", "VOID_NOT_RECONSTRUCTED"),
        (SYNOT, "card_misrecorded", [True], "", "VOID_NOT_RECONSTRUCTED"),
        (SYNOT, "card_misrecorded", [False], "", None),
        (SYNOT, "card_misrecorded", [False, True], "", "VOID_NOT_RECONSTRUCTED"),
        (SYNOT, "card_misrecorded", [False], "a", "VOID_NOT_ALLOWED"),
        (SYNOT, "operator_interruption", [], "a", None),
        (SYNOT, "tampering", [], "a", None),
        (SYNOT, "tampering", [], "", "VOID_NOT_ALLOWED"),
        (SYNOT, "card_counting", [], "", "VOID_NOT_ALLOWED"),
        (CZECH, "combined_bets_suspicion", [], "", None),
        (BACCARAT, "game_error", [], "", "FAULT_NOT_ANNOUNCED"),
        (BACCARAT, "game_error", ["voice"], "", "FAULT_NOT_ANNOUNCED"),
        (BACCARAT, "game_error", ["voice", "chat"], "", None),
    ],
)
@together
def test_a_void_is_on_a_ground_of_the_plan_and_after_what_comes_first(
    house: House, game: str, ground: str, before: list[Any], account: str, expected: str | None
) -> Asking:
    version = games.versions(game)[-1]
    table = f"{game}{ground}{before}{account}"
    house.at(1, opened("r", game, plan_version=version, table=table))
    if game == BACCARAT and before:
        told = e.FaultAnnounced(table=table, round="r", channels=tuple(before), wording="w", by="d")
        house.at(2, told)
    elif before:
        for succeeded in before:
            tried = e.RoundReconstructed(round="r", how="camera", by="i", succeeded=succeeded)
            house.at(2, tried)
    void: e.Event
    if account:
        void = e.BetVoided(
            bet="r-1", account=account, round="r", amount=1, ground=ground, paragraph="p"
        )
    else:
        void = e.RoundVoided(round="r", table=table, ground=ground, paragraph="p")
    position = house.at(3, void)
    assert of((yield), *VOIDS) == ([(expected, position)] if expected else [])


PAUSED = e.TableSuspended(table="faulty", cause="fault")
GOES_ON = e.TableResumed(table="faulty", cause="mended")


@pytest.mark.law("Baccarat, Řešení chyb")
@pytest.mark.parametrize(
    ("game", "before", "is_found"),
    [
        (BACCARAT, [PAUSED], False),
        (BACCARAT, [], True),
        (BACCARAT, [PAUSED, GOES_ON], True),
        (BACCARAT, [PAUSED, GOES_ON, PAUSED], False),
        (SYNOT, [], False),
    ],
)
@together
def test_a_coup_is_paused_before_its_fault_is_announced(
    house: House, game: str, before: list[e.Event], is_found: bool
) -> Asking:
    version = games.versions(game)[-1]
    house.at(1, opened("r", game, plan_version=version, table="faulty"))
    for fact in before:
        house.at(2, fact)
    told = e.FaultAnnounced(table="faulty", round="r", channels=("voice",), wording="w", by="d")
    position = house.at(2, told)
    expected = [("FAULT_WITHOUT_PAUSE", position)] if is_found else []
    assert of((yield), "FAULT_WITHOUT_PAUSE") == expected


@pytest.mark.law("SAZKA 5(4)")
@pytest.mark.parametrize("is_rebuilt", [False, True])
@together
def test_a_wrong_order_of_dealing_is_found_at_the_result(house: House, is_rebuilt: bool) -> Asking:
    house.at(1, opened("r", BACCARAT, streamed=True))
    house.at(1, e.BetsClosed(round="r", table=f"t-{BACCARAT}", bets=0, stakes=0))
    house.at(2, *dealt("r", "banker", "player", "banker", "player"))
    if is_rebuilt:
        house.at(2, e.RoundReconstructed(round="r", how="camera", by="b", succeeded=True))
    hands = {"player": ["2C", "2C"], "banker": ["2C", "2C"]}
    position = house.at(3, resulted("r", BACCARAT, hands))
    found = of((yield), "DEALING_ORDER_WRONG")
    assert found == ([] if is_rebuilt else [("DEALING_ORDER_WRONG", position)])


@pytest.mark.law("69GAMES poker rules, fees")
@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ([(0, 100)], {}),
        ([(0, 100), (30, 100)], {}),
        ([(0, 100), (29, 100)], {1: "TIME_MONEY_TWICE"}),
        ([(0, 100), (0, 100)], {1: "TIME_MONEY_TWICE"}),
        ([(0, 100_000)], {0: "TIME_MONEY_WRONG"}),
        ([(0, 1)], {0: "TIME_MONEY_WRONG"}),
        ([(0, 100), (30, 200)], {1: "TIME_MONEY_WRONG"}),
    ],
)
@together
def test_time_money_is_within_the_plan_and_taken_once(
    house: House, taken: list[tuple[int, int]], expected: dict[int, str]
) -> Asking:
    """Minutes at which a half hour begins, and crowns: the first are announced, if allowed."""
    house.at(0, rules_published(game=HOLDEM, version="unknown"))
    house.at(0, e.TableOpened(table="x", registration="1", game=HOLDEM, place="p", streamed=False))
    begun = 1_760_000_000_000_000
    if taken[0][1] >= 100:
        house.at(0, e.TimeCollectionAnnounced(table="x", amount=100 * taken[0][1], by="floorman"))
    positions = [
        house.at(
            1,
            e.TimeCollectionTaken(
                table="x", account="a", amount=100 * crowns, period_from=begun + minute * MINUTE
            ),
        )
        for minute, crowns in taken
    ]
    found = of((yield), "TIME_MONEY_WRONG", "TIME_MONEY_TWICE")
    assert found == [(code, positions[number]) for number, code in expected.items()]


@pytest.mark.law("69GAMES poker rules, fees")
@pytest.mark.parametrize(
    ("minute", "fee", "player", "code"),
    [
        (29, "rake", "a", "TIME_MONEY_BESIDE_RAKE"),
        (30, "rake", "a", ""),
        (29, "time", "a", ""),
        (30, "time", "a", "TIME_MONEY_NOT_TAKEN"),
        (29, "rake", "b", ""),
        (29, "time", "b", ""),
        (30, "time", "b", "TIME_MONEY_NOT_TAKEN"),
    ],
)
@together
def test_a_hand_bears_a_rake_or_its_half_hour_is_paid(
    house: Neighbour, minute: int, fee: str, player: str, code: str
) -> Asking:
    named = {"table": "x", "amount": 20_000}
    house.at(0, rules_published(game=HOLDEM, version="unknown"))
    house.at(0, e.TableOpened(table="x", registration="1", game=HOLDEM, place="p", streamed=False))
    house.at(0, e.TimeCollectionAnnounced(by="floorman", **named))
    house.at(0, e.TimeCollectionTaken(account="a", period_from=START, **named))
    position = house.at(minute, e.HandStarted(
        round="h", table="x", tournament="", game=HOLDEM, plan_version="unknown",
        accounts=(f"{player}{house.mark}", "bara"), button="bara", small_blind_of="",
        big_blind_of="", small_blind=0, big_blind=0, ante=0, fee=fee, time_fee=0, point_value=0,
        value_pairs=(), pair_values=(), stop_loss_of=(), stop_losses=(), in_fantasyland=(),
    ))  # fmt: skip
    found = of((yield), "TIME_MONEY_BESIDE_RAKE", "TIME_MONEY_NOT_TAKEN")
    assert found == ([(code, position)] if code else [])


def announced(name: str, *, percent: str = "10", kind: str = "one_rebuy") -> e.TournamentAnnounced:
    return e.TournamentAnnounced(
        tournament=name, game=TOURNAMENT, plan_version="unknown", name="T", format=kind,
        structure="", limit="no limit", fee_percent=percent, currency="CZK", guarantee=0,
        buy_in=100_000, rebuy=50_000, addon=0, starting_stack=5_000, deal_conditions="",
        starts_at=0, small_blinds=(), big_blinds=(), antes=(), point_values=(), minutes=(),
    )  # fmt: skip


def paid(name: str, number: int, kind: str, amount: int) -> e.TournamentEntryPaid:
    return e.TournamentEntryPaid(
        tournament=name, entry=f"{name}-{number}", account="a", kind=kind, amount=amount, chips=0
    )


@pytest.mark.law("69GAMES tournament rules, Payouts")
@pytest.mark.parametrize(
    ("percent", "is_found"),
    [("5", False), ("15", False), ("15.01", True), ("4", True), ("much", True)],
)
@together
def test_a_fee_outside_the_plan_is_found_at_the_announcement(
    house: House, percent: str, is_found: bool
) -> Asking:
    position = house.at(1, announced(f"fee {percent}", percent=percent))
    assert of((yield), "FEE_NOT_ALLOWED") == ([("FEE_NOT_ALLOWED", position)] if is_found else [])


@pytest.mark.law("69GAMES tournament rules, kinds of tournament")
@pytest.mark.parametrize(
    ("payments", "wrong"),
    [
        ([("buy_in", 100_000), ("rebuy", 50_000)], None),
        ([("buy_in", 100_000), ("rebuy", 50_000), ("rebuy", 50_000)], 2),
        ([("buy_in", 115_000)], 0),
        ([("rebuy", 50_000)], 0),
        ([("buy_in", 100_000), ("fixed", 0), ("rebuy", 50_000)], 2),
        ([("buy_in", 100_000), ("cancelled", 0), ("rebuy", 50_000)], 2),
    ],
)
@together
def test_a_payment_into_a_tournament_against_its_rules_is_found(
    house: House, payments: list[tuple[str, int]], wrong: int | None
) -> Asking:
    """One rebuy while the registration is open, at the price that was announced."""
    name = "-".join(f"{kind}{amount}" for kind, amount in payments)
    house.at(1, announced(name))
    positions = [
        house.at(2, _step(name, number, kind, amount))
        for number, (kind, amount) in enumerate(payments)
    ]
    expected = [] if wrong is None else [("ENTRY_NOT_ALLOWED", positions[wrong])]
    assert of((yield), "ENTRY_NOT_ALLOWED") == expected


@pytest.mark.law("69GAMES tournament rules, kinds of tournament")
@pytest.mark.parametrize("is_out", [False, True])
@together
def test_a_re_entry_of_a_player_with_chips_is_found(house: House, is_out: bool) -> Asking:
    name = f"again {is_out}"
    house.at(1, announced(name, kind="re_entry"), paid(name, 1, "buy_in", 100_000))
    if is_out:
        House.at(house, 1, e.ChipsHandedBack(tournament=name, account=f"a{house.mark}", chips=1))  # type: ignore[attr-defined]
    position = house.at(2, paid(name, 2, "re_entry", 100_000))
    expected = [] if is_out else [("ENTRY_NOT_ALLOWED", position)]
    assert of((yield), "ENTRY_NOT_ALLOWED") == expected


def _step(name: str, number: int, kind: str, amount: int) -> e.Event:
    if kind == "fixed":
        return e.PrizePoolFixed(
            tournament=name, entries=1, players=1, column="", money_pool=100_000, fee=10_000,
            top_up=0, prize_pool=90_000,
        )  # fmt: skip
    if kind == "cancelled":
        return e.TournamentCancelled(tournament=name, cause="c")
    return paid(name, number, kind, amount)


@pytest.mark.law("L-23")
@pytest.mark.parametrize(
    ("kind", "made_on", "days", "is_found"),
    [
        ("document", "2025-10-09", 3 * 365 + 1, True),
        ("document", "2025-10-09", 3 * 365 + 2, False),
        ("document", "2022-10-08", 0, False),
        ("document", "2022-10-09", 0, True),
        ("document", "some day", 3 * 365 + 2, True),
        ("recording", "2020-01-01", 3 * 365 + 1, True),
        ("recording", "2020-01-01", 3 * 365 + 2, False),
    ],
)
@together
def test_a_record_is_kept_for_three_years(
    house: House, kind: str, made_on: str, days: int, is_found: bool
) -> Asking:
    """It is 9 October 2025; the day of a recording is known from its own record."""
    name = f"{kind} {made_on} {days}"
    house.at(0, recorded(name))
    destroyed = e.RecordDestroyed(kind=kind, record=name, made_on=made_on, by="b", reason="r")
    position = house.at(days * DAYS, destroyed)
    expected = [("RECORD_DESTROYED_EARLY", position)] if is_found else []
    assert of((yield), "RECORD_DESTROYED_EARLY") == expected


def recorded(name: str) -> e.RecordingKept:
    moment = 1_760_000_000_000_000
    return e.RecordingKept(
        round="r", camera="c", recording=name, begins_at=moment, ends_at=moment + 1, sound=True,
        digest="",
    )  # fmt: skip
