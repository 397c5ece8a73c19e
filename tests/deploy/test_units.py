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
PAGE = Path(__file__).parents[2] / "docs" / "operations.md"
WITH_KEYS = {"gameledger-writer.service", "gameledger-night.service"}
"""Units that write the folder of the keys."""
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


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_what_needs_a_person_is_not_started_again(unit: Path) -> None:
    """By the table of exit codes on the page of installation."""
    page, text = PAGE.read_text(encoding="utf-8"), unit.read_text(encoding="utf-8")
    need_a_person = re.findall(r"^\| (\d) \| .* \| not restarted", page, re.MULTILINE)
    assert need_a_person
    if "Restart=always" in text:
        assert f"\nRestartPreventExitStatus={' '.join(need_a_person)}\n" in text


def folders_of(unit: str) -> tuple[set[str], set[str]]:
    """Return what a unit may write, and the part of it that systemd makes."""
    made = re.findall(r"^StateDirectory=(.+)$", unit, re.MULTILINE)
    made_paths = {f"/var/lib/{name}" for names in made for name in names.split()}
    writable = re.findall(r"^ReadWritePaths=(.+)$", unit, re.MULTILINE)
    return made_paths | {path for paths in writable for path in paths.split()}, made_paths


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_what_a_unit_writes_is_made_before_and_within_its_reach(unit: Path) -> None:
    """Also the folders that the page of installation names in the common settings."""
    text, page = unit.read_text(encoding="utf-8"), PAGE.read_text(encoding="utf-8")
    writable, made = folders_of(text)
    installed = re.findall(r"/var/lib/\S+", "".join(re.findall(r"(?m)^install -d .*", page)))
    assert writable <= made | {*installed}, "not made before: systemd would not start the unit"
    named = set(re.findall(r"(/var/lib/\S+)", re.sub(r"(?m)^#.*$", "", text)))
    if unit.name in WITH_KEYS:
        named |= set(re.findall(r"^GAMELEDGER_\w+=(/var/lib/\S+)$", page, re.MULTILINE))
    outside = {
        path for path in named if not any(f"{path}/".startswith(f"{one}/") for one in writable)
    }
    assert not outside, "the unit names what it can't write"


def test_web_server_reaches_the_tiles_and_nothing_else() -> None:
    open_to_others = {
        path
        for unit in SERVICES
        if "StateDirectoryMode=0755" in (text := unit.read_text(encoding="utf-8"))
        for path in folders_of(text)[1]
    }
    assert open_to_others == {"/var/lib/gameledger-tiles"}


def test_binaries_settings_and_data_have_one_place_each() -> None:
    for unit in SERVICES:
        text = unit.read_text(encoding="utf-8")
        paths = set(re.findall(r"(?<![\w.])(/(?:opt|etc|var|srv|usr/local)/[\w-]+)", text))
        assert paths <= {"/opt/gameledger", "/etc/gameledger", "/var/lib"}, unit.name
