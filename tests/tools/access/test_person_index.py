"""Accounts are found by the decrypted names and e-mails of their persons, and by nothing else."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from ledger.privacy import KeyStore
from tests.projections.history_cases import Casino
from tools.access.person_index import PersonIndex

if TYPE_CHECKING:
    from pathlib import Path


def test_accounts_are_found_by_name_and_email_until_the_key_is_destroyed(tmp_path: Path) -> None:
    casino, index = Casino(tmp_path), PersonIndex()
    casino.open_account("a")
    casino.do("change_person", account="a", name="Jan Nepomuk Žižka", email="Zizka@Example.com")
    casino.open_account("b")
    with closing(KeyStore(tmp_path / "keys")) as keys:

        def found(text: str) -> list[str]:
            size = casino.log.head().size
            return [one.account for one in index.find(casino.log, keys, text, size=size)]

        assert found("zizka") == found("ŽIŽKA, Jan") == found("zizka@example.com") == ["a"]
        assert found("Jan") == ["a", "b"]
        assert found("Jan Zizkova") == found("Ziz") == found("") == found("@") == []
        casino.do("change_person", account="b", name="Petr Žižka")
        assert found("Žižka") == ["a", "b"]
        (b,) = (one for one in index.find(casino.log, keys, "Petr", size=casino.log.head().size))
        assert b.person not in {"b", "Petr"}
        assert found("Jan Žižka") == ["a"]  # words of two names of a person are no name
        casino.do("change_person", account="a", name="Eva Nováková-Žižková", email="eva@x-y.cz")
        assert found("Nováková") == found("zizkova eva") == found("Nováková-Žižková") == ["a"]
        assert found("eva@x-y.cz") == found("Jan Nepomuk") == ["a"]
        assert found("Eva Nepomuk") == found("y.cz") == []
        keys.destroy(b.person)
        assert found("Žižka") == ["a"]
        assert found("Petr") == []


def test_no_text_of_a_person_is_kept(tmp_path: Path) -> None:
    casino, index = Casino(tmp_path), PersonIndex()
    casino.open_account("a")
    with closing(KeyStore(tmp_path / "keys")) as keys:
        index.find(casino.log, keys, "Jan", size=casino.log.head().size)
    assert index._found
    assert not any(text in repr(index._found) for text in ("Jan", "jan", "example"))
