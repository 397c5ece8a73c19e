"""``log checkpoint``, ``log status`` and ``log verify`` with witnesses and time stamps."""

from __future__ import annotations

import http.server
import json
import shutil
import socket
import threading
from base64 import b64decode
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import SECOND, StoppedClock, SystemClock
from ledger.core.errors import InputError
from ledger.tlog.cosigning import WitnessKey
from ledger.tlog.misconduct import require_misconduct
from ledger.tlog.notes import Note
from ledger.tlog.signing import Checkpoint, SigningKey, make_note
from tests.stamp_authority import StampAuthority
from tests.tools.cli_cases import bet, run, run_here
from tests.tools.witness_cases import House

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

STRANGER = WitnessKey("stranger.example", b"\x05" * 32)


class Witnessed:
    """A studio whose checkpoints a witness cosigns."""

    def __init__(self, data: Path, house: House, url: str) -> None:
        self.data, self.house, self.url = data, house, url
        self.policy = data.parent / "policy.txt"
        self.write(f"witness w {house.key.public.text} {url}", "quorum w")

    def write(self, *lines: str) -> None:
        self.policy.write_text("".join(f"{line}\n" for line in lines))

    def run(self, *words: str, data: Path | None = None) -> subprocess.CompletedProcess[str]:
        environment = {"GAMELEDGER_WITNESS_POLICY": str(self.policy)}
        return run("log", *words, data=data or self.data, environment=environment)

    def answer(self, *words: str, code: int = 0, data: Path | None = None) -> dict[str, Any]:
        done = self.run(*words, "--json", data=data)
        assert done.returncode == code, (done.stdout, done.stderr)
        found: dict[str, Any] = json.loads(done.stdout)
        return found


def key_of(studio: Path) -> SigningKey:
    """Make the key that signs for the chain, before the program does."""
    return SigningKey.create(studio / "keys" / "checkpoint.key", "test")


@pytest.fixture
def witnessed(studio: Path, tmp_path: Path) -> Iterator[Witnessed]:
    house = House(tmp_path / "watch", key_of(studio).public, clock=SystemClock())
    with house.serving() as url:
        yield Witnessed(studio, house, url)


def test_a_checkpoint_is_cosigned_recorded_and_published(
    witnessed: Witnessed, tmp_path: Path
) -> None:
    for _ in range(2):
        signed = witnessed.answer("checkpoint")
        assert signed["witnessed"] is True
        assert [one["problem"] for one in signed["witnesses"]] == [None]
        assert signed["warnings"] == []
    note = Note.parse(signed["note"])
    assert [line.name for line in note.signatures] == ["test", "witness.example"]
    status = witnessed.answer("status")
    assert status["witnessed"]["size"] == status["checkpoint"]["size"] == signed["size"]
    assert (status["cosigned_by"], status["warnings"]) == (["w"], [])
    stages = [(one["stage"], one["size"]) for one in status["finality"]]
    size = signed["size"]
    assert stages == [
        ("recorded", status["size"]), ("covered", size), ("cosigned", size), ("mirrored", 0),
    ]  # fmt: skip
    assert "held by a mirror" in witnessed.run("status").stdout
    assert witnessed.answer("verify")["witnessed"] == signed["size"]
    assert witnessed.run("tiles", str(tmp_path / "tiles")).returncode == 0
    assert (tmp_path / "tiles" / "checkpoint").read_text() == signed["note"]
    assert witnessed.answer("verify", str(tmp_path / "tiles"))["witnessed"] == signed["size"]
    assert witnessed.house.told == []
    assert witnessed.house.folder.remembered()[0].size == signed["size"]


