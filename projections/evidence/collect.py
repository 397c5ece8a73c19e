"""Collect the content of an evidence file from a log.

What comes in: a log with a checkpoint, and the subject (a round, or an account and a period). What
goes out: the events of a round or of an account's period, their basis (the chain's opening,
schemas, the key, the rules, the table and its limits), and proofs against the last checkpoint. No
projection is used. Rejected: a subject with events after the checkpoint.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, astuple, replace

from ledger.core.clock import is_moment
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.version import VERSION
from ledger.events import event_types as e
from ledger.events.encoding import FINGERPRINT, decode, hash_of
from ledger.events.schema_book import SELF_DESCRIBED
from ledger.games import ChainPlans
from ledger.log.checkpoints import checkpoints
from ledger.log.port import Query
from ledger.privacy import field_keys
from ledger.tlog import merkle
from ledger.tlog.signing import parse_note
from ledger.tlog.tag_map import entry_hash
from projections.evidence.document import (
    FORMAT,
    FORMAT_OF_LINE,
    MARK_BYTES,
    Completeness,
    DisclosedKey,
    Evidence,
    Message,
    Other,
    Stamp,
    Subject,
    Value,
    Withheld,
)
from projections.evidence.origin import seals_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from ledger.events.encoding import RecordedEvent
    from ledger.log.checkpoints import AttestedCheckpoint
    from ledger.log.port import Log
    from ledger.privacy import KeyStore

__all__ = [
    "MADE_BY",
    "WORD",
    "account_evidence",
    "accounts_of",
    "complete_to",
    "covered_rounds",
    "require_known",
    "round_evidence",
    "rounds_evidence",
]

MADE_BY = f"gameledger {VERSION}"
"""Program and version that an evidence file names as its maker."""

ACCOUNT = "account:"
INTERNAL = (e.LegalHoldPlaced, e.LegalHoldEnded)
"""Events about a participant that the operator records for its own use (GDPR 18)."""
WORD = re.compile(r"[\w-]+")
NEAR = 16
"""Largest gap between two wanted positions that are still read as one range."""


class _MessageCache:
    """Cache of the messages read so far, raw and decoded, of commands of seals and of accounts."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.bodies: dict[int, bytes] = {}
        self.recorded: dict[int, RecordedEvent] = {}
        self.sealed: dict[int, bytes] = {}
        self.accounts: dict[str, bool] = {}

    def read(self, positions: Iterable[int]) -> list[RecordedEvent]:
        """Return the messages at some positions; read those that are not cached."""
        wanted = list(positions)
        lacking = set(wanted) - self.bodies.keys()
        for first, end in _ranges(sorted(lacking)):
            for position, body in self.log.read(first, end):
                if position in lacking:
                    self.bodies[position] = body
                    self.recorded[position] = decode(body)
        return [self.recorded[position] for position in wanted]

    def moment(self, position: int) -> int:
        """Return the timestamp (microseconds) of the message at a position."""
        return self.read([position])[0].envelope.recorded_at

    def found(self, *types: str, tag: str = "", before: int) -> list[RecordedEvent]:
        """Return all events of some types, with a tag if given, before a position."""
        query = Query(types=types, tags=(tag,) if tag else ())
        return self.read(self.log.find(query, before=before))

    def is_account(self, name: str) -> bool:
        """Return whether the log has an account of this name."""
        if name not in self.accounts:
            self.accounts[name] = bool(self.log.find(Query(tags=(ACCOUNT + name,)), limit=1))
        return self.accounts[name]


