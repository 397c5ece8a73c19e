"""Declare a question: name, parameters, scope, function, row type, columns.

Input: a function of a :class:`Context` and of the question's own parameters. Output: a
:class:`Question`, from which :mod:`tools.cli._questions` makes a command and
:mod:`tools.access.addresses` a route, both with the JSON schema of the returned type.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from inspect import Parameter as Signed
from inspect import Signature, getdoc, signature
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_origin, get_type_hints

from ledger.core.units import Unit, units_of
from tools.data.notation import Heading, moment, money

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ledger.log.port import Log
    from projections.reconciliation.complaints import CaseRegister
    from projections.store.tables import Store
    from tools.access.examiner import Supervision
    from tools.access.scopes import Scope

__all__ = ["UNDATED", "Column", "Context", "Parameter", "Part", "Question", "question", "sign"]


class Context(NamedTuple):
    """The context of a question: the chain and the tables as of ``size`` messages (None: all).

    A list begins at position ``since`` and ends below ``before``; ``opened`` returns cases with
    their texts, if they may be shown and the keys are available. ``supervision`` is the result of a
    service's worker for the position, if that is sufficient. ``now`` is the moment of the question.
    """

    log: Log
    store: Store
    size: int | None
    opened: Callable[[CaseRegister], CaseRegister]
    since: int
    before: int | None
    limit: int | None
    now: int | None
    supervision: Supervision | None = None

    @property
    def part(self) -> dict[str, Any]:
        """Requested part of a list by positions, newest first."""
        return {"since": self.since, "before": self.before, "limit": self.limit, "at": self.size}


class Parameter(NamedTuple):
    """An option of the command and a parameter of the route; an argument if it has no default.

    ``option`` and ``description`` are its name on the command line and its text in the API, if they
    differ from the common ones; ``help`` and ``metavar`` are for the command line only.
    """

    help: str = ""
    option: str = ""
    metavar: str | None = None
    description: str = ""


class Column(NamedTuple):
    """A column of the command's table and CSV.

    The value is a function of the row or a field, by default the field named like the heading; the
    type of the field declares its unit, which decides how it is written. ``write``
    formats a timestamp; ``wraps`` lets the column be as narrow as the table needs.
    """

    heading: str
    value: str | Callable[[Any], object] = ""
    write: Callable[[int], str] = moment
    wraps: bool = False

    @property
    def head(self) -> Heading:
        """Return the heading."""
        return Heading(self.heading, wraps=self.wraps)

    def cell(self, row: Any) -> object:
        """Return the text of a row's cell; empty for None."""
        if callable(self.value):
            return self.value(row)
        name = self.value or self.heading
        found, unit = getattr(row, name), units_of(row.__class__)[name]
        if found is None:
            return ""
        forms = {Unit.HALER: money, Unit.HUNDREDTH: money, Unit.MOMENT: self.write}
        write = forms.get(unit) if unit else None
        return write(found) if write else found


class Part(NamedTuple):
    """A table that belongs to a thing: the field with its rows, and their columns."""

    rows: str
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Question:
    """A question; one without a command is asked of the ``QueryContext`` of the service.

    Attributes:
        ask: the function.
        path: of the address; none without it.
        scope: right that the address asks for.
        command: its words; none without it.
        example: what stands behind them in an example.
        more: what the help says besides.
        rows: field of the answer that has the rows of a list; an answer may be the list itself.
        columns: of the command's table, or with ``title`` the lines of each thing; an empty text
            is left out there.
        title: of each thing that the answer shows, in place of a table.
        things: field of the answer that has these things.
        parts: tables of each thing.
        overdue: words for one and for several rows that are overdue, which the command counts.
        names_position: the command says below at which position it is answered.
        nothing: what the command prints for an empty list, and ``nothing_ended`` with ``--all``.
        paged: rows of a list by positions, of which the command shows ``limit`` by default.
        has_span: it is asked for a day, or from a place to another.
        bounded: rows of another list, all of which are shown by default.
        is_whole: an answer that is a list is given in JSON alone.
        count: how many rows the record of an access counts in what is no list.
        concerns: account or round that only what was found says.
        is_dated: it is asked as of a place in the chain.
        is_timed: time alone changes the answer, which is given for the moment of the question.
        is_shared: it is asked of the tables over all logs of a mirror, in place of a context.
        serving: how it is served, as ``tools.access.access_service.serve_query`` takes it.

    """

    ask: Callable[..., Any]
    path: str
    scope: Scope
    command: str = ""
    example: str = ""
    more: str = ""
    rows: str = ""
    columns: tuple[Column, ...] = ()
    title: Callable[[Any], str] | None = None
    things: str = ""
    parts: tuple[Part, ...] = ()
    overdue: tuple[str, str] = ("", "")
    names_position: bool = False
    nothing: str = ""
    nothing_ended: str = ""
    paged: str = ""
    limit: int = 50
    limit_max: int = 10_000
    has_span: bool = False
    bounded: str = ""
    is_whole: bool = False
    count: Callable[[Any], int] = lambda _: 1
    concerns: Callable[[Any], dict[str, str]] = lambda _: {}
    is_dated: bool = True
    is_timed: bool = False
    is_shared: bool = False
    serving: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def description(self) -> str:
        """Description of the question, for both helps."""
        return getdoc(self.ask) or ""

    @cached_property
    def answer(self) -> Any:
        """Type of the answer."""
        return get_type_hints(self.ask)["return"]

    @cached_property
    def row(self) -> Any:
        """Type of the rows of a list; None for what is no list."""
        if not self.rows and (get_origin(self.answer) is not list or self.is_whole):
            return None
        return get_args(get_type_hints(self.answer)[self.rows] if self.rows else self.answer)[0]

    def rows_of(self, found: Any) -> Sequence[Any]:
        """Return the rows of an answer that is a list."""
        if self.rows:
            found = getattr(found, self.rows)
        return tuple(found)

    @cached_property
    def parameters(self) -> Mapping[str, tuple[Any, Parameter | None, Any]]:
        """Parameters by name: type, what is declared of it, default."""
        hints = get_type_hints(self.ask, include_extras=True)
        return {
            name: (*_declared(hints[name]), one.default)
            for name, one in list(signature(self.ask).parameters.items())[1:]
        }


def _declared(hint: Any) -> tuple[Any, Parameter | None]:
    """Separate a type from its declaration; a type without one (API only) is unchanged."""
    kind, *declared = get_args(hint)[:2] or (hint,)
    return (kind, declared[0]) if declared and isinstance(declared[0], Parameter) else (hint, None)


UNDATED = {"is_dated": False, "serving": {"of_log": True}}
"""Of a question to the log alone, always as of now."""


def question(path: str, scope: Scope, **more: Any) -> Callable[[Callable[..., Any]], Question]:
    """Declare a function as a :class:`Question`, whose other attributes are ``more``."""
    return partial(Question, path=path, scope=scope, **more)


def sign(function: Callable[..., Any], parameters: Iterable[tuple[str, Any, Any]]) -> None:
    """Give a function a signature of names, types and defaults, for tools that inspect it."""
    signed = [
        Signed(name, Signed.KEYWORD_ONLY, annotation=kind, default=default)
        for name, kind, default in parameters
    ]
    function.__signature__ = Signature(signed)  # type: ignore[attr-defined]
    function.__annotations__ = {one.name: one.annotation for one in signed}
