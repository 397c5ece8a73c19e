"""The payout table of poker tournaments: the share of the prize pool of each place.

A table is a file next to the plans, one line per column: number of entries as printed, then the
percentages from the first place on. A plan names the file together with its digest, so a plan
version defines exactly one table. Percentages are stored in hundredths of a percent.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Code, SettlementError
from ledger.games.api.plan_table import PlanError, PlanTable
from ledger.games.api.typed import ShapeError, Text

WHOLE = 10_000
_FILE_NAME = re.compile(r"[0-9a-z_.@-]+\.csv")
_COLUMN = re.compile(r"([0-9]{1,6})-([0-9]{1,6})((?:,[0-9]{1,3}\.[0-9]{2})+)")


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `shares` from the first place on, in hundredths of a percent."""

    head: str
    entries_min: int
    entries_max: int
    shares: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PayoutTable:
    """All columns in the order of the source."""

    columns: tuple[Column, ...]

    def column(self, entries: int) -> Column:
        """Return the first matching column, so nine entries are in 6-9 and not in 9-15.

        Raises:
            SettlementError: ENTRIES_OUT_OF_TABLE.

        """
        for column in self.columns:
            if column.entries_min <= entries <= column.entries_max:
                return column
        raise SettlementError(
            Code.ENTRIES_OUT_OF_TABLE, Phrase("ENTRIES_WITHOUT_COLUMN", count=entries)
        )


class PayoutFile(PlanTable, frozen=True):
    """The file of a table, and the digest of its bytes."""

    file: Text
    sha256: Text

    def read(self) -> PayoutTable:
        """Read the table.

        Raises:
            ShapeError: the file does not exist, has another digest, or is not a table.

        """
        file = files("ledger.games").joinpath("plan_data", self.file)
        if _FILE_NAME.fullmatch(self.file) is None or not file.is_file():
            raise ShapeError(".payouts.file", "is not a payout table beside the plans")
        content = file.read_bytes()
        if hashlib.sha256(content).hexdigest() != self.sha256:
            raise ShapeError(".payouts.sha256", "is not the digest of the payout table")
        return parse_payouts(content.decode(), self.file)


def parse_payouts(content: str, where: str) -> PayoutTable:
    """Parse a table.

    Raises:
        PlanError: a line is not a column, a column pays out nothing, or there is none.

    """
    columns = []
    for line in content.splitlines():
        found = _COLUMN.fullmatch(line)
        if found is None:
            raise PlanError(where, f"has a line that is no column: {line[:40]!r}")
        low, high, shares = int(found[1]), int(found[2]), found[3].split(",")[1:]
        columns.append(
            Column(
                f"{found[1]}-{found[2]}",
                low,
                high,
                tuple(int(share.replace(".", "")) for share in shares),
            )
        )
    if not columns:
        raise PlanError(where, "has no column")
    return PayoutTable(tuple(columns))
