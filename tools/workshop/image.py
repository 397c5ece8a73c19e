"""Build the image without a container service, and try it: ``python -m tools.workshop.image``.

Needs root, ``buildah`` and ``debootstrap`` (Debian packages), and the jars of the broker. The base
image is a fresh Debian, the build runs ``deploy/Dockerfile`` in a chroot, with wheels that this
machine downloads. In the image: version, a chain in a folder, its verification, and a writer whose
log is on three real brokers. Each step is printed when it is over, and at the end what was not
tried.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from ledger.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["main"]

ROOT = Path(__file__).resolve().parents[2]
BASE, IMAGE = "localhost/gameledger-base", f"localhost/gameledger:{VERSION}"
LOCKS = ("deploy/requirements-build.txt", "deploy/requirements.txt")
SUITE = "bookworm"
PACKAGES = "ca-certificates,python3,python3-venv"
PROGRAMS = ("buildah", "debootstrap")
USER = 10001
SECONDS_MAX = 120
TRIES = 60
NAMED = ("--operator", "26493993", "--name", "Test", "--chain", "test")
NOT_TRIED = (
    "compose.yaml: nothing here starts several containers, their networks and health checks",
    "the base image python:3.11-slim: a Debian made here stands for it",
    "other isolation than chroot: namespaces, limits of memory and processor, restarts",
    "ClickHouse as a server, TLS between container and brokers, processors other than this one",
)


def main() -> int:
    """Build and try; return 0, or 1 where a step failed or could not be tried."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing or os.geteuid():
        why = f"{', '.join(missing)} missing" if missing else "root is needed"
        print(f"not tried: the whole image: {why} (apt-get install {' '.join(PROGRAMS)})")
        return 1
    with tempfile.TemporaryDirectory(prefix="gameledger-image-") as folder:
        for done in _steps(Path(folder)):
            print(f"done: {done}", flush=True)
    for one in NOT_TRIED:
        print(f"not tried: {one}")
    return 0


def _steps(folder: Path) -> Iterator[str]:
    context, wheels, base = folder / "context", folder / "wheels", folder / "base"
    _export(context)
    for lock in LOCKS:
        where = ("-d", str(wheels), "-r", str(context / lock))
        _run(sys.executable, "-m", "pip", "download", "-q", "--require-hashes", *where)
    yield f"{len(list(wheels.iterdir()))} wheels of the locks are downloaded"
    _run("debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, str(base))
    buildah = _Buildah(folder)
    container = buildah("from", "scratch").strip()
    buildah("add", "-q", container, str(base), "/")
    buildah("commit", "-q", "--rm", container, BASE)
    shutil.rmtree(base)
    yield f"base image of Debian {SUITE}"
    (folder / "pip.conf").write_text("[global]\nno-index = true\nfind-links = /wheels\n")
    buildah(
        *("bud", "-q", "--isolation", "chroot", "--layers=false", "--build-arg", f"BASE={BASE}"),
        *("--volume", f"{wheels}:/wheels:ro", "--volume", f"{folder}/pip.conf:/etc/pip.conf:ro"),
        *("-f", "deploy/Dockerfile", "-t", IMAGE, str(context)),
    )
    container = buildah("from", IMAGE).strip()
    program = _Program(buildah, container, folder)
    yield f"image of deploy/Dockerfile: {program('--version').strip()}"
    program("init", *NAMED)
    _require("is whole", program("log", "verify"))
    yield "in the image: init and log verify, as its user"
    yield _on_brokers(program, folder)


def _on_brokers(program: _Program, folder: Path) -> str:
    """Begin a chain on three brokers, let a writer of the image take a command, and verify."""
    from tools.workshop.broker import Cluster

    with Cluster(folder / "brokers", size=3) as cluster:
        log = ("--data", "/data/brokers", "--log", cluster.url("image"))
        program(*log, "init", *NAMED)
        port = _free_port()
        addresses = ("--listen", "unix:/data/writer.sock", "--http", f"127.0.0.1:{port}")
        with program.start(*log, "writer", *addresses) as writer:
            try:
                receipt = _send(port, {"command": "list_game", "game": "acme.wheel", "name": "W"})
            finally:
                os.kill(_inside(writer.pid), signal.SIGTERM)  # buildah does not hand it on
            if writer.wait(SECONDS_MAX):
                raise RuntimeError(f"the writer ended with {writer.returncode}")
        _require("is whole", program(*log, "log", "verify"))
    return f"writer of the image on three brokers: {receipt['events']} is recorded and verified"


def _send(port: int, command: dict[str, str]) -> dict[str, object]:
    """Send a command, again until a writer listens and leads, as every client does."""
    with httpx.Client(timeout=SECONDS_MAX) as client:
        for _ in range(TRIES):
            try:
                answer = client.post(f"http://127.0.0.1:{port}/v1/commands", json=command)
            except httpx.TransportError:
                answer = None
            if answer is not None and answer.status_code != HTTPStatus.SERVICE_UNAVAILABLE:
                found: dict[str, object] = answer.raise_for_status().json()
                return found
            time.sleep(1)
    raise RuntimeError("the writer of the image took no command")


class _Buildah:
    """Buildah with images and containers in a folder that is deleted afterwards."""

    def __init__(self, folder: Path) -> None:
        places = ("--root", str(folder / "images"), "--runroot", str(folder / "run"))
        self.command = ("buildah", *places, "--storage-driver", "vfs")

    def __call__(self, *arguments: str) -> str:
        return _run(*self.command, *arguments)


class _Program:
    """The program in a container, with a data directory of this machine."""

    def __init__(self, buildah: _Buildah, container: str, folder: Path) -> None:
        data = folder / "data"
        data.mkdir(mode=0o700)
        os.chown(data, USER, USER)
        places = ("--isolation", "chroot", "--user", str(USER), "--volume", f"{data}:/data")
        entry = ("--env", "GAMELEDGER_DATA=/data/chain", container, "--", "gameledger")
        self._command = (*buildah.command, "run", *places, *entry)

    def __call__(self, *arguments: str) -> str:
        return _run(*self._command, *arguments)

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen((*self._command, *arguments))  # noqa: S603 - our own image


def _inside(pid: int) -> int:
    """Return the process of the program, below that of buildah."""
    while not Path(f"/proc/{pid}/exe").resolve().name.startswith("python"):
        tasks = Path(f"/proc/{pid}/task").iterdir()
        pid = int(" ".join((task / "children").read_text() for task in tasks).split()[0])
    return pid


def _require(part: str, text: str) -> None:
    if part not in text:
        raise RuntimeError(f"{part!r} is not in: {text}")


def _export(context: Path) -> None:
    """Write what is committed, and the commit, as a build from a clone has it."""
    context.mkdir()
    archive = subprocess.run(  # noqa: S603 - fixed arguments
        ("git", "-C", str(ROOT), "archive", "HEAD"),  # noqa: S607 - of the machine
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    subprocess.run(("tar", "-x", "-C", str(context)), input=archive, check=True)  # noqa: S603, S607
    commit = _run("git", "-C", str(ROOT), "rev-parse", "HEAD")
    (context / "ledger" / "core" / "commit.txt").write_text(commit, encoding="ascii")


def _run(*command: str) -> str:
    done = subprocess.run(  # noqa: S603 - commands of this module
        command, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.returncode}\n{done.stderr[-4000:]}")
    return done.stdout


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


if __name__ == "__main__":
    sys.exit(main())
