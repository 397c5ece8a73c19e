"""Tasks of a working day in a browser: each begins at the front page; its clicks are counted."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from projections.words.catalogue import Language, Words
from tests.browser import PATIENCE_MS
from tests.durations import EFFORT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Locator, Page

    from tests.tools.access.access_cases import Service

__all__ = ["CZECH", "SignedIn", "answer", "menu", "row_of", "saved", "start_task", "wait_until"]

CZECH = Words(Language.CS)
TRIES = 60
SignedIn: TypeAlias = "Callable[[str], BrowserContext]"
"""Gives the session of a role."""
COUNT = """
for (const kind of ["click", "change"])
  addEventListener(kind, event => { if (event.isTrusted) counted(kind); }, true);
"""
"""Counts what a person does: a form that is sent by the Enter key is a click too."""


def start_task(
    context: BrowserContext, address: str, request: pytest.FixtureRequest
) -> Iterator[Page]:
    """Open the front page for a task; report what it took when it ends."""
    done: Counter[str] = Counter()
    with context.new_page() as page:
        page.set_default_timeout(PATIENCE_MS)
        page.expose_function("counted", lambda kind: done.update([kind]))
        page.add_init_script(COUNT)
        page.goto(address)
        began = time.monotonic()
        yield page
        took = f"{done['click']} {done['change']} {time.monotonic() - began:.1f}"
        request.node.user_properties.append((EFFORT, took))


def menu(page: Page, path: str) -> None:
    page.click(f"nav a[href='{path}']")
    page.wait_for_url(f"**{path}")


def row_of(page: Page, text: str) -> Locator:
    return page.locator("main tbody tr", has_text=text)


def saved(page: Page, link: Locator, to: Path) -> Path:
    """Download what a link gives."""
    with page.expect_download(timeout=PATIENCE_MS) as download:
        link.click(timeout=PATIENCE_MS)
    download.value.save_as(to)
    return to


def answer(service: Service, path: str) -> Any:
    return service.get(path).json()["answer"]


def wait_until(page: Page, is_shown: Callable[[], bool]) -> None:
    """Load the page again until the tables have what was recorded."""
    for _ in range(TRIES):
        if is_shown():
            return
        page.wait_for_timeout(500)
        page.reload()
    pytest.fail(f"it is not shown: {page.locator('main').inner_text()}")
