"""Write the letter that answers a complaint, with the recorded facts of its rounds.

What comes in: a case, its rounds replayed from the record, and the results of the player's own
bets. What goes out: one letter as text and as PDF, in Czech or English. It contains nothing about
other players; name and address of the player are encrypted, so the sender has to add them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import months_before
from ledger.rules import law
from projections.evidence.collect import WORD, accounts_of
from projections.evidence.page import cleaned
from projections.evidence.pdf_text import on_letterhead, write_heading, write_line
from projections.facts.rendering import render_fact
from projections.facts.timing import late_by, timing
from projections.words import names
from projections.words.explanations import render_explanation
from projections.words.phrases import render_finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from projections.facts.facts import Fact
    from projections.reconciliation.complaints import Case, CaseRegister
    from projections.replay.round import Replay, Wager
    from projections.words.catalogue import Words

__all__ = ["Letter", "as_pdf", "as_text", "letter_of"]


class Letter(NamedTuple):
    """A letter in sections with a heading and paragraphs; the first section has no heading.

    ``account`` is the one that it is to, ``sender`` are the lines of the letterhead. Its day is
    that of the last record, or of a complaint after it.
    """

    account: str
    title: str
    sender: tuple[str, ...]
    sections: tuple[tuple[str, tuple[str, ...]], ...]
    written_at: int


def letter_of(
    words: Words, register: CaseRegister, rounds: Sequence[Replay], *, sender: tuple[str, ...]
) -> Letter:
    """Write the letter about the one case of a register; a complaint without a name has no record.

    Args:
        words: texts in the reader's language.
        register: the case, and the position up to which it was read.
        rounds: the replayed rounds of the case.
        sender: lines of the letterhead.

    """
    (case,) = register.cases
    sections = [
        ("", tuple(_beginning(words, case))),
        *((_heading(words, one), tuple(_round(words, case, one))) for one in rounds),
        (words.text("letter.decision"), tuple(_decision(words, case, rounds))),
        (words.text("letter.remedies"), tuple(_remedies(words, case))),
        (
            words.text("letter.proof"),
            (
                words.text("letter.basis", position=register.position, head=register.head),
                words.text("letter.check_it"),
            ),
        ),
    ]
    kind = names.named(words, "cases", case.kind)
    title = words.text("letter.title", kind=kind, case=case.case) if case.case else kind
    written_at = max(register.recorded_at, case.filed_at)
    return Letter(case.account, title, sender, tuple(sections), written_at)


def as_text(words: Words, letter: Letter) -> str:
    """Return a letter as plain text, a paragraph on each line."""
    lines = [*letter.sender, words.day(letter.written_at), "", letter.title, ""]
    for heading, paragraphs in letter.sections:
        lines += [*([heading] if heading else []), *paragraphs, ""]
    return "\n".join(map(cleaned, lines))


def as_pdf(words: Words, letter: Letter) -> bytes:
    """Return a letter as PDF/A; the same letter gives the same bytes."""
    document = on_letterhead(letter.title, letter.sender, letter.written_at, words.language)
    write_line(document, words.day(letter.written_at), size=10)
    write_heading(document, letter.title)
    for heading, paragraphs in letter.sections:
        if heading:
            write_heading(document, heading)
        for one in paragraphs:
            write_line(document, one, size=10)
    return bytes(document.output())


def _beginning(words: Words, case: Case) -> Iterator[str]:
    source = names.paragraph(words, case.source)
    yield words.text("letter.deadline", day=words.last_day(case.answer_until), source=source)
    yield words.text("letter.account", account=case.account)
    if case.case:
        yield words.text("letter.filed", moment=words.moment(case.filed_at), case=case.case)
    else:
        yield words.text("letter.filed_unrecorded", day=words.day(case.filed_at))


def _heading(words: Words, found: Replay) -> str:
    line = found.round
    game = names.named(words, "games", line.game)
    return words.text("letter.round", round=line.round, game=game)


def _round(words: Words, case: Case, found: Replay) -> Iterator[str]:
    line = found.round
    others = _others(found, case.account)
    opened, table = words.moment(line.opened_at), line.table
    yield words.text("letter.opened", moment=opened, table=table)
    if line.closed_at is not None:
        yield words.text("letter.closed", moment=words.moment(line.closed_at))
    if line.wording and others.isdisjoint(WORD.findall(line.wording)):
        yield words.text("letter.result", result=names.wording(words, line.wording))
    for void in found.voids:
        if void.event == "RoundVoided":
            yield render_fact(words, void.event, void.facts)
    for wager in found.wagers:
        if wager.account == case.account:
            yield _bet(words, found, wager)
    for fact in found.refusals:
        if fact.facts.get("account") == case.account:
            yield _refusal(words, fact, line.closed_at)
    for one in found.findings:
        if one.account == case.account:
            text = render_finding(words, one)
            if others.isdisjoint(WORD.findall(text)):
                yield text
    bets = [wager for wager in found.wagers if wager.account == case.account]
    is_doubtful = any(one.account in {"", case.account} for one in found.findings)
    is_judged = line.status == "settled" and bool(bets) and not is_doubtful
    if is_judged and not any(_is_undetermined(found, one) for one in bets):
        yield words.text("letter.paid_is_due")


def _refusal(words: Words, fact: Fact, closed_at: int | None) -> str:
    text = render_fact(words, fact.event, fact.facts)
    if when := timing(fact.event, fact.occurred_at, fact.recorded_at, closed_at, words):
        text = f"{text} ({when})"
    late = late_by(words, fact.facts.get("code", ""), fact.recorded_at, closed_at)
    return f"{text} {late}".rstrip()


def _others(found: Replay, account: str) -> set[str]:
    """Return the other participants of a round: the result of a hand and its findings name them."""
    return accounts_of(fact.typed().event for fact in found.facts) - {account}


def _bet(words: Words, found: Replay, wager: Wager) -> str:
    bet = names.bet(words, wager.bet_code, wager.selection, additional=bool(wager.parent))
    area, code = ("results", wager.result) if wager.result else ("statuses", wager.status)
    became = names.named(words, area, code)
    stake, explanation = wager.stake, wager.explanation
    if wager.stake_corrected is not None:
        stake, explanation = wager.stake_corrected, wager.explanation_corrected
    text = words.text("letter.bet", bet=bet, stake=words.money(stake), became=became)
    due = found.due_now(wager)
    if due is not None and wager.paid_now is not None:
        amounts = {"due": words.money(due), "paid": words.money(wager.paid_now)}
        text = f"{text} {words.text('letter.due_and_paid', **amounts)}"
    if any(one.facts["bet"] == wager.bet for one in found.corrections):
        text = f"{text} {words.text('letter.corrected')}"
    if explanation:
        why = render_explanation(words, explanation).reason
        text = f"{text} {why[:1].upper()}{why[1:]}."
    return text


def _is_undetermined(found: Replay, wager: Wager) -> bool:
    """Return whether no settlement judges a bet: it is open, void or unknown, or was returned.

    Nothing is due on a bet that the player took back.
    """
    is_taken_back = wager.status == "given_back" and wager.explanation is None
    return found.due_now(wager) is None and not is_taken_back


def _decision(words: Words, case: Case, rounds: Sequence[Replay]) -> Iterator[str]:
    if case.ended_at is not None:
        yield words.text(
            "letter.decided",
            moment=words.moment(case.ended_at),
            status=names.named(words, "cases", case.status),
        )
        if case.answer:
            yield words.text("letter.reasons")
            yield case.answer
        return
    own = [(one, bet) for one in rounds for bet in one.wagers if bet.account == case.account]
    due = sum(one.due_now(bet) or 0 for one, bet in own)
    paid = sum(bet.paid_now or 0 for _, bet in own)
    amounts = {"due": words.money(due), "paid": words.money(paid)}
    is_open = any(_is_undetermined(one, bet) for one, bet in own)
    is_found = any(one.account in {"", case.account} for found in rounds for one in found.findings)
    is_withheld = any(
        fact.event == "PrizeWithheld" and fact.facts["account"] == case.account
        for one in rounds
        for fact in one.corrections
    )
    if case.case or is_open or is_withheld or not own:
        yield words.text("letter.not_decided")
    elif due > paid:
        yield words.text("letter.founded", difference=words.money(due - paid), **amounts)
    else:
        yield words.text("letter.not_decided" if is_found else "letter.unfounded", **amounts)


def _remedies(words: Words, case: Case) -> Iterator[str]:
    last = words.day(months_before(case.filed_at, -law.DISPUTE_MONTHS))
    source = names.paragraph(words, law.DISPUTE_SOURCE)
    yield words.text("letter.authority", day=last, source=source)
    yield words.text("letter.court")
