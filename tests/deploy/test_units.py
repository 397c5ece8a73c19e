"""The systemd units: systemd reads them, and the program knows their commands and settings."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.cli._app import COMMANDS, _load

UNITS = sorted((Path(__file__).parents[2] / "deploy" / "systemd").iterdir())
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
PROGRAM = "/opt/gameledger/bin/gameledger"
SETTINGS_OF_ALL = {"GAMELEDGER_DATA", "GAMELEDGER_JSON", "GAMELEDGER_WRITERS"}
EXPOSURE_MAX = 55
"""Tenths of points of ``systemd-analyze security``, where 100 is no protection at all."""
ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(
    ANALYZE is None and not os.environ.get("CI"),
    reason="systemd-analyze is missing (Debian: apt-get install systemd): units are not tried",
)


def analyzed(*arguments: str) -> subprocess.CompletedProcess[str]:
    assert ANALYZE is not None, "CI installs systemd"
    return subprocess.run(  # noqa: S603 - a program of Debian's
        [ANALYZE, *arguments], capture_output=True, text=True, check=False
    )


@pytest.fixture
def units(tmp_path: Path) -> list[str]:
    """The units with a program that exists; an instance of each template."""
    for unit in UNITS:
        text = unit.read_text(encoding="utf-8").replace(PROGRAM, "/bin/true")
        (tmp_path / unit.name.replace("@", "@one")).write_text(text, encoding="utf-8")
    return [str(path) for path in sorted(tmp_path.iterdir())]


@needs_systemd
def test_systemd_finds_no_fault_in_the_units(units: list[str]) -> None:
    done = analyzed("verify", "--man=no", *units)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@needs_systemd
def test_services_are_hardened(units: list[str]) -> None:
    for unit in units:
        if unit.endswith(".service") and "alarm" not in unit:
            done = analyzed("security", "--offline=true", f"--threshold={EXPOSURE_MAX}", unit)
            assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_the_program_knows_the_commands_and_settings_of_a_unit(unit: Path) -> None:
    text = unit.read_text(encoding="utf-8")
    commands = re.findall(rf"^ExecStart(?:Pre)?={PROGRAM} (.+)$", text, re.MULTILINE)
    known = set(SETTINGS_OF_ALL)
    for line in commands:
        name, *arguments = shlex.split(line.replace("%i", "one"))
        assert name in COMMANDS
        command = _load(name)
        while hasattr(command, "commands"):
            command = command.commands[arguments.pop(0)]
        with command.make_context(name, [*arguments]) as context:
            assert context.args == []
        known |= {str(one.envvar) for one in command.params if getattr(one, "envvar", None)}
    assert set(re.findall(r"^Environment=(\w+)=", text, re.MULTILINE)) <= known
    assert commands or "alarm" in unit.name


def test_binaries_settings_and_data_have_one_place_each() -> None:
    for unit in SERVICES:
        text = unit.read_text(encoding="utf-8")
        paths = set(re.findall(r"(?<![\w.])(/(?:opt|etc|var|srv|usr/local)/[\w-]+)", text))
        assert paths <= {"/opt/gameledger", "/etc/gameledger", "/var/lib"}, unit.name
