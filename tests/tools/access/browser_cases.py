"""A service on a port of this machine, and people who sign in to it with a browser."""

from __future__ import annotations

import socket
from contextlib import closing, contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any

import uvicorn
from playwright.sync_api import expect

from tests.browser import PATIENCE_MS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import FastAPI
    from playwright.sync_api import Browser, Page

    from tests.tools.access.access_cases import Service

PURPOSE = "MF-12/2026"

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOK = """tags => axe.run({resultTypes: ["violations"], runOnly: tags}).then(found =>
  found.violations.map(({id, nodes}) => [id, ...nodes.map(one => `${one.target}: ${one.html}`)]))"""
"""What axe-core finds wrong with a page, by rule, with each place."""


@contextmanager
def listening(service: Service, app: FastAPI) -> Iterator[str]:
    """Serve an application from a thread; give its address."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        config = uvicorn.Config(app, lifespan="off", log_config=None)
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            service.desk.over.set()
            server.should_exit = True
            thread.join()


def sign_in(
    browser: Browser, address: str, service: Service, role: str = "regulator", **options: Any
) -> Page:
    """Sign in for a purpose, on a page of its own; it shows the front page."""
    page = browser.new_context(**{"locale": "en", **options}).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    page.fill("#token", service.tokens[role])
    page.fill("#purpose", PURPOSE)
    page.keyboard.press("Enter")
    expect(page.locator("main [data-live] dl").first).to_be_visible()
    return page
