"""Uploads to a mirror: their bytes, and those that are cut, altered or none."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.errors import InputError
from ledger.tlog.mirroring import (
    MirrorInfo,
    Package,
    Upload,
    package_bytes,
    package_ranges,
    packages_in,
)

MESSAGES = [b"%d" % number for number in range(700)]
PROOF = [bytes([number]) * 32 for number in range(3)]


def body_of(upload: Upload) -> bytes:
    ranges = package_ranges(upload.start, upload.end)
    packages = [package_bytes(MESSAGES[one.start : one.end], PROOF) for one in ranges]
    return upload.raw + b"".join(packages)


@given(st.integers(0, 700), st.integers(0, 700), st.binary(max_size=40))
def test_an_upload_is_read_as_it_was_written(one: int, other: int, ticket: bytes) -> None:
    sent = Upload("casino.example/live", *sorted((one, other)), ticket)
    body = BytesIO(body_of(sent))
    assert Upload.read(body) == sent
    found = list(packages_in(body, sent))
    assert [message for _, package in found for message in package.messages] == MESSAGES[
        sent.start : sent.end
    ]
    assert all(package.proof == PROOF for _, package in found)
    assert all(place.subtree % 256 == 0 and place.end - place.subtree <= 256 for place, _ in found)


@given(st.data())
def test_of_a_body_that_was_cut_the_whole_packages_are_read(data: st.DataObject) -> None:
    sent = Upload("casino.example/live", 200, 600)
    whole = body_of(sent)
    cut = BytesIO(whole[: data.draw(st.integers(len(sent.raw), len(whole)))])
    assert Upload.read(cut) == sent
    found = [package for _, package in packages_in(cut, sent)]
    ends = [len(sent.raw)]
    for place in package_ranges(200, 600):
        package = package_bytes(MESSAGES[place.start : place.end], PROOF)
        ends.append(ends[-1] + len(package))
    assert len(found) == sum(end <= len(cut.getvalue()) for end in ends[1:])


def test_the_bytes_are_those_of_the_specification() -> None:
    header = b"\x00\x01o" + (255).to_bytes(8) + (257).to_bytes(8) + b"\x00\x00"
    first = b"\x00\x03255" + b"\x01" + PROOF[0]
    second = b"\x00\x03256" + b"\x00"
    body = BytesIO(header + first + second)
    upload = Upload.read(body)
    assert upload == Upload("o", 255, 257)
    assert list(packages_in(body, upload)) == [
        ((0, 255, 256), Package([b"255"], [PROOF[0]])),
        ((256, 256, 257), Package([b"256"], [])),
    ]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x00\x05o",
        b"\x00\x01\xff" + bytes(18),
        b"\x00\x01o" + (2).to_bytes(8) + (1).to_bytes(8) + b"\x00\x00",
        b"\x00\x01o" + bytes(8) + (2**63).to_bytes(8) + b"\x00\x00",
        b"\x00\x01o" + bytes(16) + b"\x00\x02t",
    ],
)
def test_what_is_no_header_is_refused(body: bytes) -> None:
    with pytest.raises(InputError, match="an upload"):
        Upload.read(BytesIO(body))


def test_what_goes_on_or_proves_too_much_is_refused() -> None:
    upload = Upload("o", 0, 1)
    for rest, text in ((b"\x00\x00\x00more", "goes on"), (b"\x00\x00\x40", "at most 63")):
        with pytest.raises(InputError, match=text):
            list(packages_in(BytesIO(rest), upload))


def test_what_a_mirror_has_is_read_as_it_was_written() -> None:
    for info in (MirrorInfo(7, 3, b"ticket"), MirrorInfo(0, 0)):
        assert MirrorInfo.parse(str(info)) == info
    for text in ("", "7\n3\n", "7\n3\n\n\n", "07\n3\n\n", "7\n3\n*\n"):
        with pytest.raises(InputError):
            MirrorInfo.parse(text)


@given(st.binary(max_size=400), st.booleans())
def test_any_bytes_are_an_upload_or_are_refused(content: bytes, is_named: bool) -> None:
    body = BytesIO(b"\x00\x01o" + content if is_named else content)
    try:
        upload = Upload.read(body)
        found = list(packages_in(body, upload))
    except InputError:
        return
    assert sum(len(package.messages) for _, package in found) <= upload.end - upload.start
