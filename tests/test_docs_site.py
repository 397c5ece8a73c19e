"""The site of the documentation: every page of the repository is in its menu."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
GENERATED = {"docs/codes.md", "docs/duties.md", "docs/games.md", "docs/sql.md"}
"""Pages that `make docs` writes."""


def pages_of(nav: Any) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    entries = nav.values() if isinstance(nav, dict) else nav
    return [page for entry in entries for page in pages_of(entry)]


def test_the_menu_of_the_site_has_every_page_once() -> None:
    config = tomllib.loads((ROOT / "docs/site/zensical.toml").read_text(encoding="utf-8"))
    pages = pages_of(config["project"]["nav"])
    assert sorted(set(pages)) == sorted(pages)
    assert {one for one in pages if not (ROOT / one).is_file()} <= GENERATED
    here = {*ROOT.glob("docs/*.md"), *ROOT.glob("docs/readers/*.md")}
    assert {str(one.relative_to(ROOT)) for one in here} <= set(pages)


def test_a_link_between_pages_leads_to_a_page_of_the_site() -> None:
    config = tomllib.loads((ROOT / "docs/site/zensical.toml").read_text(encoding="utf-8"))
    menu = set(pages_of(config["project"]["nav"]))
    copied = {*menu, *(str(one.relative_to(ROOT)) for one in ROOT.glob("docs/**/*.md"))}
    lost = [
        (page, target)
        for page in sorted(menu - GENERATED)
        for target in re.findall(r"\]\((?!https?:)([^)#\s]+\.md)", (ROOT / page).read_text("utf-8"))
        if os.path.normpath(Path(page).parent / target) not in copied
    ]
    assert not lost
