"""``retention``: how long data are kept, whose are due, their erasure, and unclaimed money."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from msgspec import UNSET, UnsetType

from ledger.core.clock import SystemClock, day_of
from ledger.core.errors import InputError
from ledger.decisions.accounts.erasure import DestroyPeriodKey, ErasePerson
from projections.checks.not_erased import retained
from tools.access.questions.accounts import unclaimed
from tools.cli._answering import answers
from tools.cli._help import Commands
from tools.cli._options import DATA, Csv, Data, DryRun
from tools.cli._output import counted, echo, moment, table, wrapped
from tools.cli._project import up_to_date
from tools.cli._questions import command_of
from tools.cli._when import At, Now, position
from tools.data import DataDirectory
from tools.data.documents import Retention, retention_of
from tools.data.moments import now_of_question
from tools.data.personal import due_months

if TYPE_CHECKING:
    from projections.checks.not_erased import Retained

__all__ = ["CarriedOut", "app"]

app = Commands("How long data are kept: show what is due, carry it out; unclaimed money.")

FOUND = 1
CLASSES = {
    "identity": "identity of a person (erased when it is over)",
    "contact": "contact data of a person (erased with it)",
    "suspicion": "reports of suspicion, kept apart",
    "case": "words of complaints and objections",
    "statement": "what payers wrote, names of files",
    "access": "what readers asked for",
    "participant": "facts of accounts and protection",
    "financial": "facts of money",
    "game": "facts of games",
    "operation": "facts of operation",
    "chain": "what proves the others",
}


def _show(found: Retention, *, everybody: bool, as_csv: Csv = False) -> None:
    months = found.months
    if not as_csv:
        table(
            (wrapped("data"), "years", "source", "text"),
            [
                (CLASSES[name], kept.years, kept.source, kept.seen)
                for name, kept in found.kept.items()
            ],
        )
    table(
        ("account", "ended (Prague)", "kept up to", "holds", "due since", "asked for"),
        [_row(one) for one in found.persons],
        nothing="Nobody's data are kept without an account." if everybody else "Nothing is due.",
        as_csv=as_csv,
    )
    if months and not as_csv:
        echo(f"Keys of months that are due: {', '.join(months)}.")


@app.command()
@answers(_show)
def show(
    *,
    everybody: Annotated[
        bool, typer.Option("--all", help="Also persons whose data must still be kept.")
    ] = False,
    at: At = None,
    now: Now = None,
    data: Data = DATA,
) -> Retention:
    """Show the periods, and the persons whose data are to be erased now.

    Without `--at` and `--now`, what is due is due by the clock of this machine.

    Example: `gameledger retention show --all`
    """
    with up_to_date(data) as (store, log), data.keys_at_hand() as keys:
        size = position(log, at, size=store.position)
        asked_at = now_of_question(SystemClock(), at, now)
        return retention_of(store, keys, at=size, now=asked_at, everybody=everybody)


def _due_months(data: DataDirectory) -> list[str]:
    with data.keys_at_hand() as keys:
        return due_months(keys, SystemClock().now())


def _row(one: Retained) -> tuple[str, ...]:
    return (
        one.account,
        moment(one.ended_at),
        day_of(one.until - 1),
        ", ".join(one.holds),
        day_of(one.due_since) if one.due_since is not None else "",
        moment(one.asked_at) if one.asked_at is not None else "",
    )


app.command("unclaimed")(command_of(unclaimed))


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """Accounts whose persons were erased, destroyed keys of months, and why others stay."""

    erased: list[str]
    destroyed: list[str]
    kept: dict[str, str]
    dry_run: Literal[True] | UnsetType = UNSET


def _show_carried_out(done: CarriedOut) -> None:
    is_done = done.dry_run is UNSET
    for month in done.destroyed:
        echo(f"{'Destroyed' if is_done else 'Would destroy'} the key {month}.")
    if done.kept:
        table(("account or key", wrapped("kept because")), list(done.kept.items()))
    persons = counted(len(done.erased), "person", "persons")
    echo(f"{persons} erased." if is_done else f"Would erase {persons}.")


@app.command("carry-out")
@answers(_show_carried_out, end=lambda done: FOUND if done.kept else 0)
def carry_out(*, data: Data = DATA, dry_run: DryRun = False) -> CarriedOut:
    """Erase everybody whose period has ended and whom no hold covers; for the night job.

    So are the keys of months: of statements, of cases, and of the chain of accesses.

    Each is decided again when it is carried out; exit code 1 where a person was kept after all.

    Example: `gameledger retention carry-out --dry-run`
    """
    with up_to_date(data) as (store, _):
        persons = retained(store, now=SystemClock().now()).persons
    due = [one.account for one in persons if one.due_since is not None]
    months, kept = _due_months(data), dict[str, str]()
    if (due or months) and not dry_run:
        with data.write() as ledger:
            for account in due:
                receipt = ledger.execute(ErasePerson(account=account, source="cli retention"))
                if receipt.refused is not None:
                    kept[account] = receipt.refused.sentence
            for month in months:
                try:
                    ledger.execute(DestroyPeriodKey(period_key=month, source="cli retention"))
                except InputError as error:
                    kept[month] = str(error)
    months += _of_accesses(data, dry_run=dry_run)
    erased = [account for account in due if account not in kept]
    destroyed = [month for month in months if month not in kept]
    return CarriedOut(erased, destroyed, kept, dry_run=True if dry_run else UNSET)


def _of_accesses(data: DataDirectory, *, dry_run: bool) -> list[str]:
    """Destroy the due keys of the chain of accesses, if there is one; return their names."""
    from tools.access.chain import FOLDER

    if not (data.path / FOLDER).is_dir():
        return []
    from tools.cli._reader import open_access_chain

    with open_access_chain(data) as (chain, _):
        due = chain.due_keys()
        for name in () if dry_run else due:
            chain.destroy(name)
    return due
