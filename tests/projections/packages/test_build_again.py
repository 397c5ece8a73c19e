"""Packages made again, with other cut-offs, and by other readings of the law."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import StoppedClock
from projections.packages.cz.settings import Settings
from projections.packages.cz.validate import Options, validate
from tests.projections.packages.build_cases import (
    OPERATOR,
    Studio,
    built,
    first_of,
    own,
    prague,
    rows_of,
)
from tests.projections.packages.build_story import ACTIVE, OPENED, friday

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Month

    from projections.store.tables import Store


def test_packages_of_other_settings_are_valid_too(month: Month, tmp_path: Path) -> None:
    settings = Settings(late_settlement="correction", claim_text="full", measure_kinds="")
    for period in ACTIVE[:3]:
        built(month.store, tmp_path, period, settings)
    for folder in sorted(tmp_path.iterdir()):
        verdict = validate(
            folder, Options(earlier=(tmp_path,)), clock=StoppedClock(prague("2026-05-01"))
        )
        assert verdict.faults == ()
        assert verdict.unjudged == 0


@pytest.mark.law("2025/2531 annex 2")
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


@pytest.mark.law("L-7")
def test_a_later_cut_off_tells_what_has_become_known_since(month: Month, tmp_path: Path) -> None:
    known = month.store.position
    package = built(month.store, tmp_path, "2026032708", known_at=known, version=2)
    bet = first_of(rows_of(package, "hra_toky"), IDHraToky=own("q4-1"))
    assert bet["VyhraVysePuvodni"] == "600,00"
    first = (package.folder / "ucet.csv").read_bytes().decode().split("\r\n")[0]
    assert first.startswith(f"#{OPERATOR}-V-2026032708-Z-02;ucet.csv;2026-04-25T17:00:00.0+02:00")


@pytest.mark.law("L-7")
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
