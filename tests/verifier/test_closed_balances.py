"""Balances at the close of a period: both verifiers accept the true one, and refuse the same."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

import schemas
from ledger.core.errors import InputError, IntegrityError
from ledger.events import event_types as e
from ledger.log.checkpoints import last_note
from projections.evidence.balance import (
    BalanceProof,
    balance_proof,
    balances_root,
    parse_balance,
    verify_balance,
)
from tests.ledger.chain_cases import published
from tests.ledger.log.test_tiles import SignedLog
from tests.verifier.verifier_cases import theirs

if TYPE_CHECKING:
    from pathlib import Path

BALANCES = {f"a-{number:04}": 100 * number for number in range(300)} | {"a-minus": -5}
DAY, OTHER_DAY = "2026-11-20", "2026-11-21"
FLIPS = 150


class ClosedLog(SignedLog):
    """A log in which balances are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.add(published(schemas.newest()["BalancesClosed"]))

    def close(self, period: str, balances: dict[str, int]) -> None:
        self.add(
            e.BalancesClosed(
                period=period,
                size=self.chain.head.size,
                count=len(balances),
                total=sum(balances.values()),
                root=balances_root(balances),
            )
        )


@pytest.fixture
def log() -> ClosedLog:
    found = ClosedLog()
    found.close(DAY, BALANCES)
    found.close(OTHER_DAY, BALANCES | {"a-0007": 1})
    found.sign()
    return found


def judged(folder: Path, log: SignedLog, text: str) -> int:
    """Return the exit code of both verifiers, which is the same."""
    try:
        verify_balance(parse_balance(text), [log.key.public])
        ours = 0
    except IntegrityError:
        ours = 3
    (folder / "balance").write_text(text, newline="")
    (folder / "keys").write_text(log.key.public.text)
    code = theirs("balance", folder / "balance", "--key", folder / "keys").code
    assert code == ours, text
    return code


def test_a_recorded_balance_is_proved(log: ClosedLog, tmp_path: Path) -> None:
    for account in ("a-0000", "a-0007", "a-minus"):
        proof = balance_proof(log.log, DAY, account, BALANCES)
        assert judged(tmp_path, log, str(proof)) == 0
        proved = verify_balance(proof, [])
        assert (proved.account, proved.amount) == (account, BALANCES[account])
        assert (proved.closing.period, len(str(proof)) < 2048) == (DAY, True)
    for ours in (log.key.public.text, "gone"):
        (tmp_path / "keys").write_text(ours)
        found = theirs("balance", tmp_path / "balance", "--key", tmp_path / "keys")
        assert found.code == (0 if ours != "gone" else 2)
    assert theirs("balance", tmp_path / "balance").code == 1


def test_what_is_not_so_is_refused(log: ClosedLog, tmp_path: Path) -> None:
    """A false balance, another account, another period, another chain."""
    proof = balance_proof(log.log, DAY, "a-0007", BALANCES)
    other = balance_proof(log.log, OTHER_DAY, "a-0007", BALANCES | {"a-0007": 1})
    stranger = ClosedLog()
    stranger.close(DAY, BALANCES | {"a-0007": 9})
    note = stranger.sign()
    for wrong in (
        proof._replace(amount=701),
        proof._replace(account="a-0008"),
        proof._replace(account="a-0008", amount=800),
        proof._replace(message=other.message),
        proof._replace(message=other.message, accounts=other.accounts, amount=1),
        proof._replace(tags=other.tags),
        proof._replace(closings=2),
        proof._replace(closings=2, entries=bytes(32)),
        proof._replace(accounts=proof.accounts[32:]),
        proof._replace(accounts=bytes(257 * 32)),
        proof._replace(account=""),
        proof._replace(note=note),
        proof._replace(note="none"),
    ):
        assert judged(tmp_path, log, str(wrong)) == 3


def test_a_closing_that_was_corrected_is_refused(log: ClosedLog, tmp_path: Path) -> None:
    """The old file was true for its checkpoint; nothing proves the old balance against the new."""
    before = balance_proof(log.log, DAY, "a-0007", BALANCES)
    corrected = BALANCES | {"a-0007": 650}
    log.close(DAY, corrected)
    with pytest.raises(InputError, match="is not covered"):
        balance_proof(log.log, DAY, "a-0007", corrected)
    note = log.sign()
    after = balance_proof(log.log, DAY, "a-0007", corrected)
    assert (after.amount, after.closings) == (650, 2)
    assert judged(tmp_path, log, str(after)) == 0
    assert judged(tmp_path, log, str(before)) == 0
    assert judged(tmp_path, log, str(before._replace(note=note))) == 3
    first = {"message": before.message, "accounts": before.accounts, "amount": before.amount}
    for wrong in (
        after._replace(**first),
        after._replace(**first, closings=1, entries=b""),
        before._replace(note=note, tags=after.tags),
    ):
        assert judged(tmp_path, log, str(wrong)) == 3
    with pytest.raises(IntegrityError, match="are not those that position"):
        balance_proof(log.log, DAY, "a-0007", BALANCES)


@pytest.mark.slow
def test_judges_agree_over_flipped_bits(log: ClosedLog, tmp_path: Path) -> None:
    text = str(balance_proof(log.log, DAY, "a-0007", BALANCES)).encode()
    draw = Random("balance")
    for _ in range(FLIPS):
        damaged = bytearray(text)
        damaged[draw.randrange(text.index(b"\n\n"))] ^= 1 << draw.randrange(7)
        assert judged(tmp_path, log, damaged.decode()) == 3


def test_what_has_no_closing_can_not_be_proved(log: ClosedLog) -> None:
    with pytest.raises(InputError, match="no closing of 2026-11 is recorded"):
        balance_proof(log.log, "2026-11", "a-0007", BALANCES)
    with pytest.raises(InputError, match="had no balance"):
        balance_proof(log.log, DAY, "stranger", BALANCES)
    assert last_note(log.log)
    assert isinstance(balance_proof(log.log, DAY, "a-0007", BALANCES), BalanceProof)
