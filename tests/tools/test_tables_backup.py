"""A server's tables are backed up with their watermark, restored on another, and projected on."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.log.sqlite import SqliteLog
from projections.store import backup
from projections.store.clickhouse import ClickHouseServer
from projections.store.projector import Projector, recover
from projections.store.servers import digests_of
from projections.store.tables import Store
from tests.tools.cli_cases import answers, bet, run, run_here
from tests.tools.test_locations import PASSWORD, served

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

VARIABLES = {"GAMELEDGER_CLICKHOUSE_PASSWORD": PASSWORD}
CONFIG = """<clickhouse>
<backups><allowed_disk>backups</allowed_disk></backups>
<storage_configuration>
  <disks>
    <backups><type>local</type><path>{folder}/backups/</path></backups>
    <cold><type>local</type><path>{own}/cold/</path></cold>
  </disks>
  <policies><years><volumes>
    <hot><disk>default</disk></hot><cold><disk>cold</disk></cold>
  </volumes></years></policies>
</storage_configuration>
<merge_tree><storage_policy>years</storage_policy></merge_tree>
</clickhouse>
"""


def configured(folder: Path, name: str) -> Path:
    """Return the path of an engine that may back up to a disk which all of them share."""
    own = folder / name
    (own / "cold").mkdir(parents=True)
    (folder / "backups").mkdir(exist_ok=True)
    config = folder / f"{name}.xml"
    config.write_text(CONFIG.format(folder=folder, own=own))
    return Path(f"{own}-tables?config-file={config}")


@pytest.mark.slow
def test_backup_is_restored_on_another_server_and_projected_on(
    studio: Path, tmp_path: Path
) -> None:
    """Rehearsed on the engine: the second server has nothing but the disk of the backups."""

    def at(url: str, *arguments: str) -> str:
        done = run_here(
            "--clickhouse", f"{url}live", *arguments, data=studio, environment=VARIABLES
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    with served(configured(tmp_path, "first")) as first:
        at(first, "project")
        made = json.loads(at(first, "tables", "backup", "night-1", "--json"))
        (receipt,) = answers(run("record", data=studio, lines=[bet(1)]))
        at(first, "project")
        with served(configured(tmp_path, "second")) as second:
            restored = json.loads(at(second, "tables", "restore", "night-1", "--json"))
            assert restored == made
            assert made["position"] <= receipt["last_position"]
            at(second, "project")
            assert at(second, "balances", "--json") == run("balances", "--json", data=studio).stdout
            equal = at(first, "--clickhouse", f"{first}live,{second}live", "tables", "compare")
            assert "All are equal." in equal
            twice = run_here(
                *("--clickhouse", f"{first}live", "tables", "backup", "night-1"),
                data=studio,
                environment=VARIABLES,
            )
            assert (twice.returncode, "already exists" in twice.stderr) == (4, True)


@pytest.mark.slow
def test_backup_made_while_rows_come_ends_at_its_watermark(
    studio: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = backup._finish
    with (
        served(configured(tmp_path, "first")) as url,
        closing(SqliteLog(studio, writable=False)) as log,
        Store.open(ClickHouseServer.parse(f"{url}live", password=PASSWORD)) as store,
    ):
        Projector(log, store).catch_up()
        before, head = digests_of(store), log.head()

        def finish_and_project(client: Client, statement: str) -> None:
            finish(client, statement)
            if statement.startswith("BACKUP TABLE"):
                assert answers(run("record", data=studio, lines=[bet(1)]))
                Projector(log, store).catch_up()

        monkeypatch.setattr(backup, "_finish", finish_and_project)
        store.back_up("backups", "night-2")
        assert digests_of(store) != before
        with store.restored_generation("backups", "night-2") as fresh:
            assert fresh.head == recover(log, fresh) == head
            assert digests_of(fresh) == before
            Projector(log, fresh).catch_up()
            assert digests_of(fresh) == digests_of(store)


@pytest.mark.slow
def test_year_is_moved_to_another_volume_of_the_policy(studio: Path, tmp_path: Path) -> None:
    assert answers(run("record", data=studio, lines=[bet(1)]))
    with (
        served(configured(tmp_path, "first")) as url,
        closing(SqliteLog(studio, writable=False)) as log,
        Store.open(ClickHouseServer.parse(f"{url}live", password=PASSWORD)) as store,
    ):
        Projector(log, store).catch_up()
        before = digests_of(store)
        (placed,) = store.rows(
            "SELECT toYear(fromUnixTimestamp64Micro(recorded_at)) AS year FROM BetPlaced"
        )
        for table in ("BetPlaced", "postings", "facts_of_bets"):
            store.command(f"ALTER TABLE {table} MOVE PARTITION {placed['year']} TO VOLUME 'cold'")
        moved = store.rows(
            "SELECT DISTINCT table, partition FROM system.parts "
            "WHERE database = currentDatabase() AND active AND disk_name = 'cold' ORDER BY table"
        )
        year = str(placed["year"])
        assert [(one["table"], one["partition"]) for one in moved] == [
            ("BetPlaced", year),
            ("facts_of_bets", year),
            ("postings", year),
        ]
        assert digests_of(store) == before
