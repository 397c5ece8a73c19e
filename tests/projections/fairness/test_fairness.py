"""Evidence against wheels and shoes: an even bet on fair ones, and it grows where they lean."""

from __future__ import annotations

import json
from itertools import permutations, product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ledger.core.clock import DAY
from ledger.events import event_types as e
from projections.evalues.evidence import against_arcs, against_shares, against_shoe
from projections.fairness.watch import Fairness, Watched, watch
from projections.reconciliation.reconcile import reconcile
from projections.store.projector import Projector
from tests.projections.history_cases import GAME, VERSION, House, emptied, project, round_opened
from tests.projections.projection_cases import START, Chain, ListLog
from tests.search import sample
from tools.workshop.bench.fairness import accused, spins_until_found

if TYPE_CHECKING:
    from projections.store.tables import Store


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.2, 0.3, 0.5)])
def test_the_bet_on_shares_is_even_with_a_fair_device(shares: tuple[float, ...]) -> None:
    """The mean over all sequences of four results, weighed by their chance, is the stake of 1."""
    mean = 0.0
    for sequence in product(range(len(shares)), repeat=4):
        counts = np.bincount(sequence, minlength=len(shares))
        chance = np.prod([shares[kind] for kind in sequence])
        mean += chance * np.exp(against_shares(counts, shares))
    assert mean == pytest.approx(1)


def test_the_bet_on_arcs_is_even_with_a_fair_wheel() -> None:
    chances = (1 / 5) ** 4
    counts = np.array([np.bincount(one, minlength=5) for one in product(range(5), repeat=4)])
    assert float(np.exp(against_arcs(counts, 2)).sum() * chances) == pytest.approx(1)


def test_the_bet_on_a_shoe_is_even_whatever_was_seen_of_it() -> None:
    """All orders of a shoe of two kinds, of which the first four cards are seen."""
    weights = np.array([[1.5, 0.5], [0.7, 1.3]])
    shoe = (0, 0, 0, 1, 1, 1)
    capital = [np.exp(against_shoe(cards[:4], 3, weights)) for cards in permutations(shoe)]
    assert np.mean(capital, axis=0) == pytest.approx([1, 1])


def test_a_card_too_many_is_no_evidence_of_a_lean() -> None:
    weights = np.array([[1.5, 0.5]])
    assert against_shoe([0, 0, 0], 2, weights) == pytest.approx(against_shoe([0, 0], 2, weights))
    whole = [0, 1, 1, 0]
    more = against_shoe([*whole, 1, 0], 2, weights)
    assert more == pytest.approx(against_shoe(whole, 2, weights))


@pytest.mark.law("L-42", "SAZKA 1(3)", "SAZKA 5(3)")
def test_a_leaning_wheel_is_found_and_a_fair_one_is_not_accused() -> None:
    """What docs/fairness.md tells of thousands, with few wheels: an arc of nine, a fifth more."""
    found = spins_until_found(9, 0.2, limit=10_000, wheels=20, seed=1)
    assert len(found) == 20
    assert 1_000 < np.median(found) < 5_000
    assert accused(20, [10_000], seed=1) == [0]


def spins(house: House, numbers: list[int], device: str = "") -> None:
    for number in numbers:
        name = f"r{house.chain.head.size}"
        house.chain.decide(
            round_opened(
                name,
                table="t",
                game=GAME,
                plan_version=VERSION,
                devices=(device,) if device else (),
                device_kinds=("wheel",) if device else (),
                serials=("1",) if device else (),
                streamed=True,
            ),
            e.RoundResulted(
                round=name,
                table="t",
                outcome=json.dumps({"number": number}),
                wording="",
                streamed=True,
                accounts=(),
            ),
        )


def shoe(house: House, name: str, cards: list[str]) -> None:
    loaded = e.ShoeLoaded(
        shoe=name, table="c", decks=8, shuffle_method="machine", cut=400, cut_by=""
    )
    house.chain.decide(loaded)
    for index, card in enumerate(cards):
        house.chain.decide(
            e.CardDealt(
                round="q", shoe=name, index=index, recipient="p", face_up=bool(card), card=card
            )
        )


