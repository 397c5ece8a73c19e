"""Write answers as Atom feeds (RFC 4287); a text holds no character that XML has not."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

from starlette.responses import Response

from ledger.core.clock import to_datetime
from tools.access.access_service import service_of
from tools.access.pages import current_path
from tools.sanitize import escape_controls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request

__all__ = ["ATOM", "Entry", "atom"]

NAMESPACE = "http://www.w3.org/2005/Atom"
ATOM = "application/atom+xml"
AUTHORITY = "gameledger,2026"
"""Of the ``tag:`` names of entries (RFC 4151), which stay the same for good."""


class Entry(NamedTuple):
    """An entry: its name for good, its address here, and when it changed (microseconds)."""

    name: str
    address: str
    at: int
    title: str
    text: str


def atom(
    request: Request,
    name: str,
    title: str,
    entries: Iterable[Entry],
    *,
    address: str,
    updated: int,
) -> Response:
    """Return the feed that a request asks for.

    Args:
        request: of the reader.
        name: of the feed for good.
        title: for people.
        entries: what it lists.
        address: path of the page with the same answer.
        updated: when it last changed, in microseconds.

    """
    chain = service_of(request).sources.opening.chain
    origin = str(request.base_url).rstrip("/")
    root = ET.Element("feed", xmlns=NAMESPACE)

    def add(parent: ET.Element, name: str, text: str = "", **attributes: str) -> None:
        ET.SubElement(parent, name, attributes).text = escape_controls(text) or None

    add(root, "id", f"tag:{AUTHORITY}:{chain}/{name}")
    add(root, "title", title)
    add(root, "updated", _iso(updated))
    add(root, "link", href=f"{origin}{address}")
    add(root, "link", rel="self", href=f"{origin}{current_path(request)}")
    add(ET.SubElement(root, "author"), "name", chain)
    for one in entries:
        entry = ET.SubElement(root, "entry")
        add(entry, "id", f"tag:{AUTHORITY}:{chain}/{one.name}")
        add(entry, "title", one.title)
        add(entry, "updated", _iso(one.at))
        add(entry, "link", href=f"{origin}{one.address}")
        add(entry, "summary", one.text)
    content: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return Response(
        content, media_type=f"{ATOM}; charset=utf-8", headers={"Cache-Control": "no-store"}
    )


def _iso(moment: int) -> str:
    return to_datetime(moment).astimezone(UTC).isoformat()
