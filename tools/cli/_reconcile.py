"""``reconcile``: everything that must agree, compared, and made a fact of the chain."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ledger.core.clock import SystemClock
from ledger.core.errors import InputError
from projections.reconciliation.reconcile import Reconciliation
from projections.words.catalogue import Language
from tools.cli._answering import emits
from tools.cli._findings import FOUND, findings_table
from tools.cli._options import DATA, Csv, Data, Json
from tools.cli._output import counted, echo, emit, money, table
from tools.cli._project import up_to_date
from tools.cli._summary import Summary, SummaryLanguage, write_summary
from tools.cli._when import Day, First, Now, Span, UntilAt
from tools.data import DataDirectory
from tools.data.finding_records import (
    not_recorded,
    record_findings,
    recorded_findings,
    recording,
)
from tools.data.moments import now_of_question
from tools.data.notation import minute

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ledger.log.port import Log
    from projections.findings.finding import Finding
    from projections.reconciliation.earlier_results import EarlierResults
    from projections.reconciliation.rounds_to_recheck import PreviousReconciliation
    from projections.store.tables import Store
    from tools.data.finding_records import RejectedFinding

__all__ = ["reconcile"]

NAMED_MAX = 10
"""Rejected findings that an error names."""


@emits(Reconciliation)
def reconcile(
    *,
    day: Day = None,
    first: First = None,
    until: UntilAt = None,
    now: Now = None,
    since: Annotated[
        Literal["last"] | None,
        typer.Option(
            help="Go on from the last recorded run: settle what is new or can still change."
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(help="Code of a finding; run only the checks that may detect it. Repeatable."),
    ] = None,
    record: Annotated[
        bool, typer.Option("--record", help="Record what was found, so that it can be handled.")
    ] = False,
    summary: Summary = None,
    summary_language: SummaryLanguage = Language.EN,
    data: Data = DATA,
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """Settle every bet again and compare all that must agree.

    With `--day`, or `--from` and `--to`, what events of that time show, as it was open at its
    end. `--since last` finds what a run of all finds, sooner. Exit code 1 when something is
    open; 2 when a finding could not be recorded; what was closed is shown by `finding list --all`.
    `--only` names the codes of findings to look for.

    Example: `gameledger reconcile --since last --record`
    """
    from projections.reconciliation.finding_lifecycle import require_code
    from projections.reconciliation.numbers import numbers_in
    from projections.reconciliation.reconcile import examine_on
    from tools.data.examination_cache import RECONCILED, Examination, store_examination

    if (since or record) and (day or first or until):
        raise InputError("`--since` and `--record` look at all there is: leave out the time")
    if (since or record or summary) and only:
        raise InputError(
            "`--since`, `--record` and `--summary` are about all checks: leave out `--only`"
        )
    for code in only or ():
        require_code(code, ())
    unrecorded: list[RejectedFinding] = []
    with up_to_date(data) as (store, log):
        span = Span.of(log, store.position, day, first, until)
        earlier = _previous_results(store, log, data) if since else None
        asked_at = now_of_question(SystemClock(), until or day, now)
        chosen = frozenset(only or ())
        found, memory = examine_on(store, at=span.end, now=asked_at, since=earlier, only=chosen)
        if record:
            store_examination(data, Examination(found, memory), RECONCILED)
        commands = list(recording(found, recorded_findings(log))) if record else []
        found = replace(
            found,
            findings=tuple(one for one in found.findings if span.holds(one.position)),
            corrected=tuple(one for one in found.corrected if span.holds(one.position)),
        )
        is_open = replace(found, findings=found.open)
        write_summary(summary, summary_language, is_open, log, store)
    if record:
        with data.write() as ledger:
            rejected = record_findings(ledger, commands)
        with closing(data.read()) as log:
            unrecorded, numbers = not_recorded(log, rejected), numbers_in(log)
        missing = {one.finding for one in unrecorded}
        found = replace(
            found,
            findings=tuple(
                one if one.identity in missing else _as_recorded(one, numbers)
                for one in found.findings
            ),
        )
    if as_csv:
        findings_table(found.findings, as_csv=True)
    elif as_json:
        emit(found)
    else:
        _print_findings(found, only or ())
    if unrecorded:
        raise InputError(_unrecorded_text(unrecorded))
    raise typer.Exit(FOUND if found.open else 0)


def _unrecorded_text(unrecorded: list[RejectedFinding]) -> str:
    """Name the first findings that were not recorded, each with its error."""
    named = "; ".join(f"{one.finding} {one.code}: {one.error}" for one in unrecorded[:NAMED_MAX])
    more = f"; and {len(unrecorded) - NAMED_MAX} more" if len(unrecorded) > NAMED_MAX else ""
    count = counted(len(unrecorded), "finding is", "findings are")
    return f"{count} not recorded, all others are: {named}{more}. Report this as a defect"


def _as_recorded(one: Finding, numbers: Mapping[str, str]) -> Finding:
    number = numbers.get(one.identity, "")
    return replace(one, state="open", number=number) if one.state == "new" else one


def _previous_results(
    store: Store, log: Log, directory: DataDirectory
) -> PreviousReconciliation | EarlierResults | None:
    """Return what a run goes on from; None where it has to look at all.

    What this user remembers of the last recorded run counts where its findings have the digest
    that the chain records. After a run of another program, whose checks may differ, all is looked
    at again.
    """
    from projections.reconciliation.finding_lifecycle import digest_of, last_reconciliation
    from tools.data.examination_cache import RECONCILED, is_outdated, stored_examination

    run = last_reconciliation(store, store.position)
    if run is None or not run.is_whole or is_outdated(directory, RECONCILED):
        return None
    kept = stored_examination(directory, log, RECONCILED)
    if kept is not None and kept.memory.until == run.earlier.until:
        marks = ((one.identity, one.fingerprint) for one in kept.found.findings)
        if digest_of(marks) == run.digest:
            return kept.memory
    return run.earlier


def _print_findings(found: Reconciliation, only: Collection[str]) -> None:
    since = f", going on from position {found.since}" if found.since else ""
    done = (
        f"Checked for {' and '.join(only)}"
        if only and not found.rounds
        else f"{counted(found.bets, 'bet')} of {counted(found.rounds, 'round')} settled again"
    )
    echo(
        f"{done}, as of position {found.position}{since}, judged at {minute(found.moment)}.",
        style="bold",
    )
    if found.corrected:
        echo()
        echo("Were wrong, are right:")
        columns = ("position", "bet", "account", "paid CZK", "now", "due")
        table(
            columns,
            [
                (
                    one.position,
                    one.bet,
                    one.account,
                    money(one.paid_before),
                    money(one.paid),
                    money(one.due),
                )
                for one in found.corrected
            ],
        )
    closed = len(found.findings) - len(found.open)
    if closed:
        echo(f"{counted(closed, 'finding is', 'findings are')} closed: `finding list --all`.")
    if not found.findings:
        echo(f"No {' or '.join(only)}." if only else "Nothing is wrong.", style="green")
    elif not found.open:
        echo("Nothing is open.", style="green")
    else:
        echo(f"{counted(len(found.open), 'finding')}:", style="red")
        findings_table(found.open)
