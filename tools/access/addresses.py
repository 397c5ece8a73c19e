"""Generate the API's routes from declared questions, and answer the same questions for pages.

Input: a :class:`~tools.access.questions.declaration.Question` and the parameters of a request.
Output: the answer in the requested format; the access is recorded.
"""

from __future__ import annotations

from inspect import Parameter as Signed
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import Query, Request

from tools.access.access_service import serve_query
from tools.access.formats import in_form
from tools.access.openapi import gives
from tools.access.parameters import AsOf, Before, Day, Limit, Name, Named, Now
from tools.access.questions.declaration import Context, sign
from tools.data.moments import Span, day

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import APIRouter
    from starlette.responses import Response

    from tools.access.answer import Answer
    from tools.access.query_context import QueryContext
    from tools.access.questions.declaration import Question

__all__ = ["add_addresses", "ask_within", "route_parameters", "serve_question", "span_of"]

LIMIT = 100


def span_of(context: QueryContext, one_day: str) -> Span:
    """Return the span of positions of a day; without a day, of all that count."""
    return Span.of(context.log, context.size, day(one_day) if one_day else None, None, None)


def add_addresses(router: APIRouter, *questions: Question) -> None:
    """Add the routes of questions."""
    for question in questions:
        _add_address(router, question)


def _add_address(router: APIRouter, question: Question) -> None:
    def endpoint(request: Request, **given: Any) -> Response:
        answer = serve_question(request, question, **given)
        rows = () if question.row is None else question.rows_of(answer.found)
        return in_form(request, answer, rows, question.row)

    sign(endpoint, [("request", Request, Signed.empty), *route_parameters(question)])
    endpoint.__name__, endpoint.__doc__ = question.ask.__name__, question.description
    responses = gives(question.answer, is_list=question.row is not None)
    router.add_api_route(question.path, endpoint, methods=["GET"], responses=responses)


def route_parameters(question: Question) -> Iterator[tuple[str, Any, Any]]:
    """Yield name, type and default of the parameters of a route."""
    for name, (kind, declared, default) in question.parameters.items():
        if default is Signed.empty and kind is str:
            yield name, Name, default
        elif declared is None:
            yield name, kind, default
        else:
            shown = {bool: Literal["no", "yes"], str: Named}.get(kind, kind)
            if declared.description:
                shown = Annotated[shown, Query(description=declared.description)]
            yield name, shown, "no" if kind is bool else default
    if question.has_span:
        yield "day", Day, ""
    if question.paged:
        yield from (("before", Before, None), ("limit", Limit, LIMIT))
    if question.is_dated:
        yield "as_of", AsOf, ""
    if question.is_timed:
        yield "now", Now, ""


def ask_within(
    context: QueryContext,
    question: Question,
    *,
    day: str,
    before: int | None,
    limit: int,
    **values: Any,
) -> Any:
    """Answer a question that is a command, too, within the query of a service."""
    span = span_of(context, day)
    part = (span.first, span.before(before), limit)
    place = context.log, context.store, context.size, context.opened
    return question.ask(Context(*place, *part, context.now, context.supervision), **values)


def serve_question(
    request: Request,
    question: Question,
    *,
    as_of: str = "",
    now: str = "",
    day: str = "",
    before: int | None = None,
    limit: int = LIMIT,
    **given: Any,
) -> Answer:
    """Answer a question with :func:`~tools.access.access_service.serve_query`.

    The values are those of the route's parameters; ``given`` are the question's own parameters.
    """
    about = {one: given[one] for one in ("account", "round") if one in given}
    for kind in ("account", "round"):
        if question.path.startswith(f"/{kind}s/"):
            about[kind] = given["name"]
    values = {
        name: given[name] == "yes" if kind is bool else given[name]
        for name, (kind, _, _) in question.parameters.items()
    }

    def ask(context: QueryContext) -> Any:
        if not question.command:
            return question.ask(context, **values)
        return ask_within(context, question, day=day, before=before, limit=limit, **values)

    return serve_query(
        request,
        question.scope,
        ask,
        at=as_of,
        now=now,
        is_timed=question.is_timed,
        is_named="{" in question.path,
        rows=question.count if question.row is None else lambda one: len(question.rows_of(one)),
        concerns=question.concerns,
        **question.serving,
        **about,
    )
