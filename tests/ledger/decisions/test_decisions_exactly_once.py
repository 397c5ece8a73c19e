"""Each command is decided once; a repeat gets the first receipt."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from threading import Event as Gate
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest

from ledger import batch_decider, chain
from ledger.core.errors import AvailabilityError, InputError
from ledger.decisions.payments.payments import Deposit
from ledger.decisions.rounds.betting import PlaceBet
from ledger.events import event_types as e
from ledger.log.memory import MemoryLog
from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore
from ledger.writer import Ledger
from tests.ledger.decisions.decisions_casino import Casino, command

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from ledger.core.message import Head, Message
    from ledger.events.event_types import Event

ID = "00000000-0000-0000-0000-000000000001"
DEPOSIT = {"account": "anna", "deposit": "d", "amount": 100, "method": "bank", "command_id": ID}
LISTED = {"account": "anna", "session": "again", "register": "listed", "command_id": ID}


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("deposit", DEPOSIT),
        ("deposit", DEPOSIT | {"method": "friend", "received": True}),
        ("log_in", LISTED),
        ("file_complaint", {"account": "anna", "case": "c", "grounds": "g", "command_id": ID}),
        ("pay_withdrawal", {"account": "anna", "withdrawal": "w", "command_id": ID}),
        ("open_round", {"round": "q", "table": "r1", "command_id": ID}),
    ],
)
def test_a_repeat_gets_the_first_receipt_also_from_a_reopened_ledger(
    casino: Casino, name: str, facts: dict[str, Any]
) -> None:
    casino.at("2026-02-03 00:00")
    first = casino.send(name, **facts)
    assert first.command_id == ID
    casino.wait(minutes=60)
    head = casino.ledger.head
    assert casino.send(name, **facts) == first
    assert casino.ledger.head == head
    with casino.as_reopened():
        head = casino.ledger.head
        assert casino.send(name, **facts) == first
        assert casino.ledger.head == head


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("deposit", DEPOSIT | {"amount": 101}),
        ("deposit", DEPOSIT | {"actor": "somebody else"}),
        ("log_out", {"account": "anna", "command_id": ID}),
    ],
)
def test_other_content_under_the_same_identifier_is_an_error(
    casino: Casino, name: str, facts: dict[str, Any]
) -> None:
    first = casino.send("deposit", **DEPOSIT)
    words = f"command_id {ID} was used at position {first.first_position} .* of its own"
    casino.fail(words, name, **facts)
    with casino.as_reopened():
        casino.fail(words, name, **facts)


def test_an_identifier_that_led_to_an_input_error_is_still_free(casino: Casino) -> None:
    casino.fail("unknown", "deposit", **DEPOSIT | {"account": "nobody"})
    assert casino.send("deposit", **DEPOSIT).refused is None


def test_without_an_identifier_each_command_is_a_new_one(casino: Casino) -> None:
    first = casino.send("file_complaint", account="anna", case="c1", grounds="g")
    second = casino.send("file_complaint", account="anna", case="c2", grounds="g")
    assert first.command_id != second.command_id


class GatedLog(MemoryLog):
    """A log whose appends wait, so that what is submitted meanwhile is one batch."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = Gate()
        self.gate.set()
        self.sizes: list[int] = []
        self.broken = False

    def append(self, messages: Sequence[Message]) -> Head:
        self.gate.wait(120)
        if self.broken:
            raise AvailabilityError("the disk is full")
        self.sizes.append(len(messages))
        return super().append(messages)


@pytest.fixture
def gated(tmp_path: Path) -> tuple[Casino, GatedLog]:
    """Give a casino with a player over a log with a gate."""
    log = GatedLog()
    casino = Casino(tmp_path, log)
    casino.open_house()
    casino.player()
    return casino, log


def deposit(name: str, amount: int, number: int) -> Deposit:
    facts = {"account": "anna", "deposit": name, "amount": amount, "method": "bank"}
    return Deposit(command_id=UUID(int=number), **facts)


