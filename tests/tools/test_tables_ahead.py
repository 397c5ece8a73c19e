"""Tables that the engine opens while a question is imported, and how they are left."""

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
import typer

from ledger.core.errors import InputError
from projections.store import engine, folders
from projections.store.tables import Store
from tests.search import share
from tests.tools.cli_cases import PROGRAM, ROOT, run
from tools.cli import _app
from tools.cli._early_tables import FLAGS, FROM_TABLES, tables_of

if TYPE_CHECKING:
    from pathlib import Path

ARGUMENTS = {
    "account show": ["a-1"],
    "balance": ["a-1"],
    "books day": ["2026-07-22"],
    "books month": ["2026-07"],
    "complaint show": ["none"],
    "finding show": ["none"],
    "tournament show": ["none"],
}
WATCHED = """
import sys
from projections.store import engine
rights, lock_of = [], engine.lock_of
def watched(folder):
    right = lock_of(folder)
    rights.append(right is not None)
    return right
engine.lock_of = watched
from tools.cli import main
try:
    main()
finally:
    print("AHEAD" if any(rights) else "LATER", file=sys.stderr)
"""
RUN = "from tools.cli import main; main()"
WITHOUT_ENGINE = f"""
from projections.store import engine
def fail():
    raise ImportError("the library does not load")
engine.load = fail
{RUN}
"""
OTHER = """
import sys
from pathlib import Path
from projections.store.engine import opening_early
from tools.data.tables import for_questions
ahead, other = (Path(name) / "projection" for name in sys.argv[1:])
with opening_early(ahead), for_questions(other, other.parent / "cache", bool) as store:
    print(len(store.rows("SELECT 1 LIMIT 0")))
"""
IDLE = """
import sys, time
from contextlib import nullcontext
from pathlib import Path
from projections.store.definitions import all_names
from projections.store.engine import opening_early
from projections.store.tables import Store
folder = Path(sys.argv[1]) / "projection"
with opening_early(folder) if sys.argv[2] == "early" else nullcontext():
    with Store.open(folder) as store:
        store.provide(*all_names())
        before = time.process_time()
        time.sleep(2)
        print(time.process_time() - before)
"""
IDLE_SECONDS_MAX = 0.07
"""Processor time of an engine without queries in 2 s: 0.035, and 0.11 with its own settings."""
IMPATIENT = """
import os, signal, sys, time
from pathlib import Path
from threading import Thread
from projections.store import engine
def interrupt():
    for _ in range(2):
        time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)
def interrupted(work):
    def done(*arguments):
        Thread(target=interrupt, daemon=True).start()
        work(*arguments)
    return done
engine._EarlyOpening._open = interrupted(engine._EarlyOpening._open)
folder = Path(sys.argv[1]) / "projection"
with engine.opening_early(folder):
    right = engine.lock_of(folder)
    if len(sys.argv) > 2:
        with engine.connecting(folder):
            right.release()
"""
HELD = """
import _imp, sys
from pathlib import Path
from projections.store import engine
class Held(engine.Thread):
    def start(self):
        _imp.acquire_lock()
        super().start()
engine.Thread = Held
with engine.opening_early(Path(sys.argv[1]) / "projection"):
    assert engine.AHEAD
"""
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
opening_early = engine.opening_early
def watched(folder):
    there = [os.readlink(f"/proc/self/fd/{number}") for number in (1, 2)]
    Path(sys.argv[-1], "there").write_text(" ".join(there))
    return opening_early(folder)
engine.opening_early = watched
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


