"""Personal fields never reach the log in clear; a person can be erased (GDPR, AML act)."""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError, FencedError, IntegrityError, LedgerError
from ledger.events.encoding import hash_of, previous_hash_of
from ledger.privacy import KeyStore, open_fields

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.events.event_types import Event
    from tests.ledger.decisions.decisions_casino import Casino

PERSON = {
    "identity": "CZ 905517/1234",
    "name": "Božena Němcová",
    "address": "Ratibořice 1",
    "email": "bozena@example.cz",
    "document": "OP 123456789",
    "birth_date": "1991-02-04",
}


def opened(casino: Casino) -> Event:
    return casino.all_events("AccountOpened")[0]


def cancel(casino: Casino, account: str = "anna") -> None:
    casino.do("request_cancellation", account=account, ground="12(4)")
    casino.do("confirm_cancellation", account=account, notice="receipt")
    casino.wait(minutes=16 * 24 * 60)
    casino.do("close_account", account=account)


@pytest.fixture
def known(house: Casino) -> Casino:
    """Give a house that knows a person."""
    house.register(**PERSON)
    house.do("change_person", account="anna", name="Božena Panklová")
    return house


@pytest.mark.law("SAZKA 6(1)", "L-58")
def test_personal_fields_are_in_no_message_in_clear(known: Casino) -> None:
    known.refuse("SECOND_ACCOUNT", "open_account", **known.registration("b", **PERSON))
    known.at("2026-02-03 00:00")
    known.pay_in(1, method="cash", document_shown=True)
    log = b"".join(body for _, body in known.log.read())
    for text in (*PERSON.values(), "Božena Panklová", "905517"):
        assert text.encode() not in log


def test_words_of_a_notice_are_in_no_message_in_clear(known: Casino) -> None:
    """Until the person is erased they are read with the person's key, afterwards never again."""
    words = "Božena Panklová, Ratibořice 1: smluvní důvod"
    known.do("request_cancellation", account="anna", ground="12(1)a", explanation=words)
    known.do("confirm_cancellation", account="anna", notice=words, way="email")
    (sent,) = known.all_events("CancellationConfirmed")
    keys = known.ledger._keys
    assert (sent.notice, open_fields(keys, sent.person, sent)) == ("", {"words": words})
    log = b"".join(body for _, body in known.log.read())
    assert words.encode() not in log
    known.wait(minutes=40 * 24 * 60)
    known.do("close_account", account="anna")
    known.erase()
    assert open_fields(keys, sent.person, sent) == {"words": None}


def test_personal_fields_are_read_with_the_key_of_the_person(known: Casino) -> None:
    event = opened(known)
    clear = {name: text for name, text in PERSON.items() if name != "identity"}
    assert open_fields(known.ledger._keys, event.person, event) == clear


def test_the_same_text_of_two_persons_is_not_the_same_bytes(known: Casino) -> None:
    known.register("bara", **PERSON | {"identity": "CZ other"})
    anna, bara = known.all_events("AccountOpened")
    assert anna.name != bara.name
    with pytest.raises(IntegrityError, match="was altered"):
        open_fields(known.ledger._keys, bara.person, anna)


@pytest.mark.law("L-58")
def test_an_erased_person_is_unreadable_and_every_hash_still_holds(known: Casino) -> None:
    cancel(known)
    before = list(known.log.read())
    (erased,) = known.erase()
    assert "AccountOpened.name" in erased.fields
    event = opened(known)
    assert set(open_fields(known.ledger._keys, event.person, event).values()) == {None}
    after = list(known.log.read())
    assert after[: len(before)] == before
    bodies = [body for _, body in after]
    for body, following in itertools.pairwise(bodies):
        assert previous_hash_of(following) == hash_of(body)


@pytest.mark.law("L-58")
def test_the_key_of_an_erased_person_is_in_no_file(known: Casino) -> None:
    key = known.ledger._keys._key(opened(known).person, make=False)
    stored = known.keys / "persons.sqlite"
    assert key in stored.read_bytes()
    cancel(known)
    known.erase()
    assert all(key not in file.read_bytes() for file in known.keys.iterdir())


@pytest.mark.law("L-56")
def test_only_a_person_without_an_account_is_erased_and_only_once(known: Casino) -> None:
    known.refuse("ACCOUNT_NOT_CLOSED", "erase_person", account="anna")
    cancel(known)
    known.erase()
    known.fail("was erased already", "erase_person", account="anna")
    known.fail("was erased", "change_person", account="anna", name="Nobody")


def test_an_old_account_does_not_erase_who_has_a_new_one(known: Casino) -> None:
    cancel(known)
    known.register("anna2", **PERSON)
    known.refuse("ACCOUNT_NOT_CLOSED", "erase_person", account="anna")
    cancel(known, "anna2")
    known.erase()


