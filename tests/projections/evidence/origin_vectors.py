"""Test vectors of seals of sources in evidence: a studio that seals, a platform that can't.

Input: a log into which :class:`Sources` sent. Output: data parts of its rounds, good ones and
broken ones, with the place that a verifier must name. The broken ones are of a round of two facts.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING
from uuid import UUID

from msgspec import UNSET
from msgspec.structs import replace

from ledger.decisions.operator.setup import SeatDealer
from ledger.decisions.operator.sources import RegisterSource, SealSource
from ledger.decisions.rounds.betting import PlaceBet
from ledger.decisions.rounds.opening import OpenRound
from ledger.decisions.rounds.results import RecordResult, SettleRound
from ledger.decisions.rounds.studio import SpinWheel
from ledger.events import event_types as e
from ledger.events.encoding import decode, hash_of
from ledger.log.port import Query
from ledger.tlog import merkle
from ledger.tlog.notes import Note, NoteSignature
from ledger.tlog.signing import parse_note
from ledger.tlog.source_seals import SealStatement, SourceCertificate, SourceKey
from projections.evidence.collect import round_evidence
from projections.evidence.document import MARK_BYTES, Message, SealedCommands, encode
from tests.ledger.source_cases import source_pem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ledger.events.command import Command
    from ledger.log.memory import MemoryLog
    from ledger.tlog.signing import SigningKey
    from ledger.writer import Ledger
    from projections.evidence.document import Evidence

__all__ = ["Sources", "bare_evidence", "origin_vectors", "resigned", "seals_in"]

STUDIO = "studio"
PLATFORM = "platform"


class Sources:
    """Gives each command its source; the studio numbers its own, seals them and changes its key.

    Its first seal has the round ``r1`` up to the ball, the second one the result and a command that
    is never recorded; none has the settlement. The third one has the opening of ``r3``, the fourth
    one its spin and a command that is never recorded, the last one a table.
    """

    def __init__(self) -> None:
        self._sent: list[bytes] = []
        self._sealed = self._count = 0
        self._secret = 7

    def send(self, ledger: Ledger, command: Command) -> Command:
        """Return a command as its source sends it."""
        if not self._count:
            self._register(ledger)
            reason = "It has no key."
            ledger.execute(RegisterSource(system=PLATFORM, reason=reason, source="vectors"))
        self._count += 1
        identifier = sha256(b"command %d" % self._count).digest()[:16]
        if isinstance(command, PlaceBet):
            return replace(command, command_id=UUID(bytes=identifier), source=PLATFORM)
        if isinstance(command, RecordResult) and command.round == "r1":
            self._change_key(ledger)
        if isinstance(command, SettleRound) and command.round == "r1":
            self.seal(ledger)
            return replace(command, command_id=UUID(bytes=identifier), source=STUDIO)
        self._sent.append(identifier)
        return replace(command, command_id=UUID(bytes=identifier), source=f"{STUDIO}/t1")

    def end(self, ledger: Ledger) -> None:
        """Send the round of two facts, and a table; each in a seal of its own."""
        ledger.execute(self.send(ledger, OpenRound(round="r3", table="t1")))
        self._change_key(ledger)
        ledger.execute(
            self.send(ledger, SpinWheel(round="r3", wheel_direction="clockwise", revolutions=9))
        )
        self.seal(ledger)
        ledger.execute(self.send(ledger, SeatDealer(table="t1", dealer="d-2")))
        self.seal(ledger)

    def _change_key(self, ledger: Ledger) -> None:
        """Seal with the old key; a command sent next under the new one does not arrive."""
        self.seal(ledger)
        self._secret += 1
        self._register(ledger)
        self._sent.append(sha256(b"lost %d" % self._secret).digest()[:16])

    def seal(self, ledger: Ledger) -> None:
        """Seal what was sent since the last seal."""
        first, self._sealed = self._sealed + 1, len(self._sent)
        statement = SealStatement.over(
            self._sent[first - 1 :],
            chain=ledger.chain,
            system=STUDIO,
            first=first,
            until=1_795_201_200_000_000 + self._count,
            is_last=False,
        )
        ledger.execute(SealSource.of(statement, self._key, source="vectors"))

    @property
    def _key(self) -> SourceKey:
        return SourceKey.read(source_pem(STUDIO, self._secret))

    def _register(self, ledger: Ledger) -> None:
        certificate, reason = self._key.certificate, "It seals what it sends."
        registration = RegisterSource(
            system=STUDIO, certificate=certificate, reason=reason, source="vectors"
        )
        ledger.execute(registration)


def origin_vectors(log: MemoryLog, key: SigningKey) -> Iterator[tuple[str, tuple[bytes, str]]]:
    """Yield the round with its seals, and false statements of its seals."""
    yield "origin", (encode(round_evidence(log, "r1")), "")
    whole = bare_evidence(log, key)
    yield "origin-bare", (encode(whole), "")
    *_, first, second, none = log.find(Query(types=(e.SourceSealed.__name__,)))
    *_, former, latter = log.find(
        Query(types=(e.SourceRegistered.__name__,), tags=(f"system:{STUDIO}",))
    )
    listed = {one.position: one for one in seals_in(whole)}
    unnamed = replace(whole, origin=UNSET)
    yield "broken-origin-unnamed", (encode(unnamed), f"message {first}")
    yield "broken-origin-empty", (encode(replace(whole, origin=())), "data")
    swapped = replace(whole, origin=(listed[second], listed[first]))
    yield "broken-origin-order", (encode(swapped), "data")
    cut = SealedCommands(first, listed[first].commands[:-1])
    yield "broken-origin-cut", (encode(replace(whole, origin=(cut, listed[second]))), "data")
    for name, commands in (
        ("short", listed[first].commands[:-16]),
        ("list", listed[first].commands[16:] + listed[first].commands[:16]),
    ):
        other = replace(whole, origin=(SealedCommands(first, commands), listed[second]))
        yield f"broken-origin-{name}", (encode(other), "origin")
    more = replace(whole, origin=(*seals_in(whole), SealedCommands(none, b"")))
    yield "broken-origin-missing", (encode(more), "origin")
    of_others = resigned(log, more, key, {none: _body(log, none)})
    yield "broken-origin-of-others", (encode(of_others), "origin")
    without = {former: None}
    yield (
        "broken-origin-unregistered",
        (encode(resigned(log, whole, key, without)), f"message {first}"),
    )
    replaced = {latter: None}
    yield "broken-origin-replaced", (encode(resigned(log, whole, key, replaced)), "origin")
    only_second = replace(whole, origin=(listed[second],))
    idle = resigned(log, only_second, key, {first: None})
    yield "broken-origin-idle", (encode(idle), f"message {latter}")
    yield from _altered(log, whole, key, first, former)
    (other,) = log.find(Query(types=(e.SourceRegistered.__name__,), tags=(f"system:{PLATFORM}",)))
    foreign = resigned(log, whole, key, {other: _body(log, other)})
    yield "broken-origin-foreign", (encode(foreign), f"message {other}")


def bare_evidence(log: MemoryLog, key: SigningKey) -> Evidence:
    """Return the evidence of the round of two facts without rules, which no verifier demands."""
    whole = round_evidence(log, "r3")
    rules = {e.OperatorRulesPublished, e.RulesPublished, e.TableOpened, e.TableLimitsSet}
    names = {kind.__name__ for kind in rules}
    shown = {one.position: decode(one.body).event for one in whole.messages}
    left_out = [at for at, one in shown.items() if type(one) in rules or _schema(one) in names]
    return resigned(log, whole, key, dict.fromkeys(left_out))


def _schema(event: e.Event) -> str:
    return event.name if isinstance(event, e.SchemaPublished) else ""


def _altered(
    log: MemoryLog, whole: Evidence, key: SigningKey, seal: int, registration: int
) -> Iterator[tuple[str, tuple[bytes, str]]]:
    """Yield a round whose log recorded a seal or a registration that no writer records."""
    sealed, registered = decode(_body(log, seal)).event, decode(_body(log, registration)).event
    if not isinstance(sealed, e.SourceSealed) or not isinstance(registered, e.SourceRegistered):
        raise TypeError("these are no seal and no registration")
    length = b"\xb6\x01"
    keys = (SourceKey.read(source_pem(STUDIO, secret)) for secret in range(7, 10))
    own = next(one for one in keys if one.certificate == registered.certificate)
    facts = {name: getattr(sealed, name) for name in sealed.__struct_fields__}
    unnumbered = SealStatement.of(parse_note(whole.note)[0].chain, facts | {"first_number": 0})
    numbers = b"\x0cstudio" + bytes([2 * sealed.first_number])
    rest = _body(log, seal).partition(numbers)[2]
    renumbered = rest.replace(sealed.signature, own.sign(unnumbered))
    other = SourceCertificate.read(SourceKey.read(source_pem(STUDIO, 9)).certificate).public_key
    for name, at, old, new, place in (
        ("signature", seal, sealed.signature, sealed.signature[::-1], "origin"),
        ("marks", seal, sealed.marks, sealed.marks[6:] + sealed.marks[:6], "origin"),
        ("digest", seal, sealed.digest, sealed.digest[::-1], "origin"),
        ("system", seal, b"\x0cstudio", b"\x0cstudia", f"message {seal}"),
        ("number", seal, numbers + rest, b"\x0cstudio\0" + renumbered, "origin"),
        (
            "key",
            registration,
            length + registered.public_key,
            length + other,
            f"message {registration}",
        ),
    ):
        body = _body(log, at)
        if body.count(old) != 1 or len(old) != len(new):
            raise AssertionError(f"{name} can't be replaced")
        changed = resigned(log, whole, key, {at: body.replace(old, new)})
        yield f"broken-origin-{name}", (encode(changed), place)


def seals_in(evidence: Evidence) -> tuple[SealedCommands, ...]:
    """Return the seals that a data part names."""
    return () if evidence.origin is UNSET else evidence.origin


def resigned(
    log: MemoryLog, evidence: Evidence, key: SigningKey, changes: Mapping[int, bytes | None]
) -> Evidence:
    """Return evidence of a log with other messages, as its operator could sign it.

    Args:
        log: the log.
        evidence: of one of its rounds.
        key: the key of the log.
        changes: messages by position, which are shown; None: it stays as it is and is not shown.

    """
    checkpoint, _ = parse_note(evidence.note)
    leaves = [hash_of(body) for _, body in log.read(0, checkpoint.size)]
    messages = {one.position: one for one in evidence.messages}
    for position, body in changes.items():
        messages.pop(position, None)
        if body is not None:
            leaves[position] = hash_of(body)
            messages[position] = Message(position, leaves[position][:MARK_BYTES], body)
    nodes, shown = merkle.nodes_of(leaves), sorted(messages)
    signed = replace(checkpoint, root=merkle.root(nodes, checkpoint.size))
    positions = sorted([*shown, *(one.position for one in evidence.withheld)])
    line = NoteSignature(key.public.name, key.public.key_id, key.sign(signed))
    return replace(
        evidence,
        note=str(Note(signed.text, (line,))),
        messages=tuple(messages[at] for at in shown),
        tree=b"".join(merkle.inclusion_of_all(nodes, positions, checkpoint.size)),
    )


def _body(log: MemoryLog, position: int) -> bytes:
    ((_, body),) = log.read(position, position + 1)
    return body
