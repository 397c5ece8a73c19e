"""The API of what is in force: games, rules, tables and limits, duties, holds, readers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from ledger.log.checkpoints import checkpoints
from ledger.rules.retention import FACTS_KEPT, KEPT
from projections.questions.tables import Offer, TableInForce, offer
from projections.reconciliation.duties import DutyRegister, OpenDuty, list_duties
from projections.reconciliation.holds import Hold, HoldRegister, list_holds
from projections.reconciliation.retention import retained
from tools.access.access_service import serve_query, service_of
from tools.access.checkpoints import CheckpointLine, line_of
from tools.access.formats import in_form
from tools.access.openapi import gives
from tools.access.parameters import AsOf, Name, Named, form_wished
from tools.access.query_context import QueryContext
from tools.access.scopes import Scope
from tools.data.documents import Retention
from tools.data.fairness import WatchedGames, watched_games
from tools.data.personal import due_months
from tools.data.plans import Edge, GameVersion, edges_of, game_versions

if TYPE_CHECKING:
    from tools.access.answer import Answer

__all__ = ["KnownReader", "LogState", "ask_duties", "ask_fairness", "router"]

router = APIRouter(prefix="/api", dependencies=[Depends(form_wished)])

Version = Annotated[Named, Query(description="Version of the plan; the newest if left out.")]
YesOrNo = Literal["no", "yes"]


@dataclass(frozen=True, slots=True)
class LogState:
    """How long the log is, its last checkpoint, and how many messages are behind that.

    ``stamped`` and ``cosigned`` of the checkpoint are good; whether they are to be trusted, whoever
    reads it knows. ``misconduct`` names the proofs that two histories were signed.
    """

    size: int
    head: str
    checkpoint: CheckpointLine | None
    behind: int
    misconduct: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KnownReader:
    """A reader of the service; moments are microseconds."""

    name: str
    roles: tuple[str, ...]
    known_by: Literal["certificate", "token"]
    added_at: int
    expires_at: int
    revoked_at: int | None
    let_in: bool


@router.get("/log/status", responses=gives(LogState))
def log_status(request: Request) -> Response:
    """Say how long the log is, and what of it others have seen."""
    sources = service_of(request).sources

    def ask(context: QueryContext) -> LogState:
        last = next(checkpoints(context.log), None)
        behind = context.size - (last.size if last else 0)
        proofs = sources.folder / "misconduct"
        found = sorted(path.name for path in proofs.iterdir()) if proofs.is_dir() else []
        line = line_of(last) if last else None
        return LogState(context.size, context.place.head, line, behind, tuple(found))

    answer = serve_query(request, Scope.CHAIN, ask, of_log=True, is_of_chain=False)
    return in_form(request, answer)


@router.get("/games", responses=gives(list[GameVersion]))
def games(request: Request) -> Response:
    """List the games that can be settled, with the versions of their plans."""

    def ask(_: QueryContext) -> list[GameVersion]:
        return game_versions()

    return in_form(request, serve_query(request, Scope.CHAIN, ask, of_log=True, rows=len))


@router.get("/games/{name}", responses=gives(dict[str, Any]))
def one_game(request: Request, name: Name, version: Version = "") -> Response:
    """Show a plan: bets, what they pay, rules, source, and how unclear places are read."""

    def ask(_: QueryContext) -> dict[str, Any]:
        from tools.plans.rows import load

        return dict(load(name, version or None).document)

    return in_form(request, serve_query(request, Scope.CHAIN, ask, of_log=True, is_named=True))


@router.get("/games/{name}/edge", responses=gives(list[Edge]))
def edge(request: Request, name: Name, version: Version = "") -> Response:
    """Count the house edge of every bet from the plan, beside the figure published for it."""

    def ask(_: QueryContext) -> list[Edge]:
        return edges_of(name, version or None)

    answer = serve_query(request, Scope.CHAIN, ask, of_log=True, is_named=True, rows=len)
    return in_form(request, answer)


@router.get("/fairness", responses=gives(WatchedGames))
def fairness(request: Request, as_of: AsOf = "") -> Response:
    """Watch the results of wheels, dealers and shoes, and the house's result against the edge."""
    return in_form(request, ask_fairness(request, as_of))


