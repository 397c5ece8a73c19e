"""What a user does wrong, or a machine: every time a sentence with the next step, no traceback."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from ledger.privacy import KeyStore
from tests.children import child
from tests.tools.cli_cases import PROGRAM, ROOT, SECONDS_MAX, begin, run, run_here
from tools.cli._output import right, table, wrapped
from tools.service.lines import numbered

if TYPE_CHECKING:
    from pathlib import Path

INIT = ("init", "--operator", "26493993", "--name", "Test", "--chain", "test")


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("books") / "data"
    begin(data)
    return data


def _shell(line: str, data: Path, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run the program, ``$G`` in a line of bash."""
    program = " ".join(PROGRAM)
    return subprocess.run(  # noqa: S603 - lines of this file
        ["/bin/bash", "-c", line.replace("$G", program)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"GAMELEDGER_DATA": str(data), "PATH": "/usr/bin:/bin"},
        timeout=SECONDS_MAX,
        check=False,
        **more,
    )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (INIT, "can't be used"),
        (("demo", "--data", "{data}"), "Not a directory"),
        (("--data", "{data}", "demo"), "Not a directory"),
        (("log", "copy", "{books}", "{data}"), "can't be used"),
        (("log", "verify"), "holds no log"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_file_in_place_of_a_folder_is_an_input_error(
    books: Path, tmp_path: Path, arguments: tuple[str, ...], text: str
) -> None:
    file = tmp_path / "file"
    file.touch()
    done = run(*(one.format(data=file, books=books) for one in arguments), data=file)
    assert done.returncode == 2, done.stderr
    assert text in done.stderr
    assert str(file) in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("bet list --account nobody", "account nobody is unknown"),
        ("bet list --round none", "round none is unknown"),
        ("round list --table none", "table none is unknown"),
        ("round list --game none", "game none is unknown"),
        ("round list --dealer none", "dealer none is unknown"),
        ("round list --near yesterday", "'yesterday'"),
        ("round list --account nobody", "account nobody is unknown"),
        ("complaint letter", "--round and --account"),
        ("complaint letter --round none --account none", "no part in round none"),
        ("complaint letter --round none --round none --account none", "named twice"),
        ("complaint list --account nobody", "account nobody is unknown"),
        ("finding list --account nobody", "account nobody is unknown"),
        ("finding list --code PAID_TO_LITTLE", "perhaps PAID_TOO_LITTLE"),
        ("statement list --issuer nobody", "no statement of nobody is imported"),
        ("log show --account nobody", "account nobody is unknown"),
        ("log show --round none", "round none is unknown"),
        ("balance nobody", "account nobody is unknown"),
        ("finding assign nope --to b --by c", "'nope' is no number of a finding"),
    ],
)
def test_a_name_that_there_is_not_gets_no_all_clear(books: Path, line: str, text: str) -> None:
    done = run_here(*line.split(), data=books)
    assert done.returncode == 2
    assert text in done.stderr


def test_an_answer_that_does_not_fit_on_the_disk_is_told_in_a_sentence(books: Path) -> None:
    done = _shell("$G log show > /dev/full", books)
    assert done.returncode == 4
    assert done.stderr.count("\n") == 1
    assert "No space left" in done.stderr


def test_a_reader_who_has_enough_and_a_closed_output_leave_no_noise(books: Path) -> None:
    for line in ("set -o pipefail; $G log show | true", "$G games list >&-", "$G --help | true"):
        assert _shell(line, books).stderr == ""
    assert _shell("$G record <&-", books).stderr == "no lines\n"


@pytest.mark.parametrize(
    "asked", ["games list", "log show --limit 1000", "log show --json", "--help", "log verify"]
)
def test_an_answer_that_is_not_read_to_its_end_is_no_finding(books: Path, asked: str) -> None:
    """The reader has left before the program writes: it waits until the reader is gone."""
    line = f"{{ read -r; $G {asked}; echo $? >&2; }} < <(sleep 0.2; echo) | true"
    done = _shell(line, books)
    assert done.stderr.splitlines()[-1] == "141", done.stderr


