"""``schema``: the machine-readable descriptions of events, answers and HTTP APIs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

import schemas
from ledger.core.errors import InputError
from tools.cli._answering import answers
from tools.cli._asyncapi import asyncapi, fingerprints, schema_file
from tools.cli._help import Commands
from tools.cli._output import echo, echo_each
from tools.cli.answers import answer_types, schema_of
from tools.whole_files import folder_at, write_whole

__all__ = ["ExportedSchemas", "NamedSchemas", "app", "descriptions"]

app = Commands("Schemas of events, of answers in JSON, and of the HTTP APIs.")


@app.callback()
def schema() -> None:
    """Schemas of this version of gameledger."""


@dataclass(frozen=True, slots=True)
class NamedSchemas:
    """Event types with their versions, and commands whose answers have a schema."""

    events: list[str]
    answers: list[str]


@dataclass(frozen=True, slots=True)
class ExportedSchemas:
    """Files that were written, by their paths in the folder."""

    folder: str
    files: list[str]


def _show_names(found: NamedSchemas) -> None:
    echo_each(found.events)
    known = answer_types()
    for command in found.answers:
        echo(f"{command}{' (one document per line)' if known[command].is_line else ''}")


@app.command("list")
@answers(_show_names)
def list_command() -> NamedSchemas:
    """List the event types and the commands whose answers have a schema.

    Example: `gameledger schema list`
    """
    events = [f"{name}.v{version}" for name, version in schemas.numbered()]
    return NamedSchemas(events, sorted(answer_types()))


def _show_exported(done: ExportedSchemas) -> None:
    echo(f"{len(done.files)} files in {done.folder}")


@app.command()
def show(
    name: Annotated[
        str, typer.Argument(help="Event type, such as BetPlaced, or command, such as 'bet list'.")
    ],
) -> None:
    """Print the Avro schema of an event type, or the JSON schema of a command's answer.

    Money is whole haléř, moments are microseconds since the epoch in UTC. A later version may add
    fields to an answer; it removes none without a note in the changelog.

    Example: `gameledger schema show "round replay"`
    """
    events = {f"{event}.v{version}": one for (event, version), one in schemas.numbered().items()}
    found = (events | schemas.newest()).get(name)
    if found:
        echo(json.dumps(found.raw, indent=2, ensure_ascii=False))
    elif name in answer_types():
        echo(_answer(name))
    else:
        raise InputError(f"there is no schema {name}: `gameledger schema list` names them all")


@app.command()
@answers(_show_exported)
def export(
    folder: Annotated[Path, typer.Argument(help="Folder to write to; it is created.")],
) -> ExportedSchemas:
    """Write every schema to a folder, for programs in any language.

    `events/` has the Avro schemas, complete, and `fingerprints.json`; `answers/` the JSON schemas
    of answers; beside them are `events.asyncapi.json` of the Kafka topics, and `openapi.json` and
    `commands.openapi.json` of the two HTTP APIs.

    Example: `gameledger schema export schemas`
    """
    found = descriptions()
    for name, text in found.items():
        folder_at((folder / name).parent)
        write_whole(folder / name, text.encode(), replacing=True)
    return ExportedSchemas(str(folder), sorted(found))


def descriptions() -> dict[str, str]:
    """Return the text of every exported file by its path in the folder."""
    from tools.access.app import application
    from tools.access.openapi import describe
    from tools.service.http.description import description

    events = {
        f"events/{schema_file(one)}": json.dumps(one.raw, indent=2, ensure_ascii=False) + "\n"
        for one in schemas.numbered().values()
    }
    answers = {
        f"answers/{command.replace(' ', '-')}.schema.json": _answer(command) + "\n"
        for command in answer_types()
    }
    api = json.dumps(describe(application(None)), indent=1, ensure_ascii=False)
    return {
        **events,
        **answers,
        "events/fingerprints.json": fingerprints(),
        "events.asyncapi.json": asyncapi(),
        "openapi.json": f"{api}\n",
        "commands.openapi.json": description(),
    }


def _answer(command: str) -> str:
    return json.dumps(schema_of(command), indent=2, ensure_ascii=False)
