"""``rules``: rules of operation that ship, of a file, or of the chain."""

from __future__ import annotations

import json
from contextlib import closing
from importlib import resources
from typing import Annotated, Any

import msgspec
import typer

from ledger.rules.operator import encode_operator_rules, rules_for, shipped_rules
from ledger.rules.published_rules import rules_in_force
from ledger.storage.named_files import read_text
from tools.cli._answering import answers
from tools.cli._help import Commands
from tools.cli._options import DATA, Data
from tools.cli._output import echo

__all__ = ["app"]

app = Commands("An operator's rules of operation: figures, periods, cited paragraphs.")


@app.callback()
def rules() -> None:
    """Keep ``rules show`` a command of two words."""


def _show(document: dict[str, Any], *, rules: str) -> None:
    if rules:
        print(_source(rules), end="")
        return
    for line in json.dumps(document, ensure_ascii=False, indent=2).splitlines():
        echo(line)


@app.command()
@answers(_show)
def show(
    *,
    rules: Annotated[
        str,
        typer.Argument(
            metavar="[NAME|FILE]", help="Shipped rules, or a file; by default those of the chain."
        ),
    ] = "",
    data: Data = DATA,
) -> dict[str, Any]:
    """Check rules of operation and print them.

    Shipped rules and files are printed as TOML, to begin a file of one's own; the chain's, and any
    with `--json`, as the JSON that the command `publish_operator_rules` takes.

    Example: `gameledger rules show sazka > rules.toml`
    """
    if rules:
        found = rules_for("", rules).rules
    else:
        with closing(data.read()) as log:
            found = rules_in_force(log)
    document: dict[str, Any] = msgspec.json.decode(encode_operator_rules(found))
    return document


def _source(rules: str) -> str:
    """Return the TOML of rules that were read before."""
    if rules in shipped_rules():
        folder = resources.files("ledger.rules") / "operators"
        return (folder / f"{rules}.toml").read_text(encoding="utf-8")
    return read_text(rules)
