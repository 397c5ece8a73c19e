"""What is written off is open no longer, and books, statements and open items agree on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from ledger.core.clock import midnight_after
from ledger.events import event_types as e
from projections.books.ageing import open_items
from projections.books.closing import close
from projections.matching.match import differences, match_statements
from projections.matching.values import Difference, LineStatus
from projections.store.as_of import moment_of, size_at
from projections.store.period import read_period
from tests.projections.history_cases import emptied, project
from tests.projections.matching.statement_cases import Books, Told, day_number, moment
from tests.projections.matching.test_matching_money import FIGURES, found, standing
from tests.projections.matching.test_matching_properties import (
    ENTRIES,
    MONEY_STATEMENTS,
    PROPERTY,
    RULES,
    record,
    set_rules,
)
from tests.search import amount

if TYPE_CHECKING:
    from projections.store.tables import Store

LAST_DAY = 40
OPEN = {
    LineStatus.TOLERATED, LineStatus.DIFFERS, LineStatus.ROUNDED, LineStatus.DOUBLE,
    LineStatus.CHARGED_BACK, LineStatus.NOT_IN_BOOKS, LineStatus.NOT_IN_STATEMENT,
}  # fmt: skip


def booked(of: Difference, number: int) -> e.WriteOffConfirmed | None:
    """Give the event that writes off the whole of a difference, as the ledger decides it."""
    ours, theirs = of.ours, of.theirs
    if of.status not in OPEN or len(theirs) > 1 or len(ours) > 1:
        return None
    facts: dict[str, Any] = {"statement": "", "line": 0, "entry": -1, "account": ""}
    if theirs:
        (line,) = theirs
        if not line.kind.islower():
            return None
        is_of_line = of.status in {LineStatus.DOUBLE, LineStatus.CHARGED_BACK}
        amount = line.amount - (0 if is_of_line or not ours else ours[0].amount)
        facts |= {"item": "line", "statement": line.statement, "line": line.line}
    else:
        if ours[0].event in {"settlement", "ClaimSettled"}:
            return None
        amount = -ours[0].amount
        facts |= {"item": "payment", "entry": ours[0].position}
    return e.WriteOffConfirmed(
        write_off=f"{number:016x}-1", finding=f"{number:016x}", method_class="account",
        amount=amount, reverses="", reason="r", comment="", proposed_by="jana", by="eva", **facts,
    )  # fmt: skip


def differing(store: Store) -> list[tuple[Any, ...]]:
    """Give what differs, by kind and place."""
    of = differences(store, store.position, moment_of(store, store.position), FIGURES)
    return sorted((one.status, one.ours, one.theirs) for one in of)


@settings(PROPERTY, max_examples=amount(1, 50))
@given(entries=ENTRIES, drawn=MONEY_STATEMENTS, rules=RULES)
@pytest.mark.slow("each step of a history is compared in three places")
def test_books_statements_and_open_items_agree_on_what_is_written_off(
    store: Store,
    entries: list[tuple[Any, ...]],
    drawn: list[tuple[str, str, list[Told]]],
    rules: list[tuple[int, int, int, bool]],
) -> None:
    """And a reversal leaves all as it was."""
    books = Books()
    for account in ("a", "b"):
        books.account(account)
    set_rules(books, rules)
    for entry in sorted(entries, key=lambda one: one[1]):
        record(books, *entry)
    for number, (kind, currency, lines) in enumerate(drawn):
        of_kind = [
            line if kind == "PAYMENTS" or not line.settlement else line.but(settlement="")
            for line in lines
        ]
        books.told(of_kind, issuer=f"i-{number}", kind=kind, currency=currency)
    books.wait(34)
    project(books.chain, emptied(store))
    before = differing(store)
    of = differences(store, store.position, moment_of(store, store.position), FIGURES)
    events = [event for number, one in enumerate(of) if (event := booked(one, number)) is not None]
    first = {(event.statement, event.line, event.entry): event for event in events}
    for event in first.values():
        books.at(35, event)
    books.wait(36)
    for event in first.values():
        back = e.WriteOffConfirmed(
            **{name: getattr(event, name) for name in event.__struct_fields__}
            | {"amount": -event.amount, "reverses": event.write_off, "write_off": "x"}
        )
        books.at(37, back)
    books.wait(LAST_DAY)
    project(books.chain, emptied(store))
    assert differing(store) == before
    for day in (34, 35, 36, 38):
        ends = midnight_after(moment(day))
        size = size_at(store, ends, store.position)
        gained = sum(event.amount for event in first.values()) if day in {35, 36} else 0
        closing = close(store, read_period(day_number(day).isoformat()))
        assert closing.is_even
        assert -gained == {one.account: one.closing for one in closing.trial}.get("write_offs", 0)
        matching = match_statements(store, at=size, now=ends)
        for one in matching.statements:
            assert one.matched.plus(one.unmatched) == one.imported
        items = open_items(store, at=size, now=ends).items
        lines = [one for one in items if one.kind == "lines"]
        assert sum(one.total for one in lines) == sum(
            one.unmatched.amount for one in matching.statements
        )
        written = sum(event.amount for event in first.values() if event.line)
        stated = sum(
            one.by_status[LineStatus.WRITTEN_OFF].amount
            for one in matching.statements
            if LineStatus.WRITTEN_OFF in one.by_status
        )
        assert stated == (written if day in {35, 36} else 0)


def write_off(books: Books, item: str, amount: int, **facts: Any) -> None:
    given: dict[str, Any] = {"statement": "", "line": 0, "entry": -1, "account": "", "reverses": ""}
    given |= {"finding": "f", "write_off": "f-1", "method_class": "account", "comment": ""}
    given |= {"reason": "r", "proposed_by": "jana", "by": "eva", **facts}
    books.at(33, e.WriteOffConfirmed(item=item, amount=amount, **given))


def test_a_line_is_matched_once_the_rest_is_written_off(books: Books, store: Store) -> None:
    books.rules(5, tolerance=50)
    books.deposit(10, "d-1", 50_000)
    books.deposit(11, "d-2", 7_000)
    late = books.deposit(12, "d-3", 9_000)
    lines = [
        Told(11, amount=49_950, reference="d-1"),
        Told(11, amount=333, their_reference="b-1"),
        Told(11, amount=6_000, reference="d-2"),
    ]
    name = books.told(lines)
    write_off(books, "line", -50, statement=name, line=1)
    write_off(books, "line", 333, statement=name, line=2)
    write_off(books, "line", -400, statement=name, line=3)
    write_off(books, "payment", -9_000, entry=late)
    assert found(books, store) == [("AMOUNT_DIFFERS", "d-2", "d-2")]
    assert standing(store, name) == {
        "by_reference": (1, 50_000),
        "written_off": (1, -117),
        "AMOUNT_DIFFERS": (1, 6_400),
    }