def _ranges(positions: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Join nearby positions into ranges, each of which is read at once."""
    begin = 0
    for at, position in enumerate(positions):
        if at + 1 == len(positions) or positions[at + 1] - position > NEAR:
            yield positions[begin], position + 1
            begin = at + 1


class _Cover(NamedTuple):
    """What evidence is proved against: the last checkpoint, and the map of the first ``size``.

    The map is that of the checkpoint recorded at ``recorded``, where the last one ends with that
    record and so covers it; otherwise it is that of the last one.
    """

    signed: AttestedCheckpoint
    size: int
    recorded: int | UnsetType = UNSET


def _cover_of(log: Log) -> _Cover:
    newest = list(islice(checkpoints(log), 2))
    if not newest:
        raise InputError("nothing is signed yet: sign with `gameledger log checkpoint` first")
    last = newest[0]
    for before in newest[1:]:
        if last.size == before.position + 1:
            return _Cover(last, before.size, before.position)
    return _Cover(last, last.size)


def complete_to(made: Evidence) -> int:
    """Return how many messages of the chain the completeness of evidence of this log is about."""
    for one in made.messages:
        if one.position == made.completeness.checkpoint:
            event = decode(one.body).event
            if isinstance(event, e.CheckpointSigned):
                return event.size
    return parse_note(made.note)[0].size


def require_known(made: Evidence) -> Evidence:
    """Return evidence of a subject that has events.

    Raises:
        InputError: the log knows no such round or account; the evidence proves its absence.

    """
    if made.completeness.value is None:
        kind, _, name = made.subject.tag.partition(":")
        size = complete_to(made)
        raise InputError(Phrase(f"{kind.upper()}_UNKNOWN", name=name, size=size))
    return made


def round_evidence(log: Log, name: str, *, account: str = "") -> Evidence:
    """Collect the evidence of one round, as :func:`rounds_evidence` does of several."""
    (made,) = rounds_evidence(log, [name], account=account)
    return made


def rounds_evidence(log: Log, names: Iterable[str], *, account: str = "") -> list[Evidence]:
    """Collect the evidence of each of some rounds, or that no round has this name.

    Args:
        log: the chain, with a checkpoint in it.
        names: the rounds.
        account: withhold events that name any other participant, and legal holds; by default
            nothing is withheld.

    Raises:
        InputError: the name is empty, there is no checkpoint, the round has events after it, or
            the participant has no part in the round.

    """
    cover, known = _cover_of(log), _MessageCache(log)
    return [_of_round(known, cover, name, account) for name in names]


def _of_round(known: _MessageCache, cover: _Cover, name: str, account: str) -> Evidence:
    if not name:
        raise InputError("name the round that the evidence is of: an empty name is that of none")
    log, size, tag = known.log, cover.size, f"round:{name}"
    positions = log.find(Query(tags=(tag,)))
    _require_covered(positions, size, f"round {name}")
    events = known.read(positions)
    withheld = set()
    if account:
        if not any(ACCOUNT + account in one.event.index_tags() for one in events):
            raise InputError(f"account {account} has no part in round {name}: name one that has")
        withheld = _not_for(known, events, account)
        _require_reconstructions(events, withheld)
    subject = Subject(tag=tag, account=account)
    shown = [one for one in events if one.position not in withheld]
    basis = list(_rules(known, shown))
    seals = seals_of(log, shown, cover.signed.size, known.sealed)
    known.read(seals.positions)
    basis += seals.positions
    made = _evidence(known, cover, subject, positions, basis=basis, withheld=withheld)
    return replace(made, origin=seals.lists) if seals.lists else made


def covered_rounds(log: Log, names: Iterable[str]) -> list[str]:
    """Return those of some rounds that have no event after the last checkpoint.

    Raises:
        InputError: there is no checkpoint.

    """
    last = _cover_of(log).size - 1
    return [
        one for one in names if not log.find(Query(tags=(f"round:{one}",)), after=last, limit=1)
    ]


def account_evidence(
    log: Log,
    name: str,
    *,
    first: int | None = None,
    end: int | None = None,
    keys: KeyStore | None = None,
) -> Evidence:
    """Collect the evidence of an account in a period, with the events before and after it.

    Events that name other accounts are withheld, and so are legal holds: their reason is of the
    operator's legal department, not for the participant.

    Args:
        log: the chain, with a checkpoint in it.
        name: the account.
        first: first microsecond of the period; by default the beginning of the chain.
        end: microsecond after the period; by default that of the checkpoint.
        keys: decrypts personal fields; by default they stay sealed.

    Raises:
        InputError: the name is empty, there is no checkpoint, it does not cover the period, which
            must lie within 1970 to 2199, or ``keys`` are not those of the chain.

    """
    if not all(moment is None or is_moment(moment) for moment in (first, end)):
        raise InputError(
            "a chain holds moments from 1970 to 2199: name a period within these years"
        )
    if not name:
        raise InputError("name the account that the evidence is of: an empty name is that of none")
    tag = f"account:{name}"
    cover = _cover_of(log)
    size = cover.size
    known = _MessageCache(log)
    behind = log.find(Query(tags=(tag,)), after=size - 1, limit=1)
    if end is not None and behind and known.moment(behind[0]) < end:
        _require_covered(behind, size, f"the period of account {name}")
    positions = log.find(Query(tags=(tag,)), before=size)
    begin = 0 if first is None else bisect_left(positions, first, key=known.moment)
    until = len(positions) if end is None else bisect_left(positions, end, key=known.moment)
    withheld = _not_for(known, known.read(positions[begin:until]), name)
    while begin > 0:
        begin -= 1  # the event before, which shows that the period begins after it
        withheld |= (beside := _not_for(known, known.read([positions[begin]]), name))
        if not beside:
            break
    while until < len(positions):
        withheld |= (beside := _not_for(known, known.read([positions[until]]), name))
        until += 1
        if not beside:
            break
    shown = positions[begin:until]
    subject = Subject(tag=tag, account=name, first=first, end=end)
    readable = known.read(at for at in shown if at not in withheld)
    opened = (
        [one for event in readable for one in _disclosed_keys(log, event, keys)] if keys else []
    )
    return _evidence(known, cover, subject, shown, withheld=withheld, opened=opened, begin=begin)


def _disclosed_keys(log: Log, recorded: RecordedEvent, keys: KeyStore) -> Iterator[DisclosedKey]:
    """Yield the decryption keys of the personal fields of an event, and no others.

    Raises:
        InputError: the keys lack that of a person without an erasure, which the file would state.

    """
    event = recorded.event
    person = getattr(event, "person", "")
    if person and event.PERSONAL:
        found = field_keys(keys, person, event)
        erasure = Query(types=("PersonErased",), tags=(f"person:{person}",))
        if None in found.values() and not keys.knows(person) and not log.find(erasure, limit=1):
            raise InputError(
                f"no key of person {person} is at hand, and the chain has no erasure: name the "
                "folder of its keys with --keys, or leave the fields sealed"
            )
        for field, key in found.items():
            yield DisclosedKey(recorded.position, field, key)


def _require_covered(positions: list[int], size: int, what: str) -> None:
    if positions and positions[-1] >= size:
        text = f"{what} goes on at position {positions[-1]}, and the last checkpoint covers {size}"
        raise InputError(f"{text}: sign a new one with `gameledger log checkpoint`")


def _rules(messages: _MessageCache, shown: Iterable[RecordedEvent]) -> Iterator[int]:
    """Yield the positions of a round's basis: clock, rules of operator and game, table, limits.

    The opening is the first among the events shown; refusals can stand before it.
    """
    for one in shown:
        event = one.event
        if isinstance(event, e.RoundOpened | e.HandStarted):
            opening = one
            break
    else:
        return
    at = opening.position
    for kind in ("ClockMeasured", "OperatorRulesPublished"):
        last = messages.log.find(Query(types=(kind,)), before=at, limit=1, backwards=True)
        yield from (one.position for one in messages.read(last))
    rules = messages.found("RulesPublished", tag=f"game:{event.game}", before=at)
    plans, published = ChainPlans(), dict[int, str]()
    for one in rules:
        match one.event:
            case e.RulesPublished(plan_version=event.plan_version) as plan:
                plans.add(plan.game, plan.plan_version, plan.document, plan.document_digest)
                published[one.position] = plan.document
    in_force = plans.texts.get((event.game, event.plan_version))
    yield from [at for at, text in published.items() if in_force in {None, text}][-1:]
    table = f"table:{event.table}"
    openings = messages.found("TableOpened", tag=table, before=at)[-1:]
    for table_opening in openings:
        yield table_opening.position
        limits = [
            (one.event.effective_from, one.position)
            for one in messages.found("TableLimitsSet", tag=table, before=at)
            if isinstance(one.event, e.TableLimitsSet)
            and one.position > table_opening.position
            and one.event.effective_from <= opening.envelope.recorded_at
        ]
        yield from (position for _, position in sorted(limits)[-1:])


def _not_for(messages: _MessageCache, events: Iterable[RecordedEvent], account: str) -> set[int]:
    """Return the events that a participant's file withholds: those of others, and internal ones.

    Others are the accounts of the tags of the events, and every account that their free texts name.
    """
    listed = list(events)
    texts = {one.position: list(_texts([asdict(one.event), one.envelope.actor])) for one in listed}
    words = {word for found in texts.values() for word in _words(found)}
    others = {word for word in words if messages.is_account(word)}
    others |= accounts_of(one.event for one in listed)
    others.discard(account)
    withheld = {one.position for one in listed if isinstance(one.event, INTERNAL)}
    if others:
        names = "|".join(sorted(map(re.escape, others)))
        pattern = re.compile(rf"(?<![\w-])(?:{names})(?![\w-])")
        withheld |= {at for at, found in texts.items() if any(map(pattern.search, found))}
    return withheld


def accounts_of(events: Iterable[e.Event]) -> set[str]:
    """Return the accounts that the tags of events name."""
    tags = {tag for event in events for tag in event.index_tags()}
    return {tag.removeprefix(ACCOUNT) for tag in tags if tag.startswith(ACCOUNT)}


def _words(texts: Iterable[str]) -> Iterator[str]:
    """Yield the words of free texts: those with a space in them, which no code or name has."""
    for text in texts:
        if " " in text:
            yield from WORD.findall(text)


def _require_reconstructions(events: Iterable[RecordedEvent], withheld: Collection[int]) -> None:
    """Refuse a file without a reconstruction: its reader would derive a result that did not count.

    Raises:
        InputError: a reconstruction of the round is withheld.

    """
    for one in events:
        if isinstance(one.event, e.RoundReconstructed) and one.position in withheld:
            raise InputError(
                f"the reconstruction of round {one.event.round} at position {one.position} names "
                "other participants, and without it the result would be another: make the file of "
                "the whole round"
            )


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(list(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _evidence(
    messages: _MessageCache,
    cover: _Cover,
    subject: Subject,
    positions: list[int],
    *,
    basis: Iterable[int] = (),
    withheld: Collection[int],
    opened: Iterable[DisclosedKey] = (),
    begin: int = 0,
) -> Evidence:
    """Build the evidence from the shown and withheld events and their proofs."""
    signed, size = cover.signed, cover.signed.size
    shown = {*positions, *basis} - set(withheld)
    shown |= set(_of_chain(messages, cover))
    shown |= set(_schemas(messages, shown, size))
    shown_entries = range(begin, begin + len(positions))
    proof = merkle.inclusion_of_all(messages.log.node, sorted({*shown, *withheld}), size)
    return Evidence(
        evidence=FORMAT_OF_LINE if cover.recorded is UNSET else FORMAT,
        made_by=MADE_BY,
        subject=subject,
        note=str(signed.note),
        witnesses=tuple(one.key.text for one in signed.cosignatures),
        stamps=tuple(Stamp(one.authority, one.stamp) for one in signed.stamps),
        messages=tuple(_message(position, messages.bodies[position]) for position in sorted(shown)),
        withheld=tuple(Withheld(one, hash_of(messages.bodies[one])) for one in sorted(withheld)),
        tree=b"".join(proof),
        completeness=_completeness(messages.log, subject.tag, cover, shown_entries),
        opened=tuple(opened),
    )


def _message(position: int, body: bytes) -> Message:
    return Message(position, hash_of(body)[:MARK_BYTES], body)


def _of_chain(messages: _MessageCache, cover: _Cover) -> Iterator[int]:
    """Yield the positions of the chain's opening, the signing keys, and the counted checkpoint."""
    own = [0] if cover.recorded is UNSET else [0, cover.recorded]
    messages.read(own)
    yield from own
    signed = cover.signed
    for line in signed.log_note.signatures:
        found = messages.found("SigningKeyAdded", tag=f"key:{line.key_id}", before=signed.size)
        yield from (one.position for one in found)


def _schemas(messages: _MessageCache, positions: Iterable[int], size: int) -> Iterator[int]:
    """Yield the positions of the schemas of some messages, except self-described ones."""
    needed = {messages.bodies[position][FINGERPRINT].hex() for position in positions}
    for one in messages.found("SchemaPublished", before=size):
        event = one.event
        if not isinstance(event, e.SchemaPublished) or event.name in SELF_DESCRIBED:
            continue
        if event.fingerprint in needed:
            needed.remove(event.fingerprint)
            yield one.position


def _completeness(log: Log, tag: str, cover: _Cover, shown: range) -> Completeness:
    """Build the proof that consecutive events of a tag are all those that the tag map counts."""
    size = cover.size
    everything = log.find(Query(tags=(tag,)), before=size)
    entries = [entry_hash(at, log.node(0, at)) for at in everything]
    beside = merkle.inclusion_of_all(merkle.nodes_of(entries), shown, len(entries))
    (proof,) = log.tag_proofs([tag], size)
    return Completeness(
        value=Value(*astuple(proof.value)) if proof.value else None,
        other=Other(proof.other[0], Value(*astuple(proof.other[1]))) if proof.other else None,
        siblings=b"".join(proof.siblings),
        begin=shown.start,
        entries=b"".join(beside),
        checkpoint=cover.recorded,
    )
