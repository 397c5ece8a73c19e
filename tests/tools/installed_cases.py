"""The program as an operator has it: its wheel in an environment of its own, an empty folder."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path
from sysconfig import get_path
from typing import TYPE_CHECKING

from tools.workshop.release import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

SECONDS_MAX = 240


class Installed:
    """A program that was installed from its wheel, run in a folder that holds nothing of it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        built, self.environment = folder / "built", folder / "environment"
        _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)], ROOT)
        venv.create(self.environment, with_pip=False)
        (site,) = self.environment.glob("lib/python*/site-packages")
        (wheel,) = built.iterdir()
        pip = (sys.executable, "-m", "pip", "--python", str(self.environment / "bin/python"))
        _run([*pip, "install", "--no-deps", "--no-index", str(wheel)], folder)
        # Its requirements come from ours; behind its own folder, so that it is itself.
        (site / "requirements.pth").write_text(get_path("purelib"), encoding="utf-8")
        where = self.python("-c", "import ledger; print(ledger.__file__)", folder=folder).stdout
        assert Path(where.strip()).is_relative_to(site)

    @property
    def program(self) -> str:
        """The program, in its environment."""
        return str(self.environment / "bin" / "gameledger")

    def python(self, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
        """Run Python with the program."""
        return _run([str(self.environment / "bin" / "python"), *arguments], folder)

    def __call__(
        self,
        *arguments: str,
        folder: Path,
        lines: Sequence[object] = (),
        code: int = 0,
    ) -> subprocess.CompletedProcess[str]:
        """Run the program."""
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        return _run([self.program, *arguments], folder, text, code)


def _run(
    command: list[str], folder: Path, text: str = "", code: int = 0
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(  # noqa: S603 - our own program
        command,
        input=text,
        capture_output=True,
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "COLUMNS": "200", "HOME": str(folder)},
        timeout=SECONDS_MAX,
        check=False,
        text=True,
    )
    assert done.returncode == code, done.stderr[-2000:] + done.stdout[-2000:]
    return done
