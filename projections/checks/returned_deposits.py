# needs = ["DepositReturned"]
# reads = ["DepositCredited", "DepositRefused"]
#
# [DEPOSIT_RETURNED_WRONG]
# name.en = "Deposit sent back otherwise than it came"
# name.cs = "Vklad vrácen jinak, než přišel"
# text.en = """\
#   The deposit was sent back otherwise than it came, the amount by {amount:money}: \
#   {detail:phrase}."""
# text.cs = "Vklad byl vrácen jinak, než přišel, částka s rozdílem {amount}: {detail}."
# paragraph = "ZHH 78"

"""Find deposits that were sent back in part, or by another means of payment (SAZKA 10(3)).

What comes in: deposits, credited or refused, with their returns, below a position. Several returns
of a deposit count together. A return without a deposit is found by the statement of the bank.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

RETURNS = """
WITH
    came AS
    (
        SELECT
            account, deposit, argMin(amount, position) AS amount, argMin(method, position) AS method
        FROM
        (
            SELECT account, deposit, amount, method, position
            FROM DepositCredited
            WHERE position < {size:Int64}
            UNION ALL
            SELECT account, deposit, amount, method, position
            FROM DepositRefused
            WHERE position < {size:Int64} AND received
        )
        GROUP BY account, deposit
    ),
    returned AS
    (
        SELECT
            account, deposit, sum(back.amount) AS amount, max(back.position) AS position,
            argMax(back.method, back.position) AS method
        FROM DepositReturned AS back
        WHERE back.position < {size:Int64}
        GROUP BY account, deposit
    )
SELECT
    returned.position AS position, returned.account AS account, returned.deposit AS deposit,
    came.amount - returned.amount AS missing, came.method AS due_method, returned.method AS method
FROM returned
INNER JOIN came ON returned.account = came.account AND returned.deposit = came.deposit
WHERE missing != 0 OR due_method != method"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find such returns, one for each deposit."""
    for row in of.store.rows(RETURNS, size=of.size):
        yield DetectedFinding(
            "DEPOSIT_RETURNED_WRONG",
            position=row["position"],
            account=row["account"],
            amount=abs(row["missing"]),
            detail=Phrase("VALUE_AGAINST", recorded=row["method"], right=row["due_method"]),
            about=row["deposit"],
        )
