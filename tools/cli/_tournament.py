"""``tournament``: list tournaments and show one: payments, prize pool, places, prizes."""

from __future__ import annotations

from typing import Annotated

import typer

from projections.facts.masking import masked
from projections.questions.tournaments import TournamentReplay, show_tournament
from tools.access.questions.rounds import tournaments
from tools.cli._answering import answers
from tools.cli._findings import findings_table
from tools.cli._help import Commands
from tools.cli._options import DATA, Data, For, require_part
from tools.cli._output import echo, facts, moment, money, right, table
from tools.cli._project import up_to_date
from tools.cli._questions import command_of
from tools.cli._when import At, position
from tools.cli._why import print_explanation

__all__ = ["app"]

app = Commands("Tournaments: list them, show one.")

FOUND = 1


app.command("list")(command_of(tournaments))


def _show_tournament(found: TournamentReplay) -> None:
    echo(f"Tournament {found.tournament}: {found.name}", style="bold")
    rows: list[tuple[str, object]] = [
        ("game", f"{found.game}, plan version {found.plan_version}"),
        ("format", found.format),
        ("announced", f"{moment(found.announced_at)} in Prague"),
        ("begins", f"{moment(found.starts_at)} in Prague"),
        ("status", found.status),
        ("fee", f"{found.fee_percent} percent"),
        ("guarantee", f"{money(found.guarantee)} CZK"),
        ("hands", found.hands),
        ("entries", found.entries),
    ]
    pool = found.pool
    if pool is not None:
        rows += [
            ("column", pool.column),
            ("money pool", f"{money(pool.money_pool)} CZK"),
            ("fee taken", f"{money(pool.fee)} CZK"),
            ("added", f"{money(pool.top_up)} CZK"),
            ("prize pool", f"{money(pool.prize_pool)} CZK"),
        ]
    facts([*rows, ("as of", f"position {found.position}, head {found.head}")])
    table(
        ("payment", "account", "kind", "CZK"),
        [(one.entry, one.account, one.kind, money(one.amount)) for one in found.payments],
    )
    if found.deal:
        echo("Deal", style="bold")
        table(("account", "share CZK"), [(name, money(share)) for name, share in found.deal])
    if found.prizes:
        echo("Prizes, divided again", style="bold")
        table(
            (right("place"), "account", "due CZK", "due again", "paid"),
            [
                (
                    one.place or "deal",
                    one.account,
                    *(
                        "" if amount is None else money(amount)
                        for amount in (one.due, one.due_again, one.paid)
                    ),
                )
                for one in found.prizes
            ],
        )
        print_explanation((one.account, one.explanation) for one in found.prizes)
    if found.findings:
        echo("Findings", style="bold red")
        findings_table(found.findings)
    elif found.status == "ended":
        echo("What was paid is what is due.", style="green")


@app.command()
@answers(_show_tournament, end=lambda found: FOUND if found.findings else 0)
def show(
    *,
    tournament: Annotated[str, typer.Argument(metavar="TOURNAMENT", help="Tournament.")],
    meant_for: For = "",
    at: At = None,
    data: Data = DATA,
) -> TournamentReplay:
    """Show what was paid in, how it was divided and who got it, and divide it again.

    Exit code 1 when what was paid is not what is due.

    Example: `gameledger tournament show cup-1`
    """
    with up_to_date(data) as (store, log):
        found = show_tournament(store, tournament, at=position(log, at, size=store.position))
    if meant_for:
        accounts = [
            *(one.account for one in found.payments),
            *(name for names in found.places for name in names),
        ]
        found = masked(found, require_part(meant_for, accounts, tournament), meant_for)
    return found
