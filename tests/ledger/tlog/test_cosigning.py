"""Cosignatures and policies, by the texts of C2SP."""

from __future__ import annotations

import struct
from base64 import b64decode, b64encode
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.errors import InputError, IntegrityError
from ledger.tlog.cosigning import COSIGNED_SECONDS_MAX, Cosignature, CosignerKey, WitnessKey
from ledger.tlog.notes import Note, NoteSignature, TreeHead
from ledger.tlog.policy import Policy
from ledger.tlog.signing import Checkpoint, PublicKey, SigningKey, make_note, parse_note

EXAMPLE = (
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q"
    "1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
    "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2"
    "oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
)
"""The note of tlog-cosignature; the text gives no key for it."""

TEXT = "casino.example/live\n7\n" + "A" * 43 + "=\n"
KINDS = (b"\x04", b"\x06")
KEYS = {
    name: WitnessKey(f"{name}.example", bytes([n]) * 32, KINDS[n % 2])
    for n, name in enumerate("abcde", 1)
}
"""Witnesses of both kinds: of Ed25519 those with an even number, ``b`` and ``d``."""
LOG = SigningKey("casino.example/live", b"\x09" * 32)
LEVELS = "\n".join(
    [
        f"log {LOG.public.text} https://casino.example/log",
        "# two of three, and one of two",
        *(f"\twitness  {name} {key.public.text} http://{name}" for name, key in KEYS.items()),
        "",
        "group X 2 a b c",
        "group Y any d e",
        "group X-and-Y all X Y",
        "quorum X-and-Y",
        "",
    ]
)
"""The example of tlog-policy with keys filled in."""


def cosigned(*names: str, text: str = TEXT, seconds: int = 1_800_000_000) -> Note:
    lines = (KEYS[one].public.line(KEYS[one].cosign(text, seconds)) for one in names)
    return Note(text, (NoteSignature("someone", "00000000", bytes(64)), *lines))


def test_the_example_of_the_text_is_read_and_written_again() -> None:
    note = Note.parse(EXAMPLE)
    assert str(note) == EXAMPLE
    log, witness = note.signatures
    assert (log.key_id, witness.name, witness.key_id) == (
        "033de0ae",
        "witness.example.com/w1",
        "8d66cf3f",
    )
    assert KEYS["b"].public.parse_cosignature(witness.signature).seconds == 1679315147
    assert (note.head.origin, note.head.size) == ("example.com/behind-the-sofa", 20852163)


def test_what_is_signed_is_what_the_text_says() -> None:
    text = Note.parse(EXAMPLE).text
    lines = f"cosignature/v1\ntime 1679315147\n{text}".encode()
    tree = (
        b"subtree/v1\n\0\x09a.example" + struct.pack(">Q", 1679315147)
        + b"\x1bexample.com/behind-the-sofa" + struct.pack(">QQ", 0, 20852163)
        + b64decode("CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=")
    )  # fmt: skip
    for name, message in (("b", lines), ("a", tree)):
        key = KEYS[name]
        assert key.public.has_signed(message, key.cosign(text, 1679315147).signature)


@pytest.mark.parametrize("name", ["a", "b"])
def test_time_tree_and_key_are_all_signed(name: str) -> None:
    key, other = KEYS[name].public, KEYS["c" if name == "a" else "d"].public
    good = KEYS[name].cosign(TEXT, 5)
    assert key.is_cosigner_of(TEXT, good)
    assert not key.is_cosigner_of(TEXT, Cosignature(6, good.signature))
    assert not key.is_cosigner_of(TEXT.replace("7", "8"), good)
    assert not key.is_cosigner_of(TEXT.replace("casino", "cas1no"), good)
    assert not key.is_cosigner_of("no checkpoint", good)
    assert not CosignerKey("other.example", key.raw, key.kind).is_cosigner_of(TEXT, good) or (
        key.covers_extensions  # the message of Ed25519 does not name the cosigner
    )
    assert key.is_cosigner_of(TEXT + "extension\n", good) is not key.covers_extensions
    assert not other.is_cosigner_of(TEXT, good)


@pytest.mark.parametrize(("name", "size"), [("a", 2428), ("b", 72)])
def test_what_is_no_cosignature_is_refused(name: str, size: int) -> None:
    parse = KEYS[name].public.parse_cosignature
    for raw in (b"", bytes(size - 1), bytes(size + 1), b"\x80" + bytes(size - 1)):
        with pytest.raises(InputError, match="cosignature"):
            parse(raw)
    assert parse(b"\x7f" + b"\xff" * (size - 1)).seconds == COSIGNED_SECONDS_MAX


