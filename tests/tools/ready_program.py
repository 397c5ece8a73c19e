"""The program with its modules read: it waits, and forks a process of its own for each run.

Reading the modules is most of what a run of the program costs. The engine is not among them,
as it has threads: each run that needs it reads and starts its own. From the arguments to the
exit code, a run is the program's own doing.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
REQUEST_BYTES_MAX = 1 << 17
WITH_THREADS = {"_demo"}
"""Modules of commands that read libraries with threads, which a fork would lose."""
PLANS = (("sazka.roulette_evolution", "2025-01-21"),)
READ_LATE = ("typer._adapters", "typer.rich_utils")


class ReadyProgram:
    """One waiting process; any number of runs, side by side too."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-P", __file__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                cwd=ROOT,
                env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
            )

    def run(
        self, arguments: list[str], environment: dict[str, str], lines: bytes, seconds_max: float
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the program; its streams are files."""
        with ExitStack() as stack:
            into, out, err = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(3))
            into.write(lines)
            into.seek(0)
            end, told = (os.fdopen(file, mode) for file, mode in zip(os.pipe(), "rw", strict=True))
            stack.enter_context(end)
            with told:
                request = json.dumps([arguments, environment]).encode()
                streams = [into.fileno(), out.fileno(), err.fileno(), told.fileno()]
                socket.send_fds(self._line, [request], streams)
            pid = int(end.readline())
            if not select.select([end], [], [], seconds_max)[0]:
                os.kill(pid, signal.SIGKILL)
                raise subprocess.TimeoutExpired(arguments, seconds_max)
            code = os.waitstatus_to_exitcode(int(end.readline()))
            for file in (out, err):
                file.seek(0)
            return subprocess.CompletedProcess(arguments, code, out.read(), err.read())

    def close(self) -> None:
        """End the waiting process."""
        self._line.close()
        self._process.wait()


@cache
def ready_program() -> ReadyProgram:
    """Return the one of this process."""
    program = ReadyProgram()
    atexit.register(program.close)
    return program


def _await_run(line: socket.socket) -> None:
    """Return in the process of a run, once for each; end with who asks."""
    watching = 0
    while True:
        request, files, _, _ = socket.recv_fds(line, REQUEST_BYTES_MAX, 4)
        while watching and os.waitpid(-1, os.WNOHANG if request else 0)[0]:
            watching -= 1
        if not request:
            os._exit(0)
        if os.fork() == 0:
            line.close()
            _become_or_watch(files)
            break
        watching += 1
        for file in files:
            os.close(file)
    arguments, environment = json.loads(request)
    sys.argv[1:] = arguments
    os.environ.clear()
    os.environ.update(environment)


def _become_or_watch(files: list[int]) -> None:
    """Return in the process of the run; its parent waits for it and tells how it ended."""
    *streams, told = files
    pid = os.fork()
    if pid:
        os.write(told, b"%d\n" % pid)
        os.write(told, b"%d\n" % os.waitpid(pid, 0)[1])
        os._exit(0)
    for number, file in enumerate(streams):
        os.dup2(file, number)
    for file in files:
        os.close(file)


def main() -> None:
    """Read the modules, wait, and be the program."""
    from ledger import games  # noqa: PLC0415 - not needed by who asks
    from tools.cli import _app  # noqa: PLC0415 - the same

    commands = {entry.function.partition(":")[0] for entry in _app.COMMANDS.values()} - WITH_THREADS
    for module in (*READ_LATE, *(f"tools.cli.{command}" for command in commands)):
        import_module(module)
    for name, version in PLANS:
        games.plan(name, version)
    gc.freeze()  # what all runs share stays shared
    _await_run(socket.socket(fileno=int(sys.argv[1])))
    _app.main()


if __name__ == "__main__":
    main()
