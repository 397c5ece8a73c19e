"""Every field that takes a text of somebody's choice has a class in docs/rules.md."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

import schemas
from ledger.decisions.decider import COMMANDS
from ledger.events.command import EMPTY_OR_NOT_BLANK, NOT_BLANK
from tests.command_types import texts

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
WORD_MAX = 50
"""A text of so many characters at most is a word of a vocabulary."""
PLURALS = {
    "references": "reference",
    "ends_to_end": "end_to_end",
    "variable_symbols": "variable_symbol",
    "their_references": "their_reference",
    "settlements": "settlement",
    "their_rounds": "round",
    "their_bets": "bet",
    "their_games": "game",
    "their_tables": "table",
    "their_accounts": "account",
    "counterparties": "counterparty",
}
"""Fields of lines of statements, and what they are called in the command."""
ENVELOPE = {"actor", "source"}


def free_texts() -> dict[str, set[str]]:
    """Return the fields of events in clear that hold free text, with the types of events."""
    free = {
        field
        for command in COMMANDS.values()
        for field, one in texts(msgspec.inspect.type_info(command), "")
        if one.pattern in {None, NOT_BLANK, EMPTY_OR_NOT_BLANK}
        and (one.max_length is None or one.max_length > WORD_MAX)
    }
    found: dict[str, set[str]] = {}
    for schema in schemas.newest().values():
        is_of_access = schema.scope == "access"
        for field in schema.facts:
            name, kind = field["name"], field["type"]
            inner = kind["items"] if isinstance(kind, dict) and "items" in kind else kind
            if inner not in ("string", ["null", "string"]) or "tag" in field or name in ENVELOPE:
                continue
            if PLURALS.get(name, name) in free or (is_of_access and name == "parameters"):
                found.setdefault(name, set()).add(schema.name)
    return found


def classes() -> dict[str, str]:
    """Return the class of each field, by its name or by ``Event.field``, as the page has it."""
    _, _, section = PAGE.partition("## Texts in clear")
    _, _, table = section.partition("| field | class |\n|---|---|\n")
    rows = [line.strip("|").split("|") for line in table.partition("\n\n")[0].splitlines()]
    return {name: kind.strip() for names, kind in rows for name in re.findall(r"`([\w.]+)`", names)}


def test_every_free_text_in_clear_has_a_class() -> None:
    known, free = classes(), free_texts()
    missing = {
        name
        for name, types in free.items()
        if name not in known and not all(f"{one}.{name}" in known for one in types)
    }
    assert not missing, f"name these fields and their class in docs/rules.md: {sorted(missing)}"
    gone = {name.rpartition(".")[2] for name in known} - free.keys() - {"purpose"}
    assert not gone, f"docs/rules.md names fields that take no free text: {sorted(gone)}"


def test_a_new_field_of_free_text_is_found() -> None:
    assert "comment" in free_texts()
    assert "statement" not in free_texts()
    assert {"staff", "thing", "worker", "others", "digest"} == set(classes().values())


def test_no_text_about_somebody_stays_open() -> None:
    _, _, section = PAGE.partition("## Texts in clear")
    section, _, _ = section.partition("\n## ")
    assert not re.search(r"\bopen\b", section, re.IGNORECASE)


def test_texts_of_people_are_sealed_or_digests() -> None:
    """What participants, payers and readers write; the digests are those that matching compares."""
    sealed = {
        f"{schema.name}.{field['name']}"
        for schema in schemas.newest().values()
        for field in schema.facts
        if field.get("personal") in {"case", "statement", "access"}
    }
    assert sealed == {
        "AccessRecorded.parameters",
        "CancellationConfirmed.words",
        "CancellationRequested.explanation",
        "ComplaintDecided.explanation",
        "ComplaintFiled.grounds",
        "ObjectionDecided.explanation",
        "ObjectionFiled.grounds",
        "StatementImported.file",
        "StatementLinesRecorded.payer_texts",
    }
    digests = [name for name, kind in classes().items() if kind == "digest"]
    facts = {field["name"]: field for field in schemas.newest()["StatementLinesRecorded"].facts}
    assert digests
    assert all("digest" in facts[name]["doc"] for name in digests)
