"""The demo with a statement whose lines our books do not have, and an instance whose clerk acts."""

from __future__ import annotations

import json
import shutil
import time
from contextlib import closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from ledger.core.clock import StoppedClock, in_prague
from ledger.decisions.findings.handling import NoteFindings
from ledger.decisions.operator.matching_rules import SetMatchingRules
from projections.findings.finding import Finding
from tests.tools.access.access_cases import READY_SECONDS_MAX, Service, last_moment, record
from tests.tools.access.browser_cases import listening
from tests.tools.cli_cases import run
from tests.tools.writer_cases import ANY_PORT, serving
from tools.access.app import application
from tools.access.pages_actions import Writers
from tools.data import DataDirectory
from tools.data.finding_records import raised_finding
from tools.data.locations import LOCAL
from tools.service.authentication import ClientAuthenticator
from tools.service.http.serving import HttpListener
from tools.statements.importing import import_file, recorded_statements
from tools.statements.issuer import read_issuer
from tools.statements.reading import ReadRequest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["HEAD", "ISSUER", "UNKNOWN", "acting_instance", "examined", "with_unknown_lines"]

ISSUER = """
kind = "PAYMENTS"
format = "csv"
[columns]
booked = "day"
amount = "amount"
reference = "ours"
"""
HEAD = "day,amount,ours\n"
UNKNOWN = HEAD + "".join(f"2026-11-10,{amount}.00,unknown-{amount}\n" for amount in (1, 2, 3))
"""Lines that our books do not have, of a day whose window is over: a finding each."""


def with_unknown_lines(demo: Path, folder: Path, *, is_recorded: bool) -> tuple[Path, list[str]]:
    """Copy the demo and import a statement; return it with the names of the statement's findings.

    Args:
        demo: the chain to copy.
        folder: of the copy.
        is_recorded: record these findings, so that they are open; otherwise they are new.

    """
    data = shutil.copytree(demo, folder / "data", symlinks=True)
    directory = DataDirectory(data, LOCAL)
    (data / "issuers" / "wallet.toml").write_text(ISSUER)
    file = folder / "unknown.csv"
    file.write_text(UNKNOWN)
    clock = StoppedClock(last_moment(data) + 1)
    with closing(directory.read()) as log:
        before = recorded_statements(log)
    asked = ReadRequest(file, "wallet", read_issuer(data / "issuers", "wallet"))
    import_file(asked, before, partial(directory.write, clock=clock))
    today = in_prague(last_moment(data)).date()
    rules = SetMatchingRules(
        first_day=today, bank_days=5, payments_days=2, write_off_max=10_000, reason="r", by="f"
    )
    record(data, rules)
    done = run("reconcile", "--only", "NOT_IN_BOOKS", "--json", data=data)
    new = [msgspec.convert(one, Finding) for one in json.loads(done.stdout)["findings"]]
    assert len(new) == UNKNOWN.count("unknown")
    if is_recorded:
        record(data, NoteFindings(raised=tuple(map(raised_finding, new))))
    return data, [one.identity for one in new]


@contextmanager
def examined(data: Path) -> Iterator[Service]:
    """Serve a chain, and wait until its findings and duties are known."""
    with Service.over(data) as service:
        service.desk.examiner.start()
        ends = time.monotonic() + READY_SECONDS_MAX
        while service.desk.examiner.supervision is None and time.monotonic() < ends:
            time.sleep(0.1)
        yield service


@contextmanager
def acting_instance(service: Service) -> Iterator[str]:
    """Serve the operator's own instance, which acts by a writer at work; give its address."""
    clock = StoppedClock(last_moment(service.data) + 1)
    with (
        closing(HttpListener(ANY_PORT, ClientAuthenticator())) as http,
        serving(service.data, clock=clock, http=http),
    ):
        writers = Writers((http.url,), None, issuers=service.data / "issuers")
        with listening(service, application(service.desk, writers=writers)) as found:
            yield found
