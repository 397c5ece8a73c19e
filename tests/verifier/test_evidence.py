"""Evidence before three judges: Python, the script of the page in a browser, and Rust."""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from collections import Counter
from contextlib import closing
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from ledger.core.errors import InputError
from ledger.events.encoding import decode as decode_message
from ledger.events.event_types import SourceRegistered, SourceSealed
from ledger.tlog.notes import Note, NoteSignature
from ledger.tlog.signing import SigningKey
from projections.evidence.checking import check
from projections.evidence.document import DATA_BYTES_MAX, EvidenceError, decode, encode
from projections.evidence.page import page_of
from tests.browser import chromium
from tests.projections.evidence.evidence_vectors import FOLDER, SECRET, small_log
from tests.projections.evidence.origin_vectors import Sources, bare_evidence, resigned
from tests.tools.cli_cases import run_here
from tests.verifier.verifier_cases import ROOT, Verdict, asked, theirs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from ledger.log.memory import MemoryLog

VECTORS = ROOT / FOLDER
EXPECTED: dict[str, str] = json.loads((VECTORS / "expected.json").read_text())
GOOD = [name for name, place in EXPECTED.items() if not place]
SEEDS = range(300)
PREFIX = b'{"evidence":'
DIGEST = b',"digest":"'

ML_DSA_KEY = re.compile(rb'"[^"+]+\+[0-9a-f]{8}\+B[A-Za-z0-9+/]{1750}=?"')
VERIFY = """text => gameledgerEvidence.verify(text).then(
    found => found.witnessed.some(one => one && !one.isChecked) ? "not checked" : "",
    error => error.place ?? `${error}`)"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page of evidence, whose script judges any data part."""
    file = tmp_path_factory.mktemp("page") / "page.html"
    file.write_bytes(page_of((VECTORS / "absent.json").read_bytes()))
    with chromium() as browser:
        opened = browser.new_page()
        opened.goto(file.as_uri())
        yield opened


def by_python(data: bytes) -> str:
    try:
        check(data)
    except EvidenceError as error:
        return error.place
    return ""


def by_rust(data: bytes, file: Path) -> str:
    file.write_bytes(data)
    found = theirs("evidence", file)
    assert found.code in {0, 3}, found
    if isinstance(found.where, int):
        return f"message {found.where}"
    return found.where or ""


def by_page(page: Page, data: bytes, other: str) -> str:
    """Return what the page finds, or what others do where a page can't: a false ML-DSA-44."""
    found: str = page.evaluate(VERIFY, data.decode("latin-1"))
    is_blind = bool(ML_DSA_KEY.search(data)) and other == "checkpoint" and found != ""
    return other if is_blind or (found == "not checked" and other == "") else found


def test_the_vectors_are_judged_alike(page: Page, tmp_path: Path) -> None:
    data = {name: (VECTORS / name).read_bytes() for name in EXPECTED}
    assert {name: by_python(data[name]) for name in EXPECTED} == EXPECTED
    assert {name: by_rust(data[name], tmp_path / "data") for name in EXPECTED} == EXPECTED
    assert {name: by_page(page, data[name], EXPECTED[name]) for name in EXPECTED} == EXPECTED
    unchecked = {
        name
        for name in EXPECTED
        if page.evaluate(VERIFY, data[name].decode("latin-1")) == "not checked"
    }
    good = {"recorded.json", "recorded-absent.json", "witnessed-ml-dsa.json"}
    assert unchecked == good | {"broken-ml-dsa-time.json"}


def test_a_map_that_no_witness_signed_is_told(tmp_path: Path) -> None:
    """ML-DSA-44 covers no extension line: a policy counts such a witness for the tree alone."""
    (key,) = json.loads((VECTORS / "witnessed-ml-dsa.json").read_bytes())["witnesses"]
    policy = tmp_path / "policy.txt"
    policy.write_text(f"witness w {key}\nquorum w\n")
    for name, is_unwitnessed in (("witnessed-ml-dsa", True), ("recorded-absent", False)):
        file = VECTORS / f"{name}.json"
        options = ("evidence", "verify", str(file), "--witness-policy", str(policy), "--json")
        for done in (
            run_here(*options, data=tmp_path),
            asked("evidence", file, "--witness-policy", policy),
        ):
            assert done.returncode == int(is_unwitnessed), done.stderr
            said = json.loads(done.stdout)["reservations"]
            text = "UNWITNESSED: the witnesses cosigned the tree and not the tag map"
            assert [one.startswith(text) for one in said] == [True] * is_unwitnessed


def flip(data: bytes, draw: Random) -> bytes:
    at = draw.randrange(len(PREFIX), len(data))
    return data[:at] + bytes([data[at] ^ 1 << draw.randrange(7)]) + data[at + 1 :]


