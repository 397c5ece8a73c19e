"""The packages of two casinos say what happened in their month, to the haléř."""

from __future__ import annotations

import zipfile
from collections import defaultdict
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import StoppedClock
from projections.packages.cz.confirmation import read_confirmation
from projections.packages.cz.explain import explain
from projections.packages.cz.fields import files_of
from projections.packages.cz.names import Model, PackageName
from projections.packages.cz.pack import pack
from projections.packages.cz.status import periods_with_status
from projections.packages.cz.validate import Options, validate
from tests.projections.packages.build_cases import (
    OPERATOR,
    Studio,
    built,
    haler,
    own,
    prague,
    rows_of,
)
from tests.projections.packages.floor_story import (
    LAST,
    MONTHS,
    NORTH,
    QUIET,
    SETTINGS,
    SOUTH,
    Floor,
    told,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from projections.packages.results import BuiltFolder
    from projections.store.tables import Store

NIGHTS = 30
MIDNIGHT_OF_MAY = StoppedClock(prague("2026-05-01"))


@dataclass
class Casinos:
    """What was told, and the packages of March."""

    studio: Studio
    floors: dict[str, Floor]
    store: Store
    packages: dict[str, BuiltFolder]


@pytest.fixture(scope="module")
def month(lend: Callable[[], Store], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Casinos]:
    folder = tmp_path_factory.mktemp("casinos")
    studio, floors = told(folder)
    store = lend()
    studio.project(store)
    packages = {
        place: built(store, folder / "out", period, SETTINGS) for place, period in MONTHS.items()
    }
    yield Casinos(studio, floors, store, packages)
    studio.close()


def posted(month: Casinos, event: str, kind: str) -> int:
    """Add up the postings that an event made on a place of money or chips."""
    sql = (
        "SELECT sum(amount) FROM postings WHERE event LIKE {event:String} AND kind = {kind:String}"
    )
    return int(month.store.value(sql, event=event, kind=kind))


@pytest.mark.law("L-1")
def test_a_package_of_a_casino_is_valid_and_has_nine_files(month: Casinos) -> None:
    for place, package in month.packages.items():
        name = package.cut.name
        assert name.period == MONTHS[place]
        assert [one.name for one in package.files] == [
            f"{table.name}.csv" for table in files_of(name)
        ]
        strictly = validate(package.folder, Options(earlier=()), clock=MIDNIGHT_OF_MAY)
        assert strictly.faults == ()
        assert strictly.rows == {one.name.removesuffix(".csv"): one.rows for one in package.files}
        assert validate(package.folder, Options(strict=False), clock=MIDNIGHT_OF_MAY).is_valid


@pytest.mark.law("L-8")
def test_movements_are_one_total_for_section_kind_currency_and_way(month: Casinos) -> None:
    for place, floor in month.floors.items():
        found: dict[str, dict[tuple[str, str, str], int]] = defaultdict(dict)
        for row in rows_of(month.packages[place], "PSTB_transakce"):
            kind = row["TransakceTyp"], row["MenaKod"], row["TransakceZpusob"]
            section = row["IDZaznamPSTB"].removeprefix(f"{OPERATOR}-")
            assert kind not in found[section]
            found[section][kind] = haler(row["TransakceVyse"])
        told = {section: dict(totals) for section, totals in floor.totals.items() if totals}
        assert dict(found) == told
        codes = {kind[0] for totals in found.values() for kind in totals}
        assert len(codes) == (20 if place == NORTH else 13)


@pytest.mark.law("L-9")
def test_sections_are_those_of_the_months_operating_days(month: Casinos) -> None:
    """The last night belongs to March, although it ends in April and clocks changed before."""
    for place, floor in month.floors.items():
        rows = rows_of(month.packages[place], "pokladna_stul_turnaj_bingo")
        assert len(rows) == 2 * NIGHTS
        tables = {row["IDZaznamPSTB"]: row for row in rows if row["PokladnaStulTurnajBingo"] == "S"}
        assert {key: haler(row["CistyHerniVysledek"]) for key, row in tables.items()} == {
            own(section): result for section, result in floor.results.items()
        }
        assert not any(f"-03{QUIET:02d}" in key for key in tables)
        last = tables[own(f"{floor.table}-{LAST:%m%d}")]
        assert last["ProvozOd"].startswith("2026-03-31T18:00:00")
        assert last["ProvozDo"].startswith("2026-04-01T04:30:00")
        changed = tables[own(f"{floor.table}-0328")]
        assert (changed["ProvozOd"][-6:], changed["ProvozDo"][-6:]) == ("+01:00", "+02:00")


def test_the_books_of_cages_are_the_packages_to_the_haler(month: Casinos) -> None:
    """Sums of movements against postings, and the last count against what the books hold."""
    for place, floor in month.floors.items():
        till = f"cage:{floor.cage}"
        package = month.packages[place]
        sums: dict[str, int] = defaultdict(int)
        for row in rows_of(package, "PSTB_transakce"):
            if row["MenaKod"] == "CZK":
                kind = f"{row['TransakceTyp']}/{row['TransakceZpusob']}"
                sums[kind] += haler(row["TransakceVyse"])
        cash, chips = f"cash_CZK:{till}", f"chips_CZK:{till}"
        assert sums["J1/0"] == posted(month, "ChipsSold", cash)
        assert sums["J1/1"] == posted(month, "ChipsSold", f"card_CZK:{till}")
        assert sums["K1/0"] == -posted(month, "ChipsRedeemed", cash)
        assert sums["3/"] == posted(month, "CageFunded", cash)
        assert sums["7/"] - sums["4/"] == -(
            posted(month, "CageWithdrawn", cash)
            + posted(month, "CageOtherIn", cash)
            + posted(month, "CurrencyExchanged", cash)
        )
        assert sums["9/"] == posted(month, "DropMovedToCage", cash)
        assert sums["10/"] == -posted(month, "FillReceived", chips)
        assert sums["11/"] == posted(month, "CreditReturned", chips)
        assert sums["13/"] == posted(month, "TroncMovedToCage", chips)
        taken = sums["1/0"] + sums["2/"] + sums["H1/0"]
        paid = sums["5/0"] + sums["6/"] + sums["G1/0"] + sums["I1/0"]
        assert taken == posted(month, "AccountCashIn", cash)
        assert paid == -posted(month, "AccountCashOut", cash)
        for means, kind in (("0", cash), ("1", chips)):
            counted = [
                row for row in rows_of(package, "prostredek")
                if (row["Prostredek"], row["MenaKod"]) == (means, "CZK")
            ]  # fmt: skip
            assert haler(counted[-1]["StavVyseKonec"]) == posted(month, "%", kind)
    results = sum(sum(floor.results.values()) for floor in month.floors.values())
    assert results == -posted(month, "TableFloatCounted", "chips_CZK:guests")


def test_a_cage_is_told_as_it_was_counted_at_both_ends(month: Casinos) -> None:
    codes = {"cash": "0", "chips": "1", "tronc": "2"}
    for place, floor in month.floors.items():
        found = {
            (row["IDZaznamPSTB"], row["Prostredek"], row["MenaKod"]): [
                haler(row["StavVysePocatek"]), haler(row["StavVyseKonec"])
            ]
            for row in rows_of(month.packages[place], "prostredek")
        }  # fmt: skip
        assert found == {
            (own(section), codes[means], currency): amounts
            for (section, means, currency), amounts in floor.counts.items()
        }


def test_jackpots_stand_at_their_table_or_their_day(month: Casinos) -> None:
    (table,) = rows_of(month.packages[NORTH], "mozna_vyhra_stul_bingo")
    assert (table["MoznaVyhraNazev"], table["MoznaVyhraVyseKonec"]) == ("Stolní", "25,00")
    (game,) = rows_of(month.packages[NORTH], "mozna_vyhra_pro_hru")
    assert (game["MoznaVyhraProHruVysePocatek"], game["MoznaVyhruProHruVyseKonec"]) == (
        "100,00",
        "250,00",
    )
    assert game["Datum"] == "2026-03-01"
    assert rows_of(month.packages[SOUTH], "mozna_vyhra_pro_hru") == []


def test_a_package_is_packed_and_confirmed_under_the_names_of_its_files(
    month: Casinos, tmp_path: Path
) -> None:
    package = month.packages[SOUTH]
    packed = pack(package.folder, tmp_path)
    assert packed.digest == package.digest
    assert validate(packed.path, Options(earlier=()), clock=MIDNIGHT_OF_MAY).is_valid
    (file,) = (one for one in package.files if one.name == "PSTB_transakce.csv")
    answer = BytesIO()
    with zipfile.ZipFile(answer, "w") as archive:
        line = f"{packed.name};pstb_transakce.csv;VALID;{file.rows};sha256:{file.digest}\r\n"
        archive.writestr("validation-report.csv", line)
    found = read_confirmation(f"{packed.name}.Ok.zip", answer.getvalue())
    assert (found.package, found.verdict) == (packed.name, "OK")
    assert [(one.file, one.digest) for one in found.reports] == [(file.name, file.digest)]


def test_every_row_leads_back_to_its_events(month: Casinos) -> None:
    package = month.packages[NORTH]
    for table in files_of(package.cut.name):
        rows = rows_of(package, table.name)
        for number, row in list(enumerate(rows, 1))[:: max(len(rows) // 3, 1)]:
            found = explain(month.store, package.cut, table, str(number))
            assert found.values == row
            assert found.positions
            assert all(0 <= at < package.cut.known_at for at in found.positions)
            assert explain(month.store, package.cut, table, row[table.key.name]) == found


def test_status_lists_both_models_and_a_month_once_its_last_night_is_over(month: Casinos) -> None:
    def months(moment: str) -> list[str]:
        found = periods_with_status(month.store, SETTINGS, prague(moment))
        names = [PackageName.parse(one.package) for one in found]
        assert names == sorted(names, key=lambda name: (name.end, name))
        assert {name.model for name in names} == set(Model)
        return [name.period for name in names if name.model is Model.CASINO]

    assert months("2026-03-31 23:59") == ["202602-jih_1", "202602-kasino_sever"]
    assert months("2026-04-02")[2:] == ["202603-jih_1", "202603-kasino_sever"]


def test_an_idle_month_has_a_package_of_headers_and_two_rows(
    month: Casinos, tmp_path: Path
) -> None:
    package = built(month.store, tmp_path, "202602-kasino_sever", SETTINGS)
    counts = {one.name: one.rows for one in package.files if one.rows}
    assert counts == {"provozovatel.csv": 1, "misto.csv": 1}
    verdict = validate(package.folder, Options(earlier=()), clock=MIDNIGHT_OF_MAY)
    assert verdict.faults == ()


def test_a_casino_without_an_address_is_built_and_not_valid(month: Casinos, tmp_path: Path) -> None:
    package = built(month.store, tmp_path, MONTHS[NORTH])
    verdict = validate(package.folder, Options(earlier=()), clock=MIDNIGHT_OF_MAY)
    assert {(one.field, one.code.value) for one in verdict.faults} == {
        ("PSC", "ERR_FIELD_NOT_NULL"),
        ("Obec", "ERR_FIELD_NOT_NULL"),
        ("Kraj", "ERR_FIELD_NOT_NULL"),
        ("GPSX", "ERR_FIELD_MANDATORY"),
        ("GPSY", "ERR_FIELD_MANDATORY"),
    }
