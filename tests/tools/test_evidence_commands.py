"""``evidence``, as its users have it: made, verified, refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import SystemClock
from ledger.tlog.cosigning import WitnessKey
from ledger.tlog.signing import SigningKey
from tests.tools.cli_cases import bet, run, run_here
from tests.tools.witness_cases import House
from tests.verifier.verifier_cases import asked as stand_alone
from tools.practice.keys import write_practice_keys

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def signed(studio: Path) -> tuple[Path, Path]:
    """A chain with a round and a checkpoint, and the file of the key that signed it."""
    run("record", data=studio, lines=[bet(1)])
    done = run("log", "checkpoint", data=studio)
    keys = studio.parent / "keys.txt"
    keys.write_text(done.stderr)
    return studio, keys


def test_a_round_is_made_and_verified_by_somebody_else(
    signed: tuple[Path, Path], tmp_path: Path
) -> None:
    data, keys = signed
    file = tmp_path / "round.html"
    made = run("evidence", "round", "q1", "--out", str(file), data=data)
    assert made.returncode == 0, made.stderr
    told = " ".join(made.stdout.split())  # the path may be longer than a line
    assert f"gameledger evidence verify {file}" in told
    elsewhere = tmp_path / "nothing"
    checked = run("evidence", "verify", str(file), "--key", str(keys), "--json", data=elsewhere)
    assert checked.returncode == 0, checked.stderr
    found = json.loads(checked.stdout)
    assert (found["subject"], found["withheld"]) == ("round:q1", 0)
    assert found["page"] == "shows what is proved, to the byte"
    said = run("evidence", "verify", str(file), data=elsewhere).stdout
    assert "proves what it says" in said
    assert not elsewhere.exists()


def test_an_altered_file_and_a_wrong_key_are_refused(
    signed: tuple[Path, Path], tmp_path: Path
) -> None:
    data, _ = signed
    file = tmp_path / "account.html"
    options = ("--from", "2026-01-01", "--to", "2199-01-01", "--out", str(file))
    assert run("evidence", "account", "a-1", *options, data=data).returncode == 0
    content = file.read_bytes()
    for altered, place in (
        (content.replace(b"<h1>", b"<h1>Not ", 1), "page"),
        (content.replace(b'"made_by":"g', b'"made_by":"f', 1), "digest"),
        (content.replace(b'"digest":"', b'"digest": "', 1), "data"),
    ):
        (tmp_path / "altered.html").write_bytes(altered)
        done = run_here("evidence", "verify", str(tmp_path / "altered.html"), data=data)
        assert (done.returncode, f": {place}: " in done.stderr) == (3, True), done.stderr
    chain = json.loads(run("evidence", "verify", str(file), "--json", data=data).stdout)["chain"]
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(SigningKey(chain, bytes(32)).public.text)
    done = run_here("evidence", "verify", str(file), "--key", str(wrong), data=data)
    assert done.returncode == 3
    assert "none of the keys given" in done.stderr


def test_a_sealed_document_carries_what_proves_it(
    signed: tuple[Path, Path], tmp_path: Path
) -> None:
    data, keys = signed
    write_practice_keys(tmp_path / "practice")
    file = tmp_path / "round.pdf"
    options = ("--pdf", "--key", str(tmp_path / "practice" / "operator.pem"), "--out", str(file))
    made = run("evidence", "round", "q1", *options, data=data)
    assert made.returncode == 0, made.stderr
    checked = run("evidence", "verify", str(file), "--key", str(keys), "--json", data=data)
    assert checked.returncode == 0, checked.stderr
    assert checked.stderr == ""
    found = json.loads(checked.stdout)
    assert found["subject"] == "round:q1"
    assert found["sealed_by"] == ["Common Name: gameledger practice operator"]
    content = file.read_bytes()
    end = content.index(b"%%EOF") + 6
    for altered, place in (
        (content[:100] + bytes([content[100] ^ 1]) + content[101:], "seal"),
        (content[:end] + b"% more", "page"),
    ):
        (tmp_path / "altered.pdf").write_bytes(altered)
        done = run_here("evidence", "verify", str(tmp_path / "altered.pdf"), data=data)
        assert (done.returncode, f": {place}: " in done.stderr) == (3, True), done.stderr


def test_an_account_is_printed_and_its_cover_is_asked_for(
    signed: tuple[Path, Path], tmp_path: Path
) -> None:
    data, _ = signed
    file, policy = tmp_path / "account.pdf", tmp_path / "policy.txt"
    made = run_here("evidence", "account", "a-1", "--pdf", "--out", str(file), data=data)
    assert made.returncode == 0, made.stderr
    key = WitnessKey("witness.example", bytes(32)).public.text
    policy.write_text(f"witness inspector {key}\nquorum inspector\n")
    done = run_here("evidence", "verify", str(file), data=data)
    assert (done.returncode, "account:a-1" in done.stdout) == (0, True), done.stderr
    asked = ("--witness-policy", str(policy), "--json")
    lacking = run_here("evidence", "verify", str(file), *asked, data=data)
    (said,) = json.loads(lacking.stdout)["reservations"]
    assert (lacking.returncode, "inspector did not cosign it" in said) == (1, True)


def test_witnesses_with_ml_dsa_vouch_for_completeness(studio: Path, tmp_path: Path) -> None:
    """They sign no extension line; the record of the map's root is in the tree that they sign."""
    key = SigningKey.create(studio / "keys" / "checkpoint.key", "test")
    house = House(tmp_path / "watch", key.public, clock=SystemClock(), algorithm="ML-DSA-44")
    policy, file = tmp_path / "policy.txt", tmp_path / "round.html"
    with house.serving() as url:
        policy.write_text(f"witness w {house.key.public.text} {url}\nquorum w\n")
        asked = ("--witness-policy", str(policy), "--json")
        signed = run("log", "checkpoint", *asked, data=studio)
    assert json.loads(signed.stdout)["witnessed"], signed.stderr
    made = run("evidence", "round", "q1", "--out", str(file), data=studio)
    assert made.returncode == 0, made.stderr
    done = run("evidence", "verify", str(file), *asked, data=studio)
    found = json.loads(done.stdout)
    assert (done.returncode, found["reservations"]) == (0, []), done.stderr
    assert found["complete_to"] < found["size"]
    theirs = stand_alone("evidence", file, "--data-only", "--witness-policy", policy)
    assert theirs.returncode == 0, theirs.stdout
    assert json.loads(theirs.stdout)["complete_to"] == found["complete_to"]
    assert run("log", "verify", *asked, data=studio).returncode == 0
    assert stand_alone("log", studio, "--witness-policy", policy).returncode == 0


