"""The proved balance of a statement of account: a reader of QR codes gives the file to the byte."""

from __future__ import annotations

import io
import json
import shutil
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
import zxingcpp
from PIL import Image

from projections.words.catalogue import Language, Words
from tests.tools.access.browser_cases import sign_in
from tests.tools.cli_cases import run
from tests.verifier.verifier_cases import asked, theirs

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.tools.access.access_cases import Service

DAY = "2026-11-20"
ADDRESS = f"/accounts/a-0001/closing-balance?period={DAY}"
PAPER = {"width": 794, "height": 1123}
"""A4 in pixels of CSS."""


@pytest.fixture(scope="module")
def played(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evening, whose balances are closed and covered by a checkpoint."""
    data = shutil.copytree(played, tmp_path_factory.mktemp("closed") / "data", symlinks=True)
    for words in (("evidence", "close", DAY), ("log", "checkpoint", "--new-key", "lost")):
        done = run(*words, data=data)
        assert done.returncode == 0, done.stderr
    return data


@pytest.mark.slow(reason="a service over an evening, and a browser")
def test_the_printed_code_holds_the_file_that_two_verifiers_accept(
    browser: Browser, service: Service, address: str, tmp_path: Path
) -> None:
    page = sign_in(browser, address, service, viewport=PAPER)
    page.goto(f"{address}/accounts/a-0001/movements?day={DAY}")
    page.click("main a[href*=closing-balance]")
    with page.expect_download() as given:
        page.click("main a[download]")
    file = tmp_path / "balance.txt"
    given.value.save_as(file)
    page.emulate_media(media="print")
    picture = Image.open(io.BytesIO(page.screenshot()))
    (code,) = zxingcpp.read_barcodes(picture)
    assert code.bytes == file.read_bytes()
    shown = page.inner_text("main")
    page.close()
    found = json.loads(asked("balance", file).stdout)
    assert (found["account"], found["period"], found["closings"]) == ("a-0001", DAY, 1)
    assert Words(Language.EN).money(found["balance"]) in shown
    held = service.get(f"/api/accounts/a-0001/balance?as_of={found['position']}").json()["answer"]
    assert found["balance"] == held["balance"]["wallet"] + held["balance"]["reserved"]
    file.write_bytes(code.bytes.replace(b"account a-0001\n", b"account a-0002\n"))
    assert (theirs("balance", file).code, theirs("balance", file).where) == (3, "balance")


@pytest.mark.parametrize("language", Language)
def test_without_a_closing_the_page_names_what_is_missing(
    service: Service, language: Language
) -> None:
    words = Words(language)
    for period, key in ((DAY, "printed_note"), ("2026-11-19", "nothing")):
        found = service.get(
            ADDRESS.replace(DAY, period), headers={"Accept-Language": language.value}
        )
        assert words.text(f"proved_balance.{key}") in found.text
    malformed = service.get(ADDRESS.replace(DAY, "<x>"))
    assert malformed.status_code == HTTPStatus.BAD_REQUEST
    assert "<x>" not in malformed.text
    assert service.get(ADDRESS.replace("a-0001", "a-9999")).status_code == HTTPStatus.NOT_FOUND
    assert service.get(ADDRESS, "data-protection").status_code == HTTPStatus.FORBIDDEN
