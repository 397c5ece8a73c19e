"""One tree of errors, and what an error is for machines stands in it once."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import ledger
import projections
import tools
from ledger.core.errors import KINDS, LedgerError
from ledger.core.refusals import RefusedError
from tools.access.query_context import ScopeError
from tools.cli._app import EPILOG
from tools.feed.provider import UnmappedError
from tools.service.lines import error_answer
from tools.web.problems import CancelledQueryError, NotModifiedError, ProblemError

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(ledger.__file__).parents[1]
ANSWERS = {
    ScopeError,
    RefusedError,
    ProblemError,
    CancelledQueryError,
    NotModifiedError,
    UnmappedError,
}


@cache
def _modules() -> list[ModuleType]:
    return [
        importlib.import_module(found.name)
        for package in (ledger, projections, tools)
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not found.name.endswith("__main__")
    ]


def _errors() -> set[type[BaseException]]:
    return {
        one
        for module in _modules()
        for _, one in inspect.getmembers(module, inspect.isclass)
        if issubclass(one, BaseException) and one.__module__ == module.__name__
    }


def test_every_public_error_is_in_the_tree() -> None:
    """What is an answer is no error: a refusal is a decision, a problem document an answer of HTTP.

    What is private never leaves its module.
    """
    public = {one for one in _errors() if not one.__name__.startswith("_")}
    assert {one for one in public if not issubclass(one, LedgerError)} == ANSWERS
    for private in _errors() - public:
        naming = {one.__name__ for one in _modules() if private.__name__ in inspect.getsource(one)}
        assert naming == {private.__module__}
        assert not issubclass(private, LedgerError)


def test_every_error_has_the_kind_and_exit_code_of_its_branch() -> None:
    """Names and codes are public: a program elsewhere asks for them."""
    names = ("error", "input", "integrity", "availability", "authorization", "fenced")
    assert [(error.exit_code, kind) for kind, error in KINDS.items()] == [*enumerate(names, 1)]
    for error in _errors() - {RefusedError}:
        if issubclass(error, LedgerError):
            branch = KINDS[error.kind]
            assert issubclass(error, branch)
            assert (error.exit_code, error.in_words) == (branch.exit_code, branch.in_words)
            bases = {one for one in KINDS.values() if issubclass(error, one)}
            assert bases == {LedgerError, branch}, "an error is of one branch"


def test_answers_name_the_kind_and_the_lists_of_codes_are_whole() -> None:
    for kind, error in KINDS.items():
        assert error_answer(error("why")) == {"status": "error", "kind": kind, "text": "why"}
        told = f"{error.exit_code} {{}}".format
        for text in (EPILOG, (ROOT / "README.md").read_text()):
            flat = " ".join(text.split())
            assert told(kind) in flat or told(error.in_words) in flat or kind == "error"
