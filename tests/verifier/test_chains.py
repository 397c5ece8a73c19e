"""Damaged chains: the stand-alone verifier finds what ours finds, at the same position."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

import schemas
from ledger.events import event_types as e
from ledger.events.encoding import decode
from ledger.tlog.signing import Checkpoint, SigningKey, make_note
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.verified_cases import (
    KEY,
    NAME,
    OTHER,
    adding,
    opening,
    publishing,
    root_of,
    signed,
    signing,
)
from tests.verifier.chain_damage import damaged, publication, relinked, whole
from tests.verifier.verifier_cases import Verdict, asked, ours, theirs, write_log

if TYPE_CHECKING:
    from collections.abc import Callable

SEEDS = range(400)
SEALING = ("SourceRegistered", "SourceSealed")
KEY_EVENTS = ("SigningKeyAdded", "SigningKeyRevoked", "CheckpointSigned")
FILE_SEEDS = range(120)


def agreed(folder: Path, *options: str | Path, **trust: Any) -> Verdict:
    """Return what both found, which is the same."""
    ours_, theirs_ = ours(folder, **trust), theirs("log", folder, *options)
    assert theirs_ == ours_
    return ours_


def test_a_whole_chain_is_whole(tmp_path: Path) -> None:
    assert agreed(write_log(tmp_path / "log", whole())).code == 0


@pytest.mark.law("eIDAS 45l(1)(d)")
@pytest.mark.slow
def test_random_damage_is_named_alike(tmp_path: Path) -> None:
    codes: Counter[int] = Counter()
    for seed in SEEDS:
        folder = write_log(tmp_path / str(seed), damaged(seed))
        found, other = ours(folder), theirs("log", folder)
        assert other == found, f"seed {seed}"
        codes[found.code] += 1
        shutil.rmtree(folder)
    assert codes[3] > len(SEEDS) // 2


def flip(file: bytearray, draw: Random) -> None:
    file[draw.randrange(len(file))] ^= 1 << draw.randrange(8)


def zero(file: bytearray, draw: Random) -> None:
    start = draw.randrange(len(file))
    length = min(draw.choice([4, 64, 512, 4096]), len(file) - start)
    file[start : start + length] = bytes(length)


def truncate(file: bytearray, draw: Random) -> None:
    del file[draw.randrange(len(file)) :]


def swap_pages(file: bytearray, draw: Random) -> None:
    one, two = (draw.randrange(len(file) // 4096) * 4096 for _ in range(2))
    page, other = bytes(file[one : one + 4096]), bytes(file[two : two + 4096])
    file[one : one + 4096], file[two : two + 4096] = other, page


@pytest.mark.slow
@pytest.mark.parametrize("damage", [flip, zero, truncate, swap_pages])
def test_a_damaged_file_ends_alike(
    damage: Callable[[bytearray, Random], None], tmp_path: Path
) -> None:
    """Which row can't be read depends on how it is looked for; the exit code does not."""
    made = write_log(tmp_path / "whole", whole())
    for seed in FILE_SEEDS:
        folder = Path(shutil.copytree(made, tmp_path / str(seed)))
        file = bytearray((folder / "log.sqlite").read_bytes())
        damage(file, Random(f"{damage.__name__} {seed}"))
        (folder / "log.sqlite").write_bytes(file)
        found, other = ours(folder), theirs("log", folder)
        assert (other.code, other.found) == (found.code, found.found), f"seed {seed}"
        shutil.rmtree(folder)


@pytest.mark.slow
def test_a_bit_of_a_seal_or_registration_is_judged_alike(tmp_path: Path) -> None:
    """The links are made again, so that only facts and signatures show the damage."""
    places = [at for at, body in whole() if decode(body).event.type in SEALING]
    codes: Counter[int] = Counter()
    for place in places:
        draw, body = Random(f"seal {place}"), whole()[place][1]
        for byte in range(74, len(body), 1 if len(body) < 500 else 5):
            stored, changed = list(whole()), bytearray(body)
            changed[byte] ^= 1 << draw.randrange(8)
            stored[place] = (place, bytes(changed))
            folder = write_log(tmp_path / "damaged", relinked(stored, place))
            found, other = ours(folder), theirs("log", folder)
            assert other == found, f"message {place}, byte {byte}"
            codes[found.code] += 1
            shutil.rmtree(folder)
    assert codes[3] > codes[0] > 0, "a seal is not over its envelope, nor over the reason"


