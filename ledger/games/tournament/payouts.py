"""The payout table of poker tournaments: the share of the prize pool for each place.

A plan gives one line per column: the number of entries as printed, then the percentages from the
first place on. Percentages are stored in hundredths of a percent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Code, SettlementError
from ledger.games.api.plan_table import PlanTable
from ledger.games.api.typed import ShapeError, Text

WHOLE = 10_000
_COLUMN = re.compile(r"([0-9]{1,6})-([0-9]{1,6})((?:,[0-9]{1,3}\.[0-9]{2})+)")


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table; `shares` from the first place on, in hundredths of a percent."""

    head: str
    entries_min: int
    entries_max: int
    shares: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PayoutTable:
    """All columns in the order of the source."""

    columns: tuple[Column, ...]

    def column(self, entries: int) -> Column:
        """Return the first column for a number of entries: nine entries are in 6-9, not in 9-15.

        Raises:
            SettlementError: ENTRIES_OUT_OF_TABLE.

        """
        for column in self.columns:
            if column.entries_min <= entries <= column.entries_max:
                return column
        raise SettlementError(
            Code.ENTRIES_OUT_OF_TABLE, Phrase("ENTRIES_WITHOUT_COLUMN", count=entries)
        )


class PayoutLines(PlanTable, frozen=True):
    """The columns as a plan gives them, such as "6-9,70.00,30.00"."""

    columns: tuple[Text, ...]

    def read(self) -> PayoutTable:
        """Parse the table.

        Raises:
            ShapeError: a line is not a column, or there is none.

        """
        if not self.columns:
            raise ShapeError(".payouts.columns", "has no column")
        return PayoutTable(tuple(map(_column, self.columns)))


def _column(line: str) -> Column:
    match = _COLUMN.fullmatch(line)
    if match is None:
        raise ShapeError(".payouts.columns", f"has a line that is no column: {line[:40]!r}")
    low, high, shares = int(match[1]), int(match[2]), match[3].split(",")[1:]
    return Column(
        f"{match[1]}-{match[2]}", low, high, tuple(int(share.replace(".", "")) for share in shares)
    )
