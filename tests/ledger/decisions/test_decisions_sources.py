"""Registration of sources, and seals that are verified before they are recorded."""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from msgspec.structs import asdict

from ledger.core.clock import MINUTE, SECOND
from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.tlog.source_seals import SourceKey, system_of
from ledger.verification.verify import verify
from tests.ledger.source_cases import Source, source_pem

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino


def registration(source: Source, **facts: Any) -> dict[str, Any]:
    certificate = b64encode(source.key.certificate).decode()
    return {"system": source.name, "certificate": certificate, "reason": "tables", **facts}


def seal(sealed: e.SourceSealed, **facts: Any) -> dict[str, Any]:
    """Give a seal as its command."""
    found = asdict(sealed)
    del found["commands"]
    texts = {k: b64encode(v).decode() for k, v in found.items() if isinstance(v, bytes)}
    return {**found, **texts, **facts}


@pytest.fixture
def source(house: Casino) -> Source:
    source = Source("studio-prague", house.ledger.chain)
    house.do("register_source", **registration(source, interval_minutes=5))
    return source


@pytest.mark.law("2025/2531 REQ-7.5-03")
def test_a_seal_is_recorded_with_what_it_is_over(house: Casino, source: Source) -> None:
    now = house.clock.now()
    sealed = source.sealed([uuid4().bytes for _ in range(3)], now)
    events = house.do("seal_source", **seal(sealed))
    last = source.sealed([], now + MINUTE, is_last=True)
    events += house.do("seal_source", **seal(last))
    assert events == [sealed, last]
    verify(house.log.read())
    assert system_of("studio-prague/desk-1") == system_of("studio-prague") == source.name


@pytest.mark.law("2025/2531 REQ-7.5-03")
def test_a_seal_that_is_not_of_its_source_is_not_recorded(house: Casino, source: Source) -> None:
    now = house.clock.now()
    sealed = source.sealed([uuid4().bytes for _ in range(3)], now)
    good = seal(sealed)
    stranger = Source(source.name, house.ledger.chain, secret=8)
    elsewhere = Source(source.name, "another.chain")
    ahead = source.sealed([], now + MINUTE + SECOND, first=1)
    past = source.sealed([], 0, first=1)
    before = house.ledger.head
    for wrong, text in (
        ({**good, "first_number": 2}, "signature"),
        ({**good, "until": now - 1}, "signature"),
        ({**good, "is_last": True}, "signature"),
        ({**good, "digest": b64encode(bytes(32)).decode()}, "signature"),
        ({**good, "marks": b64encode(sealed.marks[6:]).decode()}, "signature"),
        ({**good, "marks": b64encode(sealed.marks[1:]).decode()}, "6 bytes"),
        ({**good, "system": "cage"}, "not registered"),
        (seal(stranger.sealed([], now)), "signature"),
        (seal(elsewhere.sealed([], now)), "signature"),
        (seal(ahead), "ahead of ours"),
        (seal(past), "not in force"),
    ):
        with pytest.raises(InputError, match=text):
            house.do("seal_source", **wrong)
    assert house.ledger.head == before
    house.do("seal_source", **good)


def test_a_source_is_registered_again_or_as_one_that_cannot_seal(
    house: Casino, source: Source
) -> None:
    now = house.clock.now()
    renewed = Source(source.name, house.ledger.chain, secret=9)
    house.do("register_source", **registration(renewed))
    with pytest.raises(InputError, match="signature"):
        house.do("seal_source", **seal(source.sealed([], now)))
    house.do("seal_source", **seal(renewed.sealed([], now)))
    (registered,) = house.do("register_source", system=source.name, reason="it has no key")
    with pytest.raises(InputError, match="not registered"):
        house.do("seal_source", **seal(renewed.sealed([], now)))
    assert registered == e.SourceRegistered(
        system=source.name,
        certificate=b"",
        public_key=b"",
        interval_seconds=0,
        reason="it has no key",
    )
    verify(house.log.read())


def test_a_certificate_has_a_key_on_p_256_and_has_not_ended(house: Casino) -> None:
    other = SourceKey.read(source_pem("x"))
    ended = SourceKey.read(source_pem("x", ends=datetime(2026, 1, 2, tzinfo=UTC)))
    with pytest.raises(InputError, match="P-256"):
        SourceKey.read(source_pem("x", curve=ec.SECP384R1()))
    half = source_pem("x").partition(b"-----BEGIN CERTIFICATE")[0]
    for wrong in (b"", half, half + source_pem("x", 8).partition(half[:1])[1]):
        with pytest.raises(InputError):
            SourceKey.read(wrong)
    for certificate, text in (
        (b"\x30\x00", "X.509"),
        (other.certificate[:-9], "X.509"),
        (ended.certificate, "has ended"),
    ):
        with pytest.raises(InputError, match=text):
            house.do(
                "register_source",
                system="x",
                reason="r",
                certificate=b64encode(certificate).decode(),
            )