# What schemas may be

BASE = json.loads(schemas.newest()["BallLanded"].text)
LONGER = json.loads(schemas.newest()["HandStarted"].text)


def with_fields(*fields: dict[str, Any], **attributes: Any) -> str:
    raw = {**BASE, "name": "StrangeHappened", **attributes, "fields": [*BASE["fields"], *fields]}
    return json.dumps(raw, separators=(",", ":"))


def field(kind: Any, **attributes: Any) -> str:
    return with_fields({"name": "more", "type": kind, **attributes})


def envelope(place: int, **attributes: Any) -> str:
    fields = [dict(one) for one in BASE["fields"]]
    fields[place] |= attributes
    return json.dumps({**BASE, "name": "StrangeHappened", "fields": fields})


SCHEMAS = {
    "plain": with_fields(),
    "spaces": json.dumps(json.loads(with_fields()), indent=1),
    "other text of a known one": json.dumps(BASE, indent=1),
    "frozen one": json.dumps(json.loads(schemas.newest()["SigningKeyAdded"].text), indent=1),
    "text": field("string"),
    "longs": field({"type": "array", "items": "long"}, default=[1]),
    "ints": field({"type": "array", "items": "int"}),
    "array with more": field({"type": "array", "items": "long", "doc": "x"}),
    "nested plain": field({"type": "string"}),
    "map": field({"type": "map", "values": "long"}),
    "double": field("double"),
    "optional": field(["null", "bytes"], default=None),
    "optional with another default": field(["null", "long"], default=1),
    "null last": field(["long", "null"]),
    "three branches": field(["null", "long", "string"]),
    "one branch": field(["null"]),
    "fraction for an int": field("int", default=1.0),
    "int beyond": field("int", default=2**31),
    "long beyond": field("long", default=2**63),
    "bool for a long": field("long", default=True),
    "text for bytes": field("bytes", default="\u00ff"),
    "wide text for bytes": field("bytes", default="\u0100"),
    "moment": field("long", unit="microseconds"),
    "moment that is an int": field("int", unit="microseconds"),
    "moment that is many": field({"type": "array", "items": "long"}, unit="microseconds"),
    "tag of a number": field("long", tag="account"),
    "field twice": with_fields({"name": "number", "type": "long"}),
    "field of the envelope": with_fields({"name": "actor", "type": "string"}),
    "field with a capital": with_fields({"name": "More", "type": "long"}),
    "field with a digit first": with_fields({"name": "1x", "type": "long"}),
    "long field": with_fields({"name": "a" * 100, "type": "long"}),
    "too long field": with_fields({"name": "a" * 101, "type": "long"}),
    "version 0": with_fields(version=0),
    "version true": with_fields(version=True),
    "version text": with_fields(version="1"),
    "great version": with_fields(version=2**31 - 1),
    "too great version": with_fields(version=2**31),
    "small name": with_fields(name="strange"),
    "name with a sign": with_fields(name="Strange_one"),
    "long name": with_fields(name="S" * 100),
    "too long name": with_fields(name="S" * 101),
    "other namespace": with_fields(namespace="other"),
    "no namespace": json.dumps({k: v for k, v in BASE.items() if k != "namespace"}),
    "error": with_fields(type="error"),
    "envelope type": envelope(3, type="int"),
    "envelope unit": envelope(6, unit="haler"),
    "envelope unit added": envelope(3, unit="haler"),
    "envelope attribute": envelope(3, doc="another"),
    "envelope fixed": envelope(0, type={"type": "fixed", "name": "Hash", "size": 31}),
    "key twice": with_fields().replace('"version":1', '"version":1,"version":1'),
    "deep key twice": field(["null", "long"], note={"a": 1}).replace('{"a":1}', '{"a":1,"a":1}'),
    "no number": with_fields(note=float("nan")),
    "half of a pair": with_fields(note="\ud800"),
    "long integer": with_fields(note="x").replace('"x"', "1" * 5000),
    "deep": with_fields(note="x").replace('"x"', "[" * 63 + "1" + "]" * 63),
    "too deep": with_fields(note="x").replace('"x"', "[" * 64 + "1" + "]" * 64),
    "no JSON": "{",
    "list": "[]",
    "text alone": '"x"',
    "empty": "",
    "behind": with_fields() + "x",
}


