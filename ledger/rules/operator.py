"""An operator's rules of operation: figures, periods, and cited paragraphs.

Rules come in as a TOML file that a lawyer can read: one that ships in ``operators/``, or the
operator's own. A chain records its rules as ``OperatorRulesPublished``; both sides read them from
the chain and never from a file. Codes and sentences of refusals and findings are common to
all operators (:mod:`ledger.core.refusals`, ``projections.findings.finding``): the rules add
the paragraph of each. Rejected: an unknown key, a missing figure, a refusal without a paragraph.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec
from msgspec import Struct

from ledger.core.clock import HOUR, MINUTE, days_before
from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from ledger.core.phrases import placeholders_of
from ledger.core.refusals import Refusal
from ledger.core.texts import REFUSALS
from ledger.events.command import Name, OptionalName
from ledger.events.event_types import OperatorRulesPublished
from ledger.rules import law
from ledger.rules.deadlines import DEADLINES, Deadline
from ledger.rules.periods import Period
from ledger.storage.named_files import read_bounded
from ledger.tlog.cosigning import CosignerKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ledger.core.refusals import RefusedError

__all__ = [
    "AuthorityMirror",
    "Figure",
    "FigureBeyondLaw",
    "Figures",
    "NamedRules",
    "OperatorRules",
    "Periods",
    "Returns",
    "decode_as_published",
    "decode_operator_rules",
    "encode_operator_rules",
    "figures_beyond_law",
    "parse_operator_rules",
    "require_lawful",
    "rules_for",
    "shipped_rules",
]

IN_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Figure(Struct, frozen=True, forbid_unknown_fields=True):
    """One figure, in the unit named at the end of its key, and the paragraph that fixes it."""

    value: int
    source: str

    @property
    def in_words(self) -> str:
        """The figure as written in a sentence: up to ten in words."""
        return IN_WORDS[self.value] if self.value < len(IN_WORDS) else str(self.value)

    @property
    def crowns(self) -> str:
        """The figure in haléř as whole crowns, such as ``10,000``."""
        return f"{self.value // 100:,}"


class Figures(Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of an operator; the file explains each."""

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
        """Continuous play after which chips are refused, in microseconds."""
        return self.play_minutes.value * MINUTE

    @property
    def break_length(self) -> int:
        """Pause that ends continuous play, in microseconds."""
        return self.break_minutes.value * MINUTE

    @property
    def panic_block(self) -> int:
        """Time for which the panic button blocks play, in microseconds."""
        return self.panic_hours.value * HOUR

    def announced_until(self, starts_at: int) -> int:
        """Return the last moment at which a tournament may be announced that starts at a moment."""
        return days_before(starts_at, self.announced_days.value)


class Periods(Struct, frozen=True, forbid_unknown_fields=True):
    """Periods in days within which the operator or the participant must act."""

    objection: Period
    objection_answer: Period
    complaint_answer: Period


def _unit(name: str) -> str:
    return name.rpartition("_")[2]


SETTINGS = frozenset(
    {
        "",
        *(f"periods.{name}" for name in Periods.__struct_fields__),
        *(
            f"figures.{name}"
            for name in Figures.__struct_fields__
            if _unit(name) in Deadline.__struct_fields__
        ),
    }
)
"""Settings from which a duty may take its length; empty where it has one of its own."""


class Returns(Struct, frozen=True, forbid_unknown_fields=True):
    """Paragraphs that govern the return of chips that are not a bet yet, by cause."""

    left: str
    disconnected: str
    logout: str
    time_limit: str
    exclusion: str


class AuthorityMirror(Struct, frozen=True, forbid_unknown_fields=True):
    """The mirror by which the authority holds the log (docs/mirror.md), by its public key.

    No round is opened while a message that it does not hold is older than ``age_minutes``; with 0
    it is only shown. ``source`` is the paragraph or condition that orders it.
    """

    key: str
    source: str
    age_minutes: Annotated[int, msgspec.Meta(ge=0, le=law.UNIT_BOUNDS["minutes"][1])] = 0

    def __post_init__(self) -> None:
        """Require a key."""
        try:
            CosignerKey.parse(self.key)
        except InputError as error:
            raise ValueError(f"[mirror] key: {error}") from error

    @property
    def public_key(self) -> CosignerKey:
        """The key that verifies what the mirror signs."""
        return CosignerKey.parse(self.key)


class OperatorRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of one operator.

    ``refusals`` and ``findings`` give the paragraph of each code; codes whose paragraph is in the
    law may be left out. ``duties`` give the period of a duty, by its code, where it differs from
    the law's table (:mod:`ledger.rules.deadlines`). ``letterhead`` are the lines below the
    operator's name in letters: seat, register, contact; rules without it are encoded as before it
    existed, and so are those without a ``mirror``. ``operators`` are the company numbers for which
    ``gameledger init`` uses these rules by default.
    """

    withholding: tuple[str, ...]
    tampering: str
    figures: Figures
    periods: Periods
    returns: Returns
    refusals: dict[str, str]
    findings: dict[str, str]
    operators: tuple[str, ...] = ()
    duties: dict[str, Deadline] = {}
    letterhead: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    mirror: AuthorityMirror | msgspec.UnsetType = msgspec.UNSET

    def __post_init__(self) -> None:
        """Require a paragraph for every refusal, and none for unknown codes."""
        known = self.refusals.keys() | law.REFUSALS.keys()
        _require_same("refusals", known, set(REFUSALS))
        for code in sorted(self.duties.keys() - DEADLINES.keys()):
            raise ValueError(f"[duties] {code} is unknown")

    def refusal(self, error: RefusedError) -> Refusal:
        """Render a refusal in full: its sentence with details and figures, and its paragraph."""
        return Refusal.of(
            error.code,
            {**error.details, **self.figures_of(error.code)},
            error.paragraph or self.paragraph(error.code),
        )

    def figures_of(self, code: str) -> dict[str, int]:
        """Return the figures in the text of a refusal, by the name of their placeholder."""
        places = placeholders_of(REFUSALS[code])
        return {name: attrgetter(name)(self) for name in places if "." in name}

    def paragraph(self, code: str) -> str:
        """Return the paragraph of a refusal."""
        return self.refusals.get(code) or law.REFUSALS.get(code, "")


class FigureBeyondLaw(NamedTuple):
    """A number of the rules outside its bounds, and the source of the bounds.

    ``name`` is its place, such as ``figures.panic_hours`` or ``periods.objection.days``.
    """

    name: str
    value: int
    least: int
    most: int
    source: str

    def __str__(self) -> str:
        """Describe the fault, with its place in the file."""
        return (
            f"{self.name} = {self.value}: at least {self.least} and at most {self.most} "
            f"({self.source})"
        )


class NamedRules(NamedTuple):
    """Rules and the name under which a chain records them."""

    name: str
    rules: OperatorRules

    @property
    def event(self) -> OperatorRulesPublished:
        """The event that puts the rules into force."""
        return OperatorRulesPublished(name=self.name, rules=encode_operator_rules(self.rules))


def _require_same(table: str, present: set[str], known: set[str]) -> None:
    for code in sorted(present ^ known):
        wrong = "has no paragraph" if code in known else "is unknown"
        raise ValueError(f"[{table}] {code} {wrong}")


_ENCODER = msgspec.json.Encoder(order="deterministic")


def parse_operator_rules(content: bytes, where: str) -> OperatorRules:
    """Parse the TOML file of an operator's rules.

    Raises:
        InputError: the file is not valid, or a figure is beyond the law, with the place and the
            fault.

    """
    try:
        rules = decoder_of(OperatorRules).toml(content)
    except (msgspec.DecodeError, ValueError) as error:
        raise InputError(f"rules of an operator: {where}: {error}") from error
    require_lawful(rules, f"rules of an operator: {where}")
    return rules


class _Number(NamedTuple):
    """A number in the document of rules, and the bounds of its unit."""

    holder: dict[str, Any]
    key: str
    place: str
    least: int
    most: int

    @property
    def value(self) -> int:
        """The number."""
        value: int = self.holder[self.key]
        return value

    def nearest(self) -> None:
        """Replace the number by the nearest one that its unit allows."""
        self.holder[self.key] = min(max(self.value, self.least), self.most)


def _numbers(document: dict[str, Any]) -> Iterator[_Number]:
    """Yield all numbers of rules as a document."""
    for name, figure in document["figures"].items():
        yield _Number(figure, "value", f"figures.{name}", *law.UNIT_BOUNDS[_unit(name)])
    for table in ("periods", "duties"):
        for name, period in document.get(table, {}).items():
            for key in [key for key, value in period.items() if type(value) is int]:
                least, most = law.UNIT_BOUNDS[_unit(key)]
                if table == "duties" and key != "calendar_days":
                    least = 1
                yield _Number(period, key, f"{table}.{name}.{key}", least, most)


def figures_beyond_law(rules: OperatorRules) -> Iterator[FigureBeyondLaw]:
    """Yield the numbers outside the bounds that the law sets for all operators, or their unit."""
    for one in _numbers(msgspec.to_builtins(rules)):
        bounds = (one.least, one.most, "assumed")
        least, most, source = law.FIGURE_BOUNDS.get(one.place, bounds)
        if not least <= one.value <= most:
            yield FigureBeyondLaw(one.place, one.value, least, most, source)


def require_lawful(rules: OperatorRules, where: str) -> None:
    """Reject rules that no writer of this version records.

    Raises:
        InputError: a figure is beyond the law, a duty takes its length from a setting that is no
            time, or a paragraph is blank; the text names the place.

    """
    for fault in figures_beyond_law(rules):
        raise InputError(f"{where}: {fault}")
    for code, within in rules.duties.items():
        if within.setting not in SETTINGS:
            known = ", ".join(sorted(SETTINGS - {""}))
            raise InputError(f"{where}: duties.{code}.setting must be one of {known}")
    for place, text in _texts(msgspec.to_builtins(rules)):
        try:
            decoder_of(OptionalName if place.startswith("duties.") else Name).plain(text)
        except msgspec.ValidationError as error:
            raise InputError(f"{where}: {place}: {error}") from error


def _texts(part: Any, *place: str) -> Iterator[tuple[str, str]]:
    """Yield all texts of rules as a document, with their places."""
    if isinstance(part, str):
        yield ".".join(place), part
    elif isinstance(part, dict | tuple | list):
        parts = part.items() if isinstance(part, dict) else enumerate(part)
        for key, inner in parts:
            yield from _texts(inner, *place, str(key))


def encode_operator_rules(rules: OperatorRules) -> str:
    """Encode rules as the JSON that ``OperatorRulesPublished`` holds."""
    return _ENCODER.encode(rules).decode()


@lru_cache(maxsize=16)
def decode_operator_rules(text: str) -> OperatorRules:
    """Decode the JSON of ``OperatorRulesPublished`` to the rules that apply.

    What no writer of this version records counts as something that can be applied: a number outside
    the bounds of its unit as the nearest one inside, a duty whose setting is no time as the law's.

    Raises:
        InputError: it is not valid, or lacks the paragraph of a refusal of this version.

    """
    document = msgspec.to_builtins(decode_as_published(text))
    for number in _numbers(document):
        number.nearest()
    duties = document["duties"].items()
    document["duties"] = {code: one for code, one in duties if one["setting"] in SETTINGS}
    return decoder_of(OperatorRules).plain(document)


def decode_as_published(text: str) -> OperatorRules:
    """Decode the JSON of ``OperatorRulesPublished`` with the numbers that it holds.

    Raises:
        InputError: as for :func:`decode_operator_rules`.

    """
    try:
        return decoder_of(OperatorRules).json(text)
    except (msgspec.DecodeError, ValueError) as error:
        raise InputError(
            f"the rules of the operator that the chain holds: {error}; publish complete rules "
            "with publish_operator_rules"
        ) from error


@cache
def shipped_rules() -> Mapping[str, OperatorRules]:
    """Return the rules that ship with the program, by the name of their file.

    Raises:
        InputError: a file is not valid, or two of them claim one operator.

    """
    rules_by_name: dict[str, OperatorRules] = {}
    claimed: dict[str, str] = {}
    folder = resources.files("ledger.rules") / "operators"
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = file.name.removesuffix(".toml")
        if name == file.name:
            continue
        rules = rules_by_name[name] = parse_operator_rules(file.read_bytes(), file.name)
        for operator in rules.operators:
            if claimed.setdefault(operator, name) != name:
                raise InputError(
                    f"rules of an operator: {file.name}: operator {operator} belongs to "
                    f"{claimed[operator]}.toml"
                )
    return rules_by_name


def rules_for(operator: str, choice: str = "", folder: Path | None = None) -> NamedRules:
    """Return the rules for a new chain of an operator.

    Args:
        operator: company number.
        choice: name of shipped rules, or path of a file; empty: those that ``operators`` of a file
            in the folder, or else of one that ships, give to the operator.
        folder: the operator's own files.

    Raises:
        InputError: there are none, or the file is not valid.

    """
    for own in _rules_in(folder) if folder and not choice else ():
        if operator in own.rules.operators:
            return own
    shipped = shipped_rules()
    name = choice or next(
        (name for name, rules in shipped.items() if operator in rules.operators), ""
    )
    if name in shipped:
        return NamedRules(name, shipped[name])
    if not name:
        raise InputError(
            f"no rules ship for operator {operator}: write a file of your own, beginning with "
            "`gameledger rules show sazka > rules.toml`, and name it with --rules rules.toml"
        )
    return _rules_of(Path(name))


def _rules_of(path: Path) -> NamedRules:
    return NamedRules(path.stem, parse_operator_rules(read_bounded(path), str(path)))


def _rules_in(folder: Path) -> list[NamedRules]:
    return [_rules_of(path) for path in sorted(folder.glob("*.toml"))]
