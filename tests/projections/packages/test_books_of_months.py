"""The books of a month of studio and casinos: parts, tax base, and agreement with the packages."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from ledger.events import event_types as e
from ledger.events.encoding import decode
from projections.books.agreement import agreement
from projections.books.closing import close
from projections.books.sheets import of_closing, of_tax
from projections.books.tax import table_results, tax_base
from projections.packages.country import country_of
from projections.store.period import read_period
from projections.words.catalogue import Language, Words
from tests.projections.packages.build_cases import OPERATOR, Studio, built, haler, rows_of
from tests.projections.packages.build_story import ACTIVE
from tests.projections.packages.build_story import told as told_of_studio
from tests.projections.packages.floor_story import MONTHS, NORTH, SETTINGS, SOUTH
from tests.projections.packages.floor_story import told as told_of_floors
from tools.cli._books import csv_of
from tools.data.workbook import as_workbook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from conftest import Month as Told

    from projections.books.closing import Closing
    from projections.books.tax import TaxBase
    from projections.packages.results import BuiltFolder
    from projections.store.tables import Store
    from tests.projections.packages.floor_story import Floor

MARCH, APRIL = read_period("2026-03"), read_period("2026-04")
QUARTER = read_period("2026-Q1")


@dataclass
class Month:
    """What was told, the packages of it, and the tables behind them."""

    studio: Studio
    store: Store
    packages: dict[str, BuiltFolder]
    floors: dict[str, Floor]


def record(studio: Studio, made: BuiltFolder) -> None:
    """Record a package as built."""
    studio.do(
        "record_package",
        package=str(made.cut.name),
        known_at=made.cut.known_at,
        files={one.name: [one.rows, one.digest] for one in made.files},
        digest=made.digest,
        settings=made.cut.settings.to_json(),
    )


@pytest.fixture(scope="module")
def month(
    month: Told, lend: Callable[[], Store], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Month]:
    """The month again, with a record of each of its packages."""
    studio = told_of_studio(tmp_path_factory.mktemp("books"))
    store = lend()
    for one in month.packages.values():
        record(studio, one)
    studio.project(store)
    yield Month(studio, store, month.packages, {})
    studio.close()


@pytest.fixture(scope="module")
def casinos(lend: Callable[[], Store], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Month]:
    folder = tmp_path_factory.mktemp("books-of-casinos")
    studio, floors = told_of_floors(folder)
    store = lend()
    studio.project(store)
    packages = {
        place: built(store, folder / "out", period, SETTINGS) for place, period in MONTHS.items()
    }
    for one in packages.values():
        record(studio, one)
    studio.project(store)
    yield Month(studio, store, packages, floors)
    studio.close()


@pytest.fixture(scope="module")
def march(month: Month) -> Closing:
    """The studio's books of March."""
    return close(month.store, MARCH)


@pytest.fixture(scope="module")
def march_of_casinos(casinos: Month) -> Closing:
    """The casinos' books of March."""
    return close(casinos.store, MARCH)


@pytest.fixture(scope="module")
def base_of_casinos(casinos: Month) -> TaxBase:
    """The casinos' tax base of March."""
    return tax_base(casinos.store, MARCH)


def facts(month: Month, *kinds: type[e.Event]) -> list[e.Event]:
    """Read what the log holds of some types."""
    found = (decode(message).event for _, message in month.studio.log.read())
    return [one for one in found if isinstance(one, kinds)]


def test_the_days_of_a_month_sum_to_the_month(month: Month, march: Closing) -> None:
    days = [close(month.store, read_period(f"2026-03-{day}")) for day in range(27, 32)]
    for account in {line.account for line in march.trial}:
        lines = [line for day in days for line in day.trial if line.account == account]
        (sums,) = [line for line in march.trial if line.account == account]
        assert sum(line.debit for line in lines) == sums.debit
        assert sum(line.credit for line in lines) == sums.credit
        assert lines[-1].closing == sums.closing
        for before, after in pairwise(lines):
            assert before.closing == after.opening
    assert all(day.is_even and day.is_over for day in (march, *days))


