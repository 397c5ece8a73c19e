"""``complaint``: the register of complaints, and of objections to a cancellation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.clock import last_day
from ledger.core.errors import InputError
from projections.reconciliation.complaints import list_cases, show_case
from projections.words.catalogue import Language, Words
from tools.cli._cuts import cut
from tools.cli._help import Commands
from tools.cli._options import Csv, Data, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import counted, echo, echo_position, emit, facts, minute, moment, table
from tools.cli._project import up_to_date
from tools.cli._when import At, position
from tools.data import DataDirectory
from tools.data.case_texts import with_texts
from tools.data.personal import SEALED

if TYPE_CHECKING:
    from projections.reconciliation.complaints import Case

__all__ = ["app"]

app = Commands("Complaints and objections: list them, show one, answer it by letter.")


@app.command("list")
def list_command(
    *,
    account: Annotated[str, typer.Option(metavar="ACCOUNT", help="Of one account only.")] = "",
    ended: Annotated[
        bool, typer.Option("--all", help="Also cases that were decided or lapsed.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="How many at most; all of them by default.")
    ] = None,
    at: At = None,
    data: Data = Path("data"),
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """List the open cases with the last day for their answers, the most urgent first.

    Example: `gameledger complaint list --at 2026-11-20`
    """
    with up_to_date(data) as (store, log):
        size = position(log, at, size=store.position)
        register = list_cases(store, account=account, with_ended=ended, at=size)
        if as_json:
            with DataDirectory(data).keys_at_hand() as keys:
                register = with_texts(register, log, keys)
    overdue = sum(case.is_overdue for case in register.cases)
    if limit is not None and len(register.cases) > limit:
        cut(f"the first {limit} of {len(register.cases)} cases are shown: --limit")
        register = replace(register, cases=register.cases[:limit])
    if as_json:
        emit(register)
        return
    table(
        ("case", "kind", "account", "status", "filed (Prague)", "answer by", "rounds and bets~"),
        [
            (
                case.case,
                case.kind,
                case.account,
                _status(case),
                minute(case.filed_at),
                last_day(case.answer_until),
                ", ".join((*case.rounds, *case.bets)),
            )
            for case in register.cases
        ],
        nothing="No case is recorded." if ended else "No case is open.",
        as_csv=as_csv,
    )
    if as_csv:
        return
    if overdue:
        echo(f"{counted(overdue, 'case is', 'cases are')} overdue.", style="bold red")
    echo_position(register.position, register.recorded_at)


@app.command()
def show(
    *,
    case: Annotated[str, typer.Argument(metavar="CASE", help="Complaint or objection.")],
    at: At = None,
    data: Data = Path("data"),
    as_json: Json = False,
) -> None:
    """Show a case: what it is about, until when it is to be answered, and the answer.

    Example: `gameledger complaint show case-1`
    """
    with up_to_date(data) as (store, log):
        register = show_case(store, case, at=position(log, at, size=store.position))
        with DataDirectory(data).keys_at_hand() as keys:
            register = with_texts(register, log, keys)
    if as_json:
        emit(register)
        return
    for one in register.cases:
        _print_case(one)
    echo_position(register.position, register.recorded_at)


@app.command()
def letter(
    *,
    case: Annotated[str, typer.Argument(metavar="CASE", help="Complaint or objection.")],
    language: Annotated[Language, typer.Option(help="Language of the letter.")] = Language.CS,
    pdf: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it as PDF to this new file.")
    ] = None,
    at: At = None,
    data: Data = Path("data"),
    as_json: Json = False,
) -> None:
    """Write the letter that answers a case, with the recorded facts of its rounds, bet by bet.

    Other accounts are left out; the sender adds name and address.

    Example: `gameledger complaint letter case-1 --pdf case-1.pdf`
    """
    from projections.evidence.letter import as_pdf, as_text
    from tools.data.letters import case_letter

    words = Words(language)
    with up_to_date(data) as (store, log):
        size = position(log, at, size=store.position)
        with DataDirectory(data).keys_at_hand() as keys:
            written = case_letter(store, log, case, words, at=size, keys=keys)
    if pdf is not None:
        _write_new(pdf, as_pdf(words, written))
    text = as_text(words, written)
    if as_json:
        emit({"case": case, "language": language.value, "text": text})
    elif pdf is None:
        for line in text.splitlines():
            echo(line)


def _write_new(path: Path, content: bytes) -> None:
    try:
        with path.open("xb") as file:
            file.write(content)
    except FileExistsError as error:
        raise InputError(f"{path} exists already: name a new file") from error
    except OSError as error:
        raise InputError(f"{path} can't be written: {error.strerror}") from error


def _print_case(case: Case) -> None:
    rows: list[tuple[str, object]] = [
        ("account", case.account),
        ("status", _status(case)),
        ("filed", f"{moment(case.filed_at)} in Prague, position {case.position}"),
        ("answer by", f"{last_day(case.answer_until)} ({case.source})"),
        ("rounds", ", ".join(case.rounds) or "none"),
        ("bets", ", ".join(case.bets) or "none"),
        ("grounds", SEALED if case.grounds is None else case.grounds),
    ]
    if case.ended_at is not None:
        ended = f"{moment(case.ended_at)} in Prague, position {case.ended_position}"
        answer = SEALED if case.answer is None else case.answer or "none"
        rows += [("ended", ended), ("answer", answer)]
    echo(f"{case.kind.capitalize()} {case.case}", style="bold")
    facts(rows)


def _status(case: Case) -> str:
    return "overdue" if case.is_overdue else case.status
