"""The front page is there before anybody is told of a new place in the chain."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest import mock

import pytest

from tools.access.dashboard import DashboardCache

if TYPE_CHECKING:
    from tests.tools.access.access_cases import Service


def test_who_reads_the_front_page_finds_that_of_the_next_place_ready(service: Service) -> None:
    sources, now = service.desk.sources, service.desk.clock.now()
    size = sources.projected.size
    fronts = DashboardCache()
    before = fronts.of(sources, size - 1, now)
    fronts.prepare(sources, size)
    with mock.patch.object(sources, "lines", None):
        assert fronts.of(sources, size - 1, now) == before
        found = fronts.of(sources, size, now)
    assert found.state.size == size
    assert found == DashboardCache().of(sources, size, now)


def test_where_nobody_reads_nothing_is_prepared(service: Service) -> None:
    sources = service.desk.sources
    fronts = DashboardCache()
    fronts.prepare(sources, sources.projected.size)
    with mock.patch.object(sources, "lines", None), pytest.raises(AttributeError):
        fronts.of(sources, sources.projected.size, service.desk.clock.now())


def test_what_can_not_be_prepared_is_told_to_whoever_asks(service: Service) -> None:
    sources, now = service.desk.sources, service.desk.clock.now()
    size, fronts = sources.projected.size, DashboardCache()
    fronts.of(sources, size - 1, now)
    with mock.patch.object(sources, "lines", None):
        fronts.prepare(sources, size)
        with pytest.raises(AttributeError):
            fronts.of(sources, size, now)
