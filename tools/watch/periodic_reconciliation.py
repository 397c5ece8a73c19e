"""Reconcile the whole history periodically, for findings that the live watch can't see.

Input: the command that reconciles, and the pause between two runs. Output: the findings of each
run, once. The command runs in its own process, so that its memory is released with it and the watch
itself is not delayed.
"""

from __future__ import annotations

import subprocess
import threading
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.core.decoders import decoder_of
from ledger.log.processes import module_command
from projections.reconciliation.reconcile import Reconciliation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType
    from typing import Self

__all__ = ["RECONCILE", "PeriodicReconciliation"]

RECONCILE = tuple(module_command("tools.cli", "reconcile", "--since", "last", "--json"))
"""What is asked: all findings, sooner where the night recorded a run."""
ANSWERS = {0, 1}


class PeriodicReconciliation:
    """Run reconciliations in a thread until the end of the block.

    Args:
        program: prints a reconciliation as JSON.
        seconds: pause between two runs.
        failed: called with the reason of each failed run; the next run follows all the same.
        environment: variables of the program, which name the chain; by default those of this
            process.

    """

    def __init__(
        self,
        program: Sequence[str],
        seconds: float,
        *,
        failed: Callable[[str], Any],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Prepare without starting."""
        self._program, self._seconds, self._failed = program, seconds, failed
        self._environment = environment
        self._over = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._found: Reconciliation | None = None
        self._thread = threading.Thread(target=self._run, name="beat")

    def __enter__(self) -> Self:
        """Start."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        """Stop; a running reconciliation is abandoned."""
        self._over.set()
        if self._process is not None:
            self._process.terminate()
        self._thread.join()

    def take(self) -> Reconciliation | None:
        """Return the latest run's findings; None if no run has ended since the last call."""
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
