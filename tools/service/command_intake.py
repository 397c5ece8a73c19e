"""Pass the commands of authenticated clients to the ledger; used by every listener of a writer.

Input: an admitted client and its lines. Output: one answer for each line. Guaranteed: a command
that no role of the client allows is not decided; the recorded source names the client; an internal
error is answered, too, and stops no other client; a fenced or damaged ledger ends the service.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.core.errors import AuthorizationError, FencedError, IntegrityError
from ledger.events.command import name_of
from tools.sanitize import warn
from tools.service.lines import Line, await_answer, begin

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from uuid import UUID

    from opentelemetry.context import Context

    from ledger.events.command import Command
    from ledger.writer import Ledger, Receipt
    from tools.service.authentication import Client, ClientAuthenticator
    from tools.service.leader_health import LeaderHealth
    from tools.service.limits import Limits
    from tools.service.metrics import Metrics
    from tools.service.stop import Stop
    from tools.service.tracing import Tracing

__all__ = ["CommandIntake", "Service"]


@dataclass(frozen=True, slots=True)
class Service:
    """State shared by all listeners of a writer while it leads."""

    ledger: Ledger
    authenticator: ClientAuthenticator
    limits: Limits
    stop: Stop
    turned_away: Callable[[str, str], None]
    """Is told of each client or command that was refused: whose, and why in a word."""
    metrics: Metrics
    tracing: Tracing
    health: LeaderHealth


class CommandIntake:
    """Intake of one client's commands into the ledger."""

    def __init__(
        self,
        service: Service,
        client: Client,
        within: Context | None = None,
        after: Future[Receipt] | None = None,
    ) -> None:
        """Connect a client to the ledger.

        Args:
            service: the leading writer.
            client: the client whose commands are submitted.
            within: tracing span to which the commands belong.
            after: precondition of the commands; see :meth:`Ledger.submit`.

        """
        self._service, self._client, self._within = service, client, within
        self._after = after

    def begin(self, number: int, text: bytes | None, command_id: UUID | None = None) -> Line:
        """Put a line into the ledger's queue; the answer to an invalid line is its error."""
        begun_at = perf_counter()
        try:
            return Line(number, begin(self, text, command_id), begun_at)
        except Exception as error:  # noqa: BLE001 - a bug of ours: the others are served on
            return Line(number, _fault(error), begun_at)

    def answer(self, line: Line) -> dict[str, Any]:
        """Wait for the receipt of a line and return its answer."""
        answer = self._answer(line)
        self._service.metrics.answered(answer, perf_counter() - line.begun_at)
        self._service.health.answered(answer)
        return answer

    def submit(self, command: Command) -> Future[Receipt]:
        """Submit a command whose source begins with the client's name.

        Raises:
            AuthorizationError: no role of the client allows the command.

        """
        client = self._client
        if client.commands is not None:
            if name_of(command) not in client.commands:
                self._service.turned_away(client.name, "command")
                raise AuthorizationError(
                    f"{client.name} may not send {name_of(command)}: its roles on the writer's "
                    "list of clients do not allow it"
                )
            if command.source != client.name and not command.source.startswith(f"{client.name}/"):
                source = f"{client.name}/{command.source}" if command.source else client.name
                command = msgspec.structs.replace(command, source=source)
        answer = self._service.ledger.submit(command, after=self._after)
        self._service.tracing.decided(command, self._within, answer)
        return answer

    def _answer(self, line: Line) -> dict[str, Any]:
        try:
            answer = await_answer(line)
        except Exception as error:  # noqa: BLE001 - a bug of ours: the others are served on
            return {"line": line.number, **_fault(error)}
        if not isinstance(line.answer, dict):
            cause = line.answer.exception()
            if isinstance(cause, FencedError | IntegrityError):
                self._service.stop(cause)
        return answer


def _fault(error: Exception) -> dict[str, Any]:
    warn(f"a command failed: {error!r}")
    return {"status": "error", "kind": "error", "text": str(error)}