def test_play_and_payments_are_those_of_the_facts(month: Month, march: Closing) -> None:
    """Added up from the events in the log, over the whole story."""
    closings = [march, close(month.store, APRIL)]
    lines = [line for closing in closings for line in closing.games]
    stakes = sum(one.amount for one in facts(month, e.BetConcluded))  # type: ignore[attr-defined]
    voided = sum(one.amount for one in facts(month, e.BetVoided))  # type: ignore[attr-defined]
    paid = sum(one.paid for one in facts(month, e.BetSettled))  # type: ignore[attr-defined]
    assert stakes
    assert sum(line.stakes for line in lines) == stakes
    assert sum(line.returned for line in lines) == voided
    assert sum(line.winnings for line in lines) == paid
    channels = [line for closing in closings for line in closing.channels]
    deposits = sum(one.amount for one in facts(month, e.DepositCredited))  # type: ignore[attr-defined]
    assert sum(line.deposits for line in channels) == deposits
    for line in lines:
        assert line.stakes - line.returned - line.winnings + line.corrections == (
            line.result + line.open
        )


def test_a_correction_of_a_closed_day_is_booked_when_it_comes_and_names_its_day(
    month: Month,
) -> None:
    changes = facts(month, e.WinCorrected, e.BetCorrected, e.PrizeWithheld)
    assert changes
    days = ["2026-03-27", *(f"2026-03-{day}" for day in range(28, 32)), "2026-04-19", "2026-04-25"]
    listed = [
        (one.movement, one.day, day)
        for day in days
        for one in close(month.store, read_period(day)).earlier
    ]
    assert listed
    assert all(day < booked for _, day, booked in listed)
    friday = read_period("2026-03-27")
    known = close(month.store, friday)
    at_midnight = close(month.store, friday, at=known.end)
    assert (at_midnight.trial, at_midnight.games) == (known.trial, known.games)


@pytest.mark.parametrize("period", ["2026-03", "2026-04", "2026-03-27"])
def test_the_books_agree_with_the_packages_of_the_studio(month: Month, period: str) -> None:
    found = agreement(month.store, read_period(period), country_of("cz"))
    assert found.compared
    assert found.differences == ()
    assert not set(found.missing) & set(ACTIVE)
    assert any(one.of_package for one in found.compared)


def test_a_package_that_says_something_else_is_named_with_its_sum(
    month: Month, store: Store
) -> None:
    """The tables of postings tell a win twice; books and package read other tables."""
    won = "event = 'BetSettled' AND kind = 'wallet'"
    month.studio.project(store)
    (row,) = store.rows(f"SELECT amount FROM postings WHERE {won} ORDER BY position LIMIT 1")  # noqa: S608 - own text
    store.command(
        f"INSERT INTO postings SELECT * FROM postings WHERE {won} ORDER BY position LIMIT 1"  # noqa: S608 - own text
    )
    found = agreement(store, MARCH, country_of("cz"))
    (one,) = found.differences
    assert (one.what, one.difference) == ("winnings", -row["amount"])
    assert not found.is_sound


