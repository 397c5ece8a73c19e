"""Unmasking one person: right, purpose, and a fact of its own in the chain of accesses."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from ledger.core import events as e
from projections.questions.accounts import account_story
from tools.access.desk import Asked, answered, desk_of
from tools.access.problems import ProblemError
from tools.access.scopes import Scope
from tools.data.personal import personal_data

if TYPE_CHECKING:
    from starlette.requests import Request

    from tools.access.answer import Answer

__all__ = ["Unmasked", "unmask"]


@dataclass(frozen=True, slots=True)
class Unmasked:
    """Personal data of one person, as it was last given; what was erased says so."""

    account: str
    person: str
    fields: dict[str, str]


def unmask(request: Request, name: str, purpose: str) -> Answer:
    """Open the personal data of the person of an account, for whoever asks.

    Raises:
        ProblemError: no right, or no purpose; or there is no such account.
        LedgerError: the keys can't be read, or the access can't be recorded.

    """
    desk = desk_of(request)
    reader = desk.visitor(request).reader

    def ask(asked: Asked) -> Unmasked:
        if not purpose.strip():
            text = "say what for, in the header Gameledger-Purpose or when you sign in"
            raise ProblemError(HTTPStatus.BAD_REQUEST, "purpose", text)
        person = account_story(asked.store, name, at=asked.size, facts=1).person
        with closing(desk.sources.keys()) as keys:
            fields = personal_data(asked.log, keys, name, before=asked.size)
        return Unmasked(name, person, fields)

    answer = answered(
        request,
        Scope.UNMASK,
        ask,
        rows=lambda found: len(found.fields),
        account=name,
        is_named=True,
    )
    found: Unmasked = answer.found
    unmasked = e.PersonUnmasked(
        reader=reader.name,
        account=name,
        person=found.person,
        purpose=purpose,
        fields=tuple(found.fields),
    )
    desk.chain.record(unmasked, actor=reader.name)
    return answer
