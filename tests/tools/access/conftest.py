from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from access_cases import Service, evening

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service over a small evening for all tests, with a reader of each role."""
    with Service.over(evening(tmp_path_factory.mktemp("evening") / "data")) as service:
        before = service.state()
        yield service
        assert service.state() == before, "something was written through the service"
