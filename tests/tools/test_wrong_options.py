"""Options that contradict each other, or that no answer fits: refused, never passed over."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import typer

from tests.tools.cli_cases import begin, run, run_here
from tools.cli._app import app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from subprocess import CompletedProcess


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("books") / "data"
    begin(data)
    assert run_here("log", "checkpoint", data=data).returncode == 0
    return data


@pytest.mark.parametrize(
    "command",
    ["evidence account a-1", "round list", "bet list", "log show", "play-time", "reconcile"],
)
@pytest.mark.parametrize(
    ("first", "end"),
    [
        ("2026-11-21", "2026-11-19"),
        ("2026-11-21", "2026-11-20"),
        ("2026-11-20T09", "2026-11-20T08"),
    ],
)
def test_a_period_that_ends_before_it_begins_is_refused(
    books: Path, tmp_path: Path, command: str, first: str, end: str
) -> None:
    asked = [*command.split(), "--from", first, "--to", end]
    file = tmp_path / "made.html"
    if command.startswith("evidence"):
        asked += ["--out", str(file)]
    done = run_here(*asked, data=books)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert "the period ends before it begins" in done.stderr
    assert not file.exists()


def test_positions_and_moments_are_compared_where_they_are_found(books: Path) -> None:
    assert run_here("log", "show", "--from", "9", "--to", "8", data=books).returncode == 2
    assert run_here("log", "show", "--from", "9", "--to", "2020-01-01", data=books).returncode == 2
    for first, end in (
        ("9", "9"),
        ("9", "2199-01-01"),
        ("2020-01-01", "9"),
        ("99999", "2199-01-01"),
    ):
        done = run_here("log", "show", "--from", first, "--to", end, data=books)
        assert done.returncode == 0, (first, end, done.stderr)


def test_a_day_that_is_named_twice_is_a_whole_one(books: Path) -> None:
    done = run_here("log", "show", "--from", "2026-11-20", "--to", "2026-11-20", data=books)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("command", "option", "variable"),
    [
        ("log status", "--late-after", "GAMELEDGER_LATE_AFTER"),
        ("writer", "--lease-seconds", "GAMELEDGER_LEASE_SECONDS"),
        ("simulate", "--hours", ""),
        ("demo", "--hours", ""),
    ],
)
@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "-1", "1e300"])
def test_what_is_no_number_to_count_with_is_refused(
    tmp_path: Path, command: str, option: str, variable: str, text: str
) -> None:
    data = tmp_path / "data"
    done = run_here(*command.split(), option, text, data=data)
    assert (done.returncode, option in done.stderr) == (2, True), done.stderr
    if variable:
        done = run_here(*command.split(), data=data, environment={variable: text})
        assert (done.returncode, option in done.stderr) == (2, True), done.stderr
    assert not data.exists()


def test_every_option_that_is_a_fraction_refuses_what_is_no_number() -> None:
    """Such an option has bounds, which nan passes, and a callback, which it does not."""
    fractions = [
        one
        for _, command in commands_of_program(typer.main.get_command(app))
        for one in command.params
        if one.type.name.startswith("float")
    ]
    assert len(fractions) >= 4
    for one in fractions:
        assert (one.type.min is not None, one.callback is not None) == (True, True), one.name


def commands_of_program(
    group: Any, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command of the program with what it is called by."""
    context = typer.Context(group)
    for name in group.list_commands(context) if hasattr(group, "list_commands") else []:
        command = group.resolve_command(context, [name])[1]
        yield (*path, name), command
        yield from commands_of_program(command, (*path, name))


NAMING = [
    "report confirm {}",
    "report open x.zip.p7e.p7s --key {}",
    "report open {}.zip.p7e.p7s --key {}",
    "--token-file {} --writers 127.0.0.1:1 record",
    "writer --http 127.0.0.1:0 --clients {}",
    "watch --rules {}",
    "feed {}",
    "witness check {} x",
    "log verify --since {}",
    "log verify --key {}",
    "log verify --witness-policy {}",
    "log verify --stamp-roots {}",
    "log verify --seal-ca {}",
    "log status --note {}",
    "evidence verify {}",
    "evidence verify-balance {}",
    "evidence round q1 --pdf --key {}",
    "reader add x --role auditor --until 2199-01-01 --certificate {}",
    "record {}",
]
"""Commands that read a file which somebody names."""

TEXTS = [
    "--token-file {} --writers 127.0.0.1:1 record",
    "writer --http 127.0.0.1:0 --clients {}",
    "watch --rules {}",
    "feed {}",
    "witness check {} x",
    "log verify --since {}",
    "log verify --key {}",
    "log status --note {}",
]
"""Those of them that read a text."""


