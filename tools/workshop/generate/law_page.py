"""The pages of the law, requirement by requirement, and the lawyer's questions.

``docs/law.md`` is of gambling, ``docs/conformity.md`` of qualified electronic ledgers.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from ledger.core.texts import REFUSALS
from ledger.decisions.decider import COMMANDS
from ledger.rules.operator import shipped_rules
from projections.findings.finding import paragraph_of
from projections.findings.headers import known_duties
from projections.words.catalogue import Language, Words
from tools.workshop.generate.duties_page import length_of
from tools.workshop.generate.law import ROOT, parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.workshop.generate.law import Coverage, Part

__all__ = ["conformity_page", "law_page", "questions_page"]

STANDINGS = {
    "proved": "proved by tests",
    "setting": "a setting",
    "lawyer": "for the lawyer",
    "people": "a duty of people",
    "not_ours": "not ours",
    "open": "open",
}
"""The words of each standing, in the order in which they are counted."""

OF_PROVIDERS = {
    "proved": "proved by tests",
    "lawyer": "for the lawyer",
    "people": "a duty of the provider",
    "open": "not met",
}

LEDGERS = "Qualified electronic ledgers"
"""Title of the part that has a page of its own."""

SEEN = {
    "read": "we read the text",
    "in part": "we read part of the text",
    "press": "known from the press only",
    "sample": "shown by data, not by a text",
    "not read": "from general knowledge, the text was not read",
}

CELLS = 3
"""Columns of a table of readings: question, reading, source."""

LAW = """\
# What the law asks, and what proves it

Generated from [law/](law) and from the paragraphs and tests of the project; how a line is written
stands in [recipes/add-a-requirement.md](recipes/add-a-requirement.md). Statements are ours, in our
own words, and no legal advice. For each requirement: what decides it when a command comes, what
finds its breach in the recorded facts without believing the decision, and which tests prove it. A
requirement is *proved* only if tests are marked with it. *Open* is what is not done, or not whole.
What a lawyer has to say is gathered in [law-questions.md](law-questions.md).

"""

CONFORMITY = """\
# Qualified electronic ledgers: what is met, and by what

Generated from [law/ledger.toml](law/ledger.toml), as [law.md](law.md) is. For each requirement in
our own words: the mechanism, the files and commands that hold it, and the tests that fail without
it. Nothing here says that a service is qualified. How the mechanisms work together stands in
[practice-statement.md](practice-statement.md).

"""

QUESTIONS = """\
# Questions for the lawyer

Generated from [law/](law) and [rules.md](rules.md). An answer changes the line there: its standing,
its source, or the reading.

## Requirements

| requirement | question | until then |
|---|---|---|
"""

DUTIES_OPENING = """
## Periods of duties that are assumed

Within what time is it to be done? No text at hand gives the period ([duties.md](duties.md)).

| duty | paragraph | until then |
|---|---|---|
"""

READINGS = """
## Readings that are assumed

Each was read without a text that settles it; is it right?

