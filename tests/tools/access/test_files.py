"""Files to keep: they stand without the service, as the command line judges them."""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import in_prague
from ledger.events import event_types as e
from ledger.events.encoding import hash_of
from ledger.log.port import Query
from projections.store.as_of import moment_of
from projections.store.projector import Projector
from projections.store.tables import Store
from projections.words.catalogue import Language, Words
from tests.tools.access.access_cases import Service
from tests.tools.cli_cases import run
from tools.access.access_service import DOWNLOADS_MAX
from tools.cli._demo_packages import publish_packages
from tools.data import DataDirectory, letters
from tools.data.locations import LOCAL

if TYPE_CHECKING:
    from collections.abc import Iterator

PURPOSE = {"Gameledger-Purpose": "MF-1/2026"}
ALTERED = 40
"""Position of a message that is altered."""


def ask(data: Path, *arguments: str) -> str:
    done = run(*arguments, data=data)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def service(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The evening with its first packages, built and sealed; their folders are not there."""
    data = shutil.copytree(played, tmp_path_factory.mktemp("files") / "data", symlinks=True)
    directory = DataDirectory(data, LOCAL)
    with Store.open(data / "projection") as store, closing(directory.read()) as log:
        Projector(log, store).catch_up()
        publish_packages(store, directory, moment_of(store, store.position), periods_max=2)
    shutil.rmtree(data / "packages")
    with Service.over(data) as service:
        yield service
        assert service.desk.downloads._value == DOWNLOADS_MAX  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def names(service: Service) -> dict[str, str]:
    (line, *_) = service.get("/api/bets").json()["answer"]["bets"]
    found = service.get("/api/packages?limit=1000").json()["answer"]
    package = next(one["package"] for one in found if one["state"] == "published")
    return {"round": line["round"], "account": line["account"], "package": package}


def saved(service: Service, folder: Path, address: str, role: str = "regulator") -> Path:
    """Download a file."""
    found = service.get(address, role, headers=PURPOSE)
    assert found.status_code == HTTPStatus.OK, found.text
    name = found.headers["Content-Disposition"].partition('filename="')[2].rstrip('"')
    file = folder / name
    file.write_bytes(found.content)
    return file


def test_the_whole_log_is_given_as_events_and_as_messages(service: Service, tmp_path: Path) -> None:
    lines = saved(service, tmp_path, "/api/log?form=ndjson").read_text().splitlines()
    raw = saved(service, tmp_path, "/api/log?form=raw").read_bytes()
    hashes = []
    while raw:
        length = int.from_bytes(raw[:4], "big")
        hashes.append(hash_of(raw[4 : 4 + length]).hex())
        raw = raw[4 + length :]
    documents = [json.loads(line) for line in lines]
    assert [one["hash"] for one in documents] == hashes
    assert len(hashes) == service.desk.sources.log.head().size
    opened = next(one for one in documents if one["type"] == "AccountOpened")
    assert all(opened["facts"][field] is None for field in e.AccountOpened.PERSONAL)
    part = saved(service, tmp_path, "/api/log?form=ndjson&since=10&until=700").read_text()
    assert [json.loads(line)["position"] for line in part.splitlines()] == list(range(10, 700))


def test_an_event_that_was_altered_is_not_given(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, read = service.desk.sources.log, service.desk.sources.log.read

    def altered(start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        for position, message in read(start, stop):
            yield position, message[:-1] + b"\xc3" if position == ALTERED else message

    monkeypatch.setattr(log, "read", altered)
    for address in ("/api/log?form=ndjson", f"/api/chain?as_of={ALTERED + 1}"):
        found = service.get(address)
        assert found.status_code == HTTPStatus.INTERNAL_SERVER_ERROR, address
        assert f"message {ALTERED} of the log" in found.json()["detail"]
    assert service.get("/api/log?form=raw").status_code == HTTPStatus.OK


def test_a_checkpoint_is_a_note_that_the_log_is_verified_with(
    service: Service, tmp_path: Path
) -> None:
    (newest, *_) = service.get("/api/checkpoints").json()["answer"]["checkpoints"]
    note = saved(service, tmp_path, f"/api/checkpoints/{newest['size']}", "data-protection")
    assert note.read_text() == newest["note"]
    done = run("log", "verify", "--since", str(note), "--json", data=service.copy)
    assert json.loads(done.stdout)["since"] == newest["size"]
    assert service.get("/api/checkpoints/3").status_code == HTTPStatus.NOT_FOUND
    older = service.get(f"/api/checkpoints?before={newest['position']}").json()["answer"]
    assert all(one["size"] < newest["size"] for one in older["checkpoints"])


def test_evidence_of_a_round_stands_without_the_service(
    service: Service, tmp_path: Path, names: dict[str, str]
) -> None:
    address = f"/api/rounds/{names['round']}/evidence"
    for asked, suffix in (("", ".html"), ("?form=pdf", ".pdf")):
        file = saved(service, tmp_path, address + asked, "investigator")
        assert file.suffix == suffix
        found = json.loads(ask(service.copy, "evidence", "verify", str(file), "--json"))
        assert found["subject"] == f"round:{names['round']}"
        assert found["events"] > 0
    file = saved(service, tmp_path, f"{address}?account={names['account']}")
    found = json.loads(ask(service.copy, "evidence", "verify", str(file), "--json"))
    assert found["meant_for"] == names["account"]
    absent = saved(service, tmp_path, "/api/rounds/nope/evidence?absent=yes")
    found = json.loads(ask(service.copy, "evidence", "verify", str(absent), "--json"))
    assert (found["subject"], found["events"]) == ("round:nope", 0)
    refused = service.get(f"{address}?account=nobody")
    assert refused.status_code == HTTPStatus.BAD_REQUEST
    assert service.get(address, "data-protection").status_code == HTTPStatus.FORBIDDEN


def test_evidence_of_a_list_is_an_archive_of_files_that_prove_alone(
    service: Service, tmp_path: Path, names: dict[str, str]
) -> None:
    asked = f"account={names['account']}&limit=3"
    page = service.get(f"/rounds?account={names['account']}").text
    assert f'href="/api/evidence/rounds?account={names["account"]}' in page
    listed = service.get(f"/api/rounds?{asked}").json()["answer"]["rounds"]
    file = saved(service, tmp_path, f"/api/evidence/rounds?{asked}&meant_for={names['account']}")
    with zipfile.ZipFile(file) as archive:
        contents = json.loads(archive.read("contents.json"))
        found = [one["round"] for one in contents["rounds"]] + contents["lacking"]
        assert sorted(found) == sorted(one["round"] for one in listed)
        line = contents["rounds"][0]
        one = Path(archive.extract(line["file"], tmp_path))
    found = json.loads(ask(service.copy, "evidence", "verify", str(one), "--json"))
    assert (found["subject"], found["meant_for"]) == (f"round:{line['round']}", names["account"])
    assert service.last_access().account == names["account"]
    for wrong in (f"{asked}&meant_for=a-9999", "limit=0", "near=never", "day=2001-01-01"):
        refused = service.get(f"/api/evidence/rounds?{wrong}")
        assert refused.status_code == HTTPStatus.BAD_REQUEST, wrong
    refused = service.get("/api/evidence/rounds", "data-protection")
    assert refused.status_code == HTTPStatus.FORBIDDEN


def test_evidence_of_an_account_is_masked_unless_a_purpose_opens_it(
    service: Service, tmp_path: Path, names: dict[str, str]
) -> None:
    address = f"/api/accounts/{names['account']}/evidence"
    period = "?since=2026-11-20&until=2026-11-20"
    masked = saved(service, tmp_path, address + period, "auditor").read_text()
    assert service.get(f"{address}?unmask=yes", "auditor").status_code == HTTPStatus.FORBIDDEN
    assert service.get(f"{address}?unmask=yes").status_code == HTTPStatus.BAD_REQUEST
    found = service.get(f"{address}?unmask=yes", headers=PURPOSE)
    assert found.headers["Cache-Control"] == "no-store"
    (fact,) = service.desk.chain.newest(Query(types=("PersonUnmasked",)), 1)
    assert isinstance(fact.event, e.PersonUnmasked)
    assert (fact.event.purpose, fact.event.account) == ("MF-1/2026", names["account"])
    person = service.get(f"/api/accounts/{names['account']}/person", headers=PURPOSE).json()
    fields = person["answer"]["fields"]
    assert set(fields) <= set(fact.event.fields)
    assert fields["name"] in found.text
    assert fields["name"] not in masked


def test_a_package_is_made_again_judged_and_given_as_it_was_sealed(
    service: Service, tmp_path: Path, names: dict[str, str]
) -> None:
    address = f"/api/packages/{names['package']}"
    unsealed = saved(service, tmp_path, f"{address}/zip", "reconciliation")
    assert zipfile.ZipFile(io.BytesIO(unsealed.read_bytes())).testzip() is None
    judged = json.loads(run("report", "validate", str(unsealed), "--json", data=tmp_path).stdout)
    assert service.get(f"{address}/verdict").json()["answer"] == judged
    sealed = saved(service, tmp_path, f"{address}/sealed")
    assert sealed.read_bytes() == (service.data / "sealed" / sealed.name).read_bytes()
    for wrong in ("nope", names["package"][:-2] + "07", "..%2f..%2flog.sqlite"):
        for kind in ("zip", "sealed", "verdict"):
            found = service.get(f"/api/packages/{wrong}/{kind}")
            assert found.status_code == HTTPStatus.NOT_FOUND, (wrong, kind, found.text)
    assert service.get(f"{address}/zip", "investigator").status_code == HTTPStatus.FORBIDDEN


def test_a_sealed_file_that_is_not_the_published_one_is_not_given(
    service: Service, names: dict[str, str]
) -> None:
    (file,) = (service.data / "sealed").glob(f"{names['package']}*")
    content = file.read_bytes()
    try:
        file.write_bytes(content[:-1])
        found = service.get(f"/api/packages/{names['package']}/sealed")
    finally:
        file.write_bytes(content)
    assert found.status_code == HTTPStatus.INTERNAL_SERVER_ERROR
    assert "not the file that was published" in found.json()["detail"]


@pytest.mark.parametrize("language", Language)
def test_a_statement_has_every_movement_of_the_period_and_its_balance(
    service: Service, names: dict[str, str], language: Language
) -> None:
    words, account = Words(language), names["account"]
    found = service.get(f"/api/accounts/{account}/movements?limit=1000").json()["answer"]
    assert found["before"] is None
    first = in_prague(found["movements"][-1]["recorded_at"]).date()
    day, month = f"period={first}", f"period={first:%Y-%m}"
    address = f"/api/accounts/{account}/statement?language={language}&"
    text = service.get(f"{address}form=text&{month}").text
    rows = [line.split("\t") for line in text.splitlines() if "\t" in line][1:]
    assert [row[-1] for row in rows] == [
        words.money(one["balance"]) for one in reversed(found["movements"])
    ]
    assert rows[0][:2] == [
        words.moment(found["movements"][-1]["recorded_at"]),
        words.text(f"events.{found['movements'][-1]['event']}"),
    ]
    assert f"{words.text('access.closing')}: {words.money(found['closing'])}" in text
    of_day = service.get(f"{address}form=text&{day}").text
    assert f"{words.text('access.opening')}: {words.money(0)}" in of_day
    assert len(of_day) <= len(text)
    printed = service.get(f"{address}form=pdf&{month}")
    assert printed.headers["Content-Type"] == "application/pdf"
    assert printed.content == service.get(f"{address}form=pdf&{month}").content
    pages = len(re.findall(rb"/Type\s*/Page\b", printed.content))
    assert pages >= len(rows) // 60


def test_a_statement_that_would_be_too_long_is_refused_and_not_cut(
    service: Service, names: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letters, "MOVEMENTS_MAX", 1)
    address = f"/api/accounts/{names['account']}/statement?form=text"
    found = service.get(address)
    assert found.status_code == HTTPStatus.NOT_FOUND, found.text
    assert "choose a shorter one" in found.json()["detail"]


def test_a_period_without_movements_says_so(service: Service, names: dict[str, str]) -> None:
    address = f"/api/accounts/{names['account']}/statement?form=text&language=cs"
    assert "nebyl na kontě žádný pohyb" in service.get(f"{address}&period=2026-Q1").text
    assert "Období ještě neskončilo" in service.get(address).text
