"""``duty``: what is to be done by a day, and is not done."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from projections.reconciliation.duties import list_duties
from projections.words.catalogue import Language, Words
from tools.cli._cuts import cut
from tools.cli._help import Commands
from tools.cli._options import Csv, Data, Json  # noqa: TC001 - typer reads the annotations
from tools.cli._output import counted, echo, echo_position, emit, minute, moment, table
from tools.cli._project import up_to_date
from tools.cli._when import At, position

if TYPE_CHECKING:
    from projections.reconciliation.duties import OpenDuty

__all__ = ["app"]

app = Commands("Duties: list those that are open, with their last day.")


@app.callback()
def duty() -> None:
    """Keep ``duty list`` a command of two words."""


@app.command("list")
def list_command(
    *,
    account: Annotated[str, typer.Option(metavar="ACCOUNT", help="Of one account only.")] = "",
    code: Annotated[
        str, typer.Option(metavar="CODE", help="Of one duty only, by the code of its finding.")
    ] = "",
    limit: Annotated[
        int | None, typer.Option(min=1, help="How many at most; all of them by default.")
    ] = None,
    at: At = None,
    data: Data = Path("data"),
    as_json: Json = False,
    as_csv: Csv = False,
) -> None:
    """List the open duties with their last day, overdue ones first.

    Duties and their periods stand in docs/duties.md; `reconcile` finds those that were not done in
    time, done later or not.

    Example: `gameledger duty list --at 2026-11-20`
    """
    with up_to_date(data) as (store, log):
        size = position(log, at, size=store.position)
        register = list_duties(store, account=account, code=code, at=size)
    overdue = sum(one.is_overdue for one in register.duties)
    if limit is not None and len(register.duties) > limit:
        cut(f"the first {limit} of {len(register.duties)} duties are shown: --limit")
        register = replace(register, duties=register.duties[:limit])
    if as_json:
        emit(register)
        return
    words = Words(Language.EN)
    table(
        ("duty~", "code", "about", "begun (Prague)", "until (Prague)", "paragraph~"),
        [
            (
                words.text(f"duties.{one.code}"),
                one.code,
                _subject(one),
                minute(one.begun_at),
                f"{moment(one.until)}{' overdue' if one.is_overdue else ''}",
                one.paragraph,
            )
            for one in register.duties
        ],
        nothing="No duty is open.",
        as_csv=as_csv,
    )
    if as_csv:
        return
    if overdue:
        echo(f"{counted(overdue, 'duty is', 'duties are')} overdue.", style="bold red")
    echo_position(register.position, register.recorded_at)


def _subject(one: OpenDuty) -> str:
    return " ".join(filter(None, (one.account, one.round, one.subject)))
