from __future__ import annotations

import json
import resource
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from ledger.core.clock import DAY, SystemClock
from ledger.decisions.decider import decode_command
from ledger.events.encoding import decode
from ledger.log.sqlite import SqliteLog
from tests.children import child
from tests.tools.cli_cases import PROGRAM, ROOT, answers, bet, command, login, run
from tools.data import DataDirectory

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.core.message import Head

KEPT = {"recorded", "refused"}
BAD_LINES: list[tuple[Any, str]] = [
    ("{", "not a JSON object"),
    ("[1, 2]", "not a JSON object"),
    ('{"account": "a-1"}', "no command named"),
    (command("place_beet"), "there is no command 'place_beet'"),
    (bet(1, stake="1000"), "$.stake"),
    (bet(1, stake=-100), "$.stake"),
    (bet(1, stake=0), "$.stake"),
    (bet(1, stake=10.5), "$.stake"),
    (bet(1, stake=1_000, colour="red"), "colour"),
    (bet(1, account="nobody"), "account nobody is unknown"),
    (bet(1, round="q9"), "round q9 is unknown"),
    (json.dumps(bet(1))[:-1] + ', "stake": 20}', 'place_bet: an object has the key "stake" twice'),
    (command("log_out"), "account"),
    (command("deposit", account="a b", deposit="d", amount=1, method="cash"), "$.account"),
    ("\ufeff{}", "JSON"),
    ("x" * ((1 << 20) + 1), "longer than"),
]


def test_who_records_nothing_leaves_no_mark_in_the_chain(studio: Path) -> None:
    """No input, lines that can't be read or decided, questions: the head stays what it was."""
    before = _head(studio)
    for lines in ("", "\n\n", "{", [command("place_beet")], [bet(1, account="nobody")]):
        run("record", data=studio, lines=lines)
        assert _head(studio) == before
    for question in (
        ("log", "checkpoint", "--dry-run"),
        ("person", "erase", "a-1", "--dry-run"),
        ("person", "erase", "nobody"),
        ("report", "build", "--pending", "--until", "2020-01-01"),
    ):
        run(*question, data=studio)
        assert _head(studio) == before
    assert run("record", data=studio, lines=[bet(1)]).returncode == 0
    with closing(DataDirectory(studio).read()) as log:
        added = [type(decode(body).event).__name__ for _, body in log.read(before.size)]
    assert added == ["WriterStarted", "BetPlaced"]


def test_a_new_chain_says_who_writes_with_its_first_decision(tmp_path: Path) -> None:
    arguments = ("--operator", "26493993", "--name", "Test", "--chain", "test", "--json")
    done = run("init", *arguments, data=tmp_path / "data")
    assert json.loads(done.stdout)["size"] == 3


def _head(data: Path) -> Head:
    with closing(DataDirectory(data).read()) as log:
        return log.head()


@pytest.mark.smoke
def test_receipts_come_in_the_order_of_the_lines(studio: Path) -> None:
    lines = [bet(number) for number in range(1, 201)]
    done = run("record", data=studio, lines=lines)
    found = answers(done)
    assert done.returncode == 0, done.stderr
    assert [answer["line"] for answer in found] == list(range(1, 201))
    positions = [answer["first_position"] for answer in found]
    assert positions == list(range(positions[0], positions[0] + 200))
    assert {tuple(answer["events"]) for answer in found} == {("BetPlaced",)}


