"""Every text of every command has a greatest length, so that no event is too large.

The walk goes over the types of all commands: no field without a length, and all fields of a
command together below what one event may take of them.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec.inspect as of
import pytest

import schemas
from ledger.core.errors import InputError
from ledger.decisions.decider import DECISIONS, JSON_BYTES_MAX, decode_command
from ledger.decisions.packages import FINDINGS_BYTES_MAX
from ledger.decisions.statements import LINES_BYTES_MAX
from ledger.events.command import (
    EVENT_BYTES_MAX,
    LETTERS,
    NAME_MAX,
    TEXT_MAX,
    WORD_MAX,
    Command,
    name_of,
)
from ledger.games import PLAN_BYTES_MAX

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

ENTRY_BYTES_MAX = 65_535
CHARACTER = "\U00020000"  # a letter of four bytes
OUTSIDE = {
    ("settle_round", "payments"),  # an event for each
    ("end_tournament", "payments"),  # an event for each
    ("note_findings", "raised"),  # an event for each
    ("note_findings", "gone"),  # an event for each
    ("import_statements", "statements"),  # an event for each
}
FREE = {
    ("record_result", "outcome"),  # the document of a game, judged by its plan
    ("publish_operator_rules", "rules"),  # a file, read as one
    ("note_findings", "raised"),  # values that were found
    ("record_confirmation", "findings"),  # lines of an answer of the authority
    ("import_statements", "settings"),  # a file, read as one
}
"""Texts that are no names: they are kept as they came."""
BOUNDED = {
    ("publish_rules", "document"): PLAN_BYTES_MAX,
    ("record_confirmation", "findings"): FINDINGS_BYTES_MAX,
    ("record_statement_lines", "lines"): LINES_BYTES_MAX,
}
PATTERNED = {
    rf"^[{LETTERS}]{{1,20}}-[VM]-[{LETTERS}-]{{6,70}}-[0-9]{{2}}\Z": 95,
    r"^[0-9a-f]{64}\Z": 64,
    r"^(case|statement):\d{4}-(0[1-9]|1[0-2])\Z": 17,
    r"^[0-9a-f]{16}\Z": 16,
    r"^[0-9a-f]{16}-[1-9][0-9]{0,5}\Z": 23,
    r"^[A-Z]{3}\Z": 3,
    r"^[A-Z]{2}\Z": 2,
    r"^([2-9TJQKA][CDHS])?\Z": 2,
    r"^[2-9TJQKA][CDHS]\Z": 2,
    r"^[0-9]{1,3}(\.[0-9]{1,6})?\Z": 10,
}


@dataclass(frozen=True)
class UnboundedError(Exception):
    place: str


def greatest(kind: Any, place: str) -> int:  # noqa: PLR0912 - a branch for each type
    """Return the most bytes that a value of a type takes; raise where there is no end."""
    match kind:
        case of.StrType():
            length = PATTERNED.get(kind.pattern or "", kind.max_length)
            if length is None:
                raise UnboundedError(place)
            return 4 * length + 3
        case of.BytesType():
            if kind.max_length is None:
                raise UnboundedError(place)
            return kind.max_length + 3
        case of.ListType() | of.VarTupleType():
            if kind.max_length is None:
                raise UnboundedError(place)
            return kind.max_length * greatest(kind.item_type, place) + 10
        case of.TupleType():
            return sum(greatest(item, place) for item in kind.item_types)
        case of.DictType():
            if kind.max_length is None:
                raise UnboundedError(place)
            key, value = greatest(kind.key_type, place), greatest(kind.value_type, place)
            return kind.max_length * (key + value) + 10
        case of.UnionType():
            return max(greatest(one, place) for one in kind.types)
        case of.StructType():
            return sum(greatest(field.type, f"{place}.{field.name}") for field in kind.fields)
        case of.IntType():
            if (kind.le if kind.le is not None else kind.lt) is None:
                raise UnboundedError(place)
            return 10
        case of.LiteralType():
            return max(len(str(value)) for value in kind.values) + 3
        case of.AnyType():
            raise UnboundedError(place)
    return 36


def bytes_of(command: type[Command], field: Any) -> int:
    name = name_of(command)
    if (name, field.name) in OUTSIDE:
        return 0
    if (name, field.name) in BOUNDED:
        return BOUNDED[name, field.name]
    if field.name in JSON_BYTES_MAX:
        return JSON_BYTES_MAX[field.name]
    return greatest(field.type, f"{name}.{field.name}")


@pytest.mark.parametrize("command", DECISIONS, ids=name_of)
def test_all_fields_of_a_command_together_fit_into_one_event(command: type[Command]) -> None:
    kind = of.type_info(command)
    assert isinstance(kind, of.StructType)
    assert sum(bytes_of(command, field) for field in kind.fields) <= EVENT_BYTES_MAX


def test_what_is_left_out_of_the_sum_has_a_length_too() -> None:
    for name, field in OUTSIDE:
        command = next(one for one in DECISIONS if name_of(one) == name)
        kind = of.type_info(command)
        assert isinstance(kind, of.StructType)
        (found,) = (one.type for one in kind.fields if one.name == field)
        assert greatest(found, field)


def texts() -> list[tuple[str, str, int]]:
    """List every plain text of every command with its length."""
    found = []
    for command in DECISIONS:
        kind = of.type_info(command)
        assert isinstance(kind, of.StructType)
        found += [
            (name_of(command), field.name, field.type.max_length)
            for field in kind.fields
            if isinstance(field.type, of.StrType) and field.type.max_length is not None
        ]
    return found


@pytest.mark.parametrize(("command", "field", "length"), texts())
def test_a_longer_text_is_an_error_that_names_field_and_length(
    command: str, field: str, length: int
) -> None:
    """Other fields are missing: a field that is there is looked at before."""
    with pytest.raises(InputError, match=rf"^{command}: .*length <= {length} - at `\$\.{field}`"):
        decode_command(json.dumps({"command": command, field: "x" * (length + 1)}))


@pytest.mark.parametrize(
    ("command", "field"), [("place_bet", "selection"), ("record_result", "outcome")]
)
def test_free_json_that_is_too_long_is_named(casino: Casino, command: str, field: str) -> None:
    chips = casino.chips(casino.open_round(), 10)
    facts = chips if command == "place_bet" else {"round": chips["round"]}
    for value in ({"a": "é" * JSON_BYTES_MAX[field]}, {"a": [1] * JSON_BYTES_MAX[field]}):
        limit = JSON_BYTES_MAX[field]
        casino.fail(f"`{field}` has .* bytes as JSON, {limit} at most", command, **{
            **facts, field: value,
        })  # fmt: skip


PLACED = {"bet": "q-1", "account": "anna", "round": "q", "bet_code": "straight", "stake": 1}


@pytest.mark.parametrize(
    ("field", "facts"),
    [
        ("selection", {"command": "place_bet", **PLACED}),
        ("outcome", {"command": "record_result", "round": "q"}),
    ],
)
def test_free_json_is_measured_as_ascii_to_the_last_byte(field: str, facts: dict[str, Any]) -> None:
    """U+007F grows most: one byte in UTF-8, six as ASCII."""
    limit = JSON_BYTES_MAX[field]
    signs, rest = divmod(limit - len(json.dumps({"a": ""})), 6)
    full = {"a": "\x7f" * signs + "x" * rest}
    assert getattr(decode_command(json.dumps({**facts, field: full})), field) == full
    more = {"a": full["a"] + "x"}
    with pytest.raises(InputError, match=rf"`{field}` has {limit + 1} bytes as JSON"):
        decode_command(json.dumps({**facts, field: more}))


LARGEST: list[tuple[str, dict[str, Any]]] = [
    ("list_game", {"game": "g" * 50, "name": CHARACTER * NAME_MAX}),
    ("request_cancellation", {"account": "anna", "ground": "12(1)a",
                              "explanation": CHARACTER * TEXT_MAX}),
    ("file_complaint", {"account": "anna", "case": "c" * 50, "grounds": CHARACTER * TEXT_MAX}),
    ("impose_exclusion", {"account": "anna", "ground": CHARACTER * NAME_MAX}),
    ("charge_fee", {"account": "anna", "fee": "f" * 50, "amount": 10**15,
                    "reason": CHARACTER * TEXT_MAX}),
    ("suspend_table", {"table": "r1", "cause": CHARACTER * TEXT_MAX}),
    ("change_person", {"account": "anna", "name": CHARACTER * NAME_MAX,
                       "address": CHARACTER * NAME_MAX, "email": CHARACTER * NAME_MAX}),
    ("deal_card", {"round": "q", "index": 1, "face_up": True, "recipient": CHARACTER * NAME_MAX}),
    ("void_round", {"round": "q", "ground": CHARACTER * WORD_MAX}),
]  # fmt: skip


@pytest.mark.parametrize(("command", "facts"), LARGEST, ids=[name for name, _ in LARGEST])
def test_the_largest_of_a_command_is_recorded_or_refused_and_its_events_fit(
    casino: Casino, command: str, facts: dict[str, Any]
) -> None:
    casino.do("open_round", round="q", table="r1")
    before = casino.ledger.head.size
    casino.send(command, **facts, actor=CHARACTER * NAME_MAX, source=CHARACTER * NAME_MAX)
    messages = list(casino.ledger._log.read(before))
    assert messages
    assert all(len(message) <= ENTRY_BYTES_MAX for _, message in messages)


def test_plans_and_schemas_fit_into_one_event() -> None:
    """`publish_rules` records the whole plan, the writer every schema."""
    for plan in files("ledger.games").joinpath("plan_data").iterdir():
        assert len(plan.read_bytes()) <= PLAN_BYTES_MAX, plan
    for schema in schemas.catalogue().values():
        assert len(schema.text.encode()) <= EVENT_BYTES_MAX, schema.name


def texts_in(kind: of.Type) -> list[of.StrType]:
    """Find the texts in a type, those of what it holds too."""
    match kind:
        case of.StrType():
            return [kind]
        case of.UnionType(types=types):
            return [text for one in types for text in texts_in(one)]
        case of.ListType(item_type=item) | of.VarTupleType(item_type=item):
            return texts_in(item)
        case of.TupleType(item_types=items):
            return [text for one in items for text in texts_in(one)]
        case of.DictType(key_type=key, value_type=value):
            return texts_in(key) + texts_in(value)
        case of.Metadata(type=inner):
            return texts_in(inner)
        case of.StructType(fields=fields):
            return [text for field in fields for text in texts_in(field.type)]
    return []


def test_no_text_of_a_command_is_all_blank() -> None:
    """A name, an address or a reason of blanks identifies nobody and says nothing (SAZKA 8(10))."""
    blank = {
        (name_of(command), field.name)
        for command in DECISIONS
        for field in of.type_info(command).fields  # type: ignore[attr-defined]
        for text in texts_in(field.type)
        if text.pattern is None or re.search(text.pattern, "  \t")
    }
    assert blank == FREE
