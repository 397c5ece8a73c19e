"""Cosignatures and stamps of a checkpoint: recorded if they are what they say."""

from __future__ import annotations

import time
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec import structs

from ledger.core.clock import MINUTE, SECOND
from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.log.checkpoints import cosigned_size
from ledger.privacy import KeyStore
from ledger.rules.operator import AuthorityMirror
from ledger.tlog.cosigning import WitnessKey
from ledger.tlog.seals import parse_seal
from ledger.tlog.signing import SigningKey, make_note
from ledger.tlog.stamps import stamp_moment, stamp_request
from ledger.writer import Ledger
from tests.seal_authority import SealAuthority
from tests.stamp_authority import StampAuthority
from tools.witness.sealing import seal_note

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.tlog.signing import Checkpoint
    from tests.ledger.decisions.decisions_casino import Casino

WITNESS = WitnessKey("witness.example", b"\x01" * 32)


class Signed:
    """A house with a checkpoint."""

    def __init__(self, house: Casino) -> None:
        self.house = house
        self.key = SigningKey(house.ledger.chain, b"\x05" * 32)
        public = b64encode(self.key.public.raw).decode()
        house.do("add_signing_key", key_id=self.key.key_id, public_key=public, reason="r")
        self.checkpoint = self.sign()

    def sign(self) -> Checkpoint:
        checkpoint = self.house.ledger.checkpoint()
        self.house.do(
            "record_checkpoint",
            size=checkpoint.size,
            root=b64encode(checkpoint.root).decode(),
            map_root=b64encode(checkpoint.map_root).decode(),
            key_id=self.key.key_id,
            signature=b64encode(self.key.sign(checkpoint)).decode(),
        )
        return checkpoint

    @property
    def note(self) -> bytes:
        signature = self.key.sign(self.checkpoint)
        return make_note(self.checkpoint, [(self.key.public, signature)]).encode()

    def cosigned(
        self, seconds: int | None = None, witness: WitnessKey = WITNESS, **facts: Any
    ) -> dict[str, Any]:
        now = self.house.clock.now() // SECOND if seconds is None else seconds
        cosignature = witness.cosign(self.checkpoint.text, now)
        return {
            "size": self.checkpoint.size,
            "witness": witness.public.name,
            "public_key": b64encode(witness.public.raw).decode(),
            "seconds": now,
            "signature": b64encode(cosignature.signature).decode(),
            **facts,
        }


@pytest.fixture
def signed(house: Casino) -> Signed:
    return Signed(house)


@pytest.mark.law("TS 119 312 6")
def test_a_cosignature_of_either_algorithm_is_recorded_with_its_name(signed: Signed) -> None:
    post_quantum = WitnessKey("witness.example", b"\x01" * 32, b"\x06")
    facts = signed.cosigned(witness=post_quantum)
    for other in ("Ed25519", "ECDSA-P256", "none"):
        with pytest.raises(InputError, match=r"algorithm|cosignature"):
            signed.house.do("record_cosignature", **facts, algorithm=other)
    (event,) = signed.house.do("record_cosignature", **facts, algorithm="ML-DSA-44")
    assert isinstance(event, e.CheckpointCosigned)
    assert (event.algorithm, len(event.signature)) == ("ML-DSA-44", 2420)
    (event,) = signed.house.do("record_cosignature", **signed.cosigned())
    assert isinstance(event, e.CheckpointCosigned)
    assert event.algorithm == "Ed25519"


def test_a_cosignature_of_the_last_checkpoint_is_recorded(signed: Signed) -> None:
    (event,) = signed.house.do("record_cosignature", **signed.cosigned())
    assert isinstance(event, e.CheckpointCosigned)
    assert (event.size, event.witness) == (signed.checkpoint.size, "witness.example")
    assert event.cosigned_at == signed.house.clock.now() // SECOND * SECOND


def test_no_round_is_opened_while_the_authoritys_copy_is_older_than_the_rules_allow(
    signed: Signed,
) -> None:
    """The age is that of the oldest message behind what the mirror signed; a restart keeps it."""
    house = signed.house
    in_force = house.ledger.rules
    source = house.paragraphs["COPY_TOO_OLD"] = "licence, condition 7"
    for key in (WitnessKey("witness.example", b"\x02" * 32), WITNESS):
        mirror = AuthorityMirror(key.public.text, source, age_minutes=15)
        rules = msgspec.to_builtins(structs.replace(in_force, mirror=mirror))
        house.do("publish_operator_rules", name=f"own-{key.public.key_id}", rules=rules)
        house.wait(minutes=16)
        house.refuse("COPY_TOO_OLD", "open_round", round="q", table="r1")
        signed.checkpoint = signed.sign()
        house.do("record_cosignature", **signed.cosigned())
        house.ledger = Ledger(house.log, KeyStore(house.keys), clock=house.clock)
        if key is not WITNESS:
            house.refuse("COPY_TOO_OLD", "open_round", round="q", table="r1")
    house.wait(minutes=15)
    house.do("open_round", round="q", table="r1")
    house.wait(microseconds=1)
    house.refuse("COPY_TOO_OLD", "open_round", round="q2", table="r2")
    house.do("close_bets", round="q")
    signed.checkpoint = signed.sign()
    house.do("record_cosignature", **signed.cosigned())
    other_key = WitnessKey("witness.example", b"\x01" * 32, b"\x06")
    facts = signed.cosigned(witness=other_key)
    house.do("record_cosignature", **facts, algorithm="ML-DSA-44")
    assert cosigned_size(house.log, WITNESS.public) == signed.checkpoint.size
    house.do("open_round", round="q2", table="r2")


