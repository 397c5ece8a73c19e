"""What tests of pictures share: pictures read back, and a simulated evening of all games."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from projections.questions.continuous_play import Sequence

if TYPE_CHECKING:
    from projections.replay.round import Replay

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"circle", "desc", "ellipse", "g", "path", "rect", "svg", "text", "title"}
FORBIDDEN = re.compile(r"style=|href|url\(|<script|\bon[a-z]+=|<!|<\?|javascript:", re.IGNORECASE)


def read_back(picture: str) -> ET.Element:
    """Parse a picture that may stand in any page, or fail."""
    root = ET.fromstring(picture)  # noqa: S314 - our own, which is the question
    assert {one.tag.removeprefix(SVG) for one in root.iter()} <= ALLOWED
    markup = re.sub(r">[^<]*<", "><", picture)
    assert not FORBIDDEN.search(re.sub(r'"[^"]*"', '""', markup))
    assert root.get("role") == "img"
    named = {one.get("id"): one.text for one in root.iter() if one.get("id")}
    assert named[root.get("aria-labelledby")]
    assert named[root.get("aria-describedby")]
    return root


def values(root: ET.Element, attribute: str) -> Counter[str]:
    """Count the values of a data attribute."""
    return Counter(found for one in root.iter() if (found := one.get(f"data-{attribute}")))


def texts(root: ET.Element) -> list[str]:
    """Return all texts that are seen."""
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def faces(root: ET.Element) -> dict[str, str]:
    """Return the cards by their place in the deal."""
    return {
        found: one.get("data-face", "")
        for one in root.iter()
        if (found := one.get("data-card")) is not None
    }


def bets_recorded(replay: Replay) -> set[str]:
    """Return the bets of a round; of a hand among players, each player's money in it."""
    kinds = {"BetPlaced", "HandAction"}
    return {fact.facts["bet"] for fact in replay.facts if fact.event in kinds}


def cards_recorded(replay: Replay) -> dict[str, str]:
    """Return the last face of every card of a round, by its place in the deal."""
    found: dict[str, str] = {}
    for fact in replay.facts:
        if fact.event in {"CardDealt", "CardRevealed"}:
            found[str(fact.facts["index"])] = fact.facts["card"]
        elif fact.event == "CardRecordCorrected":
            found[str(fact.facts["index"])] = fact.facts["actual"]
    return found


def sequence(started_at: int, ended_at: int, break_until: int | None = None) -> Sequence:
    """A sequence of continuous play of one account."""
    return Sequence("a", 1, started_at, ended_at, 0, ended_at - started_at, 1, 1, break_until)
