"""The pages as people use them, in Chromium: the story, axe-core, the keyboard alone, on paper."""

from __future__ import annotations

import json
import re
import shutil
from io import BytesIO
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image
from playwright.sync_api import expect
from pyhanko.pdf_utils.reader import PdfFileReader

from ledger.events import event_types as e
from ledger.log.checkpoints import keys_of
from ledger.log.port import Query
from projections.words.catalogue import Language, Words
from tests.npm_packages import npm_file
from tests.search import share
from tests.tools.access.access_cases import CHANGES, HANDLED, handled
from tests.tools.access.browser_cases import LOOK, PURPOSE, WCAG, sign_in
from tests.tools.access.test_enemies import READING
from tests.tools.cli_cases import run

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.tools.access.access_cases import Service

ACTIONS_MAX = 6
TABS_MAX = 300
PAGES = {
    "/": ("/",),
    "/search": ("/search?q=nobody",),
    "/rounds": ("/rounds", "/rounds?account={account}", "/rounds?near=2026-11-20T21:03"),
    "/rounds/{name}": ("/rounds/{round}", "/rounds/{staked}"),
    "/tournaments": ("/tournaments",),
    "/tournaments/{name}": ("/tournaments/{tournament}",),
    "/accounts/{name}": ("/accounts/{account}",),
    "/accounts/{name}/movements": ("/accounts/{account}/movements",),
    "/accounts/{name}/closing-balance": ("/accounts/{account}/closing-balance",),
    "/accounts/{name}/play-time": ("/accounts/{account}/play-time",),
    "/persons": ("/persons",),
    "/play-time": ("/play-time",),
    "/cases": ("/cases",),
    "/duties": ("/duties",),
    "/cases/{name}": ("/cases/{case}",),
    "/findings": ("/findings", "/findings?state=closed"),
    "/findings/{name}": ("/findings/{finding}",),
    "/results": ("/results",),
    "/books": ("/books",),
    "/open-items": ("/open-items",),
    "/statements": ("/statements",),
    "/tables": ("/tables",),
    "/packages": ("/packages",),
    "/packages/{name}": ("/packages/{package}?file=jedna_hra.csv&row=1",),
    "/events": ("/events?tag=round:{round}",),
    "/events/{position}": ("/events/7",),
    "/fairness": ("/fairness",),
    "/docs": ("/docs",),
    "/accesses": ("/accesses", "/accesses?account={account}"),
    "/sql": ("/sql?q=SELECT+account+FROM+reader_bets+LIMIT+3",),
    "/my-accesses": ("/my-accesses",),
    "/saved": ("/saved",),
    **{pattern: (one,) for pattern, one in CHANGES.items()},
}
"""Addresses of every page, by the pattern of the application."""
REFUSED = ("/rounds/nope",)

FOCUS = """selector => {
  const here = document.activeElement, style = getComputedStyle(here);
  const place = here.getBoundingClientRect();
  return {
    at: here.outerHTML.slice(0, 120),
    wanted: here.matches(selector),
    nowhere: here === document.body || here.id === "content",
    seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
      && place.bottom > 0 && place.top < innerHeight && place.right > 0 && place.left < innerWidth,
  };
}"""

A4_WIDTH, A4_HEIGHT = 703, 1039
"""What the margins of the style leave of a sheet, in pixels of CSS."""
LONGER = "cs"
"""Words of this language take more room."""
SHEETS, SHEETS_OF_A_HAND = 2, 3
EMPTY = """() => [...document.querySelectorAll("main dd, main h2, main li, main tbody")]
  .filter(one => one.checkVisibility() && !one.textContent.trim()).map(one => one.outerHTML)"""
"""Finds what is printed without content."""
OVERFLOW = """() => {
  const root = document.documentElement;
  return root.scrollWidth - root.clientWidth;
}"""


