"""The program with its modules read: it waits, and forks a process of its own for each run.

Reading the modules is most of what a run of the program costs. The engine is not among them,
as it has threads: each run that needs it reads and starts its own. From the arguments to the
exit code, a run is the program's own doing, but that empty tables are copied.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self, TextIO

from tests.tools.copied_tables import CopiedStore

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
REQUEST_BYTES_MAX = 1 << 17
TABLES = "TABLES_TO_COPY"
"""Variable that names the folder of :class:`CopiedStore` to the waiting process."""
WITH_THREADS = {"_demo"}
"""Modules of commands that read libraries with threads, which a fork would lose."""
PLANS = (("sazka.roulette_evolution", "2025-01-21"),)
LIBC = ctypes.CDLL(None, use_errno=True)
PR_CAPBSET_DROP = 24
CAPABILITY_VERSION = 0x20080522
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 1, 2
READ_LATE = ("typer.rich_utils",)


class Running:
    """A run of the program, as ``subprocess.Popen`` has it; its end closes the streams."""

    stdin: BinaryIO
    stdout: BinaryIO
    stderr: BinaryIO

    def __init__(self, arguments: list[str], end: TextIO) -> None:
        self._arguments = arguments
        self._end = end
        self.pid = int(end.readline())
        self._code: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.close()

    def wait(self, seconds_max: float | None = None) -> int:
        """Wait for its end and return the exit code.

        Raises:
            subprocess.TimeoutExpired: it goes on.

        """
        if self._code is None:
            if not self._has_ended(seconds_max):
                raise subprocess.TimeoutExpired(self._arguments, seconds_max or 0)
            self._code = os.waitstatus_to_exitcode(int(self._end.readline()))
        return self._code

    def _has_ended(self, seconds_max: float | None) -> bool:
        waiting = select.poll()
        waiting.register(self._end, select.POLLIN)
        return bool(waiting.poll(None if seconds_max is None else seconds_max * 1_000))

    def send_signal(self, number: int) -> None:
        """Send a signal unless it ended."""
        if self._code is None and not self._has_ended(0):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill -9."""
        self.send_signal(signal.SIGKILL)

    def close(self) -> None:
        """Wait for its end, and close what it was given."""
        for name in ("stdin", "stdout", "stderr"):
            if name in vars(self):
                with contextlib.suppress(BrokenPipeError):
                    getattr(self, name).close()
        self.wait()
        self._end.close()


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
                env={
                    "PATH": "/usr/bin:/bin",
                    "PYTHONPATH": f"{ROOT}:{Path(__file__).parent}",
                    TABLES: str(CopiedStore.made or ""),
                },
            )

    def run(
        self,
        arguments: list[str],
        environment: dict[str, str],
        lines: bytes,
        seconds_max: float,
        *,
        obeying_modes: bool = False,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the program to its end; its streams are files."""
        with ExitStack() as stack:
            into, out, err = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(3))
            into.write(lines)
            into.seek(0)
            streams = [file.fileno() for file in (into, out, err)]
            running = stack.enter_context(
                self._begin(arguments, environment, streams, obeying_modes=obeying_modes)
            )
            try:
                code = running.wait(seconds_max)
            except subprocess.TimeoutExpired:
                running.kill()
                raise
            for file in (out, err):
                file.seek(0)
            return subprocess.CompletedProcess(arguments, code, out.read(), err.read())

    def start(self, arguments: list[str], environment: dict[str, str]) -> Running:
        """Start the program; its streams are pipes."""
        pipes = [os.pipe() for _ in range(3)]
        theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
        running = self._begin(arguments, environment, theirs)
        for file in theirs:
            os.close(file)
        running.stdin = os.fdopen(pipes[0][1], "wb")
        running.stdout = os.fdopen(pipes[1][0], "rb")
        running.stderr = os.fdopen(pipes[2][0], "rb")
        return running

    def _begin(
        self,
        arguments: list[str],
        environment: dict[str, str],
        streams: list[int],
        *,
        obeying_modes: bool = False,
    ) -> Running:
        end, told = os.pipe()
        request = json.dumps([arguments, environment, obeying_modes]).encode()
        socket.send_fds(self._line, [request], [*streams, told])
        os.close(told)
        return Running(arguments, os.fdopen(end))

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
    arguments, environment, is_obeying_modes = json.loads(request)
    if is_obeying_modes:
        _obey_modes()
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


def _obey_modes() -> None:
    """Drop the capabilities of root that stand above modes, here and in what is started here."""
    if os.geteuid() != 0:
        return
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    held = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; the same of the upper half
    done = [LIBC.capget(header, held)]
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        done.append(LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0))
        for at in range(3):
            held[at] &= ~(1 << capability)
    done.append(LIBC.capset(header, held))
    if any(done):
        raise OSError(ctypes.get_errno(), "capabilities")


def _leave(program: Callable[[], None]) -> None:
    """Run the program, and end without taking its modules apart: that costs more than most runs."""
    code: Any = 0
    try:
        program()
    except SystemExit as end:
        code = end.code
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code or 0)


def main() -> None:
    """Read the modules, wait, and be the program."""
    from ledger import games  # noqa: PLC0415 - not needed by who asks
    from tools.cli import _app  # noqa: PLC0415 - the same
    from tools.data import tables  # noqa: PLC0415 - the same

    if os.environ[TABLES]:
        CopiedStore.made = Path(os.environ[TABLES])
        tables.Store = CopiedStore  # type: ignore[misc]

    commands = {entry.function.partition(":")[0] for entry in _app.COMMANDS.values()} - WITH_THREADS
    for module in (*READ_LATE, *(f"tools.cli.{command}" for command in commands)):
        import_module(module)
    for name, version in PLANS:
        games.plan(name, version)
    gc.freeze()  # what all runs share stays shared
    _await_run(socket.socket(fileno=int(sys.argv[1])))
    _leave(_app.main)


if __name__ == "__main__":
    main()
