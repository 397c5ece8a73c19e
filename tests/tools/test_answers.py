"""Every command that answers in JSON has a schema, and its answer fits it."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from tests.tools.answer_cases import command_of, require_fitting
from tests.tools.cli_cases import run, run_here
from tools.cli._app import commands
from tools.cli.answers import answer_types, schema_of
from tools.data import tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.tools.conftest import Demo

DONE = {0, 1}
"""Exit code 1 is an answer with findings."""

EXAMPLES: dict[str, str] = {
    "access grants": "access grants",
    "access report": "access report",
    "account list": "account list",
    "account show": "account show {account}",
    "account movements": "account movements {account}",
    "balance": "balance {account}",
    "balances": "balances",
    "bet list": "bet list --account {account}",
    "books check": "books check 2026-11",
    "books day": "books day 2026-11-20",
    "books open-items": "books open-items --at 2026-11-20",
    "books month": "books month 2026-11 --xlsx {data}-books.xlsx",
    "books tax": "books tax 2026-Q4",
    "books trial": "books trial 2026-Q4",
    "complaint list": "complaint list",
    "evidence account": "evidence account {account} --out {data}-account.html",
    "evidence round": "evidence round of-no-name --absent --out {data}-round.html",
    "evidence rounds": "evidence rounds {round} --out {data}-rounds.zip",
    "finding list": "finding list --all",
    "finding write-offs": "finding write-offs",
    "games fairness": "games fairness",
    "games edge": "games edge sazka.roulette_evolution",
    "games list": "games list",
    "games show": "games show sazka.roulette_evolution",
    "rules show": "rules show sazka",
    "duty list": "duty list",
    "hold list": "hold list --all",
    "keys backup": "keys backup {data}-keys-copy",
    "keys check": "keys check",
    "keys rotate": "keys rotate --reason yearly",
    "log checkpoint": "log checkpoint",
    "log copy": "log copy {data} {data}-copy",
    "log export": "log export --from {last}",
    "log show": "log show --limit 200",
    "log status": "log status",
    "log tiles": "log tiles {data}-tiles",
    "log verify": "log verify",
    "plan check": "plan check",
    "play-time": "play-time",
    "project": "project",
    "reader list": "reader list",
    "rebuild": "rebuild",
    "reconcile": "reconcile",
    "record": "record --dry-run",
    "report build": "report build --period 2026112016 --version 1 --no-record",
    "report explain": "report explain {package} hra_toky 1",
    "report open": "report open {sealed} --key {data}/practice-keys/authority.pem "
    "--trust {data}/practice-keys/root.crt --out {data}-opened",
    "report practice-keys": "report practice-keys {data}-keys",
    "report seal": "report seal {package} --key {data}/practice-keys/operator.pem "
    "--recipient {data}/practice-keys/authority.crt --out {data}-sealed --no-record",
    "report status": "report status",
    "report validate": "report validate {package}",
    "retention carry-out": "retention carry-out --dry-run",
    "retention show": "retention show --all",
    "retention unclaimed": "retention unclaimed",
    "round list": "round list",
    "round replay": "round replay {round}",
    "statement issuers": "statement issuers",
    "round show": "round show {round}",
    "schema export": "schema export {data}-schemas",
    "schema list": "schema list",
    "statement list": "statement list",
    "statement matched": "statement matched",
    "statement rules": "statement rules",
    "tables compare": "tables compare",
    "tournament list": "tournament list",
}
"""How each is asked, over the chain of a demo."""

ELSEWHERE = {
    "access begin",
    "access record",
    "complaint letter", "complaint show", "demo", "feed", "hold end",
    "hold place", "init", "mirror add", "mirror init", "mirror run", "mirror status",
    "mirror ask", "mirror challenge", "mirror project", "mirror totals", "mirror rates",
    "mirror devices", "mirror play-time", "mirror duties",
    "evidence balance", "evidence balance-page", "evidence close", "evidence verify-balance",
    "evidence verify", "finding assign", "finding close", "finding comment", "finding deputy",
    "finding explain",
    "finding confirm-write-off", "finding decline-write-off", "finding reverse-write-off",
    "finding write-off",
    "finding reopen", "finding show", "keys restore", "log export-seal",
    "log export-source-seal", "person erase",
    "plan publish",
    "practice-certificates",
    "reader add",
    "reader renew",
    "reader revoke", "report confirm", "report correct", "report register", "report run",
    "report serve", "serve", "simulate", "tournament show",
    "statement check", "statement fetch", "statement import", "statement set-rules",
    "statement show",
    "suspicion commit", "suspicion list", "suspicion verify",
    "tables backup", "tables restore",
    "witness add", "witness check", "witness init", "witness run", "witness status", "watch",
    "writer",
}  # fmt: skip
"""What takes a chain or a process of its own: ``run`` looks at every answer in every test."""


def test_every_command_that_answers_in_json_has_a_schema_and_an_example() -> None:
    answering = {
        name
        for name, command in commands()
        if any(parameter.name == "as_json" for parameter in command.params)
    }
    assert answering == set(answer_types())
    assert answering == set(EXAMPLES) | ELSEWHERE
    for name in answer_types():
        Draft202012Validator.check_schema(schema_of(name))


def played(data: Path, *elsewhere: str) -> Any:
    """Play a short demo; return what it told."""
    arguments = ("demo", "--data", str(data), "--hours", "0.1", "--seed", "1", "--json")
    done = run(*elsewhere, *arguments, data=data.parent)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def played_again(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """The folder of a longer demo in which a short one was played, and what that told."""
    data = shutil.copytree(demo.data, tmp_path_factory.mktemp("again") / "demo", symlinks=True)
    return data, played(data, "--log", "kafka://127.0.0.1:9/live")


@pytest.fixture(scope="module")
def evening(played_again: tuple[Path, Any]) -> Iterator[tuple[Path, dict[str, str]]]:
    data, demo = played_again
    (package, *_), notable = demo["packages"], demo["summary"]["notable"]
    facts = {
        "data": str(data),
        "account": next(name for key, name in notable.items() if key.endswith("_account")),
        "round": next(name for key, name in notable.items() if key.endswith("_round")),
        "package": package["name"],
        "sealed": package["file"],
        "last": str(demo["summary"]["size"] - 1),
    }
    with tables.keep_tables_open(data / "projection"):
        yield data, facts


@pytest.mark.slow
def test_a_demo_played_again_stays_in_its_directory_and_leaves_other_data_alone(
    demo: Demo, played_again: tuple[Path, Any]
) -> None:
    data, told = played_again
    longer, shorter = (
        json.loads(run("log", "verify", "--json", data=one).stdout)["size"]
        for one in (demo.data, data)
    )
    assert told["summary"]["size"] <= shorter < longer
    mark = data / "made-by-demo"
    mark.rename(data.with_name(mark.name))
    done = run("demo", "--data", str(data), data=data.parent)
    data.with_name(mark.name).rename(mark)
    assert done.returncode == 2
    assert (data / "log.sqlite").exists()


@pytest.mark.search
def test_a_demo_played_again_tells_what_the_first_one_told(
    played_again: tuple[Path, Any], tmp_path: Path
) -> None:
    first, (_, again) = played(tmp_path / "demo"), played_again
    assert again["summary"] == first["summary"]
    assert again["report"] == first["report"]


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted(EXAMPLES))
def test_an_answer_fits_its_schema(evening: tuple[Path, dict[str, str]], command: str) -> None:
    data, facts = evening
    arguments = EXAMPLES[command].format(**facts).split()
    lines = '{"command": "log_out", "account": "a"}\n{\n' if command == "record" else ""
    done = run_here(*arguments, "--json", data=data, lines=lines)
    assert done.returncode in (DONE | {2} if command == "record" else DONE), done.stderr
    assert command_of(arguments) == command
    assert done.stdout.strip()
    require_fitting(arguments, done.stdout)


def test_the_answers_of_a_chain_that_begins_fit_their_schemas(tmp_path: Path) -> None:
    names = ("--operator", "26493993", "--name", "Test", "--chain", "test")
    for more in (("--dry-run",), ()):
        begun = run("init", *names, *more, "--json", data=tmp_path / "data")
        assert json.loads(begun.stdout)["chain"] == "test"
    for command, *more in (("practice-certificates", "studio.example"), ("report practice-keys",)):
        made = run(*command.split(), str(tmp_path / command), *more, "--json", data=tmp_path)
        assert json.loads(made.stdout)
