"""The course of a round, followed line by line in the order of the chain.

What comes in: rows of the view ``round_lines``, or facts in their shape. What goes out: what
settling the round again needs. The fold never refuses: what is in the log happened.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger import games

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["BetCourse", "Raise", "RoundCourse", "follow", "line_of"]


@dataclass(slots=True)
class BetCourse:
    """One bet of a round; what was recorded of its settlement, money in haléř."""

    bet: str
    account: str
    box: str
    code: str
    selection: str
    stake: int
    parent: str = ""
    is_concluded: bool = False
    is_voided: bool = False
    settled_position: int = 0
    result: str = ""
    due: int = 0
    paid: int = 0


class Raise(NamedTuple):
    """A decision that asks for a stake, with what lay there and was decided before it."""

    position: int
    action: games.Action
    before: tuple[games.Action, ...]
    cards: tuple[games.SeenCard, ...]


@dataclass(slots=True)
class RoundCourse:
    """One round so far.

    ``in_play`` counts concluded bets without settlement or void. ``spin`` is what became of
    the last spin: none, running, landed or invalid. ``cards`` and ``decisions`` are those
    before the result, ``raises`` the decisions among them that ask for a stake.
    """

    round: str
    game: str = ""
    plan_version: str = ""
    table: str = ""
    is_streamed: bool = False
    opened_position: int = 0
    opened_at: int = 0
    bets: dict[str, BetCourse] = field(default_factory=dict)
    in_play: int = 0
    spin: str = "none"
    spin_position: int = 0
    turns: int = 0
    one_direction: bool = False
    number: int | None = None
    is_reconstructed: bool = False
    is_voided: bool = False
    resulted_position: int = 0
    outcome: str = ""
    landed: tuple[str, int | None] = ("none", None)
    stopped_at: str | None = None
    cards: dict[int, games.SeenCard] = field(default_factory=dict)
    decisions: list[games.Action] = field(default_factory=list)
    raises: list[Raise] = field(default_factory=list)

    @property
    def is_finished(self) -> bool:
        """Is nothing open any more?"""
        return self.is_voided or bool(self.resulted_position and self.in_play <= 0)

    @property
    def has_voided(self) -> bool:
        """Are bets of single players void?"""
        return any(bet.is_voided for bet in self.bets.values())

    def main_bets(self) -> list[BetCourse]:
        """Return the bets that were concluded, raises left out."""
        return [bet for bet in self.bets.values() if bet.is_concluded and not bet.parent]

    def facts(self, wagers: Iterable[games.Wager]) -> games.RoundFacts:
        """Return what the studio and the players of some wagers made of the round."""
        laid = tuple(wagers)
        players = {wager.player for wager in laid} if self.decisions else frozenset()
        return games.RoundFacts(
            wagers=laid,
            actions=[action for action in self.decisions if action.player in players],
            cards=self.cards_in_order(),
            number=self.landed[1],
            field=self.stopped_at,
        )

    def cards_in_order(self) -> tuple[games.SeenCard, ...]:
        """Return the cards in the order of dealing."""
        return tuple(card for _, card in sorted(self.cards.items()))


def follow(course: RoundCourse, line: Mapping[str, Any]) -> None:
    """Move the course of a round forward by one of its lines."""
    change = CHANGES.get(line["event"])
    if change is not None:
        change(course, line)


def _opened(course: RoundCourse, line: Mapping[str, Any]) -> None:
    if not course.opened_position:
        course.game, course.plan_version = line["code"], line["text"]
        course.table, course.opened_at = line["table"], line["recorded_at"]
        course.is_streamed = line["flag"]
        course.opened_position = line["position"]


def _placed(course: RoundCourse, line: Mapping[str, Any]) -> None:
    if line["bet"] not in course.bets:
        course.bets[line["bet"]] = BetCourse(
            bet=line["bet"],
            account=line["account"],
            box=line["box"],
            code=line["code"],
            selection=line["text"],
            stake=line["amount"],
            parent=line["parent"],
        )


def _given_back(course: RoundCourse, line: Mapping[str, Any]) -> None:
    """With chips that a decision laid before the close goes the decision."""
    bet = course.bets.get(line["bet"])
    if bet is not None and bet.parent:
        gone = (bet.account, bet.code)
        course.decisions = [
            action for action in course.decisions if (action.player, action.type) != gone
        ]
        course.raises = [
            one for one in course.raises if (one.action.player, one.action.type) != gone
        ]


def _concluded(course: RoundCourse, line: Mapping[str, Any]) -> None:
    bet = course.bets.get(line["bet"])
    if bet is not None and not bet.is_concluded:
        bet.is_concluded = True
        course.in_play += 1


def _bet_voided(course: RoundCourse, line: Mapping[str, Any]) -> None:
    bet = course.bets.get(line["bet"])
    if bet is not None and bet.is_concluded and not (bet.is_voided or bet.settled_position):
        bet.is_voided = True
        course.in_play -= 1


def _settled(course: RoundCourse, line: Mapping[str, Any]) -> None:
    bet = course.bets.get(line["bet"])
    if bet is None or bet.settled_position:
        return
    bet.settled_position, bet.result = line["position"], line["text"]
    bet.due, bet.paid = line["due"], line["amount"]
    course.in_play -= bet.is_concluded and not bet.is_voided


def _spun(course: RoundCourse, line: Mapping[str, Any]) -> None:
    course.spin, course.number = "running", None
    course.spin_position, course.turns = line["position"], line["number"]
    course.one_direction = line["flag"]


def _spin_invalid(course: RoundCourse, _: Mapping[str, Any]) -> None:
    course.spin, course.number = "invalid", None


def _ball(course: RoundCourse, line: Mapping[str, Any]) -> None:
    if course.spin != "invalid":
        course.spin, course.number = "landed", line["number"]


def _stopped(course: RoundCourse, line: Mapping[str, Any]) -> None:
    if course.spin != "invalid" and not course.resulted_position:
        course.spin, course.stopped_at = "landed", line["text"]


def _dealt(course: RoundCourse, line: Mapping[str, Any]) -> None:
    if not course.resulted_position:
        course.cards[line["number"]] = games.SeenCard(line["code"], line["text"])


def _seen(course: RoundCourse, line: Mapping[str, Any]) -> None:
    card = course.cards.get(line["number"])
    if card is not None and not course.resulted_position:
        course.cards[line["number"]] = games.SeenCard(card.recipient, line["text"])


def _decided(course: RoundCourse, line: Mapping[str, Any]) -> None:
    if course.resulted_position:
        return
    action = games.recorded_action(
        line["account"],
        line["code"],
        hand=line["text"],
        by=line["box"],
        street=line["table"],
        times=line["number"],
        free=line["flag"],
        stake_haler=line["amount"],
    )
    if action.type in games.ADDITIONAL_WAGERS:
        before = tuple(course.decisions)
        course.raises.append(Raise(line["position"], action, before, course.cards_in_order()))
    course.decisions.append(action)


def _reconstructed(course: RoundCourse, line: Mapping[str, Any]) -> None:
    course.is_reconstructed = line["flag"]


def _resulted(course: RoundCourse, line: Mapping[str, Any]) -> None:
    if not course.resulted_position:
        course.resulted_position, course.outcome = line["position"], line["text"]
        course.landed = (course.spin, course.number)


def _voided(course: RoundCourse, _: Mapping[str, Any]) -> None:
    course.is_voided = not course.resulted_position


CHANGES: dict[str, Callable[[RoundCourse, Mapping[str, Any]], None]] = {
    "RoundOpened": _opened,
    "BetPlaced": _placed,
    "BetConcluded": _concluded,
    "BetVoided": _bet_voided,
    "BetWithdrawn": _given_back,
    "BetReturned": _given_back,
    "CardDealt": _dealt,
    "CardRevealed": _seen,
    "CardRecordCorrected": _seen,
    "PlayerDecided": _decided,
    "WheelStopped": _stopped,
    "WheelSpun": _spun,
    "SpinDeclaredInvalid": _spin_invalid,
    "BallLanded": _ball,
    "RoundReconstructed": _reconstructed,
    "RoundResulted": _resulted,
    "RoundVoided": _voided,
    "BetSettled": _settled,
}


LINE = {
    "position": 0, "recorded_at": 0, "bet": "", "account": "", "table": "", "code": "", "text": "",
    "box": "", "amount": 0, "due": 0, "number": 0, "flag": False, "parent": "",
}  # fmt: skip
"""A line of the view ``round_lines`` that says nothing."""
# fmt: off
FIELDS: dict[str, dict[str, str]] = {
    "RoundOpened": {"code": "game", "text": "plan_version", "flag": "streamed"},
    "BetPlaced": {"code": "bet_code", "text": "selection", "amount": "stake"},
    "WheelSpun": {"number": "revolutions"},
    "RoundReconstructed": {"flag": "succeeded"},
    "RoundResulted": {"text": "outcome", "flag": "streamed"},
    "BetSettled": {"text": "result", "amount": "paid"},
    "CardDealt": {"number": "index", "code": "recipient", "text": "card", "flag": "face_up"},
    "CardRevealed": {"number": "index", "text": "card"},
    "CardRecordCorrected": {"number": "index", "text": "actual"},
    "WheelStopped": {"text": "field"},
    "PlayerDecided": {
        "code": "decision", "text": "hand", "box": "by", "table": "street", "number": "times",
        "flag": "free", "amount": "stake",
    },
}
# fmt: on
"""Columns of ``round_lines`` that have another name than the field they show."""


def line_of(
    event: str, position: int, recorded_at: int, facts: Mapping[str, Any]
) -> dict[str, Any]:
    """Make the line of an event from its facts, as the view ``round_lines`` does."""
    fields = FIELDS.get(event, {})
    line = {name: facts.get(fields.get(name, name), empty) for name, empty in LINE.items()}
    if event == "WheelSpun":
        line["flag"] = facts["wheel_direction"] == facts["ball_direction"]
    return {**line, "event": event, "position": position, "recorded_at": recorded_at}
