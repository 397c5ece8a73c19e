"""Rounds of every blackjack, each with the answer that the contract gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ledger import games

VECTORS = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("blackjack_examples.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def essence(answer: dict[str, Any]) -> object:
    if "error" in answer:
        return answer["error"]["code"]
    lines = sorted(
        (line["id"], line["stake"], line["result"], line["payout"], line.get("parent", ""))
        for line in answer["wagers"]
    )
    return lines, answer["total_staked"], answer["total_payout"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["input"]["id"])
def test_a_round_settles_as_the_contract_says(vector: dict[str, Any]) -> None:
    assert essence(games.settle(vector["input"])) == essence(vector["expected"])


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["input"]["id"])
def test_cards_dealt_more_often_than_there_are_decks_are_refused(vector: dict[str, Any]) -> None:
    request = json.loads(json.dumps(vector["input"]))
    if "hands" not in request["outcome"] or "error" in vector["expected"]:
        return
    request["outcome"]["dealer"] = ["AS"] * 9
    assert "error" in games.settle(request)
