"""What the ledger takes and the decree has no room for, so that no package is stuck unsealable."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError
from ledger.core.phrases import TEXT_MAX
from projections.packages.cz.build import cut_of, windows
from projections.packages.cz.explain import explain
from projections.packages.cz.fields import table
from projections.packages.cz.names import Model, PackageName
from projections.packages.cz.settings import Settings
from projections.packages.cz.validate import Options, validate
from projections.questions.balances import balance
from tests.projections.packages.build_cases import (
    OPERATOR,
    Studio,
    built,
    first_of,
    haler,
    prague,
    rows_of,
)
from tests.projections.packages.floor_story import LAND, NORTH, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Month

    from projections.packages.results import BuiltFolder
    from projections.store.tables import Store


class Later:
    """A clock after all periods of these tests."""

    def now(self) -> int:
        return prague("2027-06-01 12:00")


def faults(package: BuiltFolder) -> list[str]:
    return [one.text for one in validate(package.folder, Options(), clock=Later()).faults]


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    found = Studio(tmp_path / "studio", "2026-10-24 16:30")
    yield found
    found.close()


def test_an_amount_of_a_measure_ends_where_the_digits_of_money_end(
    studio: Studio, store: Store, tmp_path: Path
) -> None:
    """A measure may be set to as much as 10^15 haléř; D_MONEY has 13 digits before the comma."""
    studio.player("anna", money=0)
    studio.do("set_limit", account="anna", measure="b", value=10**15)
    studio.project(store)
    package = built(store, tmp_path, "2026102416")
    row = first_of(rows_of(package, "sebeomezeni"), TypSO="b", SOOdmitnuti="0")
    assert row["HodnotaVyse"] == "9999999999999,99"
    assert faults(package) == []


def test_a_launch_after_the_period_is_not_told_by_a_later_version_of_it(
    studio: Studio, store: Store, tmp_path: Path
) -> None:
    """SpusteniCas may not lie behind the period, however late the version is built."""
    studio.do("list_game", game="g.late", name="Pozdní", category="m")
    studio.at("2026-10-25 09:00")
    studio.do("launch_game", game="g.late")
    studio.project(store)
    first = built(store, tmp_path, "2026102416", known_at=store.position, version=2)
    assert [row["SpusteniCas"] for row in rows_of(first, "evidence_her")] == [
        "2026-10-24T16:30:00.0+02:00",
        "",
    ]
    assert faults(first) == []
    (launched,) = rows_of(built(store, tmp_path, "2026102508"), "evidence_her")
    assert launched["SpusteniCas"] == "2026-10-25T09:00:00.0+01:00"


@pytest.mark.law("L-12")
def test_a_rate_goes_once_into_the_first_quarter_that_can_hold_it(
    studio: Studio, store: Store, tmp_path: Path
) -> None:
    """A day behind the package waits for the next one; what has no code is in none."""
    studio.do("fix_rate", currency="EUR", rate=24_315, day="2026-10-25")
    studio.do("fix_rate", currency="USD", rate=21_000, day="2026-10-26")
    studio.do("fix_rate", currency="XYZ", rate=1_000, day="2026-10-20")
    studio.at("2026-12-31 09:00")
    studio.do("fix_rate", currency="EUR", rate=24_500, day="2026-12-31")
    studio.at("2027-01-26 09:00")
    studio.project(store)
    autumn, winter = built(store, tmp_path, "2026102516"), built(store, tmp_path, "2027012516")
    assert [row["KursVyse"] for row in rows_of(autumn, "mena_kurs")] == ["24,315"]
    assert [row["KursVyse"] for row in rows_of(winter, "mena_kurs")] == ["21,000", "24,500"]
    assert faults(autumn) == faults(winter) == []


def test_a_row_that_can_not_be_explained_says_why(month: Month) -> None:
    cut = month.packages["2026032716"].cut
    for row in ("²", "٣", "9" * 5_000):
        with pytest.raises(
            InputError, match=f"has no row {row[:TEXT_MAX]}.*: give its number from 1"
        ):
            explain(month.store, cut, table("hra_toky", Model.REMOTE), row)
    with pytest.raises(InputError, match="has no row 0: give its number from 1"):
        explain(month.store, cut, table("hra_toky", Model.REMOTE), "0")
    with pytest.raises(InputError, match=r"holds no mena_kurs\.csv: only the quarterly ones do"):
        explain(month.store, cut, table("mena_kurs", Model.REMOTE), "1")
    by_number = explain(month.store, cut, table("provozovatel", Model.REMOTE), "1")
    assert explain(month.store, cut, table("provozovatel", Model.REMOTE), OPERATOR) == by_number


def test_the_packages_tell_what_moved_in_the_account_and_no_claim(
    studio: Studio, store: Store, tmp_path: Path
) -> None:
    """A returned deposit and a lower win beyond the wallet; the claim is settled from it later."""
    studio.player("anna", money=10_000)
    studio.play("q1", "anna", 4_000)
    studio.do("correct_bet", round="q1", bet="q1-1", difference=50_000, cause="two chips")
    studio.do(
        "deposit", account="anna", deposit="late", amount=1_000, method="cash", document_shown=True
    )
    claim = {"account": "anna", "amount": 400, "way": "wallet", "reason": "agreed"}
    studio.do("settle_claim", **claim)
    studio.do("return_deposit", account="anna", deposit="late", reason="not the owner's")
    studio.do("settle_claim", **claim | {"way": "outside"})
    studio.project(store)
    package = built(store, tmp_path, "2026102416")
    (corrected,) = rows_of(package, "hra_toky_oprava")
    moved = haler(corrected["TokyOpravaVyse"])
    assert 0 < moved < 50_000
    assert balance(store, "anna").claims == 50_000 - moved - 400
    amounts = [row["TransakceVyse"] for row in rows_of(package, "ucet")]
    assert amounts[-3:] == ["10,00", "-4,00", "-6,00"]
    assert faults(package) == []


def test_every_day_of_the_calendar_has_its_packages(studio: Studio, store: Store) -> None:
    """Some days have no like a quarter earlier: 31 May, July and December, 29 and 30 May."""
    studio.project(store)
    for day in (date(2027, 1, 1) + timedelta(days) for days in range(366 + 365)):
        if day.day in {25, 29, 30, 31}:
            name = PackageName.of_period(OPERATOR, f"{day:%Y%m%d}16")
            (queried,) = windows(store, cut_of(store, name, Settings()), table("ucet", name.model))
            assert bool(queried["rates_day"]) is name.has_rates


def test_names_of_a_casino_can_not_make_its_month_invalid(
    studio: Studio, store: Store, tmp_path: Path
) -> None:
    """Names of control characters only, two jackpots with one key, an unknown currency."""
    blank = "\x07 \x02"
    studio.do("list_game", game=LAND, name=blank, category="m")
    in_force = {"plan_version": "unknown", "effective_from": "2025-01-21T00:00:00+01:00"}
    studio.do("publish_rules", game=LAND, **in_force)
    studio.do("open_casino", place=NORTH, name=blank, kind="casino", address="ČR")
    studio.do("open_operating_day", place=NORTH)
    tables = (("t-1", "a", "b-c", "CZK"), ("t-2", "a-b", "c", "CZK"), ("t-3", "d", "e", "VND"))
    for station, section, jackpot, currency in tables:
        money = {"currency": currency}
        of = {"game": LAND, "place": NORTH}
        studio.do("open_table", table=station, streamed=False, registration=station, **of)
        studio.do("define_jackpot", jackpot=jackpot, name=blank, station=station, **of, **money)
        at = {"section": section, "place": NORTH, "kind": "table", "station": station}
        studio.do("open_section", **at, **money)
        for stage in ("opening", "closing"):
            at = {"section": section, "stage": stage, "amount": 100}
            studio.do("count_table_float", counted_by="inspector", **at, **money)
            studio.do("record_jackpot", jackpot=jackpot, **at)
        studio.do("close_section", section=section)
    studio.do("close_operating_day", place=NORTH)
    studio.at("2026-11-02 08:00")
    studio.project(store)
    month = built(store, tmp_path, f"202610-{NORTH}", SETTINGS)
    assert faults(month) == []
    assert len(rows_of(month, "mozna_vyhra_stul_bingo")) == len(tables) - 1
    assert faults(built(store, tmp_path, "2026102416")) == []
