"""What must hold after every step, and what is known of the history, apart from the product.

The truth is what is committed, in order; it only grows. Everything that anybody was shown, by
receipt, as a reader or as a witness, is in it at its place. Events are judged by twins that ask
neither the write side nor the SQL.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

from ledger.core.errors import InputError, IntegrityError
from ledger.core.message import EMPTY, Head
from ledger.events.encoding import decode, hash_of, previous_hash_of
from ledger.events.event_types import SchemaPublished, WriterStarted
from ledger.verification.verify import verify
from tests.projections.posting_twin import postings_of
from tests.simulation.simulated_template import template

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.core.message import Message
    from ledger.events.event_types import Event
    from ledger.receipts import Receipt
    from tests.simulation.simulated_world import World

UNKNOWN = "unknown"
"""An account that does not exist: a command that names it is wrong."""


class ViolationError(AssertionError):
    """Something that must hold does not; ``name`` says what."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{name}: {text}")
        self.name = name


class NamedError(Exception):
    """The system noticed that disk or broker broke their promise: it stops, and says so."""


class Checks:
    """The history as it is known, and its judges."""

    def __init__(self, world: World) -> None:
        self._world = world
        hashes, identifiers, wallets = _known()
        self.hashes, self.identifiers = list(hashes), set(identifiers)
        self.receipts: dict[str, Receipt] = {}
        self.rejected: dict[str, dict[str, Any]] = {}
        self.wallets = Counter(wallets)
        self._cancelled: set[str] = set()
        self.erased: set[str] = set()
        self.media: list[Any] = []
        self.moment = template().begin
        self._left = 0
        self._owners: dict[str, str] = {}
        self._pairs: list[list[str]] = []
        self._contents: dict[str, dict[str, Any]] = {}
        self._sent: dict[str, list[dict[str, Any]]] = {}
        self._writers: dict[bytes, str] = {}
        self._started = ("template", 1)
        self._acknowledged: dict[str, Head] = {}

    @property
    def is_violated(self) -> bool:
        """Whether a disk or broker broke its promise."""
        return any(medium.is_violated for medium in self.media)

    @property
    def head(self) -> Head:
        """Where the truth ends."""
        return Head(len(self.hashes), self.hashes[-1]) if self.hashes else EMPTY

    def fail(self, name: str, text: str) -> None:
        """Report what does not hold.

        Raises:
            ViolationError: always.

        """
        raise ViolationError(name, text)

    def report(self, name: str, text: str) -> None:
        """Fail with the next step: the product would catch what is raised here."""
        self._world.call_in(0, lambda: self.fail(name, text))

    def named(self, error: IntegrityError) -> None:
        """Take note that the product found damage.

        Raises:
            NamedError: there is damage.
            ViolationError: there is none.

        """
        if self.is_violated:
            raise NamedError(str(error))
        self.fail("false alarm", str(error))

    # What clients see

    def sent(self, client: str, texts: Sequence[dict[str, Any]]) -> None:
        """Remember whose a command is, and what was sent under its identifier."""
        for text in texts:
            contents = self._sent.setdefault(text["command_id"], [])
            if text not in contents:
                contents.append(text)
            self._owners.setdefault(text["command_id"], client)
        if len(texts) > 1:
            self._pairs.append([text["command_id"] for text in texts])

    def answer(self, client: str, facts: dict[str, Any], answer: Receipt | InputError) -> None:
        """Judge the last answer to a command."""
        identifier = facts["command_id"]
        if isinstance(answer, InputError):
            if not self._is_wrong(facts):
                self.fail("input error", f"{client} got for {facts}: {answer}")
            self.rejected[identifier] = facts
            return
        if facts.get("account") == UNKNOWN:
            self.fail("input error", f"{client} got none for {facts}")
        if self.receipts.setdefault(identifier, answer) != answer:
            self.fail("two receipts", f"{client} got another one for {identifier}")
        if self._contents.setdefault(identifier, facts) != facts:
            self.fail("receipt of another", f"{client} got that of other content")
        if answer.command_id != identifier:
            self.fail("receipt of another", f"{client} got that of {answer.command_id}")
        self.seen(answer.last_position, bytes.fromhex(answer.hash), client)

    def _is_wrong(self, facts: dict[str, Any]) -> bool:
        """Return whether a command has to be rejected, or one of other content with its identifier.

        Clients send nothing else that is wrong.
        """
        is_again = len(self._sent[facts["command_id"]]) > 1
        return facts.get("account") == UNKNOWN or is_again

    def seen(self, position: int, digest: bytes, by: str) -> None:
        """Judge what somebody was shown."""
        if position >= len(self.hashes):
            self.fail("not durable", f"{by} was shown message {position} before it was committed")
        elif self.hashes[position] != digest:
            self.fail("another history", f"{by} was shown another message {position}")

    # What writers do

    def appending(self, writer: str, messages: Sequence[Message]) -> None:
        """Remember which process appends messages, whatever becomes of them."""
        self._writers.update(dict.fromkeys([message.body for message in messages], writer))

    def acknowledged(self, host: str, head: Head, *, is_reliable: bool) -> None:
        """Judge a head that a host acknowledged or noted; its disk may be none to rely on."""
        known = self._acknowledged.get(host, EMPTY)
        if is_reliable and head.size < known.size:
            self.report("note", f"{host} notes {head.size} and had acknowledged {known.size}")
        self._acknowledged[host] = head

    def leads(self, host: str, messages: Sequence[tuple[int, bytes]], *, is_reliable: bool) -> None:
        """Judge the log with which a host begins: what it acknowledged is there."""
        known = self._acknowledged.get(host, EMPTY)
        if not is_reliable or not known.size:
            return
        if len(messages) < known.size or hash_of(messages[known.size - 1][1]) != known.hash:
            self.fail("unnoticed", f"{host} goes on without the {known.size} it acknowledged")

    # The truth

    def committed(self, messages: Iterable[tuple[int, bytes]]) -> None:
        """Judge messages that became durable."""
        for position, body in messages:
            if position != len(self.hashes) or previous_hash_of(body) != self.head.hash:
                if self.is_violated:
                    raise NamedError(f"message {position} does not continue what was acknowledged")
                self.fail("chain", f"message {position} does not continue {self.head.size}")
            recorded = decode(body)
            envelope = recorded.envelope
            if not envelope.decision_index:
                if self._left:
                    self.fail("torn decision", f"before message {position}")
                if envelope.command_id in self.identifiers:
                    self.fail("booked twice", str(UUID(bytes=envelope.command_id)))
                self.identifiers.add(envelope.command_id)
                self._left = envelope.decision_size
            self._left -= 1
            if envelope.recorded_at < self.moment:
                self.fail("time", f"message {position} was recorded before the one before")
            self.moment = envelope.recorded_at
            self._follow_writer(self._writers.get(body, ""), recorded.event)
            self._post(recorded)
            self.hashes.append(hash_of(body))
        if self._left:
            self.fail("torn decision", f"at the end, {self.head.size}")

    def _follow_writer(self, writer: str, event: Event) -> None:
        """Judge that a writer records its take-over before anything else but schemas."""
        name, epoch = self._started
        if isinstance(event, WriterStarted):
            if (event.writer, event.epoch) != (writer, epoch + 1):
                self.fail("take-over", f"{writer} records {event} behind epoch {epoch} of {name}")
            self._started = event.writer, event.epoch
        elif writer != name and not isinstance(event, SchemaPublished):
            self.fail("take-over", f"{writer} records {event.type}, and {name} wrote before")

    def destroyed(self, person: str) -> None:
        """Judge that a key was destroyed."""
        if person not in self.erased:
            self.fail("key", f"that of {person} was destroyed before the erasure was recorded")

    def compare(self, messages: Sequence[tuple[int, bytes]], since: Head | None = None) -> None:
        """Compare a log that was opened again with the truth.

        Args:
            messages: all that it shows.
            since: the truth when it began to open, now if there is none: a writer that was
                replaced meanwhile may miss what came later.

        Raises:
            NamedError: the promises of the medium were broken, and verification notices.

        """
        since = since or self.head
        found = [hash_of(body) for _, body in messages[: len(self.hashes)]]
        if found == self.hashes[: max(len(found), since.size)]:
            return
        if not self.is_violated:
            self.fail("lost", f"{since.size} were committed, {len(found)} are as they were")
        try:
            verify(messages, since=since)
        except IntegrityError as error:
            raise NamedError(str(error)) from error
        self.fail("unnoticed", "the log lost what was acknowledged, and verification passed")

    def _post(self, recorded: Any) -> None:
        event = recorded.event
        total = 0
        for posting in postings_of(recorded):
            total += posting.amount
            if posting.kind == "wallet":
                self.wallets[posting.account] += posting.amount
        if total:
            self.fail("postings", f"those of message {recorded.position} sum to {total}")
        if event.type == "BetRefused" and event.code == "BET_NOT_ON_TABLE":
            self._cancelled.add(event.bet)
        elif event.type == "BetPlaced" and event.bet in self._cancelled:
            self.fail("late bet", f"{event.bet} was cancelled before message {recorded.position}")
        if event.type == "PersonErased":
            self.erased.add(event.person)

    # At the end

    def conclude(self, wallets: dict[str, int], owners: dict[bytes, str]) -> None:
        """Judge the end: every command has one answer and at most one decision.

        Args:
            wallets: of the product's state, by account.
            owners: actor of each decision in the log, by command.

        """
        for identifier, receipt in self.receipts.items():
            if owners.get(UUID(identifier).bytes) != self._owners[identifier]:
                self.fail("lost", f"the decision on {identifier} of {receipt.first_position}")
        for identifier, facts in self.rejected.items():
            is_again = self._contents.get(identifier, facts) != facts
            if not is_again and UUID(identifier).bytes in owners:
                self.fail("rejected and recorded", f"{facts['command']} {identifier}")
            if not is_again and facts.get("account") != UNKNOWN:
                self.fail("input error", f"for {facts}, and no other content has a receipt")
        for first, second in self._pairs:
            one, other = self.receipts.get(first), self.receipts.get(second)
            if one and other and one.first_position > other.first_position:
                self.fail("order", f"{second} depends on {first}, and is recorded before it")
        for account, amount in wallets.items():
            if self.wallets[account] != amount:
                text = f"{account} has {amount}, and its postings sum to {self.wallets[account]}"
                self.fail("balance", text)


@cache
def _known() -> tuple[list[bytes], set[bytes], Counter[str]]:
    """Return what the template holds: hashes, identifiers of commands, sums by wallet."""
    messages = template().messages
    sums: Counter[str] = Counter()
    for message in messages:
        for posting in postings_of(decode(message.body)):
            if posting.kind == "wallet":
                sums[posting.account] += posting.amount
    identifiers = {each.command_id for each in messages if each.command_id is not None}
    return [hash_of(message.body) for message in messages], identifiers, sums