MEASURED = """scheme => {
  const shown = [...document.querySelectorAll("body *:not(svg *)")].filter(one =>
    one.checkVisibility({visibilityProperty: true}) && !one.matches(".skip, option, br, wbr"));
  const named = one => `${one.parentElement.tagName} > ${one.outerHTML.slice(0, 150)}`;
  const root = document.documentElement;
  const wide = root.scrollWidth > root.clientWidth ? ["page"] : [];
  const outside = shown.filter(one => {
    const parent = one.parentElement, style = getComputedStyle(parent);
    if (style.display === "inline" || style.overflowX !== "visible") return false;
    return one.getBoundingClientRect().right > parent.getBoundingClientRect().right + 12;
  });
  const broken = shown.filter(one => one.matches("code:has(wbr)")).filter(one =>
    [...one.childNodes].some(part => {
      const range = document.createRange();
      range.selectNodeContents(part);
      return part.nodeType === Node.TEXT_NODE && range.getClientRects().length > 1;
    }));
  const bright = scheme !== "dark" ? [] : shown.filter(one => {
    const [red, green, blue, alpha = 1] =
      getComputedStyle(one).backgroundColor.match(/[\\d.]+/g).map(Number);
    return alpha > 0.1 && Math.min(red, green, blue) > 128 && !one.matches("button");
  });
  return [...wide, ...[...outside, ...broken, ...bright].map(named)];
}"""
"""Finds a page wider than the window, what reaches over the side of its parent by more than a space
at a line's end, a code that is broken within a word, and in the dark what has a light ground."""
LIGHT, LIGHT_SHARE_MAX = 200, 0.25
"""From which shade on a pixel is light, and how many of a picture may be."""


