"""Numbers read by the column are those that are read one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.events.avro_long import encode_long, read_long
from ledger.events.encoding import NUMBERS
from ledger.events.envelope_columns import EnvelopeColumns

NUMBER = st.integers(-(2**63), 2**63 - 1) | st.integers(-300, 300)
ENDS = st.sampled_from([-(2**63), 2**63 - 1, 2**55 - 1, 2**55, -(2**55), -(2**55) - 1, 63, 64])
FOUR = st.tuples(*[NUMBER | ENDS] * 4)


def message(numbers: bytes, behind: bytes = b"") -> bytes:
    return bytes(range(NUMBERS)) + numbers + behind


@given(st.lists(st.tuples(FOUR, st.binary(max_size=60)), min_size=1, max_size=20))
def test_a_column_holds_what_each_message_says(
    made: list[tuple[tuple[int, int, int, int], bytes]],
) -> None:
    written = [b"".join(map(encode_long, four)) for four, _ in made]
    messages = [message(one, behind) for one, (_, behind) in zip(written, made, strict=True)]
    read = EnvelopeColumns.read(messages)
    assert read is not None
    columns = (read.positions, read.indexes, read.sizes, read.recorded)
    rows = list(zip(*[column.tolist() for column in columns], strict=True))
    assert rows == [four for four, _ in made]
    assert read.previous.tobytes() == b"".join(one[10:42] for one in messages)
    assert read.commands.tobytes() == b"".join(one[42:74] for one in messages)


@given(st.lists(st.integers(0, 255), min_size=1, max_size=12), st.integers(0, 3))
def test_bytes_that_are_no_number_are_refused(damage: list[int], place: int) -> None:
    """A number of more than ten bytes, or of more than it takes; else what is read one by one."""
    written = [encode_long(5)] * 4
    written[place] = bytes(damage)
    body = message(b"".join(written), bytes(40))
    numbers, at, is_shortest = [], NUMBERS, True
    try:
        for _ in range(4):
            start = at
            number, at = read_long(body, at)
            is_shortest &= at == start + 1 or body[at - 1] > 0
            is_shortest &= -(2**63) <= number < 2**63
            numbers.append(number)
    except ValueError:
        is_shortest = False
    read = EnvelopeColumns.read([message(b"".join(map(encode_long, (1, 2, 3, 4)))), body])
    assert (read is not None) is is_shortest
    if read is not None:
        found = (read.positions, read.indexes, read.sizes, read.recorded)
        assert [int(column[1]) % 2**64 for column in found] == [one % 2**64 for one in numbers]


@pytest.mark.parametrize("last", [1, 2, 127])
def test_a_number_has_at_most_64_bits(last: int) -> None:
    body = message(b"\x80" * 9 + bytes([last]) + b"\x02" * 3, bytes(40))
    assert (EnvelopeColumns.read([body]) is not None) is (last == 1)


@pytest.mark.parametrize("length", [1, 7, 8, 9, 10, 11])
def test_a_number_has_at_most_ten_bytes(length: int) -> None:
    body = message(b"\x80" * (length - 1) + b"\x01" + b"\x02" * 3, bytes(40))
    assert (EnvelopeColumns.read([body]) is not None) is (length <= 10)


@pytest.mark.parametrize("behind", [b"", bytes(5000)])
def test_a_message_that_ends_within_its_envelope_is_refused(behind: bytes) -> None:
    """Whatever stands in the next one, which would go on as a number does."""
    whole = message(b"".join(map(encode_long, (1, 0, 300, 2**40))))
    last = message(b"\x02" * 4, behind)
    assert EnvelopeColumns.read([whole, last]) is not None
    for length in range(len(whole)):
        assert EnvelopeColumns.read([whole[:length], last]) is None
        assert EnvelopeColumns.read([last, whole[:length]]) is None


@given(st.lists(st.sampled_from([b"\xc3\x01", b"\xc3\x02"]), min_size=1, max_size=30), st.data())
def test_rows_are_told_apart_by_their_schema(marks: list[bytes], data: st.DataObject) -> None:
    names = [
        data.draw(st.sampled_from([bytes(8), bytes(7) + b"\x01", bytes(range(8))])) for _ in marks
    ]
    rest = message(b"\x02" * 4)[10:]
    messages = [mark + name + rest for mark, name in zip(marks, names, strict=True)]
    read = EnvelopeColumns.read(messages)
    assert read is not None
    rows_of: dict[bytes, list[int]] = {}
    for row, body in enumerate(messages):
        rows_of.setdefault(body[:10], []).append(row)
    assert list(read.rows_by_schema().items()) == list(rows_of.items())
