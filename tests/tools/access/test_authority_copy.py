"""What the authority holds, on the front page and in ``log status``."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec import structs

from ledger.core.clock import SECOND, SystemClock
from ledger.decisions.operator.attestations import RecordCosignature
from ledger.decisions.operator.rules import PublishOperatorRules
from ledger.log.checkpoints import checkpoints
from ledger.rules.operator import AuthorityMirror, shipped_rules
from ledger.tlog.cosigning import WitnessKey
from tests.tools.access.access_cases import Service
from tests.tools.cli_cases import run
from tools.cli._demo_mirror import sign
from tools.data import DataDirectory
from tools.data.locations import LOCAL

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

MIRROR, WITNESS = (WitnessKey(f"{name}.example", bytes([1] * 32)) for name in ("mirror", "witness"))


def cosign(directory: DataDirectory, key: WitnessKey) -> int:
    """Record a cosignature of the last checkpoint, and return its size."""
    with closing(directory.read()) as log:
        last = next(checkpoints(log))
    cosignature = key.cosign(last.log_note.text, SystemClock().now() // SECOND)
    with directory.write() as ledger:
        ledger.execute(
            RecordCosignature(
                size=last.size,
                witness=key.public.name,
                public_key=key.public.raw,
                seconds=cosignature.seconds,
                signature=cosignature.signature,
            )
        )
    return last.size


def test_what_the_authority_holds_is_shown_apart_from_the_witnesses(studio: Path) -> None:
    directory = DataDirectory(studio, LOCAL)
    sign(directory, SystemClock().now())
    held = cosign(directory, MIRROR)
    assert status_of(studio)["held"] is None
    mirror = AuthorityMirror(MIRROR.public.text, "licence")
    rules = msgspec.to_builtins(structs.replace(shipped_rules()["sazka"], mirror=mirror))
    with directory.write() as ledger:
        ledger.execute(PublishOperatorRules(name="own", rules=rules))
    assert run("log", "checkpoint", data=studio).returncode == 0
    announced = cosign(directory, WITNESS)
    due = {"mirror": "mirror.example", "held": held, "announced": announced}
    assert held < announced
    assert status_of(studio)["held"] == due
    line = f"held by the authority   up to {held}, announced up to {announced}"
    assert line in run("log", "status", data=studio).stdout
    with Service.over(studio) as service:
        state = service.get("/api/chain").json()["answer"]
        assert state["held"] == due
        assert [one["witness"] for one in state["cosigned"]] == ["witness.example"]
        shown = f"held by the authority up to {held}, announced up to {announced}"
        assert shown in service.get("/").text


def status_of(data: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("log", "status", "--json", data=data).stdout)
    return found
