"""The API of what is in force: games, rules, tables and limits, duties, holds, readers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from ledger.core.units import Moment
from ledger.log.checkpoints import checkpoints
from projections.questions.tables import Offer, offer
from tools.access.access_service import serve_query, service_of
from tools.access.addresses import add_addresses
from tools.access.checkpoints import CheckpointLine, line_of
from tools.access.formats import in_form
from tools.access.openapi import gives
from tools.access.parameters import (
    AsOf,
    Named,
    Now,
    form_wished,
)
from tools.access.query_context import QueryContext
from tools.access.questions.declaration import UNDATED, question
from tools.access.questions.duties import duties, holds
from tools.access.scopes import Scope
from tools.data.documents import Retention, retention_of
from tools.data.fairness import WatchedGames, watched_games
from tools.data.plans import Edge, GameVersion, edges_of, game_versions

__all__ = ["KnownReader", "LogState", "fairness", "router"]

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
    added_at: Moment
    expires_at: Moment
    revoked_at: Moment | None
    let_in: bool


@question(
    "/log/status", Scope.CHAIN, is_dated=False, serving={"of_log": True, "is_of_chain": False}
)
def log_status(context: QueryContext) -> LogState:
    """Say how long the log is, and what of it others have seen."""
    last = next(checkpoints(context.log), None)
    behind = context.size - (last.size if last else 0)
    proofs = context.sources.folder / "misconduct"
    found = sorted(path.name for path in proofs.iterdir()) if proofs.is_dir() else []
    line = line_of(last) if last else None
    return LogState(context.size, context.place.head, line, behind, tuple(found))


@question("/games", Scope.CHAIN, is_whole=True, count=len, **UNDATED)
def games(_: QueryContext) -> list[GameVersion]:
    """List the games that can be settled, with the versions of their plans."""
    return game_versions()


@question("/games/{name}", Scope.CHAIN, **UNDATED)
def one_game(_: QueryContext, name: str, version: Version = "") -> dict[str, Any]:
    """Show a plan: bets, what they pay, rules, source, and how unclear places are read."""
    from tools.plans.rows import load

    return dict(load(name, version or None).document)


@question("/games/{name}/edge", Scope.CHAIN, is_whole=True, count=len, **UNDATED)
def edge(_: QueryContext, name: str, version: Version = "") -> list[Edge]:
    """Count the house edge of every bet from the plan, beside the figure published for it."""
    return edges_of(name, version or None)


@question(
    "/fairness",
    Scope.ROUNDS,
    count=lambda found: len(found.fairness.watched),
    serving={"is_slow": True, "is_supervised": True},
)
def fairness(context: QueryContext) -> WatchedGames:
    """Watch the results of wheels, dealers and shoes, and the house's result against the edge."""
    if context.supervision is not None:
        return context.supervision.watched
    return watched_games(context.store, at=context.size)


@question("/tables", Scope.CHAIN, rows="tables", is_timed=True)
def tables(context: QueryContext) -> Offer:
    """List tables with the limits in force at them, and games; closed ones too."""
    return offer(context.store, at=context.size, now=context.now)


add_addresses(router, log_status, games, one_game, edge, fairness, tables, duties, holds)


@router.get("/retention", responses=gives(Retention))
def retention(
    request: Request,
    everybody: Annotated[
        YesOrNo, Query(description="Also those whose data are still kept.")
    ] = "no",
    as_of: AsOf = "",
    now: Now = "",
) -> Response:
    """Show how long personal data are kept, and whose are to be erased now, or as of then."""

    def ask(context: QueryContext) -> Retention:
        with context.sources.keys_at_hand() as keys:
            return retention_of(
                context.store,
                keys,
                at=context.size,
                now=context.now,
                everybody=everybody == "yes",
            )

    answer = serve_query(
        request,
        Scope.ACCOUNTS,
        ask,
        at=as_of,
        now=now,
        is_of_chain=False,
        rows=lambda found: len(found.persons),
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
