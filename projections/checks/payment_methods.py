# needs = ["PaymentMethodRegistered"]
#
# [METHOD_ISSUER_OUTSIDE]
# name.en = "Means of payment from outside the EEA"
# name.cs = "Platební prostředek vydaný mimo EHP"
# text.en = "The means of payment was issued outside the European Economic Area: {detail:phrase}."
# text.cs = "Platební prostředek byl vydán mimo Evropský hospodářský prostor: {detail}."
#
# [METHOD_NOT_PROVED]
# name.en = "Ownership of a means of payment not proved"
# name.cs = "Vlastnictví platebního prostředku nebylo prokázáno"
# text.en = "Ownership of means of payment {detail} was declared and not proved."
# text.cs = "Vlastnictví platebního prostředku {detail} bylo jen prohlášeno, nikoli doloženo."

"""Find means of payment from outside the EEA, or declared without proof (SAZKA 8(6)-(9))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.rules.law import EEA
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.checks import CheckInput

__all__ = ["find"]

METHODS = """
SELECT position, account, method, country, verified_how
FROM PaymentMethodRegistered
WHERE position < {size:Int64}
    AND (verified_how = 'declaration' OR NOT has({eea:Array(String)}, country))"""


def find(of: CheckInput) -> Iterable[DetectedFinding]:
    """Find means of payment from outside the EEA, or declared without proof (SAZKA 8(6)-(9))."""
    found = []
    for row in of.store.rows(METHODS, size=of.size, eea=sorted(EEA)):
        place = {"position": row["position"], "account": row["account"]}
        if row["country"] not in EEA:
            detail = Phrase("ISSUER_OF_METHOD", method=row["method"], country=row["country"])
            found.append(DetectedFinding("METHOD_ISSUER_OUTSIDE", detail=detail, **place))
        if row["verified_how"] == "declaration":
            found.append(DetectedFinding("METHOD_NOT_PROVED", detail=row["method"], **place))
    return found
