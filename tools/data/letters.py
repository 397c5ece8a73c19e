"""Write letters about cases and complaints, and statements of accounts, from tables and log."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ledger.core.clock import in_prague
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.log.port import Query, envelope_at, events_at
from ledger.rules.periods import end_of_period
from projections.evidence.account_statement import AccountStatement
from projections.evidence.letter import Letter, letter_of
from projections.questions.account_movements import account_movements
from projections.reconciliation.complaints import Case, CaseRegister, show_case
from projections.replay.from_log import replay
from projections.store.as_of import as_of, judged_at, moment_of, size_at
from projections.store.operator import operator_rules
from tools.data.case_texts import with_texts
from tools.data.personal import ERASED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.log.port import Log
    from ledger.privacy import KeyStore
    from projections.store.period import Period
    from projections.store.tables import Store
    from projections.words.catalogue import Words

__all__ = ["account_statement", "case_letter", "complaint_letter"]

MOVEMENTS_MAX = 5_000
"""Movements of a statement on paper, about a hundred pages."""


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

    The text of the decision is sealed: without ``keys``, or once the person was erased, the letter
    leaves it out.

    Raises:
        InputError: there is no such case.

    """
    register = with_texts(show_case(store, name, at=at), log, keys)
    (case,) = register.cases
    if case.answer == ERASED:
        register = replace(register, cases=(replace(case, answer=None),))
    return _letter(store, log, register, words, at)


def complaint_letter(
    store: Store,
    log: Log,
    rounds: Sequence[str],
    account: str,
    words: Words,
    *,
    filed_at: int | None,
    now: int,
    at: int | None,
) -> Letter:
    """Write the letter about a complaint that is not recorded as a case.

    Its decision follows from the record: whether what was paid is due by the game plan.

    Args:
        store: the tables.
        log: the chain.
        rounds: that the complaint concerns.
        account: of the participant.
        words: texts in the language of the letter.
        filed_at: when the complaint was filed, in microseconds; the period for the answer begins.
            None: now.
        now: moment of the letter.
        at: count the messages below this position only.

    Raises:
        InputError: a round is unknown or named twice, the account has no part in it, or the
            complaint was filed before it, or is to be filed after the letter.

    """
    place = as_of(store, at)
    recorded_at = moment_of(store, place.position)
    written_at = judged_at(recorded_at, now)
    filed_at = written_at if filed_at is None else filed_at
    if len(set(rounds)) < len(rounds):
        raise InputError("a round is named twice: name each one once")
    for name in rounds:
        query = Query(tags=(f"round:{name}", f"account:{account}"))
        first = log.find(query, before=place.position, limit=1)
        if not first:
            raise InputError(f"account {account} has no part in round {name}: name one that has")
        begun_at = envelope_at(log, first[0]).recorded_at
        begun, filed, written = (in_prague(one).date() for one in (begun_at, filed_at, written_at))
        if not begun <= filed <= written:
            raise InputError(
                f"a complaint about round {name} of {begun} can't be filed on {filed} and answered "
                f"on {written}: correct the day of filing"
            )
    period = operator_rules(store).periods.complaint_answer
    case = Case(
        case="",
        kind="complaint",
        account=account,
        status="open",
        is_overdue=False,
        filed_at=filed_at,
        position=place.position,
        answer_until=end_of_period(filed_at, period),
        source=period.source,
        rounds=tuple(rounds),
        bets=(),
        grounds=None,
        ended_at=None,
        ended_position=None,
        answer=None,
    )
    register = CaseRegister(place.position, place.head, recorded_at, recorded_at, (case,))
    return _letter(store, log, register, words, at)


def account_statement(
    store: Store, log: Log, account: str, period: Period, words: Words, *, at: int | None
) -> AccountStatement:
    """Write the statement of an account for a period, as recorded below a position.

    Raises:
        InputError: the account is unknown, or the period has more movements than fit a statement.

    """
    place = as_of(store, at)
    first, end = (size_at(store, one, place.position) for one in (period.begins, period.ends))
    found = account_movements(
        store, account, since=first, before=end, limit=MOVEMENTS_MAX, at=place.position
    )
    if found.before is not None:
        raise InputError(Phrase("STATEMENT_TOO_LONG", most=MOVEMENTS_MAX))
    sender = _letterhead(store, log, words)
    return AccountStatement(sender, period, found, place.head, moment_of(store, place.position))


def _letter(store: Store, log: Log, register: CaseRegister, words: Words, at: int | None) -> Letter:
    (case,) = register.cases
    rounds = [replay(log, one, at=at) for one in case.rounds]
    return letter_of(words, register, rounds, sender=_letterhead(store, log, words))


def _letterhead(store: Store, log: Log, words: Words) -> tuple[str, ...]:
    """Return name and company number of the operator, and what its rules add."""
    opened = next(events_at(log, [0])).event
    if not isinstance(opened, e.ChainOpened):
        return ()
    number = words.text("evidence.company_number", number=opened.operator)
    more = operator_rules(store).letterhead
    return (opened.operator_name, number[:1].upper() + number[1:], *(more or ()))
