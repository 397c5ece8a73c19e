"""Golden bytes: one message of every schema version, kept for ever in ``golden.jsonl``.

A line says which schema version it is, its fingerprint, the record and the message that
record has to give. ``python tests/schemas/golden.py`` adds lines for versions that have none
and never touches a line that is there: what a chain holds can't be changed either.
"""

from __future__ import annotations

import json
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from fastavro import schemaless_writer

import schemas

FILE = Path(__file__).with_name("golden.jsonl")
MARKER = b"\xc3\x01"

ENVELOPE: dict[str, Any] = {
    "previous_hash": bytes(range(32)),
    "command_id": bytes(range(0x40, 0x50)),
    "command_digest": bytes(range(0x50, 0x60)),
    "position": 1_234_567,
    "decision_index": 1,
    "decision_size": 3,
    "recorded_at": 1_795_219_200_000_000,
    "occurred_at": 1_795_219_199_999_999,
    "actor": "player:p-1",
    "source": "studio-1",
}


def value_of(avro_type: Any, name: str, place: int) -> Any:
    """Choose a value by type and place, so that neighbours differ and no default is met."""
    if isinstance(avro_type, list):
        return None if place % 2 else value_of(avro_type[-1], name, place)
    if isinstance(avro_type, dict):
        return [value_of(avro_type["items"], name, place + at) for at in range(2)]
    return {
        "string": f"{name} číslo {place}",
        "long": (-1) ** place * (1_000_003 * place + 64),
        "int": 63 + place,
        "boolean": place % 2 == 1,
        "bytes": bytes([place, 0, 255]),
    }[avro_type]


def message_of(schema: schemas.Schema, record: dict[str, Any]) -> bytes:
    """Encode a record by its own schema, whatever version that is."""
    out = BytesIO()
    schemaless_writer(out, schema.parsed, record)
    return MARKER + schema.fingerprint + out.getvalue()


def line_of(schema: schemas.Schema) -> str:
    """Write the line of a schema version."""
    facts = {
        field["name"]: value_of(field["type"], field["name"], place)
        for place, field in enumerate(schema.facts)
    }
    line = {
        "name": schema.name,
        "version": schema.version,
        "fingerprint": schema.fingerprint.hex(),
        "facts": facts,
        "message": message_of(schema, ENVELOPE | facts).hex(),
    }
    return json.dumps(line, ensure_ascii=False, default=lambda raw: {"hex": raw.hex()})


def lines() -> list[dict[str, Any]]:
    """Read the lines that are there."""
    if not FILE.exists():
        return []

    def unhex(value: dict[str, Any]) -> Any:
        return bytes.fromhex(value["hex"]) if set(value) == {"hex"} else value

    text = FILE.read_text(encoding="utf-8")
    return [json.loads(line, object_hook=unhex) for line in text.splitlines()]


def main() -> None:
    """Add what is missing."""
    known = {(line["name"], line["version"]) for line in lines()}
    with FILE.open("a", encoding="utf-8") as file:
        for schema in schemas.catalogue().values():
            if (schema.name, schema.version) not in known:
                file.write(line_of(schema) + "\n")


if __name__ == "__main__":
    main()
