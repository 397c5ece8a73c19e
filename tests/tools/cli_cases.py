"""The real program in a process of its own, and a small studio to record into."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from tests.tools.answer_cases import require_fitting
from tests.tools.ready_program import ready_program
from tools.cli import _app, main

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tools.ready_program import Running

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-m", "tools.cli")
GAME = "sazka.roulette_evolution"
SECONDS_MAX = 180
OF_RECORD = {"GAMELEDGER_NOW": "record"}
"""What is late in a simulated chain is judged at its last message, not by the clock of the test."""


def commands_of_the_program() -> Iterator[str]:
    """Yield the names of all commands, those in groups after the name of their group."""
    for name in _app.COMMANDS:
        found = _app._load(name)
        if hasattr(found, "commands"):
            yield from (f"{name} {one}" for one in found.commands)
        else:
            yield name


def run(
    *arguments: str,
    data: Path,
    lines: list[Any] | str | bytes = "",
    environment: dict[str, str] | None = None,
    obeying_modes: bool = False,
    **more: Any,
) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own; objects among the lines are written as JSON.

    With ``obeying_modes``, root does not pass over the modes of files, as nobody else does.

    Options of ``subprocess.run`` let it start from nothing, otherwise its modules are read
    already. What it answers under ``--json`` has to fit the published schema.
    """
    if isinstance(lines, list):
        lines = "".join(
            f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines
        )
    if isinstance(lines, str):
        lines = lines.encode()
    environment = {
        "GAMELEDGER_DATA": str(data),
        **OF_RECORD,
        "PATH": "/usr/bin:/bin",
        "COLUMNS": "100",
        **(environment or {}),
    }
    if more:
        done = subprocess.run(  # noqa: S603 - our own program
            [*PROGRAM, *arguments],
            input=lines,
            capture_output=True,
            cwd=ROOT,
            env=environment,
            timeout=SECONDS_MAX,
            check=False,
            **more,
        )
    else:
        done = ready_program().run(
            [*arguments], environment, lines, SECONDS_MAX, obeying_modes=obeying_modes
        )
    output = done.stdout.decode()
    if output.strip() and "--json" in arguments and done.returncode in {0, 1}:
        require_fitting(arguments, output)
    return subprocess.CompletedProcess(done.args, done.returncode, output, done.stderr.decode())


def started(*arguments: str, data: Path, environment: dict[str, str] | None = None) -> Running:
    """Start the program with its modules read; its streams are pipes."""
    places = {"GAMELEDGER_DATA": str(data), "PATH": "/usr/bin:/bin", **OF_RECORD}
    return ready_program().start([*arguments], {**places, **(environment or {})})


def run_here(
    *arguments: str, data: Path, lines: str = "", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the program in this process, which is quicker; its streams are not a terminal."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    streams = {"stdout": out, "stderr": err, "stdin": io.TextIOWrapper(io.BytesIO(lines.encode()))}
    asked = {"GAMELEDGER_DATA": str(data), "COLUMNS": "100", **OF_RECORD, **(environment or {})}
    code: Any = 0
    with ExitStack() as stack:
        for name, stream in streams.items():
            stack.enter_context(mock.patch.object(sys, name, stream))
        stack.enter_context(mock.patch.object(sys, "argv", ["gameledger", *arguments]))
        stack.enter_context(mock.patch.dict(os.environ, asked))
        try:
            main()
        except SystemExit as end:
            code = end.code
        shown = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
    if shown[0].strip() and "--json" in arguments and code in {None, 0, 1}:
        require_fitting(arguments, shown[0])
    return subprocess.CompletedProcess(arguments, code or 0, *shown)


def begin(data: Path) -> None:
    """Begin a chain with a table, a player at it and an open round ``q1``."""
    done = run("init", "--operator", "26493993", "--name", "Test", "--chain", "test", data=data)
    assert done.returncode == 0, done.stderr
    done = run("record", data=data, lines=studio())
    assert done.returncode == 0, done.stdout


def begin_casino(data: Path) -> None:
    """Begin the chain of the casino of docs/casino.md."""
    named = ("--operator", "12345678", "--name", "Kasino a.s.", "--chain", "kasino")
    done = run("init", *named, "--rules", "sazka", data=data)
    assert done.returncode == 0, done.stderr


def night_with_chips(data: Path) -> Path:
    """Begin the night of docs/casino.md, and play a round with one bet, in chips."""
    begin_casino(data)
    night = (ROOT / "docs" / "first-night.jsonl").read_text(encoding="utf-8").splitlines()
    spin = {"wheel_direction": "clockwise", "ball_direction": "counterclockwise", "revolutions": 9}
    bet = {"section": "rou-1-1", "slip": "2001", "seat": 3, "bet_code": "red", "amount": 10_000}
    lines = [
        *night[:11],
        command("assign_device", table="rou-1", device="w-1", kind="wheel", serial="W-1"),
        command("open_round", round="c1", table="rou-1"),
        command("spin_wheel", round="c1", **spin),
        command("close_bets", round="c1"),
        command("land_ball", round="c1", number=17),
        command("record_result", round="c1"),
        command("settle_chip_bet", round="c1", paid=5_000_000, **bet),
    ]
    assert run("record", data=data, lines=lines).returncode == 0
    return data


def studio() -> list[dict[str, Any]]:
    """Everything up to an open round with a seated player ``a-1`` who has 10,000 CZK."""
    person = {
        "identity": "CZ 1",
        "name": "Jan Novák",
        "birth_date": "1990-01-01",
        "register": "clear",
        "verified_how": "bank identity",
        "address": "Dlouhá 1, 110 00 Praha 1",
        "email": "anna@example.com",
        "plan_version": "2025-01-21",
    }
    method = {"method": "card-1", "method_class": "card", "masked": "**1", "country": "CZ"}
    return [
        command("list_game", game=GAME, name="Roulette"),
        command(
            "publish_rules",
            game=GAME,
            plan_version="2025-01-21",
            effective_from="2025-01-21T00:00:00+01:00",
        ),
        command("launch_game", game=GAME),
        command("open_casino", place="s", name="Studio", kind="studio", address="Praha"),
        command("open_table", table="t1", registration="1", game=GAME, place="s", streamed=True),
        command("assign_device", table="t1", device="w1", kind="wheel", serial="W-1"),
        command("seat_dealer", table="t1", dealer="d-1"),
        command("open_account", account="a-1", **person),
        command("register_payment_method", account="a-1", proof="card_3ds", **method),
        *(command("decline_limit", account="a-1", measure=letter) for letter in "abcdefg"),
        command("deposit", account="a-1", deposit="d1", amount=1_000_000, method="card-1"),
        command("log_in", account="a-1", session="s1", register="clear"),
        command("take_seat", account="a-1", table="t1"),
        command("open_round", round="q1", table="t1"),
    ]


def command(name: str, /, **fields: Any) -> dict[str, Any]:
    return {"command": name, **fields}


def bet(number: int, stake: Any = 1_000, **more: Any) -> dict[str, Any]:
    """A bet on red in round ``q1``."""
    facts = {"bet": f"q1-{number}", "account": "a-1", "round": "q1", "bet_code": "red"}
    return command("place_bet", **{**facts, "stake": stake, **more})


def login(number: int) -> dict[str, str]:
    """A login and a logout in turn; a login is a decision of two events."""
    if number % 2:
        return command("log_out", account="a-1")
    return command("log_in", account="a-1", session=f"k{number}", register="clear")


def answers(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    """The lines that ``record`` answered."""
    return [json.loads(line) for line in done.stdout.splitlines()]
