"""The course of a round, followed line by line in the order of the chain.

What comes in: rows of the view ``round_lines``, or facts in their shape. What goes out: what
settling the round again needs. The fold never refuses: what is in the log happened.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["BetCourse", "RoundCourse", "follow", "line_of"]


@dataclass(slots=True)
class BetCourse:
    """One bet of a round; what was recorded of its settlement, money in haléř."""

    bet: str
    account: str
    box: str
    code: str
    selection: str
    stake: int
    is_concluded: bool = False
    is_voided: bool = False
    settled_position: int = 0
    result: str = ""
    due: int = 0
    paid: int = 0


@dataclass(slots=True)
class RoundCourse:
    """One round so far.

    ``in_play`` counts concluded bets without settlement or void. ``spin`` is what became of
    the last spin: none, running, landed or invalid.
    """

    round: str
    game: str = ""
    plan_version: str = ""
    table: str = ""
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

    @property
    def is_finished(self) -> bool:
        """Is nothing open any more?"""
        return self.is_voided or bool(self.resulted_position and self.in_play <= 0)

    def wagers(self) -> list[BetCourse]:
        """Give the bets that the result decides."""
        return [bet for bet in self.bets.values() if bet.is_concluded and not bet.is_voided]


def follow(course: RoundCourse, line: Mapping[str, Any]) -> None:
    """Move the course of a round forward by one of its lines."""
    change = CHANGES.get(line["event"])
    if change is not None:
        change(course, line)


def _opened(course: RoundCourse, line: Mapping[str, Any]) -> None:
    if not course.opened_position:
        course.game, course.plan_version = line["code"], line["text"]
        course.table, course.opened_at = line["table"], line["recorded_at"]
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
        )


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
    "box": "", "amount": 0, "due": 0, "number": 0, "flag": False,
}  # fmt: skip
"""A line of the view ``round_lines`` that says nothing."""
FIELDS: dict[str, dict[str, str]] = {
    "RoundOpened": {"code": "game", "text": "plan_version", "flag": "streamed"},
    "BetPlaced": {"code": "bet_code", "text": "selection", "amount": "stake"},
    "WheelSpun": {"number": "revolutions"},
    "RoundReconstructed": {"flag": "succeeded"},
    "RoundResulted": {"text": "outcome", "flag": "streamed"},
    "BetSettled": {"text": "result", "amount": "paid"},
}
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