@pytest.mark.law("TS 119 312 6")
def test_a_damaged_cosignature_of_either_kind_is_not_valid() -> None:
    draw = Random("damaged cosignatures")
    for name in "ab":
        key, good = KEYS[name], KEYS[name].cosign(TEXT, 5).signature
        for _ in range(64):
            at, bit = draw.randrange(len(good)), draw.randrange(8)
            bad = good[:at] + bytes([good[at] ^ 1 << bit]) + good[at + 1 :]
            assert not key.public.is_cosigner_of(TEXT, Cosignature(5, bad))


def test_a_key_of_a_log_is_no_key_of_a_witness() -> None:
    with pytest.raises(InputError, match="of kind 01, and 04 or 06 is asked for"):
        CosignerKey.parse(LOG.public.text)
    with pytest.raises(InputError, match="of kind 04, and 01 or 02 is asked for"):
        PublicKey.parse(KEYS["b"].public.text)
    for key in KEYS.values():
        assert CosignerKey.parse(key.public.text) == key.public


def test_a_note_of_ours_may_bear_cosignatures_and_others_extension_lines() -> None:
    checkpoint = Checkpoint(LOG.public.name, 7, bytes(32))
    note = Note.parse(make_note(checkpoint, [(LOG.public, LOG.sign(checkpoint))]))
    note = Note(note.text, (*note.signatures, *cosigned("a").signatures))
    assert parse_note(str(note))[0] == checkpoint
    assert TreeHead.of(f"{TEXT}more\nand more\n") == TreeHead("casino.example/live", 7, bytes(32))


@pytest.mark.parametrize(
    "text",
    [
        "log\n07\n" + "A" * 43 + "=\n",
        "log\n7\n" + "A" * 43 + "\n",
        "log\n7\n" + "A" * 43 + "=",
        "log\n7\n" + "A" * 42 + "B=\n",
        "log\n7\nAAAA\n",
        "\n7\n" + "A" * 43 + "=\n",
        "log\n7\n" + "A" * 43 + "=\n\nmore\n",
        "log\n-7\n" + "A" * 43 + "=\n",
        "log\n7\n",
    ],
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="checkpoint"):
        TreeHead.of(text)


@pytest.mark.parametrize(
    ("names", "is_met"),
    [
        ("abd", True),
        ("bce", True),
        ("abcde", True),
        ("ad", False),
        ("abc", False),
        ("de", False),
        ("", False),
    ],
)
def test_groups_of_two_levels_are_weighed(names: str, *, is_met: bool) -> None:
    policy = Policy.parse(LEVELS)
    found = policy.cosigned(cosigned(*names))
    assert found == dict.fromkeys(names, 1_800_000_000)
    assert policy.is_met(found) is is_met
    assert policy.logs == ((LOG.public, "https://casino.example/log"),)
    assert policy.witnesses["a"].url == "http://a"


def test_groups_may_stand_in_groups_as_deep_as_a_policy_is_long() -> None:
    nested = "".join(f"group g{at + 1} all g{at}\n" for at in range(5_000))
    witness = f"witness w {KEYS['a'].public.text}\ngroup g0 any w\n"
    policy = Policy.parse(f"{witness}{nested}quorum g5000\n")
    assert policy.is_met({"w"})
    assert not policy.is_met(())


def test_a_witness_with_a_key_of_another_kind_is_one_of_the_others() -> None:
    raw = b"\x07" + bytes(1312)
    check = sha256(b"new.example\n" + raw).hexdigest()[:8]
    new = f"witness new new.example+{check}+{b64encode(raw).decode()}\n"
    old = f"witness old {KEYS['a'].public.text}\n"
    policy = Policy.parse(f"{old}{new}group g any old new\nquorum g\n")
    assert list(policy.witnesses) == ["old"]
    assert policy.is_met({"old"})
    assert not policy.is_met(set())
    assert not Policy.parse(f"{new}quorum new\n").is_met({"old"})
    with pytest.raises(InputError, match="the name new is taken"):
        Policy.parse(f"{new}{new}quorum new\n")
    with pytest.raises(InputError, match="kind and key in base64"):
        Policy.parse(new.replace(check, "00000000"))