@pytest.mark.parametrize("text", SCHEMAS.values(), ids=list(SCHEMAS))
def test_schemas_are_judged_alike(text: str, tmp_path: Path) -> None:
    chain = Chain()
    chain.add(opening(NAME))
    chain.add(publishing("BallLanded"))
    chain.add(publication(text))
    chain.add(landed(1))
    found = agreed(write_log(tmp_path / "log", chain.stored))
    assert found.code == 0 or found.where == 2


EVOLUTIONS = {
    "the same again": {},
    "another text": {"doc": "x"},
    "a field more": {"version": 2, "more": {"name": "more", "type": "long", "default": 0}},
    "a field more without a default": {"version": 2, "more": {"name": "more", "type": "long"}},
    "another type": {"version": 2, "change": "long"},
    "the same fields": {"version": 2},
}


@pytest.mark.parametrize("change", EVOLUTIONS.values(), ids=list(EVOLUTIONS))
def test_versions_are_judged_alike(change: dict[str, Any], tmp_path: Path) -> None:
    first = json.loads(field("int", default=0))
    second = json.loads(json.dumps(first))
    second |= {name: value for name, value in change.items() if name in {"version", "doc"}}
    if "more" in change:
        second["fields"].append({**change["more"], "name": "other"})
    if "change" in change:
        second["fields"][-1]["type"] = change["change"]
    chain = Chain()
    chain.add(opening(NAME))
    for raw in (first, second):
        chain.add(publication(json.dumps(raw)))
    agreed(write_log(tmp_path / "log", chain.stored))


# What a reader knows from elsewhere


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_log(tmp_path / "log", whole())


@pytest.mark.parametrize(
    ("key", "code"), [(KEY, 0), (OTHER, 0), (SigningKey(NAME, b"\x09" * 32), 1)]
)
def test_keys_decide_what_covers(folder: Path, key: SigningKey, code: int, tmp_path: Path) -> None:
    file = tmp_path / "keys.txt"
    file.write_text(f"public key: {key.public.text}\n")
    found = theirs("log", folder, "--key", file)
    assert found.code == code
    assert found.found == ours(folder, keys={key.key_id: key.public.raw}).found


@pytest.mark.law("2025/2531 REQ-7.5-01X", "2025/2531 REQ-7.5-02")
def test_a_chain_changes_from_one_algorithm_to_another(tmp_path: Path) -> None:
    """Ed25519 and ECDSA are both valid for a time; the old key signs nothing after its end."""
    chain = Chain()
    chain.add(opening(NAME))
    chain.add(*[publishing(name) for name in ("BallLanded", *KEY_EVENTS)])
    chain.add(adding(KEY))
    chain.add(signing(chain))
    chain.add(adding(OTHER))
    for key in (KEY, OTHER, KEY, OTHER):
        chain.add(landed(1))
        chain.add(signing(chain, key))
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="succeeded"))
    chain.add(signing(chain, OTHER))
    found = agreed(write_log(tmp_path / "changed", chain.stored))
    assert (found.code, found.found[5]) == (0, 6)
    for key in (KEY, OTHER):
        trusted = tmp_path / "key.txt"
        trusted.write_text(key.public.text)
        folder = tmp_path / "changed"
        assert agreed(folder, "--key", trusted, keys={key.key_id: key.public.raw}).code == 0
    chain.add(signing(chain, KEY))
    found = agreed(write_log(tmp_path / "late", chain.stored))
    assert (found.code, found.where) == (3, len(chain.stored) - 1)


