"""A release: two builds of the same bytes, which work where they are installed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft7Validator
from referencing import Registry, Resource

from ledger.core.version import VERSION
from tests.npm_packages import npm_file
from tests.tools.cli_cases import ROOT
from tools.workshop.release import build, faults_of, sbom

if TYPE_CHECKING:
    from pathlib import Path

WHEEL = f"gameledger-{VERSION}-py3-none-any.whl"
LOCKS = [ROOT / "requirements.txt", ROOT / "deploy" / "requirements.txt"]
CYCLONEDX = "@cyclonedx/cyclonedx-library@10.3.0"
SCHEMAS = [f"{name}.SNAPSHOT.schema.json" for name in ("bom-1.6", "spdx", "jsf-0.82")]
NOT_AT_RUN_TIME = {"hypothesis", "mypy", "playwright", "pytest", "ruff", "schemathesis"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return build(tmp_path_factory.mktemp("built"))


def test_one_number_names_one_state(tmp_path: Path) -> None:
    """A release is refused without its tag, under a number that was used, or with open changes."""

    def git(*arguments: str) -> None:
        names = ("-c", "user.name=T", "-c", "user.email=t@example.cz", "-c", "commit.gpgsign=false")
        command = ["git", "-C", str(tmp_path), *names, *arguments]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - fixed arguments

    git("init")
    git("commit", "--allow-empty", "--message", "zero")
    (tmp_path / "changelog.d").mkdir()
    waiting = tmp_path / "changelog.d" / "+a.fixed.md"
    waiting.write_text("- A.")
    assert "not committed" in faults_of(tmp_path)[0]
    git("add", "-A")
    git("commit", "--message", "one")
    assert [fault.split(":")[0] for fault in faults_of(tmp_path)] == [
        "1 changes wait in changelog.d, such as +a.fixed.md",
        "the commit has no tag",
    ]
    git("rm", "changelog.d/+a.fixed.md")
    git("commit", "--message", "two")
    git("tag", f"v{VERSION}")
    assert faults_of(tmp_path) == []
    git("commit", "--allow-empty", "--message", "three")
    (fault,) = faults_of(tmp_path)
    assert "a tag never moves" in fault


@pytest.mark.slow
def test_two_builds_have_the_same_bytes(built: dict[str, bytes], tmp_path: Path) -> None:
    assert set(built) == {
        WHEEL,
        f"gameledger-{VERSION}.tar.gz",
        f"gameledger_client-{VERSION}-py3-none-any.whl",
        f"gameledger_client-{VERSION}.tar.gz",
    }
    assert build(tmp_path) == built


@pytest.mark.slow
def test_an_installed_wheel_names_its_commit_and_begins_a_chain(
    built: dict[str, bytes], tmp_path: Path
) -> None:
    with zipfile.ZipFile(BytesIO(built[WHEEL])) as wheel:
        wheel.extractall(tmp_path / "site")  # noqa: S202 - our own

    def installed(*arguments: str) -> str:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-P", "-m", "tools.cli", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path / "site"), "GAMELEDGER_DATA": "data"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    head = subprocess.run(  # noqa: S603 - fixed arguments
        ["git", "-C", str(ROOT), "rev-parse", "HEAD"],  # noqa: S607 - of the machine
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert installed("--version") == f"gameledger {VERSION} (log format 1, {head})\n"
    named = ("--operator", "26493993", "--name", "Test", "--chain", "test", "--rules", "sazka")
    installed("init", *named)
    assert "is whole" in installed("log", "verify")
    assert json.loads(installed("balances", "--json")) is not None


@pytest.mark.slow
def test_a_source_distribution_holds_what_a_build_needs(built: dict[str, bytes]) -> None:
    with tarfile.open(fileobj=BytesIO(built[f"gameledger-{VERSION}.tar.gz"])) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "tools/build_hook.py"} <= names
    assert {"ledger/core/commit.txt", "schemas/envelope.json"} <= names


def test_the_sbom_is_cyclonedx_and_names_every_locked_package() -> None:
    document = json.loads(sbom())
    published = {name: json.loads(npm_file(CYCLONEDX, f"res/schema/{name}")) for name in SCHEMAS}
    registry: Registry[Any] = Registry().with_resources(
        (f"http://cyclonedx.org/schema/{name}", Resource.from_contents(schema))
        for name, schema in published.items()
    )
    judge = Draft7Validator(published[SCHEMAS[0]], registry=registry)
    assert [error.message for error in judge.iter_errors(document)] == []
    assert not judge.is_valid({**document, "components": {}})
    pinned = pins(LOCKS[1])
    assert {one["name"]: one["version"] for one in document["components"]} == pinned
    assert all(one["hashes"] and one["licenses"] for one in document["components"])
    needs = {one["ref"]: one["dependsOn"] for one in document["dependencies"]}
    root = document["metadata"]["component"]["bom-ref"]
    reached, waiting = {root}, [root]
    while waiting:
        further = set(needs[waiting.pop()]) - reached
        reached |= further
        waiting += further
    assert reached == {root, *(one["bom-ref"] for one in document["components"])}


def test_the_runtime_lock_is_part_of_the_lock_and_holds_no_tools_of_development() -> None:
    everything, runtime = map(pins, LOCKS)
    assert runtime.items() <= everything.items()
    assert not NOT_AT_RUN_TIME & runtime.keys()
    assert everything.keys() >= NOT_AT_RUN_TIME


def pins(lock: Path) -> dict[str, str]:
    return dict(
        re.findall(r"^([\w.-]+)==([^\s;]+)", lock.read_text(encoding="utf-8"), re.MULTILINE)
    )
