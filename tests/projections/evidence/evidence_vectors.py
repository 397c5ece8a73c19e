"""Test vectors for evidence verifiers: valid data parts, and broken ones with the expected error.

Input: the commands of docs/first-round.jsonl and a second player. Output: the files of
docs/evidence-vectors; clock, keys and identifiers are derived from a seed. They are golden: a new
event or schema leaves them as they are, and every later verifier has to judge them as this one did.
``python -m tests.projections.evidence.evidence_vectors`` writes those that are not there yet.
"""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from ledger.core.clock import SECOND
from ledger.decisions.decider import decode_command
from ledger.decisions.operator.keys import AddSigningKey, RecordCheckpoint
from ledger.events.encoding import hash_of
from ledger.log.memory import MemoryLog
from ledger.log.port import Query
from ledger.privacy import KeyStore
from ledger.tlog import merkle
from ledger.tlog.cosigning import WitnessKey
from ledger.tlog.notes import Note
from ledger.tlog.signing import SigningKey, parse_note
from ledger.writer import Ledger
from projections.evidence.collect import account_evidence, round_evidence
from projections.evidence.document import MARK_BYTES, Message, encode
from tests.projections.evidence.origin_vectors import Sources, origin_vectors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.evidence.document import Evidence

__all__ = ["BEGIN", "FOLDER", "ML_DSA_KIND", "SECRET", "small_log", "vectors"]

FOLDER = "docs/evidence-vectors"
EXPECTED = "expected.json"
ROUND = Path("docs/first-round.jsonl")
BEGIN = 1_795_201_200_000_000
"""20 November 2026, 20:00 in Prague."""

MEASURED: dict[str, object] = {"command": "record_clock", "source_of_time": "time.example"}
MEASURED |= {"skew": 412, "uncertainty": 95}
SECOND_PLAYER = "a-2"
SECRET = bytes(range(32))
"""Of the signing key; everybody may know it, so no other chain may use it."""


ML_DSA_KIND = b"\x06"
"""Signature type of a witness with ML-DSA-44."""


class _Clock:
    """A clock that advances by a second at each reading."""

    def __init__(self) -> None:
        self._moment = BEGIN

    def now(self) -> int:
        self._moment += SECOND
        return self._moment


def small_log(
    keys: Path,
    *,
    is_measured: bool = False,
    is_covered: bool = False,
    is_ecdsa: bool = False,
    sources: Sources | None = None,
) -> MemoryLog:
    """Record a chain with two players and two rounds, and sign it.

    Args:
        keys: an empty folder for the keys of the players.
        is_measured: compare the clock before and after the opening of each round.
        is_covered: sign once more, over the record of the first checkpoint.
        is_ecdsa: sign with ECDSA on P-256.
        sources: send the commands and seal them; by default nothing is sealed.

    """
    log, entropy = MemoryLog(), Random("evidence").randbytes
    store = KeyStore(keys, entropy=Random("evidence keys").randbytes)
    ledger = Ledger.create(
        log,
        store,
        operator="26493993",
        operator_name="Casino <b>Example</b>",
        chain_name="casino.example/live",
        clock=_Clock(),
        entropy=entropy,
        writer="vectors",
    )
    for line in _commands():
        beside = [MEASURED] if is_measured and line["command"] == "open_round" else []
        for one in (*beside, line, *beside):
            command = decode_command(json.dumps(one))
            ledger.execute(sources.send(ledger, command) if sources else command)
    if sources:
        sources.end(ledger)
    key = SigningKey(ledger.chain, SECRET)
    if is_ecdsa:
        key = SigningKey(ledger.chain, bytes(range(40)), b"\x02")
    ledger.execute(AddSigningKey.of(key.public, "Example.", source="vectors"))
    receipt = ledger.execute(RecordCheckpoint.of(ledger.checkpoint(), key))
    if is_covered:
        cover = ledger.checkpoint(receipt.last_position + 1)
        ledger.execute(RecordCheckpoint.of(cover, key))
    return log