def test_within_one_batch_a_repeat_and_a_reuse_are_found(gated: tuple[Casino, GatedLog]) -> None:
    casino, log = gated
    log.gate.clear()
    commands = [deposit("a", 1, 1), deposit("b", 2, 2), deposit("b", 2, 2), deposit("c", 3, 2)]
    futures = [casino.ledger.submit(each) for each in commands]
    log.gate.set()
    first, second, repeat = (future.result(10) for future in futures[:3])
    assert log.sizes[-1] == 1 or first.first_position + 1 == second.first_position
    assert repeat == second
    with pytest.raises(InputError, match="other content"):
        futures[3].result(10)
    assert casino.account().wallet == 100_000_03
    casino.ledger.close()


def test_where_batches_end_makes_no_difference(gated: tuple[Casino, GatedLog]) -> None:
    casino, log = gated
    round_ = casino.open_round()
    before = len(log.sizes)
    log.gate.clear()
    bets = [
        PlaceBet(bet=f"{round_}-{n}", account="anna", round=round_, bet_code="red", stake=n + 1)
        for n in range(40)
    ]
    futures = [casino.ledger.submit(bet) for bet in bets]
    log.gate.set()
    receipts = [future.result(10) for future in futures]
    # What is stored first, what was decided meanwhile, and what had come by then.
    assert len(log.sizes) - before <= 3
    positions = [receipt.first_position for receipt in receipts]
    assert positions == list(range(positions[0], positions[0] + 40))
    casino.assert_cold_is_hot()
    casino.ledger.close()


def test_what_was_refused_and_what_follows_it_may_share_a_batch(
    gated: tuple[Casino, GatedLog],
) -> None:
    casino, log = gated
    casino.do("suspend_table", table="r1", cause="camera")
    log.gate.clear()
    again = {"round": "q", "table": "r1"}
    texts = [
        ("file_complaint", {"account": "anna", "case": "c", "grounds": "g"}),
        ("open_round", again),
        ("resume_table", {"table": "r1", "cause": "works"}),
        ("open_round", again),
    ]
    futures = [casino.ledger.submit(command(name, **given)) for name, given in texts]
    log.gate.set()
    refusals = [future.result(10).refused for future in futures]
    assert [refused and refused.code for refused in refusals] == [
        None, "TABLE_SUSPENDED", None, None
    ]  # fmt: skip
    casino.ledger.close()


def test_a_name_taken_in_the_same_batch_is_taken(gated: tuple[Casino, GatedLog]) -> None:
    casino, log = gated
    log.gate.clear()
    complaint = {"account": "anna", "case": "c", "grounds": "g"}
    futures = [casino.ledger.submit(command("file_complaint", **complaint)) for _ in range(3)]
    log.gate.set()
    assert futures[0].result(10).refused is None
    for future in futures[1:]:
        with pytest.raises(InputError, match="case c exists already"):
            future.result(10)
    casino.ledger.close()


def test_what_could_not_be_stored_is_not_acknowledged_and_may_be_sent_again(
    gated: tuple[Casino, GatedLog],
) -> None:
    casino, log = gated
    log.broken = True
    with pytest.raises(AvailabilityError, match="disk is full"):
        casino.send("deposit", **DEPOSIT)
    log.broken = False
    assert casino.account().wallet == 100_000_00
    casino.do("deposit", **DEPOSIT)
    assert casino.account().wallet == 100_001_00
    casino.assert_cold_is_hot()
    casino.ledger.close()


@pytest.mark.parametrize(
    "error", [AvailabilityError("away"), RuntimeError("can't start new thread")]
)
@pytest.mark.parametrize("name", ["head", "commands"])
def test_everybody_is_answered_whatever_a_log_fails_with(
    gated: tuple[Casino, GatedLog], monkeypatch: pytest.MonkeyPatch, error: Exception, name: str
) -> None:
    """Also where an append has failed and the state has to be read again."""
    casino, log = gated

    def fail(*_: object) -> None:
        raise error

    with monkeypatch.context() as patched:
        log.broken = name == "head"
        patched.setattr(log, name, fail)
        futures = [casino.ledger.submit(deposit(f"x{number}", 1, number)) for number in (1, 2)]
        errors = [future.exception(120) for future in futures]
    assert {type(one) for one in errors} == {AvailabilityError}
    assert (casino.ledger.broken is not None) == (name == "head")
    casino.ledger.close()


