"""A log in each of its forms, with witnesses and time stamps: both verifiers find the same."""

from __future__ import annotations

import http.server
import json
import shutil
import subprocess
import threading
from base64 import b64encode
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from ledger.core.clock import SECOND, SystemClock
from ledger.events import event_types as e
from ledger.tlog.cosigning import WitnessKey
from ledger.tlog.signing import Checkpoint, SigningKey
from tests.ledger.chain_cases import Chain
from tests.ledger.verified_cases import adding, map_root_of, opening, publishing, root_of, signing
from tests.stamp_authority import StampAuthority
from tests.tools.cli_cases import PROGRAM, begin, bet, run
from tests.tools.witness_cases import House
from tests.verifier.verifier_cases import asked, theirs, write_log

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

STRANGER = WitnessKey("stranger.example", b"\x05" * 32)


class Signed(NamedTuple):
    """A log whose last checkpoint a witness cosigned and an authority stamped."""

    data: Path
    keys: Path
    policy: Path
    roots: Path
    stranger: Path
    tiles: Path


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Signed:
    place = tmp_path_factory.mktemp("signed")
    data, policy, keys = place / "data", place / "policy.txt", place / "keys.txt"
    begin(data)
    key = SigningKey.create(data / "keys" / "checkpoint.key", "test").public
    keys.write_text(f"{key.text}\n")
    house = House(place / "watch", key, clock=SystemClock())
    authority, stranger = (StampAuthority(place / name) for name in ("time", "stranger"))
    with house.serving() as witness, authority.serving() as stamps:
        policy.write_text(f"witness w {house.key.public.text} {witness}\nquorum w\n")
        roots = authority.folder / "roots.pem"
        words = ("--witness-policy", policy, "--stamp-url", stamps, "--stamp-roots", roots)
        for _ in range(2):
            done = run("log", "checkpoint", *map(str, words), data=data)
            assert done.returncode == 0, done.stderr
    assert run("log", "tiles", str(place / "tiles"), data=data).returncode == 0
    return Signed(data, keys, policy, roots, stranger.folder / "roots.pem", place / "tiles")


def found(done: subprocess.CompletedProcess[str]) -> tuple[int, dict[str, Any]]:
    answer = json.loads(done.stdout) if done.stdout else {}
    for name in ("index", "indexed", "keys", "verifier"):
        answer.pop(name, None)
    answer["reservations"] = bool(answer.get("reservations"))
    return done.returncode, answer


@contextmanager
def served(folder: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Quiet, directory=str(folder))
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_log_is_found_as_it_is_by_ours(signed: Signed) -> None:
    for options in (
        (),
        ("--key", signed.keys),
        ("--links",),
        ("--witness-policy", signed.policy),
        ("--stamp-roots", signed.roots),
        ("--witness-policy", signed.policy, "--stamp-roots", signed.roots, "--key", signed.keys),
        ("--stamp-roots", signed.stranger),
    ):
        words = tuple(map(str, options))
        code, answer = found(run("log", "verify", "--json", *words, data=signed.data))
        assert found(asked("log", signed.data, *words)) == (code, answer), words
        assert code == (1 if signed.stranger in options else 0)


@pytest.mark.parametrize("quorum", ["1", "all"])
def test_a_policy_with_a_key_of_another_kind_is_met_by_the_others(
    signed: Signed, tmp_path: Path, quorum: str
) -> None:
    """A witness of ML-DSA-44 (kind 06) counts as one that has not cosigned."""
    raw = b"\x06" + bytes(1312)
    digest = sha256(b"m.example\n" + raw).hexdigest()[:8]
    (ours, _) = signed.policy.read_text().splitlines()
    other = f"witness m m.example+{digest}+{b64encode(raw).decode()}"
    policy = tmp_path / "policy.txt"
    policy.write_text(f"{ours}\n{other}\ngroup g {quorum} w m\nquorum g\n")
    words = ("--witness-policy", str(policy))
    code, answer = found(run("log", "verify", "--json", *words, data=signed.data))
    assert found(asked("log", signed.data, *words)) == (code, answer)
    assert code == (0 if quorum == "1" else 1)


def test_tiles_are_found_as_they_are_by_ours(signed: Signed, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    with served(signed.tiles) as url:
        for options in ((), ("--key", signed.keys), ("--witness-policy", signed.policy)):
            words = tuple(map(str, options))
            expected = found(
                run("log", "verify", str(signed.tiles), "--json", *words, data=nothing)
            )
            assert found(asked("log", signed.tiles, *words)) == expected
            assert found(asked("log", url, *words)) == expected
            assert expected[0] == 0
    assert asked("log", url).returncode == 4


def test_exported_messages_are_found_as_the_log_is(signed: Signed, tmp_path: Path) -> None:
    expected = found(asked("log", signed.data))
    lines, raw = tmp_path / "chain.jsonl", tmp_path / "chain.bin"
    lines.write_text(run("log", "export", data=signed.data).stdout)
    command = [*PROGRAM, "log", "export", "--raw", "--data", str(signed.data)]
    raw.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)  # noqa: S603
    assert found(asked("log", lines)) == found(asked("log", raw)) == expected
    text = lines.read_text().splitlines(keepends=True)
    altered = json.loads(text[-1])
    altered["envelope"]["actor"] = "somebody"
    for changed, where in (
        ([*text[:-1], json.dumps(altered) + "\n"], len(text) - 1),
        ([*text[:9], *text[10:]], 9),
        ([*text[:-1], text[-1][:-5]], len(text) - 1),
    ):
        lines.write_text("".join(changed))
        assert theirs("log", lines).where == where
    raw.write_bytes(raw.read_bytes()[:-3])
    assert theirs("log", raw).where == len(text) - 1


