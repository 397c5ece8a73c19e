"""Explain why an amount is due, as a sentence and a formula, for readers such as a court.

What comes in: a typed explanation of the settlement. What goes out: its parts as text, and one line
of all of them. Nothing is computed here; only the formula is formatted.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ledger import games
from projections.words.explained_facts import reason_in_words
from projections.words.names import paragraph

if TYPE_CHECKING:
    from collections.abc import Callable

    from projections.words.catalogue import Words

__all__ = ["RenderedExplanation", "formula_line", "render_explanation"]

TIMES = "\N{MULTIPLICATION SIGN}"
DIVIDED = "\N{DIVISION SIGN}"
MINUS = "\N{MINUS SIGN}"
PERCENT_WHOLE = 10_000


class RenderedExplanation(NamedTuple):
    """An explanation as text.

    ``what_follows`` describes the payment, return or loss of the stake; it is empty if the formula
    alone shows it.
    """

    why: str
    what_follows: str
    paragraph: str
    formula: str

    @property
    def reason(self) -> str:
        """The reason, its consequence and the formula, as one text."""
        return "; ".join(filter(None, (self.why, self.what_follows, self.formula)))


def render_explanation(
    words: Words, explanation: games.Explanation, *, in_chips: bool = False
) -> RenderedExplanation:
    """Render an explanation; with ``in_chips``, amounts are those of a tournament hand."""
    money = words.chips if in_chips else words.money
    return RenderedExplanation(
        why=reason_in_words(words, explanation, money),
        what_follows=_what_follows(words, explanation),
        paragraph=paragraph(words, explanation.rule),
        formula=_formula(words, explanation, money),
    )


def formula_line(words: Words, name: str, values: RenderedExplanation) -> str:
    """Join a subject (the name of a bet or an account) and its explanation."""
    parts = {
        "bet": name,
        "why": values.why,
        "paragraph": values.paragraph,
        "formula": values.formula,
    }
    if not values.what_follows:
        return words.text("explanations.line_of_money", **parts)
    return words.text("explanations.line", what_follows=values.what_follows, **parts)


def _what_follows(words: Words, explanation: games.Explanation) -> str:
    terms, facts = explanation.terms, explanation.facts
    paid = dict.fromkeys(term.odds for term in terms if isinstance(term, games.Winnings))
    if paid:
        odds = words.listed([_odds(words, one) for one in paid])
        pays = words.text("explanations.pays", odds=odds)
        is_free = isinstance(facts, games.HandFacts) and facts.free
        return f"{pays}; {words.text('explanations.free')}" if is_free else pays
    if not terms and explanation.reason not in OF_MONEY:
        return words.text("explanations.is_lost")
    if len(terms) == 1 and isinstance(terms[0], games.StakeBack):
        return words.text("explanations.comes_back")
    return ""


OF_MONEY = frozenset(
    {
        games.Reason.NO_POT,
        games.Reason.PLACE_NOT_PAID,
        games.Reason.ENTRY_NOT_LAST,
    }
)
"""Reasons in games among players: no odds apply, and no winnings are computed from a stake."""


def _formula(words: Words, explanation: games.Explanation, money: Callable[[int], str]) -> str:
    """Format the terms with their signs, and their sum."""
    written = ""
    for term in explanation.terms:
        text = _term(words, term, explanation.facts, money)
        sign = MINUS if term.amount < 0 else "+" if written else ""
        written += f" {sign} {text}" if written else f"{sign}{text}"
    total = money(explanation.amount)
    if not written or written == total:
        return total
    return written if _is_plain(explanation.terms) else f"{written} = {total}"


def _is_plain(terms: tuple[games.Term, ...]) -> bool:
    """Return whether the formula is a single named amount, equal to the sum."""
    plain = games.StakeBack | games.UncalledBack | games.DealShare
    return len(terms) == 1 and isinstance(terms[0], plain)


def _term(
    words: Words, term: games.Term, facts: games.Facts | None, money: Callable[[int], str]
) -> str:
    """Format one term without its sign."""
    size = money(abs(term.amount))
    match term:
        case games.Winnings():
            return _winnings(words, term, money)
        case games.StakeBack():
            return words.text("explanations.stake", amount=size)
        case games.ChipsBack():
            product = f"{words.number(term.chips)} {TIMES} {money(term.chip)}"
            key = "explanations.released" if term.released else "explanations.half"
            return words.text(key, product=product)
        case games.PotShare():
            return _pot_share(words, term, money)
        case games.UncalledBack():
            return words.text("explanations.uncalled", amount=size)
        case games.RakeTaken():
            return words.text("explanations.rake", amount=size)
        case games.PointsPaid():
            product = f"{words.number(abs(term.points))} {TIMES} {money(term.value)}"
            if abs(term.points) * term.value == abs(term.amount):
                return product
            return words.text("explanations.at_most", amount=size, product=product)
        case games.PrizeShare():
            return _prize(words, term, facts, money)
        case games.PlayedFor():
            product = f"{money(term.prizes)} {TIMES} {_decimal(words, term.percent)} %"
            return words.text("explanations.played_for", product=product)
    return words.text("explanations.agreed", amount=size)


def _winnings(words: Words, term: games.Winnings, money: Callable[[int], str]) -> str:
    times, _, divisor = term.odds.partition(":")
    odds = _decimal(words, times) if divisor == "1" else f"{_decimal(words, times)}/{divisor}"
    product = f"{money(term.stake)} {TIMES} {odds}"
    if term.stake * Fraction(times) / Fraction(divisor) == term.amount:
        return product
    return words.text("explanations.rounded", product=product)


def _pot_share(words: Words, term: games.PotShare, money: Callable[[int], str]) -> str:
    net, equal = term.money - term.rake, term.amount - term.odd
    written = money(term.money)
    if term.rake:
        rake = words.text("explanations.rake", amount=money(term.rake))
        written = f"{written} {MINUS} {rake}"
    if term.winners == 1:
        return written
    quotient = f"({written}) {DIVIDED} {term.winners}"
    if equal * term.winners != net:
        quotient = words.text("explanations.whole", quotient=quotient)
    if not term.odd:
        return quotient
    return f"{quotient} + {words.text('explanations.odd', amount=money(term.odd))}"


def _prize(
    words: Words, term: games.PrizeShare, facts: games.Facts | None, money: Callable[[int], str]
) -> str:
    """Describe how a prize follows from the prize pool, or how tied players share theirs."""
    if term.players > 1:
        prizes = " + ".join(map(money, term.prizes))
        prizes = f"({prizes})" if len(term.prizes) > 1 else prizes
        quotient = f"{prizes} {DIVIDED} {term.players}"
        if not term.left_over:
            return quotient
        return f"{quotient} + {words.text('explanations.left_over', amount=money(term.left_over))}"
    if not isinstance(facts, games.PlaceFacts):
        return money(term.amount)
    pool, place = facts.prize_pool, term.first_place
    if place == 1:
        others = pool - term.amount
        if not others:
            return words.text("explanations.whole_pool", pool=money(pool))
        return words.text("explanations.rest_of_pool", pool=money(pool), others=money(others))
    percent = facts.percents[place - 1]
    product = f"{money(pool)} {TIMES} {words.decimal(percent, 2)} %"
    if pool * percent == term.amount * PERCENT_WHOLE:
        return product
    return words.text("explanations.rounded_down", product=product)


def _odds(words: Words, text: str) -> str:
    won, _, for_each = text.partition(":")
    return f"{_decimal(words, won)}:{for_each}"


def _decimal(words: Words, text: str) -> str:
    """Format a decimal number given as text by a plan or a person."""
    whole, point, rest = text.partition(".")
    return words.decimal(int(whole + rest), len(rest)) if point else words.number(int(whole))