def test_a_witness_that_is_away_is_told_and_matters_if_the_policy_says_so(
    witnessed: Witnessed,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        away = f"http://127.0.0.1:{closed.getsockname()[1]}"
    here = f"witness here {witnessed.house.key.public.text} {witnessed.url}"
    both = (here, f"witness away {STRANGER.public.text} {away}")
    witnessed.write(*both, "group g any here away", "quorum g")
    signed = witnessed.answer("checkpoint")
    [warning] = signed["warnings"]
    assert warning.startswith("witness away http://127.0.0.1")
    assert "can't be asked" in warning
    assert witnessed.answer("status")["warnings"] == []
    witnessed.write(*both, "group g all here away", "quorum g")
    missed = witnessed.answer("checkpoint", code=1)
    assert missed["witnessed"] is False
    assert missed["warnings"][-1].startswith("UNWITNESSED: too few witnesses")
    [warning] = witnessed.answer("status", code=1)["warnings"]
    assert warning.startswith("UNWITNESSED: the policy does not accept the last checkpoint")
    assert "away did not cosign it. No other is witnessed" in warning
    verified = witnessed.answer("verify", code=1)
    assert (verified["witnessed"], len(verified["reservations"])) == (0, 1)
    spoken = witnessed.run("status")
    assert "UNWITNESSED" in spoken.stdout


def test_two_histories_under_one_key_are_found_and_the_proof_is_kept(
    witnessed: Witnessed, tmp_path: Path
) -> None:
    twin = shutil.copytree(witnessed.data, tmp_path / "twin")
    first = witnessed.answer("checkpoint")
    run("record", data=twin, lines=[bet(2)])
    for data in (twin, twin):
        split = witnessed.answer("checkpoint", code=1, data=data)
        assert split["warnings"][0].startswith("SPLIT HISTORY: witness w has cosigned another")
    proofs = sorted((twin / "misconduct").iterdir())
    key = SigningKey.load(twin / "keys" / "checkpoint.key").public
    earlier, _ = require_misconduct(proofs[0].read_text(), [key])
    assert earlier.text == Note.parse(first["note"]).text
    status = witnessed.answer("status", code=1, data=twin)
    assert status["misconduct"] == [str(proof) for proof in proofs]
    assert any("holds proof that two were signed" in one for one in status["warnings"])
    assert witnessed.answer("status")["misconduct"] == []


def test_what_can_not_be_kept_of_one_witness_costs_no_other(
    witnessed: Witnessed, tmp_path: Path
) -> None:
    """The checkpoint is recorded by then, so its note is printed and all answers are told."""
    twin = shutil.copytree(witnessed.data, tmp_path / "twin")
    witnessed.answer("checkpoint")
    run("record", data=twin, lines=[bet(2)])
    (twin / "misconduct").write_text("no folder")
    signed = witnessed.answer("checkpoint", code=1, data=twin)
    assert Note.parse(signed["note"]).head.size == signed["size"]
    assert "the proof can't be kept" in signed["warnings"][0]
    (twin / "misconduct").unlink()
    kept = witnessed.answer("checkpoint", code=1, data=twin)
    assert "the proof is kept as" in kept["warnings"][0]


def test_a_cosignature_that_comes_too_late_is_told(
    witnessed: Witnessed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else signed a later checkpoint while the witness was asked."""

    def refuse(*_: object) -> None:
        raise InputError("this is of a checkpoint of size 1: ask for it again")

    monkeypatch.setattr("ledger.decisions.operator.attestations._last", refuse)
    policy = ("--witness-policy", str(witnessed.policy), "--json")
    done = run_here("log", "checkpoint", *policy, data=witnessed.data)
    signed = json.loads(done.stdout)
    assert (done.returncode, signed["witnessed"]) == (1, False)
    assert "was not recorded: this is of a checkpoint" in signed["warnings"][0]


def test_what_is_witnessed_is_the_checkpoint_that_was_verified(
    witnessed: Witnessed, tmp_path: Path
) -> None:
    """A server can't have a fork verified and show the note of another history to the policy."""
    twin = shutil.copytree(witnessed.data, tmp_path / "twin")
    witnessed.answer("checkpoint")
    run("record", data=twin, lines=[bet(2)])
    assert run("log", "checkpoint", data=twin).returncode == 0
    for data, name in ((witnessed.data, "true"), (twin, "fork")):
        assert run("log", "tiles", str(tmp_path / name), data=data).returncode == 0
    asked: list[str] = []

    class Lying(http.server.SimpleHTTPRequestHandler):
        def translate_path(self, path: str) -> str:
            name = "true" if path == "/checkpoint" and path in asked else "fork"
            asked.append(path)
            return str(tmp_path / name / path[1:])

        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Lying) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        verified = witnessed.answer("verify", url, code=1)
        server.shutdown()
    assert (verified["witnessed"], asked.count("/checkpoint")) == (0, 1)


def test_a_note_that_somebody_holds_is_compared(witnessed: Witnessed, tmp_path: Path) -> None:
    twin, held = shutil.copytree(witnessed.data, tmp_path / "twin"), tmp_path / "held.txt"
    compare, own = ("status", "--note", str(held)), tmp_path / "own.txt"
    own.write_text(witnessed.answer("checkpoint")["note"])
    assert witnessed.answer("status", "--note", str(own))["warnings"] == []
    run("record", data=twin, lines=[bet(number) for number in range(2, 12)])
    held.write_text(run("log", "checkpoint", data=twin).stdout)
    warning = witnessed.answer(*compare, code=1)["warnings"][0]
    assert "is longer than the log: its end was cut off, or there are two" in warning
    run("record", data=witnessed.data, lines=[bet(number) for number in range(3, 15)])
    warning = witnessed.answer(*compare, code=1)["warnings"][0]
    assert "sign a checkpoint and repeat to keep the proof" in warning
    witnessed.answer("checkpoint")
    found = witnessed.answer(*compare, code=1)
    assert "is of another history; the proof is kept as " in found["warnings"][0]
    [proof] = (witnessed.data / "misconduct").iterdir()
    assert found["misconduct"] == [str(proof)]
    held.write_text(held.read_text().replace("— test", "— tset"))
    assert "is not signed by a key of this log" in witnessed.run(*compare).stderr


def test_a_note_of_another_chain_under_the_same_key_is_no_second_history(
    witnessed: Witnessed, tmp_path: Path
) -> None:
    """One secret may sign for two chains: the key of each bears its name."""
    file = witnessed.data / "keys" / "checkpoint.key"
    other = SigningKey("other", b64decode(file.read_text().split("+", 4)[4])[1:])
    checkpoint = Checkpoint("other", 5, bytes(32), bytes(32))
    held = tmp_path / "held.txt"
    held.write_text(make_note(checkpoint, [(other.public, other.sign(checkpoint))]))
    witnessed.answer("checkpoint")
    done = witnessed.run("status", "--note", str(held))
    assert (done.returncode, "not signed by a key of this log" in done.stderr) == (2, True)
    assert witnessed.answer("status")["misconduct"] == []


def test_a_witness_with_a_wrong_clock_is_not_believed(studio: Path, tmp_path: Path) -> None:
    for number, hours in enumerate((-2, 2)):
        clock = StoppedClock(SystemClock().now() + hours * 3600 * SECOND)
        data = shutil.copytree(studio, tmp_path / str(number))
        house = House(tmp_path / f"watch{number}", key_of(data).public, clock=clock)
        with house.serving() as url:
            witnessed = Witnessed(data, house, url)
            warnings = witnessed.answer("checkpoint", code=1)["warnings"]
        cause = "before the checkpoint was recorded" if hours < 0 else "yet to come"
        assert warnings[0] == f"witness w names a time {'that is ' * (hours > 0)}{cause}."


def test_an_old_checkpoint_is_late(witnessed: Witnessed) -> None:
    assert witnessed.answer("status", code=1)["warnings"][0].startswith("UNSIGNED")
    witnessed.answer("checkpoint")
    [warning] = witnessed.answer("status", "--late-after", "0", code=1)["warnings"]
    assert warning.startswith("LATE: the last witnessed checkpoint is 0:00:")


def stamped(data: Path, authority: StampAuthority, url: str, *, code: int = 0) -> dict[str, Any]:
    roots = str(authority.folder / "roots.pem")
    words = ("--stamp-url", url, "--stamp-roots", roots)
    done = run("log", "checkpoint", *words, "--json", data=data)
    assert done.returncode == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_checkpoint_is_stamped_and_the_stamp_verified_offline(
    studio: Path, tmp_path: Path
) -> None:
    authority, stranger = (StampAuthority(tmp_path / name) for name in ("time", "stranger"))
    with authority.serving() as url:
        signed = stamped(studio, authority, url)
    assert abs(signed["stamped_at"] - SystemClock().now()) < 60 * SECOND
    for words in (("status",), ("verify",)):
        roots = ("--stamp-roots", str(authority.folder / "roots.pem"))
        done = run("log", *words, *roots, "--json", data=studio)
        assert done.returncode == 0, done.stdout
        other = ("--stamp-roots", str(stranger.folder / "roots.pem"))
        done = run("log", *words, *other, data=studio)
        assert done.returncode == 1
        assert "UNSTAMPED: the last checkpoint bears no time stamp" in " ".join(done.stdout.split())
    away = stamped(studio, authority, url, code=1)
    assert away["stamped_at"] is None
    assert "can't be asked" in away["warnings"][0]


def test_an_authority_that_is_not_to_be_trusted_gives_no_stamp(
    studio: Path, tmp_path: Path
) -> None:
    good = StampAuthority(tmp_path / "good")
    expired = StampAuthority(tmp_path / "expired", days=(-30, -1))
    with expired.serving() as url:
        for asked, cause in ((expired, "expired"), (good, "certificate")):
            [warning] = stamped(studio, asked, url, code=1)["warnings"]
            assert warning.startswith("UNSTAMPED: a time stamp does not hold")
            assert cause in warning


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("checkpoint", "--witness-policy", "{0}"), "line 1 of the policy"),
        (("verify", "--witness-policy", "{0}/x"), "can't be read"),
        (("status", "--stamp-roots", "{0}"), "certificates in PEM"),
        (("checkpoint", "--stamp-url", "http://127.0.0.1:1"), "--stamp-url needs --stamp-roots"),
        (("status", "--note", "{0}"), "a checkpoint note is"),
        (("status", "--note", "{0}/x"), "can't be read"),
    ],
)
def test_what_can_not_be_used_is_named(
    studio: Path, tmp_path: Path, words: tuple[str, ...], cause: str
) -> None:
    (tmp_path / "file").write_text("nothing\n")
    done = run("log", *(word.format(tmp_path / "file") for word in words), data=studio)
    assert done.returncode == 2
    assert cause in " ".join(done.stderr.split())
