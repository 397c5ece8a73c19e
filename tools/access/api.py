"""The API: the answers of the command line over HTTP.

Each route names its scope and runs the query of the command with the same name; the common steps
are in ``access_service`` and ``formats``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import Response

from ledger.core.clock import day_of
from projections.questions.accounts import AccountStory, account_story
from projections.questions.balances import balance
from projections.questions.continuous_play import play_and_violations
from projections.questions.report import DayReport, day_report
from projections.questions.tournaments import TournamentReplay, show_tournament
from projections.replay.round import Replay
from tools.access.access_service import service_of
from tools.access.addresses import add_addresses
from tools.access.dashboard import ChainState, front
from tools.access.formats import in_form
from tools.access.openapi import gives
from tools.access.parameters import Name, form_wished
from tools.access.query_context import QueryContext
from tools.access.questions.accounts import balances, movements, one_balance
from tools.access.questions.declaration import question
from tools.access.questions.duties import cases, one_case
from tools.access.questions.rounds import bets, rounds, tournaments
from tools.access.scopes import Scope
from tools.access.unmasking import Unmasked, unmask
from tools.data.documents import PlayTime
from tools.data.moments import day

__all__ = ["one_round", "one_tournament", "play_time", "router"]

router = APIRouter(prefix="/api", dependencies=[Depends(form_wished)])


@question(
    "/chain",
    Scope.CHAIN,
    serving={"of_log": True, "is_of_chain": False, "with_scopes": [Scope.ROUNDS]},
)
def chain(context: QueryContext) -> ChainState:
    """Say how far log and tables are, and what vouches for them."""
    found = front(context.sources, context.size)
    return found if Scope.ROUNDS in context.scopes else replace(found, rounds=())


@question("/rounds/{name}", Scope.ROUNDS, serving={"of_log": True})
def one_round(context: QueryContext, name: str) -> Replay:
    """Replay a round: every fact in order, and settled again."""
    return context.replay(name)


@question("/tournaments/{name}", Scope.ROUNDS)
def one_tournament(context: QueryContext, name: str) -> TournamentReplay:
    """Show what was paid in, how it was divided and who got it, and divide it again."""
    return show_tournament(context.store, name, at=context.size)


add_addresses(router, chain, rounds, one_round, bets, tournaments, one_tournament)


@question("/accounts/{name}", Scope.ACCOUNTS, is_timed=True)
def one_account(
    context: QueryContext,
    name: str,
    last: Annotated[int, Query(ge=1, le=10_000, description="How many facts and sessions.")] = 50,
) -> AccountStory:
    """Show an account: status, money, measures, blocks, play, its last facts and sessions."""
    return account_story(
        context.store, context.log, name, at=context.size, now=context.now, facts=last
    )


add_addresses(router, one_account)


@router.get("/accounts/{name}/person", responses=gives(Unmasked))
def one_person(request: Request, name: Name) -> Response:
    """Unmask the person of an account for the purpose in the header Gameledger-Purpose."""
    answer = unmask(request, name, service_of(request).visitor(request).purpose)
    response = in_form(request, answer)
    response.headers["Cache-Control"] = "no-store"
    return response


@question("/accounts/{name}/play-time", Scope.ACCOUNTS)
def one_play_time(context: QueryContext, name: str) -> PlayTime:
    """Show the sequences of continuous play of an account, and what broke their rule."""
    balance(context.store, name, at=context.size)  # refuses an unknown account
    return _play_time(context, name)


@question(
    "/play-time",
    Scope.ACCOUNTS,
    count=lambda found: len(found.play.sequences),
    serving={"is_slow": True, "is_supervised": True},
)
def play_time(context: QueryContext) -> PlayTime:
    """Show all sequences of continuous play, and what broke their rule."""
    known = context.supervision
    if known is not None:
        return PlayTime(known.play, known.violations)
    return _play_time(context)


def _play_time(context: QueryContext, account: str = "") -> PlayTime:
    found, violations = play_and_violations(context.store, account=account, at=context.size)
    return PlayTime(found, violations)


add_addresses(router, one_balance, movements, one_play_time, play_time, balances)


@question(
    "/days/{one_day}",
    Scope.MONEY,
    is_timed=True,
    serving={"is_slow": True, "is_examined": True},
)
def report_of_a_day(
    context: QueryContext, one_day: Annotated[str, Path(pattern=r"^\d{4}-\d{2}-\d{2}$")]
) -> DayReport:
    """Put the numbers of a day together."""
    return day_report(
        context.store,
        day_of(day(one_day).begins),
        at=context.size,
        reconciliation=context.examined,
    )


add_addresses(router, report_of_a_day, cases, one_case)
