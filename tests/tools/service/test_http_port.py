"""The port of commands over HTTP, when the machine has nothing left to serve it with."""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import TYPE_CHECKING, Any

import httpx

from tests.tools.writer_cases import ANY_PORT
from tools.service.authentication import ClientAuthenticator
from tools.service.http import serving
from tools.service.http.serving import HttpListener

if TYPE_CHECKING:
    import pytest


def test_the_port_is_served_again_once_descriptors_are_free(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving, "RETRY_SECONDS", 0.01)
    serve = asyncio.run

    def failing(coroutine: Any) -> None:
        coroutine.close()
        monkeypatch.setattr(asyncio, "run", serve)
        raise OSError("too many open files")

    monkeypatch.setattr(asyncio, "run", failing)
    with closing(HttpListener(ANY_PORT, ClientAuthenticator())) as door:
        assert httpx.get(f"{door.url}/health").text == "alive\n"
    assert "too many open files" in capsys.readouterr().err
