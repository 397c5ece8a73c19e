"""The table of roles in ``docs/access.md``: what each role may read, from its scopes.

Only the lines between two comments of the page are written; the rest of it is by hand.
"""

from __future__ import annotations

from pathlib import Path

import schemas
from tools.access.scopes import ROLES, Scope, field_scopes

__all__ = ["access_page"]

PAGE = Path(__file__).resolve().parents[3] / "docs/access.md"
BEGIN, END = "<!-- roles: generated -->\n", "<!-- roles: end -->\n"


def access_page() -> str:
    """Return ``docs/access.md`` with its tables of roles as the scopes are now.

    Raises:
        SystemExit: the page lacks the two comments between which they stand.

    """
    text = PAGE.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"docs/access.md has no lines {BEGIN.strip()} and {END.strip()}")
    return before + BEGIN + "\n".join(_lines()) + "\n" + END + after


def _lines() -> list[str]:
    types = list(schemas.newest())
    roles = list(ROLES)
    lines = [
        f"| scope | {' | '.join(f'`{role}`' for role in roles)} |",
        f"|---|{'---|' * len(roles)}",
    ]
    for scope in Scope:
        cells = ["yes" if scope in ROLES[role] else "no" for role in roles]
        lines.append(f"| `{scope}` | {' | '.join(cells)} |")
    lines += ["", "| fields with a scope of their own | read with |", "|---|---|"]
    for name in types:
        for scope in dict.fromkeys(field_scopes(name).values()):
            fields = [field for field, one in field_scopes(name).items() if one is scope]
            lines.append(f"| {', '.join(f'`{name}.{field}`' for field in fields)} | `{scope}` |")
    return lines
