"""The page of installation followed word by word on a machine with systemd.

``test_set_up.py`` runs the units' commands; here systemd runs the units: users, folders, restarts,
isolation, alarms.
"""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.brokers.set_up import CLIENTS, PAGE, TOPIC, list_of_clients, settings_in
from tests.brokers.systemd_machine import RELEASE, SystemdMachine, systemd_machine
from tests.tools.cli_cases import ROOT
from tests.waiting import until
from tools.workshop import release

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.workshop.broker import Cluster

pytestmark = [pytest.mark.slow, pytest.mark.search]

STUDIO, NIGHT, _ = CLIENTS
ABSENT = ("GAMELEDGER_CLICKHOUSE", "GAMELEDGER_TIME_SOURCE")
"""Settings of servers that this machine does without."""
(AS_SERVICE,) = re.findall(r"^as_service\(\).*?; }$", PAGE, re.DOTALL | re.MULTILINE)
HEALTH = {"writer": 9410, "project": 9411, "watch": 9412, "tiles": 9413, "mirror": 9416}
RULES = '[[rule]]\ncodes = ["*"]\nseverity = "ticket"\n'


def block(begin: str) -> str:
    """Return the block of the page that begins with a line."""
    (found,) = re.findall(rf"```\n({re.escape(begin)}.*?)```", PAGE, re.DOTALL)
    return str(found)


def settings(begin: str, **changed: str) -> str:
    """Return the settings of the page, with the places of this machine."""
    named = settings_in(block(begin)).items()
    found = {name: value for name, value in named if not name.startswith(ABSENT)} | changed
    return "".join(f"{name}={value}\n" for name, value in found.items())


@pytest.fixture(scope="module")
def machine(broker: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SystemdMachine]:
    """Everything installed by the page, the chain begun, and one round recorded."""
    folder = tmp_path_factory.mktemp("release")
    release.build(folder)
    (folder / "gameledger-deploy.tar").write_bytes(release._deployment(ROOT))
    shutil.copy(ROOT / "docs" / "first-round.jsonl", folder)
    with systemd_machine(tmp_path_factory.mktemp("machine"), folder) as found:
        found.run("apt-get -qq install -y python3.11-venv")
        found.run(f"cd {RELEASE}\n{block('tar -xf')}")
        names = f"{STUDIO} {NIGHT}"
        found.run(f"/opt/gameledger/bin/gameledger practice-certificates /etc/gameledger {names}")
        shared = settings("GAMELEDGER_DATA=", GAMELEDGER_LOG=broker.url(TOPIC))
        writers = "https://localhost:7412"
        night = settings("GAMELEDGER_WRITERS=", GAMELEDGER_WRITERS=writers)
        night = night.replace("night.crt", f"{NIGHT}.crt").replace("night.pem", f"{NIGHT}.pem")
        write(found, "gameledger.env", shared)
        write(found, "night.env", night)
        write(found, "clients.toml", list_of_clients())
        write(found, "watch.toml", RULES)
        found.run("chown -R gameledger: /etc/gameledger")  # certificates were made as root
        found.run(block("as_service()"))
        found.run("systemctl start gameledger-watch")
        write(found, "studio.env", shared + night.replace(NIGHT, STUDIO))
        recorded = as_service(found, f"record <{RELEASE}/first-round.jsonl", of="studio")
        assert '"events":["BetSettled"]' in recorded
        yield found
        end_in_order(found)


def end_in_order(machine: SystemdMachine) -> None:
    """Stop every unit; nothing that it wrote was unexpected."""
    active = "systemctl list-units --plain --no-legend --state=active 'gameledger-*.service'"
    units = [
        line.split(".")[0].removeprefix("gameledger-") for line in machine.run(active).splitlines()
    ]
    assert "writer" in units
    for unit in units:
        machine.run(f"systemctl stop gameledger-{unit}")
        assert shown(machine, unit, "Result", "ExecMainStatus") == ["success", "0"], unit
    assert "Traceback" not in machine.journal()


def write(machine: SystemdMachine, name: str, text: str) -> None:
    place = f"-o gameledger -g gameledger -m 600 /dev/stdin /etc/gameledger/{name}"
    machine.run(f"install {place} <<'END'\n{text}END")


