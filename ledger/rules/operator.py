"""What an operator's own rules fix: figures, periods, and the paragraphs that are cited.

One file an operator in ``operators/``, for a lawyer to read; it is checked when it is read. Which
one holds for a chain is told by the operator that the chain names in its first event, on the side
that writes and on the side that reads. Codes and sentences of refusals and findings are common to
all (:mod:`ledger.core.refusals`, ``projections.reconciliation.findings``): an operator adds where
each is written. Promised: a file with an unknown key, or a refusal without a paragraph, stops the
program at its start.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ledger.core.clock import DAY, HOUR, MINUTE
from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from ledger.core.refusals import REFUSALS, Refusal
from ledger.rules import law
from ledger.rules.periods import Period

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.core.refusals import RefusedError

__all__ = [
    "Figure",
    "Figures",
    "OperatorRules",
    "Periods",
    "Returns",
    "operators",
    "read_operator_rules",
    "rules_of",
]

EVERYBODY_ELSE = "*"
IN_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Figure(Struct, frozen=True, forbid_unknown_fields=True):
    """One figure, in the unit that its name ends with, and the paragraph that fixes it."""

    value: int
    source: str

    @property
    def in_words(self) -> str:
        """The figure as a sentence has it: words up to ten."""
        return IN_WORDS[self.value] if self.value < len(IN_WORDS) else str(self.value)

    @property
    def crowns(self) -> str:
        """Haléř as whole crowns, such as ``10,000``."""
        return f"{self.value // 100:,}"


class Figures(Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of an operator; what each is for stands in its file."""

    play_minutes: Figure
    break_minutes: Figure
    panic_hours: Figure
    cash_haler: Figure
    dormant_months: Figure
    dormant_evaluated_days: Figure
    dormant_cancelled_days: Figure
    announced_days: Figure
    recorded_within_days: Figure
    linked_haler: Figure
    linked_days: Figure
    check_holds_days: Figure
    checked_within_days: Figure
    credited_minutes: Figure
    held_days: Figure
    logout_minutes: Figure
    recording_hours: Figure
    fairness_evidence: Figure
    bank_days: Figure
    payments_days: Figure

    @property
    def longest_play(self) -> int:
        """Continuous play from which on chips are refused, in microseconds."""
        return self.play_minutes.value * MINUTE

    @property
    def break_length(self) -> int:
        """Pause that ends continuous play, in microseconds."""
        return self.break_minutes.value * MINUTE

    @property
    def panic_block(self) -> int:
        """How long the panic button blocks play, in microseconds."""
        return self.panic_hours.value * HOUR

    @property
    def announced_before(self) -> int:
        """How long before its beginning a tournament is announced, in microseconds."""
        return self.announced_days.value * DAY


class Periods(Struct, frozen=True, forbid_unknown_fields=True):
    """Periods of days within which the operator or the participant has to act."""

    objection: Period
    objection_answer: Period
    complaint_answer: Period


class Returns(Struct, frozen=True, forbid_unknown_fields=True):
    """Paragraphs by which chips that are no bet yet go back."""

    left: str
    disconnected: str
    logout: str
    time_limit: str
    exclusion: str


class OperatorRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of one operator.

    ``operators`` are the numbers of who plays by them. ``refusals`` and ``findings`` give the
    paragraph of each code; the law's own need not be among them.
    """

    operators: tuple[str, ...]
    withholding: tuple[str, ...]
    tampering: str
    figures: Figures
    periods: Periods
    returns: Returns
    refusals: dict[str, str]
    findings: dict[str, str]

    def __post_init__(self) -> None:
        """Require a paragraph for every refusal, and none for what is no refusal."""
        known = self.refusals.keys() | law.REFUSALS.keys()
        _require_same("refusals", known, set(REFUSALS))

    def refusal(self, error: RefusedError) -> Refusal:
        """Tell a refusal in full: its sentence with details and figures, and its paragraph.

        A detail ``paragraph``, as of the plan of a game, goes before the operator's.
        """
        return Refusal(
            error.code,
            REFUSALS[error.code].format(
                **error.details, figures=self.figures, periods=self.periods
            ),
            str(error.details.get("paragraph", self.paragraph(error.code))),
        )

    def paragraph(self, code: str) -> str:
        """Return the paragraph of a refusal."""
        return self.refusals.get(code) or law.REFUSALS[code]

    def paragraph_of_finding(self, code: str) -> str:
        """Return the paragraph of a finding."""
        return self.findings.get(code) or law.FINDINGS[code]


def _require_same(table: str, found: set[str], known: set[str]) -> None:
    for code in sorted(found ^ known):
        wrong = "has no paragraph" if code in known else "is unknown"
        raise ValueError(f"[{table}] {code} {wrong}")


def read_operator_rules(content: bytes, where: str) -> OperatorRules:
    """Read the rules of an operator from their file.

    Raises:
        ValueError: the file is not one, with the place and what is wrong.

    """
    try:
        return decoder_of(OperatorRules).toml(content)
    except (msgspec.DecodeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from error


@cache
def operators() -> Mapping[str, OperatorRules]:
    """Return the rules of every operator by its number; ``*`` is everybody else's.

    Raises:
        InputError: a file is wrong, with the place and why.

    """
    found: dict[str, OperatorRules] = {}
    folder = resources.files("ledger.rules") / "operators"
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".toml"):
            try:
                rules = read_operator_rules(file.read_bytes(), file.name)
            except ValueError as error:
                raise InputError(f"rules of operators: {error}") from error
            for operator in rules.operators:
                if operator in found:
                    raise InputError(
                        f"rules of operators: {file.name}: operator {operator} has another file"
                    )
                found[operator] = rules
    return found


def rules_of(operator: str) -> OperatorRules:
    """Return the rules that hold for an operator, by the number that its chain names."""
    known = operators()
    return known.get(operator) or known[EVERYBODY_ELSE]
