"""Drills of the runbook without a broker: a clock that jumps, lost files beside the log.

An operator's log is restored from the copy of an authority. The full disk of brokers is in
``service/test_full_broker_disk.py``, the lost chain of accesses in
``access/test_readers_and_chain.py``.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import socket
from contextlib import closing
from string import Template
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import HOUR, SECOND, StoppedClock, SystemClock
from ledger.core.errors import AvailabilityError
from ledger.decisions.operator.setup import ListGame
from ledger.tlog.signing import PublicKey
from tests.tools.cli_cases import ROOT, run
from tools.data import DataDirectory
from tools.data.locations import LOCAL
from tools.mirror.folder import MirrorFolder
from tools.mirror.mirror import Mirror
from tools.mirror.server import serving
from tools.witness.witness import log_path

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.writer import Ledger, Receipt

RUNBOOK = (ROOT / "docs/runbook.md").read_text(encoding="utf-8")


def commands_of(heading: str) -> list[str]:
    """Return the commands of a section of the runbook."""
    section = RUNBOOK.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.moment = SystemClock().now()

    def now(self) -> int:
        return self.moment


def listed(ledger: Ledger, game: str) -> Receipt:
    return ledger.execute(ListGame(game=game, name=game))


def test_a_clock_that_jumps_ahead_stops_the_record_until_it_is_true_again(studio: Path) -> None:
    clock, directory = Clock(), DataDirectory(studio, LOCAL)
    with directory.lead(clock=clock) as ledger:
        true = listed(ledger, "one").recorded_at
        clock.moment += HOUR
        ahead = listed(ledger, "two").recorded_at
        assert ahead == true + HOUR, "the chain takes the clock's word"
        clock.moment -= HOUR
        with pytest.raises(AvailabilityError, match="the clock went back: it is 3600"):
            listed(ledger, "three")
        clock.moment += HOUR + SECOND
        assert listed(ledger, "three").recorded_at == ahead + SECOND
    with pytest.raises(AvailabilityError, match="the clock is behind the last record"):
        directory.lead(clock=StoppedClock(true))
    assert run("log", "verify", data=studio).returncode == 0


def test_an_operator_goes_on_from_the_copy_of_the_authority(studio: Path, tmp_path: Path) -> None:
    """The commands of the runbook, after everything but the keys was lost."""
    held, policy = MirrorFolder(tmp_path / "held"), tmp_path / "policy.txt"
    key = held.create("authority.example/mirror").public.text
    log_key = json.loads(run("log", "checkpoint", "--json", data=studio).stdout)["key"]
    (tmp_path / "log-keys.txt").write_text(log_key, encoding="utf-8")
    with held.turn() as turn:
        turn.add_key(PublicKey.parse(log_key))
    messages: list[str] = []
    with (
        closing(Mirror(held, SystemClock(), messages.append)) as mirror,
        socket.create_server(("127.0.0.1", 0)) as listener,
        serving(mirror, listener, messages.append),
    ):
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        policy.write_text(f"witness authority {key} {url}\nquorum authority\n", encoding="utf-8")
        policed = ("--witness-policy", str(policy))
        assert run("log", "checkpoint", *policed, data=studio).returncode == 0
        signed = mirror.signed("test")
        before = log_of(studio)[:signed]
        shutil.move(studio / "keys", tmp_path / "keys")
        shutil.rmtree(studio)
        again = tmp_path / "again"
        again.mkdir()
        shutil.move(tmp_path / "keys", again / "keys")
        places = {"COPY": f"{url}/{log_path('test')}", "MIRROR_KEY": key}
        follow("An operator that lost everything but its keys", places, tmp_path, again)
        assert log_of(again)[:signed] == before
        line = {**COMMAND, "game": "one"}
        assert run("record", data=again, lines=[line]).returncode == 0
        assert run("log", "checkpoint", *policed, data=again).returncode == 0
        assert mirror.signed("test") > signed
    assert messages == []


@pytest.mark.law("2025/2531 REQ-7.12-02A")
def test_a_chain_is_handed_over_to_another_keeper(studio: Path, tmp_path: Path) -> None:
    """The commands of the runbook; what the old keeper signs after that counts nowhere."""
    old = json.loads(run("log", "checkpoint", "--json", data=studio).stdout)
    (tmp_path / "log-keys.txt").write_text(old["key"], encoding="utf-8")
    (tmp_path / "note.txt").write_text(old["note"], encoding="utf-8")
    before, taken = log_of(studio), tmp_path / "taken"
    follow("The end of an operator", {}, tmp_path, studio)
    assert log_of(taken)[: len(before)] == before
    assert "SigningKeyRevoked" in run("log", "export", data=taken).stdout
    for data, game in ((taken, "one"), (studio, "two")):
        assert run("record", data=data, lines=[{**COMMAND, "game": game}]).returncode == 0
    new = json.loads(run("log", "checkpoint", "--json", data=taken).stdout)
    assert new["key"] != old["key"]
    late = json.loads(run("log", "checkpoint", "--json", data=studio).stdout)
    for trusted, note, code in ((new, new, 0), (new, late, 2), (old, late, 3)):
        (tmp_path / "key.txt").write_text(trusted["key"], encoding="utf-8")
        (tmp_path / "later.txt").write_text(note["note"], encoding="utf-8")
        since = ("--key", str(tmp_path / "key.txt"), "--since", str(tmp_path / "later.txt"))
        assert run("log", "verify", *since, data=taken).returncode == code


def follow(heading: str, values: dict[str, str], folder: Path, data: Path) -> None:
    """Run the commands of a section of the runbook in the folders of a test."""
    names = ("log-keys.txt", "policy.txt", "note.txt", "taken")
    names += ("handed-over", "handed-over/log", "handed-over/keys")
    places = {"data": str(data), **{name: str(folder / name) for name in names}}
    for line in commands_of(heading):
        words = shlex.split(Template(line.removeprefix("gameledger ")).substitute(values))
        done = run(*(places.get(word, word) for word in words), data=data)
        assert done.returncode == 0, done.stderr


def log_of(data: Path) -> list[bytes]:
    with closing(DataDirectory(data, LOCAL).read()) as log:
        return [message for _, message in log.read()]


def test_files_beside_the_log_are_made_again_when_they_are_lost(studio: Path) -> None:
    assert run("log", "checkpoint", data=studio).returncode == 0
    assert run("record", data=studio, lines=[{**COMMAND, "game": "one"}]).returncode == 0
    for name in ("tag_map.sqlite", "tree.sqlite", "index.sqlite"):
        (studio / name).unlink()
    assert run("record", data=studio, lines=[{**COMMAND, "game": "two"}]).returncode == 0
    again = run("log", "checkpoint", data=studio)
    assert again.returncode == 0, again.stderr
    verified = json.loads(run("log", "verify", "--json", data=studio).stdout)
    assert verified["tag_map"]
    assert verified["indexed"] == verified["size"]


COMMAND = {"command": "list_game", "name": "Game"}