def test_a_bug_in_the_first_decision_leaves_nothing_for_the_next(
    gated: tuple[Casino, GatedLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record that this writer took over is linked before it, and is not stored without it."""
    casino, log = gated
    monkeypatch.setattr(log, "close", lambda: None)
    casino.ledger.close()
    link = chain.link

    def failing(head: Head, events: Sequence[Event], **facts: Any) -> Any:
        if isinstance(events[0], e.DepositCredited):
            raise ZeroDivisionError
        return link(head, events, **facts)

    with Ledger(log, KeyStore(casino.keys), clock=casino.clock) as ledger:
        with monkeypatch.context() as patched:
            patched.setattr(chain, "link", failing)
            with pytest.raises(ZeroDivisionError):
                ledger.execute(deposit("x", 1, 1))
        assert ledger.execute(deposit("x", 1, 1)).refused is None


def test_what_comes_after_a_command_that_could_not_be_looked_up_is_not_decided(
    gated: tuple[Casino, GatedLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Although it is taken while the first has no answer yet: their order holds when sent again."""
    casino, log = gated
    look_up, give = log.commands, casino.ledger._steps._deliver

    def failing(identifiers: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        if UUID(int=1).bytes in identifiers:
            raise OSError("too many open files")
        return look_up(identifiers)

    def late(*answer: Any) -> None:
        Gate().wait(0.3)
        give(*answer)

    monkeypatch.setattr(log, "commands", failing)
    monkeypatch.setattr(batch_decider, "BATCH_DECISIONS_MAX", 1)
    monkeypatch.setattr(casino.ledger._steps, "_deliver", late)
    first = casino.ledger.submit(deposit("x1", 1, 1))
    second = casino.ledger.submit(deposit("x2", 1, 2), after=first)
    assert isinstance(first.exception(120), AvailabilityError)
    with pytest.raises(AvailabilityError, match="send both again"):
        second.result(120)
    casino.ledger.close()


def test_a_disk_that_fails_in_a_decision_is_no_fault_of_the_command(
    gated: tuple[Casino, GatedLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    casino, _ = gated

    def failing(*_: object) -> None:
        raise OSError("too many open files")

    with monkeypatch.context() as patched:
        patched.setattr(batch_decider, "decide", failing)
        with pytest.raises(AvailabilityError, match="too many open files"):
            casino.ledger.execute(deposit("x", 1, 1))
    assert casino.ledger.execute(deposit("x", 1, 1)).refused is None
    casino.ledger.close()


def test_who_stops_to_wait_takes_nothing_back(gated: tuple[Casino, GatedLog]) -> None:
    casino, log = gated
    log.gate.clear()
    futures = [casino.ledger.submit(deposit(f"x{number}", 1, number)) for number in (1, 2)]
    assert not futures[0].cancel()
    log.gate.set()
    assert [future.result(120).refused for future in futures] == [None, None]
    casino.ledger.close()


def test_receipts_prove_place_and_hash(casino: Casino) -> None:
    receipt = casino.send("deposit", **DEPOSIT | {"command_id": str(uuid4())})
    assert receipt.chain == "sazka-live"
    assert receipt.first_position == receipt.last_position == casino.ledger.head.size - 1
    assert receipt.hash == casino.ledger.head.hash.hex()
    assert receipt.recorded_at == casino.clock.moment


def test_a_repeat_is_known_also_when_the_index_forgot_it(tmp_path: Path) -> None:
    """Whoever takes rows out of the index must not have a command decided twice."""
    folder = tmp_path / "log"
    casino = Casino(tmp_path, SqliteLog(folder, writable=True))  # type: ignore[arg-type]
    casino.open_house()
    casino.player()
    first = casino.send("deposit", **DEPOSIT)
    casino.ledger.close()
    with closing(sqlite3.connect(folder / "index.sqlite")) as index, index:
        forgotten = index.execute("DELETE FROM entry WHERE instr(key, ?)", (UUID(ID).bytes,))
        assert forgotten.rowcount == 1
    log = SqliteLog(folder, writable=True)
    with Ledger(log, KeyStore(casino.keys), clock=casino.clock) as ledger:
        head = ledger.head
        assert ledger.execute(command("deposit", **DEPOSIT)) == first
        assert ledger.head == head