@pytest.fixture(scope="module")
def played(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evening, with findings."""
    return handled(
        shutil.copytree(played, tmp_path_factory.mktemp("handled") / "data", symlinks=True)
    )


@pytest.fixture(scope="module")
def names(service: Service) -> dict[str, str]:
    """A complaint about a round, and what else an address names."""
    filed = service.get("/api/events?type=ComplaintFiled").json()["answer"]["events"]
    facts = next(one["facts"] for one in filed if one["facts"]["round"])
    *_, package = re.findall(r'href="/packages/([^"]+)"', service.get("/packages").text)
    found = {name: facts[name] for name in ("case", "round", "account")} | {"finding": HANDLED}
    (cup, *_) = service.get("/api/tournaments").json()["answer"]
    found["tournament"] = cup["tournament"]
    return found | {"package": package, "staked": by_stakes(service)[-1]["round"]}


def by_stakes(service: Service) -> list[dict[str, Any]]:
    """Rounds, those with most at stake last."""
    rounds = service.get("/api/rounds?limit=1000").json()["answer"]["rounds"]
    return sorted(rounds, key=lambda one: one["stakes"])


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_from_a_complaint_to_sealed_evidence_in_six_actions(
    service: Service,
    address: str,
    browser: Browser,
    names: dict[str, str],
    tmp_path: Path,
    *,
    script: bool,
) -> None:
    round_, file, keys = names["round"], tmp_path / "evidence.html", tmp_path / "keys.txt"
    log = service.desk.sources.log
    keys.write_text("\n".join(key.text for key in keys_of(log)))

    page = sign_in(browser, address, service, java_script_enabled=script)
    page.on("console", lambda said: pytest.fail(said.text) if said.type == "error" else None)
    actions = ["sign in"]
    page.fill("#q", names["case"])
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/cases/{names['case']}")
    actions.append("search what was complained about")
    page.click(f"main a[href='/rounds/{round_}']")
    actions.append("look at the round")
    expect(page.locator("figure svg[role=img]")).to_be_visible()
    expect(page.get_by_role("region", name="Facts")).to_be_visible()
    with page.expect_download() as download:
        page.click("main a[href$='/evidence?form=html']")
    download.value.save_as(file)
    actions.append("download its evidence")
    done = run("evidence", "verify", str(file), "--key", str(keys), "--json", data=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["subject"] == f"round:{round_}"
    actions.append("verify it")
    page.click("nav a[href='/my-accesses']")
    expect(page.locator("h1")).to_have_text("What I read")
    actions.append("see what of this was recorded")
    asked = "GET /api/rounds/{name}/evidence"
    row = page.locator("main tbody tr", has_text=asked).first
    (recorded,) = (
        one
        for one in service.desk.chain.newest(Query(types=("AccessRecorded",)), 3)
        if isinstance(one.event, e.AccessRecorded) and one.event.question == asked
    )
    for shown in (round_, PURPOSE, recorded.hash.hex()[:16]):
        expect(row).to_contain_text(shown)
    assert len(actions) <= ACTIONS_MAX
    page.context.close()


def test_every_page_is_looked_at() -> None:
    no_pages = {"/live", "/openapi.json"}
    assert {one for one in READING if not one.startswith("/api/")} - no_pages == set(PAGES)


LOOKS = (
    (Language.EN, "light", 390),
    (Language.CS, "dark", 1280),
    (Language.CS, "light", 1920),
    (Language.EN, "dark", 1920),
)
"""Language, colours and width of a window; a search looks at every page in each."""


@pytest.mark.parametrize("part", range(len(LOOKS)))
def test_axe_finds_nothing_on_any_page(
    service: Service,
    address: str,
    browser: Browser,
    names: dict[str, str],
    part: int,
) -> None:
    language, scheme, width = LOOKS[part]
    script, found = npm_file("axe-core@4.14.1", "axe.min.js"), {}
    page = sign_in(browser, address, service, locale=str(language), color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})

    def look(at: str) -> None:
        assert page.locator("html").get_attribute("lang") == language
        page.evaluate(script)
        if wrong := page.evaluate(LOOK, WCAG):
            found[at] = wrong

    templates = (*chain.from_iterable(PAGES.values()), *REFUSED)
    for template in share(templates, part, of=len(LOOKS)):
        answer = page.goto(address + template.format(**names))
        assert answer is not None
        assert answer.ok == (template not in REFUSED), template
        look(template)
    page.goto(f"{address}/accounts/{names['account']}")
    page.click("main form button")
    page.wait_for_url("**/person")
    look("/person")
    page.context.clear_cookies()
    page.goto(address)
    page.fill("#token", "wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    look("/sign-in")
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)
    page.evaluate("document.title = ''")
    look("without a title")
    assert [one for one, *_ in found["without a title"]] == ["document-title"]
    page.context.close()


@pytest.mark.slow("looks at every page in a browser, at two widths")
@pytest.mark.parametrize("language", [LONGER, pytest.param("en", marks=pytest.mark.search)])
def test_nothing_reaches_over_its_column_or_is_light_in_the_dark(
    service: Service, address: str, browser: Browser, names: dict[str, str], language: str
) -> None:
    page = sign_in(browser, address, service, locale=language, color_scheme="dark")
    found: dict[str, list[str]] = {}
    for template in (*chain.from_iterable(PAGES.values()), *REFUSED):
        page.goto(address + template.format(**names))
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            if wrong := page.evaluate(MEASURED, "dark"):
                found[f"{template} at {width}"] = wrong
        for picture in page.locator("figure svg[role=img]").all():
            shades = Image.open(BytesIO(picture.screenshot())).convert("L").histogram()
            light = sum(shades[LIGHT:]) / sum(shades)
            if light > LIGHT_SHARE_MAX:
                found[f"picture of {template}"] = [f"{light:.0%} is light"]
    page.context.close()
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


def tab_to(page: Page, selector: str) -> None:
    """Go on with the tabulator; wherever it stops, one sees where that is."""
    for _ in range(TABS_MAX):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS, selector)
        assert focus["seen"] or focus["nowhere"], focus["at"]
        if focus["wanted"]:
            return
    pytest.fail(f"the keyboard does not reach {selector}")


def test_the_keyboard_alone_reaches_search_a_round_and_a_download(
    service: Service, address: str, browser: Browser, names: dict[str, str]
) -> None:
    page = sign_in(browser, address, service)
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUS, "a.skip")["seen"]
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()
    tab_to(page, "main a[href^='/rounds/']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/rounds/*")
    tab_to(page, "header .name a")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/")
    tab_to(page, "#q")
    page.keyboard.type(names["round"])
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/rounds/{names['round']}")
    tab_to(page, "main a[href$='/evidence?form=html']")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert names["round"].replace("-", "_") in download.value.suggested_filename
    page.context.close()


def test_a_printed_round_fits_two_sheets_and_a_hand_three(
    service: Service, address: str, browser: Browser
) -> None:
    of_each_game = {one["game"]: one["round"] for one in by_stakes(service)}
    sheet = {"width": A4_WIDTH, "height": A4_HEIGHT}
    page = sign_in(browser, address, service, viewport=sheet, locale=LONGER)
    page.emulate_media(media="print")
    shares = Words(Language.CS).text("access.shares_again")
    too_wide, too_long, empty = {}, {}, {}
    for game, round_ in of_each_game.items():
        page.goto(f"{address}/rounds/{round_}")
        if (over := page.evaluate(OVERFLOW)) > 0:
            too_wide[game] = over
        pdf = PdfFileReader(BytesIO(page.pdf(prefer_css_page_size=True)))
        sheets = int(pdf.root["/Pages"]["/Count"])
        if sheets > (SHEETS_OF_A_HAND if page.locator("h2", has_text=shares).count() else SHEETS):
            too_long[game] = sheets
        if lacking := page.evaluate(EMPTY):
            empty[game] = lacking
    assert not too_wide
    assert not too_long
    assert not empty
    first = pdf.root["/Pages"]
    while "/Kids" in first:
        first = first["/Kids"][0]
    left, bottom, right, top = (float(side) for side in first["/MediaBox"])
    assert (round(right - left), round(top - bottom)) == (595, 842)
    page.context.close()
