"""What is played at tables in a casino belongs to the casino's package, not to this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.projections.history_cases import GAME
from tests.projections.packages.build_cases import Studio, built, own, rows_of

if TYPE_CHECKING:
    from pathlib import Path

    from projections.store.tables import Store

LAND = "69games.roulette"


@pytest.mark.law("L-1")
def test_rounds_and_bets_of_land_based_tables_are_in_no_file(store: Store, tmp_path: Path) -> None:
    studio = Studio(tmp_path, "2026-03-27 09:00")
    studio.do("list_game", game=LAND, name="Ruleta v kasinu")
    day = "2025-01-21T00:00:00+01:00"
    studio.do("publish_rules", game=LAND, plan_version="unknown", effective_from=day)
    studio.do("launch_game", game=LAND)
    studio.do("open_casino", place="c", name="Kasino", kind="casino", address="Brno")
    studio.do("open_table", table="l", registration="2", game=LAND, place="c", streamed=False)
    studio.do("assign_device", table="l", device="wl", kind="wheel", serial="W-2")
    studio.player("anna")
    studio.play("q1", "anna", 10_000)
    studio.log_out("anna")
    studio.do("log_in", account="anna", session="s2", register="clear")
    studio.do("take_seat", account="anna", table="l")
    studio.do("open_round", round="q2", table="l")
    studio.place_bet("q2", 1, "anna", 10_000)
    studio.do("withdraw_bet", bet="q2-1", account="anna", round="q2")
    studio.place_bet("q2", 2, "anna", 20_000)
    studio.close_bets("q2")
    studio.result("q2")
    studio.settle("q2")
    studio.do("correct_win", round="q2", bet="q2-2", difference=100, cause="přepočet")
    studio.project(store)
    package = built(store, tmp_path / "out", "2026032708")
    assert [row["IDJednaHra"] for row in rows_of(package, "jedna_hra")] == [own("q1")]
    assert [row["IDHraToky"] for row in rows_of(package, "hra_toky")] == [own("q1-1")]
    assert len(rows_of(package, "vazba_hra_sazka")) == 1
    assert rows_of(package, "hra_toky_oprava") == []
    names = [row["HraNazev"] for row in rows_of(package, "evidence_her")]
    assert names == ['Ruleta; "živě"']
    assert store.value("SELECT count() FROM GameListed WHERE game != {own:String}", own=GAME) == 1
    studio.close()
