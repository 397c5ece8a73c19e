"""Unmask a person, or find persons, by right and purpose; record it in the chain of accesses."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from tools.access.access_service import serve_query, service_of
from tools.access.person_index import field_of
from tools.access.scopes import Scope
from tools.data.personal import person_of, personal_data
from tools.web.problems import ProblemError

if TYPE_CHECKING:
    from starlette.requests import Request

    from tools.access.answer import Answer
    from tools.access.person_index import PersonMatch
    from tools.access.query_context import QueryContext
    from tools.access.readers import AccessUser

__all__ = [
    "PersonMatches",
    "Unmasked",
    "find_persons",
    "record_unmasked",
    "require_purpose",
    "unmask",
]

FOUND_MAX = 20
"""Accounts that a search for a person shows; a text that fits more has to be completed."""


@dataclass(frozen=True, slots=True)
class Unmasked:
    """Personal data of one person, as it was last given; erased fields are marked."""

    account: str
    person: str
    fields: dict[str, str]


@dataclass(frozen=True, slots=True)
class PersonMatches:
    """Accounts found by a field of their persons; ``is_cut`` if there are more than shown."""

    field: str
    matches: tuple[PersonMatch, ...]
    is_cut: bool


def unmask(request: Request, name: str, purpose: str) -> Answer:
    """Open the personal data of an account's person for the reader of a request.

    Raises:
        ProblemError: the right or the purpose is missing, or there is no such account.
        LedgerError: the keys can't be read, or the access can't be recorded.

    """
    service = service_of(request)
    reader = service.visitor(request).reader

    def ask(context: QueryContext) -> Unmasked:
        require_purpose(purpose)
        person = person_of(context.log, name, before=context.size)
        with closing(service.sources.keys()) as keys:
            fields = personal_data(context.log, keys, name, before=context.size)
        return Unmasked(name, person, fields)

    answer = serve_query(
        request,
        Scope.UNMASK,
        ask,
        of_log=True,
        rows=lambda found: len(found.fields),
        account=name,
        is_named=True,
    )
    found: Unmasked = answer.found
    record_unmasked(request, reader, name, purpose, found.person, tuple(found.fields))
    return answer


def find_persons(request: Request, text: str, purpose: str) -> Answer:
    """Find the accounts of a person by name or e-mail for the reader of a request.

    Each account that is found is recorded like an unmasking of this field; the text is not.

    Raises:
        ProblemError: the right or the purpose is missing.
        LedgerError: the keys can't be read, or the access can't be recorded.

    """
    service = service_of(request)
    reader = service.visitor(request).reader

    def ask(context: QueryContext) -> PersonMatches:
        require_purpose(purpose)
        with closing(service.sources.keys()) as keys:
            found = service.persons.find(context.log, keys, text, size=context.size)
        return PersonMatches(field_of(text), tuple(found[:FOUND_MAX]), len(found) > FOUND_MAX)

    answer = serve_query(request, Scope.UNMASK, ask, of_log=True, rows=lambda one: len(one.matches))
    found: PersonMatches = answer.found
    for one in found.matches:
        record_unmasked(request, reader, one.account, purpose, one.person, (found.field,))
    return answer


def require_purpose(purpose: str) -> None:
    """Refuse a request without a purpose.

    Raises:
        ProblemError: the purpose is missing.

    """
    if not purpose.strip():
        text = Phrase("PURPOSE_MISSING")
        raise ProblemError(HTTPStatus.BAD_REQUEST, "purpose", text)


def record_unmasked(  # noqa: PLR0917 - the facts of one event
    request: Request,
    reader: AccessUser,
    account: str,
    purpose: str,
    person: str,
    fields: tuple[str, ...],
) -> None:
    """Record that fields of a person were opened.

    Raises:
        AvailabilityError: the access could not be recorded, so nothing may be shown.

    """
    unmasked = e.PersonUnmasked(
        reader=reader.name, account=account, person=person, purpose=purpose, fields=fields
    )
    service_of(request).chain.record(unmasked, actor=reader.name)
