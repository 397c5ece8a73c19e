"""Actions from a browser, in a service that was started with ``--actions``.

What comes in: the form of a signed-in reader with the right ``findings:handle`` or, of a second
person for a write-off, ``write-offs:confirm``; or a statement's file of one with
``statements:import``. What goes out: a page that repeats what will be recorded,
or all faults of the file; and, once that is confirmed, commands to the writer, whose actor is the
reader and whose client is this service. Refused: a form of another session or site. A service
without ``--actions`` has neither these addresses nor anything to send commands with.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from http import HTTPStatus
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from uuid import uuid4

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from ledger.core.clock import in_prague
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.decisions.findings import handling, write_offs
from tools.access.access_service import require_scopes, service_of
from tools.access.commands_of_forms import checked, identifier, noting
from tools.access.pages import form_of, page, reader_of_form
from tools.access.parameters import Name
from tools.access.scopes import Scope
from tools.access.uploads import UPLOAD_BYTES_MAX, Uploads, fields_and_file
from tools.data.moments import day
from tools.data.notation import haler
from tools.service.client import LedgerClient, Timeouts
from tools.statements.comparing import changed_lines
from tools.statements.fetching import Fetching, fetch_statements
from tools.statements.importing import check, import_file, recorded_statements
from tools.statements.issuer import read_issuer
from tools.statements.parts import RowFaultsError
from tools.statements.reading import ReadRequest
from tools.statements.sources import read_sources
from tools.web.problems import reason_of
from tools.web.serving import read_body

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager
    from datetime import date
    from pathlib import Path

    from ledger.events.command import Command
    from ledger.receipts import Receipt
    from tools.access.uploads import Upload
    from tools.service.tls import TlsFiles
    from tools.statements.comparing import LineChanges
    from tools.statements.importing import CheckedFile, RecordedStatement

__all__ = ["IMPORT", "Writers", "router"]

IMPORT = "/statements/import"
"""Where a statement's file is sent to."""
FETCH = "/statements/fetch"
"""Where the form is sent to by which statements are fetched from their sources."""

Action = Literal[
    "assign", "explain", "comment", "close", "reopen",
    "write_off", "reverse", "confirm", "decline",
]  # fmt: skip
OF_SECOND_PERSON = frozenset({"confirm", "decline"})
OF_FACTS = frozenset({"assign", "explain", "close", "write_off"})
"""Actions that are rejected where the finding has other facts than the reader saw."""
SHOWN = ("text", "assignee", "evidence", "assessment", "amount", "write_off")
"""Fields of the form of an action."""
SEEN = ("fingerprint", "previous")
"""Fields with what the reader saw of the finding: the facts, and who looked after it."""
_Judged = TypeVar("_Judged")
TIMEOUTS = Timeouts(total=20.0)
"""Within the time that a browser waits for an answer."""

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Writers:
    """The writers that actions go to, and the certificate of this service for them.

    ``issuers`` is the folder of the issuers whose statements may be uploaded, ``sources`` the file
    that names where statements are fetched from.
    """

    addresses: tuple[str, ...]
    tls: TlsFiles | None
    token: str | None = None
    issuers: Path | None = None
    sources: Path | None = None
    uploads: Uploads = field(default_factory=Uploads)
    recording: AbstractContextManager[object] = field(default_factory=Lock)
    """Held while an examination is recorded: a form sent twice records it once."""

    def issuer_names(self) -> list[str]:
        """Return the names of the issuers whose statements can be imported."""
        return sorted(file.stem for file in self.issuers.glob("*.toml")) if self.issuers else []

    def has_sources(self) -> bool:
        """Return whether statements can be fetched."""
        return self.sources is not None and self.sources.is_file()

    def open(self) -> LedgerClient:
        """Open what takes commands."""
        addresses = list(self.addresses)
        return LedgerClient(addresses, tls=self.tls, token=self.token, patience=TIMEOUTS)

    def execute(self, command: Command) -> Receipt:
        """Send a command and wait for its receipt.

        Raises:
            LedgerError: it was not decided, or its outcome is unknown.

        """
        with self.open() as client:
            return client.execute(command)


