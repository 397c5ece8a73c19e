from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING

import pytest

from tests.browser import chromium
from tests.tools.access.access_cases import Service, evening
from tests.tools.access.browser_cases import listening, sign_in
from tests.tools.access.clerk_cases import acting_instance
from tests.tools.cli_cases import ROOT
from tests.worlds import world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from ledger.core.clock import Clock
    from tests.tools.access.task_cases import SignedIn

EXAMINE = """
import sys
from pathlib import Path
from tests.tools.access.access_cases import examine
examine(Path(sys.argv[1]))
"""


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small evening with its tables and findings; copy it with its links."""

    def make(data: Path) -> None:
        arguments = [sys.executable, "-W", "ignore", "-c", EXAMINE, str(evening(data))]
        subprocess.run(  # noqa: S603 - our own program; this process may hold the engine
            arguments, check=True, cwd=ROOT, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
        )

    return world(tmp_path_factory, "evening", make, copied=False)


@pytest.fixture(scope="module")
def clock(played: Path) -> Clock | None:  # noqa: ARG001 - of the files that stop the time
    """The service's clock; None: that of the machine."""
    return None


@pytest.fixture(scope="module")
def service(
    played: Path, clock: Clock | None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """One service over the evening for the tests of a file, with a reader of each role.

    It holds the engine, which a process has once: the next file may need it for other tables.
    """
    data = shutil.copytree(played, tmp_path_factory.mktemp("service") / "data", symlinks=True)
    with Service.over(data, clock) as service:
        before = service.state()
        yield service
        assert service.state() == before, "something was written through the service"


@pytest.fixture(scope="module")
def address(service: Service) -> Iterator[str]:
    """Serve on a port of this machine, from a thread."""
    with listening(service, service.client.app) as found:
        yield found


@pytest.fixture(scope="module")
def browser(address: str) -> Iterator[Browser]:  # noqa: ARG001 - ends before the service does
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def acting(service: Service) -> Iterator[str]:
    """The address of the operator's own instance: it sends commands to a running writer."""
    with acting_instance(service) as found:
        yield found


@pytest.fixture(scope="module")
def signed_in(browser: Browser, address: str, service: Service) -> SignedIn:
    """Sign in with a role, in Czech, when a test first asks for it; its tests share the session."""
    return cache(lambda role: sign_in(browser, address, service, role, locale="cs").context)
