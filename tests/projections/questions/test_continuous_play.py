"""Continuous play: examples at the boundaries, and a plain fold on random histories."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from ledger.core.clock import MINUTE
from ledger.events import event_types as e
from projections.questions.continuous_play import (
    Sequence,
    break_violations,
    play,
    play_and_violations,
)
from projections.reconciliation.reconcile import reconcile
from tests.projections.history_cases import (
    SEALED,
    House,
    concluded,
    emptied,
    placed,
    project,
    round_opened,
    round_voided,
    settled,
    voided,
    withdrawn,
)
from tests.projections.projection_cases import START, Chain
from tests.projections.twins.play import PlayTwin, TwinSequence, TwinViolation
from tests.search import amount, sample

if TYPE_CHECKING:
    from projections.store.tables import Store


def sequences(store: Store, house: House) -> tuple[Sequence, ...]:
    project(house.chain, store)
    return play(store).sequences


def streak(house: House, *, until: float, step: int = 7) -> None:
    """Play rounds from minute 0 without a gap, the last one evaluated at a minute."""
    minute = 0
    while minute + step < until:
        house.played(minute, f"s{minute}", until=minute + step)
        minute += step
    house.played(minute, f"s{minute}", until=until)


@pytest.mark.law("SAZKA 5a(3)", "L-51")
def test_worked_example_of_121_minutes_blocks_for_15(store: Store, house: House) -> None:
    streak(house, until=121)
    house.played(121 + 14, "early", until=136)
    (found,) = sequences(store, house)[:1]
    assert (found.minutes, found.length, found.reached) == (136, 136 * MINUTE, True)
    (violation,) = break_violations(store).violations
    assert (violation.bet, violation.length) == ("early-1", 121 * MINUTE)
    assert violation.until == START + 136 * MINUTE


def test_worked_example_bet_at_119_minutes_is_the_last_before_the_break(
    store: Store, house: House
) -> None:
    streak(house, until=119)
    house.played(120, "last", until=122)
    house.played(137, "after", until=138)
    first, second = sequences(store, house)
    assert (first.minutes, first.break_until) == (122, START + 137 * MINUTE)
    assert (second.started_at, second.minutes) == (START + 137 * MINUTE, 1)
    assert break_violations(store).violations == ()


@pytest.mark.law("SAZKA 5a(5)")
@pytest.mark.parametrize(("micros", "count", "violations"), [(-1, 1, 1), (0, 2, 0), (1, 2, 0)])
def test_15_minutes_to_the_microsecond_end_a_sequence(
    store: Store, house: House, micros: int, count: int, violations: int
) -> None:
    streak(house, until=120)
    house.opened(121, "next")
    chips = placed("next")
    house.at(135, chips, micros=micros)
    house.closed(136, "next", chips)
    house.resulted(137, "next")
    assert len(sequences(store, house)) == count
    assert len(break_violations(store).violations) == violations


@pytest.mark.parametrize(("micros", "reached"), [(-1, False), (0, True)])
def test_120_minutes_to_the_microsecond_ask_for_a_break(
    store: Store, house: House, micros: int, reached: bool
) -> None:
    streak(house, until=110)
    house.opened(110, "r")
    chips = placed("r")
    house.at(110, chips)
    house.closed(111, "r", chips)
    house.resulted(120, "r", micros=micros)
    house.played(121, "next", until=122)
    project(house.chain, store)
    early = play(store, at=len(house.chain.messages) - 8).sequences
    assert [(found.length, found.reached) for found in early] == [(120 * MINUTE + micros, reached)]
    assert len(break_violations(store).violations) == reached


def test_a_void_round_evaluates_nothing(store: Store, house: House) -> None:
    house.played(0, "a", until=1)
    house.opened(2, "b")
    chips = placed("b")
    house.at(2, chips)
    house.closed(3, "b", chips)
    house.at(4, round_voided("b"), voided(chips))
    house.played(16, "c", until=17)
    first, second = sequences(store, house)
    assert (first.length, second.started_at) == (MINUTE, START + 16 * MINUTE)


def test_chips_taken_back_begin_nothing(store: Store, house: House) -> None:
    house.opened(0, "r")
    back, kept = placed("r", 1), placed("r", 2)
    house.at(0, back)
    house.at(1, withdrawn(back))
    house.at(5, kept)
    house.closed(6, "r", kept)
    house.resulted(7, "r")
    (found,) = sequences(store, house)
    assert (found.started_at, found.bets) == (START + 5 * MINUTE, 1)


def test_bets_voided_before_the_result_do_not_count_and_later_ones_do(
    store: Store, house: House
) -> None:
    house.opened(0, "r")
    bets = [placed("r", number) for number in range(3)]
    for minute, bet in enumerate(bets):
        house.at(minute, bet)
    house.closed(6, "r", *bets)
    house.at(7, voided(bets[0]))
    house.resulted(8, "r")
    house.at(9, voided(bets[1]))
    (found,) = sequences(store, house)
    assert (found.started_at, found.bets) == (START + MINUTE, 2)


@pytest.mark.law("SAZKA 5a(4)")
def test_raises_finish_a_round_that_began_before_the_break(store: Store, house: House) -> None:
    house.opened(0, "long", table="t2")
    first = placed("long", table="t2")
    house.at(0, first)
    house.closed(1, "long", first, table="t2")
    streak(house, until=120)
    more = placed("long", 2, parent=first.bet, table="t2")
    house.at(121, more, concluded(more))
    project(house.chain, store)
    assert break_violations(store).violations == ()


def test_land_based_rounds_do_not_count(store: Store, house: House) -> None:
    streak(house, until=120)
    house.opened(121, "land", streamed=False)
    chips = placed("land")
    house.at(121, chips)
    house.closed(122, "land", chips)
    house.resulted(130, "land")
    (found,) = sequences(store, house)
    assert found.minutes == 120
    assert break_violations(store).violations == ()


def test_chips_in_a_break_that_never_became_a_bet_violate_nothing(
    store: Store, house: House
) -> None:
    streak(house, until=121)
    house.opened(122, "r")
    back, kept = placed("r", 1), placed("r", 2)
    house.at(122, back)
    house.at(123, withdrawn(back))
    house.at(124, kept)
    project(house.chain, store)
    assert break_violations(store).violations == ()
    house.closed(125, "r", kept)
    project(house.chain, store)
    (violation,) = break_violations(store).violations
    assert violation.bet == kept.bet
    assert break_violations(store, account="b").violations == ()


def test_an_account_can_be_asked_for_alone(store: Store, house: House) -> None:
    house.account("b")
    house.played(0, "r", until=1)
    house.played(1, "q", until=2, account="b")
    project(house.chain, store)
    assert {found.account for found in play(store).sequences} == {"a", "b"}
    assert [found.account for found in play(store, account="b").sequences] == ["b"]


@pytest.mark.law("SAZKA 5a(3)", "SAZKA 5a(5)")
@pytest.mark.parametrize(("minute", "violations"), [(134, ["early-1"]), (135, [])])
def test_a_break_binds_the_next_account(
    store: Store, house: House, minute: float, violations: list[str]
) -> None:
    """The second account of the person of ``a`` bets in the break, and somebody else may."""
    house.account("c")
    streak(house, until=120)
    house.at(121, e.AccountClosed(account="a", ground="ZHH 80(1)"))
    house.account("b", person="p-a", minute=122)
    house.played(123, "other", until=124, account="c")
    house.played(minute, "early", until=minute + 1, account="b")
    project(house.chain, store)
    assert [one.bet for one in break_violations(store).violations] == violations
    assert [one.bet for one in break_violations(store, account="b").violations] == violations
    found = [one.bet for one in reconcile(store, only=frozenset({"BREAK_VIOLATED"}))]
    assert found == violations


@pytest.mark.law("SAZKA 5a(5)")
def test_a_sequence_goes_on_with_the_next_account(store: Store, house: House) -> None:
    """100 minutes with ``a`` and 20 with ``b`` ask for the break; a pause begins a new sequence."""
    streak(house, until=100)
    house.at(101, e.AccountClosed(account="a", ground="ZHH 80(1)"))
    house.account("b", person="p-a", minute=102)
    house.played(110, "q", until=120, account="b")
    house.played(134, "early", until=135, account="b")
    house.played(150, "late", until=151, account="b")
    project(house.chain, store)
    (of_a,) = play(store, account="a").sequences
    first, second = play(store, account="b").sequences
    assert (of_a.number, of_a.minutes, of_a.break_until) == (1, 100, None)
    assert (first.number, first.started_at, first.minutes) == (1, of_a.started_at, 135)
    assert (second.number, second.minutes, second.rounds) == (2, 1, 1)
    assert play(store).sequences == (of_a, first, second)
    assert [one.bet for one in break_violations(store).violations] == ["early-1"]


# Random histories

GAPS = [0, 1, MINUTE, 15 * MINUTE - 1, 15 * MINUTE, 15 * MINUTE + 1]
LENGTHS = [0, MINUTE, 60 * MINUTE, 105 * MINUTE, 120 * MINUTE - 1, 120 * MINUTE, 120 * MINUTE]
KINDS = """
    open place place raise back close close conclude void result result void_round settle
    round round round round round round
