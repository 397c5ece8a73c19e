"""The bench of growth asks every question, of chains that are the same each time."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from ledger.core.clock import DAY
from ledger.events import event_types as e
from ledger.events.encoding import Recorded, decode, tags_of
from ledger.log.port import Query
from ledger.log.side_by_side import verify_log
from ledger.log.sqlite import SqliteLog
from tools.bench.copies import ONCE, append_copy, originals
from tools.bench.evenings import lengthened
from tools.bench.growth import paths_of

EVENTS = 1_500
NAMED = ("account", "person", "round", "bet", "shoe", "session", "deposit", "slip", "section")
ROOT = Path(__file__).parents[3]
NAMES = {
    "account": "a-1",
    "round": "r-1",
    "day": "2026-01-09",
    "game": "sazka.roulette",
    "table": "t-1",
    "half": "50",
}
NOT_ASKED = {
    "/api/accesses",  # of the chain of accesses
    "/api/accounts/{name}/evidence",  # reads a whole history by name
    "/api/accounts/{name}/person",
    "/api/cases/{name}",
    "/api/cases/{name}/letter",
    "/api/checkpoints",
    "/api/checkpoints/{size}",
    "/api/events/{position}",
    "/api/events/{position}/message",
    "/api/findings/{name}",
    "/api/games",  # of the program
    "/api/games/{name}",
    "/api/games/{name}/edge",
    "/api/log",  # the whole log
    "/api/packages",
    "/api/packages/{name}/sealed",
    "/api/packages/{name}/verdict",
    "/api/packages/{name}/zip",
    "/api/packages/{name}/{file}/{row}",
    "/api/readers",
    "/api/sql",
    "/api/tournaments/{name}",
    "/api/views",
    "/api/views/{name}",
    "/api/books/{period}/tax",
    "/api/books/{period}/workbook",
}
"""Addresses of files, of single things and of what the program knows itself."""


def test_every_question_of_the_api_is_asked_or_named_here() -> None:
    described = json.loads((ROOT / "docs/openapi.json").read_text(encoding="utf-8"))["paths"]
    asked = {path.partition("?")[0] for path in paths_of(NAMES)}
    missing = {
        template
        for template in described
        if not any(re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path) for path in asked)
    }
    assert missing == NOT_ASKED


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lengthened(tmp_path_factory.mktemp("growth") / "chain", EVENTS)


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
    found, _ = verify_log(
        lambda: SqliteLog(folder, writable=False), folder / "index.sqlite", jobs=0
    )
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


def _names(part: list[Recorded]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {kind: set() for kind in NAMED}
    for one in part:
        for tag in tags_of(one.event):
            kind, _, name = tag.partition(":")
            if kind in found:
                found[kind].add(name)
    return found