@pytest.mark.law("TS 119 312 6")
@pytest.mark.parametrize("algorithm", ["", "Ed25519", "ML-DSA-44", "ecdsa-p256"])
def test_a_key_of_an_algorithm_that_is_not_its_own_is_refused(
    algorithm: str, tmp_path: Path
) -> None:
    chain = Chain()
    chain.add(opening(NAME))
    chain.add(*[publishing(name) for name in KEY_EVENTS])
    chain.add(replace(adding(OTHER), algorithm=algorithm))
    found = agreed(write_log(tmp_path / "log", chain.stored))
    assert (found.code, found.where) == (3, len(chain.stored) - 1)


def test_a_chain_with_another_key_under_a_trusted_name_is_refused(
    folder: Path, tmp_path: Path
) -> None:
    forged = SigningKey(NAME, b"\x0a" * 32).public
    line = forged.text.replace(forged.key_id, KEY.key_id)
    file = tmp_path / "keys.txt"
    file.write_text(line)
    assert theirs("log", folder, "--key", file).code == 2


def test_a_remembered_note_finds_replaced_and_lost_history(folder: Path, tmp_path: Path) -> None:
    stored = list(whole())
    note, size = tmp_path / "note.txt", 25
    checkpoint = Checkpoint(NAME, size, root_of(stored, size))
    note.write_text(make_note(checkpoint, [(KEY.public, KEY.sign(checkpoint))]))
    assert agreed(folder, "--since", note, since=checkpoint).code == 0
    short = write_log(tmp_path / "short", stored[:23])
    assert agreed(short, "--since", note, since=checkpoint).where == 23
    position, body = stored[10]
    other = relinked([*stored[:10], (position, body[:60] + b"\x00" + body[61:]), *stored[11:]], 11)
    found = agreed(write_log(tmp_path / "other", other), "--since", note, since=checkpoint)
    assert found.code == 3
    elsewhere = Checkpoint("elsewhere", size, root_of(stored, size))
    note.write_text(make_note(elsewhere, [(KEY.public, KEY.sign(elsewhere))]))
    assert agreed(folder, "--since", note, since=elsewhere).code == 2


def test_a_note_of_another_tag_map_is_refused(folder: Path, tmp_path: Path) -> None:
    checkpoint = Checkpoint(NAME, 25, root_of(list(whole()), 25), b"\x01" * 32)
    note = tmp_path / "note.txt"
    note.write_text(make_note(checkpoint, [(KEY.public, KEY.sign(checkpoint))]))
    assert agreed(folder, "--since", note, since=checkpoint).where == 24


def test_a_false_tag_map_is_named_at_its_checkpoint(tmp_path: Path) -> None:
    chain = Chain()
    chain.add(opening(NAME))
    chain.add(publishing("SigningKeyAdded"), publishing("CheckpointSigned"))
    chain.add(adding(KEY))
    size = chain.head.size
    chain.add(signed(Checkpoint(NAME, size, root_of(chain.stored, size), b"\x01" * 32)))
    assert agreed(write_log(tmp_path / "log", chain.stored)).where == size


def test_links_alone_pass_over_facts(tmp_path: Path) -> None:
    stored = list(whole())
    position, body = stored[12]
    altered = relinked([*stored[:12], (position, body[:-1] + b"\xff"), *stored[13:15]], 13)
    folder = write_log(tmp_path / "log", altered)
    assert theirs("log", folder).where == 12
    assert theirs("log", folder, "--links").code == 0


def test_a_log_is_read_without_writing_beside_it(folder: Path) -> None:
    before = sorted(path.name for path in folder.iterdir())
    assert theirs("log", folder).code == 0
    assert sorted(path.name for path in folder.iterdir()) == before


def test_what_is_no_log_is_named(tmp_path: Path) -> None:
    for place in (tmp_path / "nothing", tmp_path):
        done = asked("log", place)
        assert done.returncode == 2
        assert json.loads(done.stderr)["error"] == "InputError"
