"""Rules are tried without a trace, and a command is told in full before it is sent."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import PRAGUE
from ledger.core.texts import REFUSALS
from ledger.decisions.decider import COMMANDS, refusals_of
from ledger.log.dry_run import DryRunLog
from ledger.log.port import Query
from tests.tools.cli_cases import bet, command, run_here
from tools.cli._record_help import command_in_words
from tools.data import DataDirectory

if TYPE_CHECKING:
    from pathlib import Path

TOMORROW = (datetime.now(PRAGUE) + timedelta(days=1)).date().isoformat()


def _try(data: Path, *lines: Any, at: str = TOMORROW) -> list[dict[str, Any]]:
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    done = run_here("record", "--dry-run", "--at", at, data=data, lines=text)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _files(data: Path) -> dict[str, str]:
    return {
        str(path): sha256(path.read_bytes()).hexdigest()
        for path in data.rglob("*")
        if path.is_file() and not path.name.endswith(("-shm", "-wal"))
    }


def test_a_dry_run_at_a_moment_decides_and_leaves_no_trace(studio: Path) -> None:
    before = _files(studio)
    person = {"identity": "CZ 9", "name": "New", "birth_date": "1990-01-01", "register": "clear"}
    person |= {
        "verified_how": "bank identity",
        "address": "a",
        "email": "e",
        "plan_version": "2025-01-21",
    }
    answers = _try(
        studio,
        bet(1),
        bet(2, stake=2_000_000_000),
        command("close_bets", round="q1"),
        bet(3),
        command("open_account", account="n-1", **person),
        command("open_account", account="n-2", **person),
        command("decline_limit", account="n-1", measure="a"),
        "not a command",
    )
    told = [one.get("refused", {}).get("code") or one["status"] for one in answers]
    assert told[0] == "allowed"
    assert told[2:] == [
        "allowed",
        "BET_AFTER_CLOSE",
        "allowed",
        "SECOND_ACCOUNT",
        "allowed",
        "error",
    ]
    assert answers[1]["status"] == "refused"
    assert all(one["dry_run"] for one in answers)
    assert not {"hash", "first_position"} & answers[0].keys()
    assert _files(studio) == before
    assert _try(studio, bet(3))[0]["status"] == "allowed"


def test_the_given_clock_is_that_of_the_rules(studio: Path) -> None:
    press = command("press_panic_button", account="a-1", channel="web")
    refused = _try(studio, press, bet(1))[1]
    assert refused["refused"]["code"] == "PANIC_BLOCK"
    done = run_here("record", "--dry-run", "--at", "2020-01-01", data=studio, lines="")
    assert (done.returncode, "the chain ends at" in done.stderr) == (2, True)
    done = run_here("record", "--at", TOMORROW, data=studio, lines="")
    assert (done.returncode, "--at is for --dry-run" in done.stderr) == (2, True)


def test_a_rehearsal_reads_like_one_log(studio: Path) -> None:
    behind = DataDirectory(studio).read()
    rehearsed = DryRunLog(behind)
    assert list(rehearsed.read(3, 7)) == list(behind.read(3, 7))
    query = Query(tags=("account:a-1",))
    for options in ({}, {"backwards": True}, {"limit": 2}, {"after": 5, "before": 60}):
        assert rehearsed.find(query, **options) == behind.find(query, **options)
    rehearsed.close()


def test_a_command_is_told_in_full(studio: Path) -> None:
    shown = run_here("record", "--help", "place_bet", data=studio).stdout
    for text in ("stake: whole number; haléř", "50 characters at most", "BET_AFTER_CLOSE", "SAZKA"):
        assert text in shown
    assert "deposit" not in shown
    done = run_here("record", "--help", "plce_bet", data=studio)
    assert (done.returncode, "place_bet" in done.stderr) == (2, True)
    assert "place_bet:" in run_here("record", "--help", data=studio).stdout


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_names_the_codes_that_refuse_it(name: str) -> None:
    told = list(command_in_words(name))
    assert told[0].startswith(f"{name}: ")
    named = [line.strip().partition(":")[0] for line in told]
    assert [code for code in named if code in REFUSALS] == refusals_of(COMMANDS[name])