@pytest.mark.parametrize("command", NAMING)
@pytest.mark.parametrize(
    ("name", "why"), [("missing", "there is no such file"), ("folder", "it is a folder")]
)
def test_a_mistyped_file_is_named_with_what_is_wrong(
    books: Path, tmp_path: Path, command: str, name: str, why: str
) -> None:
    (tmp_path / "folder").mkdir(mode=0o700)
    done = run_here(*command.format(*[tmp_path / name] * 2).split(), data=books)
    _require_told(done, tmp_path / name, why)


@pytest.mark.parametrize("command", TEXTS)
def test_a_text_that_is_none_is_named(books: Path, tmp_path: Path, command: str) -> None:
    file = tmp_path / "file"
    file.touch(mode=0o600)
    file.write_bytes(b"\xff\xfe")
    _require_told(run_here(*command.format(file).split(), data=books), file, "no text in UTF-8")


def test_a_file_of_somebody_else_is_named(books: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch(mode=0)
    done = run("record", str(file), data=books, obeying_modes=True)
    _require_told(done, file, "this user may not read it")


def _require_told(done: CompletedProcess[str], file: Path, why: str) -> None:
    assert done.returncode == 2, done.stderr
    assert f"{file}" in done.stderr
    assert why in done.stderr
    assert not any(raw in done.stderr for raw in ("Errno", "codec", "Traceback")), done.stderr


@pytest.mark.parametrize("command", ["evidence round q1", "evidence account a-1"])
def test_a_key_that_would_seal_nothing_is_refused(
    books: Path, tmp_path: Path, command: str
) -> None:
    asked = [*command.split(), "--out", str(tmp_path / "made.html")]
    done = run_here(*asked, "--key", "nothing", data=books)
    assert (done.returncode, "--pdf" in done.stderr) == (2, True), done.stderr
    done = run_here(*asked, data=books, environment={"GAMELEDGER_KEY": "nothing"})
    assert done.returncode == 0, done.stderr


def test_a_dry_run_of_a_simulation_answers_in_json(tmp_path: Path) -> None:
    data = tmp_path / "data"
    done = run_here("simulate", "--dry-run", "--json", data=data)
    assert json.loads(done.stdout) == {"dry_run": True, "data": str(data)}
    assert "can begin" in run_here("simulate", "--dry-run", data=data).stdout
    assert not data.exists()


@pytest.mark.parametrize(
    ("command", "ways"),
    [
        ("balances --day 2026-11-20 --at 100", "--at or --day"),
        ("balance a-1 --at 5 --at 6", "--at or --day"),
        ("round replay q1 --day 2026-11-20 --at 9", "--at or --day"),
        ("play-time --to 2026-11-20 --at 9", "--to or --at"),
        ("reconcile --to 8 --at 9", "--to or --at"),
        ("round list --from 8 --from 9", "--from"),
        ("evidence account a-1 --to 2026-11-20 --to 2026-11-21", "--to"),
        ("record --dry-run --at 2026-11-20 --at 2026-11-21", "--at"),
    ],
)
def test_a_moment_that_is_given_twice_is_refused(books: Path, command: str, ways: str) -> None:
    done = run_here(*command.split(), data=books)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert f"give {ways} once" in done.stderr


def test_csv_and_json_together_are_refused_by_every_command_that_has_both(books: Path) -> None:
    both = []
    for path, command in commands_of_program(typer.main.get_command(app)):
        if {"as_csv", "as_json"} <= {one.name for one in command.params}:
            needed = [one for one in command.params if one.required]
            both.append([*path, *(word for one in needed for word in _filled(one))])
    assert len(both) > 15
    for asked in both:
        done = run_here(*asked, "--csv", "--json", data=books)
        assert (done.returncode, "--csv or for --json" in done.stderr) == (2, True), (asked, done)
    done = run_here("bet", "list", "--csv", data=books, environment={"GAMELEDGER_JSON": "1"})
    assert done.returncode == 2, done.stderr


def _filled(parameter: Any) -> list[str]:
    """Give something for what a command needs."""
    is_option = parameter.param_type_name == "option"
    return [parameter.opts[0], "1"] if is_option else ["1"]


@pytest.mark.parametrize(
    "command",
    [
        "account show {}",
        "tournament show {}",
        "round replay {}",
        "bet list --account {}",
        "complaint list --account {}",
        "log show --account {}",
        "evidence round {}",
    ],
)
def test_a_name_that_is_not_written_in_utf_8_is_refused(books: Path, command: str) -> None:
    done = run_here(*command.format("a\udcff").split(), data=books)
    assert done.returncode == 2, done.stderr
    assert "a\\udcff' is not written in UTF-8: name another" in done.stderr
