"""The operator's side: games, rules in force, studio tables, limits, devices, dealers."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from ledger.tlog.signing import Checkpoint, SigningKey
from tests.ledger.decisions.decisions_casino import EVOLUTION, VERSION

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ledger.decisions.decisions_casino import Casino

DAY = "2026-02-10T00:00:00+01:00"
RULES = {"game": EVOLUTION, "plan_version": VERSION, "effective_from": DAY}


@pytest.mark.law("SAZKA 1(4)", "SAZKA 17(5)", "L-40")
def test_a_round_is_played_under_the_rules_in_force(bare: Casino) -> None:
    bare.do("list_game", game=EVOLUTION, name="Roulette")
    bare.do("launch_game", game=EVOLUTION)
    bare.do("open_casino", place="studio", name="S", kind="studio", address="Praha")
    bare.open_table("r1")
    bare.do("publish_rules", **RULES)
    bare.at("2026-02-09 23:59:59.999999")
    bare.refuse("NO_RULES_IN_FORCE", "open_round", round="q", table="r1")
    bare.at("2026-02-10 00:00")
    (opened,) = bare.do("open_round", round="q", table="r1")
    assert (opened.plan_version, opened.streamed) == (VERSION, True)


@pytest.mark.law("SAZKA 1(4)", "L-40")
def test_rules_that_the_program_does_not_have_are_refused(house: Casino) -> None:
    house.refuse("PLAN_UNKNOWN", "publish_rules", **RULES | {"plan_version": "2031-01-01"})


@pytest.mark.law("L-40")
def test_published_rules_carry_the_document_and_its_digest(house: Casino) -> None:
    (published,) = house.do("publish_rules", **RULES)
    assert len(published.document_digest) == 64
    assert "[bets.straight]" in published.document


@pytest.mark.law("SAZKA 13(6)")
def test_a_game_is_offered_between_launch_and_withdrawal(house: Casino) -> None:
    house.do("withdraw_game", game=EVOLUTION, reason="end")
    house.refuse("GAME_NOT_OFFERED", "open_round", round="q", table="r1")
    house.do("launch_game", game=EVOLUTION)
    house.open_round()


def test_a_game_that_was_never_launched_is_not_offered(house: Casino) -> None:
    game = "sazka.roulette_synot"
    house.do("list_game", game=game, name="Synot")
    house.open_table("s1", game=game)
    house.refuse("GAME_NOT_OFFERED", "open_round", round="q", table="s1")


@pytest.mark.law("L-37")
@pytest.mark.law("SAZKA 5(1)")
def test_a_table_has_one_round_at_a_time_and_closes_between_rounds(house: Casino) -> None:
    round_ = house.open_round()
    house.refuse("ROUND_RUNNING", "open_round", round="next", table="r1")
    house.refuse("ROUND_RUNNING", "close_table", table="r1", reason="night")
    house.result(round_)
    house.do("close_table", table="r1", reason="night")
    house.refuse("TABLE_NOT_OPEN", "open_round", round="next", table="r1")
    house.refuse("TABLE_NOT_OPEN", "seat_dealer", table="r1", dealer="d1")


def test_a_round_names_its_dealer_and_shoe(house: Casino) -> None:
    house.do("seat_dealer", table="r1", dealer="d7")
    shoe = {"shoe": "s1", "table": "r1", "decks": 8, "shuffle_method": "machine", "cut": 26}
    house.do("load_shoe", **shoe)
    house.do("assign_device", table="r1", device="w1", kind="wheel", serial="A-1")
    (opened,) = house.do("open_round", round="q", table="r1")
    assert (opened.dealer, opened.shoe) == ("d7", "s1")


def test_a_table_that_is_opened_again_begins_without_dealer_and_shoe(house: Casino) -> None:
    house.do("seat_dealer", table="r1", dealer="d7")
    house.do("suspend_table", table="r1", cause="camera")
    house.do("close_table", table="r1", reason="night")
    house.open_table("r1")
    house.assert_cold_is_hot()
    (opened,) = house.do("open_round", round="q", table="r1")
    assert opened.dealer == ""


@pytest.mark.law("SAZKA 5(4)")
@pytest.mark.parametrize(
    "facts",
    [
        {"stakes": {"red": [0, 100_000_01]}},
        {"stakes": {"voisins": [0, 100]}},
        {"stakes": {"straight": [10_000_01, 0]}},
        {"stakes": {}, "round_maximum": 1_000_000_01},
    ],
)
def test_limits_of_a_table_stay_within_the_plan(house: Casino, facts: dict[str, Any]) -> None:
    house.refuse("LIMITS_NOT_ALLOWED", "set_table_limits", table="r1", **facts)
    house.do("set_table_limits", table="r1", stakes={"red": [1, 100_000_00]})


def test_limits_set_during_a_round_do_not_hold_up_its_result(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_, 500)
    past = "2026-01-01T00:00:00+01:00"
    limits = {"table": "r1", "stakes": {"red": [0, 100_00]}, "effective_from": past}
    casino.do("set_table_limits", **limits)
    casino.settle(round_)
    assert casino.account().wallet == 100_500_00


@pytest.mark.law("69GAMES operation, faults told to participants")
def test_what_participants_were_told_of_a_fault_stands_in_the_round(house: Casino) -> None:
    told = {"table": "r1", "wording": "The camera failed.", "by": "d7"}
    (before,) = house.do("announce_fault", **told, channels=["screen"])
    house.do("open_round", round="q", table="r1")
    (during,) = house.do("announce_fault", **told, channels=["voice", "chat", "voice"])
    assert (before.round, during.round, during.channels) == ("", "q", ("voice", "chat"))


@pytest.mark.law("L-41")
def test_the_doors_of_a_casino_open_and_close(house: Casino) -> None:
    house.do("begin_casino_hours", place="casino")
    house.fail("open already", "begin_casino_hours", place="casino")
    house.assert_cold_is_hot()
    house.do("end_casino_hours", place="casino")
    house.fail("closed already", "end_casino_hours", place="casino")
    house.fail("no casino studio", "begin_casino_hours", place="studio")


@pytest.mark.parametrize(
    ("words", "command", "facts"),
    [
        ("list it with list_game", "launch_game", {"game": "g"}),
        ("is listed already", "list_game", {"game": EVOLUTION, "name": "again"}),
        ("named already", "open_casino",
         {"place": "studio", "name": "S", "kind": "studio", "address": "Praha"}),
        ("name it with open_casino", "open_table",
         {"table": "t", "registration": "1", "game": EVOLUTION, "place": "p", "streamed": True}),
        ("stands in a studio", "open_table",
         {"table": "t", "registration": "1", "game": EVOLUTION, "place": "casino",
          "streamed": True}),
        ("open already", "open_table",
         {"table": "r1", "registration": "1", "game": EVOLUTION, "place": "studio",
          "streamed": True}),
        ("take it into operation", "close_table", {"table": "t", "reason": "r"}),
        ("smallest 2 is above largest 1", "set_table_limits",
         {"table": "r1", "stakes": {"red": [2, 1]}}),
    ],
)  # fmt: skip
def test_what_the_house_does_not_have_can_not_be_decided(
    house: Casino, words: str, command: str, facts: dict[str, Any]
) -> None:
    house.fail(words, command, **facts)


def test_a_round_has_a_name_of_its_own(house: Casino) -> None:
    house.do("open_round", round="q", table="r1")
    house.fail("round q exists already", "open_round", round="q", table="r2")


def test_the_name_of_a_refused_round_stays_free(house: Casino) -> None:
    house.do("suspend_table", table="r1", cause="camera")
    house.refuse("TABLE_SUSPENDED", "open_round", round="q", table="r1")
    house.do("resume_table", table="r1", cause="works")
    house.do("open_round", round="q", table="r1")


@pytest.mark.law("SAZKA 5a(1)")
def test_a_land_based_table_does_not_become_a_streamed_one(house: Casino) -> None:
    house.do("close_table", table="l1", reason="moved")
    facts = {"registration": "1", "game": EVOLUTION, "place": "studio", "streamed": True}
    house.fail("was of the other kind", "open_table", table="l1", **facts)


@pytest.fixture
def signer(house: Casino, tmp_path: Path) -> SigningKey:
    return SigningKey.create(tmp_path / "k1.key", house.ledger.chain)


def signed_by(signer: SigningKey, checkpoint: Checkpoint) -> dict[str, Any]:
    return {
        "size": checkpoint.size,
        "root": b64encode(checkpoint.root).decode(),
        "map_root": b64encode(checkpoint.map_root).decode(),
        "key_id": signer.key_id,
        "signature": b64encode(signer.sign(checkpoint)).decode(),
    }


def add_key(house: Casino, signer: SigningKey) -> None:
    public = b64encode(signer.public.raw).decode()
    key = {"key_id": signer.key_id, "public_key": public}
    house.do("add_signing_key", **key, reason="first")
    house.fail("in force already", "add_signing_key", **key, reason="r")


def test_a_checkpoint_is_recorded_while_its_key_is_in_force(
    house: Casino, signer: SigningKey
) -> None:
    signed = signed_by(signer, house.ledger.checkpoint())
    house.fail(f"key {signer.key_id} is not in force", "record_checkpoint", **signed)
    add_key(house, signer)
    house.do("record_checkpoint", **signed)
    house.do("revoke_signing_key", key_id=signer.key_id, reason="rotation")
    house.fail("not in force", "record_checkpoint", **signed)
    public = b64encode(signer.public.raw).decode()
    key = {"public_key": public, "reason": "r"}
    house.fail("was revoked: make another", "add_signing_key", key_id=signer.key_id, **key)
    house.fail("is not the key ID of this key", "add_signing_key", key_id="0" * 8, **key)
    for key_id in ("k 1", "k+1", "klíč", "0" * 9, "ABCDEF00"):
        house.fail("key_id", "add_signing_key", key_id=key_id, **key)


def test_a_checkpoint_that_does_not_hold_is_not_recorded(house: Casino, signer: SigningKey) -> None:
    add_key(house, signer)
    right = house.ledger.checkpoint()
    signed = signed_by(signer, right)
    for wrong in (
        replace(right, root=bytes(32)),
        replace(right, size=right.size + 9),
        replace(right, size=right.size - 1),
    ):
        house.fail("has another root", "record_checkpoint", **signed_by(signer, wrong))
    false = b64encode(bytes(64)).decode()
    house.fail("signature is not one", "record_checkpoint", **signed | {"signature": false})
    house.do("record_checkpoint", **signed)
    house.do("record_checkpoint", **signed_by(signer, house.ledger.checkpoint()))
    house.fail(
        f"{right.size} lies before it: sign the chain as it is now", "record_checkpoint", **signed
    )


def test_a_writer_that_starts_again_knows_the_last_checkpoint(
    house: Casino, signer: SigningKey
) -> None:
    add_key(house, signer)
    first = signed_by(signer, house.ledger.checkpoint())
    house.do("record_checkpoint", **first)
    house.do("record_checkpoint", **signed_by(signer, house.ledger.checkpoint()))
    with house.as_reopened():
        house.fail("lies before it", "record_checkpoint", **first)


def test_the_chain_of_accesses_never_gets_shorter(house: Casino) -> None:
    head = {"chain": "access", "root": b64encode(bytes(32)).decode()}
    (event,) = house.do("record_access_head", **head, size=12)
    assert (event.chain, event.size, event.root) == ("access", 12, bytes(32))
    house.do("record_access_head", **head | {"chain": "other"}, size=3)
    house.fail("accesses are missing", "record_access_head", **head, size=11)
    with house.as_reopened():
        house.fail("access had 12 messages, and now 11", "record_access_head", **head, size=11)
        house.do("record_access_head", **head, size=12)
