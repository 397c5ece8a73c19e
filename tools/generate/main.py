"""Write what follows from schemas, plans, rules and types: event classes, tables, the references.

``python -m tools.generate`` writes the files; ``--check`` writes nothing and fails when one
of them is not what the schemas and the plans of the games say.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemas import Schema, catalogue, newest, pins

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]

PYTHON_TYPES = {"string": "str", "long": "int", "int": "int", "boolean": "bool", "bytes": "bytes"}
SQL_TYPES = {
    "string": "String",
    "long": "Int64",
    "int": "Int32",
    "boolean": "Bool",
    "bytes": "String",
}
SQL_QUOTED = {"index"}
"""Column names that ClickHouse takes for a keyword where a table is declared."""
SQL_SETTINGS = (
    "fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728"
)
"""What is inserted is on the disk; parts below 128 MiB are compact, a sixth less work."""
INDEXED = {"round"}
"""Fields by which the facts of one round are found: a bloom filter, as they lie close together."""

EVENTS_HEADER = '''"""Typed events, one class per event type. Generated from ``schemas/``.

Money is whole haléř, moments are microseconds since the epoch in UTC, personal fields are
ciphertext. ``TAGS`` pairs fields with the tags under which the log can be searched.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

'''


SQL_HEADER = """\
-- One table per event type. Generated from schemas/: do not edit.
-- Source: the log. Key and ordering: position. Idempotence: rows above the watermark
-- are deleted before the projector goes on.
"""


def shape(avro_type: Any) -> tuple[str, bool, bool]:
    """Take an Avro type apart: its primitive, is it optional, is it an array."""
    if isinstance(avro_type, list):
        (inner,) = (branch for branch in avro_type if branch != "null")
        return shape(inner)[0], True, False
    if isinstance(avro_type, dict) and avro_type["type"] == "array":
        return avro_type["items"], False, True
    if isinstance(avro_type, dict):
        return avro_type["type"], False, False
    return avro_type, False, False


def python_type(avro_type: Any) -> str:
    """Name the Python type of a field."""
    primitive, optional, array = shape(avro_type)
    name = PYTHON_TYPES[primitive]
    if array:
        return f"tuple[{name}, ...]"
    return f"{name} | None" if optional else name


def sql_type(field: dict[str, Any]) -> str:
    """Name the ClickHouse type of a field."""
    avro_type = field["type"]
    if isinstance(avro_type, dict) and avro_type["type"] == "fixed":
        return f"FixedString({avro_type['size']})"
    primitive, optional, array = shape(avro_type)
    name = SQL_TYPES[primitive]
    if array:
        return f"Array({name})"
    if optional:
        return f"Nullable({name})"
    return name


def sql_name(name: str) -> str:
    """Write a column name as a declaration needs it."""
    return f"`{name}`" if name in SQL_QUOTED else name


def sql_text(text: str) -> str:
    """Write a text as a literal."""
    quoted = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{quoted}'"


def event_class(schema: Schema) -> str:
    """Write the class of one event type."""
    tags = tuple((field["name"], field["tag"]) for field in schema.facts if "tag" in field)
    personal = tuple(field["name"] for field in schema.facts if "personal" in field)
    lines = [f"class {schema.name}(Event, frozen=True, kw_only=True):"]
    summary = schema.raw["doc"]
    source = schema.raw.get("source")
    lines += (
        [f'    """{summary}', "", f"    Source: {source}.", '    """', ""]
        if source
        else [
            f'    """{summary}"""',
            "",
        ]
    )
    if tags:
        lines.append(f"    TAGS: ClassVar[tuple[tuple[str, str], ...]] = {tags!r}")
    if personal:
        lines.append(f"    PERSONAL: ClassVar[tuple[str, ...]] = {personal!r}")
    if tags or personal:
        lines.append("")
    lines += [f"    {field['name']}: {python_type(field['type'])}" for field in schema.facts]
    return "\n".join(lines) + "\n"


def event_classes() -> str:
    """Write ``ledger/core/events.py``."""
    base = '''class Event(Struct, frozen=True, kw_only=True, gc=False):
    """What every event class has."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = ()
    PERSONAL: ClassVar[tuple[str, ...]] = ()

    @property
    def type(self) -> str:
        """Event type, the name of the schema."""
        return self.__class__.__name__
'''
    classes = [event_class(schema) for schema in newest().values()]
    names = ",\n".join(f'    "{name}": {name}' for name in newest())
    catalogue = f"EVENTS: dict[str, type[Event]] = {{\n{names},\n}}\n"
    catalogue += '"""Every event class by event type."""\n'
    return EVENTS_HEADER + "\n\n".join(["", base, *classes, catalogue]).lstrip("\n")


def sql_tables() -> str:
    """Write the table of each event type; order by position, which is unique."""
    tables = [SQL_HEADER]
    for schema in newest().values():
        fields = schema.raw["fields"]
        lines = [
            f"{sql_name(f['name'])} {sql_type(f)} COMMENT {sql_text(f['doc'])}" for f in fields
        ]
        lines += [
            f"INDEX of_{f['name']} {f['name']} TYPE bloom_filter(0.01) GRANULARITY 1"
            for f in fields
            if f["name"] in INDEXED
        ]
        columns = ",\n".join(f"    {line}" for line in lines)
        tables.append(
            f"CREATE TABLE IF NOT EXISTS {schema.name}\n(\n{columns}\n)\n"
            "ENGINE = MergeTree\nORDER BY position\n"
            f"SETTINGS {SQL_SETTINGS}\nCOMMENT {sql_text(schema.raw['doc'])};\n"
        )
    return "\n".join(tables)


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
        lines += ["", "| field | type | attributes | meaning |", "|---|---|---|---|"]
        for field in schema.facts:
            marks = [f"{key}: {field[key]}" for key in ("tag", "personal", "unit") if key in field]
            primitive, optional, array = shape(field["type"])
            kind = f"array of {primitive}" if array else primitive + " or null" * optional
            lines.append(f"| `{field['name']}` | {kind} | {', '.join(marks)} | {field['doc']} |")
    return "\n".join(lines) + "\n"


def games_reference() -> str:
    """Write ``docs/games.md``."""
    from tools.generate.games_page import games_page

    return games_page()


def known_schemas() -> str:
    """Write ``schemas/known.sha256``, by which a chain's own schemas are compared.

    Raises:
        SystemExit: a schema is not the one that was pinned; chains hold messages in that one.
    """
    known = pins()
    lines = []
    for schema in catalogue().values():
        digest = sha256(schema.text.encode()).hexdigest()
        file = f"{schema.name}.v{schema.version}"
        if known.get((schema.name, schema.version), digest) != digest:
            raise SystemExit(
                f"schemas/{file}.avsc was changed: write the next version instead, "
                "or remove its line from schemas/known.sha256 if it was never released"
            )
        lines.append(f"{digest}  {file}\n")
    return "".join(lines)


def movements() -> str:
    """Write ``projections/sql/0210_movements.sql``."""
    from tools.generate.movements_sql import movements_sql

    return movements_sql()


def law() -> str:
    """Write ``docs/law.md``."""
    from tools.generate.law_page import law_page

    return _of_law(law_page)


def duties_md() -> str:
    """Write ``docs/duties.md``."""
    from tools.generate.duties_page import duties_page

    return duties_page()


def law_questions() -> str:
    """Write ``docs/law-questions.md``."""
    from tools.generate.law_page import questions_page

    return _of_law(questions_page)


def _of_law(write: Callable[[], str]) -> str:
    from tools.generate.law import LawError

    try:
        return write()
    except LawError as error:
        raise SystemExit(str(error)) from error


OUTPUTS = {
    "schemas/known.sha256": known_schemas,
    "ledger/core/events.py": event_classes,
    "projections/sql/0100_events.sql": sql_tables,
    "projections/sql/0210_movements.sql": movements,
    "docs/events.md": reference_page,
    "docs/games.md": games_reference,
    "docs/law.md": law,
    "docs/duties.md": duties_md,
    "docs/law-questions.md": law_questions,
}


def main(arguments: list[str]) -> int:
    """Write the files, or with ``--check`` compare them; returns the exit code."""
    from projections.store.definitions import definitions, statements
    from tools.access.app import application
    from tools.access.openapi import describe
    from tools.generate.answers_page import answer_files
    from tools.generate.events_for_others import asyncapi, fingerprints
    from tools.generate.evidence_vectors import vectors
    from tools.generate.house_edges import house_edges
    from tools.generate.sql_page import sql_page
    from tools.service.http.description import description as commands_description

    checking = "--check" in arguments
    texts = {name: write() for name, write in OUTPUTS.items()} | answer_files() | vectors()
    description = json.dumps(describe(application(None)), indent=1, ensure_ascii=False)
    texts["docs/openapi.json"] = f"{description}\n"
    texts["docs/commands.openapi.json"] = commands_description()
    texts["docs/events.asyncapi.json"] = asyncapi()
    texts["schemas/fingerprints.json"] = fingerprints()
    texts["tools/plans/edges.json"] = house_edges()
    stale = _stale(texts) if checking else _write(texts)
    statements.cache_clear()
    definitions.cache_clear()
    page = {"docs/sql.md": sql_page()}  # tells of the SQL files as they are by now
    stale += _stale(page) if checking else _write(page)
    for name in stale:
        print(
            f"{name} is not what schemas, plans and rules say: run `python -m tools.generate`",
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