@router.post("/findings/{name}/{action}")
async def act(request: Request, name: Name, action: Action) -> Response:
    """Show what will be recorded of a finding, or record what was confirmed.

    What is shown for confirmation has the identifier of its command: sent twice, it is recorded
    once.
    """
    return await run_in_threadpool(_act, request, name, action, await form_of(request))


def _act(request: Request, name: str, action: Action, form: Mapping[str, str]) -> Response:
    require_scopes(request, Scope.CONFIRM if action in OF_SECOND_PERSON else Scope.HANDLE)
    command = _command(name, action, form, reader_of_form(request, form).reader.name)
    if not command.command_id:
        shown = {key: form.get(key, "") for key in SHOWN}
        shown |= {key: form[key] for key in SEEN if key in form}
        shown["command_id"] = str(uuid4())
        return page(request, "act.html", name=name, action=action, form=shown, receipt=None)
    writers: Writers = request.app.state.writers
    for noted in noting(service_of(request), [name], command.actor):
        writers.execute(noted)
    receipt = writers.execute(command)
    return page(request, "act.html", name=name, action=action, form={}, receipt=receipt)


def _command(name: str, action: Action, form: Mapping[str, str], reader: str) -> Command:
    common: dict[str, Any] = {"finding": name, "by": reader, "actor": reader, "source": "serve"}
    common["command_id"] = identifier(form.get("command_id", ""))
    text, evidence = form.get("text", "").strip(), form.get("evidence", "").strip()
    if action == "comment":
        return checked(handling.CommentFinding(comment=text, evidence=evidence, **common))
    if action == "reopen":
        return checked(handling.ReopenFinding(reason=text, evidence=evidence, **common))
    if action in OF_FACTS:
        common["fingerprint"] = form.get("fingerprint", "")
    if action == "assign":
        common |= {"assignee": form.get("assignee", "").strip(), "previous": form.get("previous")}
        return checked(handling.AssignFinding(reason=text, **common))
    if action == "explain":
        return checked(handling.ExplainFinding(explanation=text, evidence=evidence, **common))
    if action == "close":
        common["assessment"] = form.get("assessment", "")
        return checked(handling.CloseFinding(reason=text, evidence=evidence, **common))
    return _of_write_off(action, form, common)


def _of_write_off(action: Action, form: Mapping[str, str], common: dict[str, Any]) -> Command:
    text, evidence = form.get("text", "").strip(), form.get("evidence", "").strip()
    if action == "write_off":
        amount = haler(form.get("amount", ""))
        return checked(
            write_offs.ProposeWriteOff(amount=amount, reason=text, evidence=evidence, **common)
        )
    finding = common.pop("finding")
    name = form.get("write_off", "")
    if name.partition("-")[0] != finding:
        raise InputError(Phrase("FORM_NOT_OURS"))
    if action == "reverse":
        return checked(
            write_offs.ProposeReversal(write_off=name, reason=text, evidence=evidence, **common)
        )
    if action == "confirm":
        return checked(write_offs.ConfirmWriteOff(write_off=name, comment=text, **common))
    return checked(write_offs.DeclineWriteOff(write_off=name, reason=text, **common))


@router.post(IMPORT)
async def import_statement(request: Request) -> Response:
    """Show what the file of a statement would import, or all its faults; import what is confirmed.

    The body is read once the reader is known to have the right.
    """
    await run_in_threadpool(require_scopes, request, Scope.IMPORT)
    kind = request.headers.get("Content-Type", "")
    if kind.startswith("multipart/form-data"):
        writers: Writers = request.app.state.writers
        with writers.uploads.reading():
            body = await read_body(request, bytes_max=UPLOAD_BYTES_MAX)
            return await run_in_threadpool(_check_upload, request, kind, body)
    return await run_in_threadpool(_import_upload, request, await form_of(request))


