"""Render evidence as one self-contained HTML file that needs no network.

What comes in: a data part. What goes out: the bytes of the file. The page is rendered only from the
data part, so the same data gives the same page, and :func:`data_in` with :func:`page_of` shows
whether a page matches its data part. All recorded content is escaped text: none of it is executed,
and a strict Content-Security-Policy names the two scripts and the style by their hashes.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from ledger.core.clock import SECOND
from ledger.core.errors import InputError
from projections.evidence.document import DATA_BYTES_MAX
from projections.evidence.story import (
    ROUND,
    certificates_of,
    late_text,
    origin_text,
    plans_of,
    shown_result_text,
    story_of,
)
from projections.evidence.verify import verify
from projections.facts.rendering import codes_in_words, render_fact
from projections.facts.timing import timing
from projections.pictures.round import draw_round
from projections.words import names
from projections.words.catalogue import Language, Words
from projections.words.descriptions import translate_column
from projections.words.explanations import render_explanation
from projections.words.names import finality_text
from projections.words.phrases import render_finding
from schemas import newest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger import games
    from projections.evidence.origin import ProvedOrigin
    from projections.evidence.story import Story
    from projections.evidence.verify import VerifiedFile
    from projections.facts.facts import Fact
    from projections.findings.finding import Finding
    from projections.replay.round import Replay, ShownResult

__all__ = [
    "FILE_BYTES_MAX",
    "balance_page",
    "cleaned",
    "data_in",
    "field_text",
    "page_of",
    "render",
]

FILE_BYTES_MAX = 4 * DATA_BYTES_MAX
"""Maximum bytes of a page."""

LANGUAGES = tuple(Words(language) for language in Language)
_BEGIN = b'<script type="application/json" id="evidence">'
_END = b"</script>"
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Characters that a page cannot hold, or that change the direction of writing."""


def page_of(data: bytes) -> bytes:
    """Verify a data part and render its page.

    Raises:
        EvidenceError: the proofs of the data part are invalid.

    """
    found = verify(data)
    with plans_of(found):
        return _page(data, found)


def _page(data: bytes, found: VerifiedFile) -> bytes:
    story = story_of(found)
    _, _, name = found.evidence.subject.tag.partition(":")
    page = render(
        "page.html",
        data=Markup(data.decode()),  # noqa: S704 - ASCII without <, > and &, see encode
        found=found,
        story=story,
        pictures=_pictures(story.replay) if story.replay else (),
        name=name,
        origins={one.position: one for one in found.origins},
        certificates=certificates_of(found),
        is_round=found.evidence.subject.tag.startswith(ROUND),
        **_scripts(f"{_names(found, story)}\n{_part('page.js')}"),
    )
    return page.encode()


def balance_page() -> bytes:
    """Render the page that verifies any balance which its reader opens or pastes."""
    return render("balance.html", **_scripts(_part("balance.js"))).encode()


def _scripts(show: str) -> dict[str, str]:
    """Return the verifier and the script that shows its verdict, and the hashes of both."""
    verifier = _part("verifier.js")
    return {
        "script": Markup(verifier),  # noqa: S704 - a file of ours
        "show": Markup(show),  # noqa: S704 - the same, and texts of ours as ASCII
        "script_hashes": " ".join(f"'{_csp(one)}'" for one in (verifier, show)),
    }


def render(part: str, **values: Any) -> str:
    """Render a template of this package, with its style; texts are in both languages."""
    style = _part("page.css")
    text: str = _template(part).render(
        style=Markup(style),  # noqa: S704 - a file of ours
        style_hash=_csp(style),
        **values,
    )
    return text


def _names(found: VerifiedFile, story: Story) -> str:
    """Return the script with names of the events, fields and codes of a file."""
    present = sorted({one.name for one in (*found.events, *found.basis)} & newest().keys())
    columns = {
        f"{event}.{fact['name']}": [translate_column(words, fact["doc"]) for words in LANGUAGES]
        for event in present
        for fact in newest()[event].facts
        if "personal" not in fact
    }
    events = {one: [names.named(words, "events", one) for words in LANGUAGES] for one in present}
    texts = json.dumps(
        {"events": events, "columns": columns, "values": _values(story.facts)}
    ).replace("<", "\\u003c")
    return f"globalThis.gameledgerNames = {texts};"


def _values(facts: Iterable[Fact]) -> dict[int, dict[str, list[str]]]:
    """Return the codes of facts in words, by position and field."""
    found = dict[int, dict[str, list[str]]]()
    for fact in facts:
        both = [codes_in_words(words, fact.facts) for words in LANGUAGES]
        for name in sorted({name for named in both for name in named}):
            recorded = field_text(fact.facts[name])
            texts = [cleaned(named.get(name, recorded)) for named in both]
            found.setdefault(fact.position, {})[name] = texts
    return found


