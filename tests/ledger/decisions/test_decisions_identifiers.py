"""An identifier can't look like another one: the types of commands refuse what it is made of."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import msgspec
import pytest

import schemas
from ledger.decisions.decider import COMMANDS
from ledger.events.command import LETTERS
from tests.command_types import texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.events.command import Command

FOREIGN = {
    ("record_statement_lines", field) for field in ("round", "bet", "game", "table", "account")
}
"""What others call their things, as it stands in their files; our names are compared with it."""
INTERNAL = {"note_findings", "record_cosignature"}
"""Commands of the program itself, about what it found, or with a key in base64."""
ALIKE = ("\u0430-1", "a\u2010 1", "a-\u0661", "a\u0301-1", "\uff41-1", "a\u200b-1", "\u017f-1")
"""Cyrillic a, another hyphen, another digit, an accent of its own, a wide a, no width, a long s."""
TAGS = {field for schema in schemas.newest().values() for field, _ in schema.tags}


def identifiers(command: type[Command]) -> Iterator[tuple[str, msgspec.inspect.StrType]]:
    """Yield the fields of a command that name something by which events are found."""
    for field, found in texts(msgspec.inspect.type_info(command), ""):
        if field in TAGS:
            yield field, found


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - INTERNAL))
def test_an_identifier_has_letters_of_one_script(name: str) -> None:
    for field, found in identifiers(COMMANDS[name]):
        if (name, field) in FOREIGN:
            continue
        assert found.pattern, (name, field)
        allowed = re.compile(found.pattern)
        for alike in ALIKE:
            assert not allowed.search(alike), (name, field, alike)


def test_no_two_letters_of_identifiers_look_alike() -> None:
    letters = [sign for sign in map(chr, range(0x250)) if re.fullmatch(f"[{LETTERS}]", sign)]
    assert len(letters) > 200
    assert {"č", "ř", "ů", "ž", "ł", "ß", "ő", "Š"} <= set(letters)
    for sign in letters:
        assert unicodedata.normalize("NFKC", sign) == sign
        assert sign.isascii() or "LATIN" in unicodedata.name(sign)
    assert not {"\u00d0", "\u0131"} & set(letters)


def test_czech_names_of_things_stay_allowed() -> None:
    tables = [found for field, found in identifiers(COMMANDS["open_table"]) if field == "table"]
    assert all(re.search(one.pattern or "", "stůl-Ř1") for one in tables)
    assert tables
