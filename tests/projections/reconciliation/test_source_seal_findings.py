"""What sources sealed against what is recorded as theirs, as the read side finds it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger.chain import link
from ledger.core.clock import MINUTE
from ledger.events import event_types as e
from ledger.tlog.source_seals import mark_of
from projections.checks import source_seals
from projections.reconciliation.reconcile import examine, examine_on, reconcile
from tests.ledger.source_cases import Source
from tests.projections.history_cases import House, emptied, project
from tests.projections.projection_cases import START, Chain
from tests.search import amount

if TYPE_CHECKING:
    from projections.findings.finding import Finding
    from projections.store.tables import Store

CODES = frozenset(
    {
        *("SENT_NOT_RECORDED", "RECORDED_NOT_SENT", "SENT_TWICE", "SENT_OUT_OF_ORDER"),
        *("SENT_NUMBERS_MISSING", "SEAL_CONTRADICTED", "SEAL_OVERDUE"),
    }
)


SAME_MARK = (8_377_555, 18_184_733)
"""Identifiers as numbers whose SHA-256 begin alike, from a search through 2 to the 25th."""


def identifier(number: int | bytes) -> bytes:
    """Return an identifier; each third ends in a zero byte, which a text function drops."""
    if isinstance(number, bytes):
        return number
    return sha256(b"%d" % number).digest()[:15] + bytes([number % 3])


class Studio:
    """A studio that sends, a writer that records or not, and seals; minutes after ``START``."""

    def __init__(self, chain: Chain, name: str = "studio", house: House | None = None) -> None:
        self.house = house or House(chain)
        self.chain, self.source = chain, Source(name)
        self.registered = self.house.at(0, self.source.registered())

    def recorded(self, minute: float, number: int | bytes, source: str = "") -> int:
        """Record a command of the studio; return the position of its first event."""
        ball, position = e.BallLanded(round="r", number=1), self.chain.head.size
        linked, self.chain.head = link(
            self.chain.head,
            [ball, ball],
            command_id=identifier(number),
            command_digest=bytes(16),
            recorded_at=START + int(minute * MINUTE),
            occurred_at=START,
            actor="",
            source=source or f"{self.source.name}/desk-1",
        )
        self.chain.messages += [message.body for message in linked]
        return position

    def sealed(
        self,
        minute: float,
        numbers: range | tuple[int | bytes, ...],
        *,
        until: float | None = None,
        first: int | None = None,
        is_last: bool = False,
        digest: bytes | None = None,
    ) -> int:
        moment = START + int((minute if until is None else until) * MINUTE)
        sealed = self.source.sealed(
            [identifier(number) for number in numbers],
            moment,
            first=first,
            is_last=is_last,
            digest=digest,
        )
        return self.house.at(minute, sealed)

    def found(self, store: Store, minute: float) -> list[tuple[str, int, str]]:
        project(self.chain, store)
        now = START + int(minute * MINUTE)
        found = reconcile(store, only=CODES, now=now)
        return [(one.code, one.position, detail_of(one)) for one in found]


def detail_of(found: Finding) -> str:
    """Return the part of the sentence after the colon."""
    return found.sentence.partition(": ")[2].removesuffix(".")


@pytest.fixture
def studio(chain: Chain) -> Studio:
    return Studio(chain)


@pytest.mark.law("L-19")
def test_what_was_sealed_and_recorded_is_in_order(studio: Studio, store: Store) -> None:
    for number in (1, 2, 4, 3):  # over two connections
        studio.recorded(1, number)
    studio.recorded(1, 99, source="cage")  # it is not registered
    studio.sealed(2, range(1, 4))
    studio.recorded(2.5, 5)
    studio.sealed(6, (), until=3, first=4)  # was cut off while nothing was sent
    studio.sealed(6, (4, 5), until=4)
    studio.sealed(9, ())
    studio.recorded(10, 6)
    studio.sealed(10.5, (6,), is_last=True)
    assert studio.found(store, 300) == []


@pytest.mark.law("eIDAS 45l(1)(b)")
@pytest.mark.law("L-19")
def test_what_was_sent_and_not_recorded_is_named_by_its_numbers(
    studio: Studio, store: Store
) -> None:
    for number in (1, 4, 5):
        studio.recorded(1, number)
    sealed = studio.sealed(2, range(1, 8))
    assert studio.found(store, 2.9) == [], "it may still arrive"
    assert studio.found(store, 3.1) == [
        ("SENT_NOT_RECORDED", sealed, "studio, numbers 2 to 3"),
        ("SENT_NOT_RECORDED", sealed, "studio, numbers 6 to 7"),
    ]
    for number in (2, 3, 6, 7):
        studio.recorded(3.2, number)
    assert studio.found(store, 3.3) == [
        ("SENT_OUT_OF_ORDER", sealed, "studio, numbers 2 to 3"),
    ], "what came after all is late"


@pytest.mark.law("eIDAS 45l(1)(b)")
@pytest.mark.law("L-19")
def test_what_was_recorded_and_never_sent_is_named(studio: Studio, store: Store) -> None:
    studio.recorded(1, 1)
    false = studio.recorded(2, 2)
    studio.sealed(2.9, (1,))
    assert studio.found(store, 5) == [], "clocks may be apart"
    studio.sealed(3.1, ())
    assert studio.found(store, 5) == [("RECORDED_NOT_SENT", false, f"studio, at position {false}")]
    studio.sealed(5, (2,))
    assert studio.found(store, 5) == [], "its seal was late"


@pytest.mark.law("L-19")
def test_a_source_contradicts_itself_by_repeats_gaps_and_other_content(
    studio: Studio, store: Store
) -> None:
    for number in range(1, 9):
        studio.recorded(1, number)
    studio.sealed(2, (1, 2, 3))
    again = studio.sealed(3, (3, 4))
    gap = studio.sealed(4, (5, 6), first=8)
    other = studio.sealed(5, (7,), first=9)
    digest = studio.sealed(6, (8,), first=10, digest=bytes(32))
    studio.sealed(6.5, (1, 2, 3), first=1)
    assert studio.found(store, 7) == [
        ("SENT_TWICE", again, "studio, number 4"),
        ("SENT_NUMBERS_MISSING", gap, "studio, numbers 6 to 7"),
        ("SEAL_CONTRADICTED", other, "studio, number 9"),
        ("SEAL_CONTRADICTED", digest, "studio, number 10"),
    ], "the same seal again contradicts nothing"


@pytest.mark.law("L-19")
def test_another_command_with_the_mark_of_a_sealed_one_is_found(
    studio: Studio, store: Store
) -> None:
    """Among the marks of a seal an operator can hit one; the digest is over whole identifiers."""
    sent, made = (number.to_bytes(16) for number in SAME_MARK)
    assert mark_of(sent) == mark_of(made)
    studio.recorded(1, 1)
    studio.recorded(1, sent)
    sealed = studio.sealed(1.2, (1, sent))
    assert studio.found(store, 7) == []
    studio.recorded(1.8, made)
    assert studio.found(store, 7) == [("SEAL_CONTRADICTED", sealed, "studio, number 1")]


@pytest.mark.law("L-19")
def test_a_seal_is_overdue_by_the_interval_of_its_source(studio: Studio, store: Store) -> None:
    assert studio.found(store, 60) == [], "it sent nothing yet"
    first = studio.recorded(60, 1)
    assert studio.found(store, 65.9) == []
    assert studio.found(store, 66.1) == [("SEAL_OVERDUE", first, "studio, for 6 minutes")]
    sealed = studio.sealed(67, (1,))
    studio.sealed(74, (), is_last=True)
    expected = [("SEAL_OVERDUE", sealed, "studio, for 7 minutes")]
    assert studio.found(store, 300) == expected
    later = studio.recorded(300, 2)
    expected.append(("SEAL_OVERDUE", later, "studio, for 10 minutes"))
    assert studio.found(store, 310) == expected
    no_more = e.SourceRegistered(
        system="studio",
        certificate=b"",
        public_key=b"",
        interval_seconds=0,
        reason="its key is lost",
    )
    studio.house.at(310, no_more)
    studio.recorded(311, 3)
    assert studio.found(store, 900) == expected, "it is not expected to seal what came after"


@pytest.mark.law("L-19")
def test_a_registration_in_time_replaces_what_was_due(studio: Studio, store: Store) -> None:
    sealed = studio.sealed(2, ())
    studio.recorded(2.5, 99)
    studio.house.at(3, studio.source.registered(interval_seconds=3600))
    assert studio.found(store, 62) == []
    assert studio.found(store, 64) == [("SEAL_OVERDUE", sealed, "studio, for 62 minutes")]
    unable = replace(studio.source.registered(), certificate=b"", public_key=b"")
    studio.house.at(60, replace(unable, interval_seconds=0))
    assert studio.found(store, 300) == []
    studio.house.at(200, studio.source.registered())
    assert studio.found(store, 300) == [], "it sent nothing since"
    later = studio.recorded(300, 1)
    assert studio.found(store, 310) == [("SEAL_OVERDUE", later, "studio, for 10 minutes")]


@pytest.mark.law("L-19")
def test_a_seal_that_came_twice_accuses_once(studio: Studio, store: Store) -> None:
    """A source whose answer was lost sends its seal again."""
    for number in (1, 4, 5):
        studio.recorded(1, number)
    sealed = studio.sealed(2, range(1, 8))
    studio.sealed(2.5, range(1, 8), first=1, until=2, is_last=True)
    assert studio.found(store, 300) == [
        ("SENT_NOT_RECORDED", sealed, "studio, numbers 2 to 3"),
        ("SENT_NOT_RECORDED", sealed, "studio, numbers 6 to 7"),
    ]


DEEDS = ("send", "send", "send", "seal", "seal", "lose", "arrive", "invent", "repeat", "skip")
DEEDS += ("overlap", "falsify", "register")


def played(deeds: list[tuple[str, float, bool]]) -> Chain:
    """Return a chain of two sources that do these deeds, some minutes apart, one of them each."""
    house = House(Chain())
    studios = [Studio(house.chain, name, house) for name in ("cage", "studio")]
    pending, lost = ([[], []] for _ in range(2))
    minute, number = 1.0, 0
    for deed, wait, who in deeds:
        minute, number = minute + wait, number + 1
        studio, sent, late = studios[who], pending[who], lost[who]
        if deed in {"send", "invent"}:
            studio.recorded(minute, number)
        if deed in {"send", "lose"}:
            sent.append(number)
        if deed == "lose":
            late.append(number)
        elif deed == "arrive" and late:
            studio.recorded(minute, late.pop())
        elif deed == "register":
            house.at(minute, studio.source.registered())
        elif deed in {"seal", "repeat", "skip", "overlap", "falsify"}:
            repeated = [max(1, number // 2)] if deed == "repeat" else []
            shift = {"skip": 2, "overlap": -1}.get(deed, 0)
            first = max(1, studio.source.next_number + shift)
            digest = bytes(32) if deed == "falsify" else None
            studio.sealed(minute, (*sent, *repeated), first=first, digest=digest)
            sent.clear()
    return house.chain


@settings(
    max_examples=amount(6, 300),
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_an_examination_in_steps_finds_what_one_of_all_finds(store: Store, data: Any) -> None:
    waits = st.sampled_from([0.0, 0.2, 0.7, 1.5, 6.0])
    deeds = st.tuples(st.sampled_from(DEEDS), waits, st.booleans())
    chain = played(data.draw(st.lists(deeds, min_size=12, max_size=40)))
    project(chain, emptied(store))
    size = chain.head.size
    cuts = sorted(data.draw(st.sets(st.integers(2, size), min_size=3, max_size=6)) | {size})
    memory = None
    for place in cuts:
        found, memory = examine_on(store, at=place, since=memory, only=CODES)
        assert found.findings == examine(store, at=place, only=CODES).findings
    later = found.moment + data.draw(st.sampled_from([1, MINUTE, 10 * MINUTE]))
    again, _ = examine_on(store, at=size, since=memory, now=later, only=CODES)
    assert again.findings == examine(store, at=size, now=later, only=CODES).findings


def test_what_was_compared_is_not_compared_again(
    studio: Studio, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in order, nor with a command that is missing and one that was never sent."""
    begins, compare = list[int](), source_seals._compare

    def observed(of: Any, seals: Any, known: Any) -> Any:
        begins.append(known.until)
        return compare(of, seals, known)

    monkeypatch.setattr(source_seals, "_compare", observed)
    for number in (1, 2, 4, 99):
        studio.recorded(1, number)
    studio.sealed(3, range(1, 5))
    first = studio.chain.head.size
    studio.recorded(5, 5)
    second = studio.chain.head.size
    studio.sealed(6, (5,))
    project(studio.chain, store)
    memory = None
    for place in (first, second, studio.chain.head.size):
        _, memory = examine_on(store, at=place, since=memory, only=CODES)
    assert begins == [0, first, second]
