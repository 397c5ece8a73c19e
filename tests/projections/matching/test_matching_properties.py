"""Whatever lines and entries come together: each has exactly one status, and the sums agree."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger.events import event_types as e
from projections.matching import money
from projections.matching.match import differences, match_statements
from projections.matching.values import Difference, LineStatus, Sums
from projections.reconciliation.reconcile import reconcile
from projections.store.as_of import moment_of
from tests.projections.history_cases import emptied, project
from tests.projections.matching.statement_cases import CARD, Books, Told
from tests.projections.matching.test_matching_money import FIGURES
from tests.projections.matching.test_outside_findings import CODES
from tests.projections.projection_cases import any_event, seeded
from tests.search import amount

if TYPE_CHECKING:
    from projections.store.tables import Store

PROPERTY = settings(
    max_examples=amount(3, 50),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
AMOUNTS = st.sampled_from([500, 1_000, 1_500, 10_050])
SIGNED = st.sampled_from([0, 500, 1_000, 1_500, 10_000, -500, -1_000, -1_500])
DAYS = st.integers(8, 13)
NAMES = st.sampled_from(["", "d-1", "d-2", "w-1", "w-2", "cash", "p-1", "unknown"])
ACCOUNTS = st.sampled_from(["a", "b"])
NO_MATCH_OF_ENTRIES = {LineStatus.DOUBLE, LineStatus.CHARGED_BACK}
"""Differences that name an entry whose status another line decides."""

MONEY_LINES = st.builds(
    Told,
    DAYS,
    st.sampled_from(["payment"] * 4 + ["fee", "interest", "chargeback", "reversal", "settlement"]),
    amount=SIGNED,
    fee=st.sampled_from([0, 0, 10, -10]),
    reference=NAMES,
    variable_symbol=st.sampled_from(["", "", "a", "d-1", "w-1", "p-2"]),
    settlement=st.sampled_from(["", "", "p-1", "p-2", "d-2"]),
    their_reference=st.sampled_from(["", "0", "1"]),
)
MONEY_STATEMENTS = st.lists(
    st.tuples(
        st.sampled_from(["BANK", "PAYMENTS"]),
        st.sampled_from(["CZK", "CZK", "CZK", "EUR"]),
        st.lists(MONEY_LINES, max_size=8),
    ),
    min_size=1,
    max_size=4,
)
ENTRIES = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(["deposit"] * 3 + ["returned", "rejected"]),
            DAYS, st.sampled_from(["d-1", "d-2", "d-3"]), AMOUNTS, ACCOUNTS,
        ),
        st.tuples(
            st.just("withdrawal"), DAYS, st.sampled_from(["w-1", "w-2"]), AMOUNTS, ACCOUNTS
        ),
        st.tuples(st.sampled_from(["cash", "claim"]), DAYS, st.just("cash"), AMOUNTS, ACCOUNTS),
    ),
    max_size=8,
)  # fmt: skip


RULES = st.lists(
    st.tuples(DAYS, st.integers(0, 3), st.sampled_from([0, 50, 500]), st.booleans()), max_size=2
)
"""Rules of matching: first day, windows, tolerance, whether an amount suffices."""


def set_rules(books: Books, rules: list[tuple[int, int, int, bool]]) -> None:
    for day, window, tolerance, by_amount in rules:
        books.rules(
            day, bank_days=window, payments_days=window, tolerance=tolerance, by_amount=by_amount
        )


def record(books: Books, kind: str, day: int, name: str, amount: int, account: str) -> None:
    """Record an entry, or one that is in no statement."""
    match kind:
        case "deposit":
            books.deposit(day, name, amount, account, **(CARD if amount == 500 else {}))
        case "returned" | "rejected":
            books.returned(day, name, amount, credited=kind == "returned")
        case "withdrawal":
            books.withdrawal(day, name, amount, account)
        case "cash":
            books.deposit(day, name, amount, account, method="cash", method_class="cash")
        case _:
            books.at(
                day,
                e.ClaimSettled(account=account, way="outside", amount=amount, reason="r"),
            )


def require_one_status(store: Store, statements: dict[str, list[Told]]) -> list[Difference]:
    """Prove statuses and sums by counting once more from what was drawn."""
    matching = match_statements(store)
    found = list(differences(store, store.position, moment_of(store, store.position), FIGURES))
    assert {one.statement for one in matching.statements} == set(statements)
    told: Counter[tuple[str, LineStatus]] = Counter()
    for one in found:
        told.update((line.statement, one.status) for line in one.theirs)
        if one.status not in {*NO_MATCH_OF_ENTRIES, LineStatus.LATE}:
            told.update((entry.statement, one.status) for entry in one.ours if entry.statement)
    for one in matching.statements:
        lines = statements[one.statement]
        figures = [(1, each.amount, each.fee, each.stake, each.paid) for each in lines]
        assert one.imported == Sums(*map(sum, zip(*figures, strict=True))) if lines else Sums()
        assert one.matched.plus(one.unmatched) == one.imported
        assert LineStatus.UNDECIDED not in one.by_status
        assert all(
            sums.lines > 0
            for how, sums in one.by_status.items()
            if how is not LineStatus.WITHIN_TOLERANCE
        ), one.by_status
        stated = {how: sums.lines for how, sums in one.by_status.items() if how.value.isupper()}
        assert stated == {how: told[name, how] for name, how in told if name == one.statement}
    places = Counter(
        (line.statement, line.line) for one in found for line in one.theirs if line.line
    )
    assert not [place for place, count in places.items() if count > 1]
    return found


@PROPERTY
@given(entries=ENTRIES, drawn=MONEY_STATEMENTS, rules=RULES)
def test_every_line_and_entry_about_money_has_one_status(
    store: Store,
    entries: list[tuple[Any, ...]],
    drawn: list[tuple[str, str, list[Told]]],
    rules: list[tuple[int, int, int, bool]],
) -> None:
    books = Books()
    set_rules(books, rules)
    for account in ("a", "b"):
        books.account(account)
    for entry in sorted(entries, key=lambda one: one[1]):
        record(books, *entry)
    statements = {}
    for number, (kind, currency, lines) in enumerate(drawn):
        of_kind = [
            line if kind == "PAYMENTS" or not line.settlement else line.but(settlement="")
            for line in lines
        ]
        name = books.told(of_kind, issuer=f"i-{number}", kind=kind, currency=currency)
        statements[name] = of_kind
    books.wait(34)
    project(books.chain, emptied(store))
    found = require_one_status(store, statements)
    decided = Counter(
        (entry.position, entry.part, entry.reference, entry.statement, entry.line)
        for one in found
        if one.status not in NO_MATCH_OF_ENTRIES
        for entry in one.ours
    )
    places = {kind for kind, _, _ in drawn}
    assert all(count <= len(places) for count in decided.values()), decided
    findings = [one for one in reconcile(store, only=CODES) if one.ours or one.theirs]
    assert Counter(one.code for one in findings) == Counter(one.status.value for one in found)


GAME_LINES = st.builds(
    Told,
    DAYS,
    st.sampled_from(["bet", "bet", "bet", "round", "total"]),
    stake=st.sampled_from([0, 500, 1_000, 1_500]),
    paid=st.sampled_from([0, 0, 500, 2_000]),
    bet=st.sampled_from(["", "b-1", "b-2", "b-3", "unknown"]),
    round=st.sampled_from(["", "r-1", "r-2", "unknown"]),
    table=st.sampled_from(["", "t-1", "t-2", "t-9"]),
)
BETS = st.lists(
    st.tuples(
        DAYS,
        st.sampled_from([500, 1_000]),
        st.sampled_from([0, 500, 2_000]),
        st.sampled_from(["r-1", "r-2"]),
        st.booleans(),
    ),
    max_size=4,
)


@PROPERTY
@given(bets=BETS, drawn=st.lists(st.lists(GAME_LINES, max_size=8), min_size=1, max_size=3))
def test_every_line_about_games_has_one_status(
    store: Store, bets: list[tuple[int, int, int, str, bool]], drawn: list[list[Told]]
) -> None:
    books = Books()
    books.account("a")
    for name, table in (("r-1", "t-1"), ("r-2", "t-2")):
        books.round(8, name, table=table)
    for number, (day, stake, paid, of, is_settled) in enumerate(sorted(bets), 1):
        if is_settled:
            books.bet(day, f"b-{number}", stake, paid, of=of)
        else:
            books.taken(day, f"b-{number}", stake, of=of)
    statements = {
        books.told(lines, issuer=f"g-{number}", kind="GAMES", covers=("t-1",)): lines
        for number, lines in enumerate(drawn)
    }
    books.wait(34)
    project(books.chain, emptied(store))
    found = require_one_status(store, statements)
    missing = Counter(
        (one.ours[0].event, one.ours[0].reference, one.ours[0].day)
        for one in found
        if one.status is LineStatus.NOT_IN_STATEMENT
    )
    assert max(missing.values(), default=1) == 1


def test_a_total_that_is_told_twice_is_double(books: Books, store: Store) -> None:
    books.round(10, "r", table="t-1")
    books.bet(10, "b-1", 1_000, 0)
    total = Told(10, "total", stake=1_000, table="t-1")
    name = books.told([total, total], issuer="g", kind="GAMES", covers=("t-1",))
    project(books.chain, store)
    found = require_one_status(store, {name: [total, total]})
    assert [(one.status, one.theirs[0].line) for one in found] == [(LineStatus.DOUBLE, 2)]


@pytest.mark.parametrize("kind", ["bet", "round", "total"])
@pytest.mark.parametrize("paid", [0, 500])
def test_a_hand_among_players_is_matched_once(
    books: Books, store: Store, kind: str, paid: int
) -> None:
    """It is opened as a round and as a hand."""
    books.round(10, "r", table="t-1")
    books.at(10, replace(any_event(seeded(1), "HandStarted"), round="r", table="t-1"))
    books.bet(10, "b-1", 1_000, 0)
    names = {"bet": {"bet": "b-1"}, "round": {"round": "r"}, "total": {}}[kind]
    line = Told(10, kind, stake=1_000, paid=paid, table="t-1", **names)
    name = books.told([line], issuer="g", kind="GAMES", covers=("t-1",))
    project(books.chain, store)
    assert len(require_one_status(store, {name: [line]})) == bool(paid)


def test_lines_of_a_batch_that_the_books_do_not_know_are_found_one_by_one(
    books: Books, store: Store
) -> None:
    lines = [
        Told(10, amount=amount, reference=f"x-{amount}", settlement="p-1", their_reference=f"{at}")
        for at, amount in enumerate((500, 1_200, 500))
    ]
    name = books.told(lines, issuer="cards", kind="PAYMENTS")
    books.wait(40)
    project(books.chain, store)
    (statement,) = match_statements(store).statements
    assert statement.by_status == {LineStatus.NOT_IN_BOOKS: Sums(3, 2_200)}
    found = [
        (one.status, one.theirs[0].their_reference)
        for one in differences(store, store.position, moment_of(store, store.position), FIGURES)
        if one.theirs
    ]
    assert sorted(found) == [(LineStatus.NOT_IN_BOOKS, str(at)) for at in range(3)]
    assert name == statement.statement


def test_a_line_that_names_its_batch_alone_is_matched_by_amount(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 500, **CARD)
    books.told([Told(10, amount=500, settlement="p-1")], issuer="cards", kind="PAYMENTS")
    project(books.chain, store)
    (statement,) = match_statements(store).statements
    assert statement.by_status == {LineStatus.AMOUNT: Sums(1, 500)}


@pytest.mark.parametrize("name", ["d-1", "w-1"])
def test_a_line_of_zero_differs_from_its_entry(books: Books, store: Store, name: str) -> None:
    books.deposit(10, "d-1", 500)
    books.withdrawal(10, "w-1", 500)
    books.told([Told(10, amount=0, reference=name)])
    books.wait(40)
    project(books.chain, store)
    codes = {
        one.ours[0].reference: one.status
        for one in differences(store, store.position, moment_of(store, store.position), FIGURES)
    }
    other = "w-1" if name == "d-1" else "d-1"
    assert codes == {name: LineStatus.DIFFERS, other: LineStatus.NOT_IN_STATEMENT}


def test_a_fault_in_one_statement_is_shown_there_and_leaves_the_others(
    books: Books, store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(theirs: int, ours: int) -> LineStatus:
        raise ValueError(theirs, ours)

    books.deposit(10, "d-1", 500)
    books.deposit(10, "d-2", 700)
    good = books.told([Told(10, amount=500, reference="d-1")], issuer="kb")
    bad = books.told([Told(10, amount=800, reference="d-2")] * 2, issuer="fio")
    books.wait(40)
    project(books.chain, store)
    monkeypatch.setattr(money, "rounded_or_differs", refuse)
    by_name = {one.statement: one for one in match_statements(store).statements}
    assert by_name[good].by_status == {LineStatus.REFERENCE: Sums(1, 500)}
    assert by_name[bad].by_status == {LineStatus.UNDECIDED: Sums(2, 1_600)}
    assert by_name[bad].unmatched == by_name[bad].imported
    (one,) = differences(store, store.position, moment_of(store, store.position), FIGURES)
    assert (one.status, one.theirs[0].statement) == (LineStatus.TOTAL_DIFFERS, bad)
    assert one.theirs[0].amount == 1_600
    assert "a fault of the program" in caplog.text
