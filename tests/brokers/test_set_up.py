"""What deploy/ and the pages of operations describe, run together: a test a page.

Brokers and controllers of compose.yaml with TLS, users and rights, two servers of tables, and the
shipped units as processes (``set_up.py`` lists what of systemd is not shown).
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import yaml

from tests.brokers.set_up import CLIENTS, DEPLOY, TOPIC, WORD, Machine, SetUp, practise, set_up
from tests.children import child
from tests.ledger.log.kafka.kafka_secured import administered
from tests.tools.cli_cases import ROOT
from tools.workshop.broker.cluster import _free_ports

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.search]

EXAMPLES = ROOT / "docs" / "examples"
FIRST_ROUND = (ROOT / "docs" / "first-round.jsonl").read_text(encoding="utf-8")
PROMETHEUS = shutil.which("prometheus")
SEEN_SECONDS = 180.0


@pytest.fixture(scope="module")
def site(
    kafka_jars: None,  # noqa: ARG001 - asked for its effect
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[SetUp]:
    """Everything started in the order of the page, one round played, one night past.

    In the end all is stopped, and nothing is lost.
    """
    with set_up(tmp_path_factory.mktemp("site")) as found:
        first = found.machines[0]
        begin(found, first, TOPIC, GAMELEDGER_LOG=found.log("writer"))
        for machine in found.machines:
            machine.start("writer", GAMELEDGER_HTTP=machine.settings["GAMELEDGER_HTTP"])
        first.units["writer"].wait_for("leading", "standby")
        recorded = found.send(FIRST_ROUND)
        assert recorded.returncode == 0, recorded.stdout + recorded.stderr
        for machine in found.machines:
            machine.start("project", GAMELEDGER_LOG=found.log("projector"))
        first.start("tiles", GAMELEDGER_LOG=found.log("mirror"))
        (first.etc / "watch.toml").write_text('[[rule]]\ncodes = ["*"]\nseverity = "ticket"\n')
        first.start("watch", GAMELEDGER_LOG=found.log("projector"))
        for machine in found.machines:
            machine.units["project"].wait_for("following")
        found.night = first.jobs("night")
        yield found
        end_in_order(found)


def begin(site: SetUp, machine: Machine, topic: str, prefix: str = "", **settings: str) -> None:
    """Begin a chain as the writer, in a topic that the operator of the brokers makes."""
    init = ("init", "--operator", "26493993", "--name", "SAZKA a.s.", "--chain", topic)
    settings |= {"GAMELEDGER_WRITERS": ""}
    refused = machine.run(*init, **settings)
    assert refused.returncode != 0, "no topic is there, and a writer may make none"
    site.make_topic(refused.stderr, f"{prefix}operator")
    begun = machine.run(*init, **settings)
    assert begun.returncode == 0, begun.stderr


def end_in_order(site: SetUp) -> None:
    """Stop every unit, and look at what was acknowledged."""
    sent = site.send(deposits("last"))
    assert sent.returncode == 0, sent.stderr
    size = size_of(site)
    units = {
        f"{number}: {name}": unit
        for number, machine in enumerate(site.machines, 1)
        for name, unit in machine.units.items()
        if unit.process.poll() is None
    }
    codes = {name: unit.stop() for name, unit in units.items()}
    assert set(codes.values()) == {0}, codes
    assert size_of(site) == size
    assert WORD not in "".join(
        unit.output.read_text(encoding="utf-8", errors="replace") for unit in units.values()
    )


def leader_of(site: SetUp) -> int:
    """Return which machine leads."""
    return _which(site, "leading")


def standby_of(site: SetUp) -> int:
    """Return which machine stands by."""
    return _which(site, "standby")


def _which(site: SetUp, state: str) -> int:
    def states() -> list[str]:
        return [one.units["writer"].wait_for("leading", "standby") for one in site.machines]

    return int(_until(states, lambda found: state in found).index(state))


def as_client(machine: Machine, name: str) -> dict[str, str]:
    """Return the settings with which a client of the writers shows its certificate."""
    files = {"CERT": f"{name}.crt", "KEY": f"{name}.pem"}
    return {f"GAMELEDGER_TLS_{kind}": str(machine.etc / file) for kind, file in files.items()}


def deposits(name: str, count: int = 5) -> str:
    """Make commands of the cage."""
    one: dict[str, Any] = {
        "command": "deposit",
        "account": "a-1",
        "amount": 100,
        "method": "card-1",
    }
    return "".join(f"{json.dumps(one | {'deposit': f'{name}-{n}'})}\n" for n in range(count))


def size_of(site: SetUp, log: str = "", **further: str) -> int:
    """Verify the chain as a machine that only reads, and return its size."""
    settings = {"GAMELEDGER_DATA": str(site.folder / "reader"), **further}
    settings["GAMELEDGER_LOG"] = log or site.log("mirror")
    done = site.machines[1].run("log", "verify", "--json", **settings)
    assert done.returncode == 0, done.stderr
    found: int = json.loads(done.stdout)["size"]
    return found


def test_all_units_are_ready(site: SetUp) -> None:
    first = site.machines[0]
    for machine in site.machines:
        machine.units["project"].wait_for("following")
    first.units["tiles"].wait_for("following")
    first.units["watch"].wait_for("watching")
    assert {leader_of(site), standby_of(site)} == {0, 1}


def test_both_servers_answer_alike_and_the_night_runs(site: SetUp) -> None:
    done = {" ".join(one.args[1:]): one for one in site.night}
    assert [one.stderr for one in done.values() if one.returncode not in {0, 1}] == []
    compared = done["tables compare"]
    assert compared.returncode == 0, compared.stdout + compared.stderr
    assert (site.machines[0].data / "night-done").exists()
    answers = [
        machine.run("balances", "--json", GAMELEDGER_LOG=site.log("projector")).stdout
        for machine in site.machines
    ]
    assert [json.loads(one) for one in answers[1:]] == [json.loads(answers[0])]


@pytest.mark.skipif(
    PROMETHEUS is None and not os.environ.get("CI"),
    reason="prometheus is missing (Debian: apt-get install prometheus): alerts are not loaded",
)
def test_alerts_are_loaded_and_none_fires_but_what_is_missing(site: SetUp, tmp_path: Path) -> None:
    """There is no second copy of the chain and no measured clock in this set-up."""
    with_health = [
        unit
        for machine in site.machines
        for name, unit in machine.units.items()
        if name != "serve" and unit.process.poll() is None
    ]
    targets = {f"127.0.0.1:{unit.health}" for unit in with_health}
    job = {"job_name": "gameledger", "static_configs": [{"targets": sorted(targets)}]}
    settings = {
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(file) for file in sorted((DEPLOY / "watch").glob("*-alerts.yaml"))],
        "scrape_configs": [job],
    }
    (tmp_path / "prometheus.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    (port,) = _free_ports(1)
    url = f"http://127.0.0.1:{port}"
    command = [
        str(PROMETHEUS),
        f"--config.file={tmp_path / 'prometheus.yaml'}",
        f"--storage.tsdb.path={tmp_path / 'data'}",
        f"--web.listen-address=127.0.0.1:{port}",
    ]
    with child(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        up = _until(lambda: _asked(url, "up == 1"), lambda found: len(found) == len(targets))
        assert {one["metric"]["instance"] for one in up} == targets
        time.sleep(5)  # several evaluations of what fires without a delay
        missing = {"BackupOld", "ClockNotMeasured"}
        firing = _until(lambda: _firing(url), lambda found: found <= missing)
    assert firing <= missing


def _firing(url: str) -> set[str]:
    found = _asked(url, 'ALERTS{alertstate="firing"}')
    return {one["metric"]["alertname"] for one in found}


def _asked(url: str, query: str) -> list[dict[str, Any]]:
    try:
        answer = httpx.get(f"{url}/api/v1/query", params={"query": query}, timeout=5)
    except httpx.TransportError:
        return []
    found: list[dict[str, Any]] = answer.json().get("data", {}).get("result", [])
    return found


def _until(ask: Any, is_right: Any) -> Any:
    deadline = time.monotonic() + SEEN_SECONDS
    while not is_right(found := ask()) and time.monotonic() < deadline:
        time.sleep(0.5)
    return found


def test_a_killed_leader_is_followed_by_the_standby(site: SetUp) -> None:
    before = size_of(site)
    leader = site.machines[leader_of(site)]
    leader.units["writer"].process.kill()
    sent = site.send(deposits("killed"))
    assert sent.returncode == 0, sent.stderr
    leader.start("writer", GAMELEDGER_HTTP=leader.settings["GAMELEDGER_HTTP"])
    assert site.machines[standby_of(site)] is leader
    assert size_of(site) >= before + 5


def test_a_feed_reports_rounds_through_the_leader(site: SetUp) -> None:
    machine, tables = site.machines[0], ("--table", "AUR-1=a-1")
    folder, (port,) = machine.etc / "feeds", _free_ports(1)
    folder.mkdir()
    shutil.copy(EXAMPLES / "aurora.py", folder)
    (folder / "aurora.secret").touch(mode=0o600)
    secret = base64.b64encode(bytes(range(32))).decode()
    (folder / "aurora.secret").write_text(f"whsec_{secret}", encoding="ascii")
    spool = machine.folder / "lib" / "gameledger" / "feeds" / "aurora.sqlite"
    spool.parent.mkdir()
    (folder / "aurora.toml").write_text(
        'provider = "aurora.py:Aurora"\nname = "aurora"\nsecrets = ["aurora.secret"]\n'
        f'spool = "{spool}"\nlisten = "127.0.0.1:{port}"\n[tables]\n"AUR-1" = "t1"\n',
        encoding="utf-8",
    )
    settings = as_client(machine, CLIENTS[2])
    settings["GAMELEDGER_WRITERS"] = machine.settings["GAMELEDGER_WRITERS"]
    lines = "".join(f"{name}={value}\n" for name, value in settings.items())
    (folder / "aurora.env").write_text(lines, encoding="utf-8")
    unit, before = machine.start("feed@aurora"), size_of(site)
    url = f"http://127.0.0.1:{port}/v1/webhooks"
    send = (sys.executable, EXAMPLES / "aurora_evening.py", url, *tables, "--rounds", "2")
    key = ("--secret", folder / "aurora.secret")
    _until(lambda: _answers(f"http://127.0.0.1:{port}/health"), bool)
    done = subprocess.run([*send, *key], capture_output=True, text=True, check=False, timeout=120)  # noqa: S603 - an example of ours
    assert done.returncode == 0, done.stdout + done.stderr

    def reported() -> int:
        shown = machine.run("round", "list", "--json", GAMELEDGER_LOG=site.log("projector")).stdout
        return sum(one["round"].startswith("aurora") for one in json.loads(shown)["rounds"])

    assert _until(reported, lambda found: found == 2) == 2, unit.words
    assert size_of(site) > before


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5).is_success
    except httpx.TransportError:
        return False


def test_a_witness_and_the_authority_follow_the_log(site: SetUp, tmp_path: Path) -> None:
    """On a machine of the authority, over TLS; the operator's policy asks for both."""
    first = site.machines[0]
    tls = {name: first.settings[name] for name in ("GAMELEDGER_TLS_CERT", "GAMELEDGER_TLS_KEY")}
    authority = Machine(site.folder / "authority", tls, site.running)
    authority.etc.mkdir(parents=True, mode=0o700)
    (authority.folder / "lib").mkdir(mode=0o700)
    (authority.etc / "gameledger.env").touch()
    operator = {"GAMELEDGER_LOG": site.log("projector"), **as_client(first, CLIENTS[1])}
    operator["SSL_CERT_FILE"] = str(first.etc / "ca.crt")
    signed = first.run("log", "checkpoint", "--json", **operator)
    assert signed.returncode == 0, signed.stderr
    key, lines = json.loads(signed.stdout)["key"], []
    for kind, place in (("witness", "gameledger-witness"), ("mirror", "gameledger-mirror/held")):
        folder, (port,) = authority.folder / "lib" / place, _free_ports(1)
        folder.parent.mkdir(exist_ok=True)
        made = authority.run(kind, "init", str(folder), "--name", f"authority.example/{kind}")
        assert made.returncode == 0, made.stderr
        (line,) = re.findall(r"^witness .*", made.stdout, re.MULTILINE)
        lines.append(line.replace(line.split()[-1], f"https://localhost:{port}"))
        assert authority.run(kind, "add", str(folder), key).returncode == 0
        listen = {f"GAMELEDGER_{kind.upper()}_LISTEN": f"127.0.0.1:{port}"}
        authority.start(kind, **listen)
    names = " ".join(line.split()[1] for line in lines)
    policy = tmp_path / "policy.txt"
    policy.write_text("\n".join([*lines, f"group both all {names}", "quorum both", ""]))
    asked = ("log", "checkpoint", "--witness-policy", str(policy), "--json")
    done = _until(lambda: first.run(*asked, **operator), lambda found: found.returncode == 0)
    assert done.returncode == 0, done.stdout + done.stderr
    held = authority.folder / "lib" / "gameledger-mirror" / "held"
    status = json.loads(authority.run("mirror", "status", str(held), "--json").stdout)
    (copy,) = status["logs"]
    assert copy["held"] >= json.loads(done.stdout)["size"], copy
    tables = authority.start("mirror-project")
    summarized = _until(lambda: tables.words, lambda words: "summarized" in words)
    assert json.loads(summarized.splitlines()[0]) == {"summarized": 1, "missing": []}
    for kind in ("witness", "mirror", "mirror-project"):
        assert authority.units[kind].stop() == 0, authority.units[kind].words


