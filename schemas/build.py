"""Write the classes of the events from their schemas.

The build hook of the package runs it, also for an editable install (``make setup``);
``python -m tools.workshop.generate`` writes them again. The file is not committed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schemas import newest, shape

if TYPE_CHECKING:
    from pathlib import Path

    from schemas import Schema

__all__ = ["EVENT_CLASSES", "event_classes", "write_event_classes"]

EVENT_CLASSES = "ledger/events/event_types.py"

_PYTHON_TYPES = {"string": "str", "long": "int", "int": "int", "boolean": "bool", "bytes": "bytes"}

_HEADER = '''"""Typed events, one class per event type. Generated from ``schemas/``.

Money is whole haléř, moments are microseconds since the epoch in UTC, personal fields are
ciphertext. ``TAGS`` pairs fields with the tags under which the log can be searched.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

'''


def _python_type(avro_type: Any) -> str:
    """Name the Python type of a field."""
    primitive, optional, array = shape(avro_type)
    name = _PYTHON_TYPES[primitive]
    if array:
        return f"tuple[{name}, ...]"
    return f"{name} | None" if optional else name


def _event_class(schema: Schema) -> str:
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
    lines += [f"    {field['name']}: {_python_type(field['type'])}" for field in schema.facts]
    return "\n".join([*lines, *_index_tags(schema)]) + "\n"


def _index_tags(schema: Schema) -> list[str]:
    """Write the method that returns the tags of an event; none for an event without tags.

    Every decision calls it: written out, it takes half the time of a loop over ``TAGS``.
    """
    added = []
    for field in schema.facts:
        name, tag = f"self.{field['name']}", field.get("tag")
        if tag and shape(field["type"])[2]:
            added.append(f'        tags += [f"{tag}:{{one}}" for one in {name}]')
        elif tag:
            added += [f"        if {name}:", f'            tags.append(f"{tag}:{{{name}}}")']
    head = ["", "    def index_tags(self) -> tuple[str, ...]:", "        tags = []"]
    return [*head, *added, "        return tuple(tags)"] if added else []


def event_classes() -> str:
    """Write ``ledger/events/event_types.py``."""
    base = '''class Event(Struct, frozen=True, kw_only=True, gc=False):
    """What every event class has."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = ()
    PERSONAL: ClassVar[tuple[str, ...]] = ()

    @property
    def type(self) -> str:
        """Event type, the name of the schema."""
        return self.__class__.__name__

    def index_tags(self) -> tuple[str, ...]:
        """Return the tags under which the log finds the event, such as ``account:a-1``."""
        return ()
'''
    classes = [_event_class(schema) for schema in newest().values()]
    names = ",\n".join(f'    "{name}": {name}' for name in newest())
    catalogue = f"EVENTS: dict[str, type[Event]] = {{\n{names},\n}}\n"
    catalogue += '"""Every event class by event type."""\n'
    return _HEADER + "\n\n".join(["", base, *classes, catalogue]).lstrip("\n")


def write_event_classes(root: Path) -> None:
    """Write the classes into the tree of a root folder."""
    (root / EVENT_CLASSES).write_text(event_classes(), encoding="utf-8")
