"""The bench of growth asks every question, of chains that are the same each time."""

from __future__ import annotations

import json
import re
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest
from fastapi import APIRouter

from ledger.core.clock import DAY
from ledger.events import event_types as e
from ledger.events.encoding import RecordedEvent, decode
from ledger.log.index.check import verify_log
from ledger.log.port import Query
from ledger.log.sqlite import SqliteLog
from tests.tools.cli_cases import commands_of_the_program
from tools.access import app
from tools.workshop.bench.copies import ONCE, append_copy, originals
from tools.workshop.bench.evenings import lengthened
from tools.workshop.bench.growth import EVERYTHING, KINDS, NOT_ASKED, PAGES, QUESTIONS, paths_of

EVENTS = 1_500
NAMED = ("account", "person", "round", "bet", "shoe", "session", "deposit", "slip", "section")
ROOT = Path(__file__).parents[3]
NOT_QUESTIONS = {
    "/language/{language}",
    "/licences",  # of tables over the logs of a mirror, whatever the length of a chain
    "/live",
    "/openapi.json",
    "/sign-in",
    "/api/saved/{name}/feed",  # answers as the list that was saved
}
OTHER_COMMANDS = {
    *(
        "complaint letter",
        "evidence account",
        "evidence balance",
        "evidence balance-page",
        "evidence close",
        "evidence verify-balance",
        "evidence round",
        "evidence rounds",
        "evidence verify",
    ),  # files
    *("statement check", "statement issuers", "statement show", "schema list", "schema show"),
    *("games edge", "settle", "report explain", "report validate", "report open"),
    *(
        "log export",
        "log export-seal",
        "log export-source-seal",
        "log tiles",
        "log copy",
        "keys check",
        "suspicion list",
        "suspicion verify",
    ),
    *("witness check", "witness status", "access grants", "completion", "plan check"),
    *(
        "project",
        "rebuild",
        "tables backup",
        "tables compare",
        "demo",
        "simulate",
        "practice-certificates",
    ),
    *("serve", "watch", "writer", "feed", "report run", "report serve", "witness run"),
    *("mirror run", "mirror status", "mirror totals", "mirror ask", "mirror project"),
    *("mirror rates", "mirror devices", "mirror play-time", "mirror duties"),
    "mirror challenge",
}
"""Commands that ask no question of the tables, or for a file; those that write are the rest."""
WRITING = re.compile(
    r"init|record|.* (add|renew|revoke|record|begin|erase|place|end|carry-out|commit|backup|"
    r"restore|import|fetch|assign|explain|comment|close|deputy|set-rules|write-off|reverse-write-off|confirm-write-off|decline-write-off|reopen|build|seal|confirm|correct|practice-keys|register|"
    r"export|rotate|publish|checkpoint|init)"
)


def _patterns() -> set[str]:
    found = set()
    for name in sorted(sys.modules):
        router = getattr(sys.modules[name], "router", None)
        if name.startswith("tools.access.") and isinstance(router, APIRouter):
            found |= {one.path for one in router.routes if "GET" in getattr(one, "methods", ())}
    return found


def test_every_address_is_asked_or_named_here() -> None:
    described = json.loads((ROOT / "docs/openapi.json").read_text(encoding="utf-8"))["paths"]
    asked = {pattern for pattern, one in described.items() if "get" in one} | {*PAGES}
    assert app.application is not None
    assert _patterns() - asked == NOT_QUESTIONS
    assert asked - _patterns() == set()
    assert set(NOT_ASKED) < asked
    names = dict.fromkeys(KINDS.values(), "x") | {"table": "t", "half": "1"}
    paths = paths_of(names, asked)
    assert len(paths) > len(asked - set(NOT_ASKED))
    assert not [path for path in paths if "{" in path]


def test_every_question_of_the_command_line_is_asked_or_named_here() -> None:
    asked: set[str] = {*QUESTIONS, *EVERYTHING}
    asked = {" ".join(word for word in one.split() if word.islower()) for one in asked}
    asked = {one.partition(" --")[0] for one in asked}
    known = set(commands_of_the_program())
    assert asked <= known
    assert {one for one in known - asked - OTHER_COMMANDS if not WRITING.fullmatch(one)} == set()
    assert known >= OTHER_COMMANDS


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lengthened(tmp_path_factory.mktemp("growth") / "chain", EVENTS)


@pytest.mark.search
def test_a_chain_is_made_once_and_its_evenings_are_the_same(chain: Path, tmp_path: Path) -> None:
    """Keys of what is imported behind the evenings are made each time."""
    played = []
    for folder in (chain, lengthened(tmp_path / "other", EVENTS)):
        log = SqliteLog(folder, writable=False)
        imported = log.find(Query(types=("StatementLinesRecorded",)))
        for kind in ("StatementImported", "PackageBuilt", "ComplaintFiled"):
            assert log.find(Query(types=(kind,)))
        played.append(list(log.read(0, imported[0] - 1)))
        log.close()
    assert played[0] == played[1]
    assert len(played[0]) >= EVENTS
    assert lengthened(chain, 9_000_000) == chain


@pytest.mark.search
def test_copies_of_evenings_are_linked_indexed_and_of_others(chain: Path, tmp_path: Path) -> None:
    folder = tmp_path / "chain"
    shutil.copytree(chain, folder)
    with closing(SqliteLog(folder, writable=True)) as log:
        imported = log.find(Query(types=("StatementLinesRecorded",)))
        evening = list(originals(log.read(0, imported[0] - 1)))
        first = log.head().size
        moments = [one.envelope.recorded_at for one in (evening[0], evening[-1])]
        days = (moments[1] - moments[0]) // DAY + 2
        for number in range(2):
            append_copy(log, evening, number, (number + 1) * days)
        recorded = [decode(message) for _, message in log.read()]
    with closing(SqliteLog(folder, writable=False)) as log:
        found, _ = verify_log(log, folder / "index.sqlite")
    assert found.head.size == len(recorded) == first + 2 * len(evening)
    original, *copies = (
        [one for one in recorded[start:end] if type(one.event) not in ONCE]
        for start, end in (
            (0, imported[0] - 1),
            (first, first + len(evening)),
            (first + len(evening), None),
        )
    )
    kinds = [[type(one.event) for one in part] for part in (original, *copies)]
    assert kinds[0] == kinds[1] == kinds[2]
    named = [_names(part) for part in (original, *copies)]
    for kind in NAMED:
        of = [names[kind] for names in named]
        assert of[0], kind
        assert len({*of[0], *of[1], *of[2]}) == 3 * len(of[0]), kind
    recorded_at = [[one.envelope.recorded_at for one in part] for part in (original, *copies)]
    assert all(part == sorted(part) for part in recorded_at)
    assert recorded_at[1][0] > recorded_at[0][-1]
    gaming_days = [
        {one.event.gaming_day for one in part if isinstance(one.event, e.AccountStatement)}
        for part in copies
    ]
    assert gaming_days[0]
    assert gaming_days[0].isdisjoint(gaming_days[1])


def _names(part: list[RecordedEvent]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {kind: set() for kind in NAMED}
    for one in part:
        for tag in one.event.index_tags():
            kind, _, name = tag.partition(":")
            if kind in found:
                found[kind].add(name)
    return found