| about | question | reading |
|---|---|---|
"""

ELSEWHERE = """
What the plans of games leave open, with the reading by which they are settled, stands in
[games.md](games.md), game by game.
"""


def law_page() -> str:
    """Write ``docs/law.md``."""
    return _page(LAW, [one for one in parts() if one[0].title != LEDGERS], STANDINGS)


def conformity_page() -> str:
    """Write ``docs/conformity.md``."""
    return _page(CONFORMITY, [one for one in parts() if one[0].title == LEDGERS], OF_PROVIDERS)


def _page(opening: str, read: list[tuple[Part, list[Coverage]]], words: dict[str, str]) -> str:
    by_standing: dict[str, list[str]] = {standing: [] for standing in words}
    for _, lines in read:
        for line in lines:
            by_standing[line.requirement.standing].append(line.requirement.id)
    text = [opening, "| standing | requirements | which |\n|---|---|---|\n"]
    for standing, ids in by_standing.items():
        which = "all others" if standing == "proved" else ", ".join(map(_link, ids))
        text.append(f"| {words[standing]} | {len(ids)} | {which} |\n")
    for part, lines in read:
        text.append(f"\n## {part.title}\n\n{part.introduction}\n")
        text += [section for line in lines for section in _section(line, words)]
    return "".join(text)


def _link(identifier: str) -> str:
    """Link a heading of the page, as GitHub names it."""
    anchor = re.sub(r"[^\w -]", "", identifier.lower()).replace(" ", "-")
    return f"[{identifier}](#{anchor})"


def _section(line: Coverage, words: dict[str, str]) -> Iterator[str]:
    one = line.requirement
    yield f"\n### {one.id}\n\n{one.says}\n\n"
    yield f"- **{words[one.standing].capitalize()}**"
    yield f": {one.because}\n" if one.because else "\n"
    if one.source:
        yield f"- Source: {one.source}; {SEEN[one.seen]}\n"
    is_law = words is STANDINGS
    if line.decided_by:
        yield f"- {'Decided by' if is_law else 'Mechanism'}: "
        yield f"{', '.join(map(_decider, line.decided_by))}\n"
    if line.found_by:
        yield f"- Breach found by: {', '.join(map(_file_or_code, line.found_by))}\n"
    elif line.decided_by and is_law:
        yield "- Breach found by: nothing of its own\n"
    for path, names in groupby(line.tests, key=lambda test: test.partition("::")[0]):
        tests = "; ".join(name.partition("::test_")[2].replace("_", " ") for name in names)
        yield f"- [{path.rpartition('/')[2]}](../{path}): {tests}\n"
    if one.question:
        yield f"- Question: {one.question}\n"


def _decider(name: str) -> str:
    """Write a refusal, a command, an event, a figure of the operator or a file."""
    is_figure = name not in REFUSALS and name not in COMMANDS and name.islower() and "/" not in name
    return f"the figure `{name}`" if is_figure else _file_or_code(name)


def _file_or_code(name: str) -> str:
    return f"[{name}](../{name})" if "/" in name else f"`{name}`"


def questions_page() -> str:
    """Write ``docs/law-questions.md``."""
    rows = [
        f"| {one.id} | {one.question} | {_until(one.standing)} |\n"
        for _, lines in parts()
        for one in (line.requirement for line in lines)
        if one.question
    ]
    return "".join(
        [QUESTIONS, *rows, DUTIES_OPENING, *_periods(), READINGS, *_assumed(), ELSEWHERE]
    )


def _periods() -> Iterator[str]:
    """Yield the duties whose period is assumed, with it."""
    rules, words = shipped_rules()["sazka"], Words(Language.EN)
    for duty in known_duties().values():
        if duty.source(rules) == "assumed":
            paragraph, length = paragraph_of(duty.code, rules), length_of(duty.within(rules), rules)
            yield f"| {words.text(f'duties.{duty.code}')} | {paragraph} | {length} |\n"


def _until(standing: str) -> str:
    return {
        "proved": "decided as its line says",
        "lawyer": "not settled",
        "open": "not built",
    }.get(standing, STANDINGS[standing])


def _assumed() -> Iterator[str]:
    """Yield the readings of ``docs/rules.md`` that are marked as assumed, with their heading."""
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for section in re.split(r"\n#+ ", text)[1:]:
        heading, _, body = section.partition("\n")
        for row in re.findall(r"^\| .*|^- (?:.|\n(?!- |\n|#))*", body, re.MULTILINE):
            if "*assumed*" not in row:
                continue
            cells = [_without_mark(cell) for cell in row.strip("|").split("|")]
            if row.startswith("- "):
                yield f"| {heading} | | {_without_mark(row[2:])} |\n"
            elif len(cells) == CELLS:
                question, reading, source = cells
                yield f"| {heading} | {question} | {reading}{f' ({source})' if source else ''} |\n"


def _without_mark(text: str) -> str:
    return re.sub(r"[,;]? *\*assumed\*[:,]?", "", " ".join(text.split())).strip(" ,;")
