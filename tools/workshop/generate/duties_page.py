"""The page of duties, ``docs/duties.md``, written from the headers of the checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.rules.operator import shipped_rules
from projections.findings.finding import paragraph_of
from projections.findings.headers import known_duties
from projections.words.catalogue import Language, Words

if TYPE_CHECKING:
    from ledger.rules.deadlines import Deadline
    from ledger.rules.operator import OperatorRules
    from projections.findings.duties import Duty, FactPattern

__all__ = ["duties_page", "length_of"]

OPENING = """\
# Duties

Generated from the checks in [projections/checks](../projections/checks) and the table
[ledger/rules/deadlines.toml](../ledger/rules/deadlines.toml). A duty begins with a fact
and is done by another that agrees in the fields of its key; some begin with what several
facts make, in words below. `gameledger duty list`, `/api/duties`
and the page *Duties* of the [service](access.md) show the open ones with their last day.
`gameledger reconcile` finds a duty that was done too late, or is not done and its time is over,
under the code of the table; a duty that was done late stays found. Whether a duty is late is
judged at the moment of the question, also when nothing was recorded since: by the clock, at `--now`
(`now=` in the API and on pages), or at the end of the day of `--at`
([findings](findings.md#at-which-moment)). Whether it was done in time follows the moments of the
record. A chain that records nothing for longer than the period of `CHAIN_SILENT` is a finding.

Paragraphs are those of SAZKA's rules. Another operator gives its own under `[findings]`, and its
own periods under `[duties]` of its rules, such as `PANIC_NOT_REPORTED = { minutes = 30, source =
"order 1" }`; units are `minutes`, `hours`, `days` of 24 hours, `calendar_days` to the end of a
day, and `period_days`, which move to the next working day (civil code § 607). *Assumed* periods
are questions for the lawyer ([law-questions.md](law-questions.md)).

| duty | paragraph | begins with | done by | lapses with | period |
|---|---|---|---|---|---|
"""
UNITS = ("minutes", "hours", "days", "calendar_days", "period_days", "months")
UNIT_WORDS = {
    "minutes": "minutes",
    "hours": "hours",
    "days": "days of 24 hours",
    "calendar_days": "days of the calendar",
    "period_days": "days, or to the next working day",
    "months": "months",
}


def duties_page() -> str:
    """Write ``docs/duties.md``."""
    rules, words = shipped_rules()["sazka"], Words(Language.EN)
    return OPENING + "".join(_row(duty, rules, words) for duty in known_duties().values())


def _row(duty: Duty, rules: OperatorRules, words: Words) -> str:
    begins = duty.begins_when or _facts(duty.begins)
    if duty.during is not None:
        begins += f", between {_facts(duty.during.begins)} and {_facts(duty.during.ends)}"
    done = duty.done_when or _facts(duty.done)
    if duty.before:
        done += f", before {_facts(duty.before)}"
    period = f"{length_of(duty.within(rules), rules)} ({duty.source(rules)})"
    if duty.after is not None:
        period = f"{length_of(duty.after, rules)} ({duty.after.source}), then {period}"
    cells = (
        f"{words.text(f'duties.{duty.code}')} `{duty.code}`",
        paragraph_of(duty.code, rules),
        begins,
        done,
        _facts(duty.lapses),
        period,
    )
    return f"| {' | '.join(cells)} |\n"


def _facts(facts: tuple[FactPattern, ...]) -> str:
    return " or ".join(f"`{fact.fact}`{_where(fact)}" for fact in facts)


def _where(fact: FactPattern) -> str:
    conditions = [
        f"{name} {' or '.join(str(value).lower() for value in values)}"
        for name, values in fact.where.items()
    ]
    return f" ({', '.join(conditions)})" if conditions else ""


def length_of(within: Deadline, rules: OperatorRules) -> str:
    """Write the length of a period, such as ``24 hours``."""
    if within.setting:
        group, _, name = within.setting.partition(".")
        given = getattr(getattr(rules, group), name)
        unit = "period_days" if group == "periods" else name.rpartition("_")[2]
        number = given.days if group == "periods" else given.value
        unit = "calendar_days" if within.is_calendar else unit
    else:
        unit = next(unit for unit in UNITS if getattr(within, unit) is not None)
        number = getattr(within, unit)
    text = f"{number} {UNIT_WORDS[unit]}"
    return text.replace("1 minutes", "1 minute").replace("1 days", "1 day") if number == 1 else text
