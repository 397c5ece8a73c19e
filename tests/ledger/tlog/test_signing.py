"""Keys, checkpoints and notes."""

from __future__ import annotations

import errno
from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.errors import AuthorizationError, AvailabilityError, InputError, IntegrityError
from ledger.privacy import KeyStore
from ledger.tlog.signing import (
    Checkpoint,
    PublicKey,
    SigningKey,
    make_note,
    parse_note,
    verify_note,
)

if TYPE_CHECKING:
    from pathlib import Path

CHECKPOINT = Checkpoint("casino.example/live", 1234, bytes(range(32)), bytes(range(32, 64)))
NAME = CHECKPOINT.chain
KEY = SigningKey(NAME, b"\x07" * 32)
OTHER = SigningKey("auditor", b"\x08" * 32)


def note(*keys: SigningKey) -> str:
    return make_note(CHECKPOINT, [(key.public, key.sign(CHECKPOINT)) for key in keys])


def test_signed_text_is_origin_size_root_and_the_root_of_the_tag_map() -> None:
    root, map_root = (b64encode(one).decode() for one in (CHECKPOINT.root, CHECKPOINT.map_root))
    assert CHECKPOINT.text == f"casino.example/live\n1234\n{root}\ntag-map {map_root}\n"


def test_the_note_that_c2sp_gives_as_an_example_is_read() -> None:
    example = (
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
        "\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7"
        "u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
    )
    checkpoint, [line] = parse_note(example)
    assert (checkpoint.chain, checkpoint.size) == ("example.com/behind-the-sofa", 20852163)
    assert (line.name, line.key_id, len(line.signature)) == (checkpoint.chain, "033de0ae", 64)


def test_note_is_text_empty_line_and_signature_line() -> None:
    identifier = sha256(NAME.encode() + b"\n\x01" + KEY.public.raw).digest()[:4]
    signature = KEY.sign(CHECKPOINT)
    line = b64encode(identifier + signature).decode()
    assert note(KEY) == f"{CHECKPOINT.text}\n— {NAME} {line}\n"
    Ed25519PublicKey.from_public_bytes(KEY.public.raw).verify(signature, CHECKPOINT.text.encode())


def test_note_is_verified_with_any_key_that_is_trusted() -> None:
    assert verify_note(note(KEY, OTHER), [KEY.public]) == CHECKPOINT
    assert verify_note(note(KEY, OTHER), [OTHER.public]) == CHECKPOINT
    checkpoint, signatures = parse_note(note(KEY, OTHER))
    assert checkpoint == CHECKPOINT
    assert [line.name for line in signatures] == [NAME, "auditor"]
    assert [line.key_id for line in signatures] == [KEY.key_id, OTHER.key_id]


def test_note_of_an_unknown_key_is_refused() -> None:
    with pytest.raises(InputError, match=rf"signed by {NAME} \({KEY.key_id}\)"):
        verify_note(note(KEY), [OTHER.public])


def test_false_signature_is_refused_even_beside_a_good_one() -> None:
    false = make_note(CHECKPOINT, [(KEY.public, KEY.sign(CHECKPOINT)), (OTHER.public, bytes(64))])
    with pytest.raises(IntegrityError, match="false signature of auditor"):
        verify_note(false, [KEY.public, OTHER.public])


@given(st.integers(0, 10**6), st.integers(1, 255))
def test_altered_note_is_never_accepted_as_another_checkpoint(place: int, change: int) -> None:
    raw = bytearray(note(KEY).encode())
    raw[place % len(raw)] ^= change
    try:
        found = verify_note(raw.decode(), [KEY.public])
    except (InputError, IntegrityError, UnicodeDecodeError):
        return
    assert found == CHECKPOINT


@pytest.mark.parametrize(
    "text",
    [
        "",
        "casino.example/live\n1\n",
        note(KEY).replace("1234", "01234"),
        note(KEY).replace("1234", "0"),
        note(KEY).replace("casino.example", "other.example"),
        note(KEY).replace("—", "-"),
        note(KEY).removesuffix("\n"),
        note(KEY).replace(f"{NAME} ", f"{NAME} *"),
        note(KEY).replace("example", "exa+mple"),
        CHECKPOINT.text + "extension\n" + note(KEY).removeprefix(CHECKPOINT.text),
        CHECKPOINT.text + "\n",
        note(KEY).replace("tag-map", "other"),
        note(KEY).replace("tag-map ", "tag-map"),
        note(KEY) + "x" * 70_000 + "\n",
    ],
)
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        verify_note(text, [KEY.public])