@pytest.mark.parametrize(
    ("kind", "code"), [("flip", 3), ("cut", 3), ("lost", 3), ("longer", 3), ("note", None)]
)
def test_damaged_tiles_are_named_alike(
    signed: Signed, tmp_path: Path, kind: str, code: int | None
) -> None:
    files = sorted(path.relative_to(signed.tiles) for path in (signed.tiles / "tile").rglob("*"))
    if kind == "note":
        files = [(signed.tiles / "checkpoint").relative_to(signed.tiles)]
    for number, file in enumerate(one for one in files if (signed.tiles / one).is_file()):
        copied = shutil.copytree(signed.tiles, tmp_path / str(number))
        content = bytearray((copied / file).read_bytes())
        content[len(content) // 2] ^= 1
        damaged = {"cut": content[:-1], "longer": bytes(content) + b"x"}.get(kind, content)
        (copied / file).write_bytes(damaged)
        if kind == "lost":
            (copied / file).unlink()
        done = run("log", "verify", str(copied), "--json", data=tmp_path / "nothing")
        other = asked("log", copied)
        assert other.returncode == done.returncode == (code or done.returncode), file
        errors = [json.loads(one.stderr.splitlines()[-1]) for one in (done, other)]
        assert errors[0].get("position") == errors[1].get("position"), (file, errors)


def test_a_checkpoint_is_verified_by_itself(signed: Signed, tmp_path: Path) -> None:
    note = signed.tiles / "checkpoint"
    keys, policy = ("--key", signed.keys), ("--witness-policy", signed.policy)
    done = asked("checkpoint", note, *keys, *policy)
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["witnessed"]) == (0, answer["size"])
    assert [one["name"] for one in answer["witnesses"]] == ["w"]
    assert theirs("checkpoint", note).code == 1
    other = tmp_path / "policy.txt"
    other.write_text(f"witness s {STRANGER.public.text}\nquorum s\n")
    assert theirs("checkpoint", note, *keys, "--witness-policy", other).code == 1
    altered = tmp_path / "note.txt"
    lines = note.read_text().split("\n")
    lines[1] = str(int(lines[1]) + 1)
    altered.write_text("\n".join(lines))
    assert theirs("checkpoint", altered, *keys).code == 3
    assert theirs("checkpoint", altered, *policy).code == 3


def test_a_checkpoint_without_the_cover_that_was_asked_is_inconclusive(
    signed: Signed, tmp_path: Path
) -> None:
    data = shutil.copytree(signed.data, tmp_path / "data")
    run("record", data=data, lines=[bet(number) for number in range(1, 4)])
    assert run("log", "checkpoint", data=data).returncode == 0
    for options in (("--witness-policy", signed.policy), ("--stamp-roots", signed.roots)):
        words = tuple(map(str, options))
        expected = found(run("log", "verify", "--json", *words, data=data))
        assert expected[0] == 1
        assert found(asked("log", data, *words)) == expected


MOMENT = 1_800_000_000_000_000
"""When the checkpoint below is recorded."""


def cosigned(size: int, seconds: int, **changes: Any) -> e.CheckpointCosigned:
    """Cosign the text of the checkpoint below."""
    made = STRANGER.cosign(changes.pop("text"), seconds)
    facts = {
        "size": size,
        "witness": STRANGER.public.name,
        "public_key": STRANGER.public.raw,
        "cosigned_at": seconds * SECOND,
        "signature": made.signature,
        "algorithm": "Ed25519",
        "is_mirror": False,
    }
    return e.CheckpointCosigned(**{**facts, **changes})


@pytest.mark.parametrize(
    ("seconds", "changes", "code"),
    [
        (MOMENT // SECOND, {}, 0),
        (MOMENT // SECOND, {"signature": b"x" * 64}, 3),
        (MOMENT // SECOND, {"public_key": b"x" * 31}, 3),
        (MOMENT // SECOND, {"text": "another\n"}, 3),
        (MOMENT // SECOND, {"size": 1}, 3),
        (MOMENT // SECOND - 61, {}, 3),
        (MOMENT // SECOND + 61, {}, 3),
        (MOMENT // SECOND - 60, {}, 0),
    ],
)
def test_what_a_chain_says_of_witnesses_is_judged_alike(
    seconds: int, changes: dict[str, Any], code: int, tmp_path: Path
) -> None:
    chain = Chain()
    chain.add(opening("test"))
    kinds = ("SigningKeyAdded", "CheckpointSigned", "CheckpointCosigned")
    chain.add(*[publishing(name) for name in kinds])
    key = SigningKey("test", b"\x07" * 32)
    chain.add(adding(key))
    size = chain.head.size
    roots = (root_of(chain.stored, size), map_root_of(chain.stored, size))
    checkpoint = Checkpoint("test", size, *roots)
    chain.add(signing(chain, key, "test"), at=MOMENT)
    chain.add(
        cosigned(changes.pop("size", size), seconds, **{"text": checkpoint.text, **changes}),
        at=MOMENT,
    )
    data = write_log(tmp_path / "data", chain.stored)
    policy = tmp_path / "policy.txt"
    policy.write_text(f"witness s {STRANGER.public.text}\nquorum s\n")
    words = ("--witness-policy", str(policy))
    done, other = run("log", "verify", "--json", *words, data=data), asked("log", data, *words)
    assert done.returncode == other.returncode == code, (done.stdout, done.stderr)
    if code:
        errors = [json.loads(one.stderr.splitlines()[-1]) for one in (done, other)]
        assert errors[0]["position"] == errors[1]["position"]
