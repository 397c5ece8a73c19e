"""The API: what the command line answers, over HTTP and in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from projections.replay.rounds import replay
from tools.access.desk import answered
from tools.access.front import front
from tools.access.scopes import Scope
from tools.plain import json_line

if TYPE_CHECKING:
    from tools.access.desk import Answer

__all__ = ["router"]

router = APIRouter(prefix="/api")

AsOf = Annotated[str, Query(max_length=40, description="A position, a day or a moment of Prague.")]


@router.get("/chain")
def chain_state(request: Request, as_of: AsOf = "") -> Response:
    """Say how far log and tables are, and what vouches for them."""
    return _in_json(answered(request, Scope.CHAIN, front, at=as_of))


@router.get("/rounds/{round_name}")
def one_round(request: Request, round_name: str, as_of: AsOf = "") -> Response:
    """Replay a round: every fact in order, and settled again."""
    return _in_json(
        answered(
            request,
            Scope.ROUNDS,
            lambda asked: replay(asked.store, round_name, at=asked.size),
            at=as_of,
            round=round_name,
        )
    )


def _in_json(answer: Answer) -> Response:
    document = {"basis": answer.basis, "answer": answer.found}
    return Response(json_line(document), media_type="application/json")
