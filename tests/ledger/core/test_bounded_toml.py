"""Every reader of TOML from outside refuses what would cost more than its length."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ledger
import projections
import tools
from ledger.core.bounded_toml import KEY_PARTS_MAX, NESTED_MAX, parse_toml
from ledger.core.errors import InputError
from ledger.games.plans import read_plan
from ledger.rules.operator import parse_operator_rules
from projections.packages.cz.settings import read_settings
from tools.delivery.settings import read_delivery
from tools.feed.settings import read_feed
from tools.service.authentication import ClientAuthenticator
from tools.statements.issuer import read_issuer
from tools.statements.sources import read_sources
from tools.watch.rules import read_rules

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

READERS: dict[str, Callable[[Path], object]] = {
    "plan": lambda path: read_plan(path.read_bytes(), "x"),
    "rules of operation": lambda path: parse_operator_rules(path.read_bytes(), "x"),
    "settings of packages": read_settings,
    "rules of the watch": read_rules,
    "delivery": read_delivery,
    "feed": read_feed,
    "issuer": lambda path: read_issuer(path.parent, path.stem),
    "sources": read_sources,
    "clients": ClientAuthenticator,
}
DEEP = {
    "arrays": "a = " + "[" * 2_000 + "]" * 2_000,
    "tables": "a = " + "{b=" * 2_000 + "1" + "}" * 2_000,
    "parts of a key": "a" + ".a" * 4_000 + " = 1",
    "quoted parts": '"a=,"' + ".'a#'" * 4_000 + " = 1",
    "parts of a heading": "[" + "a . " * 4_000 + "a]",
    "parts behind quotes": 'a = {b = """x"""", ' + "c." * 4_000 + "c = 1}",
    "digits": "a = " + "9" * 5_000,
}
BESIDES = {
    *("bounded_toml.py", "texts.py", "fields.py", "headers.py", "catalogue.py", "phrases.py"),
    *("rows.py", "shipped.py"),
}
"""Files that may parse TOML by themselves: their documents ship with the program."""


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
@pytest.mark.parametrize("reader", READERS)
def test_what_passes_a_bound_is_refused_by_every_reader(
    tmp_path: Path, reader: str, text: str
) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises(InputError, match="x") as refused:
        READERS[reader](path)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    ("text", "is_within"),
    [
        ("a = " + "[" * NESTED_MAX + "]" * NESTED_MAX, True),
        ("a = " + "[" * (NESTED_MAX + 1) + "]" * (NESTED_MAX + 1), False),
        ("a" + ".a" * (KEY_PARTS_MAX - 1) + " = 1", True),
        ("a" + ".a" * KEY_PARTS_MAX + " = 1", False),
    ],
)
def test_the_bounds_are_where_they_are_stated(text: str, is_within: bool) -> None:
    if is_within:
        assert parse_toml(text) == tomllib.loads(text)
    else:
        with pytest.raises(msgspec.DecodeError, match=r"parts|nested"):
            parse_toml(text)


TEXT = st.text("ab .[{=,#'\"\\\n", max_size=60)


def test_a_byte_order_mark_is_ignored() -> None:
    assert parse_toml(b"\xef\xbb\xbfa = 1") == parse_toml("\ufeffa = 1") == {"a": 1}
    with pytest.raises(msgspec.DecodeError):
        parse_toml("\ufeff\ufeffa = 1")


@given(TEXT)
def test_signs_within_strings_and_comments_do_not_count(text: str) -> None:
    document = f"# {'.[' * 99}\na = {msgspec.json.encode(text + '.[' * 99).decode()}\n"
    several = text.replace("\\", "").replace('"', "") + ".[\n" * 99
    document += f'b = """{several}"""\nc = {[0.5] * 99}\n'
    assert parse_toml(document) == {
        "a": text + ".[" * 99,
        "b": several.removeprefix("\n"),
        "c": [0.5] * 99,
    }


@pytest.mark.parametrize("package", [ledger, projections, tools])
def test_toml_from_outside_is_parsed_within_the_bounds(package: ModuleType) -> None:
    (folder,) = package.__path__
    parsing = {
        path.name
        for path in Path(folder).rglob("*.py")
        if "workshop" not in path.parts
        and any(call in path.read_text("utf-8") for call in ("tomllib.load", "toml.decode("))
    }
    assert parsing <= BESIDES, "use ledger.core.bounded_toml.parse_toml"
