"""A chain as a release leaves it, and what every later version has to say of it.

``make golden`` writes ``<version>.tar.xz`` with the log of a small simulated evening of all games,
a plan of the operator's own, a signed checkpoint, the keys, the chain of accesses, and the answers
of the version that wrote it.
"""

from __future__ import annotations

import json
import shutil
import sys
import tarfile
from contextlib import closing
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ledger import games
from ledger.core.clock import HOUR, StoppedClock
from ledger.core.version import VERSION
from ledger.decisions.operator.keys import AddSigningKey, RecordCheckpoint
from ledger.decisions.operator.setup import ListGame, PublishRules
from ledger.events.encoding import decode_envelope
from ledger.tlog.signing import SigningKey
from tests.tools.access.access_cases import Service
from tests.tools.cli_cases import run
from tools.data import DataDirectory
from tools.data.locations import LOCAL

if TYPE_CHECKING:
    from ledger.writer import Ledger

FOLDER = Path(__file__).parent
ANSWERS = "answers.json"
KEPT = ("log.sqlite", "keys", "access")
GAME, PLAN_VERSION = "acme.wheel", "2026-11-01"
PLAN = (
    games.document("69games.lucky_wheel", "unknown")
    .replace("69games.lucky_wheel", GAME)
    .replace('"unknown"', f'"{PLAN_VERSION}"\nname_en = "Acme Wheel"', 1)
)
FACTS = {
    "account list": ("accounts", ("account", "position", "status")),
    "balances": ("balances", ("account", "wallet", "reserved", "in_play", "withdrawals", "claims")),
    "bet list": ("bets", ("bet", "account", "wording", "stake", "paid", "status")),
    "round list": (
        "rounds",
        ("round", "game", "plan_version", "wording", "bets", "stakes", "paid", "status"),
    ),
    "tournament list": ("", ("tournament", "game", "entries", "money_pool", "prize_pool")),
}
"""Questions, where their rows are, and of each row what no version may change."""
BY_LIMIT = {"account list", "bet list", "round list"}


def answers(data: Path) -> dict[str, Any]:
    """Ask a chain: its head, accounts, bets, rounds and tournaments, and what is found."""
    with closing(DataDirectory(data, LOCAL).read()) as log:
        head = log.head()
    found: dict[str, Any] = {"size": head.size, "head": head.hash.hex()}
    for question, (rows, fields) in FACTS.items():
        limit = ("--limit", "1000") if question in BY_LIMIT else ()
        answer = _ask(data, *question.split(), *limit)
        found[question] = [
            [row[field] for field in fields] for row in (answer[rows] if rows else answer)
        ]
    findings = _ask(data, "reconcile")["findings"]
    found["findings"] = sorted([one["code"], one["position"], one["amount"]] for one in findings)
    return found


def _ask(data: Path, *question: str) -> Any:
    done = run(*question, "--json", data=data)
    assert done.returncode in {0, 1}, done.stderr
    return json.loads(done.stdout)


def evening(data: Path) -> None:
    """Play into a data directory, publish a plan, sign a checkpoint, read through the service."""
    size = ("--seed", "7", "--hours", "0.05", "--players", "8", "--games", "all", "--casino")
    done = run("simulate", *size, data=data)
    assert done.returncode == 0, done.stderr
    with going_on(data) as ledger:
        ledger.execute(ListGame(game=GAME, name="Acme"))
        begin = datetime.fromisoformat(PLAN_VERSION).replace(tzinfo=UTC)
        published = PublishRules(
            game=GAME, plan_version=PLAN_VERSION, effective_from=begin, document=PLAN
        )
        assert ledger.execute(published).refused is None
        key = SigningKey.create(DataDirectory(data, LOCAL).signing_key_path, ledger.chain)
        added = {"key_id": key.key_id, "public_key": key.public.raw, "reason": "golden"}
        ledger.execute(AddSigningKey(**added))
        ledger.execute(RecordCheckpoint.of(ledger.checkpoint(), key))
    with Service.over(data) as service:
        for path in ("/api/balances", "/api/rounds", "/rounds"):
            assert service.get(path).status_code == HTTPStatus.OK
    shutil.rmtree(data.with_name("copy"))


def going_on(data: Path) -> Ledger:
    """Open a chain for writing an hour behind its last message, whatever the time is here."""
    directory = DataDirectory(data, LOCAL)
    with closing(directory.read()) as log:
        ((_, last),) = log.read(log.head().size - 1)
    return directory.lead(clock=StoppedClock(decode_envelope(last).recorded_at + HOUR))


def unpacked(fixture: Path, data: Path) -> dict[str, Any]:
    """Unpack the chain of a release; return the answers of the version that wrote it."""
    with tarfile.open(fixture) as archive:
        archive.extractall(data, filter="tar")
    found: dict[str, Any] = json.loads((data / ANSWERS).read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Write the fixture of this version."""
    with TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        evening(data)
        (data / ANSWERS).write_text(json.dumps(answers(data)), encoding="utf-8")
        fixture = FOLDER / f"{VERSION}.tar.xz"
        with tarfile.open(fixture, "w:xz", preset=9) as archive:
            for name in (ANSWERS, *KEPT):
                archive.add(data / name, name, filter=_nobodys)
    sys.stdout.write(f"{fixture}: {fixture.stat().st_size:,} bytes\n")


def _nobodys(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Keep logs and keys, without indexes, locks and owners."""
    name = Path(entry.name).name
    if name.startswith(("index.", "tree.", "tag_map.")) or name.endswith(".lock"):
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


if __name__ == "__main__":
    main()
