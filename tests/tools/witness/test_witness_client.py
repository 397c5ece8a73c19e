"""How a log asks witnesses: those that are away, slow, forgetful or lie cost only themselves."""

from __future__ import annotations

import re
import socket
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import SECOND
from ledger.tlog.cosigning import WitnessKey
from ledger.tlog.misconduct import require_misconduct
from ledger.tlog.policy import Witness
from tests.tools.witness_cases import FORK, LOG, NOW, STRANGER, TRUE, History, House, answering
from tests.waiting import PATIENCE_SECONDS
from tools.witness.client import CosignRequest, CosignResult, request_cosignatures
from tools.witness.witness import Reply

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEY = WitnessKey("witness.example", b"\x01" * 32)


def asking(
    size: int, history: History = TRUE, seconds: float = 5.0, *, signed: int | None = None
) -> CosignRequest:
    now, last = NOW * SECOND, size if signed is None else signed
    return CosignRequest(
        history.note(size),
        (LOG.public,),
        history,
        now,
        now=lambda: now + SECOND,
        signed=lambda: last,
        seconds=seconds,
    )


def ask_one(
    url: str,
    size: int,
    history: History = TRUE,
    *,
    cosigned: int = 0,
    key: WitnessKey = KEY,
    signed: int | None = None,
) -> CosignResult:
    witness, wanted = Witness("w", key.public, url), asking(size, history, signed=signed)
    [asked] = request_cosignatures([witness], wanted, {key.public.text: cosigned})
    assert (asked.cosignature is None) == bool(asked.problem)
    return asked


def line_of(text: str, seconds: int = NOW, key: WitnessKey = KEY) -> str:
    return key.public.line(key.cosign(text, seconds)).line


def test_a_witness_is_asked_with_the_proof_from_what_it_saw(tmp_path: Path) -> None:
    house = House(tmp_path / "w")
    with house.serving() as url:
        for size, known in ((5, 0), (8, 5), (9, 0), (9, 9), (20, 8), (33, 20)):
            asked = ask_one(f"{url}/", size, cosigned=known, key=house.key)
            assert asked.cosignature is not None, asked
            assert house.key.public.is_cosigner_of(TRUE.note(size).text, asked.cosignature)
        ahead = ask_one(url, 9, key=house.key)
        overtaken = ask_one(url, 9, key=house.key, signed=33)
        behind = ask_one(url, 9, key=house.key, signed=32)
    assert ahead.is_split
    assert behind.is_split
    assert "has seen 33 messages of this log, which now has 9" in ahead.problem
    assert not overtaken.is_split
    assert overtaken.problem == "has cosigned a later checkpoint already, of 33 messages"


@pytest.mark.parametrize(("seen", "size"), [(5, 5), (5, 9), (8, 9), (8, 8), (1, 7)])
def test_a_witness_of_another_history_gives_the_proof(tmp_path: Path, seen: int, size: int) -> None:
    house = House(tmp_path / "w")
    house.witness.add_checkpoint(FORK.submission(0, seen))
    with house.serving() as url:
        asked = ask_one(url, size, key=house.key)
    assert asked.is_split
    assert asked.problem == "has cosigned another history of this log"
    earlier, later = require_misconduct(asked.proof, [LOG.public])
    assert (earlier.text, later) == (FORK.note(seen).text, TRUE.note(size))