def test_a_crash_between_event_and_destruction_is_made_good_at_the_next_start(
    known: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    cancel(known)
    person = opened(known).person
    monkeypatch.setattr(KeyStore, "destroy_keys_of", lambda *_: None)
    known.erase()
    assert known.ledger._keys._stored(person) is not None
    monkeypatch.undo()
    with known.reopened() as again:
        assert again._keys._stored(person) is None


def test_a_person_who_comes_back_after_erasure_keeps_the_new_data(known: Casino) -> None:
    cancel(known)
    known.erase()
    known.register("anna2", **PERSON)
    known.assert_cold_is_hot()
    old, new = known.all_events("AccountOpened")
    with known.reopened() as again:
        assert open_fields(again._keys, new.person, new)["name"] == PERSON["name"]
        assert open_fields(again._keys, old.person, old)["name"] is None


def test_an_altered_ciphertext_is_found(known: Casino) -> None:
    event = opened(known)
    keys = known.ledger._keys
    altered = event.name[:-1] + bytes([event.name[-1] ^ 1])
    with pytest.raises(IntegrityError, match=r"AccountOpened.name of person .* was altered"):
        keys.open(event.person, "AccountOpened.name", altered)
    with pytest.raises(IntegrityError):
        keys.open(event.person, "AccountOpened.email", event.name)


def test_a_damaged_digest_key_is_not_taken_for_a_key(tmp_path: Path) -> None:
    KeyStore(tmp_path).close()
    (tmp_path / "digest.key").write_bytes(b"")
    with pytest.raises(IntegrityError, match=r"digest\.key is damaged: bring it back"):
        KeyStore(tmp_path)


def test_files_of_the_key_store_are_for_the_ledger_alone(tmp_path: Path) -> None:
    store = KeyStore(tmp_path / "keys")
    store.seal("p", "AccountOpened.name", "Anna")
    store.close()
    assert (tmp_path / "keys").stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in (tmp_path / "keys").iterdir()} == {0o600}


@pytest.mark.parametrize("key", ["NULL", "'text'", "x'00'", "CAST(x'ffff' AS TEXT)"])
def test_a_key_that_is_none_is_named(tmp_path: Path, key: str) -> None:
    with closing(KeyStore(tmp_path / "keys")) as keys:
        keys.seal("p", "AccountOpened.name", "Jana")
    with closing(sqlite3.connect(tmp_path / "keys" / "persons.sqlite")) as file, file:
        file.execute("DROP TABLE person")
        file.execute("CREATE TABLE person (person, key)")
        file.execute(f"INSERT INTO person VALUES ('p', {key})")  # noqa: S608 - our own values
    with (
        closing(KeyStore(tmp_path / "keys")) as keys,
        pytest.raises(IntegrityError, match=r"persons\.sqlite holds something that is no key"),
    ):
        keys.has_key("p")


@pytest.mark.parametrize("start", [0, 100, 4096, 8192])
def test_damage_of_the_key_store_is_an_integrity_error(tmp_path: Path, start: int) -> None:
    with closing(KeyStore(tmp_path / "keys")) as keys:
        for number in range(200):
            keys.seal(f"p-{number}", "AccountOpened.name", "Jana")
    file = tmp_path / "keys" / "persons.sqlite"
    content = file.read_bytes()
    file.write_bytes(content[:start] + b"\xee" * 4096 + content[start + 4096 :])

    def use() -> None:
        with closing(KeyStore(tmp_path / "keys")) as keys:
            for number in range(200):
                keys.destroy(f"p-{number}")

    with pytest.raises(IntegrityError, match=r"persons\.sqlite is damaged .* restore it"):
        use()


@pytest.mark.law("L-58")
def test_a_person_whose_return_could_not_be_recorded_may_return_again(
    known: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key that was made for what is not in the log must not look like one to be destroyed."""
    cancel(known)
    known.erase()
    again = known.registration("again", **PERSON)
    with monkeypatch.context() as patched:
        patched.setattr(known.log, "append", fail)
        with pytest.raises(AvailabilityError, match="disk is full"):
            known.send("open_account", **again)
    known.do("open_account", **again)
    event = known.all_events("AccountOpened")[-1]
    assert open_fields(known.ledger._keys, event.person, event)["name"] == PERSON["name"]


def erase_with_key_left(known: Casino) -> str:
    """Erase the person, for whom another writer then makes a key; return the pseudonym."""
    cancel(known)
    known.erase()
    person = opened(known).person
    with closing(KeyStore(known.keys)) as other:
        other.seal(person, "AccountOpened.name", "Jana")
    return person


def test_a_person_may_return_though_another_writer_left_a_key(known: Casino) -> None:
    """A writer that was replaced, and did not know it yet, decided the return."""
    erase_with_key_left(known)
    again = known.registration("again", **PERSON)
    with pytest.raises(AvailabilityError, match="send it again"):
        known.send("open_account", **again)
    known.do("open_account", **again)
    event = known.all_events("AccountOpened")[-1]
    assert open_fields(known.ledger._keys, event.person, event)["name"] == PERSON["name"]


def test_a_key_left_is_not_destroyed_by_a_writer_that_was_replaced(
    known: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = erase_with_key_left(known)
    again = known.registration("again", **PERSON)
    monkeypatch.setattr(known.log, "confirm", replaced)
    for _ in range(2):
        with pytest.raises(LedgerError):
            known.send("open_account", **again)
    assert known.ledger._keys.has_key(person)


def test_a_key_that_was_made_since_is_not_destroyed(tmp_path: Path) -> None:
    """Its owner returned to a newer writer, just after this one had confirmed its right."""
    with closing(KeyStore(tmp_path)) as keys, closing(KeyStore(tmp_path)) as newer:
        keys.seal("p", "AccountOpened.name", "Jana")
        sealed = []

        def returned() -> None:
            newer.destroy("p")
            sealed.append(newer.seal("p", "AccountOpened.name", "Jana"))

        keys.destroy_keys_of(["p"], returned)
        assert newer.open("p", "AccountOpened.name", sealed[0]) == "Jana"


def replaced() -> None:
    raise FencedError("another writer took over")


def fail(_: object) -> None:
    raise AvailabilityError("the disk is full")
