"""A crash at any step loses nothing, doubles nothing, half applies nothing."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError
from ledger.events import event_types as e
from ledger.events.encoding import decode
from projections.store.projector import FEW, Projector
from projections.store.rebuild import rebuild
from tests.projections.projection_cases import Chain, any_event, money_history, seeded
from tests.projections.projection_faults import (
    DoublingStore,
    FaultError,
    as_faulty,
    digests,
    event_rows,
)
from tests.search import amount, sample

if TYPE_CHECKING:
    from projections.store.tables import Store


HERE = Path(__file__).parents[1]
LANDED = e.BallLanded(round="r-1", number=17)


def start_over(store: Store) -> None:
    """Forget the watermark: the next projector takes everything back and begins at 0."""
    store.command("TRUNCATE TABLE watermark")


def test_crash_at_every_step_loses_and_doubles_nothing(store: Store, chain: Chain) -> None:
    """Two blocks a run, crash at each of its writes, repair with a new projector.

    A search crashes at all of them, otherwise at every second one.
    """
    draw, faulty = seeded(4), as_faulty(store)

    def decide_some() -> None:
        for name in ("BetPlaced", "BallLanded", "BetSettled", "BetPlaced"):
            chain.decide(any_event(draw, name), any_event(draw, name))

    decide_some()
    faulty.plan(0)
    Projector(chain.log(), faulty, messages_max=5).catch_up()
    steps = faulty.steps_seen
    assert steps == 2 * (3 + 1) + 2 * (1 + 1)
    apart = amount(2, 1)
    for step in range(1 + random.randrange(apart), steps + 1, apart):
        decide_some()
        faulty.plan(step)
        with pytest.raises(FaultError):
            Projector(chain.log(), faulty, messages_max=5).catch_up()
        Projector(chain.log(), store, messages_max=5).catch_up()
        assert event_rows(store) == chain.head.size, f"after a crash at step {step}"
    found = digests(store)
    rebuild(chain.log(), store)
    assert digests(store) == found
    faulty.close()


@pytest.mark.parametrize("few", [FEW, 0])
def test_projector_repairs_itself_after_an_error(
    store: Store, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    """Also where the messages of a block go over two connections."""
    monkeypatch.setattr("projections.store.projector.FEW", few)
    chain = money_history(12, 60)
    faulty = as_faulty(store)
    projector = Projector(chain.log(), faulty, messages_max=20)
    faulty.plan(15)
    with pytest.raises(FaultError):
        projector.catch_up()
    projector.catch_up()
    found = digests(store)
    start_over(store)
    Projector(chain.log(), store).catch_up()
    assert digests(store) == found
    faulty.close()


def test_rows_are_taken_back_where_a_killed_rebuild_held_merges(store: Store) -> None:
    """To delete rows waits for the merges of their table: for ever, as long as they are held."""
    chain = money_history(12, 30)
    Projector(chain.log(), store).catch_up()
    wanted = digests(store)
    for table in ("BetPlaced", "postings"):
        store.merge(table, is_on=False)
    start_over(store)
    Projector(chain.log(), store).catch_up()
    assert digests(store) == wanted


def test_rows_that_only_a_view_wrote_are_taken_back(store: Store) -> None:
    chain = money_history(13, 30)
    Projector(chain.log(), store).catch_up()
    wanted = digests(store)
    store.command(
        "INSERT INTO postings (position, posting, kind, account, amount) "
        "SELECT {size:Int64} + arrayJoin([0, 10]), 0, 'wallet', 'a-1', 5",
        size=chain.head.size,
    )
    Projector(chain.log(), store).catch_up()
    assert digests(store) == wanted


def run_process(path: Path, step: int, way: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own script
        [sys.executable, HERE / "killed_projection.py", path, "21", str(step), way],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={"PYTHONPATH": f"{HERE}:{HERE.parent.parent}", "PATH": "/usr/bin:/bin"},
    )


@pytest.mark.search
def test_killed_process_loses_and_doubles_nothing(store: Store, tmp_path: Path) -> None:
    """Kill, then finish; the tables equal those of an undisturbed run.

    A search kills at three places, otherwise at one of them. A rebuild that is killed then leaves
    them in use, and no leftovers.
    """
    Projector(money_history(21, 200).log(), store, messages_max=90).catch_up()
    for step in sample((8, 34, 36), 1):
        assert run_process(tmp_path / "ch", step, "project").returncode == -9
    done = run_process(tmp_path / "ch", 0, "project")
    assert done.returncode == 0, done.stderr
    wanted = json.loads(json.dumps({"digests": digests(store), "databases": 1}))
    assert json.loads(done.stdout) == wanted
    assert run_process(tmp_path / "ch", 20, "rebuild").returncode == -9
    again = run_process(tmp_path / "ch", 0, "project")
    assert json.loads(again.stdout) == json.loads(done.stdout)


def test_insert_that_a_connection_repeats_is_found_and_taken_back(store: Store) -> None:
    chain = money_history(16, 40)
    doubling = DoublingStore(store._connect, store._name, store.generation)
    doubling.doubled = decode(chain.messages[0]).event.type
    projector = Projector(chain.log(), doubling)
    with pytest.raises(AvailabilityError, match="another projector"):
        projector.catch_up()
    assert store.position == 0
    doubling.doubled = ""
    projector.catch_up()
    assert event_rows(store) == chain.head.size
    doubling.close()