def vectors() -> dict[str, str]:
    """Generate the files: texts by their path from the root of the repository."""
    with TemporaryDirectory() as folder, closing(small_log(Path(folder) / "keys")) as log:
        whole = round_evidence(log, "r1")
        with closing(KeyStore(Path(folder) / "keys", writable=False)) as keys:
            unmasked = account_evidence(log, "a-1", keys=keys)
        made = {
            "round": (encode(whole), ""),
            "withheld": (encode(round_evidence(log, "r1", account="a-1")), ""),
            "account": (encode(account_evidence(log, "a-1")), ""),
            "unmasked": (encode(unmasked), ""),
            "absent": (encode(round_evidence(log, "r9")), ""),
            "witnessed": (encode(_witnessed(round_evidence(log, "r9"))), ""),
            "witnessed-ml-dsa": (
                encode(_witnessed(round_evidence(log, "r9"), kind=ML_DSA_KIND)),
                "",
            ),
            **dict(_broken(log, whole)),
            **dict(_broken_disclosures(unmasked)),
        }
    with TemporaryDirectory() as folder:
        log = small_log(Path(folder) / "keys", is_measured=True)
        with closing(log):
            made |= dict(_measured(log))
    with TemporaryDirectory() as folder:
        log = small_log(Path(folder) / "keys", is_covered=True)
        with closing(log):
            made |= dict(_recorded(log))
    with TemporaryDirectory() as folder:
        log = small_log(Path(folder) / "keys", is_ecdsa=True)
        with closing(log):
            made |= dict(_ecdsa(round_evidence(log, "r9")))
    with TemporaryDirectory() as folder:
        log = small_log(Path(folder) / "keys", sources=Sources())
        with closing(log):
            made |= dict(origin_vectors(log, SigningKey("casino.example/live", SECRET)))
    if len({data for data, _ in made.values()}) != len(made):
        raise AssertionError("an evidence vector is equal to another: nothing was broken in it")
    expected = {f"{name}.json": place for name, (_, place) in made.items()}
    files = {f"{FOLDER}/{name}.json": data.decode() for name, (data, _) in made.items()}
    return {f"{FOLDER}/{EXPECTED}": f"{json.dumps(expected, indent=2)}\n", **files}