def test_a_policy_says_which_log_the_evidence_has_to_be_of(
    signed: tuple[Path, Path], tmp_path: Path
) -> None:
    """The witnesses of a policy may watch many logs; a file of another is none of this one."""
    data, keys = signed
    file, policy = tmp_path / "round.html", tmp_path / "policy.txt"
    assert run_here("evidence", "round", "q1", "--out", str(file), data=data).returncode == 0
    verify = ("evidence", "verify", str(file), "--witness-policy", str(policy))
    policy.write_text(f"log {keys.read_text().split()[-1]}\nquorum none\n")
    assert run_here(*verify, data=data).returncode == 0
    policy.write_text(f"log {SigningKey('other.example', bytes(32)).public.text}\nquorum none\n")
    done = run_here(*verify, data=data)
    assert (done.returncode, "none of the keys given" in done.stderr) == (3, True), done.stdout


def test_the_period_of_an_account_is_told_when_it_is_verified(
    signed: tuple[Path, Path], tmp_path: Path
) -> None:
    data, _ = signed
    day = ("--from", "2026-11-20", "--to", "2026-11-20T18:30")
    cases: dict[str, tuple[tuple[str, ...], str, list[int | None]]] = {
        "all": ((), "everything up to the checkpoint", [None, None]),
        "from": (day[:2], "from 2026-11-20 00:00:00.000 on", [1_795_129_200_000_000, None]),
        "to": (day[2:], "before 2026-11-20 18:30:00.000", [None, 1_795_195_800_000_000]),
        "both": (
            day,
            "from 2026-11-20 00:00:00.000, before 2026-11-20 18:30:00.000",
            [1_795_129_200_000_000, 1_795_195_800_000_000],
        ),
    }
    for name, (period, text, moments) in cases.items():
        file = str(tmp_path / f"{name}.html")
        made = run_here("evidence", "account", "a-1", *period, "--out", file, data=data)
        assert made.returncode == 0, made.stderr
        said = run_here("evidence", "verify", file, data=data).stdout
        assert f"period{text}" in said.replace("  ", "").replace("period ", "period"), said
        document = json.loads(run_here("evidence", "verify", file, "--json", data=data).stdout)
        assert [document["first"], document["end"]] == moments


def test_what_can_not_be_made_or_read_says_the_next_step(studio: Path, tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "file"))
    unsigned = run("evidence", "round", "q1", *out, data=studio)
    assert unsigned.returncode == 2
    assert "gameledger log checkpoint" in unsigned.stderr
    (tmp_path / "file").write_bytes(b"mine")
    assert run("log", "checkpoint", data=studio).returncode == 0
    taken = run("evidence", "round", "q1", *out, data=studio)
    assert taken.returncode == 2
    assert (tmp_path / "file").read_bytes() == b"mine"
    no_evidence = run("evidence", "verify", str(tmp_path / "file"), data=studio)
    assert no_evidence.returncode == 2
    assert "no evidence file" in no_evidence.stderr
    for kind in ("round", "account"):
        unnamed = run_here("evidence", kind, "", data=studio)
        assert (unnamed.returncode, f"name the {kind}" in unnamed.stderr) == (2, True)
        broken = run_here("evidence", kind, "q\udcff", data=studio)
        assert (broken.returncode, "is not written in UTF-8" in broken.stderr) == (2, True)
    nobody = run("evidence", "round", "q1", "--for", "a-99", data=studio)
    assert nobody.returncode == 2
    assert "has no part in round q1" in nobody.stderr
