"""``statement issuers``: templates for the files of common banks and payment providers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.errors import InputError
from tools.cli._options import DATA, Data, Json
from tools.cli._output import echo, emit, table
from tools.cli._statement import Issuers
from tools.cli._statement_matched import app

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


@app.command("issuers")
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
    as_json: Json = False,
) -> None:
    """List the templates for files of banks and payment providers, show one, or copy it.

    A template follows the published layout of the files; the first real file confirms it.

    Example: `gameledger statement issuers gpc --copy kb --account 19-2000145399/0800`
    """
    from tools.statements import shipped

    if not template and (copy or account):
        raise InputError("name the template to copy: `gameledger statement issuers` lists them")
    found = [shipped.template(template)] if template else list(shipped.templates().values())
    file = _copied(found[0], copy, account, issuers or data.path / "issuers") if copy else None
    if as_json:
        emit([_as_answer(one, file) for one in found])
    elif file is not None:
        echo(f"Written: {file}. Try it: gameledger statement check FILE --issuer {copy}")
    elif template:
        text = found[0].for_account(account or ("ACCOUNT" if found[0].needs_account else ""))
        for line in text.splitlines():
            echo(line)
    else:
        table(
            ("template", "kind", "format", "files of~"),
            [(one.name, one.issuer.kind, one.issuer.format, one.title) for one in found],
        )


def _copied(found: Template, name: str, account: str, folder: Path) -> Path:
    """Write a template as the file of an issuer that is not there yet, and read it back.

    Raises:
        InputError: there is such a file, or the name or the account does not fit.

    """
    from tools.statements.issuer import issuer_file, read_issuer

    path, text = issuer_file(folder, name), found.for_account(account)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise InputError(f"issuer {name}: {path} is there already") from error
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
