"""Decrypt personal data with the key of its person or its month."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from ledger.privacy import KeyStore, open_fields
from ledger.rules.retention import end_of_period_key

if TYPE_CHECKING:
    from ledger.log.port import Log

__all__ = ["ERASED", "SEALED", "due_months", "person_of", "personal_data", "text_of_period"]

ERASED = "(erased)"
"""What stands for a field whose key was destroyed."""
SEALED = "(sealed; the keys are not here)"
"""What stands for a field where the key store is not at hand."""


def person_of(log: Log, account: str, *, before: int) -> str:
    """Return the person of an account.

    Raises:
        InputError: no event below that position opened the account.

    """
    opened = Query(types=("AccountOpened",), tags=(f"account:{account}",))
    for recorded in events_at(log, log.find(opened, before=before, limit=1)):
        if isinstance(recorded.event, e.AccountOpened):
            return recorded.event.person
    raise InputError(Phrase("ACCOUNT_UNKNOWN", name=account, size=before))


def text_of_period(
    keys: KeyStore | None, event: e.StatementImported | e.StatementLinesRecorded, field: str
) -> str | None:
    """Decrypt a field sealed with the key of a month; ``None`` without keys.

    Raises:
        IntegrityError: the field is not what was sealed.

    """
    if keys is None:
        return None
    text = keys.open(event.period_key, f"{event.type}.{field}", getattr(event, field))
    return ERASED if text is None else text


def due_months(keys: KeyStore | None, now: int) -> list[str]:
    """Return the names of month keys whose retention period has ended; none without keys."""
    return [name for name in keys.periods() if end_of_period_key(name) <= now] if keys else []


def personal_data(log: Log, keys: KeyStore, account: str, *, before: int) -> dict[str, str]:
    """Decrypt the latest personal data below a position; erased fields are marked.

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
