"""Prepare the data that the pictures of all games need from a replayed round.

Participants are numbered in the order of their first bet; their chips have these numbers. The cards
are the dealt ones, including later revealed and corrected faces, even after the result.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger import games
from ledger.events import event_types as e
from projections.pictures.cards import TableCard
from projections.words.catalogue import Language, Words
from projections.words.names import named

if TYPE_CHECKING:
    from projections.replay.round import Replay, Wager

__all__ = ["Scene", "recorded_json", "scene_of"]


@dataclass(frozen=True, slots=True)
class Scene:
    """A replayed round with its plan (None if unknown), cards, participants and texts."""

    replay: Replay
    words: Words
    plan: games.GamePlan | None
    cards: tuple[TableCard, ...]
    people: dict[str, int]
    selections: dict[str, str]
    outcome: dict[str, Any]

    def text(self, key: str, **values: str | int) -> str:
        """Return a text in the language of the picture."""
        return self.words.text(key, **values)

    def named(self, area: str, code: str) -> str:
        """Return the name of a code from a catalogue."""
        return named(self.words, area, code)

    def dealt_to(self, *recipients: str) -> tuple[TableCard, ...]:
        """Return the cards of some recipients in the order of dealing."""
        return tuple(card for card in self.cards if card.recipient in recipients)

    def wagers_of(self, account: str) -> tuple[Wager, ...]:
        """Return the bets of a participant."""
        return tuple(wager for wager in self.replay.wagers if wager.account == account)

    def facts(self, *names: str) -> list[dict[str, Any]]:
        """Return the fields of all events of some types, in order."""
        return [fact.facts for fact in self.replay.facts if fact.event in names]


def scene_of(replay: Replay, language: Language) -> Scene:
    """Prepare a replay for its picture."""
    bets = [fact.facts for fact in replay.facts if fact.event == "BetPlaced"]
    people = dict.fromkeys(wager.account for wager in replay.wagers)
    return Scene(
        replay=replay,
        words=Words(language),
        plan=_plan(replay.round.game, replay.round.plan_version),
        cards=_cards(replay),
        people={account: number for number, account in enumerate(people, 1)},
        selections={bet["bet"]: bet["selection"] for bet in bets},
        outcome=_outcome(replay),
    )


def _plan(game: str, version: str) -> games.GamePlan | None:
    try:
        return games.plan(game, version)
    except games.UnknownGameError:
        return None


def _cards(replay: Replay) -> tuple[TableCard, ...]:
    cards: dict[int, TableCard] = {}
    for fact in replay.facts:
        facts = fact.facts
        match fact.event:
            case e.CardDealt.__name__:
                cards[facts["index"]] = TableCard(facts["index"], facts["recipient"], facts["card"])
            case e.CardRevealed.__name__ if facts["index"] in cards:
                cards[facts["index"]] = cards[facts["index"]]._replace(card=facts["card"])
            case e.CardRecordCorrected.__name__ if facts["index"] in cards:
                cards[facts["index"]] = cards[facts["index"]]._replace(
                    card=facts["actual"], was=facts["recorded"]
                )
    return tuple(card for _, card in sorted(cards.items()))


def recorded_json(text: str) -> Any:
    """Parse recorded JSON; None if there is none."""
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        return None


def _outcome(replay: Replay) -> dict[str, Any]:
    for fact in replay.facts:
        if fact.event == e.RoundResulted.__name__:
            read = recorded_json(fact.facts["outcome"])
            return read if isinstance(read, dict) else {}
    return {}
