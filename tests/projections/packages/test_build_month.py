"""The packages of a month say what happened: once, in its period, to the haléř."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import from_datetime
from projections.packages.cz.fields import Repetition, RequiredTime, files_of
from projections.packages.cz.names import PackageName
from projections.questions.balances import all_balances, trial_balance
from tests.projections.packages.build_cases import OPERATOR, haler, own, prague, rows_of
from tests.projections.packages.build_story import ACTIVE

if TYPE_CHECKING:
    from conftest import Month


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
    trial = trial_balance(month.store)
    assert trial.is_sound
    assert not any(trial.sums.values())
    totals = trial.totals
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


@pytest.mark.law("L-7")
def test_each_bet_is_told_once_and_again_only_where_its_win_became_known(month: Month) -> None:
    concluded = month.store.rows("SELECT bet, position FROM BetConcluded")
    sent = Counter(row["IDHraToky"] for row in everything(month, "hra_toky"))
    assert set(sent) == {own(row["bet"]) for row in concluded}
    again = {bet for bet, times in sent.items() if times > 1}
    assert again == {own("q4-1"), own("q4-2")}
    links = [row["IDHraToky"] for row in everything(month, "vazba_hra_sazka")]
    assert Counter(links) == Counter(dict.fromkeys(sent, 1))


@pytest.mark.law("L-10")
def test_a_key_comes_again_only_in_files_that_may_repeat_it(month: Month) -> None:
    for table in files_of(PackageName.parse(f"{OPERATOR}-V-2026042516-Z-01")):
        if table.name == "mena_kurs":
            continue
        keys = [row[table.key.name] for row in everything(month, table.name)]
        if table.again is Repetition.ONCE:
            assert len(keys) == len(set(keys)), table.name
        for period in ACTIVE:
            keys = [row[table.key.name] for row in rows_of(month.packages[period], table.name)]
            assert len(keys) == len(set(keys)), (table.name, period)


@pytest.mark.law("L-7")
def test_the_moment_for_which_a_row_is_sent_lies_in_the_period(month: Month) -> None:
    checked = 0
    for period, package in month.packages.items():
        name = PackageName.of_period(OPERATOR, period)
        for table in files_of(name):
            inside = [field.name for field in table.fields if field.lies is RequiredTime.INSIDE]
            one = [field.name for field in table.fields if field.lies is RequiredTime.ONE]
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
                    if target.again is Repetition.STATIC:
                        assert row[field.name] in here, (period, table.name, field.name)


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
