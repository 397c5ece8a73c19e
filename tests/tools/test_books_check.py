"""What is said of a comparison of packages with books that has nothing to compare."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ledger.core.clock import SystemClock, month_of
from tests.tools.cli_cases import run

if TYPE_CHECKING:
    from pathlib import Path


def test_of_a_period_to_come_nothing_is_compared_and_that_is_said(studio: Path) -> None:
    done = run("books", "check", "2027-12", data=studio)
    assert "The period is not over yet." in done.stdout
    assert "Nothing was compared: no package of the period was built." in done.stdout
    assert "0 differences" not in done.stdout
    answer = json.loads(run("books", "check", "2027-12", "--json", data=studio).stdout)
    assert (answer["is_over"], answer["compared"]) == (False, [])


def test_csv_of_the_books_opens_in_a_czech_spreadsheet(studio: Path) -> None:
    month = month_of(SystemClock().now())
    for sheets in (["trial"], ["month"]):
        asked = ["books", *sheets, month, "--csv"]
        czech = run(*asked, "--language", "cs", data=studio).stdout
        assert czech.count("\ufeff") == 1
        assert czech.startswith("\ufeff")
        assert '"Účet";"Měna";' in czech
        assert '"Account","Currency",' in run(*asked, data=studio).stdout
