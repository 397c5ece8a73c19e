"""The page of statements: how the lines of an imported one stand, in both languages."""

from __future__ import annotations

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