def test_a_policy_may_ask_for_one_witness_or_for_none() -> None:
    one = f"witness w {KEYS['a'].public.text}\nquorum w\n"
    assert Policy.parse(one).is_met({"w"})
    assert not Policy.parse(one).is_met(())
    assert Policy.parse("quorum none").is_met(())
    assert Policy.parse("# \xfe\nquorum none".encode("latin-1")).is_met(())


@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        ("", "no quorum line"),
        ("quorum none\nquorum none", "line 2 of the policy: there is one quorum"),
        ("quorum", "one quorum line, with one name"),
        ("quorum a b", "one quorum line, with one name"),
        ("quorum a", "a is named by no line above"),
        ("witness none K1\nquorum none", "the name none is taken"),
        ("witness a K1\nwitness a K2\nquorum a", "the name a is taken"),
        ("witness a K1\nwitness b K1\nquorum a", "under the same key"),
        ("witness a K1 u v\nquorum a", "a witness is a name, a key and perhaps a URL"),
        ("witness a L\nquorum a", "of kind 01"),
        ("log L\nlog L\nquorum none", "this log stands there already"),
        ("log K1\nquorum none", "of kind 06"),
        ("log\nquorum none", "a log is a key"),
        ("witness a K1\ngroup g 2 a\nquorum g", "of 1 members, '2'"),
        ("witness a K1\ngroup g 0 a\nquorum g", "of 1 members, '0'"),
        ("witness a K1\ngroup g some a\nquorum g", "'some' can't be asked for"),
        ("group g all\nquorum g", "a group is a name"),
        ("group\nquorum g", "a group is a name"),
        ("group g any g\nquorum g", "g is named by no line above"),
        ("group g any none\nquorum g", "none is named by no line above"),
        ("witness a K1\ngroup g any a a\nquorum g", "a is a member already"),
        ("witness a K1\ngroup g any a\ngroup h any a\nquorum g", "a is a member already"),
        ("witness a K1\ngroup a any a\nquorum a", "the name a is taken"),
        ("what a\nquorum none", "line 1 of the policy: 'what' is none of"),
        ("quorum none\r\n", "control character"),
        ("#" * (1 << 20) + "\nquorum none", "at most"),
    ],
)
def test_a_policy_that_is_none_is_refused_with_its_line(lines: str, cause: str) -> None:
    keys = {"K1": KEYS["a"].public.text, "K2": KEYS["b"].public.text, "L": LOG.public.text}
    for short, key in keys.items():
        lines = lines.replace(f" {short}", f" {key}")
    with pytest.raises(InputError, match=cause):
        Policy.parse(lines)


def test_a_byte_that_is_no_utf_8_is_refused_at_every_place_of_a_line() -> None:
    unread = f"t+00000000+{b64encode(b'?').decode()}"
    lines = f"log {LOG.public.text}\nwitness w {KEYS['a'].public.text} u\nwitness v {unread}\n"
    for number, line in enumerate(f"{lines}group g all w\nquorum g".encode().split(b"\n"), 1):
        for at in range(len(line) + 1):
            damaged = b"\n" * (number - 1) + line[:at] + b"\xf4" + line[at:]
            with pytest.raises(InputError, match=f"line {number} of the policy: it is not UTF-8"):
                Policy.parse(damaged)


def test_a_false_cosignature_of_a_witness_of_the_policy_spoils_the_note() -> None:
    policy = Policy.parse(LEVELS)
    other = Note(TEXT.replace("7", "8"), cosigned("a", "b", "d").signatures)
    with pytest.raises(IntegrityError, match=r"8 messages bears a false cosignature of a\.example"):
        policy.cosigned(other)
    short = NoteSignature("a.example", KEYS["a"].key_id, bytes(64))
    with pytest.raises(IntegrityError, match=r"a cosignature has 2428 bytes"):
        policy.cosigned(Note(TEXT, (short,)))


def test_witnesses_that_the_policy_does_not_name_are_ignored() -> None:
    policy = Policy.parse(f"witness a {KEYS['a'].public.text}\nquorum a\n")
    stranger = KEYS["b"].public.line(Cosignature(1, bytes(64)))
    assert policy.cosigned(Note(TEXT, (stranger,))) == {}


@given(st.text(max_size=200))
def test_any_text_is_a_note_or_is_refused(text: str) -> None:
    try:
        note = Note.parse(text)
    except InputError:
        return
    assert Note.parse(str(note)) == note
