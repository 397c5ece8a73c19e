"""Generate the tables of events, one per event type, from the Avro schemas.

What comes in: the newest schema of each event type. What goes out: one CREATE TABLE statement each.
Key and ordering: position, which is unique. Idempotence: the projector deletes rows above the
watermark before it continues.
"""

from __future__ import annotations

from typing import Any

import schemas

__all__ = ["event_tables"]

TYPES = {
    "string": "String",
    "long": "Int64",
    "int": "Int32",
    "boolean": "Bool",
    "bytes": "String",
}
KEYWORDS = {"index"}
"""Column names that ClickHouse reads as a keyword in a declaration."""
SETTINGS = "fsync_after_insert = 1, fsync_part_directory = 1, min_bytes_for_wide_part = 134217728"
"""Inserted rows are durable; parts below 128 MiB are compact, which saves a sixth of the work."""
BY_YEAR = "PARTITION BY toYear(fromUnixTimestamp64Micro(recorded_at))"
"""A year can be moved to another volume of the server; as in the SQL of the large tables."""
INDEXED = {"account", "round"}
"""Fields with a bloom filter: facts of one round, or of one visit, lie close together."""


def event_tables() -> list[str]:
    """Return the CREATE TABLE statements, in the order of the event types."""
    return [_statement(schema) for schema in schemas.newest().values()]


def _statement(schema: schemas.Schema) -> str:
    fields = schema.raw["fields"]
    lines = [f"{_name(f['name'])} {_type(f['type'])} COMMENT {_text(f['doc'])}" for f in fields]
    lines += [
        f"INDEX of_{f['name']} {f['name']} TYPE bloom_filter(0.01) GRANULARITY 1"
        for f in fields
        if f["name"] in INDEXED
    ]
    columns = ",\n".join(f"    {line}" for line in lines)
    return (
        f"CREATE TABLE IF NOT EXISTS {schema.name}\n(\n{columns}\n)\n"
        f"ENGINE = MergeTree\n{BY_YEAR}\nORDER BY position\n"
        f"SETTINGS {SETTINGS}\nCOMMENT {_text(schema.raw['doc'])}"
    )


def _type(avro_type: Any) -> str:
    primitive, is_optional, is_array = schemas.shape(avro_type)
    if primitive == "fixed":
        return f"FixedString({avro_type['size']})"
    name = TYPES[primitive]
    if is_array:
        return f"Array({name})"
    return f"Nullable({name})" if is_optional else name


def _name(name: str) -> str:
    return f"`{name}`" if name in KEYWORDS else name


def _text(text: str) -> str:
    quoted = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{quoted}'"