def test_a_fault_of_the_program_is_one_sentence_that_names_its_place(books: Path) -> None:
    code = (
        "import sys; from tools.cli import _app, _log\n"
        "_log.in_words = None\n"
        "sys.argv = ['gameledger', 'log', 'show']; _app.main()"
    )
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"GAMELEDGER_DATA": str(books)},
        timeout=SECONDS_MAX,
        check=False,
    )
    assert done.returncode == 1
    assert "TypeError in _log.py, line " in done.stderr
    assert "Traceback" not in done.stderr


def test_an_interrupted_recording_says_what_it_answered(books: Path) -> None:
    with child(
        [*PROGRAM, "record"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={"GAMELEDGER_DATA": str(books)},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"command": "log_out", "account": "nobody"}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["status"] == "error"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=SECONDS_MAX)  # a read that missed the signal ends too
        assert (process.returncode, said) == (130, b"1 error\ngameledger: interrupted\n")


def test_the_mark_of_an_editor_is_no_part_of_the_first_line() -> None:
    assert list(numbered(io.BytesIO(b"\xef\xbb\xbf{}\n{}\n"))) == [(1, b"{}\n"), (2, b"{}\n")]
    assert list(numbered(io.BytesIO(b"\xef\xbb\xbf"))) == []


@pytest.mark.parametrize("option", ["--operator", "--name", "--chain"])
@pytest.mark.parametrize("text", ["", " ", "a\nb"])
def test_a_chain_needs_names(tmp_path: Path, option: str, text: str) -> None:
    arguments = list(INIT)
    arguments[arguments.index(option) + 1] = text
    done = run(*arguments, "--dry-run", data=tmp_path / "data")
    assert (done.returncode, option in done.stderr) == (2, True)
    assert not (tmp_path / "data").exists()


def test_a_chain_may_be_named_by_an_address(tmp_path: Path) -> None:
    named = [*INIT[:-1], "casino.example/live"]
    assert run(*named, data=tmp_path / "data").returncode == 0
    note = run("log", "checkpoint", data=tmp_path / "data").stdout
    assert note.startswith("casino.example/live\n")


def test_a_dry_run_says_what_would_happen_and_in_json_when_asked(
    books: Path, tmp_path: Path
) -> None:
    for arguments in (
        (*INIT, "--data", str(tmp_path / "new")),
        ("log", "checkpoint"),
        ("log", "copy", str(books), str(tmp_path / "copy")),
    ):
        done = run(*arguments, "--dry-run", "--json", data=books)
        assert json.loads(done.stdout)["dry_run"] is True
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - names are enough


def test_a_dry_run_of_an_erasure_refuses_what_the_ledger_would(books: Path) -> None:
    for arguments, code in ((("a-1",), 5), (("nobody",), 2)):
        dry = run("person", "erase", *arguments, "--dry-run", data=books)
        real = run("person", "erase", *arguments, data=books)
        assert (dry.returncode, dry.stderr) == (real.returncode, real.stderr)
        assert dry.returncode == code


def test_an_account_that_nobody_has_is_not_told_to_have_kept_the_rule(books: Path) -> None:
    done = run("play-time", "a-77", data=books)
    assert done.returncode == 2
    assert "a-77 is unknown" in done.stderr
    done = run("play-time", "a-1", data=books)
    assert done.returncode == 0
    assert "No play is recorded." in done.stdout


def test_a_search_without_a_hit_says_so(books: Path) -> None:
    for arguments in (("log", "show", "--type", "CardDealt"), ("round", "list", "--at", "0")):
        done = run(*arguments, data=books)
        assert done.returncode == 0
        assert "is like that" in done.stdout


def test_what_is_empty_is_said_and_no_bare_headings_are_shown(books: Path) -> None:
    done = run("report", "status", "--until", "2019-01-01", data=books)
    assert (done.returncode, done.stdout) == (0, "No period is over by then.\n")
    done = run("retention", "carry-out", data=books)
    assert (done.returncode, done.stdout) == (0, "0 persons erased.\n")
    opened = json.loads(run("log", "show", "--type", "AccountOpened", "--json", data=books).stdout)
    done = run("account", "show", "a-1", "--at", str(opened["position"] + 1), data=books)
    assert "No measure is set or declined.\nNobody has logged in.\n" in done.stdout


