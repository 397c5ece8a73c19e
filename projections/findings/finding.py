"""The findings of reconciliation: stable codes, and the values of each finding.

Checks return :class:`DetectedFinding`; :func:`render_findings` converts each to a :class:`Finding`,
with the sentence common to all operators and the figures and the paragraph of the chain's own
operator. A code never changes its meaning; sentences may be improved. Amounts are haléř, and the
sentence defines their meaning; ``detail`` is the value of the sentence's ``detail`` placeholder,
which also defines its type: a name, a number, a day, or a phrase (:mod:`ledger.core.phrases`).
:mod:`projections.findings.identity` computes the stable identifier of a finding.
"""

from __future__ import annotations

import json
from dataclasses import KW_ONLY, dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

from ledger.core.phrases import (
    TYPES,
    encode_parameters,
    placeholders_of,
    render,
    render_value_english,
    typed_value,
)
from ledger.core.units import Count, Haler
from projections.findings.headers import known_findings
from projections.findings.identity import Side, fingerprint_of, identities_of, identity_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ledger.core.phrases import ValueRenderer
    from ledger.rules.operator import OperatorRules

__all__ = [
    "DetectedFinding",
    "Finding",
    "Side",
    "State",
    "figures_of",
    "in_currency",
    "paragraph_of",
    "render_findings",
]

State = Literal["new", "open", "explained", "closed", "gone"]
"""New: found now, but not yet recorded by a reconciliation. Gone: recorded, but no longer found."""


@dataclass(frozen=True, slots=True)
class DetectedFinding:
    """Result of a check: fields as in :class:`Finding`, and ``detail`` for its sentence.

    ``detail`` has the type of its placeholder in the sentence; if the sentence has none, it is text
    that only belongs to the stored facts. ``paragraph`` names a better source than the operator's
    rules, such as the plan of the game; by default it is empty. ``about`` distinguishes findings
    with the same code, account, round and bet: a stable name, never a figure or a word of the
    sentence (:func:`projections.findings.identity.identity_of`). ``currency`` is that of the amount
    if it is not haléř, as in a foreign statement.
    """

    code: str
    _: KW_ONLY
    position: int
    account: str = ""
    round: str = ""
    bet: str = ""
    amount: int = 0
    detail: Any = ""
    paragraph: str = ""
    about: str = ""
    ours: Side | None = None
    theirs: Side | None = None
    currency: str = ""

    def __post_init__(self) -> None:
        """Check the type of the detail; convert a detail that was stored as JSON back to a value.

        Raises:
            TypeError: the placeholder in the sentence has another type.

        """
        detail, kind = (
            typed_value(self.detail),
            placeholders_of(known_findings()[self.code].text.en).get("detail", ""),
        )
        expected = str if TYPES[kind] is object else TYPES[kind]
        if not isinstance(detail, expected):
            raise TypeError(f"{self.code}: the detail is {kind or 'text'}, not {detail!r}")
        object.__setattr__(self, "detail", detail)

    @property
    def detail_text(self) -> str:
        """The detail as English text."""
        kind = placeholders_of(known_findings()[self.code].text.en).get("detail", "")
        return render_value_english("detail", kind, self.detail)


@dataclass(frozen=True, slots=True)
class Finding:
    """One violation.

    ``identity`` is its stable identifier over all runs, ``fingerprint`` that of its current facts.
    ``position`` is that of the event that shows the violation; account, round and bet are empty if
    they are not involved. ``amount`` is haléř. ``sentence`` and ``detail`` are English;
    ``parameters`` is JSON with the values in the sentence except the amount (and except the detail,
    if only its text was recorded), and ``currency`` if the amount is not haléř. ``about``
    distinguishes findings that are otherwise about the same subject. ``ours`` and ``theirs`` are
    the two sides of a comparison with a statement; a side without data is None, and both are None
    for findings about our own record. ``state`` is the state in the chain: new (not recorded yet),
    open, explained, closed or gone; ``assignee`` is the person in charge, ``number`` the short
    number of a recorded finding.
    """

    identity: str
    fingerprint: str
    code: str
    sentence: str
    position: Count
    account: str
    round: str
    bet: str
    amount: Haler
    paragraph: str
    detail: str = ""
    about: str = ""
    ours: Side | None = None
    theirs: Side | None = None
    state: State = "new"
    assignee: str = ""
    number: str = ""
    parameters: str = ""

    @property
    def is_open(self) -> bool:
        """Return whether the finding still has to be handled."""
        return self.state in {"new", "open", "explained"}

    @property
    def currency(self) -> str:
        """The currency of the amounts."""
        parameters = json.loads(self.parameters or "{}")
        return str(parameters.get("currency", "CZK"))


def render_findings(
    found: Iterable[DetectedFinding],
    rules: OperatorRules,
    rules_at: Callable[[int], OperatorRules] | None = None,
) -> list[Finding]:
    """Render findings in the order of the chain; at one position by code, account and bet.

    Paragraphs are those of ``rules``, figures those of the rules in force at the position, which
    ``rules_at`` returns; by default also those of ``rules``.

    Detected findings with the same code, subject, position and facts are one finding: a query
    returns a violation as often as another fact was recorded that it is joined with.
    """
    distinct = {(identity_of(one), one.position, fingerprint_of(one)): one for one in found}
    found = sorted(distinct.values(), key=_order)
    return [
        _rendered(one, identity, rules, rules_at(one.position) if rules_at else rules)
        for one, identity in zip(found, identities_of(found), strict=True)
    ]


def figures_of(code: str, rules: OperatorRules) -> dict[str, Any]:
    """Return the operator's figures in the sentence of a finding, by placeholder."""
    known = known_findings().get(code)
    places = placeholders_of(known.text.en if known else "")
    return {name: attrgetter(name)(rules) for name in places if "." in name}


def in_currency(currency: str, show: ValueRenderer) -> ValueRenderer:
    """Return a renderer that names this currency with the amount of a finding, if there is one."""

    def shown(name: str, kind: str, value: Any) -> str:
        if currency and name == "amount":
            return f"{show(name, 'amount', value)} {currency}"
        return show(name, kind, value)

    return shown


def paragraph_of(code: str, rules: OperatorRules) -> str:
    """Return the paragraph of a finding: the operator's, or else that of the header."""
    return rules.findings.get(code) or known_findings()[code].paragraph


def _rendered(
    one: DetectedFinding, identity: str, rules: OperatorRules, in_force: OperatorRules
) -> Finding:
    template = known_findings()[one.code].text.en
    parameters = figures_of(one.code, in_force)
    if "detail" in placeholders_of(template):
        parameters["detail"] = one.detail
    values = {"amount": one.amount, **parameters}
    if one.currency:
        parameters["currency"] = one.currency
    return Finding(
        identity=identity,
        fingerprint=fingerprint_of(one),
        code=one.code,
        sentence=render(template, values, in_currency(one.currency, render_value_english)),
        position=one.position,
        account=one.account,
        round=one.round,
        bet=one.bet,
        amount=one.amount,
        paragraph=one.paragraph or paragraph_of(one.code, rules),
        detail=one.detail_text,
        about=one.about,
        ours=one.ours,
        theirs=one.theirs,
        parameters=encode_parameters(parameters),
    )


def _order(one: DetectedFinding) -> tuple[object, ...]:
    return one.position, one.code, one.account, one.bet, one.about, one.detail_text
