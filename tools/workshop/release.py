"""Build a release: program and client, each twice with the same bytes, an SBOM, checksums.

``python -m tools.workshop.release DIR`` writes them to a new folder, with what an installation
needs (``deploy/``). One number names one state: the working tree is committed, its commit has the
tag of the version, and no change waits in ``changelog.d``. ``python -m tools.workshop.release
--locks`` writes the locks of hosts: those parts of ``requirements.txt`` that a writer needs, and
that everything but development needs.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from hashlib import sha256
from importlib.metadata import metadata, requires
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ledger.core.version import VERSION

__all__ = ["build", "faults_of", "locks", "main", "sbom"]

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "deploy" / "requirements.txt"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = {
    LOCK: ["gameledger[all,fast,telemetry]"],
    LOCK.with_name("requirements-writer.txt"): ["gameledger"],
    LOCK.with_name("requirements-build.txt"): PROJECT["build-system"]["requires"],
}
"""The lock of each kind of host and of a build, and what it installs."""
PINNED = re.compile(
    r"^([\w.-]+)==([^\s;\\]+)[^\n]*\n((?:\s+--hash=sha256:[0-9a-f]+[^\n]*\n)*)", re.MULTILINE
)


def main(arguments: list[str]) -> int:
    """Write a release to the folder in the arguments; return the exit code."""
    if len(arguments) != 1:
        print("usage: python -m tools.workshop.release DIR|--locks", file=sys.stderr)
        return 2
    if arguments == ["--locks"]:
        for path, text in locks().items():
            path.write_text(text, encoding="utf-8")
        return 0
    faults = faults_of(ROOT)
    if faults:
        print("\n".join(faults), file=sys.stderr)
        return 1
    folder = Path(arguments[0])
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        built, again = build(Path(first)), build(Path(second))
        if built != again:
            print("two builds differ: nothing is released", file=sys.stderr)
            return 1
        files = {
            **built,
            f"gameledger-{VERSION}.cdx.json": sbom().encode(),
            f"gameledger-{VERSION}-deploy.tar": _deployment(ROOT),
        }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    sums = "".join(f"{sha256(one).hexdigest()}  {name}\n" for name, one in sorted(files.items()))
    (folder / "SHA256SUMS").write_text(sums, encoding="ascii")
    print(sums, end="")
    return 0


def faults_of(root: Path) -> list[str]:
    """Return why the state of a tree can't be released under its number, and what to do."""
    tag, waiting = f"v{VERSION}", sorted((root / "changelog.d").glob("+*.md"))
    faults = []
    if _git("status", "--porcelain", root=root):
        faults.append("the working tree is not committed: commit it first")
    if waiting:
        faults.append(
            f"{len(waiting)} changes wait in changelog.d, such as {waiting[0].name}: choose the "
            "next number in ledger/core/version.py and run `towncrier build --version NUMBER`"
        )
    if tag not in _git("tag", "--points-at", "HEAD", root=root).split():
        used = _git("tag", "--list", tag, root=root)
        faults.append(
            f"{tag} names an earlier commit and a tag never moves: choose the next number in "
            "ledger/core/version.py"
            if used
            else f"the commit has no tag: release it as `git tag --sign {tag}` once CI has passed"
        )
    return faults


def _deployment(root: Path) -> bytes:
    """Pack what an installation needs besides the wheel, with the same bytes each time."""
    return subprocess.run(  # noqa: S603 - fixed arguments
        ["git", "-C", str(root), "archive", "--format=tar", "HEAD", "deploy"],  # noqa: S607
        capture_output=True,
        check=True,
    ).stdout


def build(folder: Path) -> dict[str, bytes]:
    """Build sdist and wheel of program and client into a folder; return their bytes by name."""
    moment = _git("log", "-1", "--format=%ct")
    for project in (ROOT, ROOT / "client"):
        subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)],
            cwd=project,
            env={**os.environ, "SOURCE_DATE_EPOCH": moment},
            stdout=sys.stderr,
            check=True,
        )
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def locks() -> dict[Path, str]:
    """Return the host locks, as parts of the complete lock."""
    whole = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    pinned = [(canonicalize_name(one[1]), one[0]) for one in PINNED.finditer(whole)]
    found = {}
    for path, wanted in LOCKS.items():
        names = _graph(wanted)
        found[path] = "".join(text for name, text in pinned if name in names)
    return found


def _graph(wanted: list[str]) -> dict[str, set[str]]:
    """Return what requirements install, as installed here: each package with what it needs."""
    project = PROJECT["project"]
    found, waiting = set[tuple[str, str]](), [*map(Requirement, wanted)]
    needs: dict[str, set[str]] = {}
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        needs.setdefault(name, set())
        for extra in {"", *one.extras} - {extra for known, extra in found if known == name}:
            found.add((name, extra))
            if name == "gameledger":
                extras = project["optional-dependencies"]
                inner = extras[extra] if extra else project["dependencies"]
            else:
                inner = requires(name) or ()
            further = [
                one
                for one in map(Requirement, inner)
                if one.marker is None or one.marker.evaluate({"extra": extra})
            ]
            needs[name] |= {canonicalize_name(one.name) for one in further}
            waiting += further
    return needs


def sbom() -> str:
    """Return the CycloneDX document of the runtime lock.

    It holds packages, versions, licences, digests of files, and which package needs which.
    """
    refs: dict[str, list[str]] = {"gameledger": [f"pkg:pypi/gameledger@{VERSION}"]}
    components: list[dict[str, Any]] = []
    for name, version, hashes in PINNED.findall(LOCK.read_text(encoding="utf-8")):
        reference = f"pkg:pypi/{name}@{version}"
        refs.setdefault(canonicalize_name(name), []).append(reference)
        digests = re.findall(r"sha256:([0-9a-f]+)", hashes)
        components.append(
            {
                "type": "library",
                "bom-ref": reference,
                "name": name,
                "version": version,
                "licenses": _licences(name),
                "purl": reference,
                "hashes": [{"alg": "SHA-256", "content": one} for one in digests],
            }
        )
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": f"pkg:pypi/gameledger@{VERSION}",
                "name": "gameledger",
                "version": VERSION,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "purl": f"pkg:pypi/gameledger@{VERSION}",
            }
        },
        "components": components,
        "dependencies": [
            {"ref": ref, "dependsOn": sorted(one for need in needed for one in refs[need])}
            for name, needed in sorted(_graph(LOCKS[LOCK]).items())
            for ref in refs[name]
        ],
    }
    return json.dumps(document, indent=1) + "\n"


def _licences(package: str) -> list[dict[str, Any]]:
    """Return the licences of an installed package, as its metadata state them."""
    stated = metadata(package)
    if "License-Expression" in stated:
        return [{"expression": stated["License-Expression"]}]
    classes = [one for one in stated.get_all("Classifier") or () if one.startswith("License ::")]
    names = [one.rpartition(" :: ")[2] for one in classes] or [stated["License"].strip()]
    return [{"license": {"name": name}} for name in names]


def _git(*arguments: str, root: Path = ROOT) -> str:
    found = subprocess.run(  # noqa: S603 - fixed arguments
        ["git", "-C", str(root), *arguments],  # noqa: S607 - of the machine
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
