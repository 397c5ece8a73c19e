"""Help that was made before is the help that the program makes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

MAKES_IT = "import sys; from tools.cli._app import app; app(sys.argv[1:], prog_name='gameledger')"
PRINTS_IT = "import sys; from tools.cli import main; main(); print(*sys.modules, file=sys.stderr)"


def told(code: str, arguments: list[str], columns: int) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COLUMNS": str(columns)}
    return subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["round", "--help"],
        ["log", "verify", "--help"],
        ["record", "--help", "place_bet"],
    ],
    ids=" ".join,
)
def test_help_is_printed_without_importing_what_it_tells_of(arguments: list[str]) -> None:
    """In a terminal of fewer columns it is made anew."""
    printed = told(PRINTS_IT, arguments, 80)
    assert printed.stdout == told(MAKES_IT, arguments, 80).stdout
    assert "fastavro" not in printed.stderr.split()
    narrow = told(MAKES_IT, arguments, 60).stdout
    assert told("from tools.cli import main; main()", arguments, 60).stdout == narrow
