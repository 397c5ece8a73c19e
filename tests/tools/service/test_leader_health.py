"""A leader that can't store, or whose log is unsafe, reports it and steps down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.errors import AvailabilityError, InputError
from tools.cli._writer import _in_words
from tools.service import leader_health
from tools.service.leader_health import AGAIN_SECONDS, STEP_DOWN_SECONDS, LeaderHealth
from tools.service.metrics import Metrics
from tools.service.stop import Stop

if TYPE_CHECKING:
    from collections.abc import Callable

FAILED = {"status": "error", "kind": "availability", "text": "the disk is full"}
RECORDED = {"status": "recorded"}


class _Standby:
    """What a lease knows: the settings of the log, and who else waits."""

    def __init__(self) -> None:
        self.others = False
        self.found: InputError | None = None

    def fault(self) -> InputError | None:
        return self.found

    def has_others(self) -> bool:
        return self.others

    def wait(self, timeout_seconds: float) -> bool:
        raise NotImplementedError

    def watch(self, notify: Callable[[Any], None]) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


class _Leader:
    def __init__(self) -> None:
        self.seconds, self.standby, self.stop = 0.0, _Standby(), Stop()
        self.told = list[tuple[str, dict[str, Any]]]()
        self.metrics = Metrics()
        self.health = LeaderHealth(
            self.standby,
            self.stop,
            lambda state, **facts: self.told.append((state, facts)),
            self.metrics,
            now=lambda: self.seconds,
        )

    def pass_seconds(self, seconds: float, *, failing: bool = False) -> None:
        for number in range(1, int(seconds) + 1):
            self.seconds += 1
            if failing:
                self.health.answered(FAILED)
            self.health.check(number)

    @property
    def states(self) -> list[str]:
        return [state for state, _ in self.told]


def test_a_leader_that_can_not_store_is_not_ready_and_says_so_once() -> None:
    leader = _Leader()
    for _ in range(5):
        leader.health.answered(FAILED)
    assert leader.told == [("not_storing", {"text": "the disk is full"})]
    assert not leader.health.is_storing
    assert 'gameledger_storing_fails{chain=""} 1.0' in leader.metrics.text()
    leader.health.answered(RECORDED)
    assert leader.states == ["not_storing", "storing"]
    assert leader.health.is_storing
    assert 'gameledger_storing_fails{chain=""} 0.0' in leader.metrics.text()


def test_it_steps_down_within_its_bound_if_another_process_stands_by() -> None:
    leader = _Leader()
    leader.standby.others = True
    leader.health.answered(FAILED)
    leader.pass_seconds(STEP_DOWN_SECONDS, failing=True)
    assert not leader.stop.is_set
    leader.pass_seconds(1, failing=True)
    assert isinstance(leader.stop.error, AvailabilityError)


def test_alone_it_goes_on_for_it_recovers_by_itself() -> None:
    leader = _Leader()
    leader.health.answered(FAILED)
    leader.pass_seconds(20 * STEP_DOWN_SECONDS, failing=True)
    assert not leader.stop.is_set
    leader.health.answered(RECORDED)
    assert leader.health.is_storing


def test_it_is_ready_again_when_nobody_asks_it_any_more() -> None:
    """A load balancer that looks at ``/ready`` must not keep it out for ever."""
    leader = _Leader()
    leader.health.answered(FAILED)
    leader.pass_seconds(AGAIN_SECONDS)
    assert not leader.health.is_storing
    leader.pass_seconds(1)
    assert leader.health.is_storing


@pytest.mark.parametrize("kind", ["input", "authorization"])
def test_errors_of_clients_say_nothing_of_the_leader(kind: str) -> None:
    leader = _Leader()
    leader.health.answered({"status": "error", "kind": kind, "text": "no such account"})
    assert leader.health.is_storing
    leader.health.answered(FAILED)
    leader.health.answered({"status": "error", "kind": kind, "text": "no such account"})
    assert not leader.health.is_storing


def test_settings_of_the_log_that_change_under_a_leader_are_reported_once_each() -> None:
    leader = _Leader()
    leader.health.check(0)
    assert not leader.told
    leader.standby.found = InputError("retention.ms is 1000, not -1")
    leader.standby.found.add_note("kafka-configs.sh --alter")
    leader.pass_seconds(2 * leader_health.CHECK_SECONDS)
    said = {"text": "retention.ms is 1000, not -1", "commands": ["kafka-configs.sh --alter"]}
    assert leader.told == [("log_unsafe", said)]
    assert 'gameledger_log_unsafe{chain=""} 1.0' in leader.metrics.text()
    leader.standby.found = None
    leader.pass_seconds(leader_health.CHECK_SECONDS)
    assert leader.states == ["log_unsafe", "log_safe"]
    assert not leader.stop.is_set, "a topic that is cured is written on"


def test_command_that_corrects_the_log_stands_on_a_line_of_its_own() -> None:
    said = _in_words("log_unsafe", {"text": "wrong", "commands": ["kafka-configs.sh --alter"]})
    assert said.splitlines() == ["the log is not as it must be: wrong", "kafka-configs.sh --alter"]
