"""The start of a question: what is wrong or interrupted while it is imported, and after."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.errors import InputError
from projections.store import folders
from projections.store.tables import Store
from tests.search import share
from tests.tools.cli_cases import PROGRAM, ROOT, run

if TYPE_CHECKING:
    from pathlib import Path

RUN = "from tools.cli import main; main()"
WITHOUT_ENGINE = f"""
from projections.store import engine
def fail():
    raise ImportError("the library does not load")
engine.load = fail
{RUN}
"""
IDLE = """
import sys, time
from pathlib import Path
from projections.store.definitions import all_names
from projections.store.tables import Store
with Store.open(Path(sys.argv[1]) / "projection") as store:
    store.provide(*all_names())
    store.attach_tables()
    before = time.process_time()
    time.sleep(2)
    print(time.process_time() - before)
"""
IDLE_SECONDS_MAX = 0.07
"""Processor time of an engine without queries in 2 s: 0.035, and 0.11 with its own settings."""
SWALLOWED = """
import importlib, os, signal, sys
from tools.cli import _app
imported = importlib.import_module
def interrupted(name):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        return imported(name)
    except KeyboardInterrupt:
        raise ImportError("not installed")
importlib.import_module = interrupted
if len(sys.argv) > 3:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
_app.main()
"""
CLOSED = """
import os, sys
for descriptor in (1, 2):
    os.close(descriptor)
sys.stdout = sys.stderr = None
from pathlib import Path
from projections.store import engine
load = engine.load
def watched():
    there = [os.readlink(f"/proc/self/fd/{number}") for number in (1, 2)]
    Path(sys.argv[-1], "there").write_text(" ".join(there))
    load()
engine.load = watched
from tools.cli import main
main()
"""
BUSY = """
import os, signal, sys, time
from pathlib import Path
from threading import Thread
from projections.store.connection import Connector
from tools.cli import _app
def interrupt():
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGINT)
def app(**_):
    question = "SELECT sum(sipHash64(number)) FROM numbers(10000000000)"
    ask = Connector(Path(sys.argv[1]))().query
    asking = Thread(target=ask, args=(question,), daemon=sys.argv[2] == "daemon")
    asking.start()
    Thread(target=interrupt, daemon=True).start()
    asking.join()
