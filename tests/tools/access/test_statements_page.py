"""The page of statements: how the lines of an imported one stand, in both languages."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from contextlib import closing
from http import HTTPStatus
from typing import TYPE_CHECKING
from unittest import mock

import pytest

from ledger.events.encoding import decode_envelope
from projections.matching.values import LineStatus
from projections.words.catalogue import NO_BREAK, Language, Words
from projections.words.names import named
from tests.tools.access.clerk_cases import HEAD, ISSUER
from tests.tools.cli_cases import run
from tools.access import pages_findings
from tools.cli import _demo_statements
from tools.data import DataDirectory
from tools.data.locations import LOCAL
from tools.simulator import issue

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.access.access_cases import Service


@pytest.fixture(scope="module")
def played(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evening with the statements of bank and payment provider, which err."""
    data = shutil.copytree(played, tmp_path_factory.mktemp("statements") / "data", symlinks=True)
    directory = DataDirectory(data, LOCAL)
    erring = mock.patch.object(
        _demo_statements, "issue", lambda *given, **more: issue(*given, **{**more, "mistakes": 2})
    )
    with closing(directory.read()) as log, erring:
        ((_, last),) = log.read(log.head().size - 1, log.head().size)
        _demo_statements.import_statements(directory, log, decode_envelope(last).recorded_at + 1)
    (data / "issuers").mkdir(exist_ok=True)
    (data / "issuers" / "euro.toml").write_text(f'currency = "EUR"\n{ISSUER}')
    file = data.parent / "euro.csv"
    file.write_text(HEAD + "2026-11-10,12.34,euro-1\n")
    done = run("statement", "import", str(file), "--issuer", "euro", data=data)
    assert done.returncode == 0, done.stderr
    return data


def test_amounts_are_in_the_currency_of_their_statement(service: Service) -> None:
    """No table calls euros crowns."""
    findings = service.get("/api/findings").json()["answer"]["findings"]
    (finding,) = (one for one in findings if (one["theirs"] or {}).get("reference") == "euro-1")
    for path in ("/statements", "/open-items", "/findings", f"/findings/{finding['identity']}"):
        page = service.get(path, headers={"Accept-Language": "cs"}).text
        cells = re.findall("<td[^>]*>(.*?)</td>", page, re.DOTALL)
        amounts = {cell.strip() for cell in cells if re.fullmatch(r"\s*12,34.*", cell)}
        assert amounts == {f"12,34{NO_BREAK}EUR"}, path
        assert not re.search(rf"12,34{NO_BREAK}Kč", page), path
    listed = service.get("/api/findings?form=csv", headers={"Accept-Language": "cs"}).text
    (row,) = (line for line in listed.splitlines() if "euro-1" in line)
    assert f"euro-1 12,34{NO_BREAK}EUR" in row
    assert ";12,34;" not in row, "that column is in crowns"
    english = service.get("/api/findings?form=csv", headers={"Accept-Language": "en"}).text
    (line,) = (one for one in csv.DictReader(io.StringIO(english)) if "euro-1" in one["theirs"])
    assert (line["amount (CZK)"], json.loads(line["parameters"])["currency"]) == ("", "EUR")
    assert any(one["amount (CZK)"] for one in csv.DictReader(io.StringIO(english)))
    changed = service.get("/changes/findings?from=1", headers={"Accept-Language": "cs"}).text
    assert "12,34" in changed
    assert not re.search(rf"12,34{NO_BREAK}Kč", changed)
    assert finding["sentence"].startswith("12.34 EUR stand in a statement")
    (item,) = (
        one
        for one in service.get("/api/open-items").json()["answer"]["items"]
        if one["issuer"] == "euro"
    )
    assert (item["currency"], item["total"], item["books"]) == ("EUR", 1_234, 1_234)


def test_findings_to_choose_from_have_the_currency_of_their_amount(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages_findings, "may_act", lambda *_: True)
    browser = service.new_browser()
    browser.post("/sign-in", data={"token": service.tokens["clerk"], "purpose": "test"})
    page = browser.get("/findings?several=yes", headers={"Accept-Language": "cs"}).text
    assert f">12,34{NO_BREAK}EUR</td>" in page
    assert not re.search(rf"12,34{NO_BREAK}Kč", page)


def test_only_money_in_crowns_is_offered_to_be_written_off(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages_findings, "may_act", lambda *_: True)
    browser = service.new_browser()
    browser.post("/sign-in", data={"token": service.tokens["clerk"], "purpose": "test"})
    offered = []
    for one in service.get("/api/findings").json()["answer"]["findings"]:
        if one["code"] in pages_findings.WRITTEN_OFF:
            page = browser.get(f"/findings/{one['identity']}").text
            offered.append(("EUR" in page, "/write_off" in page))
    assert set(offered) == {(True, False), (False, True)}


@pytest.mark.parametrize("language", Language)
def test_lines_stand_by_their_way_of_a_match_or_by_their_finding(
    service: Service, language: Language
) -> None:
    words = Words(language)
    page = service.get("/statements", headers={"Accept-Language": language})
    assert page.status_code == HTTPStatus.OK, page.text
    for area, how in (("standings", LineStatus.REFERENCE), ("findings", LineStatus.DOUBLE)):
        assert f'<th scope="row">{named(words, area, how.value)}</th>' in page.text


def test_lines_of_statements_are_found_by_their_references(service: Service) -> None:
    answer = service.get("/api/events?type=StatementLinesRecorded&limit=1000").json()["answer"]
    lines = {one["position"]: one["facts"] for one in answer["events"]}

    def positions_of(text: str) -> set[int]:
        found = service.get("/search", params={"q": text})
        shown = found.headers.get("Location", "") + found.text
        return {position for position in lines if re.search(rf"/events/{position}\b", shown)}

    position, theirs = next(
        (position, name)
        for position, facts in lines.items()
        for name in facts["their_references"]
        if name
    )
    spelled = f"{theirs[:3]} {theirs[3:]}"
    for text in (theirs, f" {theirs} ", spelled):
        assert position in positions_of(text), text
    assert theirs.isdigit()
    for text in (f"VS {theirs}", f"vs: {spelled}", f"variabilní symbol {theirs}"):
        assert position in positions_of(text), text
    assert not positions_of(""), "a line without a reference is not the one without a name"
    assert not positions_of("  ")
    batches = {name for facts in lines.values() for name in facts["settlements"] if name}
    with closing(service.desk.sources.keys()) as keys:
        paid = {
            name: position
            for name in batches
            for position, facts in lines.items()
            if keys.name_digest(name) in (*facts["ends_to_end"], *facts["variable_symbols"])
        }
    name, position = paid.popitem()
    assert position in positions_of(name), "a name that the bank's line has as a keyed digest"
