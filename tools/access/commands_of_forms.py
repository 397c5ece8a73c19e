"""Commands from the forms of a page: identifiers, checks, and findings that no run recorded yet."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.decisions.decider import decode_command, encode_command
from ledger.decisions.findings.handling import NoteFindings
from tools.data.finding_records import is_news, raised_finding, recorded_findings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.events.command import Command
    from tools.access.access_service import AccessService

__all__ = ["checked", "identifier", "noting"]


def identifier(text: str) -> UUID | None:
    """Return the identifier of a confirmed command; None for a form that is not confirmed yet.

    Raises:
        InputError: the text is none.

    """
    try:
        return UUID(text) if text else None
    except ValueError as error:
        raise InputError(Phrase("FORM_NOT_OURS")) from error


def checked(command: Command) -> Command:
    """Return a command whose fields satisfy its type.

    Raises:
        InputError: a field is empty or too long.

    """
    return decode_command(encode_command(command))


def noting(service: AccessService, names: Iterable[str], reader: str) -> list[Command]:
    """Return the command that records the named findings which the chain does not have like this.

    They are those that the service found last; an unknown name is left to the ledger to refuse.
    """
    last, log = service.examiner.last, service.sources.log
    if last is None:
        return []
    found = {one.identity: one for one in last.findings}
    new = [
        raised_finding(found[name])
        for name in names
        if name in found
        and is_news(found[name], recorded_findings(log, f"finding:{name}").get(name), last.position)
    ]
    return [NoteFindings(raised=tuple(new), actor=reader, source="serve")] if new else []
