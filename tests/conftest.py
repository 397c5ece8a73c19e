"""A real Kafka for every test that asks for one, and how tests are handed to workers."""

from __future__ import annotations

import gc
import logging
import os
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from tools.broker import BrokerMissingError, Cluster, jars

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xdist.remote import Producer

TOOLS = "tests/tools/"
TOGETHER = (
    "tests/ledger/decisions/",
    "tests/projections/packages/test_",
    "tests/projections/pictures/",
)
"""One worker runs all of each.

The last test of the decisions asks whether the others met every refusal; the packages of a month
and the pictures of an evening would be made by every worker.
"""
BROKERS = re.compile(
    r"(?i)[^:]*(kafka|broker|_failover|_standby|_topic)[^:]*\.py:|.*\[(on )?kafka(-event\d)?\]$"
)
"""What one worker runs too, from the start of a run: it mostly waits for brokers.

Another worker would have a broker of its own, to its end.
"""
HEAVY_FIXTURES = {"engine_path", "kafka_jars", "played", "studio_once"}
HEAVY_NAMES = {"PROGRAM", "Writer", "ask", "run", "run_here"}
"""Names of what starts the program, in a test of the tools."""
MEMORY = Path("/dev/shm")  # noqa: S108 - every test has a folder of its own there
if os.access(MEMORY, os.W_OK):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
signal.signal(signal.SIGINT, signal.default_int_handler)
"""What a shell starts in the background ignores Ctrl-C, and so would programs that tests start."""
gc.disable()
"""Nothing is garbage until all tests are collected."""
logging.getLogger("kafka").propagate = False
"""Pytest keeps log records to its end, and these hold sockets of connections that failed."""


def pytest_report_header() -> str:
    """Say what a missing broker means here."""
    what = "fails" if os.environ.get("CI") else "skips the tests that need it (it fails where CI=1)"
    return f"kafka: a broker that can't be run {what}"


class Scheduling(LoadFileScheduling):
    """A file a worker at a time; what goes `TOGETHER` as if it were one, and so the brokers."""

    def _split_scope(self, nodeid: str) -> str:
        for several in TOGETHER:
            if nodeid.startswith(several):
                return several
        return "brokers" if BROKERS.match(nodeid) else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Start a worker for each core, and one that waits for brokers, unless none is asked for."""
    return len(os.sched_getaffinity(0)) + (config.option.markexpr != "not slow")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    """Hand out the tests by `Scheduling`."""
    return Scheduling(config, log)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark as slow what starts a broker, an engine or the program."""
    names = HEAVY_NAMES & vars(getattr(item, "module", object)).keys()
    if HEAVY_FIXTURES.intersection(getattr(item, "fixturenames", ())) or (
        names and item.nodeid.startswith(TOOLS)
    ):
        item.add_marker(pytest.mark.slow)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let no test on a broker fail for what kafka-python's own threads meet or forget.

    The threads of our tests keep what they met and say it themselves.

    Files of brokers come first, for the worker that waits. Then tests of the program: some run it
    in this process, where the engine can be open in one place only, and the tests of the
    projections keep theirs open to the end. Files with nothing slow come last. Of either, those
    that go together come first, so that no worker ends long after the rest.
    """
    heavy = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(
        key=lambda item: (
            BROKERS.match(item.nodeid) is None,
            not item.nodeid.startswith(TOOLS),
            item.path not in heavy,
            not item.nodeid.startswith(TOGETHER),
        )
    )
    for item in items:
        if "kafka_jars" in getattr(item, "fixturenames", ()):
            for kind in ("UnhandledThreadException", "UnraisableException"):
                item.add_marker(pytest.mark.filterwarnings(f"ignore::pytest.Pytest{kind}Warning"))


def pytest_collection_finish() -> None:
    """Let no collection of garbage look at what stays to the end: modules, and all tests."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def kafka_jars() -> None:
    """Make sure that brokers can be run, or say why they can't."""
    try:
        jars()
    except BrokerMissingError as error:
        if os.environ.get("CI"):
            pytest.fail(f"CI has to run the tests on a real Kafka: {error}")
        pytest.skip(f"no test on a real Kafka: {error}")


@pytest.fixture(scope="session")
def broker(kafka_jars: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:  # noqa: ARG001 - asked for its effect
    """One node that the tests of a run share; nobody kills it."""
    with Cluster(tmp_path_factory.mktemp("broker")) as cluster:
        yield cluster