def test_certificates_are_renewed_without_a_stop(site: SetUp, tmp_path: Path) -> None:
    """Also those of the authority: clients with the old one are not let in any more."""
    old = {
        "GAMELEDGER_TLS_CERT": str(tmp_path / "old.crt"),
        "GAMELEDGER_TLS_KEY": str(tmp_path / "old.pem"),
    }
    first = site.machines[0]
    for kind in ("crt", "pem"):
        shutil.copy(first.etc / f"{CLIENTS[0]}.{kind}", tmp_path / f"old.{kind}")
    practise(site, tmp_path / "new")
    for machine in site.machines:
        for file in (tmp_path / "new").iterdir():
            shutil.copy(file, machine.etc / file.name)
        machine.units["writer"].process.send_signal(1)
    time.sleep(2)
    renewed = site.send(deposits("renewed"))
    assert renewed.returncode == 0, renewed.stdout + renewed.stderr
    refused = site.send(deposits("refused"), **old)
    assert refused.returncode in {4, 5}, refused.stdout


def test_the_chain_is_restored_into_a_new_topic(site: SetUp, tmp_path: Path) -> None:
    """Backup, look at the backup, restore, and go on there (deploy/README.md, runbook)."""
    backup, restored = tmp_path / "backup", f"{TOPIC}-restored"
    machine = site.machines[1]
    copied = machine.run("log", "copy", site.log("mirror"), str(backup))
    assert copied.returncode == 0, copied.stderr
    environment = {"GAMELEDGER_LOG": "", "GAMELEDGER_DATA": str(backup)}
    looked = machine.run("log", "verify", "--json", **environment)
    assert looked.returncode == 0, looked.stderr
    size = json.loads(looked.stdout)["size"]
    site.grant(restored)
    copy = ("log", "copy", str(backup), site.log("writer", restored))
    empty = {"GAMELEDGER_LOG": "", "GAMELEDGER_DATA": str(tmp_path / "elsewhere")}
    site.make_topic(machine.run(*copy, **empty).stderr, "operator")
    back = machine.run(*copy, **empty)
    assert back.returncode == 0, back.stderr
    assert size_of(site, site.log("mirror", restored)) == size
    writer = _elsewhere(site, tmp_path / "elsewhere", restored)
    gone_on = writer.run(
        *("record", str(site.folder / "one.jsonl")),
        GAMELEDGER_WRITERS="",
    )
    assert gone_on.returncode == 0, gone_on.stdout + gone_on.stderr
    assert size_of(site, site.log("mirror", restored)) > size


