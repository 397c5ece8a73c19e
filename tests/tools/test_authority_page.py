"""docs/readers/authority.md: its commands run, over the logs of two operators."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from ledger.log.port import checkpoint_of
from ledger.log.sqlite import SqliteLog
from ledger.log.tiles import publish
from ledger.tlog.signing import SigningKey, make_note
from tests.children import child
from tests.search import sample
from tests.tools.cli_cases import OF_RECORD, PROGRAM, ROOT, SECONDS_MAX, run_here
from tools.mirror.asking import QUESTIONS, fill
from tools.mirror.folder import MirrorFolder
from tools.mirror.shared_tables import FILE, SharedTables
from tools.simulator import create
from tools.simulator import run as play

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs/readers/authority.md").read_text(encoding="utf-8")
BEGIN, RUN, COPIES = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
TABLE = PAGE.partition("| you ask |")[2].partition("\n\n")[0]
COMMANDS = re.findall(r"`gameledger (.*?)`", TABLE)
NAMES = ("first", "second")


def answer(*words: str, data: Path, code: int = 0) -> Any:
    done = run_here(*words, "--json", data=data)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def shell(commands: str, folder: Path) -> str:
    """Run commands of the page by a shell whose ``gameledger`` is this tree's."""
    program = folder / "gameledger"
    if not program.exists():
        program.write_text(f'#!/bin/sh\nexec {" ".join(PROGRAM)} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
    places = {
        f"{name.upper()}_{what}": text
        for name in NAMES
        for what, text in (
            ("KEY", (folder / f"{name}.key").read_text(encoding="utf-8")),
            ("TILES", str(folder / f"{name}-tiles")),
        )
    }
    environment = {
        **OF_RECORD,
        **places,
        "PATH": f"{folder}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(  # noqa: S603 - our page
        ["/bin/sh", "-euc", commands],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an authority that has begun as the page has it."""
    folder = tmp_path_factory.mktemp("authority")
    for number, name in enumerate(NAMES):
        data = folder / name
        with create(SqliteLog(data, writable=True), data / "keys", chain=name) as ledger:
            play(ledger, hours=0.05, seed=number + 1)
        key = SigningKey(name, Random(f"gameledger|signing|{number + 1}").randbytes(32))
        (folder / f"{name}.key").write_text(key.public.text, encoding="utf-8")
        with closing(SqliteLog(data, writable=False)) as log:
            checkpoint = checkpoint_of(name, log)
            note = make_note(checkpoint, [(key.public, key.sign(checkpoint))])
            publish(log, note, folder / f"{name}-tiles")
    shell(BEGIN, folder)
    held = MirrorFolder(folder / "held")
    words = RUN.replace("127.0.0.1:7413", "127.0.0.1:0").split()[1:]
    with child([*PROGRAM, *words], cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}):
        deadline = time.monotonic() + SECONDS_MAX / 3
        while any(held.signed(name) is None for name in NAMES):
            assert time.monotonic() < deadline
            time.sleep(0.1)
    return folder


def asked(office: Path, command: str, code: int = 0) -> Any:
    words = [office / "held" if word == "held" else word for word in shlex.split(command)]
    return answer(*map(str, words), data=office, code=code)


@pytest.mark.parametrize("command", sample([one for one in COMMANDS if " ask " in one], 2))
def test_a_question_of_the_page_is_answered_for_both_logs(office: Path, command: str) -> None:
    found = asked(office, command)
    assert not found["missing"]
    assert [one["log"] for one in found["answers"]] == list(NAMES)


def test_logs_that_are_silent_for_longer_than_their_limit_are_marked(office: Path) -> None:
    """The simulated evenings are long past; the page gives the first a limit of a day."""
    (command,) = (one for one in COMMANDS if " status " in one)
    first, second = asked(office, command, 1)["logs"]
    assert (first["operator"], first["contact"]) == ("SAZKA a.s.", "+420 224 000 001")
    assert (first["is_silent"], second["is_silent"]) == (True, False)
    assert not any(one["is_late"] or one["fault"] for one in (first, second))
    shown = run_here("mirror", "status", str(office / "held"), data=office).stdout
    assert "first: silent; contact: +420 224 000 001" in shown


def test_a_device_of_two_operators_is_found(office: Path) -> None:
    """The simulator gives both the same wheels."""
    (command,) = (one for one in COMMANDS if " devices " in one)
    found = asked(office, command)
    assert [one["logs"] for one in found["devices"]] == [list(NAMES)] * len(found["devices"])
    assert found["devices"]


def test_answers_are_those_of_the_operators(office: Path) -> None:
    """Each question to all is what each operator's own data answer, with the log before it."""
    held = str(office / "held")
    bets = run_here("mirror", "ask", held, "bet list --limit 40", "--csv", data=office).stdout
    heading, *rows = bets.splitlines()
    for name in NAMES:
        own = run_here("bet", "list", "--limit", "40", "--csv", data=office / name).stdout
        columns, *lines = own.splitlines()
        assert heading == f"log,{columns}"
        assert [row for row in rows if row.startswith(f"{name},")] == [f"{name},{x}" for x in lines]
    found = answer("mirror", "totals", held, "2026-11", data=office)
    (command,) = (one for one in COMMANDS if " duties " in one)
    asked_duties = asked(office, command)["duties"]
    for name in NAMES:
        games = answer("books", "month", "2026-11", data=office / name)["games"]
        results = {one["game"]: 0 for one in games if one["game"]}
        for one in games:
            if one["game"]:
                results[one["game"]] += one["result"]
        mirrored = {one["game"]: one["result"] for one in found["games"] if one["log"] == name}
        assert mirrored == {game: result for game, result in results.items() if game in mirrored}
        assert any(mirrored.values())
        assert not any(result for game, result in results.items() if game not in mirrored)
        own = answer("duty", "list", data=office / name)["duties"]
        duties = [one for one in asked_duties if one["log"] == name]
        assert sum(one["open"] for one in duties) == len(own)
    whole = {one["game"]: one["result"] for one in found["games"] if not one["log"]}
    each = [one for one in found["games"] if one["log"]]
    assert whole == {
        game: sum(one["result"] for one in each if one["game"] == game) for game in whole
    }


def test_a_copy_is_summarized_again_each_day_and_keeps_its_earlier_days(office: Path) -> None:
    """Some duties begin by the passing of time alone; play of days that are over stays."""

    def rows() -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(office / "held" / FILE)) as shared:
            return shared.execute("SELECT * FROM play ORDER BY log, day, game").fetchall()

    held = str(office / "held")
    answer("mirror", "project", held, data=office)
    before = rows()
    assert {log for log, *_ in before} == set(NAMES)
    assert answer("mirror", "project", held, data=office)["summarized"] == 0
    for day in ("2026-11-21", "9999-12-31"):
        with closing(sqlite3.connect(office / "held" / FILE)) as shared, shared:
            shared.execute("UPDATE judged SET day = ''")
            shared.execute("UPDATE filled SET last_day = ?", (day,))
        assert answer("mirror", "project", held, data=office)["summarized"] == len(NAMES)
        assert rows() == before


def test_every_question_reads_and_answers_in_rows(office: Path) -> None:
    data = office / "first"
    for question in sample(QUESTIONS, 3):
        more = ["a-0001"] if question == "account movements" else []
        done = run_here(*question.split(), *more, "--csv", data=data)
        assert done.returncode in {0, 1}, done.stderr
        assert "," in done.stdout.splitlines()[0], question
    for question in ("record", "serve", "reconcile --record", "duty list --data=x", "'"):
        refused = run_here("mirror", "ask", str(office / "held"), question, data=office)
        assert refused.returncode == 2, question


def test_a_copy_is_read_by_inspectors_of_the_authority(office: Path) -> None:
    shown = shell(COPIES, office)
    assert "house CZK" in shown
    assert not (office / "first" / "access").exists()


def test_one_page_shows_the_state_of_all_logs_and_the_answers(office: Path) -> None:
    held = office / "held"
    answer("mirror", "project", str(held), data=office)
    copy = MirrorFolder(held).data_of("second")
    words = ["--data", str(copy), "--json", "serve", "--listen", "127.0.0.1:0"]
    command = [*PROGRAM, *words, "--mirror", str(held)]
    with (
        child(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process,
        httpx.Client(timeout=SECONDS_MAX) as client,
    ):
        assert process.stdout is not None
        found = json.loads(process.stdout.readline())
        client.headers["Authorization"] = f"Bearer {found['token']}"
        deadline = time.monotonic() + SECONDS_MAX
        while client.get(f"{found['address']}ready").status_code != HTTPStatus.OK:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        pages = {
            language: client.get(
                f"{found['address']}licences", headers={"Accept-Language": language}
            )
            for language in ("en", "cs")
        }
    for one in pages.values():
        assert one.status_code == HTTPStatus.OK, one.text
        assert one.text.count("<table>") >= 3
        for text in ("SAZKA a.s.", "+420 224 000 002", "first, second"):
            assert text in one.text
    english, czech = (one.text for one in pages.values())
    for text in ("Silent", "Devices of several operators", "Serial number", "Open duties"):
        assert text in english
    for text in ("Bez nových záznamů", "Výrobní číslo", "Nesplněné povinnosti"):
        assert text in czech


def test_a_damaged_copy_is_named_and_holds_no_other_up(office: Path, tmp_path: Path) -> None:
    unprojected = shutil.ignore_patterns("projection*")
    shutil.copytree(office / "held", tmp_path / "held", ignore=unprojected)
    (MirrorFolder(tmp_path / "held").data_of("first") / "log.sqlite").write_bytes(b"")
    (tmp_path / "held/shared.sqlite").unlink(missing_ok=True)
    for command in ("mirror totals held 2026-11", "mirror ask held 'log show'"):
        found = asked(tmp_path, command, 1)
        (missing,) = found["missing"]
        assert missing["log"] == "first"
        assert "is empty, which no log is" in missing["reason"]
        assert {one["log"] for one in found.get("games", [])} <= {"second", ""}
    held = str(tmp_path / "held")
    shown = run_here("mirror", "ask", held, "log show --limit 1", data=tmp_path)
    assert "NOT ASKED: first: integrity: " in shown.stdout
    assert " second " in shown.stdout
    status = asked(tmp_path, "mirror status held", 1)["logs"]
    assert [bool(one["fault"]) for one in status] == [True, False]


@pytest.mark.slow("a log that is held is given up after a sixth of the limit")
def test_a_copy_that_is_slow_delays_no_other_and_keeps_its_rows(
    office: Path, tmp_path: Path
) -> None:
    """Somebody holds the log of one; with it free again, everything counts."""
    unprojected = shutil.ignore_patterns("projection*")
    shutil.copytree(office / "held", tmp_path / "held", ignore=unprojected)
    folder = MirrorFolder(tmp_path / "held")
    with SharedTables(folder) as shared:
        fill(folder, shared, seconds=SECONDS_MAX)
        assert not shared.missing()
        before = shared.rows("SELECT * FROM play ORDER BY log, day, game")
        with shared._file.transaction() as file:
            file.execute("DELETE FROM play WHERE log = 'second'")
            file.execute("UPDATE filled SET size = 0, last_day = ''")
        with closing(sqlite3.connect(folder.data_of("first") / "log.sqlite")) as slow:
            slow.execute("PRAGMA locking_mode = EXCLUSIVE")
            slow.execute("BEGIN EXCLUSIVE")
            fill(folder, shared, seconds=SECONDS_MAX / 6)
        assert [one.log for one in shared.missing()] == ["first"], shared.missing()
        assert shared.rows("SELECT * FROM play ORDER BY log, day, game") == before
        assert fill(folder, shared, seconds=SECONDS_MAX) == 1
        assert not shared.missing()
        assert shared.rows("SELECT * FROM play ORDER BY log, day, game") == before