@pytest.mark.law("L-42", "SAZKA 1(3)", "SAZKA 5(3)")
def test_evidence_is_carried_on_from_day_to_day(store: Store) -> None:
    """A shoe and a wheel over three days: in one step, and in many."""
    house = House(Chain())
    house.table()
    aces = ["AS", "AH", "AC", "AD"]
    loaded = e.ShoeLoaded(
        shoe="s", table="c", decks=8, shuffle_method="machine", cut=400, cut_by=""
    )
    house.chain.decide(loaded)
    sizes = []
    for day in range(3):
        house.chain.moment = START + day * DAY
        spins(house, [7, *range(37), 7, 7])
        for index, card in enumerate(aces * 2):
            at = {"round": "q", "recipient": "p", "index": day * 8 + index, "face_up": True}
            house.chain.decide(e.CardDealt(shoe="s", card=card, **at))
        sizes.append(house.chain.head.size)
    project(house.chain, store)
    known = [watch(store, at=size) for size in sizes]
    assert store.value("SELECT count() FROM daily_devices") == 2 * 3, "the last day is not over"
    assert [one(found, "wheel", "t").results for found in known] == [40, 80, 120]
    assert [one(found, "shoe", "c").results for found in known] == [8, 16, 24]
    assert one(known[0], "shoe", "c").highest == 1, "no card was seen before the first ones"
    assert one(known[2], "shoe", "c").highest > 10
    whole = store.rows("SELECT * FROM daily_devices ORDER BY position, kind, name")
    emptied(store)
    steps = sample(range(1, house.chain.head.size), 20)
    for size in sorted({*steps, *sizes}):
        Projector(ListLog(house.chain.messages[:size]), store).catch_up()
    assert store.rows("SELECT * FROM daily_devices ORDER BY position, kind, name") == whole
    assert [watch(store, at=size) for size in sizes] == known
    assert one(known[0], "wheel", "t").counts[7].seen == 4


def test_a_card_counts_once_as_it_lay_however_often_it_was_recorded(store: Store) -> None:
    """Nines misread and corrected, and aces read twice, over the midnight of a shoe."""
    found = []
    cards = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "CDHS"] * 6
    for is_misread in (True, False):
        house = House(Chain())
        house.table()
        shoe(house, "s", [])
        for index, card in enumerate(cards):
            house.chain.moment = START + index // 150 * DAY + index
            at = {"round": "q", "shoe": "s", "index": index, "recipient": "p", "face_up": True}
            lay = e.CardDealt(card=card, **at)
            read = e.CardDealt(card=card.replace("9", "6"), **at)
            mended = e.CardRecordCorrected(
                round="q", index=index, recorded=read.card, actual=card, by="d"
            )
            more = {"9": [read, mended], "A": [lay, lay]}.get(card[0], []) if is_misread else []
            house.chain.decide(*(more or [lay]))
        project(house.chain, emptied(store))
        watched = one(watch(store), "shoe", "c")
        found.append((watched.counts, watched.evidence, watched.highest))
    assert found[0] == found[1]


def test_cards_on_which_no_bet_is_made_any_more_are_out_of_the_shoe() -> None:
    weights = np.array([[1.5, 0.5], [0.7, 1.3]])
    cards = [0, 1, 1, 0, 1]
    parts = against_shoe(cards[:2], 3, weights) + against_shoe(
        cards[2:], 3, weights, earlier=cards[:2]
    )
    assert parts == pytest.approx(against_shoe(cards, 3, weights))


def one(found: Fairness, kind: str, name: str) -> Watched:
    (watched,) = [one for one in found.watched if (one.kind, one.name) == (kind, name)]
    return watched


@pytest.mark.law("L-42", "SAZKA 1(3)", "SAZKA 5(3)")
def test_wheels_dealers_and_shoes_are_watched_and_what_leans_is_a_finding(store: Store) -> None:
    """Table t shows 7 twice as often, too few times to tell; later shoes of c deal aces only."""
    house = House(Chain())
    house.table()
    spins(house, [7, *range(37)] * 8)
    last = len(house.chain.messages) - 1
    spins(house, list(range(37)) * 3, device="w")
    ranks = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "CDHS"]
    shoe(house, "s1", [*ranks, "", *ranks])
    shoe(house, "s2", ["AS", "AH", "AC", "AD"] * 8)
    shoe(house, "s3", ["AS", "AH", "AC", "AD"] * 6)
    project(house.chain, store)
    found = watch(store)
    wheel, other, cards = (
        one(found, "wheel", "t"),
        one(found, "wheel", "w"),
        one(found, "shoe", "c"),
    )
    assert (wheel.results, other.results, cards.results) == (8 * 38, 3 * 37, 104 + 32 + 24)
    assert [(one.name, one.seen) for one in wheel.counts if one.seen > 8] == [("7", 16)]
    assert other.evidence.keys() == {"numbers", "colours", "arcs"}
    assert other.highest < 1
    assert cards.highest > 10**6
    assert (cards.leans, other.leans, wheel.position) == (True, False, last)
    assert one(found, "dealer", "d").results == wheel.results + other.results
    (lean,) = reconcile(store, only=frozenset({"RESULTS_LEAN"}))
    assert (lean.position, lean.paragraph) == (cards.position, "SAZKA 1(3), 5(3)")
    assert "shoe c, A came 64 times instead of 12" in lean.sentence
