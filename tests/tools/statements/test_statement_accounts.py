"""A line of a file counts once, whichever issuers the file is imported for."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.core.errors import InputError
from ledger.decisions.statement_sequence import ReadSettings, are_of_other_lines, is_same_account
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from tests.tools.statements.statement_files import bank, provider
from tests.tools.statements.test_statement_periods import Chain, camt, entry, mt940, statement
from tools.statements.issuer import Columns, Issuer

NUMBERS = ("1234567890", "19-2000145399", "19-145399")
BANKS = ("0800", "2010")
TABLE = "d,c,a\n2026-11-20,CZK,5\n2026-11-20,EUR,7\n"
DAYS = ("2026-11-20T00:00:00", "2026-11-20T23:59:59")


def digits(account: str) -> str:
    """Write an account as sixteen digits, without its bank."""
    prefix, _, number = account.partition("/")[0].rpartition("-")
    return f"{prefix:0>6}{number:0>10}"


def gpc(account: str, amount: int) -> str:
    head = (
        f"074{digits(account)}{'S':<20}191126{100_000:014d}+{100_000 + amount:014d}+"
        f"{0:014d}0{amount:014d}0001201126{'':14}"
    )
    line = (
        f"075{digits(account)}{0:016d}{7:013d}{amount:012d}2{0:010d}{0:010d}{0:010d}201126"
        f"{'':20}00000201126"
    )
    return f"{head}\r\n{line}\r\n"


def written(form: str, account: str, *, has_bank: bool) -> str:
    """Write a statement of an account; ABO/GPC has no room for the bank."""
    stated = account if has_bank else account.partition("/")[0]
    match form:
        case "gpc":
            return gpc(account, 500)
        case "mt940":
            return mt940("1/1", 1_000, 5, account=stated)
        case _:
            return (
                statement(
                    1, DAYS, ("1000.00", "1005.00"), entry("5.00", "2026-11-20"), account=stated
                )
                .replace("IBAN>", "Othr>")
                .replace("<Othr>", "<Othr><Id>")
                .replace("</Othr>", "</Id></Othr>")
                + "\n"
            )


def places(chain: Chain) -> Counter[int]:
    """Count the places of the lines that count."""
    counting = {one.event.statement for one in chain.standing() if not one.superseded_by}
    log = chain.data.read()
    try:
        found = [one.event for one in events_at(log, log.find(Query(("StatementLinesRecorded",))))]
    finally:
        log.close()
    return Counter(
        place
        for event in found
        if isinstance(event, e.StatementLinesRecorded) and event.statement in counting
        for place in event.places
    )


ACCOUNTS = st.builds("{}/{}".format, st.sampled_from(NUMBERS), st.sampled_from(BANKS))


@settings(max_examples=25, deadline=None)
@given(
    form=st.sampled_from(["gpc", "mt940", "camt.053"]),
    held=st.lists(ACCOUNTS, min_size=1, max_size=3, unique=True),
    has_bank=st.booleans(),
    issuers=st.lists(st.tuples(ACCOUNTS, st.sampled_from(["CZK", "EUR"])), max_size=4),
    reason=st.sampled_from(["", "It is the other account's."]),
)
def test_no_line_of_a_banks_file_counts_twice(
    form: str, held: list[str], has_bank: bool, issuers: list[tuple[str, str]], reason: str
) -> None:
    texts = [written(form, account, has_bank=has_bank) for account in held]
    content = camt("\n", *texts) if form == "camt.053" else "".join(texts)
    takes = [(account, "CZK") for account in held] + issuers
    with TemporaryDirectory() as folder:
        chain = Chain(Path(folder))
        refused = []
        for number, (account, currency) in enumerate(takes):
            issuer = bank(form, account=account, currency=currency)
            facts: dict[str, Any] = {"reason": reason} if number >= len(held) else {}
            try:
                chain.take(content, issuer=issuer, name=f"i-{number}", **facts)
            except InputError as error:
                refused.append((number, str(error)))
        assert max(places(chain).values(), default=0) <= 1
        is_named = has_bank and form != "gpc"
        if is_named or len({digits(account) for account in held}) == len(held):
            assert not [text for number, text in refused if number < len(held)]


TABLES = [
    provider(columns=Columns(booked="d", amount="a"), kinds={}, day="iso", decimal=".", **facts)
    for facts in (
        {},
        {"sign": "theirs"},
        {"currency": "EUR"},
        {"kind": "BANK", "account": "1/2010"},
    )
]


@pytest.mark.parametrize("second", range(len(TABLES)))
@pytest.mark.parametrize("first", range(len(TABLES)))
def test_a_table_counts_once_whatever_the_settings_say(
    tmp_path: Path, first: int, second: int
) -> None:
    chain = Chain(tmp_path)
    chain.take(TABLE, issuer=TABLES[first], name="one")
    with pytest.raises(InputError, match="is imported already"):
        chain.take(TABLE, issuer=TABLES[second], name="other")
    chain.take(TABLE, issuer=TABLES[second], name="other", reason="It is the other account's.")
    assert max(places(chain).values()) == 1


def test_a_column_of_currencies_separates_the_lines_of_a_table(tmp_path: Path) -> None:
    chain = Chain(tmp_path)
    columns = Columns(booked="d", amount="a", currency="c")
    for currency in ("CZK", "EUR"):
        issuer = provider(columns=columns, kinds={}, day="iso", decimal=".", currency=currency)
        chain.take(TABLE, issuer=issuer, name=currency.lower())
    assert places(chain) == {2: 1, 3: 1}


def read_by(issuer: Issuer) -> ReadSettings:
    return ReadSettings(issuer.format, issuer.currency, issuer.to_json())


def test_settings_that_are_not_understood_separate_nothing() -> None:
    mine = read_by(bank("gpc"))
    for settings_ in ("", "[]", "{}", '{"account": 5, "columns": 7}'):
        assert not are_of_other_lines(mine, mine._replace(settings=settings_))
    assert not are_of_other_lines(mine, read_by(bank("mt940", account="9/0800")))


@pytest.mark.parametrize("theirs", ["19-145399", "0000190000145399", "145399-19"])
def test_a_short_number_behind_a_prefix_has_ten_digits(theirs: str) -> None:
    assert is_same_account("19-145399/0800", theirs) is (theirs != "145399-19")
