"""Write the letter about a case from tables and log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.events import event_types as e
from ledger.log.port import events_at
from projections.evidence.letter import Letter, letter_of
from projections.reconciliation.complaints import show_case
from projections.replay.from_log import replay
from tools.data.case_texts import with_texts

if TYPE_CHECKING:
    from ledger.log.port import Log
    from ledger.privacy import KeyStore
    from projections.store.tables import Store
    from projections.words.catalogue import Words

__all__ = ["case_letter"]


def case_letter(
    store: Store,
    log: Log,
    name: str,
    words: Words,
    *,
    at: int | None,
    keys: KeyStore | None = None,
) -> Letter:
    """Write the letter about a case by the messages below a position.

    The text of the decision is sealed: without ``keys`` the letter leaves it out.

    Raises:
        InputError: there is no such case.

    """
    register = with_texts(show_case(store, name, at=at), log, keys)
    (case,) = register.cases
    rounds = [replay(log, one, at=at) for one in case.rounds]
    opened = next(events_at(log, [0])).event
    operator = opened.operator_name if isinstance(opened, e.ChainOpened) else ""
    return letter_of(words, register, rounds, operator=operator)
