"""The night in which the clock goes back: one period of nine hours, and two times 2 o'clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.packages.cz.names import PackageName
from tests.projections.packages.build_cases import OPERATOR, Studio, built, first_of, own, rows_of

if TYPE_CHECKING:
    from pathlib import Path

    from projections.store.tables import Store


def test_a_round_over_the_clock_change_keeps_the_order_of_its_moments(
    store: Store, tmp_path: Path
) -> None:
    studio = Studio(tmp_path, "2026-10-24 22:00")
    studio.player("anna")
    studio.at("2026-10-25 02:59:50.25")
    studio.open_round("q1")
    studio.place_bet("q1", 1, "anna", 10_000)
    studio.at("2026-10-25 02:59:59.99")
    studio.close_bets("q1")
    studio.at("2026-10-25 02:00:10", fold=1)
    studio.result("q1")
    studio.settle("q1")
    studio.at("2026-10-25 07:59:59.9")
    studio.play("q2", "anna", 10_000)
    studio.at("2026-10-25 08:00:00")
    studio.play("q3", "anna", 10_000)
    studio.project(store)
    name = PackageName.of_period(OPERATOR, "2026102500")
    assert name.end - name.start == 9 * 3600 * 1_000_000
    package = built(store, tmp_path / "out", "2026102500")
    rounds = rows_of(package, "jedna_hra")
    assert [row["IDJednaHra"] for row in rounds] == [own("q1"), own("q2")]
    assert rounds[0]["HraZahajeniCas"] == "2026-10-25T02:59:50.2+02:00"
    bet = first_of(rows_of(package, "hra_toky"), IDHraToky=own("q1-1"))
    assert bet["SazkaPrijetiCas"] == "2026-10-25T02:59:59.9+02:00"
    assert bet["VyhraVyplaceniCas"] == "2026-10-25T02:00:10.0+01:00"
    studio.close()
