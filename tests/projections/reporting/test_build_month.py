"""The packages of a month say what happened: once, in its period, to the haléř."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from datetime import datetime
from typing import TYPE_CHECKING, Literal

import pytest
from build_cases import OPERATOR, Studio, built, first_of, haler, own, prague, rows_of
from build_story import ACTIVE, OPENED, friday

from ledger.clock import from_datetime
from projections.balances import all_balances, trial_balance
from projections.reporting.fields import Again, Lies, files_of
from projections.reporting.names import PackageName
from projections.reporting.settings import Settings
from projections.reporting.validate import Options, validate

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Month

    from projections.store import Store

FILES = (
    "provozovatel",
    "konto",
    "evidence_her",
    "konto_zmeny",
    "jedna_hra",
    "turnaj_detaily",
    "hra_toky",
    "vazba_hra_sazka",
    "hra_toky_oprava",
    "ostatni_plneni",
    "ostatni_plneni_oprava",
    "prihlaseni",
    "sebeomezeni",
    "sebeomezeni_hra_druh",
    "ucet",
)


def everything(month: Month, file: str) -> list[dict[str, str]]:
    """Read the records of a file in all packages, oldest first."""
    return [row for period in ACTIVE for row in rows_of(month.packages[period], file)]


def newest(month: Month, file: str, key: str) -> dict[str, dict[str, str]]:
    """Read all packages as the authority does: what is sent again replaces what was sent."""
    return {row[key]: row for row in everything(month, file)}


def test_every_package_holds_the_fifteen_files_with_their_first_two_lines(month: Month) -> None:
    for period, package in month.packages.items():
        name = f"{OPERATOR}-V-{period}-Z-01"
        assert package.folder.name == name
        expected = {f"{file}.csv" for file in FILES}
        if period == "2026042516":
            expected.add("mena_kurs.csv")
        assert {file.name for file in package.folder.iterdir()} == expected
        for table in files_of(PackageName.parse(name)):
            text = (package.folder / table.file_name).read_bytes().decode()
            first, second, *_ = text.split("\r\n")
            mark, file, created, version = first.split(";")
            assert (mark, file, version) == (f"#{name}", table.file_name, "1.0")
            assert second == ";".join(field.name for field in table.fields)
            moment = from_datetime(datetime.fromisoformat(created))
            assert moment == PackageName.parse(name).end


def test_the_rows_of_a_file_are_counted_and_digested(month: Month) -> None:
    package = month.packages["2026032708"]
    counts = {file.name: file.rows for file in package.files}
    assert counts["provozovatel.csv"] == 1
    assert counts["hra_toky.csv"] == len(rows_of(package, "hra_toky")) == 6
    assert [file.name for file in package.files] == [f"{name}.csv" for name in FILES]


def test_stakes_wins_and_money_of_all_packages_are_the_balances(month: Month) -> None:
    """Add up every file per account; what is left must be what the postings say."""
    sums: dict[str, int] = defaultdict(int)
    bets = newest(month, "hra_toky", "IDHraToky")
    account_of = {bet: row["IDUzivKonto"] for bet, row in bets.items()}
    for row in bets.values():
        sums[row["IDUzivKonto"]] -= haler(row["SazkaVysePuvodni"])
        sums[row["IDUzivKonto"]] += haler(row["VyhraVysePuvodni"])
    for row in everything(month, "hra_toky_oprava"):
        sign = -1 if row["TypTokyOprava"] == "A" else 1
        sums[account_of[row["IDHraToky"]]] += sign * haler(row["TokyOpravaVyse"])
    fees = newest(month, "ostatni_plneni", "IDOstatniPlneni")
    for row in fees.values():
        sums[row["IDUzivKonto"]] -= haler(row["OstatniPlneniVysePuvodni"])
    for row in everything(month, "ostatni_plneni_oprava"):
        fee = fees[row["IDOstatniPlneni"]]
        sums[fee["IDUzivKonto"]] += haler(row["OstatniPlneniOpravaVyse"])
    for row in everything(month, "ucet"):
        sums[row["IDUzivKonto"]] += haler(row["TransakceVyse"])
    balances = {
        own(one.account): one.wallet + one.reserved + one.withdrawals
        for one in all_balances(month.store)
    }
    assert balances == dict(sums)
    assert balances[own("anna")] > 0
    assert balances[own("cyril")] == 0


def test_each_kind_of_money_adds_up_to_the_books_of_the_house(month: Month) -> None:
    totals = trial_balance(month.store).totals
    moved = sum(haler(row["TransakceVyse"]) for row in everything(month, "ucet"))
    assert moved == -sum(amount for kind, amount in totals.items() if kind.startswith("channel_"))
    taken = sum(haler(r["OstatniPlneniVysePuvodni"]) for r in everything(month, "ostatni_plneni"))
    returned = everything(month, "ostatni_plneni_oprava")
    assert (
        taken - sum(haler(row["OstatniPlneniOpravaVyse"]) for row in returned) == totals["charges"]
    )
    bets = newest(month, "hra_toky", "IDHraToky").values()
    kinds: Counter[str] = Counter()
    for row in everything(month, "hra_toky_oprava"):
        kinds[row["TypTokyOprava"]] += haler(row["TokyOpravaVyse"])
    stakes = sum(haler(row["SazkaVysePuvodni"]) for row in bets) - kinds["G"] + kinds["A"]
    wins = sum(haler(row["VyhraVysePuvodni"]) for row in bets) + kinds["B"]
    assert stakes - wins == totals["game_result"] + totals["in_play"]
    assert totals["in_play"] == 6_000


def test_each_bet_is_told_once_and_again_only_where_its_win_became_known(month: Month) -> None:
    concluded = month.store.rows("SELECT bet, position FROM BetConcluded")
    sent = Counter(row["IDHraToky"] for row in everything(month, "hra_toky"))
    assert set(sent) == {own(row["bet"]) for row in concluded}
    again = {bet for bet, times in sent.items() if times > 1}
    assert again == {own("q4-1"), own("q4-2")}
    links = [row["IDHraToky"] for row in everything(month, "vazba_hra_sazka")]
    assert Counter(links) == Counter(dict.fromkeys(sent, 1))


def test_a_key_comes_again_only_in_files_that_may_repeat_it(month: Month) -> None:
    for table in files_of(PackageName.parse(f"{OPERATOR}-V-2026042516-Z-01")):
        if table.name == "mena_kurs":
            continue
        keys = [row[table.key.name] for row in everything(month, table.name)]
        if table.again is Again.ONCE:
            assert len(keys) == len(set(keys)), table.name
        for period in ACTIVE:
            keys = [row[table.key.name] for row in rows_of(month.packages[period], table.name)]
            assert len(keys) == len(set(keys)), (table.name, period)


def test_the_moment_for_which_a_row_is_sent_lies_in_the_period(month: Month) -> None:
    checked = 0
    for period, package in month.packages.items():
        name = PackageName.of_period(OPERATOR, period)
        for table in files_of(name):
            inside = [field.name for field in table.fields if field.lies is Lies.INSIDE]
            one = [field.name for field in table.fields if field.lies is Lies.ONE]
            for row in rows_of(package, table.name):
                for field in inside:
                    assert name.start <= moment_of(row[field]) < name.end
                moments = [moment_of(row[field]) for field in one if row[field]]
                assert not moments or any(name.start <= at < name.end for at in moments)
                checked += len(inside) + len(moments)
    assert checked > 70


def moment_of(text: str) -> int:
    return from_datetime(datetime.fromisoformat(text))


def test_whatever_a_package_refers_to_stands_in_it_or_in_an_earlier_one(month: Month) -> None:
    seen: dict[str, set[str]] = defaultdict(set)
    for period, package in month.packages.items():
        present = {
            table.name: rows_of(package, table.name)
            for table in files_of(PackageName.of_period(OPERATOR, period))
        }
        for table in files_of(PackageName.of_period(OPERATOR, period)):
            static = {row[table.key.name] for row in present[table.name]}
            seen[table.name] |= static
        for table in files_of(PackageName.of_period(OPERATOR, period)):
            for field in table.fields:
                if field.refers not in present:
                    continue
                target = next(t for t in files_of(package.cut.name) if t.name == field.refers)
                here = {row[target.key.name] for row in present[field.refers]}
                for row in present[table.name]:
                    if not row[field.name]:
                        continue
                    assert row[field.name] in seen[field.refers], (period, table.name, field.name)
                    if target.again is Again.STATIC:
                        assert row[field.name] in here, (period, table.name, field.name)


@pytest.mark.parametrize("late_settlement", ["again", "correction"])
def test_every_package_is_valid_in_the_strict_eyes_of_the_validator(
    month: Month, tmp_path: Path, late_settlement: Literal["again", "correction"]
) -> None:
    out = next(iter(month.packages.values())).folder.parent
    if late_settlement == "correction":
        out = tmp_path
        settings = Settings(late_settlement=late_settlement, claim_text="full", measure_kinds="")
        for period in ACTIVE[:3]:
            built(month.store, out, period, settings)
    for folder in sorted(out.iterdir()):
        verdict = validate(folder, Options(earlier=(out,)), clock=LaterClock())
        assert verdict.faults == ()
        assert verdict.unjudged == 0


class LaterClock:
    """Every package of the month is of the past."""

    def now(self) -> int:
        return prague("2026-05-01")


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
        rows = rows_of(month.packages[period], "konto_zmeny")
        row = first_of(rows, IDUzivKonto=own(account))
        assert (
            first_of(rows_of(month.packages[period], "konto"), IDUzivKonto=own(account))[
                "ZrizeniCas"
            ]
            == first_of(
                [r for r in everything(month, "konto_zmeny") if r["IDUzivKonto"] == own(account)][
                    :1
                ],
                IDUzivKonto=own(account),
            )["ZmenaCas"]
        )
        return row["DocasneTrvale"], row["Internet"], row["Landbased"]

    assert change("2026032708", "anna") == ("T", "1", "0")
    assert change("2026032808", "dana") == ("D", "1", "0")
    assert change("2026032816", "dana") == ("T", "1", "1")
    assert change("2026041908", "cyril") == ("T", "0", "0")


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


def test_rebuilding_any_package_later_gives_the_same_bytes(month: Month, tmp_path: Path) -> None:
    for period in ("2026032708", "2026032716", "2026032900", "2026042516"):
        package = month.packages[period]
        again = built(month.store, tmp_path, period, known_at=package.cut.known_at)
        assert again.digest == package.digest
        for file in again.folder.iterdir():
            assert file.read_bytes() == (package.folder / file.name).read_bytes()


def test_a_package_built_when_its_period_ends_is_the_same_a_month_later(
    month: Month, store: Store, tmp_path: Path
) -> None:
    studio = Studio(tmp_path, OPENED)
    friday(studio)
    studio.project(store)
    assert store.position < month.store.position
    package = built(store, tmp_path, "2026032708")
    assert package.digest == month.packages["2026032708"].digest
    studio.close()


def test_a_cut_off_inside_the_period_knows_nothing_of_what_came_later(
    month: Month, tmp_path: Path
) -> None:
    (result,) = month.store.rows("SELECT position FROM RoundResulted WHERE round = 'q1'")
    package = built(month.store, tmp_path, "2026032708", known_at=result["position"])
    (round_,) = rows_of(package, "jedna_hra")
    assert (round_["IDJednaHra"], round_["HraVysledek"]) == (own("q1"), "")
    (bet,) = rows_of(package, "hra_toky")
    assert (bet["IDHraToky"], bet["VyhraVyplaceniCas"]) == (own("q1-1"), "")


def test_a_later_cut_off_tells_what_has_become_known_since(month: Month, tmp_path: Path) -> None:
    known = month.store.position
    package = built(month.store, tmp_path, "2026032708", known_at=known, version=2)
    bet = first_of(rows_of(package, "hra_toky"), IDHraToky=own("q4-1"))
    assert bet["VyhraVysePuvodni"] == "600,00"
    first = (package.folder / "ucet.csv").read_bytes().decode().split("\r\n")[0]
    assert first.startswith(f"#{OPERATOR}-V-2026032708-Z-02;ucet.csv;2026-04-25T17:00:00.0+02:00")


def test_the_win_of_an_earlier_bet_can_be_told_as_a_correction(
    month: Month, tmp_path: Path
) -> None:
    settings = Settings(late_settlement="correction", measure_kinds="abcdefg", static_rows="all")
    first = built(month.store, tmp_path, "2026032708", settings)
    package = built(month.store, tmp_path, "2026032716", settings)
    assert rows_of(package, "hra_toky") == []
    told = {
        row["IDHraToky"]: (row["TypTokyOprava"], row["TokyOpravaVyse"])
        for row in rows_of(package, "hra_toky_oprava")
    }
    assert told == {own("q4-1"): ("B", "600,00"), own("q4-2"): ("B", "0,00")}
    assert len(rows_of(package, "konto")) == len(rows_of(first, "konto")) == 3
    kinds = len(rows_of(first, "sebeomezeni_hra_druh"))
    assert kinds == len(rows_of(first, "sebeomezeni")) == 21


def test_entitlements_can_be_filled_always_or_never(month: Month, tmp_path: Path) -> None:
    for entitlement, won, lost in (("always", "600,00", "0,00"), ("never", "", "")):
        settings = Settings(entitlement=entitlement)  # type: ignore[arg-type]
        package = built(month.store, tmp_path / entitlement, "2026032716", settings)
        rows = rows_of(package, "hra_toky")
        assert [row["VyhraVyseNarok"] for row in rows] == [won, lost]


def test_the_story_touches_the_periods_that_it_says(month: Month) -> None:
    moments = month.store.rows("SELECT position, recorded_at FROM postings")
    for row in moments:
        inside = [
            period
            for period in ACTIVE
            if PackageName.of_period(OPERATOR, period).start
            <= row["recorded_at"]
            < PackageName.of_period(OPERATOR, period).end
        ]
        assert len(inside) == 1, row
    assert prague("2026-03-27 08:00") == PackageName.of_period(OPERATOR, ACTIVE[0]).start
