"""What fuzzing gives bytes to: everything that reads what came from outside.

A target takes any bytes and returns, or raises an error of the ledger's own tree; anything else is
a fault. Seeds are files of the repository and samples of the tests.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from ledger.core.errors import LedgerError  # noqa: E402
from ledger.decisions.decider import decode_command  # noqa: E402
from ledger.events.encoding import decode, decode_envelope  # noqa: E402
from ledger.games import settle_line  # noqa: E402
from ledger.games.plans import document, read_new_plan  # noqa: E402
from ledger.rules.operator import parse_operator_rules  # noqa: E402
from ledger.tlog.notes import Note  # noqa: E402
from ledger.tlog.policy import Policy  # noqa: E402
from ledger.tlog.tiles import bundle_of, entries_of  # noqa: E402
from projections.evidence.verify import verify  # noqa: E402
from projections.packages.cz.confirmation import read_confirmation  # noqa: E402
from projections.packages.cz.seal import _signed_data  # noqa: E402
from tests.tools.statements.statement_files import CSV, bank, gpc, gpc_line, provider  # noqa: E402
from tests.tools.statements.template_samples import SAMPLES  # noqa: E402
from tools.statements.reading import READERS  # noqa: E402
from tools.web.framing import fault_of  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tools.statements.issuer import Issuer

__all__ = ["FOUND", "TARGETS", "Target", "give"]

FOUND = Path(__file__).parent / "found"
"""Inputs that once showed a fault, by target; they are tried in every run."""
EVIDENCE = ROOT / "docs" / "evidence-vectors"
GOLDEN = ROOT / "tests" / "schemas" / "golden.jsonl"
PACKAGE = "26493993-V-2026112016-Z-01"


class Target(NamedTuple):
    """A reader, and bytes that it reads."""

    read: Callable[[bytes], object]
    seeds: Callable[[], Iterable[bytes]]


def give(name: str, data: bytes) -> None:
    """Give bytes to a target; an error of the ledger's own is an answer."""
    with suppress(LedgerError):
        TARGETS[name].read(data)


def _messages() -> list[bytes]:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    return [bytes.fromhex(json.loads(line)["message"]) for line in lines]


def _text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda data: read(data.decode("utf-8", "replace"))


def _statement(issuer: Issuer) -> Callable[[bytes], object]:
    return lambda data: list(READERS[issuer.format](BytesIO(data), issuer))


def _samples(*names: str) -> Callable[[], list[bytes]]:
    return lambda: [SAMPLES[name].text.encode() for name in names]


def _gpc() -> list[bytes]:
    """Return the sample, and one of which each account in turn has a line under the other."""
    ours, other = f"{19:06d}{2000145399:010d}", f"{0:06d}{1987654321:010d}"
    two = (gpc(gpc_line(100)) + gpc(gpc_line(300))).replace(f"074{ours}", f"074{other}", 1)
    return [
        *_samples("gpc")(),
        *(text.encode("cp1250") for text in (two, two.replace(ours, other, 1))),
    ]


def _notes() -> list[bytes]:
    return [json.loads(_evidence()[0])["note"].encode()]


def _evidence() -> list[bytes]:
    names = ("round.json", "account.json", "withheld.json", "witnessed.json")
    return [(EVIDENCE / name).read_bytes() for name in names]


TARGETS: dict[str, Target] = {
    "event": Target(lambda data: (decode_envelope(data), decode(data)), _messages),
    "tile": Target(lambda data: list(entries_of(data, 0, 3)), lambda: [bundle_of(_messages()[:3])]),
    "note": Target(_text(lambda text: Note.parse(text).head), _notes),
    "policy": Target(Policy.parse, lambda: [(ROOT / "docs" / "witness.md").read_bytes()[:2_000]]),
    "evidence": Target(verify, _evidence),
    "command": Target(
        decode_command, lambda: (ROOT / "docs" / "first-round.jsonl").read_bytes().splitlines()
    ),
    "settlement": Target(settle_line, lambda: [b'{"id":"1","game":"sazka.baccarat","wagers":[]}']),
    "plan": Target(
        lambda data: read_new_plan(data, "plan.toml"),
        lambda: [document("69games.lucky_wheel", "unknown").encode()],
    ),
    "rules": Target(
        lambda data: parse_operator_rules(data, "rules.toml"),
        lambda: [(ROOT / "ledger/rules/operators/sazka.toml").read_bytes()],
    ),
    "mt940": Target(_statement(bank("mt940")), _samples("ing", "rabobank", "abn-amro")),
    "gpc": Target(_statement(bank("gpc")), _gpc),
    "camt": Target(_statement(bank("camt.053")), _samples("camt.053")),
    "csv": Target(_statement(provider()), lambda: [CSV.encode()]),
    "xlsx": Target(_statement(provider(format="xlsx")), lambda: [b"PK\x03\x04"]),
    "confirmation": Target(
        lambda data: read_confirmation(f"{PACKAGE}.Err.zip", data),
        lambda: [b"PK\x05\x06" + bytes(18)],
    ),
    "cms": Target(_signed_data, lambda: [bytes.fromhex("308006092a864886f70d010702a080")]),
    "head": Target(fault_of, lambda: [b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"]),
}
