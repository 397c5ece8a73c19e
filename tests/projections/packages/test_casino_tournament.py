"""A tournament of two nights, and what became known of a night later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import StoppedClock
from ledger.core.errors import InputError
from projections.packages.cz.jobs import job_for, pending_jobs, run
from projections.packages.cz.names import PackageName
from projections.packages.cz.periods import is_period_over
from projections.packages.cz.settings import CasinoFacts, Settings
from projections.packages.cz.status import periods_with_status
from projections.packages.cz.validate import Options, validate
from tests.projections.packages.build_cases import OPERATOR, Studio, built, own, prague, rows_of
from tests.projections.packages.floor_story import CUP, FACTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from projections.store.tables import Store

NAMES = ("anna", "bara", "cyril")
PERIOD = "202603-kasino"
SETTINGS = Settings(casinos={"kasino": CasinoFacts(**FACTS)})  # type: ignore[arg-type]
CAGE = {"kind": "cage", "station": "pokladna"}


def _announced(folder: Path, starts_at: str) -> Studio:
    studio = Studio(folder, "2026-02-20 09:00")
    day = "2025-01-21T00:00:00+01:00"
    studio.do("list_game", game=CUP, name="Turnaj", category="j")
    studio.do("publish_rules", game=CUP, plan_version="unknown", effective_from=day)
    studio.do("launch_game", game=CUP)
    studio.do("open_casino", place="kasino", name="Kasino", kind="casino", address="Brno")
    for name in NAMES:
        studio.player(name)
    facts = {"format": "re_entry", "structure": "levels", "fee_percent": "10", "limit": "no limit"}
    facts |= {"starts_at": starts_at, "name": "Jarní pohár"}
    studio.do("announce_tournament", tournament="cup", game=CUP, buy_in=100_000,
              starting_stack=1_000_000, **facts)  # fmt: skip
    return studio


@pytest.fixture(scope="module")
def casino(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    studio = _announced(tmp_path_factory.mktemp("cup"), "2026-03-30T19:00:00+02:00")
    _pay(studio, "anna", "buy_in")
    studio.at("2026-03-30 18:00")
    cage = _open(studio, "1")
    _pay(studio, "bara", "buy_in")
    _pay(studio, "cyril", "buy_in")
    studio.at("2026-03-30 19:00")
    studio.do("start_tournament", tournament="cup")
    studio.do("eliminate_players", tournament="cup", accounts=["cyril"])
    studio.at("2026-03-31 03:00")
    _close(studio, "1", cage)
    studio.at("2026-03-31 18:00")
    cage = _open(studio, "2")
    _pay(studio, "cyril", "re_entry")
    studio.do("sell_chips", slip="s-1", section=cage, amount=50_000)
    studio.do("close_registration", tournament="cup")
    studio.do("eliminate_players", tournament="cup", accounts=["cyril"])
    studio.do("eliminate_players", tournament="cup", accounts=["bara"])
    studio.at("2026-04-01 02:00")
    studio.do("end_tournament", tournament="cup")
    _close(studio, "2", cage, sold=50_000)
    yield studio
    studio.close()


def _pay(studio: Studio, account: str, kind: str) -> None:
    entry = {"tournament": "cup", "account": account, "kind": kind}
    studio.do("pay_tournament_entry", **entry, amount=100_000)


def _open(studio: Studio, number: str) -> str:
    """Open an operating day with a cage and the tournament."""
    studio.do("open_operating_day", place="kasino")
    studio.do("open_section", section=f"cage-{number}", place="kasino", **CAGE)
    _count(studio, number, "opening")
    facts = {"kind": "tournament", "station": "cup"}
    studio.do("open_section", section=f"cup-{number}", place="kasino", **facts)
    return f"cage-{number}"


def _count(studio: Studio, number: str, stage: str, sold: int = 0) -> None:
    for means, amount in (("cash", 1_000_000 + sold), ("chips", 1_000_000 - sold)):
        facts = {"section": f"cage-{number}", "stage": stage, "means": means, "amount": amount}
        studio.do("count_cage", **facts, counted_by="cashier")


def _close(studio: Studio, number: str, cage: str, sold: int = 0) -> None:
    studio.do("close_section", section=f"cup-{number}")
    _count(studio, number, "closing", sold)
    studio.do("close_section", section=cage)
    studio.do("close_operating_day", place="kasino")


@pytest.fixture(scope="module")
def store(lend: Callable[[], Store], casino: Studio) -> Store:
    store = lend()
    casino.project(store)
    return store


def test_a_tournament_of_two_nights_is_told_in_two_parts(store: Store, tmp_path: Path) -> None:
    package = built(store, tmp_path, PERIOD, SETTINGS)
    first, second = rows_of(package, "hra_turnaj_bingo")
    assert [one["IDZaznamPSTB"] for one in (first, second)] == [own("cup-1"), own("cup-2")]
    assert first["IDPSTB"] == second["IDPSTB"] == f"{OPERATOR}-cup"
    assert first["ZahajeniCas"].startswith("2026-03-30T19:00:00")
    assert first["UkonceniCas"].startswith("2026-03-31T03:00:00")
    assert second["ZahajeniCas"].startswith("2026-03-31T18:00:00")
    assert second["UkonceniCas"].startswith("2026-04-01T02:00:00")
    money = ("UhrnSazkyVyse", "TurnajVkladyPredZahajenimVyse", "UhrnVyhryVyse")
    assert [first[name] for name in money] == ["3000,00", "3000,00", "0,00"]
    assert [second[name] for name in money] == ["1000,00", "0,00", "3600,00"]
    assert second["UhrnDoprovodnaPlneniVyse"] == "400,00"
    assert (first["OznaceniTurnaj"], first["TurnajPocetHracu"]) == ("Jarní pohár", "3")
    posted = store.value("SELECT sum(amount) FROM postings WHERE event = 'TournamentPrizePaid' "
                         "AND kind = 'wallet'")  # fmt: skip
    assert posted == 360_000
    verdict = validate(
        package.folder, Options(earlier=()), clock=StoppedClock(prague("2026-05-01"))
    )
    assert verdict.faults == ()


def test_the_fee_can_be_read_as_apart_from_the_stakes(store: Store, tmp_path: Path) -> None:
    settings = Settings(casinos=SETTINGS.casinos, tournament_fee="apart")
    _, second = rows_of(built(store, tmp_path, PERIOD, settings), "hra_turnaj_bingo")
    assert (second["UhrnSazkyVyse"], second["UhrnDoprovodnaPlneniVyse"]) == ("600,00", "400,00")


def test_a_month_is_built_recorded_and_corrected_by_a_version(
    casino: Studio, store: Store, tmp_path: Path
) -> None:
    """A slip of the last night is corrected in April: the next version of March says so."""
    now = prague("2026-04-02")
    jobs = {job.name.period: job for job in pending_jobs(store, SETTINGS, now)}
    assert PERIOD in jobs
    with pytest.raises(InputError, match="not over"):
        job_for(store, SETTINGS, prague("2026-04-02"), "202604-kasino")
    done = run(store, jobs[PERIOD], tmp_path)
    assert done.command is not None
    casino.at("2026-04-02 00:00")
    casino.ledger.execute(done.command)
    package = str(done.built.cut.name)
    casino.do("publish_package", package=package, digest=done.built.digest,
              file=f"{package}.zip.p7e.p7s", file_digest="0" * 64, size=1)  # fmt: skip
    casino.do("record_confirmation", package=package, confirmation="x", verdict="OK",
              file_digest="0" * 64)  # fmt: skip
    casino.do("correct_slip", slip="s-2", corrects="s-1", amount=40_000, cause="misread")
    casino.do("request_correction", package=package, kind="material", explanation="slip s-1")
    casino.project(store)
    with pytest.raises(InputError, match="--cause"):
        job_for(store, SETTINGS, now, PERIOD)
    job = job_for(store, SETTINGS, now, PERIOD, cause="slip s-1")
    again = run(store, job, tmp_path)
    assert str(again.built.cut.name) == f"{OPERATOR}-M-202603-Z-kasino-02"
    before, after = (
        {row["TransakceTyp"]: row["TransakceVyse"] for row in rows_of(one.built, "PSTB_transakce")}
        for one in (done, again)
    )
    assert (before, after) == ({"J1": "500,00"}, {"J1": "400,00"})
    same = run(store, job_for(store, SETTINGS, now, PERIOD, version=1), tmp_path)
    assert same.built.digest == done.built.digest


def test_a_month_is_due_once_the_delay_after_its_last_night_is_over(store: Store) -> None:
    settings = Settings(casinos=SETTINGS.casinos, casino_delay_minutes=24 * 60)

    def is_due(moment: str) -> bool:
        found = periods_with_status(store, settings, prague(moment))
        return PERIOD in {one.period for one in found}

    name = PackageName.parse(f"{OPERATOR}-M-202603-Z-kasino-01")
    assert not is_due("2026-04-02 01:59")
    assert not is_period_over(store, name, settings, prague("2026-04-02 01:59"))
    assert is_due("2026-04-02 02:01")
    assert is_period_over(store, name, settings, prague("2026-04-02 02:01"))


def test_what_is_paid_in_the_next_month_is_told_in_no_version_of_the_month_before(
    lend: Callable[[], Store], tmp_path: Path
) -> None:
    studio = _announced(tmp_path / "chain", "2026-03-31T19:00:00+02:00")
    studio.at("2026-03-31 19:00")
    cage = _open(studio, "1")
    for name in NAMES:
        _pay(studio, name, "buy_in")
    studio.do("start_tournament", tournament="cup")
    studio.do("eliminate_players", tournament="cup", accounts=["cyril"])
    studio.at("2026-04-01 03:00")
    _close(studio, "1", cage)
    store = lend()

    def stakes(period: str, version: int = 1) -> list[str]:
        studio.project(store)
        out, known_at = tmp_path / str(store.position), store.position
        package = built(store, out, period, SETTINGS, known_at=known_at, version=version)
        return [one["UhrnSazkyVyse"] for one in rows_of(package, "hra_turnaj_bingo")]

    assert stakes(PERIOD) == ["3000,00"]
    studio.at("2026-04-01 12:00")
    _pay(studio, "cyril", "re_entry")
    assert stakes(PERIOD, 2) == ["3000,00"]
    studio.at("2026-04-01 18:00")
    cage = _open(studio, "2")
    studio.do("close_registration", tournament="cup")
    studio.do("eliminate_players", tournament="cup", accounts=["cyril"])
    studio.do("eliminate_players", tournament="cup", accounts=["bara"])
    studio.do("end_tournament", tournament="cup")
    assert stakes(PERIOD, 2) == ["3000,00"]
    studio.at("2026-04-02 02:00")
    _close(studio, "2", cage)
    assert (stakes(PERIOD, 2), stakes("202604-kasino")) == (["3000,00"], ["1000,00"])
    studio.close()
