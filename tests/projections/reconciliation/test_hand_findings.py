"""Records of hands and tournaments that are wrong: what settling them again says.

A sound record is made by the write side; one event of it is changed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from ledger.events import event_types as e
from ledger.events.encoding import decode
from ledger.rules.operator import shipped_rules
from projections.checks import tournaments
from projections.checks.hands import check_hand
from projections.findings.finding import render_findings
from projections.replay.hand import replay_hand
from projections.resettlement.hand import PokerHand
from projections.resettlement.hands import HandHistory, hand_in
from projections.store.events import EventAt
from projections.store.operator import PublishedRules
from tests.ledger.decisions.poker_room import TEXAS
from tests.projections.hand_cases import PokerRoom
from tests.projections.history_cases import Casino

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.events.event_types import Event

    Change = Callable[[Event], Event | None]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[int, Event]]:
    """Two hands, a hand with side pots, a misdeal, a game of open-face, a tournament."""
    return recorded(tmp_path_factory.mktemp("hands"))


def recorded(folder: Path) -> list[tuple[int, Event]]:
    casino = Casino(folder)
    room = PokerRoom(casino)
    room.play("h")
    room.open_face("p")
    room.start("m")
    casino.do("declare_misdeal", round="m", ground="misdeal_extra_cards")
    room.start("u")
    room.act("u", "a", "raise", 1_000)
    room.act("u", "b", "fold")
    room.act("u", "c", "fold")
    casino.do("settle_hand", round="u")
    room.tournament()
    messages = [decode(body) for _, body in casino.log.read()]
    casino.close()
    return [(one.position, one.event) for one in messages]


def history_of(
    record: list[tuple[int, Event]], name: str, change: Change = lambda event: event
) -> HandHistory:
    of_round = [
        EventAt(position, 0, changed)
        for position, event in record
        if getattr(event, "round", "") == name and (changed := change(event)) is not None
    ]
    history = hand_in(of_round)
    assert history is not None
    return history


def found(history: HandHistory) -> list[tuple[str, str, int]]:
    findings = check_hand(history, {}).findings
    in_full = render_findings(findings, shipped_rules()["sazka"])
    assert all(one.position > 0 and one.paragraph and one.sentence for one in in_full)
    return [(one.code, one.account, one.amount) for one in findings]


def replaced(kind: str, **facts: Any) -> Change:
    """Change facts of the first event of a type."""
    seen: list[Event] = []

    def change(event: Event) -> Event:
        if event.type != kind or seen:
            return event
        seen.append(event)
        return msgspec.structs.replace(event, **facts)

    return change


def without(kind: str) -> Change:
    return lambda event: None if event.type == kind else event


@pytest.mark.parametrize("name", ["h", "p", "m", "u", "t"])
def test_sound_records_have_no_findings(record: list[tuple[int, Event]], name: str) -> None:
    history = history_of(record, name)
    assert found(history) == []
    assert replay_hand(history, check_hand(history, {}).again) is not None


@pytest.mark.law("SAZKA 14(1)", "69GAMES poker rules, Misdeal", "69GAMES poker rules, Showdown")
@pytest.mark.law("69GAMES Pineapple, Bodování")
@pytest.mark.law("69GAMES poker rules, Rake")
@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [
        ("h", replaced("PotAwarded", winners=("b",)), [("POT_WRONG", "", 0)]),
        ("h", replaced("PotAwarded", amount=40_000), [("POT_WRONG", "", 10_000)]),
        ("h", replaced("PotAwarded", stakes=(20_000, 10_000, 0)), [("POT_WRONG", "", 0)]),
        ("h", replaced("PotAwarded", eligible=("a",)), [("POT_WRONG", "", 0)]),
        ("h", replaced("PotAwarded", pot=1),
         [("POT_WRONG", "", -30_000), ("POT_WRONG", "", 30_000)]),
        ("h", without("PotAwarded"), [("POT_WRONG", "", -30_000), ("DUE_WRONG", "a", -28_500),
                                      ("PAID_TOO_LITTLE", "a", 28_500)]),
        ("h", replaced("PotAwarded", due=(0, 28_500, 0), paid=(0, 28_500, 0)),
         [("DUE_WRONG", "a", -28_500), ("PAID_TOO_LITTLE", "a", 28_500),
          ("DUE_WRONG", "b", 28_500), ("PAID_TOO_MUCH", "b", 28_500)]),
        ("h", replaced("RakeTaken", due=1_400), [("RAKE_WRONG", "", -100)]),
        ("h", without("RakeTaken"), [("RAKE_WRONG", "", -1_500), ("RAKE_TOO_LITTLE", "", 1_500)]),
        ("h", replaced("RoundResulted", outcome="{}"), [("OUTCOME_DIFFERS", "", 0)]),
        ("h", replaced("RoundResulted", outcome="no"), [("OUTCOME_DIFFERS", "", 0)]),
        ("h", replaced("CardDealt", card="AH"), [("OUTCOME_DIFFERS", "", 0)]),
        ("h", replaced("CardDealt", card="QS"), [("OUTCOME_IMPOSSIBLE", "", 0)]),
        ("h", replaced("HandStarted", plan_version="9"), [("OUTCOME_IMPOSSIBLE", "", 0)]),
        ("u", without("UncalledReturned"), [("UNCALLED_WRONG", "a", -90_000)]),
        ("u", replaced("UncalledReturned", account="b"),
         [("UNCALLED_WRONG", "a", -90_000), ("UNCALLED_WRONG", "b", 90_000)]),
        ("m", replaced("MisdealDeclared", amounts=(0, 10_000)),
         [("MISDEAL_WRONG", "b", -5_000)]),
        ("p", replaced("HandsSet", foul=True), [("SET_WRONG", "a", 0)]),
        ("p", replaced("HandsSet", fantasyland=0), [("SET_WRONG", "a", 0)]),
        ("p", replaced("PointsSettled", points=(0, 0, 0)),
         [("POINTS_WRONG", "", 0), ("POINTS_WRONG", "", 0), ("POINTS_WRONG", "", 0)]),
        ("m", without("MisdealDeclared"),
         [("MISDEAL_WRONG", "b", -5_000), ("MISDEAL_WRONG", "c", -10_000)]),
        ("h", without("RoundResulted"),
         [("POT_WITHOUT_RESULT", "", 28_500), ("POT_WITHOUT_RESULT", "", 1_500)]),
        ("u", without("RoundResulted"),
         [("POT_WITHOUT_RESULT", "", 23_800), ("POT_WITHOUT_RESULT", "", 90_000),
          ("POT_WITHOUT_RESULT", "", 1_200)]),
        ("p", without("PointsSettled"), None),
        ("t", replaced("PotAwarded", winners=("c",)), [("POT_WRONG", "", 0)]),
    ],
)  # fmt: skip
def test_a_wrong_record_is_found(
    record: list[tuple[int, Event]],
    name: str,
    change: Change,
    expected: list[tuple[str, str, int]] | None,
) -> None:
    history = history_of(record, name, change)
    if expected is None:
        assert {"POINTS_WRONG", "DUE_WRONG", "PAID_TOO_LITTLE"} == {
            one[0] for one in found(history)
        }
    else:
        assert found(history) == expected
    assert replay_hand(history, check_hand(history, {}).again) is not None


@pytest.mark.law("69GAMES poker rules, course of the game")
def test_money_put_in_after_the_end_is_found(record: list[tuple[int, Event]]) -> None:
    last = max(position for position, _ in record)
    act = next(event for _, event in record if event.type == "HandAction")
    history = history_of([*record, (last + 1, msgspec.structs.replace(act, amount=700))], "h")
    assert found(history) == [("ACTION_OUTSIDE_HAND", "b", 700)]


@pytest.mark.law("SAZKA 14(1)")
def test_a_hand_on_a_card_that_says_two_things_is_found(record: list[tuple[int, Event]]) -> None:
    of_hand = [event for _, event in record if getattr(event, "round", "") == "h"]
    at, dealt = next((at, one) for at, one in enumerate(of_hand) if one.type == "CardDealt")
    other = msgspec.structs.replace(dealt, card="AH")
    twice = [*of_hand[: at + 1], other, dealt, *of_hand[at + 1 :]]
    assert found(history_of(list(enumerate(twice, 1)), "h")) == [("RESULT_ON_CONTRADICTION", "", 0)]


@pytest.mark.law("69GAMES poker rules, Misdeal")
def test_a_misdeal_after_two_players_acted_is_found(record: list[tuple[int, Event]]) -> None:
    acts = [event for _, event in record if getattr(event, "round", "") == "u"
            and event.type == "HandAction" and event.action in {"raise", "fold"}]  # fmt: skip
    misdealt = [event for _, event in record if getattr(event, "round", "") == "m"]
    moved = [msgspec.structs.replace(act, round="m", amount=0) for act in acts[:2]]
    history = history_of(list(enumerate([*misdealt[:-2], *moved, *misdealt[-2:]], 1)), "m")
    assert ("MISDEAL_TOO_LATE", "", 0) in found(history)


@pytest.mark.law("69GAMES poker rules, course of the game")
def test_an_action_out_of_turn_is_found(record: list[tuple[int, Event]]) -> None:
    of_hand = [event for _, event in record if getattr(event, "round", "") == "h"]
    first, second = (
        at
        for at, one in enumerate(of_hand)
        if isinstance(one, e.HandAction) and one.action == "call"
    )
    of_hand[first], of_hand[second] = of_hand[second], of_hand[first]
    history = history_of(list(enumerate(of_hand, 1)), "h")
    assert ("ACTION_OUT_OF_TURN", "b", 0) in found(history)


@pytest.mark.law("69GAMES Pineapple, rules and dealing")
@pytest.mark.parametrize("moved", [False, True])
def test_rows_other_than_the_placements_are_found(
    record: list[tuple[int, Event]], moved: bool
) -> None:
    of_game = [event for _, event in record if getattr(event, "round", "") == "p"]
    at, placed = next((at, one) for at, one in enumerate(of_game) if isinstance(one, e.CardsPlaced))
    front, middle = placed.front, placed.middle
    if moved:
        front, middle = (middle[0], *front[1:]), (front[0], *middle[1:])
    of_game[at] = msgspec.structs.replace(placed, front=front, middle=middle)
    history = history_of(list(enumerate(of_game, 1)), "p")
    assert [code for code, _, _ in found(history)] == ["CARDS_MOVED"] * 2 * moved


@pytest.mark.law("69GAMES Pineapple, rules and dealing")
@pytest.mark.parametrize("in_fantasyland", [False, True])
def test_rows_without_a_placement_at_each_street_are_found(
    record: list[tuple[int, Event]], in_fantasyland: bool
) -> None:
    """In Fantasyland all cards are set at once."""

    def change(event: Event) -> Event | None:
        if isinstance(event, e.CardsPlaced) and event.account == "b":
            return None
        if isinstance(event, e.HandStarted) and in_fantasyland:
            return msgspec.structs.replace(event, in_fantasyland=("b",))
        return event

    codes = [code for code, account, _ in found(history_of(record, "p", change)) if account == "b"]
    assert ("CARDS_NOT_PLACED" in codes) is not in_fantasyland


@pytest.mark.law("69GAMES poker rules, course of the game")
@pytest.mark.parametrize(
    ("name", "posted", "missing"),
    [
        ("t", "abc", ""),
        ("t", "ab", "c"),
        ("t", "a", "bc"),
        ("t", "", "abc"),
        ("h", "a", ""),
        ("h", "b", "ac"),
        ("h", "", "abc"),
    ],
)
def test_everybody_pays_the_ante_or_in_a_cash_game_the_button(
    record: list[tuple[int, Event]], name: str, posted: str, missing: str
) -> None:
    of_hand = [event for _, event in record if getattr(event, "round", "") == name]
    at, started = next(
        (at, one) for at, one in enumerate(of_hand) if isinstance(one, e.HandStarted)
    )
    of_hand[at] = msgspec.structs.replace(started, ante=1_000)
    act = next(one for one in of_hand if isinstance(one, e.HandAction))
    antes = [
        msgspec.structs.replace(
            act, account=account, action="ante", street="ante", amount=0, total=0, in_hand=0
        )
        for account in posted
    ]
    history = history_of(list(enumerate([*of_hand[: at + 1], *antes, *of_hand[at + 1 :]], 1)), name)
    owed = [("ANTE_MISSING", account, 1_000) for account in missing]
    assert [one for one in found(history) if one[0] == "ANTE_MISSING"] == owed


@pytest.mark.law("69GAMES poker rules, course of the game")
@pytest.mark.parametrize("is_cash", [True, False])
def test_a_fold_instead_of_an_ante_is_no_fault_and_a_fold_after_it_changes_no_debt(
    *, is_cash: bool
) -> None:
    started = e.HandStarted(
        round="h", table="x", game=TEXAS, plan_version="unknown", accounts=("a", "b", "c"),
        tournament="" if is_cash else "m", button="a", small_blind_of="b", big_blind_of="c",
        small_blind=5_000, big_blind=10_000, ante=1_000, fee="rake", time_fee=0, point_value=0,
        value_pairs=(), pair_values=(), stop_loss_of=(), stop_losses=(), in_fantasyland=(),
    )  # fmt: skip
    hand = PokerHand(started)
    folded = action("b", "fold")
    assert not hand.is_out_of_turn(folded), "instead of the blind and the ante"
    assert hand.is_out_of_turn(action("c", "check"))
    hand.follow(action("a", "ante", 1_000))
    hand.follow(folded)
    assert hand.to_act() == "a", "the first to the left of the big blind"
    assert list(hand.antes_missing()) == ([] if is_cash else ["c"])


def action(account: str, kind: str, amount: int = 0) -> e.HandAction:
    return e.HandAction(
        round="h", table="x", tournament="", bet="h-1", account=account,
        street="ante" if kind == "ante" else "preflop", action=kind, amount=amount, total=amount,
        in_hand=amount, all_in=False, by="player", asked_at=0, until=0,
    )  # fmt: skip


@pytest.mark.parametrize("facts", [{"button": "x"}, {"big_blind_of": "x"}])
def test_a_hand_without_its_positions_is_found(
    record: list[tuple[int, Event]], facts: dict[str, str]
) -> None:
    """It must not end the examination."""
    codes = {
        code for code, _, _ in found(history_of(record, "h", replaced("HandStarted", **facts)))
    }
    assert codes >= ({"OUTCOME_IMPOSSIBLE"} if "button" in facts else set())


MONTH = 30 * 24 * 3_600_000_000


def moment_of(position: int) -> int:
    return position * MONTH


def tournament_found(record: list[tuple[int, Event]], change: Change) -> list[tuple[str, str, int]]:
    history = tournament_course(record, change)
    published = PublishedRules((0,), (0,), (shipped_rules()["sazka"],), ("",))
    findings = tournaments.check_tournament(history, published)
    return [(one.code, one.account, one.amount) for one in findings]


def tournament_course(
    record: list[tuple[int, Event]], change: Change
) -> tournaments.TournamentHistory:
    changed = [
        EventAt(position, moment_of(position), new)
        for position, event in record
        if getattr(event, "tournament", "") and (new := change(event)) is not None
    ]
    (history,) = tournaments.tournament_histories_in(changed)
    return history


@pytest.mark.law("69GAMES tournament rules, Payouts")
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda event: event, []),
        (replaced("PrizePoolFixed", fee=20_000), [("POOL_WRONG", "", -10_000)]),
        (replaced("PrizePoolFixed", column="6-9"), [("POOL_WRONG", "", 0)]),
        (replaced("TournamentEnded", prize_pool=270_000), [("POOL_WRONG", "", -230_000)]),
        (replaced("TournamentEnded", stakes=(1, 100_000, 100_000)),
         [("POOL_WRONG", "a", -99_999)]),
        (replaced("TournamentPrizePaid", paid=499_999), [("PRIZE_TOO_LITTLE", "a", 1)]),
        (replaced("TournamentPrizePaid", due=1, paid=500_001),
         [("PRIZE_WRONG", "a", -499_999), ("PRIZE_TOO_MUCH", "a", 1)]),
        (replaced("TournamentPrizePaid", account="b"),
         [("PRIZE_WRONG", "a", -500_000), ("PRIZE_TOO_LITTLE", "a", 500_000),
          ("PRIZE_WRONG", "b", 500_000), ("PRIZE_TOO_MUCH", "b", 500_000)]),
        (without("TournamentPrizePaid"),
         [("PRIZE_WRONG", "a", -500_000), ("PRIZE_TOO_LITTLE", "a", 500_000)]),
        (without("PlayerEliminated"), [("TOURNAMENT_IMPOSSIBLE", "", 0)]),
        (without("TournamentEnded"), [("PRIZE_TOO_MUCH", "a", 500_000)]),
        (replaced("TournamentAnnounced", format="none"), None),
    ],
)  # fmt: skip
def test_a_wrong_tournament_is_found(
    record: list[tuple[int, Event]],
    change: Change,
    expected: list[tuple[str, str, int]] | None,
) -> None:
    if expected is None:
        codes = {one[0] for one in tournament_found(record, change)}
        assert codes == {"TOURNAMENT_IMPOSSIBLE", "ENTRY_NOT_ALLOWED"}
    else:
        assert tournament_found(record, change) == expected


@pytest.mark.law("69GAMES tournament rules, Payouts")
def test_a_start_too_soon_after_the_announcement_is_found(
    record: list[tuple[int, Event]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "MONTH", 1)
    assert tournament_found(record, lambda event: event) == [("ANNOUNCED_TOO_LATE", "", 0)]


@pytest.mark.law("69GAMES tournament rules, Registration")
def test_a_cancelled_tournament_that_keeps_money_is_found(
    record: list[tuple[int, Event]],
) -> None:
    early = [(at, event) for at, event in record if event.type != "TournamentEnded"]
    early = [(at, event) for at, event in early if event.type != "TournamentPrizePaid"]
    early.append((10**6, e.TournamentCancelled(tournament="cup", cause="c")))
    assert tournament_found(early, lambda event: event) == [
        ("ENTRY_NOT_RETURNED", name, 100_000) for name in ("a", "b", "c")
    ]


@pytest.mark.law("69GAMES tournament rules, Registration")
@pytest.mark.parametrize(
    ("facts", "is_wrong"),
    [
        ({}, False),
        ({"amount": 99_999}, True),
        ({"account": "b"}, True),
        ({"entry": "cup-9"}, True),
        ({"position": 10**6}, True),
    ],
)
def test_a_payment_that_went_back_wrongly_is_found(
    record: list[tuple[int, Event]], facts: dict[str, Any], *, is_wrong: bool
) -> None:
    paid = [at for at, event in record if event.type == "TournamentEntryPaid"]
    until = facts.pop("position", max(paid))
    back = e.TournamentEntryReturned(
        **{
            "tournament": "cup", "entry": "cup-3", "account": "c", "amount": 100_000,
            "cause": "withdrawn", "paragraph": "p", **facts,
        }
    )  # fmt: skip
    played = [(at, event) for at, event in record if at <= until]
    wrong = tournament_found([*played, (until, back)], lambda event: event)
    assert ("ENTRY_RETURN_WRONG" in {code for code, _, _ in wrong}) is is_wrong


DEALT = e.HandStarted(
    round="t", table="t1", tournament="cup", game="69games.texas_holdem_tournament",
    plan_version="unknown", accounts=("a", "b", "c"), button="a", small_blind_of="b",
    big_blind_of="c", small_blind=5_000, big_blind=10_000, ante=0, fee="none", time_fee=0,
    point_value=0, value_pairs=(), pair_values=(), stop_loss_of=(), stop_losses=(),
    in_fantasyland=(),
)  # fmt: skip
MISDEALT = e.MisdealDeclared(
    round="t", table="t1", tournament="cup", ground="misdeal_extra_cards", paragraph="p", acted=0,
    accounts=(), bets=(), amounts=(),
)  # fmt: skip
OUT = e.PlayerEliminated(
    tournament="cup",
    accounts=("c",),
    round="",
    place=0,
    left=2,
    disqualified_for="chips hidden",
    chips=(),
)
DEAL = e.DealAgreed(
    tournament="cup", accounts=("a", "b", "c"), shares=(1, 1, 1), playout_percent="", playout=0
)
FIXED = e.PrizePoolFixed(
    tournament="cup", entries=3, players=3, column="2-5", money_pool=300_000, fee=30_000,
    top_up=0, prize_pool=270_000,
)  # fmt: skip


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ([DEALT], "the player had played a hand"),
        ([DEALT, MISDEALT], None),
        ([OUT], "the player was out of the tournament"),
        ([FIXED, DEAL], "a deal was agreed before"),
        (
            [FIXED, msgspec.structs.replace(OUT, accounts=("a", "b"))],
            "nobody else was left in the tournament",
        ),
        ([FIXED], None),
    ],
)
def test_a_payment_that_went_back_too_late_is_found(
    record: list[tuple[int, Event]], before: list[Event], why: str | None
) -> None:
    until = max(at for at, event in record if event.type == "TournamentEntryPaid")
    back = e.TournamentEntryReturned(
        tournament="cup", entry="cup-3", account="c", amount=100_000, cause="withdrawn",
        paragraph="p",
    )  # fmt: skip
    paid = [(at, event) for at, event in record if at <= until]
    more = enumerate([*before, back], start=until + 1)
    history = tournament_course([*paid, *more], lambda event: event)
    assert [str(reason) for _, reason in history.wrong_returns] == ([why] if why else [])


@pytest.mark.law("69GAMES poker rules, Showdown")
@pytest.mark.parametrize(
    ("raised", "order", "early"),
    [
        ("", "bca", ""),
        ("", "Bca", ""),
        ("", "BCa", ""),
        ("", "cba", "c"),
        ("", "ba", "a"),
        ("flop c", "cab", ""),
        ("flop c", "bca", "b"),
        ("river a", "ABc", ""),
        ("river a", "bac", "b"),
        ("", "*bCa", ""),
        ("", "C*ba", ""),
        ("", "*c*bA", ""),
    ],
)
def test_a_player_who_shows_before_another_one_must_is_found(
    record: list[tuple[int, Event]], raised: str, order: str, early: str
) -> None:
    """In the order of showing; a capital is a muck, a star a revealed card. The button is ``a``.

    Where cards are revealed and no player is recorded as showing, the order is not known.
    """
    of_hand = [event for _, event in record if getattr(event, "round", "") == "h"]
    call = next(one for one in of_hand if isinstance(one, e.HandAction) and one.action == "call")
    end = next(at for at, one in enumerate(of_hand) if one.type == "RoundResulted")

    def acted(account: str, action: str, street: str, amount: int = 0) -> e.HandAction:
        return msgspec.structs.replace(
            call, account=account, action=action, street=street, amount=amount, total=amount
        )

    street, _, better = raised.partition(" ")
    bets = [acted(better, "bet", street, 100_00)] if raised else []
    bets += [acted(name, "call", street, 100_00) for name in "abc" if bets and name != better]
    cards = {one.recipient: one for one in of_hand if isinstance(one, e.CardDealt)}
    shows: list[Event] = []
    for mark, one in re.findall(r"(\*?)([a-cA-C])", order):
        card = cards[one.lower()]
        revealed = e.CardRevealed(round="h", index=card.index, card=card.card)
        action = "muck" if one.isupper() else "show"
        shows.append(revealed if mark else acted(one.lower(), action, "river"))
    of_hand[end:end] = [*bets, *shows]
    history = history_of(list(enumerate(of_hand, 1)), "h")
    shown = [account for code, account, _ in found(history) if code == "SHOWN_OUT_OF_ORDER"]
    assert shown == [*early]
