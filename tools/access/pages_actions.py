"""Actions on findings from a browser, in a service that was started with ``--actions``.

What comes in: the form of a signed-in reader with the right ``findings:handle``. What goes out: a
page that repeats what will be recorded, and, once that is confirmed, a command to the writer, whose
actor is the reader and whose client is this service. Refused: a form of another session or site. A
service without ``--actions`` has neither these addresses nor anything to send commands with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from ledger.decisions.decider import read_command, write_command
from ledger.decisions.findings import handling
from tools.access.access_service import require_scopes
from tools.access.pages import form_of, page, reader_of_form
from tools.access.parameters import Name
from tools.access.scopes import Scope
from tools.service.client import LedgerClient, Timeouts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.core.command import Command
    from ledger.receipts import Receipt
    from tools.service.tls import TlsFiles

__all__ = ["Writers", "router"]

Action = Literal["assign", "explain", "comment", "close", "reopen"]
TIMEOUTS = Timeouts(total=20.0)
"""Within the time that a browser waits for an answer."""

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Writers:
    """The writers that actions go to, and the certificate of this service for them."""

    addresses: tuple[str, ...]
    tls: TlsFiles | None
    token: str | None = None

    def execute(self, command: Command) -> Receipt:
        """Send a command and wait for its receipt.

        Raises:
            LedgerError: it was not decided, or its outcome is unknown.

        """
        addresses = list(self.addresses)
        with LedgerClient(addresses, tls=self.tls, token=self.token, patience=TIMEOUTS) as client:
            return client.execute(command)


@router.post("/findings/{name}/{action}")
async def act(request: Request, name: Name, action: Action) -> Response:
    """Show what will be recorded of a finding, or record what was confirmed."""
    return await run_in_threadpool(_act, request, name, action, await form_of(request))


def _act(request: Request, name: str, action: Action, form: Mapping[str, str]) -> Response:
    require_scopes(request, Scope.HANDLE)
    command = _command(name, action, form, reader_of_form(request, form).reader.name)
    if form.get("confirmed") != "yes":
        shown = {key: form.get(key, "") for key in ("text", "assignee", "evidence")}
        return page(request, "act.html", name=name, action=action, form=shown, receipt=None)
    writers: Writers = request.app.state.writers
    receipt = writers.execute(command)
    return page(request, "act.html", name=name, action=action, form={}, receipt=receipt)


def _command(name: str, action: Action, form: Mapping[str, str], reader: str) -> Command:
    common: dict[str, Any] = {"finding": name, "by": reader, "actor": reader, "source": "serve"}
    text, evidence = form.get("text", "").strip(), form.get("evidence", "").strip()
    if action == "assign":
        assignee = form.get("assignee", "").strip()
        return _checked(handling.AssignFinding(assignee=assignee, reason=text, **common))
    if action == "explain":
        return _checked(handling.ExplainFinding(explanation=text, evidence=evidence, **common))
    if action == "comment":
        return _checked(handling.CommentFinding(comment=text, evidence=evidence, **common))
    kind = handling.CloseFinding if action == "close" else handling.ReopenFinding
    return _checked(kind(reason=text, evidence=evidence, **common))


def _checked(command: Command) -> Command:
    """Return a command whose fields satisfy its type.

    Raises:
        InputError: a field is empty or too long.

    """
    return read_command(write_command(command))