def _elsewhere(site: SetUp, folder: Path, topic: str) -> Machine:
    """Another machine with an empty data directory and the same keys."""
    settings = {**site.machines[0].settings, "GAMELEDGER_LOG": site.log("writer", topic)}
    settings["GAMELEDGER_DATA"] = str(folder)
    (site.folder / "one.jsonl").write_text(deposits("restored", 1), encoding="utf-8")
    return Machine(folder, settings, site.running)


def test_a_second_licence_runs_on_the_same_brokers(site: SetUp) -> None:
    """With topic, keys, database and users of its own; the first one's users can't read it."""
    before = size_of(site)
    site.grant("second-live", PREFIX="second-")
    machine = site.machines[0]
    (port,) = _free_ports(1)
    data = machine.folder / "lib" / "gameledger-second"
    users = [f"second-{user}" for user in ("writer", "operator", "mirror")]
    with administered(site.addresses, site.certificate, users):
        pass
    shared = machine.settings | {
        "GAMELEDGER_LOG": site.log("second-writer", "second-live"),
        "GAMELEDGER_DATA": str(data),
        "GAMELEDGER_KEYS": str(machine.folder / "lib" / "gameledger-second-keys"),
        "GAMELEDGER_HTTP": f"127.0.0.1:{port}",
    }
    del shared["GAMELEDGER_WRITERS"]
    (machine.etc / "second.env").write_text(
        "".join(f"{name}={value}\n" for name, value in shared.items()), encoding="utf-8"
    )
    shutil.copy(machine.etc / "clients.toml", machine.etc / "second-clients.toml")
    begin(site, machine, "second-live", "second-", **shared)
    machine.start("writer@second").wait_for("leading")
    sent = site.send(FIRST_ROUND, GAMELEDGER_WRITERS=f"https://localhost:{port}")
    assert sent.returncode == 0, sent.stdout + sent.stderr
    assert size_of(site, site.log("second-mirror", "second-live")) > len(FIRST_ROUND.splitlines())
    refused = machine.run("log", "verify", GAMELEDGER_LOG=site.log("mirror", "second-live"))
    assert refused.returncode != 0
    assert size_of(site) == before
    assert machine.units["writer@second"].stop() == 0


