"""Personal data of an account, opened with the key of its person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core import events as e
from ledger.core.errors import InputError
from ledger.core.privacy import KeyStore, open_fields
from ledger.log.port import Query, events_at

if TYPE_CHECKING:
    from ledger.log.port import Log

__all__ = ["ERASED", "person_of", "personal_data"]

ERASED = "(erased)"
"""What stands for a field whose person was erased."""


def person_of(log: Log, account: str, *, before: int) -> str:
    """Return whose account it is.

    Raises:
        InputError: nothing below that position opened it.

    """
    opened = Query(types=("AccountOpened",), tags=(f"account:{account}",))
    for recorded in events_at(log, log.find(opened, before=before, limit=1)):
        if isinstance(recorded.event, e.AccountOpened):
            return recorded.event.person
    raise InputError(f"account {account} is unknown below position {before}")


def personal_data(log: Log, keys: KeyStore, account: str, *, before: int) -> dict[str, str]:
    """Read the personal data as it was last given below a position; what was erased says so.

    Raises:
        IntegrityError: a field is not what was sealed.

    """
    found: dict[str, str] = {}
    query = Query(types=("AccountOpened", "PersonChanged"), tags=(f"account:{account}",))
    for recorded in events_at(log, log.find(query, before=before)):
        event = recorded.event
        if isinstance(event, e.AccountOpened | e.PersonChanged):
            fields = open_fields(keys, event.person, event)
            found |= {
                field: ERASED if text is None else text
                for field, text in fields.items()
                if text != ""
            }
    return found
