"""Lists as a Czech Excel opens them: in crowns, local time and Czech, whatever the list is."""

from __future__ import annotations

import csv
import io
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from projections.words.catalogue import Language, Words
from tests.tools.access.access_cases import handled

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.access.access_cases import Service

CZECH = {"Accept-Language": "cs"}
FOR_PROGRAMS = {"/api/sql", "/api/views/{name}"}
"""Rows of which only the engine knows what a number is."""
NOT_IN_WORDS = re.compile(
    r"[A-Z]{2,}(_[A-Z]+)+|[a-z]+(_[a-z]+)+|[A-Z][a-z]+([A-Z][a-z]+)+|true|false|null|unknown"
    r"|[\[{].*|\d{4}-\d\d-\d\dT.*|GET /.*"
)
"""Codes, JSON and times for programs."""
OF_OTHERS = {"Místo", "Pohled", "Sloupce"}
"""Columns of names that an operator or a table has."""


@pytest.fixture(scope="module")
def played(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evening, with a finding that has two sides."""
    data = tmp_path_factory.mktemp("sheets") / "data"
    return handled(shutil.copytree(played, data, symlinks=True), is_closed=False)


@pytest.fixture(scope="module")
def addresses(service: Service) -> list[str]:
    """Every address that gives a list as CSV."""
    paths = service.client.app.openapi()["paths"]  # type: ignore[attr-defined]
    (bet, *_) = service.get("/api/bets?limit=1").json()["answer"]["bets"]
    found = []
    for path, methods in paths.items():
        given = methods.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        if "text/csv" not in given or path in FOR_PROGRAMS:
            continue
        name = bet["round"] if "/rounds/" in path else bet["account"]
        if path.startswith(("/api/changes/cases/", "/api/changes/tournaments/")):
            continue
        if path == "/api/changes/packages/{name}":
            continue
        filled = path.format(name=name, period="2026-11", one_day="2026-11-20")
        given = {"/api/cases": "?ended=yes", "/api/duties": "?now=2026-12-24"}
        found.append(filled + ("?from=200" if "/changes/" in path else given.get(path, "")))
    return found


def cells(service: Service, address: str) -> list[dict[str, str]]:
    given = service.get(f"{address}{'&' if '?' in address else '?'}form=csv", headers=CZECH)
    assert given.content.startswith(b"\xef\xbb\xbf"), (address, given.text[:200])
    return list(csv.DictReader(io.StringIO(given.content.decode("utf-8-sig")), delimiter=";"))


def test_no_list_for_a_czech_spreadsheet_has_codes_or_json(
    service: Service, addresses: list[str]
) -> None:
    assert len(addresses) > 25
    found = {
        (address, heading, cell)
        for address in addresses
        for row in cells(service, address)
        for heading, cell in row.items()
        if heading not in OF_OTHERS and NOT_IN_WORDS.fullmatch(cell, re.DOTALL)
    }
    assert not found, sorted(found)[:40]


def test_sentences_sides_and_bets_are_in_the_language_of_the_reader(service: Service) -> None:
    words = Words(Language.CS)
    listed = service.get("/api/findings").json()["answer"]["findings"]
    rows = cells(service, "/api/findings")
    assert len(rows) == len(listed) > 0
    assert not any(row["Popis"] == one["sentence"] for row, one in zip(rows, listed, strict=True))
    sides = [row["Náš záznam"] for row, one in zip(rows, listed, strict=True) if one["ours"]]
    assert sides == [f"d-77 {words.money(10_000)}"]
    bets = cells(service, "/api/bets?limit=1000")
    assert {"Hráč", "hlavní sázka", "dorovnání"} <= {row["Sázka na"] for row in bets}


def test_a_last_day_is_in_the_cell_of_its_deadline(service: Service) -> None:
    """A deadline at midnight, as a cell of the next day, would read as a day more."""
    (row, *_) = cells(service, "/api/cases?ended=yes")
    assert row["Lhůta k vyřízení (pražský čas)"].endswith("23:59:59")