_app.app = app
_app.main()
"""


@pytest.fixture
def projected(projected_once: Path, tmp_path: Path) -> Path:
    return shutil.copytree(projected_once, tmp_path / "data", symlinks=True)


def _asked(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Ask in a process that has imported nothing."""
    return subprocess.run(  # noqa: S603 - our own program
        arguments,
        cwd=more.pop("cwd", ROOT),
        env={"PATH": "/usr/bin:/bin", **more.pop("env", {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
        **more,
    )


def _require_left_well(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody holds the tables, and they are as the note says."""
    monkeypatch.setattr(folders, "fault_of", lambda folder: pytest.fail(f"{folder} was changed"))
    assert folders.fault_since_close(data / "projection") == ""
    lock = folders.lock_folder(data / "projection")
    assert lock is not None
    lock.release()


def test_a_name_that_is_no_text_is_told_as_ever(projected: Path, tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"\xff")
    projected.rename(odd)
    done = _asked(*PROGRAM, "--data", str(odd), "balances")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr


def test_a_wrong_option_leaves_the_tables_as_they_were(
    projected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = _asked(*PROGRAM, "balances", "--nonsense", "--data", str(projected))
    assert done.returncode == 2
    assert "nonsense" in done.stderr
    _require_left_well(projected, monkeypatch)


def test_no_file_of_the_tables_becomes_an_output_that_was_closed(
    projected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the engine says on its standard error would be written into it."""
    done = _asked(sys.executable, "-c", CLOSED, "balances", "--data", str(projected))
    assert done.returncode == 0
    assert (projected / "there").read_text() == f"{os.devnull} {os.devnull}"
    _require_left_well(projected, monkeypatch)


def test_where_there_are_no_tables_nothing_is_made(tmp_path: Path) -> None:
    done = _asked(*PROGRAM, "balances", "--data", str(tmp_path))
    assert done.returncode == 2
    assert not list(tmp_path.iterdir())


def test_what_fails_before_the_program_is_there_is_told_in_a_sentence(projected: Path) -> None:
    words = "--json", "balances", "--data", str(projected)
    done = _asked(sys.executable, "-c", WITHOUT_ENGINE, *words)
    assert done.returncode == 1
    assert json.loads(done.stderr)["error"] == "LedgerError", done.stderr


def test_who_stands_in_a_folder_that_is_gone_is_told_at_once(
    projected: Path, tmp_path: Path
) -> None:
    (gone := tmp_path / "gone").mkdir()
    line = 'cd "$0"; rmdir "$0"; exec "$@"'
    program = (sys.executable, "-c", f"import sys; sys.path[0] = {str(ROOT)!r}; {RUN}")
    done = _asked("bash", "-c", line, str(gone), *program, "balances", "--data", str(projected))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "No such file or directory" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("delay", share([0.1, 0.2, 0.25, 0.3, 0.4, 0.5], 1, of=2))
def test_an_interrupted_question_ends_in_order(projected: Path, delay: float) -> None:
    asked = subprocess.Popen(  # noqa: S603 - our own program
        [*PROGRAM, "balances", "--data", str(projected)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(delay)
    asked.send_signal(signal.SIGINT)
    try:
        _, errors = asked.communicate(timeout=60)
    finally:
        asked.kill()
    assert asked.returncode in {0, 1, 130, -signal.SIGINT}, errors
    assert run("balances", data=projected).returncode == 0


@pytest.mark.parametrize("command", ["balances", "simulate"])
def test_an_interruption_among_imports_is_no_other_error(command: str, projected: Path) -> None:
    done = _asked(sys.executable, "-c", SWALLOWED, command, f"--data={projected}")
    assert (done.returncode, done.stderr) == (130, "gameledger: interrupted\n")


def test_who_ignores_interruptions_is_not_interrupted_among_imports(projected: Path) -> None:
    """As a program that `nohup` keeps alive does."""
    done = _asked(sys.executable, "-c", SWALLOWED, "balances", f"--data={projected}", "ignored")
    assert (done.returncode, "ignored" in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize("kind", ["daemon", "thread"])
def test_a_program_interrupted_while_it_waits_for_a_thread_ends_without_a_crash(
    kind: str, tmp_path: Path
) -> None:
    """As a question is by whoever presses Ctrl-C again while it comes to its end."""
    done = _asked(sys.executable, "-c", BUSY, str(tmp_path / "tables"), kind)
    assert (done.returncode, done.stderr) == (130, "gameledger: interrupted\n")


@pytest.mark.parametrize("name", ["a?b=c", "file:x"])
def test_the_engine_takes_no_part_of_a_name_for_anything_else(
    name: str, studio: Path, tmp_path: Path
) -> None:
    """It would put the tables of `a?b` into `a`, and those of `file:x` into `x`."""
    place = tmp_path / "place"
    place.mkdir()
    shutil.move(studio, place / name)
    done = _asked(*PROGRAM, "balances", "--data", name, cwd=place, env={"PYTHONPATH": str(ROOT)})
    if "?" in name:
        assert done.returncode == 2
        assert "Name a directory without it" in done.stderr
        with pytest.raises(InputError, match="takes what follows"):
            Store.open(place / name)
    else:
        assert done.returncode == 0, done.stderr
        assert (place / name / "projection" / "store").is_dir()
    assert [path.name for path in place.iterdir()] == [name]


@pytest.mark.slow
def test_an_engine_without_queries_leaves_the_processor_alone(projected: Path) -> None:
    done = _asked(sys.executable, "-c", IDLE, str(projected))
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < IDLE_SECONDS_MAX