def test_a_false_cosignature_is_not_recorded(signed: Signed) -> None:
    house, good = signed.house, signed.cosigned()
    house.fail("not one of witness", "record_cosignature", **good | {"seconds": 1})
    house.fail("is not one of", "record_cosignature", **good | {"signature": "A" * 86 + "=="})
    house.fail("no spaces", "record_cosignature", **good | {"witness": "the witness"})
    soon = house.clock.now() // SECOND + 3600
    house.fail("ahead of ours", "record_cosignature", **signed.cosigned(soon))
    house.fail("is behind ours", "record_cosignature", **signed.cosigned(soon - 2 * 3600))
    house.ledger = Ledger(house.log, KeyStore(house.keys), clock=house.clock)
    house.fail("is behind ours", "record_cosignature", **signed.cosigned(soon - 2 * 3600))
    house.fail("the last one has size", "record_cosignature", **good | {"size": 1})
    signed.sign()
    house.fail("ask for it again", "record_cosignature", **good)


def test_nothing_is_said_of_a_checkpoint_that_is_not_there(house: Casino) -> None:
    nothing = {"size": 1, "witness": "w", "seconds": 1, "signature": "A" * 86 + "=="}
    public = b64encode(bytes(32)).decode()
    house.fail("and there is none", "record_cosignature", **nothing, public_key=public)
    house.fail("and there is none", "record_stamp", size=1, authority="a", stamp="AAAA")


def test_a_checkpoint_of_a_revoked_key_gets_no_more_cover(signed: Signed) -> None:
    signed.house.do("revoke_signing_key", key_id=signed.key.key_id, reason="lost")
    signed.house.fail("was revoked: sign a new one", "record_cosignature", **signed.cosigned())


def test_a_stamp_over_the_note_is_recorded(signed: Signed, tmp_path: Path) -> None:
    """The stamps are of now; the casino's clock is set to them."""
    house, authority = signed.house, StampAuthority(tmp_path / "authority")
    stamp = authority.answer(stamp_request(signed.note).as_bytes())
    moment = stamp_moment(stamp, signed.note)
    facts = {"size": signed.checkpoint.size, "authority": "https://time.example"}
    encoded = {"stamp": b64encode(stamp).decode()}
    house.fail("ahead of ours", "record_stamp", **facts, **encoded)
    house.clock.moment = moment - MINUTE
    (event,) = house.do("record_stamp", **facts, **encoded)
    assert event == e.CheckpointStamped(**facts, stamped_at=moment, stamp=stamp)
    other = authority.answer(stamp_request(signed.note + b"\n").as_bytes())
    wrong = {"stamp": b64encode(other).decode()}
    house.fail("not over the SHA-256 of these bytes", "record_stamp", **facts, **wrong)
    house.fail("no time stamp", "record_stamp", **facts, stamp="AAAA")


@pytest.mark.law("2025/2531 REQ-7.5-05")
def test_a_seal_over_the_note_is_recorded(signed: Signed, tmp_path: Path) -> None:
    """The certificates are of now; the casino's clock is set to them."""
    house, authority = signed.house, SealAuthority(tmp_path)
    for name, days in (("operator", (-1, 9)), ("old", (-9, -1))):
        authority.issue(name, days=days)
    now = time.time_ns() // 1000
    size = signed.checkpoint.size

    def sealed(note: bytes, name: str = "operator", minutes: int = 0) -> dict[str, Any]:
        files = (str(tmp_path / f"{name}.key"), tmp_path / f"{name}.pem")
        seal = seal_note(note, *files, now + minutes * MINUTE)
        return {"size": size, "seal": b64encode(seal).decode()}

    house.clock.moment = now
    house.fail("not over the note", "record_seal", **sealed(signed.note + b"\n"))
    house.fail("this is no seal", "record_seal", size=size, seal="AAAA")
    house.fail("in force from", "record_seal", **sealed(signed.note, "old"))
    house.fail("ahead of ours", "record_seal", **sealed(signed.note, minutes=3))
    house.fail("the last one has size", "record_seal", **sealed(signed.note) | {"size": 1})
    (event,) = house.do("record_seal", **sealed(signed.note))
    assert isinstance(event, e.CheckpointSealed)
    assert (event.size, event.sealed_at) == (size, now // SECOND * SECOND)
    assert event.certificate == parse_seal(event.seal, signed.note).digest
