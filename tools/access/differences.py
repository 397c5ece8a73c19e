"""Differences between two answers to one question, row by row.

Input: two answers as documents of plain values, and the fields that identify a row of each of their
lists. Output: rows that were added, that ended, and that changed, with both values of each changed
field. The earlier answer with the differences is the later one, apart from the order of rows.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["OWN", "Change", "Kind", "differences", "rows_by_name"]

Kind = Literal["added", "ended", "changed"]
OWN = ""
"""The part with the fields of an answer that are in none of its lists."""


@dataclass(frozen=True, slots=True)
class Change:
    """A row that was added, ended or changed.

    ``part`` is the path of its list in the answer, empty for the answer's own fields, and ``name``
    the fields that identify it there. ``earlier`` and ``later`` are the whole row where it was
    added or ended, and otherwise the fields that differ. Values are as in the answer.
    """

    kind: Kind
    part: str
    name: dict[str, Any]
    earlier: dict[str, Any] | None
    later: dict[str, Any] | None


def differences(
    earlier: Mapping[str, Any] | None,
    later: Mapping[str, Any] | None,
    names: Mapping[str, Sequence[str]],
    left_out: frozenset[str] = frozenset(),
) -> Iterator[Change]:
    """Yield the differences in the order of the parts and of the later rows, ended rows last.

    Args:
        earlier: the earlier answer; None if there was nothing to answer with.
        later: the later answer.
        names: by the path of a list, such as ``open_stakes.stakes``, the fields that identify a row
            of it; without any a row is identified by all of its values.
        left_out: paths of fields that are not compared.

    """
    before = rows_by_name(earlier, names, left_out)
    after = rows_by_name(later, names, left_out)
    for part in (OWN, *names):
        old, new = before.get(part, {}), after.get(part, {})
        for key, row in new.items():
            name = {field: row[field] for field in names.get(part, ())}
            known = old.get(key)
            if known is None:
                yield Change("added", part, name, None, row)
            elif known != row:
                fields = [one for one in {**known, **row} if known.get(one) != row.get(one)]
                values = ({one: of.get(one) for one in fields} for of in (known, row))
                yield Change("changed", part, name, *values)
        for key, row in old.items():
            if key not in new:
                name = {field: row[field] for field in names.get(part, ())}
                yield Change("ended", part, name, row, None)


def rows_by_name(
    answer: Mapping[str, Any] | None,
    names: Mapping[str, Sequence[str]],
    left_out: frozenset[str] = frozenset(),
) -> dict[str, dict[bytes, dict[str, Any]]]:
    """Return the rows of each list of an answer by what identifies them, and its own fields.

    An own field without a value is left out, so that an object which is missing has no fields.

    Raises:
        LookupError: two rows of a list have the same name.

    """
    found: dict[str, dict[bytes, dict[str, Any]]] = {}
    if answer is None:
        return found
    own: dict[str, Any] = {}
    for path, value in _flat(answer, "", names):
        if path in left_out:
            continue
        if path not in names:
            own |= {} if value is None else {path: value}
            continue
        rows: dict[bytes, dict[str, Any]] = {}
        seen: Counter[bytes] = Counter()
        for one in value:
            row = {field: of for field, of in one.items() if f"{path}.{field}" not in left_out}
            key = msgspec.json.encode([row[field] for field in names[path]] or row, order="sorted")
            if not names[path]:
                seen[key] += 1
                key += b"%d" % seen[key]
            elif key in rows:
                raise LookupError(f"{path} has two rows of the name {key!r}")
            rows[key] = row
        found[path] = rows
    return {OWN: {b"": own}, **found} if own else found


def _flat(
    values: Mapping[str, Any], above: str, names: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, Any]]:
    """Yield the fields of an answer by their paths; those of a nested object one by one."""
    for field, value in values.items():
        path = f"{above}{field}"
        if isinstance(value, dict) and path not in names:
            yield from _flat(value, f"{path}.", names)
        else:
            yield path, value
