"""Facts of the studio after the result: they repeat the record, or contradict it and are found.

Whether the write side recorded the contradiction plays no part, as the record may be foreign.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger import games
from ledger.events import event_types as e
from ledger.games import BURN
from projections.checks.hands import check_hand
from projections.checks.rounds import check_round
from projections.reconciliation.reconcile import reconcile
from projections.resettlement.hands import hand_in
from projections.resettlement.round_history import replay_round
from projections.store.events import EventAt
from tests.projections.history_cases import House, placed, project, round_opened, settled, spun
from tests.projections.projection_cases import Chain
from tests.projections.reconciliation.test_hand_findings import recorded
from tests.projections.shared_cases import Asking, together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.findings.finding import DetectedFinding
    from projections.store.tables import Store

LIMITS = games.TableLimits()
FACES = ("2C", "7D", "9H", "JS", "3D", "KC", "KS", "4H", "5H")


def cards(*recipients: str) -> list[e.Event]:
    return [
        e.CardDealt(
            round="r", shoe="s", index=index, recipient=name, face_up=True, card=FACES[index]
        )
        for index, name in enumerate(recipients)
    ]


def of_cards(*recipients: str) -> tuple[list[e.Event], dict[str, Any]]:
    """Return cards to recipients, the last of them face down until it is revealed."""
    *before, last = cards(*recipients)
    hidden = replace(last, card="", face_up=False)
    shown = e.CardRevealed(round="r", index=last.index, card=last.card)  # type: ignore[attr-defined]
    return [*before, hidden, shown], {}


def wheel(*facts: e.Event) -> list[e.Event]:
    return [spun("r"), *facts]


FAMILIES: dict[str, tuple[list[e.Event], dict[str, Any]]] = {
    "sazka.roulette_evolution": (wheel(e.BallLanded(round="r", number=17)), {"number": 17}),
    "69games.roulette": (wheel(e.BallLanded(round="r", number=0)), {"number": 0}),
    "69games.lucky_wheel": (wheel(e.WheelStopped(round="r", field="1")), {"field": "1"}),
    "69games.blackjack": of_cards("1", "dealer", "1", "dealer"),
    "sl.free_bet_blackjack": of_cards("1", "dealer", "1", "dealer"),
    "baccarat.commission": of_cards("player", "banker", "player", "banker"),
    "sazka.casino_holdem": of_cards(
        "1", "dealer", "1", "dealer", "board", "board", "board", "board", "board"
    ),
    "69games.ultimate_texas_holdem": of_cards(
        "1", "dealer", "1", "dealer", "board", "board", "board", "board", "board"
    ),
}
"""Facts and result of a round of each family against the house."""


def round_of(game: str) -> list[e.Event]:
    facts, outcome = FAMILIES[game]
    version = games.versions(game)[0]
    if not outcome:
        shown = [replace(fact, card=FACES[fact.index]) for fact in facts  # type: ignore[attr-defined]
                 if isinstance(fact, e.CardDealt)]  # fmt: skip
        seen = [games.RecordedCard(fact.recipient, fact.card) for fact in shown]
        outcome = games.plan(game, version).outcome_from_facts(games.RoundFacts(cards=seen)) or {}
    return [
        round_opened("r", table="t", streamed=True, game=game, plan_version=version),
        e.BetsClosed(round="r", table="t", bets=0, stakes=0),
        *facts,
        e.RoundResulted(
            round="r", table="t", outcome=json.dumps(outcome), wording="", streamed=True,
            accounts=(),
        ),
    ]  # fmt: skip


def late(events: Sequence[e.Event]) -> list[DetectedFinding]:
    at = [EventAt(position, 0, event) for position, event in enumerate(events, 1)]
    hand = hand_in(at)
    if hand is not None:
        found = check_hand(hand, {}).findings
    else:
        found = check_round(replay_round("r", at), LIMITS, {}).findings
    return [one for one in found if one.about == "after the result"]


def changed(fact: e.Event) -> list[e.Event]:
    """Return facts that cannot be true together with one fact of the studio."""
    match fact:
        case e.BallLanded():
            return [replace(fact, number=(fact.number + 3) % 37)]
        case e.WheelStopped():
            return [replace(fact, field="2"), replace(fact, field="")]
        case e.WheelSpun():
            back = {"wheel_direction": fact.ball_direction, "ball_direction": fact.wheel_direction}
            invalid = e.SpinDeclaredInvalid(round=fact.round, cause="foreign_object")
            return [replace(fact, revolutions=fact.revolutions + 1), replace(fact, **back), invalid]
        case e.CardDealt():
            more = replace(fact, index=999)
            other = [replace(fact, recipient="another")]
            return other if fact.recipient == BURN else [*other, more]
        case e.CardRevealed():
            correction = e.CardRecordCorrected(
                round=fact.round, index=fact.index, recorded=fact.card, actual="AD", by="b"
            )
            unknown = replace(fact, index=998)
            return [replace(fact, card="AD"), correction, unknown]
        case e.HandsSet():
            return [replace(fact, foul=not fact.foul), replace(fact, front=fact.front[::-1])]
        case e.CardsPlaced():
            return [replace(fact, front=("AD",), middle=(), back=(), discards=())]
    return []


STUDIO = (
    e.BallLanded, e.WheelStopped, e.WheelSpun, e.CardDealt, e.CardRevealed, e.HandsSet,
    e.CardsPlaced,
)  # fmt: skip


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[e.Event]]:
    hands = recorded(tmp_path_factory.mktemp("hands"))
    among_players = {
        name: [event for _, event in hands if getattr(event, "round", "") == name]
        for name in ("h", "p", "t")
    }
    return {game: round_of(game) for game in FAMILIES} | among_players


@pytest.mark.law("SAZKA 14(1)")
@given(data=st.data())
@pytest.mark.parametrize("family", [*FAMILIES, "h", "p", "t"])
def test_a_fact_after_the_result_is_found_exactly_if_it_differs(
    rounds: dict[str, list[e.Event]], family: str, data: st.DataObject
) -> None:
    events = rounds[family]
    facts = [event for event in events if isinstance(event, STUDIO)]
    repeated = data.draw(st.lists(st.sampled_from(facts), max_size=4))
    assert late([*events, *repeated]) == []
    others = [other for fact in facts for other in changed(fact)]
    different = data.draw(st.sampled_from(others))
    place = data.draw(st.integers(0, len(repeated)))
    behind = [*repeated[:place], different, *repeated[place:]]
    (found,) = late([*events, *behind])
    assert found.code == "RESULT_ON_CONTRADICTION"
    assert found.position == len(events) + place + 1


def test_each_family_has_facts_that_can_differ(rounds: dict[str, list[e.Event]]) -> None:
    for events in rounds.values():
        assert any(changed(event) for event in events if isinstance(event, STUDIO))


@pytest.mark.parametrize("game", ["69games.blackjack", "baccarat.commission"])
def test_a_card_revealed_after_the_result_is_compared_with_the_result(game: str) -> None:
    events = round_of(game)
    shown = next(event for event in events if isinstance(event, e.CardRevealed))
    hidden = [event for event in events if event is not shown]
    assert late([*hidden, shown]) == []
    (found,) = late([*hidden, replace(shown, card="AD")])
    assert found.code == "RESULT_ON_CONTRADICTION"


@pytest.mark.parametrize(
    ("number", "expected"), [(17, 0), (20, 0), (3, 1)]
)  # the result was reconstructed as 17; the sensor had shown 20
def test_a_reconstructed_result_stands_against_the_record_that_it_replaced(
    number: int, expected: int
) -> None:
    opened, closed, spin, ball, result = round_of("sazka.roulette_evolution")
    rebuilt = e.RoundReconstructed(round="r", how="camera", by="b", succeeded=True)
    events = [opened, closed, spin, replace(ball, number=20), rebuilt, result]
    assert len(late([*events, e.BallLanded(round="r", number=number)])) == expected


def test_a_reconstruction_after_the_result_excuses_nothing() -> None:
    opened, closed, spin, ball, result = round_of("sazka.roulette_evolution")
    rebuilt = e.RoundReconstructed(round="r", how="camera", by="b", succeeded=True)
    events = [opened, closed, spin, replace(ball, number=20), result, rebuilt]
    at = [EventAt(position, 0, event) for position, event in enumerate(events, 1)]
    found = check_round(replay_round("r", at), LIMITS, {}).findings
    assert [one.code for one in found] == ["RESULT_NOT_LANDED"]


def test_an_action_after_the_result_is_found() -> None:
    action = e.PlayerDecided(
        account="a", round="r", decision="hit", box="1", hand="1", by="player",
        stake=0, free=False, street="", times=0, asked_at=0, until=0,
    )  # fmt: skip
    assert [one.code for one in late([*round_of("69games.blackjack"), action])] == [
        "RESULT_ON_CONTRADICTION"
    ]


def test_a_fold_after_the_result_is_found_and_cards_shown_are_not(
    rounds: dict[str, list[e.Event]],
) -> None:
    act = next(event for event in rounds["h"] if isinstance(event, e.HandAction))
    shown, folded = (replace(act, action=name, amount=0) for name in ("show", "fold"))
    assert late([*rounds["h"], shown]) == []
    assert len(late([*rounds["h"], folded])) == 1


def test_a_second_pot_is_compared_as_the_first(rounds: dict[str, list[e.Event]]) -> None:
    pot = next(event for event in rounds["h"] if isinstance(event, e.PotAwarded))
    nothing = (0,) * len(pot.paid)
    second = replace(pot, winners=("b",), due=nothing, paid=nothing)
    for order in ([second], [second, replace(pot, due=nothing, paid=nothing)]):
        hand = hand_in([EventAt(at, 0, one) for at, one in enumerate([*rounds["h"], *order], 1)])
        assert hand is not None
        assert "POT_WRONG" in {one.code for one in check_hand(hand, {}).findings}


@pytest.mark.law("SAZKA 14(1)")
@pytest.mark.parametrize("is_settled", [False, True])
@pytest.mark.parametrize(("number", "expected"), [(17, 0), (20, 1)])
@together
def test_a_ball_behind_the_result_is_found_in_the_tables(
    house: House, number: int, expected: int, is_settled: bool
) -> Asking:
    bet = placed("r", code="straight", selection=[17])
    house.opened(1, "r")
    house.at(1, bet)
    house.closed(2, "r", bet)
    house.at(3, e.BallLanded(round="r", number=17))
    house.resulted(4, "r", 17)
    if is_settled:
        house.at(5, settled(bet, due=36_000))
    house.played(6, "q", until=7)
    position = house.at(8, e.BallLanded(round="r", number=number))
    found = [one for one in (yield) if one.code == "RESULT_ON_CONTRADICTION"]
    assert [(one.position, one.round) for one in found] == [(position, "r")] * expected
    assert [one.sentence for one in found] == [
        "The result rests on a record that says two things: the ball on 20 after the result."
    ] * expected


def test_a_hand_whose_facts_come_much_later_is_found(
    store: Store, rounds: dict[str, list[e.Event]]
) -> None:
    """So much later that the hand would have been left behind."""
    house = House(Chain())
    house.at(1, *rounds["h"])
    clock = e.ClockMeasured(source_of_time="ntp", skew=0, uncertainty=1)
    house.at(2, *[clock] * 60_000)
    dealt = next(event for event in rounds["h"] if isinstance(event, e.CardDealt))
    position = house.at(3, replace(dealt, card="AH"))
    project(house.chain, store)
    found = [one.position for one in reconcile(store, only=frozenset({"RESULT_ON_CONTRADICTION"}))]
    assert found == [position]
