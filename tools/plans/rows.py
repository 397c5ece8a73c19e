"""Game plans as human-readable rows: bets, rules in force, payout tables, readings.

The rows are derived from the data files alone, so `gameledger games show` and `docs/games.md` show
exactly what is settled. The comment above a table of a file names its paragraphs and is shown next
to its rules. An ambiguous rule of a plan names the key that selects its reading; `switches` finds
the key's value.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger import games

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BetRow", "PlanFile", "ReadingRow", "RuleRow", "load"]

Document = dict[str, Any]

_HEADER = {"game", "version", "family", "name", "source", "streamed", "rules", "void_reasons"}
_BET_TABLES = ("bets", "fields")
_ELSEWHERE = {*_HEADER, *_BET_TABLES, "readings", "odds", "payouts"}
_TABLE = re.compile(r"\[\[?([a-z0-9_.\"+]+)\]\]?")
_KEY = re.compile(r"[a-z0-9_+]+(?:\.[a-z0-9_+]+)+")
_PER_ONE = ":1"


class BetRow(NamedTuple):
    """One bet, or one combination of a bet that has several prices."""

    bet: str
    pays: str
    minimum: str
    maximum: str
    placed: str
    paragraph: str


class RuleRow(NamedTuple):
    """One rule in force, by the key that sets it, with the paragraphs named above its table."""

    key: str
    value: str
    note: str


class ReadingRow(NamedTuple):
    """An ambiguous provision, its reading, and the keys that select the reading."""

    paragraph: str
    question: str
    taken: str
    switch: str


class PlanFile:
    """An opened data file."""

    def __init__(self, game: str, version: str | None = None) -> None:
        """Open the plan of a game, its newest version by default; raises `UnknownGameError`."""
        self.header = games.plan(game, version).header
        self.text = games.document(game, self.header.version)
        self.document: Document = tomllib.loads(self.text)

    def bets(self) -> list[BetRow]:
        """Return the bets, with prices and limits."""
        offered: list[tuple[str, Document]] = []
        for table in _BET_TABLES:
            offered += self.document.get(table, {}).items()
        offered += [
            (name, table)
            for name, table in self.document.items()
            if name not in _ELSEWHERE and isinstance(table, dict) and "pays" in table
        ]
        return [row for code, bet in offered for row in self._bet(code, bet)]

    def rules(self) -> list[RuleRow]:
        """Return all other keys of the file with their values; a note is given once a table."""
        notes, rows = self._notes(), []
        for table, content in self.document.items():
            if table in _ELSEWHERE or not isinstance(content, dict):
                continue
            said = ""
            for key, value in _flat(content, table):
                if key.rpartition(".")[2] not in {"rule", "pays"} and ".pays." not in key:
                    holder = key.rpartition(".")[0]
                    note = notes.get(holder) or notes.get(table) or content.get("rule", "")
                    rows.append(RuleRow(key, value, "" if note == said else note))
                    said = note
        return rows

    def payouts(self) -> list[tuple[str, str]]:
        """List the columns of a tournament's payout table: entries, percent by place."""
        table = self.document.get("payouts")
        if table is None:
            return []
        columns = map(_column, table["columns"])
        return [(head, shares.replace(",", ", ")) for head, _, shares in columns]

    def readings(self) -> list[ReadingRow]:
        """Return the ambiguous provisions of the source."""
        return [
            ReadingRow(one.paragraph, one.question, one.taken, "; ".join(self.switches(one.taken)))
            for one in self.header.readings
        ]

    def switches(self, taken: str) -> list[str]:
        """Return the keys that a reading names, with their values; tables are left out."""
        found = []
        for key in _KEY.findall(taken):
            value: Any = self.document
            for part in key.split("."):
                value = value.get(part) if isinstance(value, dict) else None
            if value is not None:
                found.append(key if isinstance(value, dict) else f"{key} = {_shown(value)}")
        return found

    def _bet(self, code: str, bet: Document) -> Iterator[BetRow]:
        """Return the rows of one bet; one with several prices has a row for each."""
        limits = self.document.get("limits", {})
        position_maximum = "" if "form" in bet else limits.get("position_maximum", "")
        minimum, maximum = bet.get("minimum", ""), bet.get("maximum", position_maximum)
        pays, name = bet.get("pays", ""), code.replace("_", " ")
        odds = self.document.get("odds")
        if odds is not None and code == "main":
            pays = {"": odds["win"], "blackjack": odds["blackjack"]}
        if not isinstance(pays, dict):
            pays = {"": f"{pays}{_PER_ONE}" if isinstance(pays, int) else pays}
        for number, (combination, price) in enumerate(pays.items()):
            label = f"{name}: {combination.replace('_', ' ')}" if combination else name
            cited = self.document.get("citations", {}).get(code, self.header.rule_settled)
            rule = "" if number else bet.get("rule", cited)
            if number:
                minimum = maximum = ""
            yield BetRow(label, price, minimum, maximum, _placed(bet), rule)

    def _notes(self) -> dict[str, str]:
        """Find the comment above each table."""
        notes, comment = {}, []
        for line in self.text.splitlines():
            table = _TABLE.fullmatch(line)
            if line.startswith("#"):
                comment.append(line.lstrip("# "))
            elif table and comment:
                notes[table[1].replace('"', "")] = " ".join(comment)
            if not line.startswith("#"):
                comment = []
        return notes


def load(game: str, version: str | None = None) -> PlanFile:
    """Open the plan of a game, its newest version by default; raises `UnknownGameError`."""
    return PlanFile(game, version)


def _column(line: str) -> tuple[str, str, str]:
    return line.partition(",")


def _placed(bet: Document) -> str:
    """Return where the chips of a bet are placed, unless its code already states it."""
    chips = bet.get("chips", [])
    if chips:
        return ", ".join("/".join(map(str, numbers)) for numbers in chips)
    if "count" in bet:
        return f"{bet['count']} of the fields"
    return str(bet.get("form", "")).replace("_", " ")


def _flat(table: Document, prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        path = f"{prefix}.{key}"
        if isinstance(value, dict):
            yield from _flat(value, path)
        else:
            yield path, _shown(value)


def _shown(value: Any) -> str:
    """Format a value of a plan file in one line."""
    match value:
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(f"{key} {_shown(inner)}" for key, inner in value.items())
        case list() if value and isinstance(value[0], dict):
            return "; ".join(map(_shown, value))
        case list() if value and isinstance(value[0], list):
            return ", ".join("/".join(map(str, inner)) for inner in value)
        case list():
            return ", ".join(map(str, value)) or "none"
    return str(value)