@pytest.mark.parametrize("question", ["complaint", "hold"])
def test_a_register_before_the_chain_began_has_no_moment(books: Path, question: str) -> None:
    done = run(question, "list", "--at", "2019-01-01", data=books)
    assert done.returncode == 0
    assert "Nothing was recorded by then." in done.stdout
    assert "1970" not in done.stdout


def test_the_first_round_of_the_readme_is_played_and_shown(tmp_path: Path) -> None:
    data = tmp_path / "books"
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = (ROOT / "docs" / "first-round.jsonl").read_text(encoding="utf-8")
    shown = next(line for line in page.splitlines() if line.startswith('{"command"'))
    assert shown in commands.splitlines()
    assert run(*INIT, data=data).returncode == 0
    done = run("record", "docs/first-round.jsonl", data=data)
    assert (done.returncode, done.stderr) == (0, "26 recorded, 1 refused\n")
    shown = run("round", "replay", "r1", data=data).stdout
    assert "1 800.00 CZK paid" in shown
    assert "BET_AFTER_CLOSE" in shown
    assert "What was paid is what is due." in shown
    settled = [line for line in shown.splitlines() if "The bet of a-1: win" in line]
    assert [line.split()[2] for line in settled] == ["1"]
    story = run("account", "show", "a-1", data=data).stdout
    settled = [line for line in story.splitlines() if "The bet of a-1: win" in line]
    assert [line.split()[3] for line in settled] == ["r1-1"]


@pytest.mark.parametrize("terminal", [False, True])
def test_a_narrow_terminal_cuts_no_number(
    monkeypatch: pytest.MonkeyPatch, *, terminal: bool
) -> None:
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setenv("COLUMNS", "40")
    cells = [f"{number}" * 18 for number in range(1, 8)]
    table((right("position"), "b", "c", "d", wrapped("e"), "f", right("paid CZK")), [cells])
    assert [cell for cell in cells if cell not in out.getvalue()] == []


def test_a_chain_does_not_go_on_with_new_keys(books: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    assert run("log", "copy", str(books), str(copy), data=copy).returncode == 0
    for arguments in (("record",), ("log", "checkpoint")):
        done = run(*arguments, data=copy)
        assert done.returncode == 2
        assert f"{copy}/keys does not hold the keys" in done.stderr
    assert not (copy / "keys").exists()
    assert run("record", data=copy, environment={"GAMELEDGER_KEYS": f"{books}/keys"}).stderr == (
        "no lines\n"
    )


def test_a_chain_does_not_go_on_with_keys_that_know_none_of_its_persons(
    books: Path, tmp_path: Path
) -> None:
    """With them a person would get a second account, and an excluded one a first."""
    with closing(KeyStore(tmp_path / "other")):
        pass
    shutil.copytree(books / "keys", tmp_path / "emptied")
    (tmp_path / "emptied" / "persons.sqlite").write_bytes(b"")
    for name in ("other", "emptied"):
        keys = {"GAMELEDGER_KEYS": str(tmp_path / name)}
        for arguments in (("record",), ("record", "--dry-run", "--at", "2190-01-01")):
            done = run(*arguments, data=books, environment=keys)
            assert done.returncode == 2, done.stderr
            assert f"{tmp_path / name} holds no key of a person of the chain" in done.stderr
    assert run("record", data=books).returncode == 0


def test_keys_and_notes_are_read_as_they_were_printed(books: Path, tmp_path: Path) -> None:
    note, key, other = tmp_path / "note", tmp_path / "key", tmp_path / "other"
    done = run("log", "checkpoint", data=books)
    note.write_text(done.stdout)
    key.write_text(done.stderr)
    assert run("log", "verify", "--since", str(note), "--key", str(key), data=books).returncode == 0
    other.write_text("nothing\n")
    for option in ("--since", "--key"):
        done = run("log", "verify", option, str(other), data=books)
        assert (done.returncode, str(other) in done.stderr) == (2, True)


def test_one_event_shows_its_moments_for_people(books: Path) -> None:
    assert "in Prague)" in run("log", "show", "--limit", "1", data=books).stdout
