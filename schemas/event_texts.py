"""Texts of each event type and the roles of its commands: ``<EventType>.toml`` beside its schemas.

What comes in: one file per event type. ``[name]`` and ``[sentence]`` have a text in each language,
``en`` and ``cs``; a part of a sentence in brackets is shown where its facts have values.
``[columns]`` has the Czech description of each field whose ``doc`` no other event shares; shared
ones are in ``shared_columns.toml``, by their ``doc``. ``[commands]`` names the commands whose
decision records the event, with the roles of clients that may send them.

What goes out: :func:`event_texts` by event type, :func:`column_descriptions` by ``doc``. A wheel
holds them as one file, ``event_texts.json``; see :mod:`schemas.compiled`.

Raises ``ValueError``: an event type lacks its file or a text, or a file has texts of nothing.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from schemas import Schema, newest, numbered
from schemas.compiled import compiled

__all__ = ["COMPILED", "EventTexts", "column_descriptions", "compile_texts", "event_texts"]

FOLDER = resources.files("schemas")
COMPILED = "event_texts.json"
SHARED = "shared_columns"


@dataclass(frozen=True, slots=True)
class EventTexts:
    """Texts of one event type by language, and the roles that may send each of its commands."""

    name: dict[str, str]
    sentence: dict[str, str]
    commands: dict[str, list[str]] = field(default_factory=dict)


@cache
def event_texts() -> dict[str, EventTexts]:
    """Return the texts of every event type."""
    return {name: EventTexts(**texts) for name, texts in _compiled()["events"].items()}


@cache
def column_descriptions() -> dict[str, str]:
    """Return the Czech description of the columns of all events by their ``doc``."""
    found: dict[str, str] = _compiled()["columns"]
    return found


def compile_texts() -> str:
    """Return the files of the folder as the JSON that a wheel holds.

    Raises:
        ValueError: an event type lacks its file or a text, or a file has texts of nothing.

    """
    schemas_of: dict[str, list[Schema]] = {}
    for schema in numbered().values():
        schemas_of.setdefault(schema.name, []).append(schema)
    files = {Path(entry.name).stem for entry in FOLDER.iterdir() if entry.name.endswith(".toml")}
    if stray := files - schemas_of.keys() - {SHARED}:
        raise ValueError(
            f"schemas/{min(stray)}.toml has no schema: add schemas/{min(stray)}.v1.json"
        )
    columns, events = _read(SHARED), {}
    for name, versions in schemas_of.items():
        if name not in files:
            raise ValueError(f"{name} has no texts: add schemas/{name}.toml")
        texts = _read(name)
        columns |= _columns(name, versions, texts.pop("columns", {}))
        events[name] = asdict(_texts(name, texts))
    for schema in newest().values():
        for fact in schema.facts:
            if "personal" not in fact and fact["doc"] not in columns:
                raise ValueError(f"schemas/{schema.name}.toml does not describe {fact['name']}")
    return json.dumps({"events": events, "columns": columns}, ensure_ascii=False)


def _columns(name: str, versions: list[Schema], columns: dict[str, str]) -> dict[str, str]:
    """Return the descriptions of an event's columns by their ``doc``."""
    docs = {fact["name"]: fact["doc"] for schema in versions for fact in schema.facts}
    if unknown := columns.keys() - docs.keys():
        raise ValueError(f"schemas/{name}.toml describes {min(unknown)}, which no schema has")
    return {docs[column]: text for column, text in columns.items()}


def _texts(name: str, texts: dict[str, Any]) -> EventTexts:
    try:
        return EventTexts(**texts)
    except TypeError as error:
        raise ValueError(
            f"schemas/{name}.toml has other sections than name, sentence, columns and commands, "
            "or lacks one of the first two"
        ) from error


@cache
def _compiled() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        compiled("schemas", COMPILED, ("*.json", "*.toml"), compile_texts)
    )
    return found


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
