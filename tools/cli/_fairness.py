"""``games fairness``: do wheels, dealers and shoes show what the plans say that they must?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.errors import InputError
from tools.cli._answering import answers
from tools.cli._options import DATA, Csv, Data
from tools.cli._output import echo, money, number, right, table
from tools.data.fairness import HouseResult, WatchedGames, against_plans
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from projections.fairness.watch import Fairness

__all__ = ["fairness"]

FOUND = 1


def _show(answer: WatchedGames, *, as_csv: Csv = False) -> None:
    found = answer.fairness
    table(
        ("what", "name", "game", "results", right("highest evidence"), "evidence now", "leans"),
        [
            (
                one.kind,
                one.name,
                one.game,
                number(one.results),
                f"{one.highest:g}",
                ", ".join(f"{about} {value:g}" for about, value in one.evidence.items()),
                "LEANS" if one.leans else "",
            )
            for one in found.watched
        ],
        nothing="No wheel or shoe has a result.",
        as_csv=as_csv,
    )
    if as_csv:
        return
    echo()
    table(
        (
            *("game", "bet", "rounds", "staked CZK", "kept CZK", right("by the plan")),
            *(right("deviations"), right("evidence"), "verdict"),
        ),
        [
            (
                one.game,
                one.bet,
                number(one.rounds),
                money(one.staked),
                money(one.kept),
                "-" if one.expected is None else money(one.expected),
                "-" if one.deviations is None else f"{one.deviations:+.2f}",
                "-" if one.evidence is None else f"{one.evidence:g}",
                "LEANS" if one.leans else _no_verdict(one),
            )
            for one in answer.house
        ],
        nothing="No bet was settled.",
    )
    if answer.corrected:
        echo()
        table(
            ("what", "name", "rounds", "corrected", right("expected"), "why", "verdict"),
            [
                (
                    one.kind,
                    one.name,
                    number(one.rounds),
                    number(one.corrected),
                    f"{one.expected:g}",
                    "; ".join(f"{by.times} {by.event} {by.cause}" for by in one.corrections),
                    "STANDS OUT" if one.stands_out else "",
                )
                for one in answer.corrected
            ],
        )


def _end(answer: WatchedGames) -> int:
    leaning = [
        *(one.leans for one in answer.fairness.watched),
        *(one.leans for one in answer.house),
    ]
    return FOUND if any(leaning) else 0


@answers(_show, end=_end)
def fairness(
    *,
    picture: Annotated[
        Path | None, typer.Option(help="Draw what came, and what was due, as SVG in this new file.")
    ] = None,
    of: Annotated[
        str,
        typer.Option(help="Wheel, dealer or table to draw; that with most evidence by default."),
    ] = "",
    data: Data = DATA,
) -> WatchedGames:
    """Watch the results of wheels, dealers and shoes, and the house's result against the plan.

    Evidence is what a bettor against fairness would have made of 1: a fair wheel ever reaches
    10,000 with a chance of at most 1 in 10,000, however often one looks; so do all bets of all
    games together. Exit code 1 when something leans.

    Example: `gameledger games fairness`
    """
    from projections.fairness.corrections import corrected_rounds
    from projections.fairness.house import house_results
    from projections.fairness.watch import watch
    from projections.store.parallel_query import query_in_parallel
    from tools.cli._project import up_to_date

    with up_to_date(data) as (store, _), query_in_parallel(store, house_results) as kept:
        found, corrected = watch(store), corrected_rounds(store)
        house = against_plans(kept.result(), found.limit)
    if picture is not None:
        _draw(found, of, picture)
    return WatchedGames(found, house, corrected)


def _draw(found: Fairness, of: str, path: Path) -> None:
    from projections.pictures.charts import draw_fairness
    from projections.words.catalogue import Language

    shown = next((one for one in found.watched if of in {"", one.name}), None)
    if shown is None:
        raise InputError(f"nothing called {of} was watched: `games fairness` names what was")
    said = f"{number(shown.results)} results, evidence {shown.highest:g} of {number(found.limit)}"
    title = f"{shown.kind} {shown.name} {shown.game}".strip()
    write_whole(path, draw_fairness(shown.counts, Language.EN, title=title, said=said).encode())


def _no_verdict(one: HouseResult) -> str:
    from projections.words.catalogue import Language, Words
    from projections.words.names import named

    return one.no_verdict and named(Words(Language.EN), "no_verdict", one.no_verdict)
