"""Take the pictures of docs/access.md: the pages of a demo in Chromium.

Run it (`python tests/tools/access/take_pictures.py data/demo`) when pages have changed, and look at
what it made. It serves the data directory, so that its chain of accesses grows.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser import PATIENCE_MS, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[3]
PLACE = ROOT / "docs" / "pages"
SIZE = {"width": 1150, "height": 820}
PURPOSE = "MF-12/2026"


def main(data: Path) -> None:
    PLACE.mkdir(exist_ok=True)
    serving = subprocess.Popen(
        [sys.executable, "-m", "tools.cli", "--json", "serve", "--listen", "127.0.0.1:0"],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "GAMELEDGER_DATA": str(data.resolve())},
        text=True,
    )
    try:
        assert serving.stdout is not None
        told = json.loads(serving.stdout.readline())
        with chromium() as browser:
            take(browser, told["address"].rstrip("/"), told["token"])
    finally:
        serving.send_signal(signal.SIGTERM)
        serving.wait()


def take(browser: Browser, address: str, token: str) -> None:
    page = browser.new_context(viewport=SIZE, locale="en").new_page()
    page.set_default_timeout(PATIENCE_MS)
    while not page.request.get(f"{address}/ready").ok:
        page.wait_for_timeout(500)

    def picture(name: str) -> None:
        page.screenshot(path=PLACE / f"{name}.png")

    page.goto(f"{address}/sign-in")
    page.fill("#token", token)
    page.fill("#purpose", PURPOSE)
    picture("sign-in")
    page.click("main button")
    page.wait_for_selector("dl")
    picture("front")
    page.click("a[href^='/rounds/evo-1-']")
    page.wait_for_selector("figure")
    picture("round")
    page.goto(f"{address}/language/cs")
    page.go_back()
    page.reload()
    picture("round-cs")
    page.goto(f"{address}/language/en")
    page.go_back()
    page.click("a[href^='/accounts/']")
    page.locator("figure").scroll_into_view_if_needed()
    picture("account")
    page.goto(f"{address}/packages")
    picture("packages")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
