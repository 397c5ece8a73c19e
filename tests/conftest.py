"""A real Kafka for every test that asks for one, and how tests are handed to workers."""

from __future__ import annotations

import gc
import json
import logging
import os
import signal
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from _pytest.nodeid import NodeId
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from tests.durations import CALL_SECONDS, LONG_SECONDS, REASON
from tests.search import amount
from tools.workshop.broker import BrokerMissingError, Cluster, jars

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from xdist.remote import Producer

BROKERS = "brokers"
"""The group of tests that need brokers: one worker runs them, from the start of a run.

It mostly waits for brokers, and another worker would have a broker of its own, to its end.
"""
HEAVY_FIXTURES = {"engine_path", "kafka_jars", "played", "studio_once"}
SECONDS: dict[str, float] = json.loads(Path(__file__).with_name("durations.json").read_text())
"""What the files took that took long, as `python -m tests.durations` read it from a whole run."""
MEMORY = Path("/dev/shm")  # noqa: S108 - every test has a folder of its own there
if os.access(MEMORY, os.W_OK):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
settings.register_profile("untimed", deadline=None, max_examples=amount(25, 100))
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
    """A file a worker at a time; what is marked with one `xdist_group` as if it were one file."""

    def _split_scope(self, nodeid: str) -> str:
        _, marked, group = nodeid[nodeid.rfind("]") + 1 :].rpartition("@")
        return group if marked else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Start a worker for each core, and one that waits for brokers, unless none is asked for."""
    return len(os.sched_getaffinity(0)) + ("not slow" not in config.option.markexpr)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    """Hand out the tests by `Scheduling`."""
    return Scheduling(config, log)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Group what needs brokers; mark as slow what starts a broker, an engine or the program."""
    fixtures = HEAVY_FIXTURES.intersection(getattr(item, "fixturenames", ()))
    needs_brokers = "kafka_jars" in fixtures or item.get_closest_marker("broker")
    if needs_brokers:
        item.add_marker(pytest.mark.xdist_group(BROKERS))
    is_long = item.get_closest_marker("program") and file_of(item) in SECONDS
    if needs_brokers:
        item.add_marker(pytest.mark.slow("brokers start, stop and elect leaders in seconds"))
    elif fixtures or is_long:
        item.add_marker(pytest.mark.slow)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let the JUnit file say of a long test how long its call took, and the reason for it."""
    if call.when == "call" and call.duration > LONG_SECONDS:
        reasons = [one.args[0] for one in item.iter_markers("slow") if one.args]
        item.user_properties.append((CALL_SECONDS, f"{call.duration:.1f}"))
        item.user_properties.append((REASON, "; ".join(reasons)))
    return (yield)


def file_of(item: pytest.Item) -> str:
    """Return the file of a test, from the root of the tree."""
    return item.nodeid.partition("::")[0]


def group_of(item: pytest.Item) -> str:
    """Return what a test is scheduled with: the rest of its group, or of its file."""
    group = item.get_closest_marker("xdist_group")
    return str(group.args[0]) if group else file_of(item)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let no test on a broker fail for what kafka-python's own threads meet or forget.

    The threads of our tests keep what they met and say it themselves.

    What needs brokers comes first, for the worker that waits. Then tests of the program: some run
    it in this process, where the engine can be open in one place only, and the tests of the
    projections keep theirs open to the end. Of either, those that take longest come first, so that
    no worker ends long after the rest. Tests that follow each other keep the order of their file.
    """
    sizes = Counter(map(file_of, items))
    seconds: Counter[str] = Counter()
    for item in items:
        seconds[group_of(item)] += SECONDS.get(file_of(item), 0) / sizes[file_of(item)]
    items.sort(
        key=lambda item: (
            group_of(item) != BROKERS,
            item.get_closest_marker("program") is None,
            -seconds[group_of(item)],
            group_of(item),
            item.location[1] if item.get_closest_marker("in_order") else 0,
        )
    )
    for item in items:
        if "kafka_jars" in getattr(item, "fixturenames", ()):
            for kind in ("UnhandledThreadException", "UnraisableException"):
                item.add_marker(pytest.mark.filterwarnings(f"ignore::pytest.Pytest{kind}Warning"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Add the groups to the names of the tests, and keep what stays from garbage collection.

    The scheduler knows names alone. What pytest-xdist 3.8 does for `--dist loadgroup` sets a field
    that pytest 9.2 does not read.
    """
    for item in session.items if hasattr(session.config, "workerinput") else ():
        if (group := item.get_closest_marker("xdist_group")) is not None:
            item._id = NodeId.parse(f"{item.nodeid}@{group.args[0]}")
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
    """One node that the tests of a run share; no test kills it."""
    with Cluster(tmp_path_factory.mktemp("broker")) as cluster:
        yield cluster
