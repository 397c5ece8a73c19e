"""The limits that a round is reported with are those that bound it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.projections.history_cases import GAME
from tests.projections.packages.build_cases import Studio, built, own, rows_of

if TYPE_CHECKING:
    from pathlib import Path

    from projections.store.tables import Store


def test_a_table_that_is_opened_again_has_no_limits_until_it_is_given_some(
    store: Store, tmp_path: Path
) -> None:
    studio = Studio(tmp_path, "2026-03-27 09:00")
    studio.player("anna")
    studio.play("q1", "anna", 10_000)
    studio.do("leave_seat", account="anna", table="t")
    studio.do("close_table", table="t", reason="moved")
    studio.do("open_table", table="t", registration="2", game=GAME, place="p", streamed=True)
    studio.do("assign_device", table="t", device="w2", kind="wheel", serial="W-2")
    studio.do("take_seat", account="anna", table="t")
    studio.play("q2", "anna", 10_000)
    studio.do("set_table_limits", table="t", stakes={"red": [500, 700_000]})
    studio.play("q3", "anna", 10_000)
    studio.project(store)
    rounds = rows_of(built(store, tmp_path / "out", "2026032708"), "jedna_hra")
    studio.close()
    assert {row["IDJednaHra"]: row["HraOmezeniVkladu"] for row in rounds} == {
        own("q1"): "sázka nejméně 10,00 CZK, sázka nejvýše 50000,00 CZK, "
        "účastník v kole nejvýše 200000,00 CZK",
        own("q2"): "",
        own("q3"): "sázka nejméně 5,00 CZK, sázka nejvýše 7000,00 CZK",
    }
