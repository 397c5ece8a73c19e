"""What a writer measures: the figures themselves, and that dashboard, alerts and page know them."""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
import threading
from contextlib import closing
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import httpx
import pytest
import yaml
from google.protobuf.json_format import MessageToJson
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from prometheus_client.parser import text_string_to_metric_families

from ledger.core.errors import InputError
from tests.tools.cli_cases import ROOT, bet, command
from tests.tools.writer_cases import ANY_PORT, ask, serving, socket_of
from tools.service.authentication import ClientAuthenticator
from tools.service.http.serving import HttpListener
from tools.service.metrics import Metrics
from tools.service.tracing import Tracing, tracing_of

if TYPE_CHECKING:
    from pathlib import Path

WATCH = ROOT / "deploy" / "watch"
DEPOSIT = command("deposit", account="a-1", deposit="d9", amount=100, method="card-1")


def figures(text: str) -> dict[str, float]:
    """Return every sample by its name and the values of its labels but the chain."""
    return {
        "|".join(
            [
                sample.name,
                *(value for name, value in sorted(sample.labels.items()) if name != "chain"),
            ]
        ): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_both_doors_are_counted_and_a_standby_is_there_too(studio: Path) -> None:
    with closing(HttpListener(ANY_PORT, ClientAuthenticator())) as http:
        assert figures(httpx.get(f"{http.url}/metrics").text)["gameledger_leading"] == 0
        with serving(studio, http=http) as (server, ledger, _):
            ask(socket_of(server), DEPOSIT, bet(1, stake=10**9))
            httpx.post(f"{http.url}/v1/commands", json={"command": "hack"})
            found = figures(httpx.get(f"{http.url}/metrics").text)
            size = ledger.head.size
    assert found["gameledger_answers_total||recorded"] == 1
    counted = {name for name, value in found.items() if value and "_total" in name}
    (refused,) = (name for name in counted if name.endswith("|refused"))
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
    authenticator = ClientAuthenticator(clients)
    with (
        closing(HttpListener(ANY_PORT, authenticator)) as http,
        serving(studio, authenticator=authenticator, http=http),
    ):
        headers = {"Authorization": "Bearer looks"}
        address = f"{http.url}/metrics"
        assert httpx.get(address).status_code == httpx.codes.UNAUTHORIZED
        found = figures(httpx.get(address, headers=headers).text)
        assert found["gameledger_turned_away_total|unknown"] == 1
        sent = httpx.post(f"{http.url}/v1/commands", json=DEPOSIT, headers=headers)
        assert sent.status_code == httpx.codes.FORBIDDEN


class Collector(BaseHTTPRequestHandler):
    """Whom spans are sent to."""

    def do_POST(self) -> None:
        """Take them."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        body = gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body
        self.server.found.append((self.path, body))  # type: ignore[attr-defined]
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_traces_go_from_the_request_to_the_commit(
    studio: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A collector on this machine gets all spans, in the trace that the client began."""
    trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    with HTTPServer(("127.0.0.1", 0), Collector) as collector:
        collector.found = []  # type: ignore[attr-defined]
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        endpoint = f"http://127.0.0.1:{collector.server_port}"
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        tracing = tracing_of(os.environ)
        with (
            closing(HttpListener(ANY_PORT, ClientAuthenticator())) as http,
            serving(studio, http=http, tracing=tracing),
        ):
            headers = {"traceparent": f"00-{trace}-{parent}-01"}
            answers = [
                httpx.post(f"{http.url}/v1/commands", json=one, headers=headers).json()
                for one in (DEPOSIT, bet(1, stake=10**9), DEPOSIT)
            ]
        tracing.close()
        collector.shutdown()
        found = collector.found  # type: ignore[attr-defined]
    request = ExportTraceServiceRequest()
    for path, body in found:
        assert path == "/v1/traces"
        request.MergeFromString(body)
    scopes = [scope for resource in request.resource_spans for scope in resource.scope_spans]
    spans = [span for scope in scopes for span in scope.spans]
    assert {span.trace_id.hex() for span in spans} == {trace}
    requests = {span.span_id for span in spans if span.name == "POST /v1/commands"}
    told = [
        {one.key: one.value for one in span.attributes} | {"name": span.name}
        for span in spans
        if span.parent_span_id in requests
    ]
    assert [one["name"] for one in told] == ["deposit", "place_bet", "deposit"]
    statuses = [one["gameledger.status"].string_value for one in told]
    assert statuses == ["recorded", "refused", "error"]
    assert told[1]["gameledger.code"].string_value == answers[1]["refused"]["code"]
    assert told[0]["gameledger.position"].int_value == answers[0]["last_position"]
    commits = {span.parent_span_id: span for span in spans if span.name == "commit"}
    commands = [span for span in spans if span.parent_span_id in requests]
    assert [span.span_id in commits for span in commands] == [True, True, False]
    for span in commands[:2]:
        commit = commits[span.span_id]
        assert span.start_time_unix_nano <= commit.start_time_unix_nano
        assert commit.start_time_unix_nano <= commit.end_time_unix_nano <= span.end_time_unix_nano
        (decisions,) = commit.attributes
        assert decisions.value.int_value == 1
    assert re.search(r"\ba-1\b", MessageToJson(request)) is None


def test_traces_are_off_where_nobody_takes_them_and_asked_for_with_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Tracing().request({}) as within:
        assert within is None
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    tracing_of({})
    with pytest.raises(InputError, match=r"gameledger\[telemetry\]"):
        tracing_of({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"})


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