def alter(data: bytes, draw: Random) -> bytes:
    """Change a value and write the part again in its one form, with its digest."""
    content = json.loads(data)
    del content["digest"]
    change(content, draw)
    text = json.dumps(content, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    begin = text[:-1].encode()
    return begin + b',"digest":"' + b64encode(sha256(begin).digest()) + b'"}'


def change(value: Any, draw: Random) -> None:
    """Change something in an object or list, at any depth."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        return
    key = draw.choice(keys)
    inner = value[key]
    if isinstance(inner, dict | list) and inner and draw.random() < 0.8:
        change(inner, draw)
    elif isinstance(inner, list):
        value[key] = []
    elif isinstance(inner, str):
        value[key] = altered_text(inner, draw)
    elif isinstance(inner, int):
        value[key] = max(0, inner + draw.choice([-1, 1, 100]))
    elif inner is None:
        value[key] = draw.choice([0, 1795201200000000, "x"])
    elif isinstance(value, list):
        del value[key]
    if isinstance(value, list) and draw.random() < 0.2:
        draw.choice([value.reverse, lambda: value.append(value[0]), value.pop])()


def altered_text(text: str, draw: Random) -> str:
    if not text or draw.random() < 0.1:
        return draw.choice(["", "round:r1", "account:a-1", "AAAA", "x"])
    at = draw.randrange(len(text))
    return text[:at] + draw.choice("ABCabc019+/=:-\n") + text[at + draw.choice([0, 1]) :]


def damaged(seed: int) -> bytes:
    draw = Random(f"evidence {seed}")
    data = (VECTORS / draw.choice(GOOD)).read_bytes()
    return draw.choice([flip, alter, alter])(data, draw)


@pytest.mark.slow
def test_random_damage_is_judged_alike(page: Page, tmp_path: Path) -> None:
    for seed in SEEDS:
        data = damaged(seed)
        found = by_python(data)
        assert by_rust(data, tmp_path / "data") == found, f"seed {seed}"
        assert by_page(page, data, found) == found, f"seed {seed}"


@pytest.mark.parametrize("number", ["-0", "0.0", "0e0", "00", '"0"', "false"])
def test_a_number_is_written_in_one_way(page: Page, tmp_path: Path, number: str) -> None:
    data = (VECTORS / "round.json").read_bytes()
    begin = data[: data.rindex(DIGEST)].replace(b'"begin":0', f'"begin":{number}'.encode())
    data = begin + DIGEST + b64encode(sha256(begin).digest()) + b'"}'
    found = by_python(data), by_rust(data, tmp_path / "data"), by_page(page, data, "")
    assert set(found) == {"data"}


def test_a_data_part_that_is_too_large_is_refused_by_the_page(page: Page) -> None:
    """The two programs refuse it by the length of the file."""
    data = (VECTORS / "round.json").read_bytes()
    content, _, rest = data.partition(b'"made_by":"')
    parts = [f'{content.decode()}"made_by":"', DATA_BYTES_MAX, rest.decode()]
    larger = f"([head, size, rest]) => ({VERIFY})(head + 'x'.repeat(size) + rest)"
    assert page.evaluate(larger, parts) == "data"


def with_bit_flipped(name: str, line: int, bit: int) -> bytes:
    """Flip a bit of a signature line of a vector's note: of key ID or signature."""
    evidence, _ = decode((VECTORS / name).read_bytes())
    note = Note.parse(evidence.note)
    lines = list(note.signatures)
    raw = bytearray(bytes.fromhex(lines[line].key_id) + lines[line].signature)
    raw[bit // 8] ^= 1 << bit % 8
    lines[line] = NoteSignature(lines[line].name, raw[:4].hex(), bytes(raw[4:]))
    return encode(replace(evidence, note=str(Note(note.text, tuple(lines)))))


def bits_of(name: str, line: int) -> int:
    evidence, _ = decode((VECTORS / name).read_bytes())
    return 8 * (4 + len(Note.parse(evidence.note).signatures[line].signature))


def require_every_bit_signed(page: Page, file: Path, name: str, line: int, step: int) -> None:
    """Check that all judges refuse a signature with any bit flipped, as far as a page can."""
    for bit in range(0, bits_of(name, line), step):
        data = with_bit_flipped(name, line, bit)
        assert by_python(data) == by_rust(data, file) == "checkpoint", bit
        assert by_page(page, data, "checkpoint") == "checkpoint", bit


SIGNATURES = [("recorded-absent.json", 0), ("recorded-absent.json", 1), ("ecdsa.json", 0)]
"""Lines of Ed25519, ML-DSA-44 and ECDSA."""


@pytest.mark.parametrize(("name", "line"), SIGNATURES)
def test_no_bit_of_a_signature_can_change(page: Page, tmp_path: Path, name: str, line: int) -> None:
    require_every_bit_signed(page, tmp_path / "data", name, line, bits_of(name, line) // 24)


@pytest.mark.search
@pytest.mark.parametrize(("name", "line"), SIGNATURES)
def test_no_bit_of_a_signature_can_change_of_all(
    page: Page, tmp_path: Path, name: str, line: int
) -> None:
    require_every_bit_signed(page, tmp_path / "data", name, line, 1)


@pytest.fixture(scope="module")
def sealed_log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryLog]:
    with closing(small_log(tmp_path_factory.mktemp("keys") / "keys", sources=Sources())) as log:
        yield log


def require_every_bit_of_a_seal_judged_alike(
    page: Page, file: Path, log: MemoryLog, step: int
) -> None:
    """Alter a registration and its seal bit by bit, as an operator could who signs them again."""
    key = SigningKey("casino.example/live", SECRET)
    evidence = bare_evidence(log, key)
    bodies = {one.position: one.body for one in evidence.messages}
    events = {at: decode_message(body).event for at, body in bodies.items()}
    seal, sealed = next((at, one) for at, one in events.items() if isinstance(one, SourceSealed))
    registration = next(at for at, one in events.items() if isinstance(one, SourceRegistered))
    signed = {
        at
        for part in (sealed.digest, sealed.marks, sealed.signature)
        for at in range(bodies[seal].index(part), bodies[seal].index(part) + len(part))
    }
    bits = [(at, bit) for at in (seal, registration) for bit in range(8 * len(bodies[at]))]
    for at, bit in bits[::step]:
        body = bytearray(bodies[at])
        body[bit // 8] ^= 1 << bit % 8
        data = encode(resigned(log, evidence, key, {at: bytes(body)}))
        found = by_python(data)
        assert by_rust(data, file) == by_page(page, data, found) == found, (at, bit)
        if at == seal and bit // 8 in signed:
            assert found == "origin", bit


@pytest.mark.slow
def test_no_bit_of_a_seal_of_a_source_can_change(
    page: Page, tmp_path: Path, sealed_log: MemoryLog
) -> None:
    require_every_bit_of_a_seal_judged_alike(page, tmp_path / "data", sealed_log, 37)


@pytest.mark.search
def test_no_bit_of_a_seal_of_a_source_can_change_of_all(
    page: Page, tmp_path: Path, sealed_log: MemoryLog
) -> None:
    require_every_bit_of_a_seal_judged_alike(page, tmp_path / "data", sealed_log, 1)


@pytest.mark.law("eIDAS 45l(1)(b)")
def test_the_seals_of_facts_are_reported_alike(tmp_path: Path) -> None:
    file = VECTORS / "origin.json"
    done = run_here("evidence", "verify", str(file), "--json", data=tmp_path)
    other = asked("evidence", file)
    ours, other_ones = json.loads(done.stdout)["origins"], json.loads(other.stdout)["origins"]
    assert ours == other_ones
    states = Counter((one["state"], one["source"], one["is_whole"]) for one in ours)
    assert states == {
        ("sealed", "studio", True): 6,
        ("sealed", "studio", False): 1,
        ("unsealed", "studio", False): 2,
        ("unable", "platform", False): 3,
    }
    rows = [line for line in asked("evidence", file, form="").stdout.splitlines() if "seal" in line]
    said = run_here("evidence", "verify", str(file), data=tmp_path).stdout
    assert all(row.split("  ")[-1] in said for row in rows)


def test_a_page_is_not_vouched_for_unless_its_data_alone_is_asked(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(page_of((VECTORS / "round.json").read_bytes()))
    assert theirs("evidence", file) == Verdict(1, None, ())
    done = asked("evidence", file)
    answer = json.loads(done.stdout)
    assert answer["page"] == "not compared"
    assert "not on the page" in answer["reservations"][0]
    found = json.loads(asked("evidence", file, "--data-only", "--events").stdout)
    assert (found["events"], len(found["proved"])) == (12, 30)
    assert found["reservations"] == []


def test_the_first_line_covers_what_was_compared(tmp_path: Path) -> None:
    data = (VECTORS / "round.json").read_bytes()
    page = tmp_path / "page.html"
    page.write_bytes(page_of(data).replace(b"100,00", b"900,00"))
    bare = tmp_path / "data.json"
    bare.write_bytes(data)
    first = f"The facts recorded in {page} are proved; its page was NOT compared with them."
    assert first_line(page) == first
    assert first_line(page, "--data-only") == f"The data part of {page} proves what it says."
    assert first_line(bare) == f"{bare} proves what it says."


def first_line(file: Path, *options: str) -> str:
    return asked("evidence", file, *options, form="").stdout.splitlines()[0]


@pytest.mark.parametrize(
    "command",
    [
        ("evidence", "PIPE"),
        ("evidence", "FILE", "--key", "PIPE"),
        ("log", "PIPE"),
        ("log", "FILE", "--since", "PIPE"),
        ("checkpoint", "PIPE"),
    ],
)
def test_a_pipe_is_refused_and_not_waited_for(command: tuple[str, ...], tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    named = {"PIPE": pipe, "FILE": VECTORS / "round.json"}
    done = asked(*(named.get(word, word) for word in command))
    assert done.returncode == 2
    assert "no regular file" in done.stderr


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7", b"<html>", b"{}"])
def test_what_is_no_evidence_file_is_named(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    assert theirs("evidence", file).code == 2
    if not content.startswith(b"%PDF"):
        with pytest.raises(InputError):
            check(content)
