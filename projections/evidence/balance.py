"""Prove the balance of an account at the close of a period, in one small file.

What comes in: a log with a checkpoint, the balances of all accounts at the close, and an account.
What goes out: a text of some 2 KB with the balance, the recorded ``BalancesClosed``, and proofs.
They show that the balance is in the map of accounts whose root the message holds, and that the
message is the last of its period that the signed tag map counts. So neither another balance nor a
closing that was corrected later can be shown. docs/evidence.md describes the text. Rejected: a text
of another form, and one whose proofs do not verify; the error names the place.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import schemas
from ledger.core.errors import InputError, IntegrityError
from ledger.core.message import MESSAGE_BYTES_MAX
from ledger.events import event_types as e
from ledger.events.canonical_form import scan_of
from ledger.events.encoding import decode, hash_of
from ledger.events.schema_book import header_of
from ledger.log.checkpoints import checkpoints
from ledger.log.port import Query, events_at
from ledger.tlog.balance_map import balance_leaf, balance_leaves, balances_root
from ledger.tlog.merkle import (
    HASH_BYTES,
    hashes_in,
    inclusion_of_all,
    nodes_of,
    root_from_multiproof,
)
from ledger.tlog.signing import verify_note
from ledger.tlog.tag_map import (
    KEY_BITS,
    TagValue,
    climb,
    entry_hash,
    key_of,
    leaf_of,
    siblings_in,
)
from projections.evidence.document import POSITION_MAX, EvidenceError, read_note

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ledger.events.encoding import RecordedEvent
    from ledger.log.port import Log
    from ledger.tlog.signing import Checkpoint, PublicKey

__all__ = [
    "BalanceProof",
    "ProvedBalance",
    "RecordedClosing",
    "balance_proof",
    "last_closing",
    "parse_balance",
    "verify_balance",
]

TITLE = "gameledger balance 1"
PERIOD = "period:"


class BalanceProof(NamedTuple):
    """The content of a file; hashes are joined, those of maps from below."""

    account: str
    amount: int
    accounts: bytes
    message: bytes
    closings: int
    entries: bytes
    tags: bytes
    note: str

    def __str__(self) -> str:
        """Return the text, in its one form."""
        values = (
            f"account {self.account}",
            f"amount {self.amount}",
            f"accounts {_text(self.accounts)}",
            f"message {_text(self.message)}",
            f"count {self.closings}",
            f"entries {_text(self.entries)}",
            f"tags {_text(self.tags)}",
        )
        return "\n".join((TITLE, *values, "", self.note))


class RecordedClosing(NamedTuple):
    """A recorded closing of a period, and its position."""

    position: int
    event: e.BalancesClosed


class ProvedBalance(NamedTuple):
    """A balance in haléř that was proved, with its closing, and the checkpoint that counts it."""

    account: str
    amount: int
    closing: e.BalancesClosed
    position: int
    recorded_at: int
    checkpoint: Checkpoint


def last_closing(log: Log, period: str) -> RecordedClosing | None:
    """Return the last recorded closing of a period; None if there is none."""
    query = Query(types=(e.BalancesClosed.__name__,), tags=(PERIOD + period,))
    for recorded in events_at(log, log.find(query, limit=1, backwards=True)):
        if isinstance(recorded.event, e.BalancesClosed):
            return RecordedClosing(recorded.position, recorded.event)
    return None


def balance_proof(
    log: Log, period: str, account: str, balances_at: Callable[[int], Mapping[str, int]]
) -> BalanceProof:
    """Prove the balance of an account at the close of a period.

    Args:
        log: the chain, with a checkpoint that covers the closing.
        period: a day or a month, such as 2026-11-20 or 2026-11.
        account: one of those with a balance.
        balances_at: returns those of all accounts, in haléř, at the size that the closing names.

    Raises:
        InputError: there is no checkpoint, it covers no closing of the period or not its last,
            or the account had no balance.
        IntegrityError: the balances are not those that were recorded.

    """
    newest = [*islice(checkpoints(log), 2)]
    # The map is that of the checkpoint whose record the last one covers, if it covers one.
    is_cover = len(newest) > 1 and newest[0].size == newest[1].position + 1
    signed = next(reversed(newest), None) if is_cover else next(iter(newest), None)
    recorded = last_closing(log, period)
    if recorded is None:
        text = f"no closing of {period} is recorded"
        raise InputError(f"{text}: record one with `gameledger evidence close {period}`")
    if signed is None or signed.size <= recorded.position:
        text = f"the closing of {period} at position {recorded.position} is not covered"
        raise InputError(f"{text}: sign a checkpoint with `gameledger log checkpoint`")
    balances = balances_at(recorded.event.size)
    if account not in balances:
        raise InputError(f"account {account} had no balance at the close of {period}")
    if balances_root(balances) != recorded.event.root:
        text = f"the balances are not those that position {recorded.position} recorded"
        raise IntegrityError(f"{text}: run `gameledger reconcile`", position=recorded.position)
    tag = PERIOD + period
    positions = log.find(Query(tags=(tag,)), before=signed.size)
    entries = nodes_of([entry_hash(at, log.node(0, at)) for at in positions])
    (proof,) = log.tag_proofs([tag], signed.size)
    siblings, _ = siblings_in(balance_leaves(balances), 0, key_of(account.encode()))
    (message,) = (body for _, body in log.read(recorded.position, recorded.position + 1))
    return BalanceProof(
        account,
        balances[account],
        b"".join(siblings[::-1]),
        message,
        len(positions),
        b"".join(inclusion_of_all(entries, [len(positions) - 1], len(positions))),
        b"".join(proof.siblings),
        str(signed.note),
    )


def parse_balance(text: str) -> BalanceProof:
    """Parse the text of a balance.

    Raises:
        EvidenceError: it has another form.

    """
    head, _, note = text.partition("\n\n")
    lines = [line.partition(" ")[2] for line in head.split("\n")[1:]]
    try:
        account, amount, accounts, message, count, entries, tags = lines
        found = BalanceProof(
            account,
            int(amount),
            b64decode(accounts, validate=True),
            b64decode(message, validate=True),
            int(count),
            b64decode(entries, validate=True),
            b64decode(tags, validate=True),
            note,
        )
    except (ValueError, Base64Error) as error:
        raise EvidenceError("data", "the file is not of the form of a balance") from error
    sizes = [len(one) for one in (found.accounts, found.entries, found.tags)]
    is_bounded = max(sizes[0], sizes[2]) <= KEY_BITS * HASH_BYTES and account and found.closings > 0
    is_number = -(2**63) <= found.amount < 2**63 and found.closings <= POSITION_MAX
    if str(found) != text or not is_bounded or not is_number or any(x % HASH_BYTES for x in sizes):
        raise EvidenceError("data", "the file is not of the form of a balance")
    return found


def verify_balance(proof: BalanceProof, keys: Sequence[PublicKey]) -> ProvedBalance:
    """Verify a balance; without keys, no signature is verified.

    Raises:
        EvidenceError: a proof is false; the error names the place.
        IntegrityError: a signature of a key is false.
        AuthorizationError: none of the keys signed the checkpoint.

    """
    checkpoint, _ = read_note(proof.note)
    try:
        if keys:
            verify_note(proof.note, keys)
    except InputError as error:
        raise EvidenceError("checkpoint", str(error)) from error
    recorded = _closing_in(proof.message)
    closing, position = recorded.event, recorded.position
    if not isinstance(closing, e.BalancesClosed) or not 0 <= position <= POSITION_MAX:
        raise EvidenceError("message", "the message is no BalancesClosed of version 1")
    key = key_of(proof.account.encode())
    if climb(key, balance_leaf(key, proof.amount), hashes_in(proof.accounts)) != closing.root:
        raise EvidenceError(
            "balance", "the account had not this balance at the close of the period"
        )
    tag = key_of((PERIOD + closing.period).encode())
    own = {proof.closings - 1: entry_hash(position, hash_of(proof.message))}
    try:
        root = root_from_multiproof(own, proof.closings, hashes_in(proof.entries))
        value = TagValue(proof.closings, position, root)
        is_last = climb(tag, leaf_of(tag, value), hashes_in(proof.tags)) == checkpoint.map_root
    except IntegrityError:
        is_last = False
    if not is_last:
        text = f"message {position} is not shown to be the last of its period"
        raise EvidenceError("completeness", f"{text} that the checkpoint counts")
    moment = recorded.envelope.recorded_at
    return ProvedBalance(proof.account, proof.amount, closing, position, moment, checkpoint)


def _closing_in(message: bytes) -> RecordedEvent:
    schema = schemas.numbered()[(e.BalancesClosed.__name__, 1)]
    fault = "it is no BalancesClosed of version 1"
    if message.startswith(header_of(schema)) and len(message) <= MESSAGE_BYTES_MAX:
        fault, _ = scan_of(schema)(message)
    if fault:
        raise EvidenceError("message", fault)
    return decode(message)


def _text(content: bytes) -> str:
    return b64encode(content).decode()
