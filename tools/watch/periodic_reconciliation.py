"""The slower beat of the watch: a reconciliation of the whole history, again and again.

What comes in: how to ask for one, and how long to rest between two. What goes out: what each found,
once. It runs in a process of its own, so that its memory ends with it and the watch itself, which
tells at once what it can, waits for nothing.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.core.decoders import decoder_of
from projections.reconciliation.reconcile import Reconciliation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType
    from typing import Self

__all__ = ["RECONCILE", "PeriodicReconciliation"]

RECONCILE = (sys.executable, "-m", "tools.cli", "reconcile", "--since", "last", "--json")
"""What is asked: all findings, sooner where the night recorded a run."""
ANSWERS = {0, 1}


class PeriodicReconciliation:
    """Reconciles in a thread of its own, until the end of its block.

    Args:
        program: prints a reconciliation as JSON.
        seconds: rest between two.
        failed: gets the reason of each failed run; the next is tried all the same.
        environment: variables of the program, which name the chain; by default our own.

    """

    def __init__(
        self,
        program: Sequence[str],
        seconds: float,
        *,
        failed: Callable[[str], Any],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Do nothing yet."""
        self._program, self._seconds, self._failed = program, seconds, failed
        self._environment = environment
        self._over = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._found: Reconciliation | None = None
        self._thread = threading.Thread(target=self._run, name="beat")

    def __enter__(self) -> Self:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        """End; what is being reconciled is given up."""
        self._over.set()
        if self._process is not None:
            self._process.terminate()
        self._thread.join()

    def take(self) -> Reconciliation | None:
        """Return what was found since it was asked for last."""
        found, self._found = self._found, None
        return found

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                self._found = self._reconciled()
            except (OSError, ChildProcessError, msgspec.DecodeError) as error:
                if not self._over.is_set():
                    self._failed(str(error))
            self._over.wait(self._seconds)

    def _reconciled(self) -> Reconciliation:
        self._process = process = subprocess.Popen(  # noqa: S603 - our own program
            self._program,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environment,
        )
        if self._over.is_set():
            process.terminate()
        answer, said = process.communicate()
        if process.returncode not in ANSWERS:
            raise ChildProcessError(said.decode(errors="replace").strip() or "it was ended")
        return decoder_of(Reconciliation).json(answer)
