"""The API: what the command line answers, over HTTP.

Each address names its scope and puts the question that the command of the same name puts; what is
common to all of them is in ``access_service`` and ``formats``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from ledger.core.clock import day_of
from projections.questions.accounts import AccountStory, account_story
from projections.questions.balances import (
    Balance,
    all_balances,
    balance,
    open_stakes,
    trial_balance,
)
from projections.questions.bets import BetLine, Bets, list_bets
from projections.questions.continuous_play import play_and_violations
from projections.questions.report import DayReport, day_report
from projections.questions.tournaments import (
    TournamentLine,
    TournamentReplay,
    list_tournaments,
    show_tournament,
)
from projections.reconciliation.complaints import Case, CaseRegister, list_cases, show_case
from projections.replay.round import Replay
from projections.replay.round_line import RoundLine, Status
from projections.replay.rounds import Rounds, list_rounds
from tools.access.access_service import serve_query, service_of
from tools.access.dashboard import ChainState, front
from tools.access.formats import in_form
from tools.access.openapi import gives
from tools.access.parameters import AsOf, Before, Day, Limit, Name, Named, form_wished
from tools.access.query_context import QueryContext
from tools.access.scopes import Scope
from tools.access.unmasking import Unmasked, unmask
from tools.data.documents import AccountBalance, AllBalances, PlayTime
from tools.data.moments import Span, day

if TYPE_CHECKING:
    from tools.access.answer import Answer

__all__ = ["RoundsOf", "account_of", "ask_play_time", "ask_rounds", "router", "span_of"]

router = APIRouter(prefix="/api", dependencies=[Depends(form_wished)])


def span_of(context: QueryContext, one_day: str) -> Span:
    """Return the positions of a day, or of all that count."""
    return Span.of(context.log, context.size, day(one_day) if one_day else None, None, None)


@router.get("/chain", responses=gives(ChainState))
def chain(request: Request, as_of: AsOf = "") -> Response:
    """Say how far log and tables are, and what vouches for them."""

    def ask(context: QueryContext) -> ChainState:
        return front(context.sources, context.size)

    answer = serve_query(request, Scope.CHAIN, ask, at=as_of, of_log=True, is_of_chain=False)
    return in_form(request, answer)


@router.get("/rounds", responses=gives(Rounds, is_list=True))
def rounds(
    request: Request,
    table: Named = "",
    game: Named = "",
    account: Named = "",
    status: Annotated[Status | None, Query(description="Only rounds that are so.")] = None,
    one_day: Annotated[Day, Query(alias="day")] = "",
    before: Before = None,
    limit: Limit = 100,
    as_of: AsOf = "",
) -> Response:
    """List rounds by their opening, newest first."""
    narrowed: RoundsOf = {"table": table, "game": game, "account": account}
    answer = ask_rounds(request, narrowed, status, one_day, before, limit, as_of=as_of)
    return in_form(request, answer, answer.found.rounds, RoundLine)


class RoundsOf(TypedDict):
    """Names to which a list of rounds is narrowed; empty: any."""

    table: str
    game: str
    account: str


def ask_rounds(
    request: Request,
    narrowed: RoundsOf,
    status: Status | None,
    one_day: str,
    before: int | None,
    limit: int,
    *,
    as_of: str = "",
) -> Answer:
    """Ask for a page of rounds; pages and API put the same question."""

    def ask(context: QueryContext) -> Rounds:
        span = span_of(context, one_day)
        return list_rounds(
            context.store,
            **narrowed,
            status=status,
            since=span.first,
            before=span.before(before),
            limit=limit,
            at=context.size,
        )

    return serve_query(
        request,
        Scope.ROUNDS,
        ask,
        at=as_of,
        rows=lambda found: len(found.rounds),
        account=narrowed["account"],
    )


@router.get("/rounds/{name}", responses=gives(Replay))
def one_round(request: Request, name: Name, as_of: AsOf = "") -> Response:
    """Replay a round: every fact in order, and settled again."""

    def ask(context: QueryContext) -> Replay:
        return context.replay(name)

    answer = serve_query(
        request, Scope.ROUNDS, ask, at=as_of, of_log=True, round=name, is_named=True
    )
    return in_form(request, answer)


@router.get("/bets", responses=gives(Bets, is_list=True))
def bets(
    request: Request,
    account: Named = "",
    round_name: Annotated[Named, Query(alias="round")] = "",
    one_day: Annotated[Day, Query(alias="day")] = "",
    before: Before = None,
    limit: Limit = 100,
    as_of: AsOf = "",
) -> Response:
    """List bets by their record, newest first."""

    def ask(context: QueryContext) -> Bets:
        span = span_of(context, one_day)
        return list_bets(
            context.store,
            account=account,
            round=round_name,
            since=span.first,
            before=span.before(before),
            limit=limit,
            at=context.size,
        )

    answer = serve_query(
        request,
        Scope.ROUNDS,
        ask,
        at=as_of,
        rows=lambda found: len(found.bets),
        account=account,
        round=round_name,
    )
    return in_form(request, answer, answer.found.bets, BetLine)


@router.get("/tournaments", responses=gives(list[TournamentLine], is_list=True))
def tournaments(request: Request, as_of: AsOf = "") -> Response:
    """List tournaments in the order of their announcements."""

    def ask(context: QueryContext) -> list[TournamentLine]:
        return list_tournaments(context.store, at=context.size)

    answer = serve_query(request, Scope.ROUNDS, ask, at=as_of, rows=len)
    return in_form(request, answer, answer.found, TournamentLine)


@router.get("/tournaments/{name}", responses=gives(TournamentReplay))
def one_tournament(request: Request, name: Name, as_of: AsOf = "") -> Response:
    """Show what was paid in, how it was divided and who got it, and divide it again."""

    def ask(context: QueryContext) -> TournamentReplay:
        return show_tournament(context.store, name, at=context.size)

    return in_form(request, serve_query(request, Scope.ROUNDS, ask, at=as_of, is_named=True))


@router.get("/accounts/{name}", responses=gives(AccountStory))
def one_account(
    request: Request,
    name: Name,
    last: Annotated[int, Query(ge=1, le=10_000, description="How many facts and sessions.")] = 50,
    as_of: AsOf = "",
) -> Response:
    """Show an account: status, money, measures, blocks, play, its last facts and sessions."""

    def ask(context: QueryContext) -> AccountStory:
        return account_story(context.store, context.log, name, at=context.size, facts=last)

    return in_form(
        request, serve_query(request, Scope.ACCOUNTS, ask, at=as_of, account=name, is_named=True)
    )


@router.get("/accounts/{name}/person", responses=gives(Unmasked))
def one_person(request: Request, name: Name) -> Response:
    """Unmask the person of an account for the purpose in the header Gameledger-Purpose."""
    answer = unmask(request, name, service_of(request).visitor(request).purpose)
    response = in_form(request, answer)
    response.headers["Cache-Control"] = "no-store"
    return response


@router.get("/accounts/{name}/balance", responses=gives(AccountBalance))
def one_balance(request: Request, name: Name, as_of: AsOf = "") -> Response:
    """Show what an account holds, and its open stakes."""

    def ask(context: QueryContext) -> AccountBalance:
        return {
            "balance": balance(context.store, name, at=context.size),
            "open_stakes": open_stakes(context.store, account=name, at=context.size),
        }

    return in_form(
        request, serve_query(request, Scope.MONEY, ask, at=as_of, account=name, is_named=True)
    )


@router.get("/accounts/{name}/play-time", responses=gives(PlayTime))
def one_play_time(request: Request, name: Name, as_of: AsOf = "") -> Response:
    """Show the sequences of continuous play of an account, and what broke their rule."""

    def ask(context: QueryContext) -> PlayTime:
        balance(context.store, name, at=context.size)  # refuses an account that is not there
        return _play_time(context, name)

    return in_form(
        request, serve_query(request, Scope.ACCOUNTS, ask, at=as_of, account=name, is_named=True)
    )


@router.get("/play-time", responses=gives(PlayTime))
def play_time(request: Request, as_of: AsOf = "") -> Response:
    """Show all sequences of continuous play, and what broke their rule."""
    return in_form(request, ask_play_time(request, as_of))


def ask_play_time(request: Request, as_of: str = "") -> Answer:
    """Ask for the continuous play of everybody."""

    def ask(context: QueryContext) -> PlayTime:
        known = context.supervision
        if known is not None:
            return {"play": known.play, "violations": known.violations}
        return _play_time(context)

    return serve_query(
        request,
        Scope.ACCOUNTS,
        ask,
        at=as_of,
        is_slow=True,
        is_supervised=True,
        rows=lambda found: len(found["play"].sequences),
    )


def _play_time(context: QueryContext, account: str = "") -> PlayTime:
    found, violations = play_and_violations(context.store, account=account, at=context.size)
    return {"play": found, "violations": violations}


@router.get("/balances", responses=gives(AllBalances, is_list=True))
def balances(request: Request, as_of: AsOf = "") -> Response:
    """Show what every account holds, and whether the books sum to zero."""

    def ask(context: QueryContext) -> AllBalances:
        trial = trial_balance(context.store, at=context.size)
        found = all_balances(context.store, at=context.size)
        return {"position": trial.position, "balances": found, "trial_balance": trial}

    answer = serve_query(
        request, Scope.MONEY, ask, at=as_of, rows=lambda found: len(found["balances"])
    )
    return in_form(request, answer, answer.found["balances"], Balance)


@router.get("/days/{one_day}", responses=gives(DayReport))
def report_of_a_day(request: Request, one_day: Name, as_of: AsOf = "") -> Response:
    """Put the numbers of a day together."""
    day(one_day)

    def ask(context: QueryContext) -> DayReport:
        return day_report(
            context.store,
            day_of(day(one_day).begins),
            at=context.size,
            reconciliation=context.examined,
        )

    answer = serve_query(request, Scope.MONEY, ask, at=as_of, is_slow=True, is_examined=True)
    return in_form(request, answer)


@router.get("/cases", responses=gives(CaseRegister, is_list=True))
def cases(
    request: Request,
    account: Named = "",
    ended: Annotated[Literal["no", "yes"], Query(description="Those that ended too.")] = "no",
    as_of: AsOf = "",
) -> Response:
    """List complaints and objections with the last day for their answers."""

    def ask(context: QueryContext) -> CaseRegister:
        with_ended = ended == "yes"
        found = list_cases(context.store, account=account, with_ended=with_ended, at=context.size)
        return context.opened(found)

    answer = serve_query(
        request, Scope.ACCOUNTS, ask, at=as_of, rows=lambda found: len(found.cases), account=account
    )
    return in_form(request, answer, answer.found.cases, Case)


@router.get("/cases/{name}", responses=gives(CaseRegister))
def one_case(request: Request, name: Name, as_of: AsOf = "") -> Response:
    """Show a complaint or objection, and its answer."""

    def ask(context: QueryContext) -> CaseRegister:
        return context.opened(show_case(context.store, name, at=context.size))

    answer = serve_query(request, Scope.ACCOUNTS, ask, at=as_of, is_named=True, concerns=account_of)
    return in_form(request, answer)


def account_of(found: CaseRegister) -> dict[str, str]:
    """Return whose case was found, for the record of the access."""
    (case,) = found.cases
    return {"account": case.account}
