"""Determine which statements of one account continue each other and so may share a day.

What comes in: statements with their days, numbers and balances. What goes out: whether two
statements whose periods overlap are parts of one sequence, or may contain the same lines twice.
Banks close several statements in a day, and a weekly statement shares a day with the next one; a
correction has the number of the statement that it corrects, or begins with its balance. A statement
that ends with the balance with which it begins fits before, behind and inside any other one, so
that only its number shows that it follows.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

__all__ = [
    "ReadSettings",
    "SequencedStatement",
    "StatementSequence",
    "account_key",
    "are_of_other_lines",
    "is_same_account",
]

TABLES = frozenset({"csv", "jsonl", "xlsx"})
"""Formats that do not name the account of their lines."""


class ReadSettings(NamedTuple):
    """How a file was read: its format, and currency and settings of its issuer."""

    format: str
    currency: str
    settings: str


class SequencedStatement(NamedTuple):
    """The properties of a statement that determine its position in the sequence."""

    name: str
    first_day: date
    last_day: date
    number: str
    opening: int | None
    closing: int | None

    def overlaps(self, other: SequencedStatement) -> bool:
        """Return whether two statements have a day in common."""
        return self.first_day <= other.last_day and other.first_day <= self.last_day

    def is_followed_by(self, other: SequencedStatement) -> bool:
        """Return whether the other statement begins with the balance with which this one ends."""
        if self.closing is None or self.closing != other.opening:
            return False
        if other.first_day < self.first_day or other.last_day < self.last_day:
            return False
        if self.number and self.number == other.number:
            return False
        may_be_inside = self.overlaps(other) and (self.is_even or other.is_even)
        if not self._is_numbered(other):
            return not may_be_inside
        if self.first_day.year < other.last_day.year:
            return not may_be_inside or int(other.number) == 1
        ahead = int(other.number) - int(self.number)
        return ahead == 1 if may_be_inside else ahead > 0

    @property
    def is_even(self) -> bool:
        """Return whether it ends with the balance with which it begins."""
        return self.opening is not None and self.opening == self.closing

    def repeats(self, other: SequencedStatement) -> bool:
        """Return whether two statements may be the same, by their number or by both balances.

        Of two that are not counted, a name that differs shows nothing: a file that is sent again
        may have another one.
        """
        if self._is_numbered(other) or (self.number and self.number == other.number):
            return self.number == other.number
        return (self.opening, self.closing) == (other.opening, other.closing)

    def _is_numbered(self, other: SequencedStatement) -> bool:
        """Return whether both have a number that counts statements."""
        return self.number.isdecimal() and other.number.isdecimal()


class StatementSequence:
    """The sequence of some statements: which follow each other without a gap in their balances."""

    def __init__(self, statements: Iterable[SequencedStatement]) -> None:
        """Build the sequence from all statements of an issuer that are in force, old and new."""
        self._all = list(statements)
        self._by_opening: dict[int, list[SequencedStatement]] = {}
        for statement in self._all:
            if statement.opening is not None:
                self._by_opening.setdefault(statement.opening, []).append(statement)

    def are_disjoint(self, first: SequencedStatement, second: SequencedStatement) -> bool:
        """Return whether two statements cannot contain the same lines.

        That is so if they have no day in common, or if balances and numbers lead from one to the
        other.
        """
        if not first.overlaps(second):
            return True
        if first.repeats(second):
            return False
        return self._leads_to(first, second) or self._leads_to(second, first)

    def overlapping_pairs(self) -> Iterator[tuple[SequencedStatement, SequencedStatement]]:
        """Yield the pairs of statements that may contain the same lines."""
        ordered = sorted(self._all, key=lambda first: first.first_day)
        for first, second in combinations(ordered, 2):
            if not self.are_disjoint(first, second):
                yield first, second

    def _leads_to(self, start: SequencedStatement, target: SequencedStatement) -> bool:
        """Return whether a sequence of statements leads from one to the other."""
        seen, left = {start.name}, [start]
        while left:
            at = left.pop()
            for following in self._by_opening.get(at.closing, ()) if at.closing is not None else ():
                if following.name in seen or not at.is_followed_by(following):
                    continue
                if following.name == target.name:
                    return True
                if following.first_day <= target.last_day:
                    seen.add(following.name)
                    left.append(following)
        return False


@lru_cache(maxsize=4096)
def account_key(text: str) -> str:
    """Return an account number in one form, ``prefix-number/bank``.

    Accepts a Czech IBAN and ``bank/number``, too.
    """
    plain = re.sub(r"\s", "", text).upper()
    if iban := re.fullmatch(r"CZ\d{2}(\d{4})(\d{6})(\d{10})", plain, re.ASCII):
        bank, prefix, number = iban.groups()
    elif domestic := re.fullmatch(r"(?:(\d{1,6})-)?(\d{1,10})/(\d{4})", plain, re.ASCII):
        prefix, number, bank = domestic.groups()
    elif swift := re.fullmatch(r"(\d{4})/(?:(\d{1,6})-)?(\d{1,16})", plain, re.ASCII):
        bank, prefix, number = swift.groups()
        prefix, number = prefix or number[:-10], number[-10:]
    else:
        return plain
    return f"{int(prefix or 0)}-{int(number)}/{bank}"


def is_same_account(ours: str, theirs: str) -> bool:
    """Compare account numbers, even if a file omits the bank code or pads with zeros."""
    our_key, their_key = account_key(ours), account_key(theirs)
    if our_key == their_key or "/" in their_key:
        return our_key == their_key
    return _is_same_number(our_key, their_key)


def _is_same_number(one: str, other: str) -> bool:
    """Compare the digits of account numbers, whatever their banks."""
    digits, others = _digits_of(one), _digits_of(other)
    return digits == others and digits.isdigit()


def _digits_of(account: str) -> str:
    """Return prefix and number, which has ten digits behind a prefix, without zeros in front."""
    prefix, dash, number = account_key(account).partition("/")[0].rpartition("-")
    return (f"{prefix}{number:0>10}" if dash else number).lstrip("0")


def are_of_other_lines(one: ReadSettings, other: ReadSettings) -> bool:
    """Return whether two issuers read different lines from the same file, as far as settings show.

    A table names no account, so that only a column of currencies separates its lines. ABO/GPC names
    an account without its bank and its currency, and the other formats name all of it.
    """
    if one.format != other.format:
        return False
    mine, others = _content_of(one.settings), _content_of(other.settings)
    if one.format in TABLES:
        column = mine.currency_column
        is_separated = bool(column) and column == others.currency_column
        return is_separated and one.currency != other.currency
    is_named = bool(mine.account and others.account)
    if one.format == "gpc":
        return is_named and not _is_same_number(mine.account, others.account)
    if one.currency != other.currency:
        return True
    return is_named and not (
        is_same_account(mine.account, others.account)
        or is_same_account(others.account, mine.account)
    )


class _Content(NamedTuple):
    """What the settings of an issuer say about the lines that it reads."""

    account: str = ""
    currency_column: str = ""


def _content_of(settings: str) -> _Content:
    try:
        content = json.loads(settings)
    except ValueError:
        return _Content()
    if not isinstance(content, dict):
        return _Content()
    account, columns = content.get("account"), content.get("columns")
    column = columns.get("currency") if isinstance(columns, dict) else None
    return _Content(*(text if isinstance(text, str) else "" for text in (account, column)))
