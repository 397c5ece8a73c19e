"""Describe the facts that decided a bet as a sentence: cards with suits, totals, names of hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import games
from projections.words.names import card, named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from projections.words.catalogue import Words

__all__ = ["reason_in_words"]


def reason_in_words(
    words: Words, explanation: games.Explanation, money: Callable[[int], str]
) -> str:
    """Return the reason as a sentence, without its full stop."""
    values = _values(words, explanation, money)
    text = words.text(f"reasons.{explanation.reason}", **values)
    facts = explanation.facts
    if isinstance(facts, games.SpinFacts) and facts.won_on:
        positions = ["/".join(map(str, position.numbers)) for position in facts.won_on]
        return words.text("explanations.on_positions", why=text, positions=words.listed(positions))
    if isinstance(facts, games.PointsFacts) and facts.fouled:
        fouled = words.text("explanations.fouled", players=words.listed(facts.fouled))
        return f"{text}; {fouled}"
    return text


def _values(
    words: Words, explanation: games.Explanation, money: Callable[[int], str]
) -> dict[str, str | int]:
    match explanation.facts:
        case games.VoidFacts() as facts:
            area = "returns" if explanation.reason is games.Reason.NOT_CONCLUDED else "voids"
            return {"ground": named(words, area, facts.ground)}
        case games.SpinFacts() as facts:
            return _spin(words, facts)
        case games.FieldFacts() as facts:
            return {"field": named(words, "bets", facts.field)}
        case games.CoupFacts() as facts:
            return {
                "player": facts.player,
                "player_cards": _cards(facts.player_cards),
                "banker": facts.banker,
                "banker_cards": _cards(facts.banker_cards),
            }
        case games.HandFacts() as facts:
            return {
                "total": facts.total,
                "cards": _cards(facts.cards),
                "count": len(facts.cards),
                "dealer_total": facts.dealer_total,
                "dealer_cards": _cards(facts.dealer_cards),
            }
        case games.CombinationFacts() as facts:
            name = named(words, "combinations", f"{facts.of}.{explanation.row}")
            return {"combination": name, "cards": _cards(facts.cards)}
        case games.ShowdownFacts() as facts:
            return {"own": _hand(words, facts.own), "dealer": _hand(words, facts.dealer)}
        case games.MadeFacts() as facts:
            return {"own": _hand(words, facts.own)}
        case games.PotsFacts() as facts:
            return {"pots": _pots(words, explanation, facts, money)}
        case games.PointsFacts() as facts:
            return {"pairs": "; ".join(_pair(words, pair) for pair in facts.pairs)}
        case games.PlaceFacts() as facts:
            return {
                "place": facts.place or 0,
                "entries": facts.entries,
                "column": facts.column,
            }
    return {}


def _spin(words: Words, facts: games.SpinFacts) -> dict[str, str | int]:
    found: dict[str, str | int] = {
        "number": facts.number,
        "colour": words.text(f"colours.{facts.colour}"),
    }
    if facts.next_number is not None:
        found["next_number"] = facts.next_number
        found["next_colour"] = words.text(f"colours.{games.colour_of(facts.next_number)}")
    return found


def _cards(cards: Iterable[str]) -> str:
    return " ".join(map(card, cards))


def _hand(words: Words, hand: games.RankedHand) -> str:
    return words.text(
        "explanations.hand",
        category=named(words, "hands", hand.category),
        cards=_cards(hand.cards),
    )


def _pots(
    words: Words,
    explanation: games.Explanation,
    facts: games.PotsFacts,
    money: Callable[[int], str],
) -> str:
    """Describe the pots that a player won, or if none, those that others won."""
    won = [term.pot for term in explanation.terms if isinstance(term, games.PotShare)]
    shown = won or range(len(facts.pots))
    told = [_pot(words, number, facts.pots[number], money) for number in shown]
    return "; ".join(told) or words.text("explanations.no_pots")


def _pot(words: Words, number: int, pot: games.PotFacts, money: Callable[[int], str]) -> str:
    if number:
        name = words.text("explanations.side_pot", number=number, money=money(pot.money))
    else:
        name = words.text("explanations.main_pot", money=money(pot.money))
    winners = words.listed(pot.winners)
    if pot.best is None:
        return words.text("explanations.pot_uncontested", pot=name, winners=winners)
    hand = _hand(words, pot.best)
    return words.text("explanations.pot_by_hand", pot=name, winners=winners, hand=hand)


def _pair(words: Words, pair: games.PairFacts) -> str:
    return words.text(
        "explanations.pair",
        opponent=pair.opponent,
        rows=pair.rows,
        royalties=pair.royalties,
        others=pair.opponents_royalties,
    )