def _pictures(replay: Replay) -> list[tuple[Language, Markup]]:
    """Draw the round in both languages; a picture has no script, style or external reference."""
    return [
        (language, Markup(draw_round(replay, language)))  # noqa: S704 - made here, texts escaped
        for language in Language
    ]


def data_in(page: bytes) -> bytes:
    """Extract the data part of a page.

    Raises:
        InputError: there is none, or more than one.

    """
    parts = page.split(_BEGIN)
    if len(parts) != 2 or _END not in parts[1]:  # noqa: PLR2004 - before and behind
        raise InputError("this is no evidence file: it has no data part, or several")
    return parts[1].partition(_END)[0]


def field_text(value: object) -> str:
    """Format the value of a field as the page and the verifier in it do."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return ", ".join(map(field_text, value))
    return cleaned(str(value))


def cleaned(text: str) -> str:
    """Replace invisible characters by their code points."""
    return _CONTROL.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


@cache
def _template(part: str) -> Any:
    environment = Environment(
        loader=FunctionLoader(_part), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters["field"] = field_text
    environment.filters["clean"] = cleaned
    environment.filters["card"] = names.card
    environment.globals.update(
        t=_texts,
        both=lambda key: [words.text(key) for words in LANGUAGES],
        describe=_describe,
        timed=_timing,
        moment=_moment,
        shown_result=_shown_result,
        utc=_utc,
        money=_money,
        code=_code,
        why=_why,
        said=_finding_text,
        late=_late,
        origin=_origin,
        finality=_finality,
    )
    return environment.get_template(part)


@cache
def _part(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _csp(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _both(texts: list[str]) -> Markup:
    """Render a text in both languages, of which one is shown."""
    czech, english = texts
    if czech == english:
        return escape(cleaned(czech))
    spans = [
        Markup('<span lang="{0}" class="{0}">{1}</span>').format(words.language, cleaned(text))
        for words, text in zip(LANGUAGES, (czech, english), strict=True)
    ]
    return Markup("").join(spans)


def _texts(key: str, **values: str | int) -> Markup:
    return _both([words.text(key, **values) for words in LANGUAGES])


def _describe(fact: Fact) -> Markup:
    return _both([render_fact(words, fact.event, fact.facts) for words in LANGUAGES])


def _timing(fact: Fact, closed_at: int | None) -> Markup:
    moments = fact.event, fact.occurred_at, fact.recorded_at, closed_at
    return _both([timing(*moments, words) for words in LANGUAGES])


def _moment(microseconds: int) -> Markup:
    return _both([words.moment(microseconds) for words in LANGUAGES])


def _shown_result(shown: ShownResult) -> Markup:
    return _both([shown_result_text(words, shown) for words in LANGUAGES])


def _late(fact: Fact, story: Story) -> Markup:
    return _both([late_text(words, fact, story) for words in LANGUAGES])


def _origin(origin: ProvedOrigin) -> Markup:
    return _both([origin_text(words, origin) for words in LANGUAGES])


def _money(haler: int) -> Markup:
    return _both([words.money(haler) for words in LANGUAGES])


def _code(area: str, code: str, selection: str = "", parent: str = "") -> Markup:
    if area == "bets":
        return _both(
            [names.bet(words, code, selection, additional=bool(parent)) for words in LANGUAGES]
        )
    if area == "wording":
        return _both([names.wording(words, code) for words in LANGUAGES])
    if area == "paragraph":
        return _both([names.paragraph(words, code) for words in LANGUAGES])
    return _both([names.named(words, area, code) for words in LANGUAGES])


def _finding_text(finding: Finding) -> Markup:
    """Render a finding."""
    return _both([render_finding(words, finding) for words in LANGUAGES])


def _why(explanation: games.Explanation) -> Markup:
    """Render the reason for an amount due, with its formula."""
    return _both([render_explanation(words, explanation).reason for words in LANGUAGES])


def _finality(found: VerifiedFile) -> Markup:
    """Describe how final the facts of a file are, with what that means."""
    return _both([finality_text(words, found.finality) for words in LANGUAGES])


def _utc(microseconds: int) -> str:
    whole, rest = divmod(microseconds, SECOND)
    return f"{datetime.fromtimestamp(whole, UTC):%Y-%m-%dT%H:%M:%S}.{rest:06d}Z"
