"""docs/http.md and docs/commands.openapi.json: what they show runs, what they describe is so."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from concurrent.futures import Future
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

import httpx
import jsonschema
import msgspec
import pytest
import schemathesis
from cli_cases import ROOT, SECONDS_MAX
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from writer_cases import ANY_PORT, serving

from ledger.decisions.decider import COMMANDS, write_command
from ledger.log.sqlite import SqliteLog
from ledger.writer import Receipt
from tools.service.door import Door
from tools.service.http.description import EXAMPLES
from tools.service.http.serving import HttpDoor
from tools.service.limits import Limits
from tools.service.metrics import Metrics
from tools.service.stop import Stop
from tools.service.tracing import Tracing
from tools.service.way_in import Service
from tools.simulator import SAZKA, create, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.core.command import Command
    from ledger.core.message import Head
    from ledger.writer import Ledger
    from tools.simulator import Summary

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
    with closing(HttpDoor(ANY_PORT, Door())) as http, serving(data, http=http):
        yield http.url


@pytest.fixture
def fresh_url(studio: Path) -> Iterator[str]:
    """A studio to which nobody has sent anything."""
    with closing(HttpDoor(ANY_PORT, Door())) as http, serving(studio, http=http):
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


class ThroughHttp:
    """A ledger whose commands go through HTTP one by one, each at the moment it is given."""

    def __init__(self, ledger: Ledger, client: httpx.Client) -> None:
        self._ledger, self._client = ledger, client
        self._clock: Any = ledger._clock
        self.chain, self.checkpoint = ledger.chain, ledger.checkpoint
        self.commands = 0

    @property
    def head(self) -> Head:
        return self._ledger.head

    def submit(self, command: Command, *, at: int) -> Future[Receipt]:
        """Send a command and wait for its receipt."""
        self._clock.moment = at
        headers = {"Content-Type": "application/json"}
        found = self._client.post("/v1/commands", content=write_command(command), headers=headers)
        assert found.status_code in {200, 201}, found.text
        self.commands += 1
        answer: Future[Receipt] = Future()
        answer.set_result(msgspec.json.decode(found.content, type=Receipt))
        return answer


def evening(ledger: Any) -> Summary:
    return run(ledger, seed=SEED, hours=0.05, players=6, dealt=SAZKA[:3])


def test_an_evening_over_http_gives_the_same_chain_as_played_directly(tmp_path: Path) -> None:
    """The same seed and clock; each command as JSON over one kept connection."""
    for name in ("directly", "over-http"):
        (tmp_path / name).mkdir()
    log = SqliteLog(tmp_path / "directly", writable=True)
    with create(log, tmp_path / "directly" / "keys", seed=SEED) as ledger:
        directly = evening(ledger)
    log = SqliteLog(tmp_path / "over-http", writable=True)
    with ExitStack() as stack:
        ledger = stack.enter_context(create(log, tmp_path / "over-http" / "keys", seed=SEED))
        http = stack.enter_context(closing(HttpDoor(ANY_PORT, Door())))
        http.lead(Service(ledger, Door(), Limits(), Stop(), lambda *_: None, Metrics(), Tracing()))
        through = ThroughHttp(ledger, stack.enter_context(httpx.Client(base_url=http.url)))
        over_http = evening(through)
    assert through.commands == directly.commands > 500
    assert over_http == directly