@pytest.mark.slow
@pytest.mark.parametrize("question", share(sorted(FROM_TABLES - {"report explain"}), 0, of=4))
def test_questions_take_the_tables_that_were_opened_ahead(
    projected: Path, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but `report explain`, which needs a package and reads it first."""
    words = [*question.split(), *ARGUMENTS.get(question, [])]
    done = _asked(sys.executable, "-c", WATCHED, *words, "--data", str(projected))
    assert done.returncode in {0, 1, 2}, done.stderr
    assert done.stderr.endswith("AHEAD\n"), done.stderr
    _require_left_well(projected, monkeypatch)


def test_every_question_of_the_tables_is_a_command() -> None:
    for question in FROM_TABLES:
        name, *rest = question.split()
        command = _app._load(name)
        for word in rest:
            command = command.commands[word]
        assert not hasattr(command, "commands"), question


@pytest.mark.parametrize(
    ("words", "environment", "expected"),
    [
        ("balances", {}, "data"),
        ("balances", {"GAMELEDGER_DATA": "e"}, "e"),
        ("--data p balances", {"GAMELEDGER_DATA": "e"}, "p"),
        ("--data p balances --data w", {"GAMELEDGER_DATA": "e"}, "w"),
        ("--json --data=p books day --data=w --json", {}, "w"),
        ("--keys balances balances --data", {}, "data"),
        ("--clickhouse clickhouse://h/d balances", {}, None),
        ("balances", {"GAMELEDGER_CLICKHOUSE": "clickhouse://h/d"}, None),
        ("balances --help", {}, None),
        ("--keys balances init", {}, None),
        ("books", {}, None),
        ("record balances", {}, None),
        ("--data", {}, None),
        ("", {}, None),
    ],
)
def test_the_directory_of_a_question_is_the_one_that_it_will_use(
    words: str, environment: dict[str, str], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GAMELEDGER_DATA", "GAMELEDGER_CLICKHOUSE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    found = tables_of(words.split())
    assert (None if found is None else str(found)) == (expected and f"{expected}/projection")


def test_every_option_without_a_value_is_known() -> None:
    parameters = typer.main.get_command(_app.app).params
    flags = {name for one in parameters if getattr(one, "is_flag", False) for name in one.opts}
    assert flags | {"--help"} == FLAGS


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


def test_changed_tables_are_left_to_the_question_to_look_at(
    projected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = projected / "projection"
    (folder / "file").touch()
    monkeypatch.setattr(folders, "fault_of", lambda folder: pytest.fail(f"{folder} was looked at"))
    with engine.opening_early(folder):
        assert engine.lock_of(folder) is None
        lock = folders.lock_folder(folder)
    assert lock is not None
    lock.release()


@pytest.mark.parametrize("what", ["is_unchanged_since_close", "load", "_EarlyOpening"])
def test_what_cannot_be_opened_ahead_is_held_by_nobody(
    projected: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise PermissionError(13, "denied")

    monkeypatch.setattr(folders if what == "is_unchanged_since_close" else engine, what, fail)
    folder = projected / "projection"
    with pytest.raises(PermissionError), engine.opening_early(folder):
        pass
    assert not engine.AHEAD
    monkeypatch.undo()
    _require_left_well(projected, monkeypatch)


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


def test_tables_of_another_directory_are_opened_as_ever(
    projected: Path, projected_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = shutil.copytree(projected_once, tmp_path / "other", symlinks=True)
    done = _asked(sys.executable, "-c", OTHER, str(projected), str(other))
    assert (done.stdout, done.returncode) == ("0\n", 0), done.stderr
    for data in (projected, other):
        _require_left_well(data, monkeypatch)


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


@pytest.mark.parametrize("more", [(), ("connecting",)])
def test_the_engine_has_opened_and_closed_before_an_interrupted_process_ends(
    more: tuple[str, ...], projected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = _asked(sys.executable, "-c", IMPATIENT, str(projected), *more)
    assert done.returncode == -signal.SIGINT, done.stderr
    assert "KeyboardInterrupt" in done.stderr
    _require_left_well(projected, monkeypatch)


def test_an_import_lock_that_an_interruption_left_behind_keeps_nobody_waiting(
    projected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = _asked(sys.executable, "-c", HELD, str(projected))
    assert done.returncode == 0, done.stderr
    _require_left_well(projected, monkeypatch)


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
@pytest.mark.parametrize("how", ["early", "late"])
def test_an_engine_without_queries_leaves_the_processor_alone(projected: Path, how: str) -> None:
    done = _asked(sys.executable, "-c", IDLE, str(projected), how)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < IDLE_SECONDS_MAX
