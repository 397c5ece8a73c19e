"""Types are resolved once, however many threads decode them first, and in one place."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

import ledger
import projections
import tools
from ledger.core.decoders import TypeDecoder, build_types, decoder_of

INTERLEAVED = """
import sys
from threading import Event, Thread, current_thread
from msgspec import Struct
from ledger.core.decoders import decoder_of

resolving, second_is_there = Event(), Event()

def paused(kind):
    if current_thread().name == "first":
        resolving.set()
        second_is_there.wait(0.5)
    return kind

class Inner(Struct):
    amount: "paused(int)"

class Outer(Struct):
    inner: Inner
    others: list[Inner]

def decode():
    if current_thread().name == "second":
        resolving.wait(60)
        second_is_there.set()
    for _ in range(200):
        found.append(decoder_of(Outer).json(b'{"inner": {"amount": 1}, "others": []}'))

found = []
threads = [Thread(target=decode, name=name) for name in ("first", "second")]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert found == [Outer(Inner(1), [])] * 400
"""
DECODERS = {"Decoder", "convert", "decode"}
LEFT = {"decoders.py"}
"""The one place that makes decoders."""


class Example(msgspec.Struct, frozen=True):
    amount: int


@dataclass
class Plain:
    amount: int


def test_a_type_that_two_threads_decode_first_is_resolved_by_one() -> None:
    """Without the lock the interpreter crashes here, so the threads have a process of their own."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", INTERLEAVED], capture_output=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr.decode()


def test_a_decoder_reads_json_toml_and_plain_values() -> None:
    assert decoder_of(Example).json(b'{"amount": 1}') == Example(1)
    assert decoder_of(Example).toml("amount = 2") == Example(2)
    assert decoder_of(Example).plain({"amount": 3}) == Example(3)
    assert decoder_of(Plain).json(b'{"amount": 4}') == Plain(4)
    assert decoder_of(Example) is decoder_of(Example)
    with pytest.raises(msgspec.ValidationError, match="amount"):
        decoder_of(Example).json(b"{}")


def test_a_struct_that_is_only_encoded_does_not_hinder_the_others() -> None:
    class Unresolved(msgspec.Struct):
        of: NotThere  # type: ignore[name-defined]  # noqa: F821 - that is the case

    build_types()
    with pytest.raises(NameError):
        TypeDecoder(Unresolved).build()
    assert decoder_of(Example).build() is decoder_of(Example).build()


def _own(call: ast.Call) -> str:
    """Return what msgspec is asked for, such as ``json.decode``; empty for other calls."""
    name = ast.unparse(call.func)
    return name.removeprefix("msgspec.") if name.startswith("msgspec.") else ""


def _is_typed(call: ast.Call, name: str) -> bool:
    """Return whether a call resolves a type of ours: one that names no class does not."""
    kinds = [one.value for one in call.keywords if one.arg == "type"]
    kinds += call.args[:1] if name == "Decoder" else call.args[1:2]
    names = {one.id for kind in kinds for one in ast.walk(kind) if isinstance(one, ast.Name)}
    return bool(names - {"Any", "bool", "dict", "float", "int", "list", "msgspec", "str", "tuple"})


def _typed_calls(tree: ast.AST) -> list[tuple[int, str]]:
    calls: list[Any] = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    found = [(call, _own(call).rpartition(".")[2]) for call in calls]
    return [
        (call.lineno, ast.unparse(call))
        for call, name in found
        if name in DECODERS and _is_typed(call, name)
    ]


@pytest.mark.parametrize("package", [ledger, projections, tools])
def test_types_are_decoded_by_the_decoders_of_this_module_alone(package: Any) -> None:
    (folder,) = package.__path__
    found = {
        f"{path.relative_to(folder)}:{line}": call
        for path in Path(folder).rglob("*.py")
        if path.name not in LEFT and "msgspec" in (text := path.read_text(encoding="utf-8"))
        for line, call in _typed_calls(ast.parse(text))
    }
    assert not found, "use ledger.core.decoders.decoder_of"


def test_a_decoder_made_elsewhere_is_found() -> None:
    made = (
        "msgspec.json.decode(text, type=Rules)",
        "msgspec.json.Decoder(Union[A, B])",
        "msgspec.convert(value, kind, dec_hook=read)",
    )
    let = ("msgspec.json.decode(text)", "msgspec.json.Decoder(dict[str, Any], float_hook=Decimal)")
    assert all(_typed_calls(ast.parse(one)) for one in made)
    assert not any(_typed_calls(ast.parse(one)) for one in let)


class _Limits(msgspec.Struct, forbid_unknown_fields=True):
    least: int = 0
    by_name: dict[str, dict[str, int]] = {}
    names: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"a": {}, "b": {"least": "x"}}, "$.b.least"),
        (
            {"a": {"by_name": {"x": {"z": 1}}}, "b": {"by_name": {"x": {"z": ""}}}},
            "$.b.by_name.x.z",
        ),
        (
            {"a": {"by_name": {"x": {"z": 1}, "y": {"z": ""}}}, "b": {"least": ""}},
            "$.a.by_name.y.z",
        ),
        ({"a.b `$": {"x": 1}}, "$.a.b `$"),
        ({"a": {"names": ["x", 1]}}, "$.a.names[1]"),
    ],
)
def test_an_error_names_the_key_of_its_place(value: dict[str, Any], place: str) -> None:
    before = repr(value)
    with pytest.raises(msgspec.ValidationError) as refused:
        decoder_of(dict[str, _Limits]).plain(value)
    assert str(refused.value).endswith(f" - at `{place}`")
    assert repr(value) == before
