"""Write what follows from schemas, plans, rules and types: event classes, tables, the references.

``python -m tools.workshop.generate`` writes the files; ``--check`` writes nothing and fails when
one
of them is not what the schemas and the plans of the games say.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from schemas import Pin, catalogue, crc_64_avro, newest, pins, shape
from schemas.build import EVENT_CLASSES, event_classes
from schemas.event_texts import event_texts

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[3]

MARKS = ("tag", "personal", "unit", "scope")
INTRODUCTION = (
    "Generated from `schemas/`. Every event begins with the envelope of [format.md](format.md). "
    "*Kept as* names its class of retention, whose period `gameledger retention show` prints, and "
    "*read with* the right that a reader of the service needs ([access.md](access.md))."
)


def reference_page() -> str:
    """Write ``docs/events.md``."""
    from tools.access.scopes import scope_of

    lines = [
        "# Events",
        "",
        INTRODUCTION,
        "Money is whole haléř, moments are microseconds since the epoch in UTC.",
    ]
    for schema in newest().values():
        lines += ["", f"## {schema.name}", "", schema.raw["doc"]]
        if "source" in schema.raw:
            lines[-1] += f" Source: {schema.raw['source']}."
        lines[-1] += f" Kept as: {schema.raw['retention']}."
        lines[-1] += f" Read with: `{scope_of(schema.name) or 'the whole log'}`."
        for command, roles in event_texts()[schema.name].commands.items():
            lines[-1] += f" Command: `{command}` ({', '.join(roles)})."
        lines += ["", "| field | type | attributes | meaning |", "|---|---|---|---|"]
        for field in schema.facts:
            marks = [f"{key}: {field[key]}" for key in MARKS if key in field]
            primitive, optional, array = shape(field["type"])
            kind = f"array of {primitive}" if array else primitive + " or null" * optional
            lines.append(f"| `{field['name']}` | {kind} | {', '.join(marks)} | {field['doc']} |")
    return "\n".join(lines) + "\n"


def games_reference() -> str:
    """Write ``docs/games.md``."""
    from tools.workshop.generate.games_page import games_page

    return games_page()


def schema_pins() -> str:
    """Write ``schemas/pins.txt``, to which the schemas of a chain are compared.

    Raises:
        SystemExit: a schema is not the one that was pinned; chains hold messages in that one.
    """
    known = pins()
    lines = []
    for schema in catalogue().values():
        pin = Pin(sha256(schema.text.encode()).hexdigest(), crc_64_avro(schema.raw).hex())
        file = f"{schema.name}.v{schema.version}"
        if known.get((schema.name, schema.version), pin) != pin:
            raise SystemExit(
                f"schemas/{file}.json was changed: write the next version instead, "
                "or remove its line from schemas/pins.txt if it was never released"
            )
        lines.append(f"{pin.sha256}  {pin.fingerprint}  {file}\n")
    return "".join(lines)


def movements() -> str:
    """Write ``projections/sql/0210_movements.sql``."""
    from tools.workshop.generate.movements_sql import movements_sql

    return movements_sql()


def law() -> str:
    """Write ``docs/law.md``."""
    from tools.workshop.generate.law_page import law_page

    return _of_law(law_page)


def conformity() -> str:
    """Write ``docs/conformity.md``."""
    from tools.workshop.generate.law_page import conformity_page

    return _of_law(conformity_page)


def duties_md() -> str:
    """Write ``docs/duties.md``."""
    from tools.workshop.generate.duties_page import duties_page

    return duties_page()


def codes_md() -> str:
    """Write ``docs/codes.md``."""
    from tools.workshop.generate.codes_page import codes_page

    return codes_page()


def law_questions() -> str:
    """Write ``docs/law-questions.md``."""
    from tools.workshop.generate.law_page import questions_page

    return _of_law(questions_page)


def _of_law(write: Callable[[], str]) -> str:
    from tools.workshop.generate.law import LawError

    try:
        return write()
    except LawError as error:
        raise SystemExit(str(error)) from error


OUTPUTS = {
    "schemas/pins.txt": schema_pins,
    EVENT_CLASSES: event_classes,
    "projections/sql/0210_movements.sql": movements,
    "docs/events.md": reference_page,
    "docs/law.md": law,
    "docs/conformity.md": conformity,
    "docs/law-questions.md": law_questions,
}
"""What is committed, because readers or tests have it from the repository."""


def pages() -> dict[str, str]:
    """Return the pages of reference that are not committed; ``make docs`` publishes them."""
    from tools.workshop.generate.sql_page import sql_page

    return {
        "docs/games.md": games_reference(),
        "docs/duties.md": duties_md(),
        "docs/codes.md": codes_md(),
        "docs/sql.md": sql_page(),
    }


def main(arguments: list[str]) -> int:
    """Write the files, or with ``--check`` compare the committed ones; return the exit code."""
    from projections.store.definitions import definitions, statements
    from tools.access.app import application
    from tools.access.openapi import describe
    from tools.service.http.description import description as commands_description
    from tools.workshop.generate.house_edges import house_edges
    from tools.workshop.generate.roles_section import access_page

    checking = "--check" in arguments
    try:
        texts = {name: write() for name, write in OUTPUTS.items()}
    except ValueError as error:
        raise SystemExit(str(error)) from error
    description = json.dumps(describe(application(None)), indent=1, ensure_ascii=False)
    texts["docs/openapi.json"] = f"{description}\n"
    texts["docs/commands.openapi.json"] = commands_description()
    texts["tools/plans/edges.json"] = house_edges()
    texts["docs/access.md"] = access_page()
    stale = _stale(texts) if checking else _write(texts)
    if not checking:
        statements.cache_clear()
        definitions.cache_clear()
        _write(pages())  # which describe the SQL files as they are by now
    for name in stale:
        print(
            f"{name} is not what schemas, plans and rules say: run `make generate`",
            file=sys.stderr,
        )
    return 1 if stale else 0


def _stale(texts: dict[str, str]) -> list[str]:
    paths = {name: ROOT / name for name in texts}
    return [
        name
        for name, path in paths.items()
        if not path.exists() or path.read_text(encoding="utf-8") != texts[name]
    ]


def _write(texts: dict[str, str]) -> list[str]:
    """Write the files; none of them is stale then."""
    for name, text in texts.items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return []
