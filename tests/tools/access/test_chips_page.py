"""The page of a round tells bets in chips apart, and never calls them paid as due."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest

from projections.words.catalogue import Language, Words
from tests.tools.cli_cases import night_with_chips

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.access.access_cases import Service


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The beginning of a night, with one bet in chips."""
    return night_with_chips(tmp_path_factory.mktemp("chips") / "data")


@pytest.mark.parametrize("language", Language)
def test_bets_in_chips_stand_apart(service: Service, language: Language) -> None:
    words = Words(language)
    page = service.get("/rounds/c1", headers={"Accept-Language": language})
    assert page.status_code == HTTPStatus.OK, page.text
    sums = words.text(
        "access.sums_in_chips",
        bets=1,
        stakes=words.amount(10_000),
        paid=words.amount(5_000_000),
        currency="CZK",
    )
    for text in (words.text("access.in_chips"), sums, words.text("access.chips_not_again")):
        assert text in page.text, text
    for name in ("access.paid_is_due", "access.accounts_paid_is_due"):
        assert words.text(name) not in page.text
