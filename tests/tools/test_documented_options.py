"""Command lines and options in documentation, help and errors are those of the program."""

from __future__ import annotations

import ast
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest
import typer

from tests.tools.cli_cases import ROOT
from tests.tools.test_wrong_options import commands_of_program
from tools.cli._app import app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").rglob("*.md")]
)
SOURCES = sorted(
    path
    for folder in ("ledger", "projections", "tools")
    for suffix in ("py", "toml")
    for path in (ROOT / folder).rglob(f"*.{suffix}")
    if "workshop" not in path.parts and path.name != "_stand_alone_verifier.py"
)
PROGRAM = typer.main.get_command(app)
COMMANDS: dict[tuple[str, ...], Any] = {(): PROGRAM, **dict(commands_of_program(PROGRAM))}
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z](?![\w-])")
OF_OTHERS = re.compile(
    r"kafka-[\w-]+\.sh|\bcurl\b|\bpip\b|docker compose|useradd|clickhouse-client|gameledger-verify|"
    r"setpriv|python3? -m|BENCH=|^--config "
)
"""A line with another program, or a part of one, whose options are not ours."""
HELP = {"--help", "--version"}


def _options(command: Any) -> set[str]:
    return HELP | {name for one in command.params for name in (*one.opts, *one.secondary_opts)}


KNOWN = set.union(*map(_options, COMMANDS.values()))


def _lines(path: Path) -> list[str]:
    """Return the lines of a file, of Python its texts; lines that go on are joined."""
    content = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return re.sub(r"\\\n\s*", "", content).split("\n")
    return [] if "argparse" in content else list(_texts(ast.parse(content)))


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(getattr(one, "value", "")) for one in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from re.split(r"\n\s*\n", node.value)
    else:
        for one in ast.iter_child_nodes(node):
            yield from _texts(one)


def _command_lines(path: Path) -> Iterator[list[str]]:
    """Yield the words behind the program's name, in code and between backticks."""
    for line in _lines(path):
        for found in (
            []
            if OF_OTHERS.search(line)
            else re.finditer(r"(?<![\w./=-])gameledger ([^`|;&#\"]+)", line)
        ):
            try:
                yield shlex.split(found[1])
            except ValueError:
                yield found[1].split()


def _wrong(words: list[str]) -> str:
    """Return the first option of a command line that its command does not have."""
    path: tuple[str, ...] = ()
    takes_value = False
    for word in words:
        option = word.partition("=")[0]
        if OPTION.fullmatch(option):
            if option not in _options(COMMANDS[path]):
                return option
            takes_value = not word.count("=") and not _is_flag(COMMANDS[path], option)
        elif takes_value:
            takes_value = False
        elif (*path, word) in COMMANDS:
            path = (*path, word)
        elif not path:
            return ""  # prose
    return ""


def _is_flag(command: Any, option: str) -> bool:
    return option in HELP or any(
        option in (*one.opts, *one.secondary_opts) and getattr(one, "is_flag", False)
        for one in command.params
    )


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_documented_command_line_has_options_of_its_command(path: Path) -> None:
    assert [words for words in _command_lines(path) if _wrong(words)] == []


def test_each_command_line_in_help_and_errors_has_options_of_its_command() -> None:
    wrong = [
        (path.name, words) for path in SOURCES for words in _command_lines(path) if _wrong(words)
    ]
    assert wrong == []


def test_each_option_that_help_and_errors_name_exists() -> None:
    wrong = [
        (path.name, option, line)
        for path in SOURCES
        for line in _lines(path)
        if not OF_OTHERS.search(line)
        for option in OPTION.findall(line)
        if option not in KNOWN
    ]
    assert wrong == []