def test_a_witness_that_forgot_is_told_from_one_that_knows_less(tmp_path: Path) -> None:
    house = House(tmp_path / "w")
    house.witness.add_checkpoint(TRUE.submission(0, 5))
    with house.serving() as url:
        asked = ask_one(url, 9, cosigned=8, key=house.key)
        assert asked.problem == "has lost its memory or lies: it cosigned 8 messages and now says 5"
        assert house.folder.remembered()[0].size == 5
        assert ask_one(url, 9, cosigned=5, key=house.key).cosignature


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (
            lambda text: line_of(text, key=WitnessKey("witness.example", b"\x02" * 32)),
            "another key",
        ),
        (lambda text: line_of(text, key=WitnessKey("other.example", b"\x01" * 32)), "another key"),
        (lambda _: line_of(TRUE.note(6).text), "a false cosignature"),
        (lambda text: line_of(text, NOW - 3600), "a time before the checkpoint was recorded"),
        (lambda text: line_of(text, NOW + 3600), "a time that is yet to come"),
        (lambda _: "", "a signature line is"),
        (lambda _: "— witness.example AAAA\n", "a signature line is"),
        (lambda text: line_of(text)[:60] + "\n", "base64|72 bytes"),
        (lambda _: "x" * 300_000, "sends more than"),
    ],
)
def test_a_lying_witness_is_not_believed(answer: Callable[[str], str], problem: str) -> None:
    text = TRUE.note(5).text
    with answering(lambda _path, _body: Reply(200, answer(text))) as url:
        asked = ask_one(url, 5)
    assert asked.cosignature is None
    assert re.search(problem, asked.problem), asked.problem
    assert not asked.is_split


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (Reply(400, ""), "does not understand the request (status 400 from http://"),
        (Reply(403, ""), "does not accept the signature of the log"),
        (Reply(404, ""), "does not watch this log"),
        (Reply(500, ""), "refuses (status 500 from http://"),
        (Reply(302, ""), "refuses (status 302 from http://"),
        (Reply(409, "many\n"), "decimal number"),
        (Reply(409, "9" * 30), "decimal number"),
        (Reply(409, "6\n"), "has seen 6 messages of this log, which now has 5"),
        (Reply(409, "0\n"), "has cosigned another history of this log, and shows no checkpoint"),
        (Reply(422, ""), "has cosigned another history of this log, and shows no checkpoint"),
    ],
)
def test_a_refusal_is_told_in_words(reply: Reply, problem: str) -> None:
    with answering(lambda _path, _body: reply) as url:
        said = ask_one(url, 5).problem
    assert problem in said
    if "status" in said:
        assert f"{url}/add-checkpoint)" in said


def test_a_witness_that_names_a_size_each_time_is_left() -> None:
    sizes = iter("12341234")
    with answering(lambda _path, _body: Reply(409, next(sizes))) as url:
        assert ask_one(url, 5).problem == "names another size each time it is asked"


@pytest.mark.parametrize("shown", [TRUE.note(3), FORK.note(3, STRANGER), FORK.note(9)])
def test_a_witness_can_accuse_nobody_without_the_signature_of_the_log(shown: object) -> None:
    """It refuses, and what it shows is the same history, not signed by the log, or too long."""

    def answer(path: str, _: bytes) -> Reply:
        return Reply(422, "") if path == "/add-checkpoint" else Reply(200, str(shown))

    with answering(answer) as url:
        assert ask_one(url, 5).proof == ""


def test_witnesses_that_are_away_or_slow_cost_only_themselves(tmp_path: Path) -> None:
    house, done = House(tmp_path / "w"), threading.Event()

    def wait(_path: str, _body: bytes) -> Reply:
        done.wait(2 * PATIENCE_SECONDS)
        return Reply(200, "")

    with socket.create_server(("127.0.0.1", 0)) as closed:
        away = f"http://127.0.0.1:{closed.getsockname()[1]}"
    with house.serving() as url, answering(wait) as slow:
        witnesses = [
            Witness("good", house.key.public, url),
            Witness("away", KEY.public, away),
            Witness("slow", KEY.public, slow),
            Witness("odd", KEY.public, "gopher://x"),
            Witness("silent", KEY.public, ""),
        ]
        begun = time.monotonic()
        asked = request_cosignatures(witnesses, asking(5, seconds=1.5), {})
        assert time.monotonic() - begun < PATIENCE_SECONDS
        done.set()
    assert [bool(one.cosignature) for one in asked] == [True, False, False, False]
    assert "can't be asked" in asked[1].problem
    assert "did not answer within 1.5 s" in asked[2].problem
    assert "can't be asked" in asked[3].problem


@pytest.mark.parametrize("begun", [b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: "])
def test_a_witness_that_drips_is_cut_off(begun: bytes) -> None:
    """Each byte comes soon enough, and the answer would never end."""
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(5.0)  # who asks may have no time left to come

        def drip() -> None:
            with suppress(OSError), listener.accept()[0] as wire:
                wire.sendall(begun)
                while not done.wait(0.05):
                    wire.sendall(b"x")

        thread = threading.Thread(target=drip)
        thread.start()
        witness = Witness("w", KEY.public, f"http://127.0.0.1:{listener.getsockname()[1]}")
        [asked] = request_cosignatures([witness], asking(5, seconds=0.3), {})
        done.set()
        thread.join()
    assert "did not answer within 0.3 s" in asked.problem
