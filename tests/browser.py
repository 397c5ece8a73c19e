"""Pages in a real Chromium, without a network."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.waiting import PATIENCE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

PATIENCE_MS = PATIENCE_SECONDS * 1000
"""For what a page shows while other tests use the cores."""
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser of the system; where there is none, say so.

    Chromium's own build without a window takes a third of the processor time of the whole one.
    """
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("CI has to try evidence in a browser: install chromium-headless-shell")
        pytest.skip("no Chromium: apt-get install chromium-headless-shell")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS])
        try:
            yield browser
        finally:
            browser.close()
