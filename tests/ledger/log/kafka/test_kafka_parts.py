"""The parts of the Kafka log that need no broker: settings, note, places."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.events.encoding import hash_of
from ledger.log import EMPTY, Head
from ledger.log.kafka.log import PASSWORD_VARIABLE, KafkaLog, KafkaSettings
from ledger.log.kafka.note import HeadNote
from ledger.log.kafka.offset_index import NEAR, ChunkCache, OffsetIndex, read_in_order
from ledger.log.kafka.reader import position_of
from tests.ledger.chain_cases import Chain, landed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.log.kafka.reader import TopicReader

SECRET = "correct horse"  # noqa: S105 - of nobody


def test_url_names_servers_topic_and_settings() -> None:
    settings = KafkaSettings.from_url(
        "kafka://one:9092,two:9092/sazka-live?replication=1&security_protocol=SASL_SSL"
        "&sasl_mechanism=SCRAM-SHA-512&sasl_username=writer&commit_seconds=2.5"
    )
    assert settings == KafkaSettings(
        servers=("one:9092", "two:9092"),
        topic="sazka-live",
        replication=1,
        security_protocol="SASL_SSL",
        sasl_mechanism="SCRAM-SHA-512",
        sasl_username="writer",
        commit_seconds=2.5,
    )
    assert settings.bootstrap == "one:9092,two:9092"


@pytest.mark.law("L-20")
def test_production_is_three_replicas_of_which_two_must_answer() -> None:
    settings = KafkaSettings.from_url("kafka://one:9092/t")
    assert (settings.replication, settings.insync) == (3, 2)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("sqlite://one/t", "kafka://"),
        ("kafka://one/t", "host:port"),
        ("kafka:///t", "host:port"),
        ("kafka://one:9092/", "no name of a topic"),
        ("kafka://one:9092/a/b", "no name of a topic"),
        ("kafka://me:word@one:9092/t", PASSWORD_VARIABLE),
        ("kafka://one:9092/t?sasl_password=word", "no setting"),
        ("kafka://one:9092/t?topic=u", "no setting"),
        ("kafka://one:9092/t?replication=1&replication=3", "twice"),
        ("kafka://one:9092/t?replication=many", "must be a number"),
        ("kafka://one:9092/t?replication=0", "replication"),
        ("kafka://one:9092/t?security_protocol=TLS", "SASL_SSL"),
        ("kafka://one:9092/t?sasl_mechanism=PLAIN", "sasl_mechanism"),
        ("kafka://one:9092/t?security_protocol=SASL_SSL&sasl_mechanism=PLAIN", "sasl_username"),
        ("kafka://one:9092/t?compression=lz4", "compression"),
        ("kafka://one:9092/t?commit_seconds=0", "more than 0"),
        ("kafka://one:9092/t?transaction_seconds=100", "transaction_seconds"),
    ],
)
def test_url_that_makes_no_sense_is_refused(url: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        KafkaSettings.from_url(url)
    assert "word" not in str(caught.value).replace("password", "")


LOGS_IN = "kafka://one:9092/t?security_protocol=SASL_SSL&sasl_mechanism=PLAIN&sasl_username=w"


def test_password_comes_from_the_environment_or_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(PASSWORD_VARIABLE, raising=False)
    (tmp_path / "secret").touch(mode=0o600)
    (tmp_path / "secret").write_text(f"{SECRET}\n", encoding="utf-8")
    with pytest.raises(InputError, match=PASSWORD_VARIABLE):
        KafkaSettings.from_url(LOGS_IN).connection()
    with pytest.raises(InputError, match="can't be read"):
        KafkaSettings.from_url(f"{LOGS_IN}&sasl_password_file=/no/such/file").connection()
    filed = KafkaSettings.from_url(f"{LOGS_IN}&sasl_password_file={tmp_path / 'secret'}")
    assert filed.connection()["sasl_plain_password"] == SECRET
    monkeypatch.setenv(PASSWORD_VARIABLE, "other")
    assert filed.connection()["sasl_plain_password"] == "other"  # noqa: S105 - of nobody
    assert SECRET not in repr(filed)


def test_certificate_that_can_t_be_read_is_refused() -> None:
    settings = KafkaSettings.from_url(
        "kafka://one:9092/t?security_protocol=SSL&ssl_cafile=/no/such.pem"
    )
    with pytest.raises(InputError, match=r"ssl_cafile .*/no/such.pem"):
        settings.connection()


def test_broker_that_is_not_there_is_named(tmp_path: Path) -> None:
    url = "kafka://127.0.0.1:9/t?request_seconds=0.3"
    with pytest.raises(AvailabilityError, match=r"topic t at 127.0.0.1:9 can't be used"):
        KafkaLog(url, tmp_path, writable=True)
    with pytest.raises(AvailabilityError, match="look at the brokers"):
        KafkaLog(url, tmp_path, writable=False)


def test_note_is_read_as_it_was_written(tmp_path: Path) -> None:
    note = HeadNote(tmp_path / "note")
    assert note.head == EMPTY
    for size in range(1, 6):
        note.write(Head(size, bytes([size]) * 32))
    note.close()
    again = HeadNote(tmp_path / "note")
    assert again.head == Head(5, b"\x05" * 32)
    again.close()


@given(at=st.integers(0, 1023), harm=st.integers(1, 255), size=st.integers(1, 9))
def test_torn_note_gives_the_one_before_it_or_the_same(
    tmp_path_factory: pytest.TempPathFactory, at: int, harm: int, size: int
) -> None:
    path = tmp_path_factory.mktemp("note") / "note"
    note = HeadNote(path)
    for number in range(1, size + 1):
        note.write(Head(number, bytes([number]) * 32))
    note.close()
    damaged = bytearray(path.read_bytes())
    damaged[at] ^= harm
    path.write_bytes(damaged)
    found = HeadNote(path)
    assert found.head in {Head(n, bytes([n]) * 32 if n else bytes(32)) for n in (size, size - 1)}
    found.close()


def test_file_that_is_no_note_is_refused(tmp_path: Path) -> None:
    (tmp_path / "note").write_bytes(os.urandom(1024))
    with pytest.raises(IntegrityError, match=r"no readable note.*signed checkpoint"):
        HeadNote(tmp_path / "note")


def test_position_is_read_without_decoding() -> None:
    for size in (0, 1, 63, 64, 8191, 8192, 1 << 20, 1 << 40):
        (message,) = Chain(Head(size, bytes(32))).add(landed(1))
        assert position_of(message.body, 0) == size


@pytest.mark.parametrize("body", [b"", b"\xc3\x01", b"x" * 200, b"\xc3\x01" + bytes(60)])
def test_bytes_of_somebody_else_have_no_position(body: bytes) -> None:
    with pytest.raises(IntegrityError, match="offset 7"):
        position_of(body, 7)


class Shelf:
    """A topic in a list: what :class:`TopicReader` promises, without a broker."""

    def __init__(self, kept: list[tuple[int, bytes]], begin: int) -> None:
        self.kept = kept
        self.looks = 0
        self._begin = begin

    def begin(self) -> int:
        return self._begin

    def first(self, offset: int, end: int) -> tuple[int, bytes] | None:
        self.looks += 1
        return next((pair for pair in self.kept if offset <= pair[0] < end), None)

    def messages(self, offset: int, end: int) -> Iterator[list[tuple[int, bytes]]]:
        yield [pair for pair in self.kept if offset <= pair[0] < end]


@pytest.fixture(scope="module")
def stored() -> list[tuple[int, bytes]]:
    chain = Chain()
    for number in range(3000):
        chain.add(landed(number % 37))
    return chain.stored


@given(data=st.data())
def test_any_position_is_found_wherever_markers_lie(
    stored: list[tuple[int, bytes]], data: st.DataObject
) -> None:
    begin = data.draw(st.sampled_from([0, 5]))
    every = data.draw(st.sampled_from([1, 3, 500]))
    gap_at, gap = data.draw(st.integers(0, 2999)), data.draw(st.sampled_from([0, 40_000]))
    kept = [(begin + at + at // every + (gap if at >= gap_at else 0), body) for at, body in stored]
    shelf: TopicReader = Shelf(kept, begin)  # type: ignore[assignment]
    places, end = OffsetIndex(), kept[-1][0] + 2
    head = Head(3000, hash_of(stored[-1][1]))
    for _ in range(4):
        wanted = data.draw(st.integers(0, 2999))
        found = places.locate(shelf, wanted, 3000, end)
        assert found <= kept[wanted][0]
        assert kept[max(wanted - 3 * NEAR, 0)][0] <= max(found, kept[0][0])
        got = list(read_in_order(shelf, places, start=wanted, stop=wanted + 1, head=head, end=end))
        assert got == [stored[wanted]]
    assert shelf.looks < 150  # type: ignore[attr-defined]


def test_known_places_stay_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.log.kafka.offset_index.OFFSETS_MAX", 8)
    places = OffsetIndex()
    for position in range(0, 100 * NEAR, NEAR):
        places.add(position, 2 * position)
    assert len(places._positions) <= 8
    known, behind = places.neighbours(50 * NEAR)
    assert known is not None
    assert known[0] <= 50 * NEAR
    assert behind is None or behind[0] > 50 * NEAR
    assert known[1] == 2 * known[0]


@given(
    appended=st.lists(st.integers(1, 700), min_size=1, max_size=6),
    loaded=st.lists(st.integers(0, 8), max_size=6),
    room=st.sampled_from([0, 5_000, 10**9]),
)
def test_chunks_hold_nothing_else_than_what_was_put(
    appended: list[int], loaded: list[int], room: int
) -> None:
    bodies = [str(position).encode() for position in range(sum(appended))]
    chunks, size = ChunkCache(room), 0
    for count in appended:
        chunks.append(size, bodies[size : size + count])
        size += count
        for number in loaded:
            if number * NEAR < size:
                chunks.put(number, bodies[number * NEAR : min((number + 1) * NEAR, size)])
        for number in range(size // NEAR + 1):
            held = chunks.get(number, 0) or []
            assert held == bodies[number * NEAR : number * NEAR + len(held)]
    if room == 10**9:
        assert all(chunks.get(number, NEAR) for number in range(size // NEAR))
    elif room == 0:
        assert chunks.get(0, 1) is None