def ask_fairness(request: Request, as_of: str) -> Answer:
    """Ask for all that is watched."""

    def ask(context: QueryContext) -> WatchedGames:
        if context.supervision is not None:
            return context.supervision.watched
        return watched_games(context.store, at=context.size)

    return serve_query(
        request,
        Scope.ROUNDS,
        ask,
        at=as_of,
        is_slow=True,
        is_supervised=True,
        rows=lambda found: len(found["fairness"].watched),
    )


@router.get("/tables", responses=gives(Offer, is_list=True))
def tables(request: Request, as_of: AsOf = "") -> Response:
    """List tables with the limits in force at them, and games; closed ones too."""

    def ask(context: QueryContext) -> Offer:
        return offer(context.store, at=context.size)

    answer = serve_query(request, Scope.CHAIN, ask, at=as_of, rows=lambda found: len(found.tables))
    return in_form(request, answer, answer.found.tables, TableInForce)


@router.get("/duties", responses=gives(DutyRegister, is_list=True))
def duties(
    request: Request,
    account: Named = "",
    code: Annotated[Named, Query(description="Of one duty only, by the code of its finding.")] = "",
    as_of: AsOf = "",
) -> Response:
    """List the open duties with their last day, overdue ones first."""
    answer = ask_duties(request, account, code, as_of)
    return in_form(request, answer, answer.found.duties, OpenDuty)


def ask_duties(request: Request, account: str, code: str = "", as_of: str = "") -> Answer:
    """Ask for open duties: of all accounts or one, of all codes or one."""

    def ask(context: QueryContext) -> DutyRegister:
        known = context.supervision.duties if context.supervision else None
        return list_duties(
            context.store, account=account, code=code, at=context.size, register=known
        )

    return serve_query(
        request,
        Scope.ACCOUNTS,
        ask,
        at=as_of,
        is_slow=True,
        is_supervised=True,
        rows=lambda found: len(found.duties),
        account=account,
    )


@router.get("/holds", responses=gives(HoldRegister, is_list=True))
def holds(
    request: Request,
    ended: Annotated[YesOrNo, Query(description="Those that ended too.")] = "no",
    as_of: AsOf = "",
) -> Response:
    """List legal holds, which keep personal data as evidence."""

    def ask(context: QueryContext) -> HoldRegister:
        return list_holds(context.store, with_ended=ended == "yes", at=context.size)

    answer = serve_query(
        request, Scope.ACCOUNTS, ask, at=as_of, rows=lambda found: len(found.holds)
    )
    return in_form(request, answer, answer.found.holds, Hold)


@router.get("/retention", responses=gives(Retention))
def retention(
    request: Request,
    everybody: Annotated[
        YesOrNo, Query(description="Also those whose data are still kept.")
    ] = "no",
    as_of: AsOf = "",
) -> Response:
    """Show how long personal data are kept, and whose are to be erased now, or as of then."""
    clock = service_of(request).clock

    def ask(context: QueryContext) -> Retention:
        register = retained(context.store, at=context.size, now=None if as_of else clock.now())
        is_asked = everybody == "yes"
        persons = [one for one in register.persons if is_asked or one.due_since is not None]
        with context.sources.keys_at_hand() as keys:
            months = [] if as_of else due_months(keys, clock.now())
        return {
            "kept": KEPT | FACTS_KEPT,
            "position": register.position,
            "head": register.head,
            "persons": persons,
            "months": months,
        }

    answer = serve_query(
        request,
        Scope.ACCOUNTS,
        ask,
        at=as_of,
        is_of_chain=False,
        rows=lambda found: len(found["persons"]),
    )
    return in_form(request, answer)


@router.get("/readers", responses=gives(list[KnownReader], is_list=True))
def readers(request: Request) -> Response:
    """List the readers of the service with their roles and ends, those of before too."""
    service = service_of(request)

    def ask(_: QueryContext) -> list[KnownReader]:
        now = service.clock.now()
        return [
            KnownReader(
                one.name,
                one.roles,
                "certificate" if one.certificate else "token",
                one.added_at,
                one.expires_at,
                one.revoked_at,
                one.is_let_in(now),
            )
            for one in service.readers.all()
        ]

    answer = serve_query(request, Scope.ACCESS, ask, of_log=True, is_of_chain=False, rows=len)
    return in_form(request, answer, answer.found, KnownReader)
