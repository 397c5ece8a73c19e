"""``complaint``: the register of complaints, and of objections to a cancellation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ledger.core.clock import SystemClock
from ledger.core.errors import InputError
from projections.words.catalogue import Language, Words
from tools.access.questions.duties import cases, one_case
from tools.cli._answering import answers
from tools.cli._help import Commands
from tools.cli._options import DATA, Data
from tools.cli._output import echo
from tools.cli._project import up_to_date
from tools.cli._questions import command_of
from tools.cli._when import AsOfPoint, At, day, position
from tools.whole_files import write_whole

__all__ = ["CaseLetter", "app"]

app = Commands("Complaints and objections: list them, show one, answer it by letter.")


app.command("list")(command_of(cases))
app.command("show")(command_of(one_case))


@dataclass(frozen=True, slots=True)
class CaseLetter:
    """The letter that answers a case, as text."""

    case: str
    language: Language
    text: str


def _show_letter(letter: CaseLetter, *, pdf: Path | None) -> None:
    if pdf is None:
        for line in letter.text.splitlines():
            echo(line)


@app.command()
@answers(_show_letter)
def letter(
    *,
    case: Annotated[str, typer.Argument(metavar="[CASE]", help="Complaint or objection.")] = "",
    round_names: Annotated[
        list[str], typer.Option("--round", help="Of a complaint without a record: a round.")
    ] = [],  # noqa: B006 - typer copies it
    account: Annotated[
        str, typer.Option("--account", help="Of a complaint without a record: the participant.")
    ] = "",
    filed: Annotated[
        AsOfPoint | None,
        typer.Option(
            "--filed", parser=day, metavar="DAY", help="When it was filed; by default today."
        ),
    ] = None,
    language: Annotated[Language, typer.Option(help="Language of the letter.")] = Language.CS,
    pdf: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it as PDF to this new file.")
    ] = None,
    at: At = None,
    data: Data = DATA,
) -> CaseLetter:
    """Write the letter that answers a case, with the recorded facts of its rounds, bet by bet.

    The last day for the answer comes first, remedies at the end. Other accounts are left out; the
    sender adds name and address. With `--round` and `--account` in place of CASE, it answers a
    complaint that is not recorded as a case; its decision follows from the record.

    Example: `gameledger complaint letter case-1 --pdf case-1.pdf`
    """
    from projections.evidence.letter import as_pdf, as_text
    from tools.data.letters import case_letter, complaint_letter

    if bool(case) == bool(round_names and account):
        raise InputError("name a CASE, or --round and --account of a complaint without one")
    words = Words(language)
    with up_to_date(data) as (store, log):
        size = position(log, at, size=store.position)
        if case:
            with data.keys_at_hand() as keys:
                written = case_letter(store, log, case, words, at=size, keys=keys)
        else:
            filed_at, now = filed.begins if filed else None, SystemClock().now()
            written = complaint_letter(
                store, log, round_names, account, words, filed_at=filed_at, now=now, at=size
            )
    if pdf is not None:
        write_whole(pdf, as_pdf(words, written))
    return CaseLetter(case, language, as_text(words, written))