def _commands() -> Iterator[dict[str, object]]:
    """Yield the commands of the first round, with a second player, and a second round."""
    lines = [json.loads(line) for line in ROUND.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        yield line
        if line.get("account") == "a-1" and not line.get("round"):
            yield _of_second_player(line)
        if line.get("bet") == "r1-1":
            bet = {"bet": "r1-3", "account": SECOND_PLAYER, "bet_code": "red", "selection": None}
            yield {**{k: v for k, v in line.items() if k != "command_id"}, **bet}
    for line in lines:
        if line.get("round") and not line.get("bet"):
            yield {**line, "round": "r2"}


def _of_second_player(line: dict[str, object]) -> dict[str, object]:
    own = {"account": SECOND_PLAYER}
    renamed = {"identity": "CZ 2", "deposit": "d-2", "session": "s-2", "method": "card-2"}
    return line | own | {name: text for name, text in renamed.items() if name in line}


def _broken(log: MemoryLog, whole: Evidence) -> Iterator[tuple[str, tuple[bytes, str]]]:
    """Yield data parts that prove nothing, each with the place that a verifier must name."""
    at = log.find(Query(tags=("round:r1",)))[-1]
    place = f"message {at}"
    (last,) = (one for one in whole.messages if one.position == at)
    altered = replace(last, body=last.body[:-1] + bytes([last.body[-1] ^ 1]))
    yield "broken-message", (encode(_with(whole, at, altered)), place)
    opening = log.find(Query(tags=("round:r2",)))[0]
    other = round_evidence(log, "r2").messages
    (foreign,) = (one for one in other if one.position == opening)
    yield "broken-swapped", (encode(_with(whole, at, replace(foreign, position=at))), place)
    yield "broken-removed", (encode(_with(whole, at)), "tree")
    left_out = _with(whole, at)
    yield "broken-left-out", (encode(replace(left_out, tree=_tree(log, left_out))), "completeness")
    more = replace(
        whole, messages=tuple(sorted([*whole.messages, foreign], key=lambda one: one.position))
    )
    added = replace(more, tree=_tree(log, more))
    yield "broken-added", (encode(added), f"message {foreign.position}")
    absent = round_evidence(log, "r9")
    yield "broken-order", (encode(replace(absent, messages=absent.messages[::-1])), "data")
    part = replace(absent, subject=replace(absent.subject, end=BEGIN))
    yield "broken-period", (encode(part), "data")
    unknown = replace(absent, subject=replace(absent.subject, tag="bet:r1-1"))
    yield "broken-kind", (encode(unknown), "data")
    (rules,) = log.find(Query(types=("RulesPublished",)))
    (published,) = (one for one in whole.messages if one.position == rules)
    own = account_evidence(log, "a-1")
    based = replace(
        own, messages=tuple(sorted([*own.messages, published], key=lambda one: one.position))
    )
    yield "broken-basis", (encode(replace(based, tree=_tree(log, based))), f"message {rules}")
    tree = absent.tree[:-32]
    yield "broken-tree", (encode(replace(absent, tree=tree)), "tree")
    denied = replace(absent, subject=replace(absent.subject, tag="round:r1"))
    yield "broken-denied", (encode(denied), "completeness")
    note = absent.note.replace("/live\n", "/dead\n", 1)
    yield "broken-chain", (encode(replace(absent, note=note)), "message 0")
    begin, _, end = absent.note.rpartition("=\n")
    unsigned = f"{begin[:-8]}AAAAAAA{begin[-1]}={end}\n"
    yield "broken-signature", (encode(replace(absent, note=unsigned)), "checkpoint")
    late = _witnessed(absent, seconds=BEGIN // SECOND + 1)
    yield "broken-cosignature", (encode(late), "checkpoint")
    data = encode(absent)
    yield "broken-digest", (data.replace(b'"gameledger ', b'"gameledges ', 1), "digest")
    yield "broken-form", (data.replace(b",", b", ", 1), "data")
    yield "broken-cut", (data[: len(data) // 2], "data")


def _measured(log: MemoryLog) -> Iterator[tuple[str, tuple[bytes, str]]]:
    """Yield a round with the measurement of the clock before it, and with the one after."""
    whole = round_evidence(log, "r1")
    yield "clock", (encode(whole), "")
    before, after, *_ = log.find(Query(types=("ClockMeasured",)))
    ((_, body),) = log.read(after, after + 1)
    later = _with(whole, before, Message(after, hash_of(body)[:MARK_BYTES], body))
    yield "broken-clock", (encode(replace(later, tree=_tree(log, later))), f"message {after}")


def _recorded(log: MemoryLog) -> Iterator[tuple[str, tuple[bytes, str]]]:
    """Yield files whose map stands in a recorded checkpoint, cosigned with ML-DSA-44."""
    whole, absent = (
        _witnessed(round_evidence(log, name), kind=ML_DSA_KIND) for name in ("r1", "r9")
    )
    yield "recorded", (encode(whole), "")
    yield "recorded-absent", (encode(absent), "")
    at = absent.completeness.checkpoint
    other = replace(absent.completeness, checkpoint=0)
    yield "broken-recorded-other", (encode(replace(absent, completeness=other)), f"message {at}")
    left_out = _with(absent, at)
    left_out = replace(left_out, tree=_tree(log, left_out))
    yield "broken-recorded-missing", (encode(left_out), "completeness")
    denied = replace(absent, subject=replace(absent.subject, tag="round:r1"))
    yield "broken-recorded-denied", (encode(denied), "completeness")
    yield "broken-recorded-form", (encode(replace(absent, evidence=1)), "data")
    of_line = replace(absent.completeness, checkpoint=UNSET)
    yield (
        "broken-recorded-line",
        (
            encode(replace(absent, evidence=1, completeness=of_line)),
            f"message {at}",
        ),
    )
    late = _witnessed(round_evidence(log, "r9"), seconds=BEGIN // SECOND + 1, kind=ML_DSA_KIND)
    yield "broken-ml-dsa-time", (encode(late), "checkpoint")
    note = Note.parse(absent.note)
    *signed, line = note.signatures
    cut = str(Note(note.text, (*signed, replace(line, signature=line.signature[:-1]))))
    yield "broken-ml-dsa-cut", (encode(replace(absent, note=cut)), "checkpoint")


def _ecdsa(absent: Evidence) -> Iterator[tuple[str, tuple[bytes, str]]]:
    """Yield a file whose log signs with ECDSA, and signatures that are not in DER or not valid."""
    yield "ecdsa", (encode(absent), "")
    note = Note.parse(absent.note)
    (line,) = note.signatures
    good = line.signature
    longer = bytes([0x30, good[1] + 1, 2, good[3] + 1, 0]) + good[4:]
    for name, bad in (
        ("value", good[:-1] + bytes([good[-1] ^ 1])),
        ("padded", longer),
        ("tail", good + b"\0"),
        ("zero", bytes.fromhex("3006020100020100")),
    ):
        broken = str(Note(note.text, (replace(line, signature=bad),)))
        yield f"broken-ecdsa-{name}", (encode(replace(absent, note=broken)), "checkpoint")


def _broken_disclosures(unmasked: Evidence) -> Iterator[tuple[str, tuple[bytes, str]]]:
    """Yield data parts with invalid disclosures, or without a recipient."""
    first, second, *others = unmasked.opened
    exchanged = (replace(first, key=second.key), second, *others)
    yield "broken-opened", (encode(replace(unmasked, opened=exchanged)), "opened")
    twice = (first, *unmasked.opened)
    yield "broken-opened-twice", (encode(replace(unmasked, opened=twice)), "opened")
    unaddressed = replace(unmasked.subject, account="")
    yield "broken-withheld", (encode(replace(unmasked, subject=unaddressed)), "data")
    witnessed = _witnessed(unmasked)
    doubled = replace(witnessed, witnesses=witnessed.witnesses * 2)
    yield "broken-witnesses", (encode(doubled), "data")


def _witnessed(
    evidence: Evidence, *, seconds: int = BEGIN // SECOND, kind: bytes = b""
) -> Evidence:
    """Add the cosignature of a witness, at a time in seconds; by default with Ed25519."""
    key, note = WitnessKey("witness.example", SECRET, kind), Note.parse(evidence.note)
    line = key.public.line(key.cosign(note.text, BEGIN // SECOND))
    said = replace(line, signature=seconds.to_bytes(8) + line.signature[8:])
    cosigned = str(Note(note.text, (*note.signatures, said)))
    return replace(evidence, note=cosigned, witnesses=(key.public.text,))


def _with(evidence: Evidence, position: int, *instead: Message) -> Evidence:
    """Replace a message, or remove it."""
    others = [one for one in evidence.messages if one.position != position]
    messages = sorted([*others, *instead], key=lambda one: one.position)
    return replace(evidence, messages=tuple(messages))


def _tree(log: MemoryLog, evidence: Evidence) -> bytes:
    """Build the proof of the present messages, as any holder of the log could."""
    shown = [one.position for one in evidence.messages]
    positions = sorted([*shown, *(one.position for one in evidence.withheld)])
    size = parse_note(evidence.note)[0].size
    return b"".join(merkle.inclusion_of_all(log.node, positions, size))


def main() -> None:
    made = vectors()
    file = Path(FOLDER) / EXPECTED
    places = json.loads(made.pop(str(file))) | json.loads(file.read_text(encoding="utf-8"))
    file.write_text(f"{json.dumps(places, indent=2)}\n", encoding="utf-8")
    for name, text in made.items():
        if not Path(name).exists():
            Path(name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