def as_service(machine: SystemdMachine, command: str, *, of: str = "gameledger") -> str:
    """Run a command with the function of the page, and the settings of a file."""
    return machine.run(f"{AS_SERVICE}\nOF={of} as_service {command}")


def state(machine: SystemdMachine, unit: str) -> str:
    return machine.ask(f"curl -s http://127.0.0.1:{HEALTH[unit]}/ready").stdout


def until_ready(machine: SystemdMachine, unit: str) -> None:
    until(lambda: '"ready":true' in state(machine, unit), machine.journal)


def shown(machine: SystemdMachine, unit: str, *names: str) -> list[str]:
    asked = " ".join(f"-p {name}" for name in names)
    lines = machine.run(f"systemctl show {asked} gameledger-{unit}").splitlines()
    found = dict(line.split("=", 1) for line in lines)
    return [found[name] for name in names]


def test_units_are_ready_and_a_night_passes(machine: SystemdMachine) -> None:
    for unit in ("writer", "project", "watch"):
        until_ready(machine, unit)
    machine.run("systemctl start gameledger-night")
    machine.run("test -e /var/lib/gameledger/night-done")
    until_ready(machine, "tiles")  # the night has signed the first checkpoint
    machine.run("runuser -u www-data -- test -r /var/lib/gameledger-tiles/checkpoint")
    for folder in ("gameledger", "gameledger-keys"):
        assert machine.ask(f"runuser -u www-data -- ls /var/lib/{folder}").returncode != 0
    page = machine.run("curl -s --cacert /etc/gameledger/ca.crt https://localhost:8411/sign-in")
    assert "<form" in page


def test_a_killed_unit_is_started_again_and_a_wrong_setting_is_an_alarm(
    machine: SystemdMachine,
) -> None:
    machine.run("systemctl kill -s KILL gameledger-writer")
    until(lambda: shown(machine, "writer", "NRestarts") == ["1"])
    until_ready(machine, "writer")
    machine.run("systemctl reload gameledger-writer")
    until_ready(machine, "writer")
    write(machine, "watch.toml", "not a rule")
    machine.ask("systemctl restart gameledger-watch")
    until(lambda: shown(machine, "watch", "ActiveState") == ["failed"], machine.journal)
    assert shown(machine, "watch", "NRestarts") == ["0"]
    until(lambda: "gameledger-watch.service failed" in machine.run("journalctl --no-pager"))
    write(machine, "watch.toml", RULES)
    machine.run("systemctl restart gameledger-watch")


def test_a_second_licence_and_the_machine_of_an_authority(machine: SystemdMachine) -> None:
    write(machine, "second-clients.toml", list_of_clients())
    shared = machine.run("cat /etc/gameledger/gameledger.env")
    second = shared.replace(TOPIC, "second-live")
    second = re.sub(r"/var/lib/gameledger\b", "/var/lib/gameledger-second", second)
    ports = "GAMELEDGER_HTTP=0.0.0.0:7512\nGAMELEDGER_HEALTH=127.0.0.1:9510\n"
    begun = block("install -m 600 -o gameledger")
    kept = [line for line in begun.splitlines() if not line.startswith(("install -m", "PREFIX="))]
    write(machine, "second.env", second + ports)
    write(machine, "second-project.env", "GAMELEDGER_HEALTH=127.0.0.1:9511\n")
    machine.run("\n".join([AS_SERVICE, *kept]))
    until(lambda: "leading" in machine.ask("curl -s http://127.0.0.1:9510/ready").stdout)

    key = json.loads(as_service(machine, "log checkpoint --json", of="studio"))["key"]
    listen = "GAMELEDGER_WITNESS_LISTEN=0.0.0.0:7414\n"  # the usual port is that of the writer here
    write(machine, "gameledger.env", shared + listen)
    made = block("install -d -o gameledger -g gameledger -m 700 /var/lib/gameledger-mirror")
    made = made.replace("KEY", key).replace("https://log.example", "/var/lib/gameledger-tiles")
    machine.run(f"{AS_SERVICE}\n{made}")
    until_ready(machine, "mirror")
    status = "mirror status /var/lib/gameledger-mirror/held --json"
    until(lambda: held_by(as_service(machine, status)) > 0, machine.journal)
    until(lambda: shown(machine, "witness", "ActiveState") == ["active"], machine.journal)


def held_by(status: str) -> int:
    (copy,) = json.loads(status)["logs"]
    return int(copy["held"])
