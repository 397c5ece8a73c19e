"""Types of the writer's input and output: one task per command, one receipt per decision."""

from __future__ import annotations

from concurrent.futures import Future

from msgspec import Struct

from ledger.core.errors import AvailabilityError
from ledger.core.refusals import Refusal
from ledger.events.command import Command

__all__ = ["CommandTask", "Receipt", "ReceiptFuture", "require_stored"]


ERASING = frozenset({"PersonErased", "PeriodKeyDestroyed"})


class Receipt(Struct, frozen=True, gc=False):
    """Confirmation that a command was decided and its events are in the chain.

    ``hash`` is the hash of the last event, in hexadecimal; ``recorded_at`` is in microseconds.
    ``refused`` is None unless the rules refused the command; a refusal is recorded like any other
    decision.
    """

    chain: str
    command_id: str
    first_position: int
    last_position: int
    hash: str
    recorded_at: int
    events: tuple[str, ...]
    refused: Refusal | None = None

    @property
    def destroys_a_key(self) -> bool:
        """Whether the key of a person or of a month is destroyed after this decision is stored."""
        return not ERASING.isdisjoint(self.events)


class ReceiptFuture(Future[Receipt]):
    """Future of a command's receipt. Cancelling the wait does not cancel the command."""

    def cancel(self) -> bool:
        """Return False and change nothing: the command will be decided in any case."""
        return False


class CommandTask(Struct, frozen=True):
    """A command to be decided; see :meth:`ledger.writer.Ledger.submit`.

    If the answer is an error, the error holds the stack frames of the decision, and these hold the
    task. This is a reference cycle, so the garbage collector must track tasks.
    """

    command: Command
    identifier: bytes
    digest: bytes
    moment: int
    answer: ReceiptFuture
    after: Future[Receipt] | None


def require_stored(earlier: Future[Receipt] | None) -> None:
    """Reject a command whose predecessor could not be stored.

    Raises:
        AvailabilityError: the predecessor was not stored; both are safe to send again.

    """
    if (
        earlier is not None
        and earlier.done()
        and isinstance(earlier.exception(), AvailabilityError)
    ):
        raise AvailabilityError("a command before it could not be stored: send both again")
