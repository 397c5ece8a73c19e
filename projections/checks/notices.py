# needs = ["CancellationConfirmed"]
#
# [NOTICE_INCOMPLETE]
# name.en = "Notice of a cancellation incomplete"
# name.cs = "Neúplná výpověď nebo potvrzení"
# text.en = "The notice of the cancellation is not complete: {detail:phrase}."
# text.cs = "Výpověď nebo potvrzení o zrušení konta není úplné: {detail}."
# paragraph = "ZHH (user account)"

"""Find incomplete notices of a cancellation, and those not sent to a registered e-mail address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.checks import CheckInput

__all__ = ["find"]

NOTICE_PARTS = {
    "ground": "NOTICE_WITHOUT_GROUND",
    "objection": "NOTICE_WITHOUT_OBJECTION",
    "email_address": "NOTICE_WITHOUT_EMAIL_ADDRESS",
    "postal_address": "NOTICE_WITHOUT_POSTAL_ADDRESS",
}
"""Required parts of a notice of the operator, each with the code of the detail if it is missing."""


MISSING = NOTICE_PARTS | {
    "way": "NOTICE_NOT_BY_EMAIL",
    "registered": "NO_EMAIL_REGISTERED",
}


NOTICES = """
WITH
    requests AS
    (
        SELECT account, position, by FROM CancellationRequested WHERE position < {size:Int64}
    ),
    addresses AS
    (
        SELECT account, position, email
        FROM AccountOpened
        WHERE position < {size:Int64} AND email != ''
        UNION ALL
        SELECT account, position, email
        FROM PersonChanged
        WHERE position < {size:Int64} AND email != ''
    ),
    notices AS
    (
        SELECT
            sent.account AS account, sent.position AS position, requests.by AS by, way, parts
        FROM (SELECT * FROM CancellationConfirmed WHERE position < {size:Int64}) AS sent
        ASOF LEFT JOIN requests
            ON sent.account = requests.account AND sent.position > requests.position
    )
SELECT
    notices.account AS account, notices.position AS position,
    arrayConcat(
        if(by = 'operator', arrayFilter(part -> NOT has(parts, part), {parts:Array(String)}), []),
        if(way = 'email', [], ['way']),
        if(addresses.email = '', ['registered'], [])) AS missing
FROM notices
ASOF LEFT JOIN addresses
    ON notices.account = addresses.account AND notices.position > addresses.position
WHERE notEmpty(missing)"""


def find(of: CheckInput) -> Iterable[DetectedFinding]:
    """Find incomplete notices, and those not sent to a registered e-mail address.

    A notice of the operator must have all parts (SAZKA 12(3)); a receipt of the participant's own
    request must be sent by e-mail, too (SAZKA 12(4)).
    """
    return [
        DetectedFinding(
            "NOTICE_INCOMPLETE",
            position=row["position"],
            account=row["account"],
            detail=Phrase(MISSING[missing]),
            about=missing,
        )
        for row in of.store.rows(NOTICES, size=of.size, parts=list(NOTICE_PARTS))
        for missing in row["missing"]
    ]
