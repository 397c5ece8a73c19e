"""The page of statements: how the lines of an imported one stand, in both languages."""

from __future__ import annotations

import re
import shutil
from contextlib import closing
from http import HTTPStatus
from typing import TYPE_CHECKING
from unittest import mock

import pytest

from ledger.events.encoding import decode_envelope
from projections.matching.values import LineStatus
from projections.words.catalogue import Language, Words
from projections.words.names import named
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
    return data


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
    assert position in positions_of(theirs)
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
