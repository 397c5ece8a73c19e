# needs = ["StatementImported"]
#
# [NOT_IN_BOOKS]
# name.en = "In a statement and not in our books"
# name.cs = "Ve výpisu, nikoli v našich knihách"
# text.en = "{amount:money} stand in a statement and not in our books: {detail:phrase}."
# text.cs = "{amount} je ve výpisu, a není v našich knihách: {detail}."
# paragraph = "act 563/1991 § 8(1)"
#
# [NOT_IN_STATEMENT]
# name.en = "In our books and in no statement"
# name.cs = "V našich knihách, v žádném výpisu"
# text.en = """\
#   {amount:money} stand in our books and in no statement of the days around: {detail:phrase}."""
# text.cs = "{amount} je v našich knihách, a není v žádném výpisu okolních dnů: {detail}."
# paragraph = "act 563/1991 § 8(1)"
#
# [AMOUNT_DIFFERS]
# name.en = "Another amount in a statement"
# name.cs = "Ve výpisu jiná částka"
# text.en = "A statement and our books differ by {amount:money}: {detail:phrase}."
# text.cs = "Výpis a naše knihy se liší o {amount}: {detail}."
# paragraph = "act 563/1991 § 8(1)"
#
# [AMOUNT_TOLERATED]
# name.en = "Difference within the tolerance"
# name.cs = "Rozdíl v mezích tolerance"
# text.en = """\
#   A statement and our books differ by {amount:money}, which is tolerated: {detail:phrase}."""
# text.cs = "Výpis a naše knihy se liší o {amount}, v mezích tolerance: {detail}."
# paragraph = "act 563/1991 § 8(1)"
#
# [AMOUNT_ROUNDED]
# name.en = "Amount rounded in a statement"
# name.cs = "Ve výpisu zaokrouhlená částka"
# text.en = "A statement has our amount rounded, by {amount:money}: {detail:phrase}."
# text.cs = "Výpis uvádí naši částku zaokrouhlenou, o {amount}: {detail}."
# paragraph = "act 563/1991 § 8(1)"
#
# [BOOKED_LATE]
# name.en = "Booked late"
# name.cs = "Zaúčtováno pozdě"
# text.en = "{amount:money} were booked too far from the day of our entry: {detail:phrase}."
# text.cs = "{amount} bylo zaúčtováno příliš daleko ode dne našeho zápisu: {detail}."
# paragraph = "act 563/1991 § 8(1)"
#
# [BOOKED_WRONG_DAY]
# name.en = "Reported on another day"
# name.cs = "Vykázáno k jinému dni"
# text.en = """\
#   A statement has {amount:money} on a day on which they were not played for: {detail:phrase}."""
# text.cs = "Výpis uvádí {amount} ke dni, kdy se o ně nehrálo: {detail}."
# paragraph = "act 563/1991 § 8(1)"
#
# [LINE_DOUBLE]
# name.en = "Twice in a statement"
# name.cs = "Ve výpisu dvakrát"
# text.en = "A statement has {amount:money} once more: {detail:phrase}."
# text.cs = "Výpis uvádí {amount} ještě jednou: {detail}."
# paragraph = "act 563/1991 § 8(1)"
#
# [CHARGED_BACK]
# name.en = "Charged back and not booked"
# name.cs = "Platba vrácena, u nás nezaúčtováno"
# text.en = "{amount:money} went back by a statement and not in our books: {detail:phrase}."
# text.cs = "{amount} se podle výpisu vrátilo, podle našich knih nikoli: {detail}."
# paragraph = "act 563/1991 § 8(1)"
#
# [TOTAL_DIFFERS]
# name.en = "Total that is none"
# name.cs = "Součet nesouhlasí"
# text.en = "A total differs by {amount:money} from what it has to sum up: {detail:phrase}."
# text.cs = "Součet se liší o {amount} od toho, co má shrnovat: {detail}."
# paragraph = "act 563/1991 § 8(1)"

"""Report differences between our books and statements of banks, payment and game providers.

What comes in: the differences of :mod:`projections.matching`. What goes out: one finding for each,
with both sides. The identifier of a finding is derived from our reference, or if there is none from
the issuer's identifier of the line, so that a corrected file with the same content makes no new
finding. Lines that share such an identifier are numbered: each has a finding of its own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from ledger.core.clock import DAY, midnight_after
from ledger.core.phrases import Phrase
from ledger.events.command import NAME_MAX
from projections.findings.finding import DetectedFinding, Side
from projections.matching.match import differences
from projections.matching.values import LineStatus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput
    from projections.matching.values import Difference, Entry, LineInForce

__all__ = ["find"]

OF_FIGURES = {
    (): "IN_STATEMENT",
    ("stake",): "STAKE_IN_STATEMENT",
    ("payment",): "PAYMENT_IN_STATEMENT",
    ("stake", "payment"): "BOTH_IN_STATEMENT",
}
"""Codes of details by the figures that differ."""
AGREEING = frozenset(
    {LineStatus.DOUBLE, LineStatus.CHARGED_BACK, LineStatus.LATE, LineStatus.WRONG_DAY}
)
"""Differences that do not concern amounts: the line's own amount is shown."""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find differences between our books and the statements in force."""
    times: Counter[tuple[str, str]] = Counter()
    for difference in differences(of.store, of.size, of.now, of.rules.figures):
        finding = _finding(difference)
        times[finding.code, finding.about] += 1
        if (number := times[finding.code, finding.about]) > 1:
            finding = replace(finding, about=_bounded(f"{finding.about}:{number}"))
        yield finding


