"""A copy of the project in which a test follows a recipe of ``docs/recipes``, step by step."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from ledger.core.clock import DAY, MINUTE, SystemClock
from ledger.decisions.decider import decode_command
from ledger.rules.operator import rules_for
from tools.data import DataDirectory

ROOT = Path(__file__).parents[2]
ROUNDS = 9
REFUSED = {"CASH_LIMIT", "BREAK_REQUIRED", "WRONG_ORDER"}
NOT_COMMITTED = {"event_types.py", "codes.md", "duties.md", "games.md", "sql.md"}
COPIED = ("schemas", "ledger", "projections", "tools", "tests", "docs", "verifier/src")


class Tree:
    """The copy, and what a maintainer does in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for name in COPIED:
            shutil.copytree(ROOT / name, path / name)  # compiled modules, too: they stay valid
        for name in ("README.md", "pyproject.toml"):
            shutil.copy(ROOT / name, path)

    def write(self, name: str, text: str) -> None:
        """Write a new file."""
        file = self.path / name
        assert not file.exists()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        return (self.path / name).read_text(encoding="utf-8")

    def replace(self, name: str, old: str, new: str) -> None:
        """Change a file at one place."""
        text = self.read(name)
        assert text.count(old) == 1, f"{name} has {text.count(old)} times {old}"
        (self.path / name).write_text(text.replace(old, new), encoding="utf-8")

    def python(self, *arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
        """Run Python in the copy, with the copy's code."""
        return subprocess.run(  # noqa: S603 - our own program
            [sys.executable, *arguments],
            input=lines,
            capture_output=True,
            cwd=self.path,
            env={"PATH": "/usr/bin:/bin", "COLUMNS": "200", "PYTHONPATH": str(self.path)},
            timeout=300,
            check=False,
            text=True,
        )

    def changed(self) -> set[str]:
        """Return the files that differ from the project's, without those that are not committed."""
        return {
            str(file.relative_to(self.path))
            for name in COPIED
            for file in self.path.joinpath(name).rglob("*.*")
            if file.suffix != ".so" and file.name not in NOT_COMMITTED
            if file.parent.name != "__pycache__"
            if _differs(file, ROOT / file.relative_to(self.path))
        }

    def generate(self) -> None:
        done = self.python("-m", "tools.workshop.generate")
        assert done.returncode == 0, done.stderr

    def stale(self) -> str:
        """Say what the generator finds stale."""
        return self.python("-m", "tools.workshop.generate", "--check").stderr

    def gameledger(self, *arguments: str, lines: list[Any] = []) -> Any:  # noqa: B006 - not changed
        """Run the program and return its answer in JSON, an answer a line for `record`."""
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        done = self.python("-m", "tools.cli", *arguments, lines=text)
        assert done.returncode in {0, 1}, done.stderr + done.stdout
        if "record" in arguments:
            return [json.loads(line) for line in done.stdout.splitlines()]
        return json.loads(done.stdout)


def _differs(file: Path, original: Path) -> bool:
    return not original.exists() or file.read_bytes() != original.read_bytes()


class _Clock:
    def __init__(self, moment: int) -> None:
        self.moment = moment

    def now(self) -> int:
        return self.moment


def history(data: Path, operator: str, rules: str = "sazka") -> None:
    """Record, twenty days ago, half an hour of play, cash and a complaint.

    SAZKA's rules allow all of it; other rules may refuse the cash and the late bet.
    """
    first = (ROOT / "docs/first-round.jsonl").read_text(encoding="utf-8").splitlines()
    setup = first[: [json.loads(line)["command"] for line in first].index("open_round")]
    clock = _Clock(SystemClock().now() - 20 * DAY)
    with DataDirectory(data).create(
        operator=operator,
        operator_name="O",
        chain="c",
        rules=rules_for(operator, rules),
        clock=clock,
    ) as ledger:

        def do(command: str, **facts: object) -> None:
            receipt = ledger.execute(decode_command(json.dumps({"command": command, **facts})))
            refused = receipt.refused
            assert refused is None or (rules != "sazka" and refused.code in REFUSED), refused

        for line in setup:
            assert ledger.execute(decode_command(line)).refused is None
        cash = {"account": "a-1", "method": "cash", "document_shown": True}
        do("deposit", deposit="d-2", amount=300_000, **cash)
        do("file_complaint", account="a-1", case="c-1", grounds="too slow")
        for number in range(ROUNDS):
            name = f"r{number}"
            do("open_round", round=name, table="t1")
            bet = {"bet": f"{name}-1", "account": "a-1", "round": name}
            do("place_bet", **bet, bet_code="red", stake=1_000)
            do(
                "spin_wheel", round=name, revolutions=14,
                wheel_direction="clockwise", ball_direction="counterclockwise",
            )  # fmt: skip
            do("close_bets", round=name)
            do("land_ball", round=name, number=17)
            clock.moment += 3 * MINUTE
            do("record_result", round=name)
            do("settle_round", round=name)
            clock.moment += 1 * MINUTE
        do("open_round", round="late", table="t1")
        do("place_bet", bet="late-1", account="a-1", round="late", bet_code="red", stake=1_000)
        do("close_bets", round="late")
