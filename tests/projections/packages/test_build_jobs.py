"""Which packages are due, which version comes next, and what stands behind a row."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from ledger.core.clock import MINUTE
from ledger.core.errors import InputError, IntegrityError
from ledger.decisions.decider import encode_command
from ledger.events.encoding import decode
from projections.packages.cz.build import cut_of
from projections.packages.cz.explain import explain
from projections.packages.cz.fields import table
from projections.packages.cz.jobs import job_for, pending_jobs, run
from projections.packages.cz.names import Model, PackageName
from projections.packages.cz.periods import due_periods
from projections.packages.cz.settings import Settings, read_settings, settings_from_json
from projections.packages.cz.status import periods_with_status
from projections.packages.status import built_version
from projections.store import as_of
from projections.store.as_of import size_at
from tests.projections.packages.build_cases import OPERATOR, Studio, built, own, prague
from tests.search import amount

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Month

    from projections.packages.results import JobResult
    from projections.store.tables import Store

FIRST = "2026032708"
NAME = f"{OPERATOR}-V-{FIRST}-Z-01"
NOW = prague("2026-03-28 08:00")


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    found = Studio(tmp_path, "2026-03-27 09:00")
    found.player("anna")
    found.play("q1", "anna", 10_000)
    yield found
    found.close()


def recorded(studio: Studio, store: Store, done: JobResult) -> None:
    """Record what was built, as the command line does."""
    assert done.command is not None
    studio.ledger.execute(done.command)
    studio.project(store)


def published(studio: Studio, store: Store, package: str) -> None:
    digest = built_version(store, PackageName.parse(package)).digest
    file = f"{package}.zip.p7e.p7s"
    studio.do(
        "publish_package", package=package, digest=digest, file=file, file_digest=digest, size=1
    )
    studio.project(store)


def states(store: Store) -> list[tuple[str, str]]:
    return [(one.package, one.state) for one in periods_with_status(store, Settings(), NOW)]


@pytest.mark.parametrize(
    ("probes_max", "most_filled", "has_log"),
    [(200, 16, False), (3, 16, False), (3, 1, False), (200, 16, True)],
)
def test_positions_before_a_moment_are_counted(
    month: Month,
    monkeypatch: pytest.MonkeyPatch,
    probes_max: int,
    most_filled: int,
    has_log: bool,
) -> None:
    """Whether the log says so, the tables that are asked first, or others."""
    monkeypatch.setattr(month.store, "log", month.studio.log if has_log else None)
    monkeypatch.setattr(as_of, "PROBES", probes_max)
    monkeypatch.setattr(as_of, "MOST_FILLED", most_filled)
    moments = [decode(message).envelope.recorded_at for _, message in month.studio.log.read()]
    probes = [0, moments[0], *moments[:: amount(51, 17)], moments[-1], moments[-1] + 1]
    for moment in probes:
        before = sum(recorded_at < moment for recorded_at in moments)
        assert size_at(month.store, moment, len(moments)) == before
    assert size_at(month.store, moments[-1] + 1, 5) == 5
    with pytest.raises(InputError, match=f"position {len(moments) + 1} is not projected"):
        size_at(month.store, 0, len(moments) + 1)


def test_a_period_is_due_at_its_end_and_not_before() -> None:
    def due(now: int, delay: int = 0) -> list[str]:
        since = prague("2026-10-24 23:00")
        return [name.period for name in due_periods(OPERATOR, since, now, delay_minutes=delay)]

    night = prague("2026-10-25 08:00")
    assert due(night - 1) == ["2026102416"]
    assert due(night) == ["2026102416", "2026102500"]
    assert due(night, delay=1) == ["2026102416"]
    assert due(night + MINUTE, delay=1) == ["2026102416", "2026102500"]


@pytest.mark.law("L-12")
@pytest.mark.parametrize(
    ("period", "since"),
    [("2026042516", "2026-01-26"), ("2026012516", "2025-10-26"), ("2026102516", "2026-07-26")],
)
def test_rates_begin_where_the_quarterly_package_before_ended(period: str, since: str) -> None:
    assert PackageName.of_period(OPERATOR, period).rates_before.end == prague(since)


def test_what_is_due_is_built_recorded_and_due_no_more(
    studio: Studio, store: Store, tmp_path: Path
) -> None:
    studio.at("2026-03-28 08:00")
    studio.do("log_out", account="anna")
    studio.project(store)
    assert [state for _, state in states(store)] == ["due"] * 3
    done = [run(store, job, tmp_path / "out") for job in pending_jobs(store, Settings(), NOW)]
    for one in done:
        recorded(studio, store, one)
    assert states(store) == [
        (NAME, "built"),
        (f"{OPERATOR}-V-2026032716-Z-01", "built"),
        (f"{OPERATOR}-V-2026032800-Z-01", "built"),
    ]
    assert list(pending_jobs(store, Settings(), NOW)) == []


@pytest.mark.law("L-5")
def test_a_package_goes_through_its_states_to_the_next_version(
    studio: Studio, store: Store, tmp_path: Path
) -> None:
    studio.at("2026-03-28 08:00")
    studio.do("log_out", account="anna")
    studio.project(store)
    settings, out = Settings(), tmp_path / "out"
    recorded(studio, store, run(store, job_for(store, settings, NOW, FIRST), out))
    same = run(store, job_for(store, settings, NOW, FIRST), out)
    assert same.command is None
    published(studio, store, NAME)
    assert states(store)[0] == (NAME, "published")
    studio.do(
        "record_confirmation",
        package=NAME,
        confirmation="c",
        verdict="ERR",
        file_digest="a" * 64,
        findings=[{"file": "ucet.csv", "key": "2", "code": "ERR_FIELD_TYPE"}],
    )
    studio.project(store)
    status = periods_with_status(store, settings, NOW)[0]
    assert (status.state, status.findings, status.to_correct) == ("refused", 1, True)
    with pytest.raises(InputError, match="say why there is to be another version with --cause"):
        job_for(store, settings, NOW, FIRST)
    second = run(store, job_for(store, settings, NOW, FIRST, cause="typ pole"), out)
    assert str(second.built.cut.name).endswith("-Z-02")
    recorded(studio, store, second)
    assert states(store)[0] == (f"{OPERATOR}-V-{FIRST}-Z-02", "built")
    published(studio, store, f"{OPERATOR}-V-{FIRST}-Z-02")
    studio.do(
        "record_confirmation",
        package=f"{OPERATOR}-V-{FIRST}-Z-02",
        confirmation="c",
        verdict="OK",
        file_digest="b" * 64,
    )
    studio.project(store)
    assert periods_with_status(store, settings, NOW)[0].state == "accepted"
    first = run(store, job_for(store, settings, NOW, FIRST, version=1), tmp_path / "again")
    assert first.command is None
    assert first.built.digest == built_version(store, PackageName.parse(NAME)).digest


def test_a_recorded_version_is_made_by_the_settings_of_its_time(
    studio: Studio, store: Store, tmp_path: Path
) -> None:
    studio.at("2026-03-28 08:00")
    studio.do("log_out", account="anna")
    studio.project(store)
    old = Settings(measure_kinds="abcdefg")
    recorded(studio, store, run(store, job_for(store, old, NOW, FIRST), tmp_path / "1"))
    job = job_for(store, Settings(), NOW, FIRST, version=1)
    assert job.settings == old
    run(store, job, tmp_path / "2")
    other = job_for(store, Settings(), NOW, FIRST)
    with pytest.raises(InputError, match="holds other content under this name: move it away"):
        run(store, other, tmp_path / "2")


def test_a_recorded_version_that_comes_out_otherwise_is_an_integrity_error(
    studio: Studio, store: Store, tmp_path: Path
) -> None:
    studio.at("2026-03-28 08:00")
    studio.do("log_out", account="anna")
    studio.project(store)
    done = run(store, job_for(store, Settings(), NOW, FIRST), tmp_path / "1")
    assert done.command is not None
    studio.send(**{**facts_of(done), "digest": "a" * 64})
    studio.project(store)
    with pytest.raises(IntegrityError, match="was recorded with digest aaaa"):
        run(store, job_for(store, Settings(), NOW, FIRST, version=1), tmp_path / "2")


def facts_of(done: JobResult) -> dict[str, Any]:
    assert done.command is not None
    facts: dict[str, Any] = json.loads(encode_command(done.command))
    return facts


def test_a_period_that_is_not_over_has_no_package_but_can_be_looked_at(
    studio: Studio, store: Store, tmp_path: Path
) -> None:
    studio.project(store)
    now = prague("2026-03-27 15:59:59")
    with pytest.raises(InputError, match="period 2026032708 is not over"):
        job_for(store, Settings(), now, FIRST)
    job = job_for(store, Settings(), now, FIRST, known_at=store.position)
    assert run(store, job, tmp_path / "out").command is None


@pytest.mark.parametrize(
    ("period", "words"),
    [
        ("2026032700", "lies before the beginning of the chain"),
        ("2026032709", "0, 8 and 16"),
    ],
)
def test_a_package_that_there_can_not_be_is_refused(
    studio: Studio, store: Store, tmp_path: Path, period: str, words: str
) -> None:
    studio.project(store)
    with pytest.raises(InputError, match=words):
        run(store, job_for(store, Settings(), NOW, period), tmp_path)


def test_a_package_of_another_operator_is_refused(month: Month) -> None:
    name = PackageName.of_period("11111111", FIRST)
    with pytest.raises(InputError, match="the chain is of operator 26493993"):
        cut_of(month.store, name, Settings())


def test_a_row_is_explained_by_its_number_and_by_its_key(month: Month, tmp_path: Path) -> None:
    cut = month.packages["2026032716"].cut
    by_key = explain(month.store, cut, table("hra_toky", Model.REMOTE), own("q4-2"))
    assert explain(month.store, cut, table("hra_toky", Model.REMOTE), "2") == by_key
    assert by_key.values["IDHraToky"] == own("q4-2")
    assert by_key.line.endswith("\r\n")
    names = [
        type(decode(message).event).__name__
        for at in by_key.positions
        for _, message in month.studio.log.read(at, at + 1)
    ]
    assert names == ["BetPlaced", "BetConcluded", "BetSettled"]
    with pytest.raises(InputError, match="has no row 3: give its number from 1, or its key"):
        explain(month.store, cut, table("hra_toky", Model.REMOTE), "3")
    assert built(month.store, tmp_path, "2026032716").digest == (
        month.packages["2026032716"].digest
    )


def test_every_row_of_every_package_leads_to_events_of_the_chain(month: Month) -> None:
    for period in ("2026032708", "2026032716", "2026032808", "2026041908"):
        package = month.packages[period]
        for file in package.files:
            for number in range(1, file.rows + 1, 9):
                found = explain(
                    month.store, package.cut, table(file.name, Model.REMOTE), str(number)
                )
                assert found.positions
                assert max(found.positions) < package.cut.known_at


def test_settings_are_read_from_a_file_and_a_wrong_one_names_its_place(tmp_path: Path) -> None:
    file = tmp_path / "report.toml"
    file.write_text('late_settlement = "correction"\ndelay_minutes = 30\n', encoding="utf-8")
    assert read_settings(file) == Settings(late_settlement="correction", delay_minutes=30)
    assert read_settings(None) == Settings()
    for text, words in (
        ("late_settlement = 'no'", "late_settlement"),
        ("[ways]\ncash = 1", "ways lacks account, card"),
        ("delay_minutes = -1", "delay_minutes"),
        ("unknown = 1", "unknown"),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=words):
            read_settings(file)
    with pytest.raises(InputError, match="nowhere"):
        read_settings(tmp_path / "nowhere.toml")


WAYS = "cash = {}\naccount = {}\ncard = {}\nother = {}\npostal = {}\n"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('measure_kinds = "abx"', "measure_kinds: 'x' is no measure"),
        ("[ways]\n" + WAYS.format(0, 1, 1, 1, 1) + "coin = 1", "ways: coin is no class"),
        ("[way_words]\n" + WAYS.format('""', *["'a'"] * 4), r"way_words\.cash: it must be filled"),
        ('[casinos.k]\nregion = "XXX"', r"casinos\.k\.region: 'XXX' is not in the code list"),
        ('[casinos.k]\nlatitude = "49.59"', r"casinos\.k\.latitude: .* such as 49,5938"),
        ('[casinos.k]\nlongitude = "east"', r"casinos\.k\.longitude: .* such as 49,5938"),
        ('[casinos.k]\norientation_number = "12345678901"', "orientation_number: it has 11"),
        ('[casinos.k]\npermit_name = "a\\nb"', "permit_name: there is a control character"),
        ('[casinos.k]\nin_names = "a-b"', r"casinos\.k\.in_names: 'a-b' can't be the casino"),
        ('[casinos.k]\n[casinos.l]\nin_names = "k"', r"casinos\.l\.in_names: casino k has the"),
        ('[casinos."k-1"]\n[casinos."k.1"]', r"casinos\.k\.1\.in_names: casino k-1 has the same"),
    ],
)
def test_a_value_that_no_valid_package_contains_is_refused_with_its_place(
    tmp_path: Path, text: str, place: str
) -> None:
    file = tmp_path / "report.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=place):
        read_settings(file)
    recorded = msgspec.json.encode(msgspec.toml.decode(text)).decode()
    assert settings_from_json(recorded) != Settings()  # a recorded package is built again
