from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.tools.cli_cases import run, run_here
from tools.data import tables

if TYPE_CHECKING:
    from tests.tools.conftest import Demo


@pytest.mark.slow
def test_the_demo_runs_and_its_hints_work(demo: Demo) -> None:
    data, printed = demo
    for text in (
        "breaches in a chain apart; all are found",
        "house result",
        "The chain is whole",
        "Bank and payment provider sent their files: ",
        "in the chain: raised, assigned, explained, closed.",
        "refused because",
        "breaks imposed",
    ):
        assert text in printed
    hints = re.findall(r"^  gameledger (.*?)\s+#", printed, re.MULTILINE)
    assert len(hints) > 5
    with tables.keep_tables_open(data / "projection"):
        for hint in hints:
            if hint.startswith("serve"):  # goes on until it is stopped: tests/tools/access do that
                continue
            # Tables of another folder: the engine serves one in a process.
            ask = run if hint.endswith("/breaches") else run_here
            assert ask(*hint.split(), data=data).returncode in {0, 1}, hint
    opening = re.search(r"gameledger (report open .*?) \\\n\s+(--key .*)$", printed, re.MULTILINE)
    assert opening is not None
    opened = run(*opening[1].split(), *opening[2].split(), data=data)
    assert opened.returncode == 0, opened.stderr
    sealed = sorted((data / "sealed").glob("*.p7s"))
    assert [one.name[:23] for one in sealed] == [
        "26493993-V-2026112016-Z",
        "26493993-V-2026112100-Z",
    ]
    proved = run_here("evidence", "verify", str(data / "evidence.html"), "--json", data=data)
    origins = json.loads(proved.stdout)["origins"]
    assert ("studio", "sealed", True) in {
        (one["source"], one["state"], one["is_whole"]) for one in origins
    }
    apart = run("suspicion", "list", "--apart", str(data / "apart"), "--json", data=data)
    assert [one["report"] for one in json.loads(apart.stdout)] == ["s-2026-1"]
    until = re.search(r"report status --until \S+", printed)
    assert until is not None
    status = json.loads(run(*until[0].split(), "--json", data=data).stdout)
    assert [one["state"] for one in status] == ["published", "published"]
    tampering = re.findall(r"^  ((?:rm|printf) .*)$", printed, re.MULTILINE)
    for line in tampering:
        subprocess.run(["/bin/sh", "-c", line], check=True)  # noqa: S603 - printed by our program
    position = re.search(r"names position (\d+)", printed)
    tampered = run("log", "verify", data=data.with_name("demo-tampered"))
    assert tampered.returncode == 3
    assert position is not None
    assert f"message {position[1]} was altered" in tampered.stderr
