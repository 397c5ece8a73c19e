"""No line of a statement stops counting by the days of another one: balances and numbers decide."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from ledger.core.errors import InputError
from ledger.decisions.statement_sequence import SequencedStatement, StatementSequence
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from tests.tools.statements.statement_files import IBAN, asked, bank, examined, lines_of, provider
from tools.data import DataDirectory
from tools.statements.importing import check, import_file, recorded_statements

if TYPE_CHECKING:
    from pathlib import Path

    from tools.statements.importing import CheckedFile, RecordedStatement


def mt940(
    number: str,
    opening: int,
    amount: int,
    *,
    day: str = "261120",
    before: str = "261119",
    account: str = IBAN,
) -> str:
    """Write a statement of one line."""
    mark, size = ("C", amount) if amount > 0 else ("D", -amount)
    return (
        f":20:S\n:25:{account}\n:28C:{number}\n:60F:C{before}CZK{opening},00\n"
        f":61:{day}{day[2:]}{mark}{size},00NTRFNONREF\n:86:/VS/4711\n"
        f":62F:C{day}CZK{opening + amount},00\n-\n"
    )


def entry(amount: str, booked: str, way: str = "CRDT") -> str:
    return (
        f'<Ntry><Amt Ccy="CZK">{amount}</Amt><CdtDbtInd>{way}</CdtDbtInd><Sts>BOOK</Sts>'
        f"<BookgDt><Dt>{booked}</Dt></BookgDt></Ntry>"
    )


def statement(
    number: int, days: tuple[str, str], balances: tuple[str, str], *entries: str, **facts: str
) -> str:
    """Write a statement of camt.053."""
    opened, closed = facts.get("opened", days[0][:10]), facts.get("closed", days[1][:10])
    parts = [
        f"<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp>"
        f'<Amt Ccy="CZK">{amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>'
        for code, amount, day in (
            ("OPBD", balances[0], opened),
            ("CLBD", balances[1], closed),
        )
    ]
    return (
        f"<Stmt><Id>{number}</Id><ElctrncSeqNb>{number}</ElctrncSeqNb>"
        f"<FrToDt><FrDtTm>{days[0]}</FrDtTm><ToDtTm>{days[1]}</ToDtTm></FrToDt>"
        f"<Acct><Id><IBAN>{facts.get('account', IBAN)}</IBAN></Id><Ccy>CZK</Ccy></Acct>"
        f"{''.join(parts)}{''.join(entries)}</Stmt>"
    )


def camt(*statements: str) -> str:
    return (
        '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>'
        f"{''.join(statements)}</BkToCstmrStmt></Document>"
    )


FIRST = statement(
    1,
    ("2026-11-20T00:00:00", "2026-11-20T23:59:59"),
    ("1000.00", "1500.00"),
    entry("500.00", "2026-11-20"),
)
LATE = statement(
    2,
    ("2026-11-21T00:00:00", "2026-11-21T23:59:59"),
    ("1500.00", "2200.00"),
    entry("400.00", "2026-11-20"),
    entry("300.00", "2026-11-21"),
)


class Chain:
    """A chain into which files are imported."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data = DataDirectory(path / "data")
        self.data.create(operator="26493993", operator_name="S", chain="c").close()

    def standing(self) -> list[RecordedStatement]:
        log = self.data.read()
        try:
            return recorded_statements(log)
        finally:
            log.close()

    def take(self, content: str, form: str = "mt940", **facts: Any) -> CheckedFile:
        number = len(list(self.path.iterdir()))
        of = asked(self.path, content, facts.pop("issuer", None) or bank(form), f"f-{number}")
        return import_file(of._replace(**facts), self.standing(), self.data.write)

    def amounts(self) -> list[int]:
        """Return the amounts of all lines that count."""
        counting = {one.event.statement for one in self.standing() if not one.superseded_by}
        log = self.data.read()
        try:
            found = events_at(log, log.find(Query(types=("StatementLinesRecorded",))))
            return sorted(
                amount
                for one in found
                if isinstance(one.event, e.StatementLinesRecorded)
                and one.event.statement in counting
                for amount in one.event.amounts
            )
        finally:
            log.close()


@pytest.fixture
def chain(tmp_path: Path) -> Chain:
    return Chain(tmp_path)


def test_a_line_that_is_booked_before_its_statement_is_kept_and_reported(chain: Chain) -> None:
    chain.take(camt(FIRST), "camt.053")
    judged = chain.take(camt(LATE), "camt.053")
    (one,) = judged.parsed.statements
    assert (one.first_day, one.last_day) == (date(2026, 11, 21), date(2026, 11, 21))
    assert [*map(str, judged.notes)] == [
        (
            "line 1: 1 line of 400.00 booked on 2026-11-20, outside of 2026-11-21 to 2026-11-21, "
            "the period of the statement; kept"
        )
    ]
    assert chain.amounts() == [30_000, 40_000, 50_000]


