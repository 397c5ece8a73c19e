"""What the writer takes in and gives out: a task for each command, a receipt for each decision."""

from __future__ import annotations

from concurrent.futures import Future

from msgspec import Struct

from ledger.core.command import Command
from ledger.core.errors import AvailabilityError
from ledger.core.refusals import Refusal

__all__ = ["Answer", "Receipt", "Task", "require_stored"]


class Receipt(Struct, frozen=True, gc=False):
    """Proof that a command was decided and its events are in the chain.

    ``hash`` is that of the last event, hexadecimal; ``refused`` is set for a refusal, which
    is recorded like any other decision.
    """

    chain: str
    command_id: str
    first_position: int
    last_position: int
    hash: str
    recorded_at: int
    events: tuple[str, ...]
    refused: Refusal | None = None


class Answer(Future[Receipt]):
    """What a command will get: who stops to wait for it does not take the command back."""

    def cancel(self) -> bool:
        """Do nothing; the command is decided."""
        return False


class Task(Struct, frozen=True):
    """A command that is to be decided; see :meth:`ledger.writer.Ledger.submit`.

    An error that answers it holds the frames in which it was decided, and those hold the task: a
    circle, which the collector of garbage has to see.
    """

    command: Command
    identifier: bytes
    digest: bytes
    moment: int
    answer: Answer
    after: Future[Receipt] | None


def require_stored(earlier: Future[Receipt] | None) -> None:
    """Refuse what comes after a command that could not be stored.

    Raises:
        AvailabilityError: it could not; both are safe to send again.

    """
    if (
        earlier is not None
        and earlier.done()
        and isinstance(earlier.exception(), AvailabilityError)
    ):
        raise AvailabilityError("a command before it could not be stored: send both again")
