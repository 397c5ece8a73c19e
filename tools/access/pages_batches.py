"""Findings recorded by a button, several assigned at once, and deputies, with ``--actions``.

What comes in: the form of a signed-in reader with the right ``findings:handle``. What goes out: a
page that repeats what will be recorded; and, once that is confirmed, commands to the writer, whose
actor is the reader. What the service found and no run recorded is recorded before it is assigned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4, uuid5

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from ledger.core.clock import in_prague
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.decisions.findings.deputies import NameDeputy
from ledger.decisions.findings.handling import AssignFinding, NoteFindings
from ledger.log.port import Query, events_at
from tools.access.access_service import require_scopes, service_of
from tools.access.api_findings import PAGE
from tools.access.commands_of_forms import checked, identifier, noting
from tools.access.pages import form_of, page, reader_of_form
from tools.access.scopes import Scope
from tools.data.finding_records import (
    not_recorded,
    record_findings,
    recorded_findings,
    recording,
)
from tools.data.moments import day
from tools.web.problems import reason_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.events.command import Command
    from tools.access.access_service import AccessService
    from tools.access.pages_actions import Writers

__all__ = ["router"]

CHOSEN = "finding-"
"""Begin of the name of a field by which a finding is chosen; the rest is the finding's name.

Its value is what the list showed of it: the fingerprint of its facts, a space and the assignee.
"""
FIELDS_MAX = PAGE + 10
DEPUTY_FIELDS = ("person", "deputy", "first_day", "last_day", "text")

router = APIRouter()


class _Outcome(NamedTuple):
    """A finding of several: where the step is recorded, or why it is not."""

    finding: str
    position: int | None
    error: str | Phrase = ""


@router.post("/findings/record")
async def record_found(request: Request) -> Response:
    """Show how many findings of the last examination are new or gone; record what was confirmed."""
    return await run_in_threadpool(_record_found, request, await form_of(request))


def _record_found(request: Request, form: Mapping[str, str]) -> Response:
    require_scopes(request, Scope.HANDLE)
    reader = reader_of_form(request, form).reader.name
    service = service_of(request)
    writers: Writers = request.app.state.writers
    is_confirmed, rejected = form.get("confirmed") == "yes", 0
    with writers.recording:
        commands = _recording(service, reader)
        notes = [one for one in commands if isinstance(one, NoteFindings)]
        counts = sum(len(one.raised) for one in notes), sum(len(one.gone) for one in notes)
        if is_confirmed and any(counts):
            with writers.open() as ledger:
                left = record_findings(ledger, commands)
            rejected = len(not_recorded(service.sources.log, left))
    return page(
        request, "record_found.html", counts=counts, is_done=is_confirmed, rejected=rejected
    )


def _recording(service: AccessService, reader: str) -> list[Command]:
    """Return the commands that record the last examination, as a run after the last recorded one.

    What is recorded is read from the log: the tables may lack what another person just recorded.

    Raises:
        InputError: nothing was examined yet, or less than by the last recorded run.

    """
    found, log = service.examiner.last, service.sources.log
    runs = log.find(Query(types=("ReconciliationConcluded",)), limit=1, backwards=True)
    untils = [getattr(one.event, "until", 0) for one in events_at(log, runs)]
    since = max(untils, default=0)
    if found is None or found.position < since:
        raise InputError(Phrase("EXAMINATION_RUNNING"))
    known = recorded_findings(log)
    return list(recording(found, known, since=since, actor=reader, source="serve"))


@router.post("/findings/several")
async def act_on_several(request: Request) -> Response:
    """Show which findings will be assigned and to whom, or record what was confirmed."""
    form = await form_of(request, fields_max=FIELDS_MAX)
    return await run_in_threadpool(_act_on_several, request, form)


def _act_on_several(request: Request, form: Mapping[str, str]) -> Response:
    require_scopes(request, Scope.HANDLE)
    reader = reader_of_form(request, form).reader.name
    names = {
        field.removeprefix(CHOSEN): seen for field, seen in form.items() if field.startswith(CHOSEN)
    }
    if not names:
        raise InputError(Phrase("FINDINGS_NOT_CHOSEN"))
    assignee = form.get("assignee", "").strip() or reader
    reason, command_id = form.get("text", "").strip(), identifier(form.get("command_id", ""))
    by: dict[str, Any] = {"by": reader, "actor": reader, "source": "serve"}
    commands = [
        checked(
            AssignFinding(
                finding=name,
                assignee=assignee,
                reason=reason,
                command_id=command_id and uuid5(command_id, name),
                **_as_seen(seen),
                **by,
            )
        )
        for name, seen in names.items()
    ]
    outcomes: list[_Outcome] = []
    if command_id is not None:
        writers: Writers = request.app.state.writers
        with writers.open() as ledger:
            for noted in noting(service_of(request), names, reader):
                ledger.execute(noted)
            for name, command in zip(names, commands, strict=True):
                try:
                    outcomes.append(_Outcome(name, ledger.execute(command).last_position))
                except InputError as error:
                    outcomes.append(_Outcome(name, None, reason_of(error)))
    values: dict[str, Any] = {"names": names, "assignee": assignee, "reason": reason}
    return page(request, "several.html", outcomes=outcomes, new_id=str(uuid4()), **values)


def _as_seen(text: str) -> dict[str, Any]:
    """Return facts and assignee of a chosen finding as the list showed them."""
    fingerprint, separator, previous = text.partition(" ")
    return {"fingerprint": fingerprint, "previous": previous} if separator else {}


@router.post("/deputies")
async def name_a_deputy(request: Request) -> Response:
    """Show who will stand in for whom, or record what was confirmed."""
    return await run_in_threadpool(_name_a_deputy, request, await form_of(request))


def _name_a_deputy(request: Request, form: Mapping[str, str]) -> Response:
    require_scopes(request, Scope.HANDLE)
    reader = reader_of_form(request, form).reader.name
    shown = {name: form.get(name, "").strip() for name in DEPUTY_FIELDS}
    first, last = (in_prague(day(shown[name]).begins).date() for name in ("first_day", "last_day"))
    command = checked(
        NameDeputy(
            absent=shown["person"],
            deputy=shown["deputy"],
            first_day=first,
            last_day=last,
            reason=shown["text"],
            by=reader,
            actor=reader,
            source="serve",
            command_id=identifier(form.get("command_id", "")),
        )
    )
    if command.command_id is None:
        shown["command_id"] = str(uuid4())
        return page(request, "deputy.html", form=shown, receipt=None)
    writers: Writers = request.app.state.writers
    return page(request, "deputy.html", form={}, receipt=writers.execute(command))