def test_a_wider_period_with_a_reason_supersedes_nothing_that_it_goes_on_from(
    chain: Chain,
) -> None:
    """What an earlier message led to: the line of 500.00 stopped counting."""
    chain.take(camt(FIRST), "camt.053")
    wider = {"first_day": date(2026, 11, 20)}
    with pytest.raises(InputError, match="no statement of issuer issuer-1 in its period"):
        chain.take(camt(LATE), "camt.053", reason="a line of the day before", **wider)
    chain.take(camt(LATE), "camt.053", **wider)
    assert chain.amounts() == [30_000, 40_000, 50_000]
    judged = chain.take(camt(LATE), "camt.053", reason="read again", **wider)
    assert len(judged.supersedes) == 1
    assert chain.amounts() == [30_000, 40_000, 50_000]


def test_the_decision_does_not_supersede_what_a_statement_goes_on_from(chain: Chain) -> None:
    """Whoever sends the commands by hand gets the same answer."""
    first = chain.take(camt(FIRST), "camt.053").parsed.statements[0].statement

    def forged(*arguments: Any) -> Any:
        ledger = chain.data.write(*arguments)
        execute = ledger.execute

        def with_supersedes(command: Any) -> Any:
            return execute(replace(command, supersedes=(first,), reason="r"))

        ledger.execute = with_supersedes  # type: ignore[method-assign]
        return ledger

    of = asked(chain.path, camt(LATE), bank("camt.053"), "late")
    of = of._replace(first_day=date(2026, 11, 20))
    with pytest.raises(InputError, match="holds other lines, by its balances and its number"):
        import_file(of, chain.standing(), forged)
    assert chain.amounts() == [50_000]


def test_what_no_longer_counts_is_named_with_its_amounts(chain: Chain) -> None:
    chain.take(mt940("1/1", 1000, 500))
    with pytest.raises(InputError, match=r"the 1 line with 500\.00 in and 0\.00 out of it then no"):
        chain.take(mt940("1/1", 1000, 700))
    judged = chain.take(mt940("1/1", 1000, 700), reason="the amount was wrong")
    assert str(judged.notes[0]).endswith(
        "2026-11-20 to 2026-11-20, 1 line with 500.00 in and 0.00 out"
    )
    assert chain.amounts() == [70_000]


@pytest.mark.parametrize(
    ("to", "closed", "last"),
    [
        ("2026-11-21T00:00:00", "2026-11-20", 20),
        ("2026-11-21T00:00:00+01:00", "2026-11-20", 20),
        ("2026-11-20T23:00:00Z", "2026-11-20", 20),
        ("2026-11-21T00:00:00", "2026-11-21", 21),
        ("2026-11-20T00:00:00", "2026-11-20", 20),
        ("2026-11-20T23:59:59", "2026-11-20", 20),
    ],
)
def test_midnight_as_the_end_is_that_of_the_day_before(
    tmp_path: Path, to: str, closed: str, last: int
) -> None:
    days = ("2026-11-20T00:00:00", to)
    text = camt(statement(1, days, ("1.00", "1.00"), closed=closed))
    (one,) = examined(tmp_path, text, bank("camt.053")).statements
    assert (one.first_day, one.last_day) == (date(2026, 11, 20), date(2026, 11, last))


MORNING, EVENING = mt940("1/1", 1000, 500), mt940("2/1", 1500, 200, before="261120")


@pytest.mark.parametrize(
    "files", [[MORNING + EVENING], [MORNING, EVENING], [EVENING, MORNING]], ids=len
)
def test_two_statements_of_one_day_count_both(chain: Chain, files: list[str]) -> None:
    notes = [note for file in files for note in map(str, chain.take(file).notes)]
    assert chain.amounts() == [20_000, 50_000]
    assert not [note for note in notes if "balance" in note]


def test_three_statements_of_one_day_are_linked_by_the_one_between(chain: Chain) -> None:
    night = mt940("3/1", 1700, -100, before="261120")
    chain.take(MORNING)
    with pytest.raises(InputError, match="If a statement between the two is missing"):
        chain.take(night)
    chain.take(EVENING)
    chain.take(night)
    assert chain.amounts() == [-10_000, 20_000, 50_000]


@pytest.mark.parametrize(
    "again",
    [
        mt940("1/1", 1000, 400),
        mt940("1/1", 1500, 200, before="261120"),
        mt940("2/1", 1000, 400),
        mt940("9/1", 900, 100),
    ],
    ids=["corrected", "same number", "same opening balance", "not linked"],
)
def test_a_statement_that_does_not_go_on_needs_a_reason(chain: Chain, again: str) -> None:
    chain.take(MORNING)
    with pytest.raises(InputError, match="its period overlaps statement"):
        chain.take(again)
    assert chain.amounts() == [50_000]


def test_a_file_with_a_statement_twice_leaves_nothing_in_the_chain(chain: Chain) -> None:
    with pytest.raises(InputError, match="two of its statements may hold the same lines"):
        chain.take(MORNING + MORNING)
    log = chain.data.read()
    assert not list(log.find(Query(types=("StatementLinesRecorded",))))
    log.close()


