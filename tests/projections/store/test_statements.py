"""Lines of statements as rows, and which statements count as of a position."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from ledger.events import event_types as e
from projections.store.projector import Projector
from tests.projections.projection_cases import Chain

if TYPE_CHECKING:
    from projections.store.tables import Store

SUMS: dict[str, Any] = {
    "lines": 2,
    "incoming": 30,
    "outgoing": 0,
    "fees": 0,
    "stakes": 0,
    "paid": 0,
}
FIELDS = "statement, superseded_position, gap_days, opens_at_closing"


def lines(statement: str, first_line: int, *amounts: int) -> e.StatementLinesRecorded:
    texts = tuple(f"r-{amount}" for amount in amounts)
    none, zeros = tuple("" for _ in amounts), tuple(0 for _ in amounts)
    return e.StatementLinesRecorded(
        statement=statement,
        issuer="kb",
        issuer_kind="BANK",
        currency="CZK",
        first_line=first_line,
        **{name: value for name, value in SUMS.items() if name != "lines"},
        places=tuple(first_line + 1 + at for at in range(len(amounts))),
        kinds=tuple("payment" for _ in amounts),
        amounts=amounts,
        line_fees=zeros,
        line_stakes=zeros,
        line_paid=zeros,
        booked_days=tuple(20_486 for _ in amounts),
        valued_days=zeros,
        moments=zeros,
        references=texts,
        ends_to_end=none,
        variable_symbols=none,
        their_references=none,
        settlements=none,
        their_rounds=none,
        their_bets=none,
        their_games=none,
        their_tables=none,
        their_accounts=none,
        counterparties=none,
        padded_symbols=none,
        batches=none,
        period_key="statement:2026-02",
        payer_texts=b"",
    )


def imported(statement: str, days: tuple[str, str], **facts: Any) -> e.StatementImported:
    given: dict[str, Any] = {
        "issuer": "kb",
        "issuer_kind": "BANK",
        "issuer_months": (),
        "format": "gpc",
        "number": "1",
        "currency": "CZK",
        "covers": ("account",),
        "opening": 0,
        "closing": 30,
        "file": b"f",
        "period_key": "statement:2026-02",
        "file_digest": "0",
        "settings": "{}",
        "supersedes": (),
        "reason": "",
        "software_version": "1",
        **SUMS,
    }
    first, last = days
    return e.StatementImported(
        statement=statement, first_day=first, last_day=last, **{**given, **facts}
    )


def test_each_line_of_a_piece_is_a_row(store: Store) -> None:
    chain = Chain()
    chain.decide(lines("s-1", 1, 10, 20))
    chain.decide(lines("s-1", 3, -5))
    Projector(chain.log(), store).catch_up()
    rows = store.rows(
        "SELECT position, line, place, kind, amount, booked_on, valued_on, reference, round "
        "FROM statement_lines ORDER BY statement, line"
    )
    day, none = date(2026, 2, 2), date(1970, 1, 1)
    assert [tuple(row.values()) for row in rows] == [
        (0, 1, 2, "payment", 10, day, none, "r-10", ""),
        (0, 2, 3, "payment", 20, day, none, "r-20", ""),
        (1, 3, 4, "payment", -5, day, none, "r--5", ""),
    ]


def test_what_counts_and_what_lies_between_as_of_a_position(store: Store) -> None:
    """A day after another, a gap, a balance that does not go on, a month that corrects two."""
    chain = Chain()
    chain.decide(imported("s-1", ("2026-02-01", "2026-02-01")))
    chain.decide(imported("s-2", ("2026-02-02", "2026-02-02"), opening=30, closing=60))
    chain.decide(imported("s-3", ("2026-02-05", "2026-02-06")))
    chain.decide(imported("s-4", ("2026-02-07", "2026-02-07"), opening=31, closing=61))
    chain.decide(imported("p-1", ("2026-02-08", "2026-02-08"), issuer="gopay", opening=None))
    chain.decide(
        imported("s-5", ("2026-02-05", "2026-02-08"), supersedes=("s-3", "s-4"), reason="r")
    )
    Projector(chain.log(), store).catch_up()

    def asked(size: int) -> list[tuple[Any, ...]]:
        sql = f"SELECT {FIELDS} FROM statements(size = {size}) ORDER BY position"  # noqa: S608 - own names
        return [tuple(row.values()) for row in store.rows(sql)]

    assert asked(5) == [
        ("s-1", 0, 0, 1),
        ("s-2", 0, 0, 1),
        ("s-3", 0, 2, 1),
        ("s-4", 0, 0, 0),
        ("p-1", 0, 0, 1),
    ]
    assert asked(6) == [
        ("s-1", 0, 0, 1),
        ("s-2", 0, 0, 1),
        ("s-3", 5, 0, 1),
        ("s-4", 5, 0, 1),
        ("p-1", 0, 0, 1),
        ("s-5", 0, 2, 1),
    ]
