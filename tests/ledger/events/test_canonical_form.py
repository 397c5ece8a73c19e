"""A message is good if reading it strictly gives values that encode to the same bytes."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from fastavro import schemaless_reader, schemaless_writer
from hypothesis import given, settings
from hypothesis import strategies as st

import schemas
from ledger.core.clock import MOMENT_MAX
from ledger.events import event_types as e
from ledger.events.avro_long import encode_long
from ledger.events.canonical_form import scan_of, tag_reader_of
from ledger.events.encoding import decode
from tests.ledger.chain_cases import Chain, sample
from tests.search import amount

if TYPE_CHECKING:
    from ledger.events.canonical_form import Scan

ALL = list(schemas.catalogue().values())
LONG_MAX, INT_MAX = 2**63 - 1, 2**31 - 1
TEXTS = st.one_of(st.text(max_size=12), st.from_regex(r"\A[a-z0-9-]{0,60}\Z"))
MARKS = st.sampled_from([0, 1, 2, 3, 0x7F, 0x80, 0x81, 0xC0, 0xFE, 0xFF])


@cache
def scan(fingerprint: bytes) -> Scan:
    schema = schemas.catalogue()[fingerprint]
    return scan_of(schema, e.EVENTS[schema.name].TAGS)


def is_good(schema: schemas.Schema, message: bytes) -> bool:
    """Judge a message by fastavro and the page alone."""
    stream = BytesIO(message[10:])
    try:
        record: Any = schemaless_reader(stream, schema.parsed, None)
    except Exception:  # noqa: BLE001 - whatever damage raises
        return False
    again = BytesIO()
    schemaless_writer(again, schema.parsed, record)
    if stream.read(1) or again.getvalue() != message[10:]:
        return False
    for field in schema.raw["fields"]:
        value = record[field["name"]]
        if (
            field["type"] in ("int", ["null", "int"])
            and not -INT_MAX - 1 <= (value or 0) <= INT_MAX
        ):
            return False
        if field.get("unit") == "microseconds" and not 0 <= (value or 0) < MOMENT_MAX:
            return False
    return True


def values(field: dict[str, Any], kind: Any) -> st.SearchStrategy[Any]:
    if isinstance(kind, list):
        return st.one_of([values(field, branch) for branch in kind])
    if isinstance(kind, dict) and kind["type"] == "fixed":
        return st.binary(min_size=kind["size"], max_size=kind["size"])
    if isinstance(kind, dict):
        return st.lists(values(field, kind["items"]), max_size=10)
    if field.get("unit") == "microseconds":
        now = st.integers(1_700_000_000_000_000, 1_900_000_000_000_000)
        return st.one_of(now, now, st.integers(-5, MOMENT_MAX + 5), st.integers(-(2**63), LONG_MAX))
    return {
        "string": TEXTS,
        "bytes": st.binary(max_size=60),
        "long": st.one_of(st.integers(-(2**63), LONG_MAX), st.integers(-200, 200)),
        "int": st.integers(-INT_MAX - 1, INT_MAX),
        "boolean": st.booleans(),
        "null": st.none(),
    }[kind]


@st.composite
def messages(draw: st.DrawFn) -> tuple[schemas.Schema, bytes]:
    schema = draw(st.sampled_from(ALL))
    record = {f["name"]: draw(values(f, f["type"])) for f in schema.raw["fields"]}
    out = BytesIO()
    schemaless_writer(out, schema.parsed, record)
    return schema, b"\xc3\x01" + schema.fingerprint + out.getvalue()


def assert_agreed(schema: schemas.Schema, message: bytes) -> bool:
    good = is_good(schema, message)
    tags = [tag.encode() for tag in decode(message).event.index_tags()] if good else []
    fault, found = scan(schema.fingerprint)(message)
    assert (fault == "") is good
    assert set(found) == set(tags)
    if good:
        assert set(tag_reader_of(schema, e.EVENTS[schema.name].TAGS)(message)) == set(tags)
    return good


@settings(max_examples=amount(50, 200), deadline=None)
@given(messages())
def test_what_was_written_is_good_unless_a_moment_is_beyond_the_years(
    made: tuple[schemas.Schema, bytes],
) -> None:
    assert_agreed(*made)


@pytest.mark.slow
@settings(max_examples=amount(200, 800), deadline=None)
@given(messages(), st.data())
def test_verdict_on_damage_is_that_of_the_strict_reader(
    made: tuple[schemas.Schema, bytes], data: st.DataObject
) -> None:
    """Flip, put in, take out, cut and lengthen at random behind the fixed part."""
    schema, message = made
    body = bytearray(message)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(74, len(body)))
        change = data.draw(st.sampled_from(["set", "put", "take", "cut"]))
        if change == "set" and at < len(body):
            body[at] = data.draw(MARKS)
        elif change == "put":
            body[at:at] = bytes([data.draw(MARKS)])
        elif change == "take":
            del body[at : at + 1]
        elif change == "cut" and data.draw(st.booleans()):
            del body[at:]
    assert_agreed(schema, bytes(body))


def message_of(kind: type[e.Event], **facts: Any) -> tuple[schemas.Schema, bytes]:
    (message,) = Chain().add(sample(kind, **facts))
    return schemas.newest()[kind.__name__], message.body


LANDED, BALL = message_of(e.BallLanded, round="r-1", number=17)
DAMAGES = {
    "goes on": BALL + b"\x00",
    "cut in a fact": BALL[:-1],
    "cut in a text": BALL[:-3],
    "cut in the envelope": BALL[:80],
    "not UTF-8": BALL.replace(b"r-1", b"r-\xff"),
    "overlong UTF-8": BALL.replace(b"r-1", b"r\xc0\xaf"),
    "surrogate in UTF-8": BALL.replace(b"\x06r-1", b"\x06\xed\xa0\x80"),
    "text of negative length": BALL.replace(b"\x06r-1", b"\x05r-1"),
    "text longer than the message": BALL.replace(b"\x06r-1", b"\xfe\x7fr-1"),
    "number in more bytes than it takes": BALL[:-1] + b"\xa2\x00",
    "length in more bytes than it takes": BALL.replace(b"\x06r-1", b"\x86\x00r-1"),
    "int of 33 bits": BALL[:-1] + encode_long(INT_MAX + 1),
    "int of 33 bits below zero": BALL[:-1] + encode_long(-INT_MAX - 2),
    "number of 11 bytes": BALL[:-1] + b"\x80" * 10 + b"\x01",
    "number of 65 bits": BALL[:-1] + b"\xff" * 9 + b"\x02",
}


@pytest.mark.parametrize("message", DAMAGES.values(), ids=DAMAGES)
def test_damage_of_each_kind_is_found(message: bytes) -> None:
    assert assert_agreed(LANDED, BALL)
    assert not assert_agreed(LANDED, message)


NEWEST = [one for one in schemas.newest().values() if one.facts]
OPTIONAL = next(s for s in NEWEST if isinstance(s.facts[-1]["type"], list))
FLAG = next(s for s in NEWEST if s.facts[-1]["type"] == "boolean")
ARRAY = next(s for s in NEWEST if s.facts[-1]["type"] == {"type": "array", "items": "string"})


def with_tail(schema: schemas.Schema, tail: bytes) -> tuple[schemas.Schema, bytes]:
    """Write a message whose last fact is a tail of our own."""
    kind = schema.facts[-1]["type"]
    last: Any = None if isinstance(kind, list) else False if kind == "boolean" else ()
    _, body = message_of(e.EVENTS[schema.name], **{schema.facts[-1]["name"]: last})
    return schema, body[:-1] + tail


@pytest.mark.parametrize(
    ("made", "good"),
    [
        (with_tail(OPTIONAL, b"\x00"), True),
        (with_tail(OPTIONAL, b"\x04"), False),
        (with_tail(OPTIONAL, b"\x01"), False),
        (with_tail(FLAG, b"\x01"), True),
        (with_tail(FLAG, b"\x02"), False),
        (with_tail(FLAG, b"\x80"), False),
        (with_tail(ARRAY, b"\x00"), True),
        (with_tail(ARRAY, b"\x04\x02a\x02b\x00"), True),
        (with_tail(ARRAY, b"\x02\x02a\x02\x02b\x00"), False),
        (with_tail(ARRAY, b"\x03\x08\x02a\x02b\x00"), False),
        (with_tail(ARRAY, b"\x03\x04\x02a\x00"), False),
        (with_tail(ARRAY, b"\x04\x02a\x00"), False),
        (with_tail(ARRAY, b"\x02\x02a"), False),
        (with_tail(ARRAY, b"\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02a\x00"), False),
        (with_tail(ARRAY, encode_long(40) + b"\x02a" * 40 + b"\x00"), True),
    ],
)
def test_branches_flags_and_blocks_have_one_form(
    made: tuple[schemas.Schema, bytes], good: bool
) -> None:
    assert assert_agreed(*made) is good


TAGGED = schemas.newest()["RoundResulted"]


@pytest.mark.parametrize(
    ("tail", "good"),
    [
        (encode_long(63) + b"\x02a" * 63 + b"\x00", True),
        (encode_long(64) + b"\x02a" * 64 + b"\x00", True),
        (encode_long(2) + b"\x02a" + encode_long(70) + b"b" * 70 + b"\x00", True),
        (encode_long(2) + b"\x02a\x00\x00", True),
        (encode_long(1) + b"\x04\xc3\xa9\x00", True),
        (encode_long(40) + b"\x02a" * 39 + b"\x00", False),
        (encode_long(40) + b"\x02a" * 41 + b"\x00", False),
        (encode_long(63) + b"\x02a" * 64 + b"\x00", False),
        (encode_long(2) + b"\x02a\x02\xff\x00", False),
        (encode_long(2) + b"\x02a\x02b", False),
        (encode_long(2) + b"\x02a\x02b\x00\x00", False),
        (encode_long(-2) + b"\x02a\x02b\x00", False),
        (b"\x84\x00\x02a\x02b\x00", False),
    ],
)
def test_texts_of_an_array_that_are_tags_are_as_many_as_it_says(tail: bytes, good: bool) -> None:
    assert assert_agreed(*with_tail(TAGGED, tail)) is good


@pytest.mark.parametrize("moment", [-(2**63), -1, MOMENT_MAX, 2**53, LONG_MAX])
def test_moment_beyond_the_years_is_named(moment: int) -> None:
    schema, body = message_of(e.PanicButtonPressed, until=moment)
    assert not assert_agreed(schema, body)
    assert "its until" in scan(schema.fingerprint)(body)[0]


@pytest.mark.parametrize("moment", [0, 1, 2**48, 2**49, MOMENT_MAX - 1])
def test_moment_within_the_years_is_good(moment: int) -> None:
    assert assert_agreed(*message_of(e.PanicButtonPressed, until=moment))
