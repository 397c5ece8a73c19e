"""What the projector derives is the same in any steps, after a crash and after a rebuild."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import projections
from ledger import games
from ledger.core.clock import HOUR
from ledger.events.encoding import decode_envelope
from ledger.games.roulette import RoulettePlan
from projections.fairness.corrections import corrected_rounds
from projections.fairness.house import house_results
from projections.questions.balances import all_balances, trial_balance
from projections.questions.continuous_play import play
from projections.questions.over_time import house_by_day
from projections.store.definitions import derivations
from projections.store.device_days import devices_at
from projections.store.projector import Projector
from projections.store.rebuild import rebuild
from tests.projections.history_cases import emptied
from tests.projections.projection_cases import ListLog, money_history
from tests.projections.random_rounds import histories, recorded
from tests.search import amount

if TYPE_CHECKING:
    from projections.store.tables import Store
    from tests.projections.projection_cases import Chain

TABLES = {
    "day_ends": "position",
    "daily_devices": "position, kind, name, game, version",
    "daily_house": "position, game, version, bet",
    "daily_postings": "kind, account, position",
    "daily_movements": "position, kind, event, game, table",
    "evaluated_play": "account, position",
}

HOUSE = """
WITH
    paid AS
    (
        SELECT bet, sum(paid) AS won, countIf(result = 'void') AS voided
        FROM BetSettled WHERE position < {size:Int64} GROUP BY bet
    ),
    more AS
    (
        SELECT bet, sum(of_win) AS won, sum(of_stake) AS staked
        FROM
        (
            SELECT bet, difference AS of_win, 0 AS of_stake
            FROM WinCorrected WHERE position < {size:Int64}
            UNION ALL
            SELECT bet, 0, difference FROM BetCorrected WHERE position < {size:Int64}
        )
        GROUP BY bet
    ),
    opened AS
    (
        SELECT round, any(game) AS game, any(plan_version) AS version
        FROM RoundOpened WHERE position < {size:Int64} GROUP BY round
    )
SELECT
    opened.game AS game, opened.version AS version, placed.bet_code AS bet, placed.round AS round,
    groupArray((placed.selection, placed.stake + more.staked)) AS stakes,
    sum(paid.won + more.won) AS won
FROM BetPlaced AS placed
INNER JOIN paid ON placed.bet = paid.bet
LEFT JOIN more ON placed.bet = more.bet
INNER JOIN opened ON placed.round = opened.round
WHERE placed.position < {size:Int64} AND paid.voided = 0
GROUP BY game, version, bet, round"""
"""The bets of each round at once."""


def house(store: Store, at: int) -> list[dict[str, Any]]:
    """Compute the house's results round by round, with every bet found in the plan again."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in store.rows(HOUSE, size=at):
        bet = row["game"], row["version"], row["bet"]
        whole = found.setdefault(
            bet, {"rounds": 0, "staked": 0, "kept": 0, "due": 0, "variance": 0}
        )
        payouts = [Fraction(0)] * 37
        for selection, stake in row["stakes"]:
            plan = games.plan(*bet[:2])
            assert isinstance(plan, RoulettePlan)
            laid = plan.find_bet(bet[2], json.loads(selection) if selection else None)
            payouts = [
                paid + Fraction(stake * chips, laid.chips)
                for paid, chips in zip(payouts, laid.returns, strict=True)
            ]
        stakes, mean = sum(stake for _, stake in row["stakes"]), sum(payouts) / 37
        whole["rounds"] += 1
        whole["staked"] += stakes
        whole["kept"] += stakes - row["won"]
        whole["due"] += stakes - mean
        whole["variance"] += sum((paid - mean) ** 2 for paid in payouts) / 37
    return [
        dict(zip(("game", "version", "bet"), bet, strict=True)) | whole
        for bet, whole in sorted(found.items())
    ]


def house_as_known(store: Store, at: int) -> list[dict[str, Any]]:
    return [
        {
            **{name: getattr(one, name) for name in ("game", "version", "bet", "rounds")},
            "staked": one.staked,
            "kept": one.kept,
            "due": one.expected,
            "variance": pytest.approx(
                float((one.kept - (one.expected or 0)) / (one.deviations or 1)) ** 2
            ),
        }
        for one in house_results(store, at=at)
    ]


def derived(store: Store) -> dict[str, list[dict[str, Any]]]:
    return {
        name: store.rows(f"SELECT * FROM {name} ORDER BY {order}")  # noqa: S608 - own names
        for name, order in TABLES.items()
    }


def answers(store: Store, at: int) -> tuple[Any, ...]:
    asked = (all_balances, trial_balance, play, house_by_day, house_results, corrected_rounds)
    devices = {key: str(one) for key, one in devices_at(store, at).items()}
    return (*(ask(store, at=at) for ask in asked), devices)  # type: ignore[operator]


def in_steps(chain: Chain, cuts: list[int], store: Store) -> None:
    """Project in steps, each by a projector of its own."""
    for cut in (*cuts, chain.head.size):
        log = ListLog(chain.messages[:cut])
        Projector(log, store).catch_up()


def crashed_at(chain: Chain, cut: int, store: Store) -> None:
    """Leave the rows of all that follows a place, without the watermark above it."""
    Projector(ListLog(chain.messages[:cut]), store).catch_up()
    Projector(chain.log(), store).catch_up()
    store.command(f"ALTER TABLE watermark DELETE WHERE size > {cut} SETTINGS mutations_sync = 2")
    assert store.position == cut


@settings(
    max_examples=amount(2, 20),
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_steps_a_crash_and_a_rebuild_derive_the_same(store: Store, data: Any) -> None:
    if data.draw(st.booleans()):
        chain = money_history(data.draw(st.integers(0, 2**32)), 150, has_days=True)
    else:
        chain = recorded(data.draw(histories()), HOUR)
    size = chain.head.size
    ends = [at for at in range(1, size) if not decode_envelope(chain.messages[at]).decision_index]
    cuts = sorted(data.draw(st.sets(st.sampled_from(ends), min_size=2, max_size=amount(2, 4))))
    rebuild(chain.log(), emptied(store))
    whole = derived(store)
    known = {at: answers(store, at) for at in (*cuts, size)}
    for at in known:
        assert house_as_known(store, at) == house(store, at)
    in_steps(chain, cuts, emptied(store))
    assert derived(store) == whole
    assert {at: answers(store, at) for at in (*cuts, size)} == known
    for at in cuts:
        in_steps(_before(chain, at), [], emptied(store))
        assert answers(store, at) == known[at], "an answer as of a place is that of its day"
    crashed_at(chain, cuts[0], emptied(store))
    Projector(chain.log(), store).catch_up()
    assert derived(store) == whole


def _before(chain: Chain, size: int) -> Chain:
    """Return the beginning of a chain."""
    log = ListLog(chain.messages[:size])
    return type(chain)(head=log.head(), messages=chain.messages[:size])


def test_the_code_of_every_derived_row_is_part_of_the_version() -> None:
    """Tables with rows that other code derived on earlier days are made again."""
    written = {file.read_text() for file in Path(projections.__path__[0]).rglob("*.py")}
    derives = re.compile(rf"\bINSERT INTO ({'|'.join(TABLES)})\b")
    deriving = {text for text in written if derives.search(text)}
    assert {name for text in deriving for name in derives.findall(text)} == set(TABLES)
    assert deriving <= set(derivations())
