"""Plugin of pytest that takes one rule out: ``-p tests.mutation.without --without KIND:NAME``.

``--law`` leaves only the tests that are marked with one of its requirements.

Modules of the project are changed while they are imported, so nothing of it is imported here. The
kinds: ``refusal`` (``raise RefusedError("NAME")`` does nothing), ``finding`` (NAME is not
reported), ``condition`` (the facts that do or begin the duty NAME need no values) and ``figure``
(the operator's figure NAME is doubled).
"""

from __future__ import annotations

import ast
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder, SourceFileLoader
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType

    import pytest

__all__ = [
    "KINDS",
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_load_initial_conftests",
]

KINDS = ("refusal", "finding", "condition", "figure")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--without", default="", help="KIND:NAME of what is taken out; else nothing")
    parser.addoption(
        "--law", action="append", help="requirement; only tests that are marked with one"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests that are not marked with one of the requirements."""
    if requirements := config.getoption("law"):
        items[:] = [
            one
            for one in items
            if any({*requirements} & {*mark.args} for mark in one.iter_markers("law"))
        ]


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Change what is imported from here on."""
    if not (rule := early_config.known_args_namespace.without):
        return
    kind, _, name = rule.partition(":")
    if kind not in KINDS:
        raise SystemExit(f"--without: the kind is one of {', '.join(KINDS)}")
    sys.meta_path.insert(0, _Finder(kind, name))


class _Finder(MetaPathFinder):
    """Finds the modules of ledger and projections, and has them changed."""

    def __init__(self, kind: str, name: str) -> None:
        self.kind, self.name = kind, name

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] not in {"ledger", "projections"}:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path, self.kind, self.name)
        return spec


class _Loader(SourceFileLoader):
    """Loads a module without the rule."""

    def __init__(self, fullname: str, path: str, kind: str, name: str) -> None:
        super().__init__(fullname, path)
        self.kind, self.rule = kind, name

    def get_code(self, fullname: str) -> CodeType | None:
        """Compile a source that names the refusal without it; no compiled file of it is used."""
        source = self.get_data(self.path)
        if self.kind != "refusal" or self.rule.encode() not in source:
            return super().get_code(fullname)
        tree = _WithoutRefusal(self.rule).visit(ast.parse(source, self.path))
        return compile(ast.fix_missing_locations(tree), self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, then replace the function of the rule."""
        super().exec_module(module)
        for name, change in CHANGES.get((self.kind, module.__name__), {}).items():
            setattr(module, name, change(getattr(module, name), self.rule))


class _WithoutRefusal(ast.NodeTransformer):
    def __init__(self, code: str) -> None:
        self.code = code

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        """Replace the statement that raises the refusal."""
        match node.exc:
            case ast.Call(func=ast.Name("RefusedError"), args=[ast.Constant(self.code), *_]):
                return ast.copy_location(ast.Pass(), node)
        return node


def _unreported(find: Callable[..., Any], code: str) -> Callable[..., Any]:
    def without(*arguments: Any, **options: Any) -> Any:
        return [one for one in find(*arguments, **options) if one.code != code]

    return without


def _without_difference(find: Callable[..., Any], code: str) -> Callable[..., Any]:
    def without(*arguments: Any, **options: Any) -> Any:
        return [one for one in find(*arguments, **options) if one.status.value != code]

    return without


def _unreported_in_result(check: Callable[..., Any], code: str) -> Callable[..., Any]:
    def without(*arguments: Any, **options: Any) -> Any:
        result = check(*arguments, **options)
        result.findings[:] = [one for one in result.findings if one.code != code]
        return result

    return without


def _unconditional(read: Callable[[], Any], code: str) -> Callable[[], Any]:
    from msgspec.structs import replace  # noqa: PLC0415 - as little as possible is imported first

    def plain(facts: Any) -> Any:
        return tuple(replace(one, where={}) for one in facts)

    def without() -> Any:
        return {
            name: replace(
                header, duty=replace(duty, begins=plain(duty.begins), done=plain(duty.done))
            )
            if (duty := header.duty) is not None and duty.code == code
            else header
            for name, header in read().items()
        }

    return without


def _doubled(parse: Callable[..., Any], name: str) -> Callable[..., Any]:
    from msgspec.structs import replace  # noqa: PLC0415 - as little as possible is imported first

    def without(*arguments: Any, **options: Any) -> Any:
        rules = parse(*arguments, **options)
        figure = getattr(rules.figures, name)
        figures = replace(rules.figures, **{name: replace(figure, value=2 * figure.value)})
        return replace(rules, figures=figures)

    return without


CHANGES: dict[tuple[str, str], dict[str, Callable[..., Any]]] = {
    ("finding", "projections.findings.finding"): {"render_findings": _unreported},
    ("finding", "projections.reconciliation.duties"): {"duties_not_done": _unreported},
    ("finding", "projections.checks.hands"): {"check_hand": _unreported_in_result},
    ("finding", "projections.checks.rounds"): {"check_round": _unreported_in_result},
    ("finding", "projections.checks.tournaments"): {"check_tournament": _unreported},
    ("finding", "projections.matching.match"): {"differences": _without_difference},
    ("condition", "projections.findings.headers"): {"headers": _unconditional},
    ("figure", "ledger.rules.operator"): {"parse_operator_rules": _doubled},
}
"""Functions that are replaced, by kind and module."""
