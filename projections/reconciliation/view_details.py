"""Convert the details of findings from SQL views into phrases and numbers.

What comes in: rows of the views of findings (``projections/sql``). ``detail`` is the text for
readers of SQL; where it consists of several values, ``parts`` holds them. What goes out: the detail
of :class:`projections.findings.finding.DetectedFinding`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.phrases import Phrase

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["detail_of"]

PLACES = {"table": "AT_TABLE", "game": "OF_GAME"}


def detail_of(row: Mapping[str, Any]) -> Any:
    """Return the detail of a row of a view, in the type of its placeholder in the sentence."""
    code = row["code"]
    if code in OF_PARTS:
        return OF_PARTS[code](*row["parts"])
    return OF_TEXT.get(code, str)(row["detail"])


def _against(code: str) -> Callable[[str, str], Phrase]:
    return lambda recorded, right: Phrase(code, recorded=int(recorded), right=int(right))


def _two_tables(table: str, other: str) -> Phrase:
    return Phrase("TABLE_BESIDE", table=table, other=other)


def _minutes(count: str) -> Phrase:
    return Phrase("AFTER_MINUTES", count=int(count))


def _parts(count: str, due: str) -> Phrase:
    return Phrase("PARTS_OF", count=int(count), due=int(due))


def _statement(figure: str, recorded: str, right: str) -> Phrase:
    return _against(f"STATEMENT_{figure.upper()}")(recorded, right)


def _suspended(place: str) -> Phrase:
    kind, _, name = place.partition(" ")
    return Phrase(PLACES[kind], **{kind: name})


def _occasion(name: str) -> Phrase:
    return Phrase(f"OCCASION_{name.upper()}")


def _excluded(ground: str) -> Phrase:
    return Phrase("GROUND_OF_EXCLUSION", ground=ground)


OF_PARTS: dict[str, Callable[..., Phrase]] = {
    "PRISON_DECIDED_WRONG": _against("COUNT_AGAINST"),
    "CLOSE_MISCOUNTED": _against("BETS_OF_CLOSE"),
    "TWO_TABLES": _two_tables,
    "BREAK_VIOLATED": _minutes,
    "LOGIN_TIME_PASSED": _parts,
    "PAUSE_VIOLATED": _parts,
    "STATEMENT_WRONG": _statement,
}
OF_TEXT: dict[str, Callable[[str], Any]] = {
    "BET_WHILE_SUSPENDED": _suspended,
    "BET_WHILE_EXCLUDED": _excluded,
    "DEPOSIT_WHILE_EXCLUDED": _excluded,
    "REGISTER_NOT_ASKED": _occasion,
    "LISTED_LET_IN": _occasion,
    "CASH_WITHOUT_DOCUMENT": _occasion,
    "CASH_LIMIT_PASSED": lambda direction: Phrase(f"CASH_{direction.upper()}"),
    "DATA_MISSING": lambda missing: tuple(missing.split(", ")),
    "LOGINS_PASSED": int,
}
