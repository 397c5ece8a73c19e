"""Time stamps of OpenSSL: which hold, and what is said of those that do not."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError, IntegrityError
from ledger.tlog.stamps import (
    STAMP_BYTES_MAX,
    parse_roots,
    stamp_moment,
    stamp_request,
    verify_stamp,
)
from tests.stamp_authority import StampAuthority

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.x509 import Certificate

NOTE = b"casino.example/live\n1\nAAAA\n"
SECOND = 1_000_000


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> StampAuthority:
    return StampAuthority(tmp_path_factory.mktemp("time") / "authority")


@pytest.fixture(scope="module")
def stamp(authority: StampAuthority) -> bytes:
    return authority.answer(stamp_request(NOTE).as_bytes())


def roots_of(authority: StampAuthority) -> list[Certificate]:
    return parse_roots(authority.roots)


def test_a_stamp_of_openssl_is_verified_offline(authority: StampAuthority, stamp: bytes) -> None:
    moment = verify_stamp(stamp, NOTE, roots_of(authority))
    assert moment == stamp_moment(stamp, NOTE)
    assert abs(moment / SECOND - time.time()) < 60


def test_a_stamp_over_other_bytes_does_not_hold(authority: StampAuthority, stamp: bytes) -> None:
    with pytest.raises(IntegrityError, match="not over the SHA-256 of these bytes"):
        verify_stamp(stamp, NOTE + b"\n", roots_of(authority))


def test_the_answer_to_another_request_is_refused(authority: StampAuthority, stamp: bytes) -> None:
    with pytest.raises(IntegrityError, match="Nonce mismatch"):
        verify_stamp(stamp, NOTE, roots_of(authority), nonce=1)


def test_a_stranger_does_not_vouch(tmp_path: Path, stamp: bytes) -> None:
    stranger = StampAuthority(tmp_path / "stranger")
    with pytest.raises(IntegrityError, match="does not hold: Error while verifying certificates"):
        verify_stamp(stamp, NOTE, roots_of(stranger))


def test_a_certificate_that_had_expired_does_not_hold(tmp_path: Path) -> None:
    expired = StampAuthority(tmp_path / "expired", days=(-30, -1))
    stamp = expired.answer(stamp_request(NOTE).as_bytes())
    with pytest.raises(IntegrityError, match="expired"):
        verify_stamp(stamp, NOTE, roots_of(expired))


@pytest.mark.parametrize("answer", [b"", b"no", b"0\x05\x30\x03\x02\x01\x02", bytes(40_000)])
def test_what_is_no_stamp_is_told(answer: bytes) -> None:
    with pytest.raises(InputError, match="time stamp"):
        stamp_moment(answer, NOTE)


def test_each_flipped_byte_of_a_stamp_is_noticed(authority: StampAuthority, stamp: bytes) -> None:
    """What is not signed is the status around the token and the certificates beside it."""
    roots, moment = roots_of(authority), stamp_moment(stamp, NOTE)
    passed = 0
    for at in range(0, len(stamp), 7):
        broken = stamp[:at] + bytes([stamp[at] ^ 1]) + stamp[at + 1 :]
        try:
            assert verify_stamp(broken, NOTE, roots) == moment
        except (InputError, IntegrityError):
            continue
        passed += 1
    assert passed < len(stamp) / 7 / 10
    assert len(stamp) < STAMP_BYTES_MAX


def test_roots_are_certificates() -> None:
    with pytest.raises(InputError, match="certificates in PEM"):
        parse_roots(b"nothing")
