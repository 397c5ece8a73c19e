"""docs/http.md and docs/commands.openapi.json: what they show runs, what they describe is so."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING

import httpx
import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from ledger.decisions.decider import COMMANDS
from tests.tools.cli_cases import ROOT, SECONDS_MAX
from tests.tools.service.evening_cases import compare_evenings
from tests.tools.writer_cases import ANY_PORT, serving
from tools.service.authentication import ClientAuthenticator
from tools.service.http.description import EXAMPLES
from tools.service.http.serving import HttpListener
from tools.service.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


PAGE = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
DESCRIBED = json.loads((ROOT / "docs" / "commands.openapi.json").read_text(encoding="utf-8"))
SCHEMAS = DESCRIBED["components"]["schemas"]
CHECKS = [
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
]
SEED = 20261122


@pytest.fixture(scope="module")
def url(studio_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = shutil.copytree(studio_once, tmp_path_factory.mktemp("page") / "data")
    with closing(HttpListener(ANY_PORT, ClientAuthenticator())) as http, serving(data, http=http):
        yield http.url


@pytest.fixture
def fresh_url(studio: Path) -> Iterator[str]:
    """A studio to which nobody has sent anything."""
    with closing(HttpListener(ANY_PORT, ClientAuthenticator())) as http, serving(studio, http=http):
        yield http.url


def fits(answer: object, name: str) -> None:
    """Require that an answer is what the description says."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": SCHEMAS}}
    jsonschema.validate(answer, schema)


def test_curl_lines_of_the_page_run(url: str) -> None:
    blocks = re.findall(r"```sh\n(curl .*?)```", PAGE, re.DOTALL)
    given = [_shell(block.replace("http://127.0.0.1:7412", url)) for block in blocks]
    deposit, bet, lines = [[json.loads(line) for line in text.splitlines()] for text in given]
    assert _shell(blocks[0].replace("http://127.0.0.1:7412", url)) == given[0]
    fits(deposit[0], "Recorded")
    fits(bet[0], "Refused")
    assert [(one["line"], one["status"]) for one in lines] == [(1, "recorded"), (2, "refused")]


def test_python_of_the_page_runs(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(block.replace("http://127.0.0.1:7412", url), {})  # noqa: S102 - the page's own
    assert capsys.readouterr().out.strip().isdecimal()


def _shell(line: str) -> str:
    return subprocess.run(  # noqa: S603 - lines of the page
        ["/bin/bash", "-c", line], capture_output=True, text=True, timeout=SECONDS_MAX, check=True
    ).stdout


def test_bounds_and_statuses_of_the_page_are_those_of_the_program() -> None:
    limits = Limits()
    for text in (
        f"| {limits.line_seconds:g} s | 408",
        f"| {limits.client_requests} | 429",
        f"| {limits.requests}, {limits.connections} | 503",
        f"| {limits.body_bytes >> 20} MiB together | 503",
        f"| {limits.lines}, or {limits.line_bytes >> 20} MiB",
        f"| {limits.send_seconds:g} s | cut off",
        f"| {limits.idle_seconds / 60:g} minutes | line 0",
    ):
        assert text in PAGE
    table = PAGE.partition("## What to do with an answer")[2].partition("Errors are")[0]
    statuses = set(re.findall(r"\b[2-5]\d\d\b", table))
    assert statuses == set(DESCRIBED["paths"]["/v1/commands"]["post"]["responses"])


def test_every_command_is_described_with_units_limits_and_refusals() -> None:
    assert set(SCHEMAS["Command"]["discriminator"]["mapping"]) == set(COMMANDS)
    bet = SCHEMAS["PlaceBet"]
    stake = bet["properties"]["stake"]
    assert (stake["x-unit"], stake["exclusiveMinimum"]) == ("haléř (1/100 CZK)", 0)
    assert {"code", "sentence", "paragraph"} == set(bet["x-refusals"][0])


def test_examples_of_the_description_are_decided(fresh_url: str) -> None:
    for example in EXAMPLES.values():
        fits(example, "Command")
        found = httpx.post(f"{fresh_url}/v1/commands", json=example)
        assert found.status_code == httpx.codes.CREATED, found.text
        fits(found.json(), "Recorded")
    text = "".join(f"{json.dumps(one)}\n" for one in EXAMPLES.values())
    headers = {"Content-Type": "application/x-ndjson"}
    found = httpx.post(f"{fresh_url}/v1/commands", content=text, headers=headers)
    content = DESCRIBED["paths"]["/v1/commands"]["post"]["responses"]["200"]["content"]
    schema = {**content["application/x-ndjson"]["x-line"], "components": {"schemas": SCHEMAS}}
    answers = [json.loads(line) for line in found.text.splitlines()]
    assert [one["status"] for one in answers] == ["recorded", "recorded", "refused"]
    for answer in answers:
        jsonschema.validate(answer, schema)


@schemathesis.serializer("application/x-ndjson")
def ndjson(_: object, value: object) -> bytes:
    """Write a generated body as it is: lines that are no commands, for the most part."""
    return value.encode(errors="replace") if isinstance(value, str) else json.dumps(value).encode()


@pytest.mark.parametrize("mode", schemathesis.GenerationMode)
def test_every_answer_is_as_described(url: str, mode: schemathesis.GenerationMode) -> None:
    described = schemathesis.openapi.from_dict(DESCRIBED)
    described.config.update(base_url=url)
    for found in described.get_all_operations():
        operation = found.ok()
        if mode.is_negative and not operation.body:
            continue  # nothing of it can be wrong

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=25,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def answers(case: schemathesis.Case) -> None:
            case.validate_response(case.call(), checks=CHECKS)

        answers()


def test_an_evening_over_http_gives_the_same_chain_as_played_directly(tmp_path: Path) -> None:
    played = compare_evenings(tmp_path, hours=0.05, players=6)
    assert played.directly.commands > 500
    assert played.over_http == played.directly