def _check_upload(request: Request, kind: str, body: bytes) -> Response:
    upload = fields_and_file(kind, body)
    visitor = reader_of_form(request, upload.fields)
    writers: Writers = request.app.state.writers
    name, judged, changes = "", None, None
    faults: tuple[str | Phrase, ...] = ()

    def judge(
        asked: ReadRequest, before: list[RecordedStatement]
    ) -> tuple[CheckedFile, LineChanges | None]:
        judged = check(asked, before)
        log = service_of(request).sources.log
        return judged, changed_lines(judged, log) if judged.supersedes else None

    try:
        judged, changes = _with_file(request, upload, visitor.reader.name, judge)
        shown = upload._replace(supersedes=judged.supersedes)
        name = writers.uploads.keep(upload.fields["form_token"], shown)
    except RowFaultsError as error:
        faults = error.faults
    except InputError as error:
        faults = (reason_of(error),)
    status = HTTPStatus.BAD_REQUEST if judged is None else HTTPStatus.OK
    values: dict[str, Any] = {"upload": upload, "name": name, "judged": judged, "faults": faults}
    return page(request, "import.html", status=status, is_done=False, changes=changes, **values)


def _import_upload(request: Request, form: Mapping[str, str]) -> Response:
    visitor = reader_of_form(request, form)
    writers: Writers = request.app.state.writers
    session, name = form["form_token"], form.get("upload", "")
    upload = writers.uploads.of(session, name)

    def imported(asked: ReadRequest, before: list[RecordedStatement]) -> CheckedFile:
        return import_file(asked, before, writers.open, supersedes=upload.supersedes)

    judged = _with_file(request, upload, visitor.reader.name, imported)
    writers.uploads.drop(session, name)
    values: dict[str, Any] = {"upload": upload, "name": name, "judged": judged, "faults": ()}
    return page(request, "import.html", is_done=True, changes=None, **values)


@router.post(FETCH)
async def fetch_statements_now(request: Request) -> Response:
    """Fetch the statements of all sources, import each new file, and show a row for each.

    Sent twice, each file is imported once.
    """
    return await run_in_threadpool(_fetch_now, request, await form_of(request))


def _fetch_now(request: Request, form: Mapping[str, str]) -> Response:
    require_scopes(request, Scope.IMPORT)
    reader = reader_of_form(request, form).reader.name
    writers: Writers = request.app.state.writers
    if writers.issuers is None or writers.sources is None:
        raise InputError(Phrase("NO_SOURCES"))
    log = service_of(request).sources.log
    run = Fetching(
        issuers=writers.issuers,
        recorded=lambda: recorded_statements(log),
        open_ledger=writers.open,
        actor=reader,
        sent_by="serve",
    )
    with writers.uploads.reading():
        rows = list(fetch_statements(read_sources(writers.sources), run))
    return page(request, "fetched.html", rows=rows)


def _with_file(
    request: Request,
    upload: Upload,
    reader: str,
    judge: Callable[[ReadRequest, list[RecordedStatement]], _Judged],
) -> _Judged:
    """Judge an upload against the statements of the chain.

    Raises:
        InputError: it can't be imported, and why.

    """
    folder, fields = request.app.state.writers.issuers, upload.fields
    name = fields.get("issuer", "")
    with upload.as_file() as path:
        asked = ReadRequest(
            path,
            name,
            read_issuer(folder, name),
            fields.get("reason", "").strip(),
            _day(fields.get("first_day", "")),
            _day(fields.get("last_day", "")),
            actor=reader,
            source="serve",
        )
        return judge(asked, recorded_statements(service_of(request).sources.log))


def _day(text: str) -> date | None:
    return in_prague(day(text).begins).date() if text else None