def test_a_line_is_answered_before_the_next_one_is_there(studio: Path) -> None:
    with child(
        [*PROGRAM, "record", "--data", str(studio)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (1, 2, 3):
            process.stdin.write(json.dumps(bet(number)) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["line"] == number
        process.stdin.close()
        assert process.wait(30) == 0


@pytest.mark.parametrize(("line", "text"), BAD_LINES)
def test_a_bad_line_is_explained(studio: Path, line: Any, text: str) -> None:
    done = run("record", data=studio, lines=[bet(1), line, bet(2)])
    found = answers(done)
    assert [answer["status"] for answer in found] == ["recorded", "error", "recorded"]
    assert found[1]["kind"] == "input"
    assert text in found[1]["text"]
    assert found[1]["line"] == 2
    assert done.returncode == 2


def test_bytes_that_are_no_text_are_an_input_error(studio: Path) -> None:
    done = run("record", data=studio, lines=b'{"command": "log_out", "account": "\xff"}\n')
    assert answers(done)[0]["kind"] == "input"


def test_refusals_name_code_sentence_and_paragraph(studio: Path) -> None:
    spin = {"wheel_direction": "clockwise", "ball_direction": "counterclockwise"}
    lines = [
        bet(1, stake=10_000_001),
        bet(2, stake=999_999),
        bet(3, stake=2),
        command("record_result", round="q1", outcome={"number": 7}),
        command("spin_wheel", round="q1", revolutions=9, **spin),
        command("close_bets", round="q1"),
        bet(4),
    ]
    done = run("record", data=studio, lines=lines)
    found = answers(done)
    codes = [answer["refused"]["code"] if "refused" in answer else "" for answer in found]
    assert done.returncode == 0
    assert codes == [
        "BET_NOT_ALLOWED", "", "INSUFFICIENT_FUNDS", "WRONG_ORDER", "", "", "BET_AFTER_CLOSE"
    ]  # fmt: skip
    assert found[0]["refused"]["sentence"] == "more than 100 000.00 CZK on red red."
    assert all(answer["refused"]["paragraph"] for answer in found if "refused" in answer)


def test_a_command_sent_again_gets_the_first_receipt(studio: Path) -> None:
    once = bet(1, command_id=str(UUID(int=7)))
    (first,) = answers(run("record", data=studio, lines=[once]))
    again = run("record", data=studio, lines=[once, bet(2, command_id=str(UUID(int=7)))])
    second, other = answers(again)
    assert second == first
    assert "other content" in other["text"]
    assert again.returncode == 2


def test_a_dry_run_writes_nothing(studio: Path) -> None:
    before = _size(studio)
    done = run("record", "--dry-run", data=studio, lines=[bet(1), "{"])
    assert [answer["status"] for answer in answers(done)] == ["valid", "error"]
    assert done.returncode == 2
    assert _size(studio) == before


def test_a_file_is_read_as_the_pipe_is(studio: Path, tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text(f"\n{json.dumps(bet(1))}\n\n{json.dumps(bet(2))}")
    done = run("record", str(file), data=studio)
    assert [answer["line"] for answer in answers(done)] == [2, 4]
    missing = run("record", str(tmp_path / "none"), data=studio)
    assert missing.returncode == 2
    assert "can't be read" in missing.stderr


def test_a_second_writer_is_told_who_writes(studio: Path) -> None:
    with DataDirectory(studio).write():
        done = run("record", data=studio, lines=[bet(1)])
    assert done.returncode == 4
    assert "is being written by process" in done.stderr


def test_a_directory_without_a_chain_is_an_input_error(tmp_path: Path) -> None:
    done = run("record", "--json", data=tmp_path / "none", lines=[bet(1)])
    assert done.returncode == 2
    assert json.loads(done.stderr)["error"] == "InputError"
    assert not (tmp_path / "none").exists()


def test_a_clock_behind_the_chain_stops_the_writer(studio: Path) -> None:
    class Tomorrow:
        def now(self) -> int:
            return SystemClock().now() + DAY

    with DataDirectory(studio).write(clock=Tomorrow()) as ledger:
        ledger.execute(decode_command(json.dumps(bet(9)).encode()))
    done = run("record", data=studio, lines=[bet(1)])
    assert done.returncode == 4
    assert "clock" in done.stderr


def test_a_full_disk_refuses_lines_and_loses_nothing(studio: Path) -> None:
    used = max(file.stat().st_size for file in studio.iterdir() if file.is_file())

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (used + 20_000,) * 2)

    lines = [login(number) for number in range(4_000)]
    done = run("record", data=studio, lines=lines, preexec_fn=limit)
    found = answers(done)
    kept = [answer for answer in found if answer["status"] in KEPT]
    assert done.returncode == 4, done.stderr
    assert len(found) == len(lines)
    assert 0 < len(kept) < len(lines)
    assert {answer["kind"] for answer in found if answer["status"] == "error"} == {"availability"}
    again = run("record", data=studio, lines=[bet(1)])
    assert answers(again)[0]["status"] in KEPT
    log = SqliteLog(studio, writable=False)
    recorded = dict(log.read())
    log.close()
    assert all(answer["last_position"] in recorded for answer in kept)
    assert run("log", "verify", data=studio).returncode == 0


def test_a_reader_that_leaves_does_not_hang_the_program(studio: Path) -> None:
    with child(
        [*PROGRAM, "record", "--data", str(studio)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        lines = "".join(json.dumps(bet(number)) + "\n" for number in range(1, 50))
        process.stdin.write(lines.encode())
        process.stdin.close()
        assert process.wait(30) == 141


def test_the_help_lists_every_command_with_its_fields(tmp_path: Path) -> None:
    done = run("record", "--help", data=tmp_path)
    assert done.returncode == 0
    for text in ("place_bet:", "stake: whole number", "press_panic_button:", "(optional)"):
        assert text in done.stdout
    assert "`category`" in done.stdout
    assert "``" not in done.stdout


def test_record_starts_without_the_engine_of_the_projections() -> None:
    code = (
        "import sys, tools.cli._record;"
        "sys.exit(any(name in sys.modules for name in ('chdb', 'pandas', 'projections')))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)  # noqa: S603 - our own
    assert done.returncode == 0


def _size(data: Path) -> int:
    log = SqliteLog(data, writable=False)
    try:
        return log.head().size
    finally:
        log.close()
