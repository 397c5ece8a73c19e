"""A drill of the runbook: the disk of the brokers is full, is freed, and nothing is lost."""

from __future__ import annotations

import subprocess
import threading
import time
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import pytest

from ledger.log.kafka.log import KafkaLog
from tests.tools.cli_cases import run
from tests.tools.cli_cases import studio as studio_lines
from tests.tools.failover_cases import Sender, require_once
from tests.tools.writer_cases import SECONDS_MAX, Writer, free_port
from tools.workshop.broker import BrokerMissingError, Cluster, jars

if TYPE_CHECKING:
    from pathlib import Path

MEGABYTES = 160
AVAILABILITY = 4
pytestmark = [pytest.mark.broker, pytest.mark.search]


@pytest.fixture
def small_disk(tmp_path: Path) -> Path:
    """A disk of its own, of which nobody else takes space."""
    try:
        jars()
    except BrokerMissingError as error:
        pytest.skip(str(error))
    disk = tmp_path / "disk"
    disk.mkdir()
    size = f"size={MEGABYTES}m"
    mount = ("mount", "-t", "tmpfs", "-o", size, "none", str(disk))
    done = subprocess.run(mount, check=False, capture_output=True)  # noqa: S603 - fixed arguments
    if done.returncode:
        pytest.skip("a disk can be mounted by root only, so a full one was NOT tried")
    return disk


def fill(disk: Path) -> Path:
    """Take all space that is left."""
    ballast = disk / "ballast"
    with ballast.open("wb") as file:
        try:
            while True:
                file.write(bytes(1 << 20))
                file.flush()
        except OSError:
            pass
    return ballast


@pytest.mark.slow
def test_commands_are_answered_once_over_a_full_disk_of_the_brokers(
    small_disk: Path, tmp_path: Path
) -> None:
    stop, port = threading.Event(), free_port()
    with ExitStack() as stack:
        stack.callback(subprocess.run, ("umount", "-l", str(small_disk)), check=False)
        cluster = stack.enter_context(Cluster(small_disk, size=1))
        (node,) = cluster.nodes
        log_url = cluster.url("drill")
        names = ("--operator", "26493993", "--name", "Test", "--chain", "test")
        assert run("--log", log_url, "init", *names, data=tmp_path / "data").returncode == 0
        done = run("--log", log_url, "record", data=tmp_path / "data", lines=studio_lines())
        assert done.returncode == 0, done.stdout

        def started() -> Writer:
            writer = Writer(
                tmp_path / "data",
                *("--listen", "unix:/" + str(tmp_path / "w.sock"), "--http", f"127.0.0.1:{port}"),
                environment={"GAMELEDGER_LOG": log_url},
            )
            stack.callback(writer.kill)
            return writer

        writer = started()
        writer.wait_for("leading")
        sender = Sender("d", [f"http://127.0.0.1:{port}"], stop)
        while len(sender.acknowledged) < 20:
            time.sleep(0.05)
        ballast = fill(small_disk)
        before = len(sender.acknowledged)
        _wait_until_nothing_is_stored(sender)
        ballast.unlink()
        node.kill()  # Kafka usually ends itself; one that runs on may hold a broken index
        node.start()
        deadline = time.monotonic() + SECONDS_MAX
        while len(sender.acknowledged) < before + 40:
            assert sender.failure is None, sender.failure
            assert time.monotonic() < deadline, "nothing is acknowledged again"
            if writer._process.poll() is not None:  # as the unit does: Restart=always
                assert writer._process.returncode == AVAILABILITY, writer.words
                writer = started()
            time.sleep(0.1)
        stop.set()
        sender.join()
        with closing(KafkaLog(log_url, tmp_path / "reader", writable=False)) as log:
            require_once(log, sender.acknowledged)


def _wait_until_nothing_is_stored(sender: Sender) -> None:
    """Wait until three seconds bring no acknowledgement."""
    deadline = time.monotonic() + SECONDS_MAX
    while time.monotonic() < deadline:
        known = len(sender.acknowledged)
        time.sleep(3)
        if len(sender.acknowledged) == known:
            return
    pytest.fail("commands are acknowledged though the disk is full")
