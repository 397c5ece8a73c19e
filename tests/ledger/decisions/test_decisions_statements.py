"""Statements from outside become facts whole or not at all, and each period counts once."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.errors import InputError
from ledger.decisions.statements import LINES_BYTES_MAX, LINES_MAX, StatementLine, bytes_of
from ledger.events.event_types import StatementImported, StatementLinesRecorded
from ledger.state.ledger_state import LedgerState

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

A, B, C, D = ("a" * 16, "b" * 16, "c" * 16, "d" * 16)
FILE, OTHER = "1" * 64, "2" * 64


def line(place: int = 1, **facts: Any) -> dict[str, Any]:
    return {"place": place, "kind": "payment", "booked": "2026-02-02", **facts}


def piece(statement: str = A, first_line: int = 1, **facts: Any) -> dict[str, Any]:
    given = {
        "statement": statement,
        "issuer": "kb",
        "issuer_kind": "BANK",
        "currency": "CZK",
        "first_line": first_line,
        "lines": [line(5, amount=10_000), line(6, amount=-2_500)],
    }
    return {**given, **facts}


def statement(name: str = A, day: str = "2026-02-02", **facts: Any) -> dict[str, Any]:
    sums = {"lines": 2, "incoming": 10_000, "outgoing": 2_500, "fees": 0, "stakes": 0, "paid": 0}
    balances = {"opening": 1_000, "closing": 8_500}
    days = {"first_day": day, "last_day": day}
    return {"statement": name, "number": "33", **days, **balances, **sums, **facts}


def imported(*statements: dict[str, Any], digest: str = FILE, **facts: Any) -> dict[str, Any]:
    given = {
        "issuer": "kb",
        "issuer_kind": "BANK",
        "currency": "CZK",
        "format": "gpc",
        "covers": ["account"],
        "file": "2026-02-02.gpc",
        "file_digest": digest,
        "settings": "{}",
        "statements": list(statements) or [statement()],
    }
    return {**given, **facts}


def test_a_statement_counts_when_its_lines_and_then_itself_are_recorded(bare: Casino) -> None:
    (lines,) = bare.do("record_statement_lines", **piece())
    assert isinstance(lines, StatementLinesRecorded)
    assert (lines.places, lines.amounts, lines.booked_days) == (
        (5, 6),
        (10_000, -2_500),
        (20_486, 20_486),
    )
    (event,) = bare.do("import_statements", **imported())
    assert isinstance(event, StatementImported)
    assert (event.statement, event.lines, event.incoming, event.outgoing) == (A, 2, 10_000, 2_500)
    assert (event.first_day, event.issuer_months) == ("2026-02-02", ("kb:2026-02",))


def test_reports_of_games_are_in_crowns(bare: Casino) -> None:
    bet = {"place": 1, "kind": "bet", "booked": "2026-02-02", "stake": 100, "bet": "b-1"}
    told = piece(issuer="evo", issuer_kind="GAMES", lines=[bet])
    with pytest.raises(InputError, match="currency EUR: reports of GAMES are in CZK"):
        bare.do("record_statement_lines", **told | {"currency": "EUR"})
    assert bare.do("record_statement_lines", **told)


def test_pieces_carry_the_sums_of_all_lines_so_far_also_for_a_writer_that_starts_anew(
    bare: Casino,
) -> None:
    bare.do("record_statement_lines", **piece())
    assert LedgerState(bare.log, bare.ledger._keys).statement(
        A
    ) == bare.ledger._ledger_state.statement(A)
    bare.ledger._ledger_state.reset()
    (second,) = bare.do("record_statement_lines", **piece(first_line=3))
    assert isinstance(second, StatementLinesRecorded)
    assert (second.incoming, second.outgoing) == (20_000, 5_000)
    bare.ledger._ledger_state.reset()
    sums = {"lines": 4, "incoming": 20_000, "outgoing": 5_000, "closing": 16_000}
    bare.do("import_statements", **imported(statement(**sums)))
    bare.fail("is imported: it has no more lines", "record_statement_lines", **piece(first_line=5))


def test_what_is_at_the_other_end_is_a_keyed_digest(bare: Casino) -> None:
    lines = [line(1, counterparty="19-2000145399/0800"), line(2)]
    (event,) = bare.do("record_statement_lines", **piece(lines=lines))
    assert isinstance(event, StatementLinesRecorded)
    digest, none = event.counterparties
    assert (len(digest), none) == (32, "")
    assert b"2000145399" not in b"".join(body for _, body in bare.log.read())


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ("line 2 can't follow line 0", {"first_line": 2}),
        ("place 1: bet is no kind of BANK", {"lines": [line(kind="bet")]}),
        ("place 1: a line of BANK has a stake", {"lines": [line(stake=1)]}),
        (
            "place 1: a line of GAMES has an amount",
            {"issuer_kind": "GAMES", "lines": [line(kind="bet", amount=1)]},
        ),
        ("of length <= 500", {"lines": [line()] * 501}),
        ("2150-01-01 is no day from 1970 to 2149", {"lines": [line(valued="2150-01-01")]}),
        ("1970-01-01 is no day from 1970", {"lines": [line(booked="1970-01-01")]}),
        ("56000 at most: send fewer", {"lines": [line(reference="ž" * 250)] * 120}),
    ],
)
def test_lines_that_can_not_be(bare: Casino, words: str, facts: dict[str, Any]) -> None:
    bare.fail(words, "record_statement_lines", **piece(**facts))


def test_the_largest_piece_fits_into_one_message(bare: Casino) -> None:
    texts = dict.fromkeys(("reference", "their_reference", "settlement", "account"), "Ž" * 250)
    whole = StatementLine(1, "settlement", date(2026, 2, 2), counterparty="x", **texts)
    count = LINES_BYTES_MAX // bytes_of(whole)
    numbers = {"amount": -(10**15), "fee": 10**15, "moment": 7 * 10**15}
    lines = [line(10**15, counterparty="x", **numbers, **texts)] * count
    bare.do("record_statement_lines", **piece(lines=lines))
    names = {"end_to_end": '"' * 250, "variable_symbol": "Ž" * 250, "settlement": "Ž" * 250}
    payer = StatementLine(1, "settlement", date(2026, 2, 2), **names)
    paid = line(10**15, **numbers, **names) | {"kind": "settlement"}
    count = LINES_BYTES_MAX // bytes_of(payer)
    bare.do(
        "record_statement_lines", **piece("c" * 16, issuer_kind="PAYMENTS", lines=[paid] * count)
    )
    short = line(10**15, valued="2149-06-06", **numbers)
    bare.do("record_statement_lines", **piece(B, lines=[short] * LINES_MAX))


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ("3 lines, of which 2 are recorded", {"lines": 3}),
        ("or its sums are not theirs", {"incoming": 10_001, "closing": 8_501}),
        ("lead from 1000 to 8500, and it says 8501", {"closing": 8_501}),
        ("one balance: give both or none", {"opening": None}),
        ("a period has 1 to 400 days", {"first_day": "2026-02-03"}),
        ("a period has 1 to 400 days", {"last_day": "2027-03-09"}),
        ("a period has 1 to 400 days", {"last_day": "2149-06-07", "first_day": "2149-06-07"}),
    ],
)
def test_statements_that_their_lines_do_not_bear_out(
    bare: Casino, words: str, facts: dict[str, Any]
) -> None:
    bare.do("record_statement_lines", **piece())
    bare.fail(words, "import_statements", **imported(statement(**facts)))


def recorded(bare: Casino, *names: str) -> None:
    for name in names:
        bare.do("record_statement_lines", **piece(name))


def test_the_same_file_twice_is_refused_as_repeated(bare: Casino) -> None:
    recorded(bare, A, B)
    bare.do("import_statements", **imported())
    again = imported(statement(B, "2026-02-03"), issuer="other")
    bare.fail(f"imported already: it is statement {A} of issuer kb", "import_statements", **again)


def test_an_overlap_is_refused_and_a_correction_with_a_reason_supersedes(bare: Casino) -> None:
    recorded(bare, A, B, C)
    month = {"first_day": "2026-01-20", "last_day": "2026-02-02"}
    bare.do("import_statements", **imported(statement(**month)))
    same_day = imported(statement(B), digest=OTHER)
    bare.fail(f"overlaps statement {A} of issuer kb", "import_statements", **same_day)
    bare.fail(
        "is not covered whole", "import_statements", **same_day, supersedes=[A], reason="wrong"
    )
    whole = imported(statement(B, **month), digest=OTHER, supersedes=[A])
    bare.fail("`supersedes` and `reason`", "import_statements", **whole)
    bare.do("import_statements", **whole, reason="a fee was missing")
    third = imported(statement(C, **month), digest="3" * 64, reason="again")
    bare.fail(f"statement {A} is not in force", "import_statements", **third, supersedes=[A, B])
    bare.do("import_statements", **imported(statement(C, "2026-02-03"), digest=FILE))


def test_a_file_may_be_read_anew_in_place_of_itself(bare: Casino) -> None:
    recorded(bare, A, B)
    bare.do("import_statements", **imported())
    anew = imported(statement(B), settings='{"sign":1}', supersedes=[A], reason="read wrongly")
    bare.do("import_statements", **anew)


def test_a_file_of_another_issuer_is_imported_in_place_of_itself(bare: Casino) -> None:
    """What it was under the wrong issuer counts no more, and no day is kept for it."""
    recorded(bare, A, B, C, D)
    month = {"first_day": "2026-01-20", "last_day": "2026-02-02"}
    bare.do("import_statements", **imported(statement(**month)))
    right = imported(statement(B), issuer="fio")
    bare.fail("imported already", "import_statements", **right)
    other = imported(statement(B), issuer="fio", digest=OTHER)
    bare.fail(
        f"{A} is not in force", "import_statements", **other, supersedes=[A], reason="not kb's"
    )
    (event,) = bare.do("import_statements", **right, supersedes=[A], reason="not kb's")
    assert event.issuer_months == ("fio:2026-02", "kb:2026-01", "kb:2026-02")
    own = imported(statement(C, **month), digest=OTHER)
    bare.fail(f"{A} is not in force", "import_statements", **own, supersedes=[A], reason="r")
    bare.do("import_statements", **own)
    bare.fail("overlaps", "import_statements", **imported(statement(D), digest="3" * 64))
    third = imported(statement(D), issuer="fio", digest="3" * 64)
    bare.fail(f"overlaps statement {B} of issuer fio", "import_statements", **third)


def test_all_statements_of_a_file_are_imported_or_none(bare: Casino) -> None:
    recorded(bare, A, B)
    bad = imported(statement(), statement(B, "2026-02-03", closing=1))
    bare.fail("it says 1", "import_statements", **bad)
    double = imported(statement(), statement(B))
    bare.fail("overlaps another one of its file", "import_statements", **double)
    both = imported(statement(), statement(B, "2026-02-03"))
    assert len(bare.do("import_statements", **both)) == 2


def test_a_day_without_lines_is_a_statement_too(bare: Casino) -> None:
    sums = {"lines": 0, "incoming": 0, "outgoing": 0, "opening": 7, "closing": 7}
    bare.do("import_statements", **imported(statement(**sums)))


def test_one_issuer_does_not_stand_in_the_way_of_another(bare: Casino) -> None:
    recorded(bare, A, B)
    bare.do("import_statements", **imported())
    bare.do("import_statements", **imported(statement(B), digest=OTHER, issuer="kb-2"))
