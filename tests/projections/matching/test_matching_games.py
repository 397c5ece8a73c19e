"""Bets, rounds and totals in reports of game providers against our books."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import HOUR
from ledger.events import event_types as e
from projections.matching import games
from projections.matching.match import differences, matched_statements
from projections.store.as_of import moment_of
from tests.projections.history_cases import project
from tests.projections.matching.statement_cases import Books, Told
from tests.projections.matching.test_matching_money import FIGURES

if TYPE_CHECKING:
    from projections.store.tables import Store

EVOLUTION: dict[str, Any] = {"issuer": "evolution", "kind": "GAMES", "covers": ("t",)}
LATE_EVENING = 23 * HOUR - HOUR // 60


def played(books: Books) -> None:
    """Play three bets of one round: one wins."""
    books.round(10, "r")
    books.bet(10, "r-1", 10_000, 20_050)
    books.bet(10, "r-2", 5_000, 0)
    books.bet(10, "r-3", 7_000, 0)


def told(number: int, stake: int, paid: int, **line: Any) -> Told:
    day = line.pop("day", 10)
    return Told(day, "bet", stake=stake, paid=paid, bet=f"r-{number}", round="r", **line)


RIGHT = (told(1, 10_000, 20_050), told(2, 5_000, 0), told(3, 7_000, 0))


def found(books: Books, store: Store) -> list[tuple[str, str, str]]:
    """Give what differs: code, our name, the figure or the day of the line."""
    project(books.chain, store)
    matched_statements(store)
    return sorted(
        (one.status.value, one.ours[0].reference if one.ours else "", " and ".join(one.figures))
        for one in differences(store, store.position, moment_of(store, store.position), FIGURES)
    )


def standing(store: Store) -> dict[str, tuple[int, int, int]]:
    (one,) = matched_statements(store)
    return {how: (sums.lines, sums.stake, sums.paid) for how, sums in one.by_status.items()}


def test_bets_that_agree_line_by_line_are_matched(books: Books, store: Store) -> None:
    played(books)
    books.told(RIGHT, **EVOLUTION)
    assert found(books, store) == []
    assert standing(store) == {"by_reference": (3, 22_000, 20_050)}


@pytest.mark.law("L-59")
@pytest.mark.parametrize("at_once", [2, games.AT_ONCE])
def test_each_error_of_a_line_has_its_name(
    books: Books, store: Store, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(games, "AT_ONCE", at_once)
    played(books)
    books.round(10, "s")
    for number in range(4, 8):
        books.bet(10, f"r-{number}", 1_000, 1_500, of="s")
    books.told(
        [
            told(1, 10_000, 20_000),
            told(3, 6_900, 10),
            told(4, 1_000, 1_500, day=11),
            told(5, 1_000, 1_500),
            told(5, 1_000, 1_500),
            told(6, 1_000, 0),
            told(6, 0, 1_500),
            told(7, 1_000, 1_400),
            told(9, 1_000, 0),
        ],
        **EVOLUTION,
    )
    assert found(books, store) == [
        ("AMOUNT_DIFFERS", "r-3", "stake and payment"),
        ("AMOUNT_DIFFERS", "r-7", "payment"),
        ("AMOUNT_ROUNDED", "r-1", "payment"),
        ("BOOKED_WRONG_DAY", "r-4", ""),
        ("LINE_DOUBLE", "r-5", ""),
        ("NOT_IN_BOOKS", "", ""),
        ("NOT_IN_STATEMENT", "r-2", ""),
    ]


def test_a_round_over_midnight_may_stand_on_either_day(books: Books, store: Store) -> None:
    books.round(10, "r", micros=LATE_EVENING)
    for number in (1, 2):
        books.bet(10, f"r-{number}", 1_000, 0, micros=LATE_EVENING)
    books.bet(10, "r-3", 1_000, 0, settled_on=11, micros=LATE_EVENING)
    books.told([told(1, 1_000, 0), told(2, 1_000, 0), told(3, 1_000, 0, day=11)], **EVOLUTION)
    assert found(books, store) == []


def test_a_corrected_win_is_compared_as_our_books_stand_now(books: Books, store: Store) -> None:
    played(books)
    books.told(RIGHT, **EVOLUTION)
    books.at(
        35,
        e.WinCorrected(bet="r-2", account="a", round="r", difference=10_000, cause="c", claimed=0),
    )
    assert found(books, store) == [("AMOUNT_DIFFERS", "r-2", "payment")]


def test_what_moved_no_money_may_be_told_or_not(books: Books, store: Store) -> None:
    played(books)
    for number in (4, 5):
        books.taken(10, f"r-{number}", 1_000)
        chips = {"bet": f"r-{number}", "account": "a", "round": "r"}
        books.at(10, e.BetVoided(**chips, amount=1_000, ground="g", paragraph="p"))
    books.told([*RIGHT, told(4, 1_000, 1_000)], **EVOLUTION)
    assert found(books, store) == []
    assert standing(store)["no_money"] == (1, 1_000, 1_000)


def test_a_bet_that_is_not_settled_waits(books: Books, store: Store) -> None:
    played(books)
    books.taken(10, "r-4", 1_000)
    books.told([*RIGHT, told(4, 1_000, 0)], **EVOLUTION)
    assert found(books, store) == []
    assert standing(store)["waiting"] == (1, 1_000, 0)


def test_only_tables_and_days_that_are_covered_are_missing(books: Books, store: Store) -> None:
    books.round(10, "r")
    books.bet(10, "r-1", 1_000, 0)
    books.round(10, "other", table="of-somebody-else")
    books.bet(10, "o-1", 1_000, 0, of="other")
    books.round(20, "later")
    books.bet(20, "l-1", 1_000, 0, of="later")
    books.told([], days=(5, 15), on=25, **EVOLUTION)
    assert found(books, store) == [("NOT_IN_STATEMENT", "r-1", "")]


def test_a_report_without_tables_of_its_own_answers_for_those_that_it_names(
    books: Books, store: Store
) -> None:
    played(books)
    books.round(12, "s")
    books.bet(12, "s-1", 1_000, 0, of="s")
    books.round(12, "other", table="of-somebody-else")
    books.bet(12, "o-1", 1_000, 0, of="other")
    books.told([line.but(table="t") for line in RIGHT], **EVOLUTION | {"covers": ()})
    assert found(books, store) == [("NOT_IN_STATEMENT", "s-1", "")]


def test_rounds_are_matched_where_a_report_has_no_bets(books: Books, store: Store) -> None:
    played(books)
    books.round(11, "s")
    books.bet(11, "s-1", 1_000, 0, of="s")
    books.round(12, "empty")
    books.told(
        [
            Told(10, "round", round="r", stake=22_000, paid=20_050),
            Told(11, "round", round="s", stake=1_100, paid=0),
            Told(12, "round", round="empty"),
            Told(12, "round", round="unknown"),
        ],
        **EVOLUTION,
    )
    assert found(books, store) == [("AMOUNT_DIFFERS", "s", "stake"), ("NOT_IN_BOOKS", "", "")]
    assert standing(store)["no_money"] == (1, 0, 0)


@pytest.mark.law("L-59")
def test_totals_are_compared_with_our_books_where_a_report_has_nothing_else(
    books: Books, store: Store
) -> None:
    played(books)
    books.round(11, "s")
    books.bet(11, "s-1", 1_000, 0, of="s")
    books.round(12, "u")
    books.bet(12, "u-1", 1_000, 0, of="u")
    books.told(
        [
            Told(10, "total", table="t", stake=22_000, paid=20_050),
            Told(11, "total", table="t", stake=1_100, paid=0),
        ],
        **EVOLUTION,
    )
    assert found(books, store) == [("NOT_IN_STATEMENT", "t", ""), ("TOTAL_DIFFERS", "t", "stake")]


@pytest.mark.parametrize(
    ("reports", "missing"),
    [
        ([(("t",), {}, (22_000, 20_050)), (("u",), {}, (1_000, 0))], []),
        ([(("t",), {"game": "roulette"}, (22_000, 20_050)), (("u",), {}, (1_000, 0))], []),
        ([(("t", "u"), {}, (23_000, 20_050))], []),
        ([((), {}, (23_000, 20_050))], []),
        ([(("v",), {"table": "t"}, (22_000, 20_050))], []),
        ([(("t",), {}, (22_000, 20_050)), (("u", "w"), {"game": "poker"}, (0, 0))], []),
        ([(("t",), {}, (23_000, 20_050))], ["TOTAL_DIFFERS"]),
        (
            [(("t", "u"), {"table": "t"}, (22_000, 20_050)), (("t", "u"), {"table": "v"}, (0, 0))],
            [],
        ),
    ],
)
def test_a_total_without_a_table_is_that_of_what_its_issuer_covers(
    books: Books,
    store: Store,
    reports: list[tuple[tuple[str, ...], dict[str, str], tuple[int, int]]],
    missing: list[str],
) -> None:
    played(books)
    books.round(10, "s", table="u")
    books.bet(10, "s-1", 1_000, 0, of="s")
    for number, (covers, named, (stake, paid)) in enumerate(reports):
        total = Told(10, "total", stake=stake, paid=paid, **named)
        books.told([total], issuer=f"g-{number}", kind="GAMES", covers=covers)
    assert [code for code, _, _ in found(books, store)] == missing


def test_totals_and_rounds_beside_bets_have_to_sum_up_these(books: Books, store: Store) -> None:
    played(books)
    books.told(
        [
            *RIGHT,
            Told(10, "round", round="r", stake=22_000, paid=20_050),
            Told(10, "total", table="t", stake=22_000, paid=20_050),
            Told(10, "total", game="roulette", stake=22_000, paid=20_000),
        ],
        **EVOLUTION,
    )
    assert found(books, store) == [("TOTAL_DIFFERS", "roulette", "payment")]
    assert standing(store)["total"] == (2, 44_000, 40_100)


def test_one_bet_told_by_two_providers_is_double(books: Books, store: Store) -> None:
    played(books)
    books.told(RIGHT, **EVOLUTION)
    books.told([RIGHT[0]], issuer="somebody-else", kind="GAMES", covers=("u",), on=40)
    assert found(books, store) == [("LINE_DOUBLE", "r-1", "")]
