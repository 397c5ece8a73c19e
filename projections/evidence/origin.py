"""By whom the facts of a round were sealed: what a file carries to prove it, and its verification.

What comes in: a log and the events of a round, or the messages of a file. What goes out: the seals
(``SourceSealed``) that have their commands, each with the registration in force and the identifiers
of all its commands; or, for each fact, what the file proves of its source. Guaranteed: the key of
the registered certificate signed a list that holds the identifier of the fact's command. Rejected:
a seal that is not signed so, that has none of the commands, or whose digest is of another list.
Docs/evidence.md names what is not proved, such as that no seal was left out.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.events.encoding import COMMAND, COMMAND_BYTES, decode
from ledger.events.event_types import SourceRegistered, SourceSealed
from ledger.log.finality import OriginSeal, SealState, events_of, newest_of, origin_seal
from ledger.log.port import Query
from ledger.tlog.source_seals import (
    is_registration,
    is_seal,
    mark_of,
    marks_in,
    places_in,
    system_of,
)
from projections.evidence.document import EvidenceError, ProvedEvent, SealedCommands

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ledger.events.encoding import RecordedEvent
    from ledger.log.port import Log

__all__ = ["CarriedSeals", "ProvedOrigin", "SourceSeals", "seals_of"]

NEAR = 50_000
"""Messages before and behind a seal among which its commands are searched."""


class ProvedOrigin(NamedTuple):
    """What a file proves of the source of the fact at a position.

    ``certificate`` is the SHA-256 of the source's certificate, empty if it has none; ``is_whole``:
    the digest of the seal was computed again. Otherwise a mark alone shows that it has the command.
    """

    position: int
    seal: OriginSeal
    certificate: str = ""
    is_whole: bool = False


class SourceSeals:
    """Verifies the registrations and seals of a file, in the order of its messages."""

    def __init__(
        self, chain: str, origin: Iterable[SealedCommands], events: Sequence[ProvedEvent]
    ) -> None:
        """Start before the first message.

        Args:
            chain: its name.
            origin: the seals that the file names.
            events: the facts of the round; without any, no registration and no seal is accepted.

        """
        self._chain, self._events = chain, events
        self._lists = {one.position: one.commands for one in origin}
        self._systems = {_system_of(one) for one in events}
        self._registered: dict[str, ProvedEvent] = {}
        self._idle: set[str] = set()
        self._seals: list[tuple[ProvedEvent, ProvedEvent]] = []

    def take(self, event: ProvedEvent) -> bool:
        """Return whether the file rests on a registration or seal.

        A registration is of the source of a fact and is not replaced before a seal needs it; a
        seal is named by the file and has a registration before it.
        """
        system = event.facts["system"]
        if event.name == SourceRegistered.__name__:
            if system not in self._systems - self._idle or not is_registration(event.facts):
                return False
            self._idle.add(system)
            self._registered[system] = event
            return True
        registration = self._registered.get(system)
        if registration is None or event.position not in self._lists:
            return False
        self._idle.discard(system)
        self._seals.append((event, registration))
        return True

    def proved(self) -> tuple[ProvedOrigin, ...]:
        """Return what is proved of the facts; nothing if the file registers none of their sources.

        Raises:
            EvidenceError: what the file states of a seal is false.

        """
        missing = self._lists.keys() - {seal.position for seal, _ in self._seals}
        for position in sorted(missing):
            raise EvidenceError("origin", f"message {position} is no seal that the file shows")
        for seal, registration in self._seals:
            self._require_seal(seal, registration)
        return tuple(map(self._origin_of, self._events)) if self._registered else ()

    def _require_seal(self, seal: ProvedEvent, registration: ProvedEvent) -> None:
        named, facts = f"the seal at position {seal.position}", seal.facts
        key, certificate = registration.facts["public_key"], registration.facts["certificate"]
        if not is_seal(self._chain, facts, key, certificate):
            raise EvidenceError("origin", f"{named} is not signed by the registered key")
        commands = self._lists[seal.position]
        if commands and (
            len(commands) != facts["commands"] * COMMAND_BYTES
            or sha256(commands).digest() != facts["digest"]
        ):
            raise EvidenceError("origin", f"{named} has not the digest of its list of commands")
        if all(self._number_in(seal, one) is None for one in self._events):
            raise EvidenceError("origin", f"{named} has no command of the facts that are shown")

    def _number_in(self, seal: ProvedEvent, event: ProvedEvent) -> int | None:
        if seal.facts["system"] != _system_of(event):
            return None
        return _number_in(seal.facts, self._lists[seal.position], event.envelope["command_id"])

    def _origin_of(self, event: ProvedEvent) -> ProvedOrigin:
        system = _system_of(event)
        for seal, registration in self._seals:
            number = self._number_in(seal, event)
            if number is not None:
                origin = OriginSeal(SealState.SEALED, system, number, seal.position)
                certificate = sha256(registration.facts["certificate"]).hexdigest()
                is_whole = bool(self._lists[seal.position])
                return ProvedOrigin(event.position, origin, certificate, is_whole)
        if system not in self._registered:
            return ProvedOrigin(event.position, OriginSeal(SealState.UNREGISTERED, system))
        held = self._registered[system].facts["certificate"]
        if not held:
            return ProvedOrigin(event.position, OriginSeal(SealState.UNABLE, system))
        unsealed = OriginSeal(SealState.UNSEALED, system)
        return ProvedOrigin(event.position, unsealed, sha256(held).hexdigest())


def _system_of(event: ProvedEvent) -> str:
    return system_of(event.envelope["source"])


def _number_in(facts: Mapping[str, Any], commands: bytes, command_id: bytes) -> int | None:
    """Return the number of a command in a seal, None if the seal does not have it."""
    for place in places_in(facts["marks"], mark_of(command_id)):
        at = place * COMMAND_BYTES
        if commands[at : at + COMMAND_BYTES] in {command_id, b""}:
            return int(facts["first_number"]) + place
    return None


class CarriedSeals(NamedTuple):
    """What a file carries: positions of registrations and seals, and the lists of the seals."""

    positions: frozenset[int]
    lists: tuple[SealedCommands, ...]


def seals_of(
    log: Log, events: Iterable[RecordedEvent], size: int, commands: dict[int, bytes]
) -> CarriedSeals:
    """Return what the file of a round carries of the sources of its facts.

    Args:
        log: the chain.
        events: the facts that are shown.
        size: number of messages that the checkpoint covers.
        commands: of the seals that files of this size carry, by position; found ones are added.

    """
    if not log.find(Query(types=(SourceRegistered.__name__,)), before=size, limit=1):
        return CarriedSeals(frozenset(), ())
    origins = {origin_seal(log, one.position, size)._replace(number=0) for one in events}
    seals = {one.position: one.system for one in origins if one.state is SealState.SEALED}
    needed = [(system, position) for position, system in seals.items()]
    needed += [(one.system, size) for one in origins if one.state is not SealState.SEALED]
    registrations = {
        one.position
        for system, end in needed
        for one in newest_of(log, SourceRegistered, system, before=end)
    }
    for position in seals.keys() - commands.keys():
        commands[position] = _commands_of(log, position, seals[position], size)
    lists = tuple(SealedCommands(position, commands[position]) for position in sorted(seals))
    return CarriedSeals(frozenset({*seals, *registrations}), lists)


def _commands_of(log: Log, seal: int, system: str, size: int) -> bytes:
    """Return the identifiers of all commands of a seal; empty if not all of them are found.

    They are searched between the last seal but one of the source and its next one, at most
    ``NEAR`` messages to either side.
    """
    query = events_of(SourceSealed, system)
    before = log.find(query, before=seal, limit=2, backwards=True)
    first = min(before) if len(before) > 1 else 0
    end = min(log.find(query, after=seal, before=size, limit=1), default=size)
    ((_, body),) = log.read(seal, seal + 1)
    event = decode(body).event
    if not isinstance(event, SourceSealed):
        return b""
    marks = marks_in(event.marks)
    missing = set(marks)
    found = dict[bytes, bytes]()
    for _, message in log.read(max(first, seal - NEAR), min(end, seal + NEAR)):
        command_id = message[COMMAND][:COMMAND_BYTES]
        mark = mark_of(command_id)
        if mark in missing and system_of(decode(message).envelope.source) == system:
            missing.discard(mark)
            found[mark] = command_id
        if not missing:
            break
    commands = b"".join(found.get(mark, b"") for mark in marks)
    return commands if sha256(commands).digest() == event.digest else b""
