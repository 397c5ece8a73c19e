"""A call in a process of its own ends within its bounds, whatever it does."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError, IntegrityError
from ledger.log.limited_call import CallLimits, call_with_limits
from ledger.log.processes import module_command
from ledger.storage.named_files import read_bounded
from projections.evidence.document import EvidenceError, decode
from tests.tools.cli_cases import ROOT
from tests.waiting import PATIENCE_SECONDS

if TYPE_CHECKING:
    from pathlib import Path

OF_OTHERS = "raise SystemExit('executed a file of others')\n"
BOUNDS = CallLimits(seconds=20, memory_bytes=1 << 30)


def test_the_result_and_errors_of_ours_come_back() -> None:
    assert call_with_limits(divmod, BOUNDS, 7, 2) == (3, 1)
    with pytest.raises(InputError, match="/nowhere"):
        call_with_limits(read_bounded, BOUNDS, "/nowhere")
    with pytest.raises(EvidenceError) as found:
        call_with_limits(decode, BOUNDS, b"{}")
    assert isinstance(found.value, IntegrityError)
    assert found.value.place


def test_a_process_of_ours_imports_nothing_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evidence is verified in the folder of its archive, with other files of its sender."""
    for name in ("runpy", "pickle", "html", "msgspec", "ledger", "projections"):
        (tmp_path / f"{name}.py").write_text(OF_OTHERS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert call_with_limits(divmod, BOUNDS, 7, 2) == (3, 1)
    command = module_command("projections.store.health", str(tmp_path / "none"))
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own program
    assert "executed" not in done.stderr
    assert "none" in done.stdout + done.stderr


def test_python_is_started_in_one_way() -> None:
    starters = {
        path.relative_to(ROOT).as_posix()
        for package in ("ledger", "projections", "tools")
        for path in (ROOT / package).rglob("*.py")
        if "workshop" not in path.parts and "sys.executable, " in path.read_text(encoding="utf-8")
    }
    assert starters == {"ledger/log/processes.py"}


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (bytes, (2 << 30,)),  # memory
        (pow, (7, 1 << 40)),  # time of the processor
        (time.sleep, (2 * PATIENCE_SECONDS,)),  # time of the clock
    ],
)
def test_a_call_that_passes_a_bound_ends(function: type, arguments: tuple[int, ...]) -> None:
    begun = time.monotonic()
    with pytest.raises(InputError, match="reading it takes more than 2 s or 1024 MiB"):
        call_with_limits(function, BOUNDS._replace(seconds=2), *arguments)
    assert time.monotonic() - begun < PATIENCE_SECONDS
