"""``statement issuers``: templates for the files of common banks and payment providers."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.errors import InputError
from tools.cli._answering import answers
from tools.cli._options import DATA, Data
from tools.cli._output import echo, table, wrapped
from tools.cli._statement import Issuers
from tools.cli._statement_fetch import app
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from tools.statements.shipped import Template

__all__ = ["IssuerTemplate", "app"]


@dataclass(frozen=True, slots=True)
class IssuerTemplate:
    """A template; ``settings`` is the file of an issuer as TOML, ``file`` where it was copied."""

    template: str
    title: str
    kind: str
    format: str
    source: str
    needs_account: bool
    settings: str
    file: str


def _show(found: list[IssuerTemplate], *, template: str, copy: str, account: str) -> None:
    from tools.statements import shipped

    if found and found[0].file:
        echo(f"Written: {found[0].file}. Try it: gameledger statement check FILE --issuer {copy}")
    elif template:
        needs_account = found[0].needs_account
        settings = shipped.template(template)
        for line in settings.for_account(account or needs_account * "ACCOUNT").splitlines():
            echo(line)
    else:
        rows = [(one.template, one.kind, one.format, one.title) for one in found]
        table(("template", "kind", "format", wrapped("files of")), rows)


@app.command("issuers")
@answers(_show)
def issuers_command(
    *,
    template: Annotated[
        str, typer.Argument(metavar="[TEMPLATE]", help="Show the settings of this one.")
    ] = "",
    copy: Annotated[
        str, typer.Option("--copy", metavar="NAME", help="Write it as ISSUERS/NAME.toml.")
    ] = "",
    account: Annotated[
        str, typer.Option(metavar="NUMBER", help="The account of a bank, as its files write it.")
    ] = "",
    issuers: Issuers = None,
    data: Data = DATA,
) -> list[IssuerTemplate]:
    """List the templates for files of banks and payment providers, show one, or copy it.

    A template follows the published layout of the files; the first real file confirms it.

    Example: `gameledger statement issuers gpc --copy kb --account 19-2000145399/0800`
    """
    from tools.statements import shipped

    if not template and (copy or account):
        raise InputError("name the template to copy: `gameledger statement issuers` lists them")
    found = [shipped.template(template)] if template else list(shipped.templates().values())
    file = _copied(found[0], copy, account, issuers or data.path / "issuers") if copy else None
    return [_as_answer(one, file) for one in found]


def _copied(found: Template, name: str, account: str, folder: Path) -> Path:
    """Write a template as the file of an issuer that is not there yet, and read it back.

    Raises:
        InputError: there is such a file, or the name or the account does not fit.

    """
    from tools.statements.issuer import issuer_file, read_issuer

    path, text = issuer_file(folder, name), found.for_account(account)
    if os.path.lexists(path):
        raise InputError(f"issuer {name}: {path} is there already")
    write_whole(path, text.encode())
    read_issuer(folder, name)
    return path


def _as_answer(found: Template, file: Path | None) -> IssuerTemplate:
    return IssuerTemplate(
        template=found.name,
        title=found.title,
        kind=found.issuer.kind,
        format=found.issuer.format,
        source=found.source,
        needs_account=found.needs_account,
        settings=found.settings,
        file="" if file is None else str(file),
    )