"""
STEPS = st.tuples(
    st.sampled_from(KINDS.split()),
    st.sampled_from(GAPS),
    st.integers(0, 7),
    st.integers(0, 7),
)
TABLES = {"t0": True, "t1": True, "land": False}


class Player:
    """Turns steps into events; nothing stops it from breaking the rules.

    Two accounts and their rounds, under a name; several such share a chain one after the other.
    """

    def __init__(self, chain: Chain, name: str = "") -> None:
        self.chain, self.moment, self.name = chain, max(START, chain.moment), name
        self.rounds: list[tuple[str, str]] = []
        self.bets: list[e.BetPlaced] = []

    def open_accounts(self) -> None:
        """Let both accounts be those of one person."""
        facts = {"regime": "permanent", "plan_version": "v", "earlier_account": "", **SEALED}
        for letter in "ab":
            names = {"account": self.name + letter, "person": f"{self.name}p"}
            self.put(
                e.AccountOpened(name_digest="", **names, internet=True, land_based=False, **facts)
            )

    def take(self, step: tuple[str, int, int, int]) -> None:
        kind, gap, first, second = step
        self.moment += gap
        getattr(self, kind)(first, second)

    def put(self, *events: e.Event) -> None:
        self.chain.moment = self.moment - 1_000
        self.chain.decide(*events)

    def pick_round(self, number: int) -> tuple[str, str]:
        """Choose a recent round, or one that nobody opened."""
        if not self.rounds:
            return f"{self.name}nowhere", "t0"
        return self.rounds[-1 - number % min(3, len(self.rounds))]

    def pick_bet(self, number: int) -> e.BetPlaced | None:
        return self.bets[-1 - number % min(4, len(self.bets))] if self.bets else None

    def open(self, first: int, _: int) -> None:
        table = list(TABLES)[first % 3]
        name = f"{self.name}r{len(self.rounds)}"
        self.rounds.append((name, table))
        self.put(
            round_opened(
                name, table=table, game="g", plan_version="v", dealer="", streamed=TABLES[table]
            )
        )

    def place(self, first: int, second: int, *, parent: str = "") -> None:
        name, table = self.pick_round(first)
        account = self.name + "ab"[second % 2]
        bet = placed(name, len(self.bets), account=account, table=table, parent=parent)
        self.bets.append(bet)
        self.put(bet)

    def raise_(self, first: int, second: int) -> None:
        self.place(first, second, parent="some")

    def back(self, first: int, _: int) -> None:
        bet = self.pick_bet(first)
        if bet is not None:
            self.put(withdrawn(bet))

    def conclude(self, first: int, _: int) -> None:
        bet = self.pick_bet(first)
        if bet is not None:
            self.put(concluded(bet))

    def void(self, first: int, _: int) -> None:
        bet = self.pick_bet(first)
        if bet is not None:
            self.put(voided(bet))

    def settle(self, first: int, _: int) -> None:
        bet = self.pick_bet(first)
        if bet is not None:
            self.put(settled(bet, due=0))

    def close(self, first: int, _: int) -> None:
        name, table = self.pick_round(first)
        bets = [bet for bet in self.bets if bet.round == name]
        self.put(
            e.BetsClosed(round=name, table=table, bets=len(bets), stakes=0),
            *(concluded(bet) for bet in bets),
        )

    def result(self, first: int, _: int) -> None:
        name, table = self.pick_round(first)
        self.put(
            e.RoundResulted(
                round=name, table=table, outcome="{}", wording="", streamed=True, accounts=()
            )
        )

    def void_round(self, first: int, _: int) -> None:
        name, table = self.pick_round(first)
        self.put(round_voided(name, table=table))

    def round(self, first: int, second: int) -> None:
        """Play a whole round, as the rules want it; the evaluation comes later."""
        self.open(first % 2, 0)
        self.place(0, second)
        self.close(0, 0)
        self.moment += LENGTHS[(first + second) % len(LENGTHS)]
        self.result(0, 0)


setattr(Player, "raise", Player.raise_)


def begun() -> Chain:
    return House(Chain()).chain


def agree(tables: Store, chain: Chain) -> PlayTwin:
    twin = PlayTwin.of(chain.messages)
    project(chain, emptied(tables))
    found = play(tables).sequences
    assert [
        TwinSequence(
            one.account,
            one.number,
            one.started_at,
            one.last_evaluated_at,
            one.length,
            one.rounds,
            one.bets,
        )
        for one in found
    ] == twin.sequences()
    assert all(
        one.break_until
        == (one.last_evaluated_at + 15 * MINUTE if one.length >= 120 * MINUTE else None)
        for one in found
    )
    violations = break_violations(tables).violations
    assert play_and_violations(tables) == (play(tables), break_violations(tables))
    for account in sample(sorted({one.account for one in found}), 2):
        assert play_and_violations(tables, account=account) == (
            play(tables, account=account),
            break_violations(tables, account=account),
        )
    assert [
        TwinViolation(one.account, one.bet, one.position, one.length, one.until)
        for one in violations
    ] == twin.violations()
    return twin


@pytest.mark.law("SAZKA 5a(3)", "SAZKA 5a(5)", "SAZKA 5a(6)")
@given(st.lists(st.lists(STEPS, min_size=4, max_size=40), min_size=6, max_size=10))
@example([[("round", 0, 5, 0), ("round", 15 * MINUTE - 1, 0, 0)]])
@example([[("round", 0, 5, 0), ("round", 15 * MINUTE, 0, 0)]])
@settings(max_examples=amount(2, 20), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_sequences_and_violations_agree_with_a_plain_fold(
    tables: Store, histories: list[list[tuple[str, int, int, int]]]
) -> None:
    chain = begun()
    for number, steps in enumerate(histories):
        player = Player(chain, f"{number}-")
        if number % 2:
            player.open_accounts()
        for step in steps:
            player.take(step)
    twin = agree(tables, chain)
    event(f"sequences: {min(len(twin.sequences()), 3)}")
    event(f"violations: {min(len(twin.violations()), 3)}")


@pytest.mark.parametrize(
    ("seed", "is_one"), [(1, False), (3, True), (2, False), (4, True)][: amount(2, 4)]
)
def test_long_histories_agree_with_a_plain_fold(tables: Store, seed: int, *, is_one: bool) -> None:
    """Long enough that every history has sequences, breaks and violations."""
    draw, player = random.Random(seed), Player(begun())
    if is_one:
        player.open_accounts()
    for _ in range(600):
        kind = draw.choice(KINDS.split())
        player.take((kind, draw.choice(GAPS), draw.randrange(8), draw.randrange(8)))
    twin = agree(tables, player.chain)
    assert len(twin.sequences()) > 20
    assert len(twin.violations()) > 5
