"""Which statements of one account go on from each other, and so stand side by side on one day.

What comes in: statements with their days, numbers and balances. What goes out: whether two whose
periods overlap are two parts of one sequence, or say the same money twice. Banks close several
statements in a day, and weekly ones share a day with the next; a correction has the number of what
it corrects, or begins with its balance.
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

__all__ = ["Linked", "Links", "account_key", "is_of_other_account", "is_same_account"]


class Linked(NamedTuple):
    """A statement as far as its place in the sequence depends on it."""

    name: str
    first_day: date
    last_day: date
    number: str
    opening: int | None
    closing: int | None

    def overlaps(self, other: Linked) -> bool:
        """Return whether the two have a day in common."""
        return self.first_day <= other.last_day and other.first_day <= self.last_day

    def is_followed_by(self, other: Linked) -> bool:
        """Return whether the other one begins with the balance that this one ends with."""
        if self.closing is None or self.closing != other.opening:
            return False
        if other.first_day < self.first_day or other.last_day < self.last_day:
            return False
        if self.number and self.number == other.number:
            return False
        if self.number.isdecimal() and other.number.isdecimal():
            is_new_year = self.first_day.year < other.last_day.year
            return is_new_year or int(self.number) < int(other.number)
        return True

    def repeats(self, other: Linked) -> bool:
        """Return whether the two may be the same statement: by number, or by both balances."""
        if self.number and other.number:
            return self.number == other.number
        return (self.opening, self.closing) == (other.opening, other.closing)


class Links:
    """Which of some statements follow each other without a gap between their balances."""

    def __init__(self, statements: Iterable[Linked]) -> None:
        """Take all statements of an issuer that count, old and new."""
        self._all = list(statements)
        self._by_opening: dict[int, list[Linked]] = {}
        for one in self._all:
            if one.opening is not None:
                self._by_opening.setdefault(one.opening, []).append(one)

    def are_apart(self, one: Linked, other: Linked) -> bool:
        """Return whether two statements cannot hold the same lines.

        Either they have no day in common, or one leads to the other by balances and numbers.
        """
        if not one.overlaps(other):
            return True
        if one.repeats(other):
            return False
        return self._leads(one, other) or self._leads(other, one)

    def repeated(self) -> Iterator[tuple[Linked, Linked]]:
        """Yield the pairs of statements that may hold the same lines."""
        ordered = sorted(self._all, key=lambda one: one.first_day)
        for one, other in combinations(ordered, 2):
            if not self.are_apart(one, other):
                yield one, other

    def _leads(self, one: Linked, other: Linked) -> bool:
        """Return whether a sequence of statements leads from one to the other."""
        seen, left = {one.name}, [one]
        while left:
            at = left.pop()
            for following in self._by_opening.get(at.closing, ()) if at.closing is not None else ():
                if following.name in seen or not at.is_followed_by(following):
                    continue
                if following.name == other.name:
                    return True
                if following.first_day <= other.last_day:
                    seen.add(following.name)
                    left.append(following)
        return False


@lru_cache(maxsize=4096)
def account_key(text: str) -> str:
    """Write an account in one form, ``prefix-number/bank``: a Czech IBAN, ``bank/number``, too."""
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
    """Compare accounts, also where a file leaves out the bank and fills up with zeros."""
    one, other = account_key(ours), account_key(theirs)
    ours_alone = one.partition("/")[0]
    if one == other or "/" in other or not ours_alone.replace("-", "").isdigit():
        return one == other
    prefix, _, number = ours_alone.partition("-")
    digits = f"{int(prefix):06d}{int(number):010d}" if number else one
    return other.replace("-", "").lstrip("0") == digits.lstrip("0")


def is_of_other_account(settings: str, currency: str, others: str, other_currency: str) -> bool:
    """Return whether two issuers take other statements out of the same file.

    They do where their settings name different accounts, or different currencies.
    """
    one, other = _account_in(settings), _account_in(others)
    if currency != other_currency:
        return True
    return bool(one and other) and not (is_same_account(one, other) or is_same_account(other, one))


def _account_in(settings: str) -> str:
    try:
        found = json.loads(settings)
    except ValueError:
        return ""
    account = found.get("account", "") if isinstance(found, dict) else ""
    return account if isinstance(account, str) else ""
