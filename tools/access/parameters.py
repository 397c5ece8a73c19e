"""Parameters that addresses share, with their bounds."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import StringConstraints

__all__ = [
    "POSITION_MAX",
    "AsOf",
    "Before",
    "ComparedFrom",
    "ComparedTo",
    "Day",
    "Form",
    "Limit",
    "Moment",
    "Name",
    "Named",
    "Now",
    "Openness",
    "PageNumber",
    "Since",
    "Until",
    "form_wished",
]

NAME = r"^[^\x00-\x1f\x7f]*$"
WHEN_MAX = 40
POSITION_MAX = 10**15

AsOf = Annotated[
    str,
    Query(
        max_length=WHEN_MAX,
        pattern=NAME,
        description="As of a position, the end of a day, or a moment in Prague; now if left out.",
    ),
]
"""As of when an answer is."""

Now = Annotated[
    str,
    Query(
        max_length=WHEN_MAX,
        pattern=NAME,
        description="Judge what is late at this moment in Prague, or at that of the last `record`; "
        "by the clock if left out.",
    ),
]
"""Moment of a question, for answers that time alone changes."""

Name = Annotated[str, Path(min_length=1, max_length=150, pattern=NAME)]
"""What an address is about."""

Named = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    Query(max_length=150, pattern=NAME, description="Only of this one."),
]
"""What a list is narrowed to, without the blanks of a copied name around it; empty: all."""

Openness = Annotated[
    Literal["open", "closed", "all"],
    Query(description="Only what is open, or only what is closed."),
]
"""Which findings a list has: what is open is found, and not closed."""

Before = Annotated[
    int | None,
    Query(ge=0, le=POSITION_MAX, description="Cursor: `before` of the page before this one."),
]
"""Where a page of a list ends, newest first."""

PageNumber = Annotated[int, Query(ge=1, le=POSITION_MAX, description="Page of a list, from 1.")]
"""Which page of a list that has no cursor."""

Limit = Annotated[int, Query(ge=1, le=1000, description="How many at most.")]
"""How many rows a page has."""

Day = Annotated[
    str, Query(max_length=10, pattern=r"^(\d{4}-\d{2}-\d{2})?$", description="Only of a day.")
]
"""What was recorded on a day in Prague."""

Since = Annotated[
    str, Query(max_length=WHEN_MAX, pattern=NAME, description="From a position, day or moment on.")
]
"""Where a span begins."""

Until = Annotated[
    str, Query(max_length=WHEN_MAX, pattern=NAME, description="Up to a position, day or moment.")
]
"""Where a span ends."""

ComparedFrom = Annotated[
    str,
    Query(
        alias="from",
        max_length=WHEN_MAX,
        pattern=NAME,
        description="Compare with a position, the end of a day, or a moment in Prague; with the "
        "reader's last visit if left out, or else with a day before the last record.",
    ),
]
"""The earlier place of a comparison."""

ComparedTo = Annotated[
    str,
    Query(
        alias="to",
        max_length=WHEN_MAX,
        pattern=NAME,
        description="Up to a position, the end of a day, or a moment in Prague; now if left out.",
    ),
]
"""The later place of a comparison."""

Moment = Annotated[
    str, Query(max_length=WHEN_MAX, pattern=NAME, description="A day, or a moment in Prague.")
]
"""Where a period begins or ends; a day is in it."""

Form = Literal[
    "json", "csv", "ndjson", "arrow", "parquet", "xlsx", "html", "pdf", "raw", "text", "atom"
]
"""Short names of the forms in which there are answers."""


def form_wished(
    form: Annotated[
        Form | None, Query(description="The form, for links; by the header Accept if left out.")
    ] = None,
) -> None:
    """Take the parameter ``form``, which every address of the API has."""
