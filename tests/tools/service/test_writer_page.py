"""docs/writer.md: its example runs, and its tables are those of the program."""

from __future__ import annotations

import re
import shlex
import signal
from typing import TYPE_CHECKING

from tests.tools.cli_cases import ROOT, answers, bet, command, run
from tests.tools.writer_cases import Writer, free_port
from tools.service.limits import Limits
from tools.service.roles import ROLES

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (ROOT / "docs" / "writer.md").read_text(encoding="utf-8")


def test_example_of_the_page_runs(studio: Path, tmp_path: Path) -> None:
    port = free_port()
    make, serve, send = (
        _moved(line, tmp_path, port)
        for line in re.findall(r"^gameledger (.*\btls\b.*)$", PAGE, re.MULTILINE)
    )
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "clients.toml").write_text(block, encoding="utf-8")
    made = run(*make, data=studio)
    assert made.returncode == 0, made.stderr
    at = serve.index("writer")
    names = (f"GAMELEDGER_{name[2:].replace('-', '_').upper()}" for name in serve[:at:2])
    environment = dict(zip(names, serve[1:at:2], strict=True))
    writer = Writer(studio, *serve[at + 1 :], environment=environment)
    try:
        writer.wait_for("leading")
        deposit = command("deposit", account="a-1", deposit="d9", amount=100, method="card-1")
        done = run(*send[:-1], data=studio, lines=[deposit, bet(1)])
        recorded, refused = answers(done)
        assert recorded["status"] == "recorded"
        assert (refused["kind"], done.returncode) == ("authorization", 5)
        assert refused["text"].startswith("cage-1 may not send place_bet")
        assert "cage-1 may not send place_bet" in PAGE
        writer.send_signal(signal.SIGTERM)
        assert writer.wait() == 0
    finally:
        writer.kill()


def test_roles_of_the_page_are_those_of_the_program() -> None:
    table = PAGE.partition("| role | whose |")[2].partition("\n\n")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == ROLES


def test_limits_of_the_page_are_those_of_the_program() -> None:
    limits = Limits()
    for text in (
        f"after {limits.hello_seconds:g} s",
        f"more than {limits.waiting} of these",
        f"within {limits.line_seconds:g} s",
        f"for {limits.idle_seconds / 60:g} minutes",
        f"for {limits.send_seconds:g} s",
        f"{limits.lines} lines or {limits.line_bytes >> 20} MiB",
        f"silent for {limits.quiet_seconds:g} s",
        f"all {limits.clients} places",
    ):
        assert text in PAGE


def _moved(line: str, folder: Path, port: int) -> list[str]:
    """Give the words of a command with its files in a folder and its port free."""
    moved = line.replace("7412", str(port))
    words = shlex.split(moved)
    return [
        str(folder / word) if re.match(r"tls(/|$)|clients\.toml", word) else word for word in words
    ]