def test_the_tax_base_is_stakes_less_returned_less_winnings(month: Month) -> None:
    found = tax_base(month.store, QUARTER)
    games = close(month.store, QUARTER).games
    assert found.base == sum(one.base for one in found.parts)
    remote = [one for one in found.parts if one.way == "remote"]
    assert sum(one.stakes for one in remote) == sum(one.stakes for one in games if one.streamed)
    assert (found.kind, found.percent, found.is_over) == ("Z", 30, True)
    crowns = -(-max(found.base, 0) * 30 // 10_000)
    assert found.tax == crowns * 100
    assert tax_base(month.store, read_period("2026-03-27")).is_over
    early = tax_base(month.store, QUARTER, at=found.position // 2)
    assert early.position == found.position // 2
    assert not early.is_over


def test_tables_of_casinos_count_by_their_operating_days(
    casinos: Month, base_of_casinos: TaxBase
) -> None:
    told = {name: won for floor in casinos.floors.values() for name, won in floor.results.items()}
    found = table_results(casinos.store, MARCH, casinos.store.position)
    assert {one.section: one.result for one in found} == told
    assert table_results(casinos.store, APRIL, casinos.store.position) == []
    chips = [one for one in base_of_casinos.parts if one.way == "chips"]
    assert {one.place for one in chips} == {NORTH, SOUTH}
    assert sum(one.base for one in chips) == sum(told.values())


def test_the_books_agree_with_the_months_of_casinos(casinos: Month) -> None:
    found = agreement(casinos.store, MARCH, country_of("cz"))
    tables = [one for one in found.compared if one.what.startswith("tables")]
    packaged = {
        str(one.cut.name): sum(
            haler(row["CistyHerniVysledek"])
            for row in rows_of(one, "pokladna_stul_turnaj_bingo")
            if row["CistyHerniVysledek"]
        )
        for one in casinos.packages.values()
    }
    assert {one.package: one.of_books for one in tables} == packaged
    assert found.differences == ()
    assert all(name.startswith(OPERATOR) for name in packaged)


@pytest.mark.slow("a month of two casinos, played and built a second time")
def test_a_month_whose_slip_is_corrected_later_needs_another_version(
    lend: Callable[[], Store], tmp_path: Path
) -> None:
    studio, floors = told_of_floors(tmp_path)
    store = lend()
    studio.project(store)
    for period in MONTHS.values():
        record(studio, built(store, tmp_path / "out", period, SETTINGS))
    studio.project(store)
    assert agreement(store, MARCH, country_of("cz")).outdated == ()
    fills = (decode(message).event for _, message in studio.log.read())
    fill = next(one for one in fills if isinstance(one, e.FillReceived))
    facts = {"corrects": fill.slip, "amount": fill.amount + 500, "cause": "misread"}
    studio.do("correct_slip", slip="late", **facts)
    studio.project(store)
    before = store.position - 1
    assert agreement(store, MARCH, country_of("cz"), at=before).outdated == ()
    found = agreement(store, MARCH, country_of("cz"))
    (one,) = found.outdated
    place = next(name for name, floor in floors.items() if floor.table in fill.section)
    assert one.period == MONTHS[place]
    assert one.files == ("pokladna_stul_turnaj_bingo.csv", "PSTB_transakce.csv")
    assert (found.differences, found.is_sound) == ((), False)
    made = built(store, tmp_path / "again", one.period, SETTINGS, known_at=store.position)
    record(studio, made)
    studio.project(store)
    assert agreement(store, MARCH, country_of("cz")).outdated == ()
    studio.close()


def test_a_month_of_a_casino_without_a_package_is_missing(casinos: Month) -> None:
    before = casinos.store.position - len(casinos.packages)
    found = agreement(casinos.store, MARCH, country_of("cz"), at=before)
    assert {one.cut.name.period for one in casinos.packages.values()} <= {*found.missing}
    assert not found.is_sound
    assert not any(
        name in agreement(casinos.store, MARCH, country_of("cz")).missing
        for name in MONTHS.values()
    )


def test_the_floor_stands_in_the_trial_balance_in_both_currencies(
    casinos: Month, march_of_casinos: Closing
) -> None:
    closing = march_of_casinos
    assert set(closing.totals) == {"CZK", "EUR"}
    assert closing.is_even
    sums: dict[tuple[str, str, str], int] = defaultdict(int)
    for line in closing.floor:
        sums[f"{line.means}_{line.currency}:{line.place}", line.currency, "net"] += (
            line.into - line.out
        )
    moved = {(one.account, one.currency, "net"): one.debit - one.credit for one in closing.trial}
    assert {key: amount for key, amount in sums.items() if amount} == {
        key: amount for key, amount in moved.items() if amount and ":" in key[0]
    }
    drop = sum(
        line.into for line in closing.floor
        if line.movement == "DropMovedToCage" and line.place.startswith("cage")
    )  # fmt: skip
    before_april = [
        one.amount
        for one in facts(casinos, e.DropMovedToCage)
        if not one.section.endswith("-0331")  # type: ignore[attr-defined]
    ]
    assert drop == sum(before_april)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", list(Language))
def test_sheets_are_the_same_bytes_and_no_cell_is_lost(
    march_of_casinos: Closing, base_of_casinos: TaxBase, language: Language
) -> None:
    words, closing = Words(language), march_of_casinos
    sheets = [*of_closing(closing, words), *of_tax(base_of_casinos, words)]
    assert as_workbook(sheets) == as_workbook(sheets)
    text = csv_of(sheets[0], language)
    rows = list(csv.reader(text.splitlines(), delimiter=";" if language is Language.CS else ","))
    assert len(rows) == 1 + len(closing.trial) + 2
    assert rows[0][0] == words.text("books.head_account")
    total = next(row for row in rows if row[0].startswith(words.text("books.total")))
    assert total[3] == total[4]
    assert re.fullmatch(r"\d+,\d\d" if language is Language.CS else r"\d+\.\d\d", total[3])
    for sheet in sheets:
        assert len(csv_of(sheet, language).splitlines()) == 1 + len(sheet.rows)


def test_the_tax_of_a_quarter_waits_for_its_last_night(casinos: Month) -> None:
    """The last night of March ends in April: what its tables win belongs to March."""
    closes = casinos.store.value(
        "SELECT max(position) FROM OperatingDayClosed WHERE day = '2026-03-31'"
    )
    (before, known) = (tax_base(casinos.store, QUARTER, at=size) for size in (closes, closes + 1))
    assert close(casinos.store, QUARTER, at=closes).is_over
    assert (before.is_over, known.is_over) == (False, True)
