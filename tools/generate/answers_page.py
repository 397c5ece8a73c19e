"""The JSON schemas of all answers, and the page that lists them, as the generator writes them."""

from __future__ import annotations

import json

from tools.cli.answers import ANSWERS, LINES, schema_of

__all__ = ["FOLDER", "answer_files", "schema_file"]

FOLDER = "docs/json"

INTRODUCTION = """\
# Answers in JSON

Generated from the types of the answers. With `--json` every command answers with one document, or
with one on each line where the table says so; each has a schema (JSON Schema 2020-12). Money is
whole haléř, moments are microseconds since the epoch in UTC. A later version may add fields, and
takes none away without a note in the changelog.

| command | answer | schema |
|---|---|---|
"""


def schema_file(command: str) -> str:
    """Name the file of a command's schema."""
    return f"{command.replace(' ', '-')}.schema.json"


def answer_files() -> dict[str, str]:
    """Write every file, by its path."""
    found = {
        f"{FOLDER}/{schema_file(command)}": json.dumps(
            schema_of(command), indent=2, ensure_ascii=False
        )
        + "\n"
        for command in ANSWERS
    }
    rows = []
    for command in sorted(ANSWERS):
        kind = "one a line" if command in LINES else "one document"
        name = schema_file(command)
        rows.append(f"| `gameledger {command}` | {kind} | [{name}]({name}) |\n")
    found[f"{FOLDER}/README.md"] = INTRODUCTION + "".join(rows)
    return found
