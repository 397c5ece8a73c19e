"""The bench of growth asks every question, of chains that are the same each time."""

from __future__ import annotations

import json
import re
from pathlib import Path

from ledger.log.sqlite import SqliteLog
from tools.bench.evenings import lengthened
from tools.bench.growth import paths_of

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


def test_a_chain_is_made_once_and_the_same(tmp_path: Path) -> None:
    heads = []
    for name in ("one", "other"):
        folder = lengthened(tmp_path / name, 1_500)
        log = SqliteLog(folder, writable=False)
        heads.append(log.head())
        log.close()
    assert heads[0] == heads[1]
    assert heads[0].size >= 1_500
    assert lengthened(tmp_path / "one", 9_000_000) == tmp_path / "one"