def test_a_reader_is_let_in_until_the_right_ends(site: SetUp) -> None:
    machine = site.machines[0]
    (port,) = _free_ports(1)
    reads = {"GAMELEDGER_LOG": site.log("projector")}
    added = machine.run(
        *("reader", "add", "inspector", "--role", "regulator", "--until", "2099-01-01", "--json"),
        **reads,
    )
    assert added.returncode == 0, added.stderr
    token = json.loads(added.stdout)["token"]
    both = ",".join(site.tables)
    unit = machine.start(
        "serve", GAMELEDGER_SERVE=f"127.0.0.1:{port}", GAMELEDGER_CLICKHOUSE=both, **reads
    )

    def status() -> int:
        headers = {"Authorization": f"Bearer {token}"}
        url = f"https://localhost:{port}/api/rounds/r1"
        trusted = ssl.create_default_context(cafile=machine.etc / "ca.crt")
        try:
            return httpx.get(url, headers=headers, verify=trusted, timeout=30).status_code
        except httpx.TransportError:
            assert unit.process.poll() is None, unit.words
            return 0

    assert _until(status, lambda found: found != 0) == httpx.codes.OK
    assert (
        machine.run("reader", "revoke", "inspector", "--reason", "moved", **reads).returncode == 0
    )
    assert status() == httpx.codes.UNAUTHORIZED
    assert unit.stop() == 0
