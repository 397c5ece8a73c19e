"""What each file tells of the month, row by row."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from projections.packages.cz.names import PackageName
from tests.projections.packages.build_cases import OPERATOR, built, first_of, haler, own, rows_of
from tests.projections.packages.build_story import ACTIVE

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Month


@pytest.mark.law("L-7")
def test_a_round_with_a_late_result_is_sent_again_whole(month: Month) -> None:
    before = first_of(rows_of(month.packages["2026032708"], "jedna_hra"), IDJednaHra=own("q4"))
    after = first_of(rows_of(month.packages["2026032716"], "jedna_hra"), IDJednaHra=own("q4"))
    assert before["HraVysledek"] == ""
    assert after == {**before, "HraVysledek": "číslo 3"}
    assert after["HraZahajeniCas"] == "2026-03-27T15:59:40.0+01:00"
    assert after["HraOmezeniVkladu"] == (
        "sázka nejméně 10,00 CZK, sázka nejvýše 50000,00 CZK, účastník v kole nejvýše 200000,00 CZK"
    )
    assert after["PovinnyVkladVyse"] == "nejméně 10,00 CZK"
    assert "verze 2025-01-21, SHA-256 " in after["NarokVyhra"]
    assert after["ZahranicniUcast"] == "0"


@pytest.mark.law("L-7")
def test_a_bet_settled_in_the_next_period_is_sent_again_whole(month: Month) -> None:
    before = first_of(rows_of(month.packages["2026032708"], "hra_toky"), IDHraToky=own("q4-1"))
    after = first_of(rows_of(month.packages["2026032716"], "hra_toky"), IDHraToky=own("q4-1"))
    assert before["SazkaPrijetiCas"] == "2026-03-27T15:59:59.9+01:00"
    assert [before[name] for name in before if name.startswith("Vyhra")] == ["", "", ""]
    assert after == {
        **before,
        "VyhraVyseNarok": "600,00",
        "VyhraVysePuvodni": "600,00",
        "VyhraVyplaceniCas": "2026-03-27T16:00:02.0+01:00",
    }
    lost = first_of(rows_of(month.packages["2026032716"], "hra_toky"), IDHraToky=own("q4-2"))
    assert (lost["VyhraVyseNarok"], lost["VyhraVysePuvodni"]) == ("", "0,00")


def test_the_bytes_of_a_file_are_these(month: Month) -> None:
    """What was sent must be made again for years: these bytes may not change."""
    package = month.packages["2026032716"]
    lines = [
        "#26493993-V-2026032716-Z-01;hra_toky.csv;2026-03-28T00:00:00.0+01:00;1.0",
        (
            "IDHraToky;HraDruh;HraKategorie;IDUzivKonto;SazkaVysePuvodni;SazkaPrijetiCas;"
            "DoprovodnePlneniVysePuvodni;DoprovodnePlneniCas;SazkaHerniKombinace;VyhraVyseNarok;"
            "VyhraVysePuvodni;VyhraVyplaceniCas;MenaKod;IDMisto;IDHerniPozice"
        ),
        (
            "26493993-q4-1;Z;m;26493993-anna;300,00;2026-03-27T15:59:59.9+01:00;;;red;600,00;600,00;"
            "2026-03-27T16:00:02.0+01:00;CZK;;"
        ),
        (
            "26493993-q4-2;Z;m;26493993-bert;400,00;2026-03-27T15:59:59.9+01:00;;;black;;0,00;"
            "2026-03-27T16:00:02.0+01:00;CZK;;"
        ),
        "",
    ]
    assert (package.folder / "hra_toky.csv").read_bytes().decode() == "\r\n".join(lines)


def test_a_void_round_returns_its_stakes_in_corrections(month: Month) -> None:
    package = month.packages["2026032708"]
    voided = first_of(rows_of(package, "jedna_hra"), IDJednaHra=own("q3"))
    assert voided["HraVysledek"] == "kolo neplatné: operator_interruption"
    corrections = {row["IDHraToky"]: row for row in rows_of(package, "hra_toky_oprava")}
    assert set(corrections) == {own("q3-1"), own("q3-2")}
    assert corrections[own("q3-2")]["TypTokyOprava"] == "G"
    assert corrections[own("q3-2")]["TokyOpravaVyse"] == "70,00"
    bet = first_of(rows_of(package, "hra_toky"), IDHraToky=own("q3-2"))
    assert bet["VyhraVyplaceniCas"] == ""


def test_chips_that_never_became_a_bet_are_in_no_file(month: Month) -> None:
    for name in ("q3-3", "q3-9"):
        for period in ACTIVE:
            for file in month.packages[period].folder.iterdir():
                assert own(name) not in file.read_text(encoding="utf-8")


@pytest.mark.law("L-17")
@pytest.mark.parametrize(
    ("period", "bet", "type_", "amount"),
    [
        ("2026032800", "q1-1", "B", "-15,00"),
        ("2026032800", "q2-1", "A", "-5,00"),
        ("2026032908", "q6-1", "B", "-50,00"),
        ("2026033000", "q4-1", "B", "1,00"),
        ("2026033000", "q4-1", "B", "0,50"),
    ],
)
def test_a_correction_is_a_row_of_its_own_in_the_period_in_which_it_was_made(
    month: Month, period: str, bet: str, type_: str, amount: str
) -> None:
    package = month.packages[period]
    first_of(
        rows_of(package, "hra_toky_oprava"),
        IDHraToky=own(bet),
        TypTokyOprava=type_,
        TokyOpravaVyse=amount,
    )
    assert rows_of(package, "hra_toky") == []


def test_a_temporary_account_becomes_permanent_and_a_closed_one_takes_no_part(
    month: Month,
) -> None:
    def change(period: str, account: str) -> tuple[str, str, str]:
        row = first_of(rows_of(month.packages[period], "konto_zmeny"), IDUzivKonto=own(account))
        return row["DocasneTrvale"], row["Internet"], row["Landbased"]

    assert change("2026032708", "anna") == ("T", "1", "0")
    assert change("2026032808", "dana") == ("D", "1", "0")
    assert change("2026032816", "dana") == ("T", "1", "1")
    assert change("2026041908", "cyril") == ("T", "0", "0")


@pytest.mark.law("L-10")
def test_an_account_is_told_again_with_the_same_opening_wherever_it_is_referred_to(
    month: Month,
) -> None:
    opened = {
        row["ZrizeniCas"]
        for package in month.packages.values()
        for row in rows_of(package, "konto")
        if row["IDUzivKonto"] == own("cyril")
    }
    (first,) = opened
    changes = rows_of(month.packages["2026032708"], "konto_zmeny")
    assert first_of(changes, IDUzivKonto=own("cyril"))["ZmenaCas"] == first


@pytest.mark.law("L-44", "L-45")
def test_limits_take_effect_at_once_at_midnight_and_after_the_seventh_day(month: Month) -> None:
    rows = rows_of(month.packages["2026032808"], "sebeomezeni")
    mine = [row for row in rows if row["IDUzivKonto"] == own("dana")]
    told = [
        (
            row["TypSO"],
            row["HodnotaVyse"] or row["HodnotaPocet"] or row["HodnotaCas"],
            row["SOUcinnostiCas"].replace(row["SONastaveniCas"], "at once"),
            row["SOOdmitnuti"],
            row["MenaKod"],
        )
        for row in mine
    ]
    assert told == [
        ("a", "1000,00", "at once", "0", "CZK"),
        ("a", "500,00", "2026-03-29T00:00:00.0+01:00", "0", "CZK"),
        ("e", "30", "at once", "0", ""),
        ("e", "60", "2026-04-04T00:00:00.0+02:00", "0", ""),
        ("g", "15", "at once", "0", ""),
        ("c", "", "at once", "1", ""),
    ]
    kinds = rows_of(month.packages["2026032808"], "sebeomezeni_hra_druh")
    of_measures = {row["IDNastaveniSO"]: row["TypSO"] for row in mine}
    assert [of_measures[row["IDNastaveniSO"]] for row in kinds] == ["a", "a", "c"]


def test_a_login_over_the_end_of_a_period_is_sent_again_with_its_logout(month: Month) -> None:
    first = rows_of(month.packages["2026032708"], "prihlaseni")
    assert [row["OdhlaseniCas"] for row in first] == ["", "", ""]
    (again,) = rows_of(month.packages["2026032716"], "prihlaseni")
    assert again["IDPrihlaseni"] == own("s-cyril-1")
    assert again["PrihlaseniCas"].startswith("2026-03-27T09:")
    assert again["OdhlaseniCas"].startswith("2026-03-27T16:00:02.0+01:00")


def test_the_period_of_the_short_night_lasts_seven_hours(month: Month) -> None:
    name = PackageName.of_period(OPERATOR, "2026032900")
    assert name.end - name.start == 7 * 3600 * 1_000_000
    bets = rows_of(month.packages["2026032900"], "hra_toky")
    over_midnight = first_of(bets, IDHraToky=own("q5-1"))
    assert over_midnight["SazkaPrijetiCas"].startswith("2026-03-29T00:00:05.0+01:00")
    games = rows_of(month.packages["2026032816"], "jedna_hra")
    assert first_of(games, IDJednaHra=own("q5"))["HraVysledek"] == ""
    over_change = first_of(rows_of(month.packages["2026032900"], "jedna_hra"), IDJednaHra=own("q6"))
    assert over_change["HraZahajeniCas"].startswith("2026-03-29T01:59:55.0+01:00")
    assert first_of(bets, IDHraToky=own("q6-1"))["SazkaPrijetiCas"].startswith(
        "2026-03-29T03:00:01.0+02:00"
    )


def test_the_last_tenth_of_a_period_is_cut_and_stays_in_it(month: Month) -> None:
    bet = first_of(rows_of(month.packages["2026032900"], "hra_toky"), IDHraToky=own("q7-1"))
    assert bet["SazkaPrijetiCas"] == bet["VyhraVyplaceniCas"] == "2026-03-29T07:59:59.9+02:00"
    assert rows_of(month.packages["2026032908"], "hra_toky") == []


def test_money_in_is_positive_and_money_out_negative(month: Month) -> None:
    rows = rows_of(month.packages["2026032808"], "ucet")
    told = [(row["TransakceVyse"], row["TransakceZpusobUpresneni"]) for row in rows]
    assert told == [
        ("-500,00", "bankovní převod"),
        ("99,00", "platební karta"),
        ("-99,00", "platební karta"),
    ]
    assert {row["TransakceZpusob"] for row in rows} == {"1"}
    (back,) = rows_of(month.packages["2026041908"], "ucet")
    assert back["IDUzivKonto"] == own("cyril")
    assert haler(back["TransakceVyse"]) < 0


@pytest.mark.law("L-12")
def test_rates_go_into_the_package_of_the_quarter(month: Month) -> None:
    (rate,) = rows_of(month.packages["2026042516"], "mena_kurs")
    assert rate["KursVyse"] == "24,315"
    assert (rate["MenaKod"], rate["Datum"], rate["HraDruh"]) == ("EUR", "2026-03-31", "Z")


def test_the_name_of_a_game_is_quoted_and_its_launch_known(month: Month) -> None:
    raw = (month.packages["2026032708"].folder / "evidence_her.csv").read_text(encoding="utf-8")
    assert '"Ruleta; ""živě"""' in raw
    (game,) = rows_of(month.packages["2026032708"], "evidence_her")
    assert game["HraNazev"] == 'Ruleta; "živě"'
    assert (game["HraDruh"], game["HraKategorie"]) == ("Z", "m")
    assert game["SpusteniCas"] == "2026-03-27T09:00:00.0+01:00"


def test_an_idle_period_has_its_operator_and_headers_only(month: Month, tmp_path: Path) -> None:
    package = built(month.store, tmp_path, "2026041016")
    assert {file.name: file.rows for file in package.files if file.rows} == {"provozovatel.csv": 1}
    (operator,) = rows_of(package, "provozovatel")
    assert operator == {"IDProvozovatel": OPERATOR, "ProvozovatelNazev": "SAZKA a.s."}


def test_every_line_has_as_many_fields_as_its_header(month: Month) -> None:
    for package in month.packages.values():
        for path in package.folder.iterdir():
            _, header, *lines = path.read_bytes().decode().split("\r\n")
            assert lines.pop() == ""
            for row in csv.reader(lines, delimiter=";", strict=True):
                assert len(row) == len(header.split(";"))