def linked(name: str, number: str, opening: int, closing: int) -> SequencedStatement:
    day = date(2026, 11, 20)
    return SequencedStatement(name, day, day, number, opening, closing)


def test_a_repeated_statement_is_not_linked_by_a_way_around() -> None:
    """Up by 500, down by 500, and the first once more: balances alone would let it in."""
    up, down = linked("a", "", 1000, 1500), linked("b", "", 1500, 1000)
    again = linked("c", "", 1000, 1500)
    assert StatementSequence([up, down]).are_disjoint(up, down)
    assert not StatementSequence([up, down, again]).are_disjoint(up, again)


def test_a_day_without_a_change_of_balance_is_not_counted_again(chain: Chain) -> None:
    """A swept account: the file that is sent again has another name, and balances fit."""
    days = ("2026-11-20T00:00:00", "2026-11-20T23:59:59")
    moves = entry("5.00", "2026-11-20"), entry("5.00", "2026-11-20", "DBIT")
    first = camt(statement(7, days, ("1.00", "1.00"), *moves))
    first = first.replace("<ElctrncSeqNb>7</ElctrncSeqNb>", "")
    chain.take(first, "camt.053")
    with pytest.raises(InputError, match="its period overlaps statement"):
        chain.take(first.replace("<Stmt><Id>", "<Stmt><Id>again-"), "camt.053")
    assert chain.amounts() == [-500, 500]


def test_the_number_of_a_statement_goes_up_within_a_year() -> None:
    one, other = linked("a", "7", 1000, 1500), linked("b", "6", 1500, 1700)
    assert not StatementSequence([one, other]).are_disjoint(one, other)


OTHER = "CZ6508000000191234567899"


def test_a_file_of_two_accounts_counts_once_for_each(chain: Chain) -> None:
    days = ("2026-11-20T00:00:00", "2026-11-20T23:59:59")
    of_other = statement(
        7, days, ("9000.00", "8700.00"), entry("300.00", "2026-11-20", "DBIT"), account=OTHER
    )
    for form, text in (
        ("camt.053", camt(FIRST, of_other)),
        ("mt940", MORNING + mt940("1/1", 9000, -300, account=OTHER)),
    ):
        for name, account in (("play", IBAN), ("costs", OTHER)):
            judged = chain.take(text, issuer=bank(form, account=account), name=f"{name}-{form[:4]}")
            left = OTHER if account == IBAN else IBAN
            assert [*map(str, judged.notes)] == [
                f"the file also holds statements of account {left}, which were left out"
            ]
    assert chain.amounts() == [-30_000, -30_000, 50_000, 50_000]


def test_a_file_of_an_account_in_two_currencies_counts_once_for_each(chain: Chain) -> None:
    content = mt940("1/1", 1000, 5) + mt940("1/1", 50, 7).replace("CZK", "EUR")
    for currency, other in (("CZK", "EUR"), ("EUR", "CZK")):
        of = bank("mt940", currency=currency)
        path = asked(chain.path, content, of, f"both-{currency}")._replace(name=currency)
        (note,) = import_file(path, chain.standing(), chain.data.write).notes
        assert f"in {other}, which were left out" in str(note)
        again = path._replace(name=f"{currency}-2")
        with pytest.raises(InputError, match="is imported already"):
            import_file(again, chain.standing(), chain.data.write)
    assert chain.amounts() == [500, 700]


def test_a_file_counts_once_for_an_account_however_it_is_written(chain: Chain) -> None:
    chain.take(MORNING, name="one")
    domestic = bank("mt940", account="19-2000145399/0800")
    with pytest.raises(InputError, match="is imported already"):
        chain.take(MORNING, issuer=domestic, name="other")


def test_days_that_are_given_for_a_table_hold_all_its_lines(tmp_path: Path) -> None:
    of = asked(tmp_path, "d;a\n2026-02-02;1\n", provider(
        columns=provider().columns.__class__(booked="d", amount="a"), kinds={}, day="iso",
        decimal=".",
    ))  # fmt: skip
    given = of._replace(first_day=date(2026, 2, 3), last_day=date(2026, 2, 4))
    with pytest.raises(InputError, match=r"line 2, .*outside of 2026-02-03 to 2026-02-04"):
        check(given, [])


def test_a_moment_of_a_statement_that_clocks_never_showed_is_refused(tmp_path: Path) -> None:
    day = "2026-03-29"
    text = camt(
        statement(1, (day, day), ("1.00", "6.00"), entry("5.00", day).replace(
            f"<Dt>{day}</Dt>", f"<DtTm>{day}T02:30:00</DtTm>"))
    )  # fmt: skip
    text = text.replace("FrDtTm", "FrDt").replace("ToDtTm", "ToDt")
    with pytest.raises(InputError, match="clocks in Prague never showed this moment"):
        examined(tmp_path, text, bank("camt.053"))
    twice = text.replace(f"{day}T", "2026-10-25T").replace(day, "2026-10-25")
    (line,) = lines_of(tmp_path, twice, bank("camt.053"))
    assert (line.booked, line.moment) == (date(2026, 10, 25), 0)