@pytest.mark.parametrize(
    "checkpoint",
    [
        Checkpoint("two\nlines", 1, bytes(32)),
        Checkpoint("", 1, bytes(32)),
        Checkpoint("two words", 1, bytes(32)),
        Checkpoint("a+b", 1, bytes(32)),
        Checkpoint("c", 0, bytes(32)),
        Checkpoint("c", 1, bytes(31)),
        Checkpoint("c", 1, bytes(32), bytes(31)),
    ],
)
def test_checkpoint_that_does_not_fit_a_note_is_not_signed(checkpoint: Checkpoint) -> None:
    with pytest.raises(InputError):
        KEY.sign(checkpoint)


def test_key_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    key = SigningKey.create(tmp_path / "key", NAME, lambda size: b"\x07" * size)
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert key.public == KEY.public
    assert SigningKey.load(tmp_path / "key").sign(CHECKPOINT) == KEY.sign(CHECKPOINT)
    assert SigningKey.load(tmp_path / "key").key_id == KEY.key_id


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o602, 0o601])
def test_key_file_that_others_can_use_is_refused(tmp_path: Path, mode: int) -> None:
    SigningKey.create(tmp_path / "key", "k")
    (tmp_path / "key").chmod(mode)
    with pytest.raises(AuthorizationError, match=f"mode {mode:03o}"):
        SigningKey.load(tmp_path / "key")


def test_key_file_is_never_overwritten(tmp_path: Path) -> None:
    SigningKey.create(tmp_path / "key", "k")
    before = (tmp_path / "key").read_bytes()
    with pytest.raises(InputError, match="never overwritten"):
        SigningKey.create(tmp_path / "key", "k")
    assert (tmp_path / "key").read_bytes() == before


def test_key_file_that_a_full_disk_cut_off_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "checkpoint.key"
    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", full)
        with pytest.raises(AvailabilityError, match="No space left"):
            SigningKey.create(path, "c")
        with pytest.raises(AvailabilityError, match="No space left"):
            KeyStore(tmp_path / "keys")
    made = SigningKey.create(path, "c")
    assert SigningKey.load(path).key_id == made.key_id
    KeyStore(tmp_path / "keys").close()


def test_key_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(AvailabilityError, match="missing"):
        SigningKey.load(tmp_path / "missing")
    with pytest.raises(AvailabilityError, match="written"):
        SigningKey.create(tmp_path / "missing" / "key", "k")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"PRIVATE+KEY+k+00000000",
        b"PRIVATE+KEY+k+00000000+" + b64encode(b"\x02" + bytes(32)),
        b"PRIVATE+KEY+k+00000000+" + b64encode(b"\x01" + bytes(32)),
        b"PRIVATE+KEY+k+00000000+" + b64encode(b"\x01" + bytes(31)),
    ],
)
def test_damaged_key_file_is_refused_without_showing_it(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "key").write_bytes(content)
    (tmp_path / "key").chmod(0o600)
    with pytest.raises(InputError) as caught:
        SigningKey.load(tmp_path / "key")
    assert "AAAA" not in str(caught.value)


def test_name_of_a_key_fits_a_note() -> None:
    for name in ("", "two words", "a+b", "line\nline", "x" * 129):
        with pytest.raises(InputError):
            SigningKey(name, bytes(32))
    with pytest.raises(InputError):
        SigningKey("k", bytes(31))


def test_public_key_is_one_line() -> None:
    text = KEY.public.text
    assert PublicKey.parse(f"{text}\n") == KEY.public
    for wrong in ("", "a+b+c", text.replace("casino", "impostor"), text[:-4]):
        with pytest.raises(InputError):
            PublicKey.parse(wrong)


def test_public_key_of_another_length_has_signed_nothing() -> None:
    assert not PublicKey("k", b"short").is_signer_of(CHECKPOINT, KEY.sign(CHECKPOINT))
