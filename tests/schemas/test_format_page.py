"""docs/format.md is enough to read a chain, and its examples are right.

The reader below uses nothing of the ledger: it was written from the page.
"""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec.structs import replace

import schemas
from ledger.chain import link
from ledger.events import event_types as e
from ledger.events.encoding import Envelope, decode, encode
from ledger.events.schema_book import FROZEN
from ledger.log import EMPTY, SqliteLog
from ledger.tlog.notes import Note
from ledger.tlog.policy import Policy
from ledger.tlog.signing import Checkpoint, PublicKey, verify_note
from ledger.verification.verify import verify
from tests.ledger.source_cases import Source
from tests.schemas import golden

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "format.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\d+) \| `([0-9a-f]+)` \| (.+) \|$", PAGE, re.MULTILINE)
EXAMPLE = bytes.fromhex("".join(digits for _, digits, _ in ROWS))
FORMAT_SCHEMAS = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


class Bytes:
    """Takes values from the front of some bytes."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        taken = self.data[self.at : self.at + size]
        assert len(taken) == size
        self.at += size
        return taken

    def long(self) -> int:
        number = shift = 0
        while True:
            (byte,) = self.take(1)
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number >> 1 if number % 2 == 0 else -(number >> 1) - 1

    def value(self, kind: Any) -> Any:
        if isinstance(kind, list):
            return self.value(kind[self.long()])
        if isinstance(kind, dict) and kind["type"] == "fixed":
            return self.take(kind["size"])
        if isinstance(kind, dict):
            return list(self.items(kind["items"]))
        if kind in ("bytes", "string"):
            raw = self.take(self.long())
            return raw if kind == "bytes" else raw.decode()
        if kind == "boolean":
            return self.take(1) == b"\x01"
        return None if kind == "null" else self.long()

    def items(self, kind: Any) -> Any:
        while count := self.long():
            if count < 0:
                self.long()
            for _ in range(abs(count)):
                yield self.value(kind)


def records_of(path: Path) -> Any:
    """Read a log file, check its links, and return (event type, fields) of each message."""
    known = {
        "ae547ab3475b5276": FORMAT_SCHEMAS[0],
        "e490a56b6bd2b71c": FORMAT_SCHEMAS[1],
    }
    previous = bytes(32)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        for position, body in file.execute("SELECT position, body FROM message ORDER BY position"):
            assert body[:2] == b"\xc3\x01"
            schema = known[body[2:10].hex()]
            reader = Bytes(body[10:])
            record = {field["name"]: reader.value(field["type"]) for field in schema["fields"]}
            assert reader.at == len(reader.data)
            assert (record["previous_hash"], record["position"]) == (previous, position)
            if schema["name"] == "SchemaPublished":
                known[record["fingerprint"]] = json.loads(record["schema"])
            previous = sha256(b"\x00" + body).digest()
            yield schema["name"], record


SOURCE = Source(chain="c")


def made_real(event: e.Event) -> e.Event:
    """Give a golden event facts that the format allows: moments and keys that are some."""
    facts = schemas.newest()[type(event).__name__].facts
    real: dict[str, Any] = {f["name"]: 1 for f in facts if f.get("unit") == "microseconds"}
    if isinstance(event, e.SigningKeyAdded | e.SigningKeyRevoked):
        real["key_id"] = PublicKey("c", bytes(32)).key_id
    if isinstance(event, e.SigningKeyAdded):
        real["public_key"] = bytes(32)
    if isinstance(event, e.SigningKeyAdded) and event.algorithm != "Ed25519":  # of version 2
        key = PublicKey("c", bytes(91), b"\x02")
        real |= {"key_id": key.key_id, "public_key": key.raw, "algorithm": "ECDSA-P256"}
    if isinstance(event, e.SourceRegistered):
        return SOURCE.registered()
    if isinstance(event, e.SourceSealed):
        return SOURCE.sealed([bytes(16)], 1)
    return replace(event, **real)


def chain_of_every_event() -> list[Any]:
    """Make one decision of every event type, with the golden facts."""
    opened = e.ChainOpened(
        operator="1",
        operator_name="O",
        chain="c",
        format_version=1,
        hash_algorithm="RFC6962-SHA256",
    )
    published = [
        e.SchemaPublished(
            name=schema.name,
            version=schema.version,
            fingerprint=schema.fingerprint.hex(),
            schema=schema.text,
        )
        for schema in schemas.newest().values()
        if schema.name not in ("ChainOpened", "SchemaPublished")
    ]
    golden_events = [decode(bytes.fromhex(line["message"])).event for line in golden.lines()]
    events = [made_real(event) for event in golden_events]
    skipped = ("ChainOpened", "SchemaPublished", "CheckpointSigned")
    return [opened, *published, *(x for x in events if type(x).__name__ not in skipped)]


def test_reader_written_from_the_page_reads_every_event(tmp_path: Path) -> None:
    events = chain_of_every_event()
    with closing(SqliteLog(tmp_path, writable=True)) as log:
        messages, _ = link(
            EMPTY,
            events,
            command_id=bytes(16),
            command_digest=bytes(16),
            recorded_at=1,
            occurred_at=1,
            actor="a",
            source="s",
        )
        log.append(messages)
        verify(log.read())
    found = list(records_of(tmp_path / "log.sqlite"))
    assert len(found) == len(events)
    for event, (name, record) in zip(events, found, strict=True):
        assert type(event).__name__ == name
        for field in event.__struct_fields__:
            value = getattr(event, field)
            assert record[field] == (list(value) if isinstance(value, tuple) else value)


def test_table_on_the_page_is_the_one_of_a_log(tmp_path: Path) -> None:
    SqliteLog(tmp_path, writable=True).close()
    (statement,) = re.findall(r"```sql\n(.*?)\n```", PAGE)
    with closing(sqlite3.connect(tmp_path / "log.sqlite")) as file:
        assert file.execute("SELECT sql FROM sqlite_schema").fetchall() == [(statement,)]
        (application,) = file.execute("PRAGMA application_id").fetchone()
        (version,) = file.execute("PRAGMA user_version").fetchone()
    said = f"`application_id` {application} (`GLED`) and `user_version` {version}."
    assert said in " ".join(PAGE.split())


def test_example_is_a_message_and_each_part_is_where_the_page_says() -> None:
    at = 0
    for start, digits, _ in ROWS:
        assert int(start) == at
        at += len(digits) // 2
    assert at == len(EXAMPLE) == 116
    envelope = Envelope(
        previous_hash=b"\x11" * 32,
        command_id=b"\x22" * 16,
        command_digest=b"\x33" * 16,
        position=300,
        decision_index=0,
        decision_size=1,
        recorded_at=1_795_219_200_000_000,
        occurred_at=1_795_219_199_250_000,
        actor="wheel-7",
        source="studio-1",
    )
    assert encode(envelope, e.BallLanded(round="r-1", number=17)) == EXAMPLE
    assert sha256(b"\x00" + EXAMPLE).hexdigest() in PAGE


def test_parts_of_the_example_hold_the_values_that_the_page_names() -> None:
    texts = {"actor", "source", "round"}
    for _, digits, what in ROWS[5:]:
        name, _, rest = what.partition(" = ")
        value = Bytes(bytes.fromhex(digits)).value("string" if name in texts else "long")
        assert str(value) == rest.partition(",")[0]


def test_schemas_on_the_page_are_those_of_the_format() -> None:
    versions = [(raw["name"], raw["version"]) for raw in FORMAT_SCHEMAS]
    assert versions == sorted(
        (one for one in schemas.pins() if one[0] in FROZEN), key=versions.index
    )
    for (name, version), raw in zip(versions, FORMAT_SCHEMAS, strict=True):
        pin = schemas.pins()[name, version]
        text = json.dumps(raw, ensure_ascii=False, separators=(",", ":"))
        assert sha256(text.encode()).hexdigest() == pin.sha256
        title = f"`{name}`" if version == 1 else f"`{name}` version {version}"
        fingerprint = schemas.numbered()[name, version].fingerprint.hex()
        assert f"{title}, fingerprint `{fingerprint}`" in PAGE


def test_note_on_the_page_is_signed_by_the_key_on_the_page() -> None:
    note = next(
        text for text in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL) if "\u2014 " in text
    )
    (line,) = re.findall(r"^`(casino\.example/live\+[^`]+)`:$", PAGE, re.MULTILINE)
    left = sha256(b"\x01" + b"".join(sha256(b"\x00" + leaf).digest() for leaf in (b"a", b"b")))
    root = sha256(b"\x01" + left.digest() + sha256(b"\x00c").digest())
    assert f"`{root.hexdigest()}`" in PAGE
    checkpoint = verify_note(note, [PublicKey.parse(line)])
    assert checkpoint == Checkpoint("casino.example/live", 3, root.digest(), map_root_on_the_page())


def test_cosignature_on_the_page_is_of_the_witness_on_the_page() -> None:
    blocks = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    note, line = (text for text in blocks if "\u2014 " in text)
    (key,) = re.findall(r"`(witness\.example/1\+[^`]+)`", PAGE)
    policy = Policy.parse(f"witness w {key}\nquorum w\n")
    assert policy.cosigned(Note.parse(note + line)) == {"w": 1767225600}


def map_root_on_the_page() -> bytes:
    """Compute the example of the tag map by the words of the page alone."""
    messages = [sha256(b"\x00" + leaf).digest() for leaf in (b"a", b"b", b"c")]
    leaves = []
    for tag, (first, last) in {"account:a-1": (1, 2), "round:r-1": (0, 1)}.items():
        key = sha256(tag.encode()).digest()
        pair = [sha256(b"\x00" + at.to_bytes(8) + messages[at]).digest() for at in (first, last)]
        root = sha256(b"\x01" + pair[0] + pair[1]).digest()
        leaf = sha256(b"\x02" + key + (2).to_bytes(8) + last.to_bytes(8) + root).digest()
        row = f"| `{tag}` | `{key.hex()}` | 2, {last} | `{root.hex()}` | `{leaf.hex()}` |"
        assert row in PAGE
        leaves.append(leaf)
    map_root = sha256(b"\x03" + leaves[0] + leaves[1]).digest()
    assert f"`{map_root.hex()}`" in PAGE
    return map_root


def test_personal_field_on_the_page_can_be_opened() -> None:
    section = PAGE.partition("## Personal fields")[2]
    key, associated, own, begin, end, plain = re.findall(
        r"`([^`\n]+)`", section.partition("Example:")[2]
    )[:6]
    raw, data = bytes.fromhex(begin + end), associated.encode()
    derived = HKDF(SHA256(), 32, salt=raw[:12], info=data).derive(bytes.fromhex(key))
    assert derived.hex() == own
    opened = AESGCM(derived).decrypt(raw[:12], raw[12:], data)
    assert opened == bytes(32) + plain.encode()
