"""Decrypt texts from and to participants with the keys of persons and months.

Input: events and cases, whose sealed texts have the class ``case``, and a key store, or None.
Output: the texts, :data:`ERASED` if the key is destroyed, ``None`` without a key store.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import schemas
from ledger.log.port import events_at
from tools.data.personal import ERASED

if TYPE_CHECKING:
    from ledger.events import event_types as e
    from ledger.log.port import Log
    from ledger.privacy import KeyStore
    from projections.reconciliation.complaints import Case, CaseRegister

__all__ = ["FIELDS_OF_CASES", "case_texts", "with_texts"]

FIELDS_OF_CASES = {
    name: fields
    for name, schema in schemas.newest().items()
    if (fields := [one["name"] for one in schema.facts if one.get("personal") == "case"])
}
"""Fields of the class ``case`` by event type; each of these types names its key in ``person``."""
DECIDED = ("upheld", "dismissed")


def case_texts(keys: KeyStore | None, event: e.Event) -> dict[str, str | None]:
    """Decrypt the texts of an event.

    Raises:
        IntegrityError: a field is not what was sealed.

    """
    if keys is None:
        return dict.fromkeys(FIELDS_OF_CASES.get(event.type, ()))
    found: dict[str, str | None] = {}
    for field in FIELDS_OF_CASES.get(event.type, ()):
        person, sealed = event.person, getattr(event, field)  # type: ignore[attr-defined]
        text = keys.open(person, f"{event.type}.{field}", sealed)
        found[field] = ERASED if text is None else text
    return found


def with_texts(register: CaseRegister, log: Log, keys: KeyStore | None) -> CaseRegister:
    """Return a register whose cases include their grounds and answers.

    Raises:
        IntegrityError: a field is not what was sealed.

    """
    return replace(register, cases=tuple(_with_texts(one, log, keys) for one in register.cases))


def _with_texts(case: Case, log: Log, keys: KeyStore | None) -> Case:
    is_decided = case.status in DECIDED and case.ended_position is not None
    positions = [case.position, *([case.ended_position] if is_decided else [])]
    texts: dict[str, str | None] = {} if is_decided else {"explanation": ""}
    for recorded in events_at(log, positions):  # type: ignore[arg-type]
        texts |= case_texts(keys, recorded.event)
    return replace(case, grounds=texts["grounds"], answer=texts["explanation"])
