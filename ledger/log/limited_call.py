"""Call a function in a separate process with bounded memory and time.

What comes in: a function of a module and its arguments, such as a file from outside that a library
parses. What goes out: its return value, or the ledger error that it raises. Guaranteed: the caller
gets an answer within the bounds, whatever the arguments cause.
"""

from __future__ import annotations

import pickle
import resource
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar

from ledger.core.errors import AvailabilityError, InputError, LedgerError
from ledger.log.processes import start_process

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CallLimits", "call_with_limits"]

P = ParamSpec("P")
T = TypeVar("T")


class CallLimits(NamedTuple):
    """Limits of a call: seconds of processor time and of elapsed time, and bytes of memory."""

    seconds: int
    memory_bytes: int


def call_with_limits(
    function: Callable[P, T], bounds: CallLimits, *arguments: P.args, **options: P.kwargs
) -> T:
    """Call a function of a module in a separate process, and return its result.

    Raises:
        InputError: the call exceeded its limit of memory or time.
        LedgerError: the error that the function raised.
        AvailabilityError: no process can be started.

    """
    try:
        process, connection = start_process(_serve)
    except OSError as error:
        raise AvailabilityError(f"no process can be started: {error}") from error
    try:
        connection.send_bytes(pickle.dumps((bounds, function, arguments, options)))
        if not connection.poll(bounds.seconds):
            raise _exceeded(bounds)
        result: T | LedgerError = pickle.loads(connection.recv_bytes())  # noqa: S301 - of our own process
    except (EOFError, OSError) as error:
        raise _exceeded(bounds) from error
    finally:
        process.kill()
        process.wait()
        connection.close()
    if isinstance(result, LedgerError):
        raise result
    return result


def _exceeded(bounds: CallLimits) -> InputError:
    return InputError(
        f"reading it takes more than {bounds.seconds} s or {bounds.memory_bytes >> 20} MiB: "
        "it is not what it should be"
    )


def _serve(end: int) -> None:
    """Answer one call at the other end of a pipe; no answer means that a limit was exceeded."""
    with Connection(end) as connection:
        bounds, function, arguments, options = pickle.loads(connection.recv_bytes())  # noqa: S301 - of our parent
        resource.setrlimit(resource.RLIMIT_AS, (bounds.memory_bytes,) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (bounds.seconds,) * 2)
        try:
            answer = function(*arguments, **options)
        except LedgerError as error:
            answer = error
        except MemoryError:
            return
        connection.send_bytes(pickle.dumps(answer))
