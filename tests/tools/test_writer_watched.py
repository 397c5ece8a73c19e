"""What a writer measures: the figures themselves, and that dashboard, alerts and page know them."""

from __future__ import annotations

import json
import re
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING

import httpx
import yaml
from cli_cases import ROOT, bet, command
from prometheus_client.parser import text_string_to_metric_families
from writer_cases import ANY_PORT, ask, serving

from tools.service.door import Door
from tools.service.http.serving import HttpDoor
from tools.service.metrics import Metrics

if TYPE_CHECKING:
    from pathlib import Path

WATCH = ROOT / "deploy" / "watch"
DEPOSIT = command("deposit", account="a-1", deposit="d9", amount=100, method="card-1")


def figures(text: str) -> dict[str, float]:
    """Return every sample by its name and the values of its labels, by their names."""
    return {
        "|".join(
            [sample.name, *(value for _, value in sorted(sample.labels.items()))]
        ): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_both_doors_are_counted_and_a_standby_is_there_too(studio: Path) -> None:
    with closing(HttpDoor(ANY_PORT, Door())) as http:
        assert figures(httpx.get(f"{http.url}/metrics").text)["gameledger_leading"] == 0
        with serving(studio, http=http) as (server, ledger, _):
            ask(server.address[:2], DEPOSIT, bet(1, stake=10**9))
            httpx.post(f"{http.url}/v1/commands", json={"command": "hack"})
            found = figures(httpx.get(f"{http.url}/metrics").text)
            size = ledger.head.size
    assert found["gameledger_answers_total||recorded"] == 1
    (refused,) = (name for name in found if name.endswith("|refused") and "_total" in name)
    assert refused.split("|")[1].isupper()
    assert found["gameledger_answers_total|input|error"] == 1
    assert found["gameledger_answer_seconds_count"] == 3
    assert found["gameledger_commit_decisions_sum"] == 2
    assert 1 <= found["gameledger_commit_seconds_count"] <= 2
    assert found["gameledger_head_messages"] == size
    assert (found["gameledger_leading"], found["gameledger_waiting_commands"]) == (1, 0)


def test_figures_are_for_who_is_on_the_list_and_needs_no_role(studio: Path, tmp_path: Path) -> None:
    clients = tmp_path / "clients.toml"
    digest = sha256(b"looks").hexdigest()
    clients.write_text(f'[clients.prometheus]\ntoken_sha256 = "{digest}"\nroles = []\n')
    door = Door(clients)
    with closing(HttpDoor(ANY_PORT, door)) as http, serving(studio, door=door, http=http):
        headers = {"Authorization": "Bearer looks"}
        address = f"{http.url}/metrics"
        assert httpx.get(address).status_code == httpx.codes.UNAUTHORIZED
        found = figures(httpx.get(address, headers=headers).text)
        assert found["gameledger_turned_away_total|unknown"] == 1
        sent = httpx.post(f"{http.url}/v1/commands", json=DEPOSIT, headers=headers)
        assert sent.status_code == httpx.codes.FORBIDDEN


def _known() -> set[str]:
    families = text_string_to_metric_families(Metrics().text())
    return {family.name for family in families if not family.name.endswith("_created")}


def _named(text: str) -> set[str]:
    found = re.findall(r"\bgameledger_\w+", text)
    return {re.sub(r"_(total|bucket|count|sum)$", "", name) for name in found}


def test_dashboard_alerts_and_page_name_figures_that_are_there() -> None:
    board = json.loads((WATCH / "writer-dashboard.json").read_text(encoding="utf-8"))
    shown = " ".join(one["expr"] for panel in board["panels"] for one in panel["targets"])
    (group,) = yaml.safe_load((WATCH / "writer-alerts.yaml").read_text(encoding="utf-8"))["groups"]
    page = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    known = _known()
    assert _named(shown) <= known
    for rule in group["rules"]:
        assert _named(rule["expr"]) <= known
        assert {"summary", "action"} == set(rule["annotations"])
        assert rule["labels"]["severity"] in {"page", "ticket"}
    assert _named(page.partition("## Watch it")[2].partition("[deploy")[0]) == known