def _finding(difference: Difference) -> DetectedFinding:
    ours, theirs = difference.ours, difference.theirs
    first = ours[0] if ours else None
    figure = _figure(difference)
    sides = _ours(ours, figure) if ours else None, _theirs(theirs, figure) if theirs else None
    amounts = [side.amount for side in sides if side is not None]
    if difference.status in AGREEING:
        amounts = [0, amounts[-1]]
    return DetectedFinding(
        difference.status.value,
        position=first.position if first else theirs[0].position,
        account=first.account if first else theirs[0].account,
        round=first.round if first else "",
        bet=first.reference if first and first.event == "bet" else "",
        amount=abs(amounts[0] - amounts[-1]) if len(amounts) > 1 else abs(amounts[0]),
        detail=_detail(difference),
        about=_about(difference),
        ours=sides[0],
        theirs=sides[1],
        currency=theirs[0].currency if theirs else "",
    )


def _figure(difference: Difference) -> str:
    """Return the figure of a bet or a total that is shown as its amount.

    It is the one that differs, the stake if both do. Where nothing is compared it is the stake, or
    the payment of a line without a stake.
    """
    if difference.figures:
        return "paid" if difference.figures == ("payment",) else "stake"
    shown = difference.theirs or difference.ours
    return "stake" if any(one.stake for one in shown) else "paid"


def _ours(entries: tuple[Entry, ...], figure: str) -> Side:
    one = entries[0]
    return Side(
        reference=one.reference,
        amount=sum(entry.amount or getattr(entry, figure) for entry in entries),
        at=one.at or _midnight(one.day),
        position=one.position,
        count=len(entries),
    )


def _theirs(lines: tuple[LineInForce, ...], figure: str) -> Side:
    one = lines[-1]
    return Side(
        reference=one.their_reference or one.reference,
        amount=sum(line.amount or getattr(line, figure) for line in lines),
        at=_midnight(one.day),
        position=one.position,
        statement=one.statement,
        line=one.line,
        count=len(lines),
    )


def _detail(difference: Difference) -> Phrase:
    """Describe the differing figure or the delay, the issuer, and the recorded rules."""
    issuers = sorted({line.issuer for line in difference.theirs})
    named = difference.ours[0].reference if difference.ours else difference.theirs[0].reference
    place = tuple(filter(None, (*issuers, named)))
    if difference.days_apart:
        detail = Phrase("DAYS_IN_STATEMENT", place=place, days=difference.days_apart)
    else:
        detail = Phrase(OF_FIGURES[difference.figures], place=place)
    rules = difference.rules
    if rules is None or rules.position < 0:
        return detail
    begins = rules.begins.isoformat()
    by = Phrase("BY_MATCHING_RULES", day=begins, by=rules.by, position=rules.position)
    return Phrase("TWO_DETAILS", first=detail, second=by)


def _about(difference: Difference) -> str:
    """Return the stable subject of a finding: our reference, or the line's own identifier."""
    if difference.theirs and difference.status in {
        LineStatus.NOT_IN_BOOKS, LineStatus.DOUBLE,
        LineStatus.CHARGED_BACK, LineStatus.TOTAL_DIFFERS,
    }:  # fmt: skip
        line = difference.theirs[0]
        return _bounded(f"{line.issuer}:{line.their_reference or f'{line.day}:{line.line}'}")
    first = difference.ours[0]
    return _bounded(f"{first.event}:{first.reference or first.position}:{first.part}")


def _bounded(name: str) -> str:
    """Truncate an identifier that is too long for the command; a digest keeps it unique."""
    if len(name) <= NAME_MAX:
        return name
    digest = sha256(name.encode()).hexdigest()
    return f"{name[: NAME_MAX - len(digest) - 1]}:{digest}"


def _midnight(day: int) -> int:
    """Return the timestamp (microseconds) at which a day, counted from 1970, begins in Prague."""
    return midnight_after(day * DAY + DAY // 2, days=0)
