"""Clusters of their own for tests that kill, and the figures of the fault tests at the end."""

from __future__ import annotations

import gc
import warnings
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tests.ledger.log.kafka.kafka_load import QUICK
from tests.ledger.log.kafka.kafka_proxy import Proxy
from tools.workshop.broker import Cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FIGURES: list[str] = []


def collect_sockets() -> None:
    """Collect forgotten sockets here, not in some later test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        for _ in range(5):  # a coroutine that is closed may leave the next thing to collect
            gc.collect()


def pytest_sessionfinish() -> None:
    """Collect what the last test still held."""
    collect_sockets()


@pytest.fixture(scope="module", autouse=True)
def only_what_is_new() -> None:
    """Let the collections of a file look at nothing that is older than it."""
    collect_sockets()
    gc.freeze()


@pytest.fixture(autouse=True)
def forgotten_sockets() -> Iterator[None]:
    """Collect behind every test of this folder what its clients forgot."""
    yield
    collect_sockets()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what the fault tests counted."""
    if FIGURES:
        terminalreporter.section("faults of the Kafka log")
        for line in FIGURES:
            terminalreporter.write_line(line)


@pytest.fixture
def keep_figures(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Keep figures of this test for the end of the run."""

    def keep(**counts: object) -> None:
        words = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in counts.items())
        FIGURES.append(f"{request.node.name}: {words}")

    return keep


@pytest.fixture
def url(broker: Cluster) -> str:
    """A topic that does not exist yet, with short time-outs."""
    return broker.url(f"t-{uuid4().hex}", **QUICK)


@pytest.fixture(scope="module")
def proxied(
    kafka_jars: None,  # noqa: ARG001 - asked for its effect
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Cluster, Proxy]]:
    """One node that clients reach only through a proxy."""
    cluster = Cluster(tmp_path_factory.mktemp("proxied"))
    (node,) = cluster.nodes
    proxy = Proxy(node.port)
    node.advertised_port = proxy.port
    with cluster:
        yield cluster, proxy
    proxy.close()


@pytest.fixture(scope="package")
def three_nodes(
    kafka_jars: None,  # noqa: ARG001 - asked for its effect
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Cluster]:
    """Three nodes; a test that stops one starts it again."""
    with Cluster(tmp_path_factory.mktemp("three"), size=3) as cluster:
        yield cluster
    collect_sockets()
