"""The page in a real browser: it verifies itself, is read without script, runs nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from projections.evidence.page import page_of
from tests.browser import chromium
from tests.projections.evidence.test_verify import EXPECTED, VECTORS, place_of
from tests.search import amount

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

FLIPS = """async ([text, step]) => {
  const places = [];
  for (let bit = 0; bit < 8 * text.length; bit += step) {
    const at = bit >> 3;
    const sign = String.fromCharCode(text.charCodeAt(at) ^ (1 << (bit & 7)));
    try {
      await gameledgerEvidence.verify(text.slice(0, at) + sign + text.slice(at + 1));
      places.push("");
    } catch (error) {
      places.push(error.place ?? String(error));
    }
  }
  return places;
}"""
"""Flips every bit of a data part, or each so many bits one, and names the places."""

NAMES = (
    "round",
    "withheld",
    "account",
    "unmasked",
    "absent",
    "witnessed",
    "recorded",
    "ecdsa",
    "origin",
)

VERIFY = (
    """text => gameledgerEvidence.verify(text).then(() => "", error => error.place ?? `${error}`)"""
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for name in NAMES:
        page = page_of((VECTORS / f"{name}.json").read_bytes())
        (folder / f"{name}.html").write_bytes(page)
    return folder


def opened(browser: Browser, file: Path, **options: Any) -> Page:
    page = browser.new_page(**options)
    page.on("console", lambda said: pytest.fail(said.text) if said.type == "error" else None)
    page.goto(file.as_uri())
    return page


def verdict(page: Page) -> str:
    page.wait_for_selector("#verdict[data-done]")
    return page.locator("#verdict").get_attribute("class") or ""


@pytest.mark.parametrize("name", NAMES)
def test_a_page_verifies_itself_offline(browser: Browser, pages: Path, name: str) -> None:
    asked: list[str] = []
    page = opened(browser, pages / f"{name}.html")
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    assert verdict(page) == "good", page.inner_text("#verdict")
    assert asked == [(pages / f"{name}.html").as_uri()]
    page.close()


def test_proved_codes_are_named_in_both_languages(browser: Browser, pages: Path) -> None:
    page = opened(browser, pages / "round.html")
    assert verdict(page) == "good"
    texts = page.locator("#proved dl.values dd").all_text_contents()
    page.close()
    for czech, english, recorded in (
        ("sázka na dvě čísla (split) 17/20", "split 17/20 (split)", "split"),
        ("výhra", "win", "win"),
        ("po směru hodinových ručiček", "clockwise", "clockwise"),
    ):
        assert f"{czech} ({recorded}){english}" in texts


def test_a_cosignature_that_a_browser_can_not_check_is_named_and_does_not_count(
    browser: Browser, pages: Path
) -> None:
    page = opened(browser, pages / "recorded.html")
    assert verdict(page) == "good"
    text = page.inner_text("#verdict")
    page.close()
    assert "ML-DSA-44, který prohlížeče neumějí: tato stránka ho NEOVĚŘILA" in text
    assert "spolupodepsal" not in text


def test_the_seal_of_a_fact_is_shown_in_its_row_in_both_languages(
    browser: Browser, pages: Path
) -> None:
    page = opened(browser, pages / "origin.html")
    assert verdict(page) == "good"
    shown = page.locator("#proved > ol > li").all_inner_texts()
    assert "Zapečetěno zdrojem studio pod číslem 32" in shown[0]
    assert "Zdroj platform pečetit neumí" in shown[1]
    assert "porovnána je jen značka příkazu" in shown[-3]
    assert "není pečeť zdroje studio" in shown[-1]
    page.locator("label[for=en]").click()
    shown = page.locator("#proved > ol > li").all_inner_texts()
    assert "Sealed by source studio as number 32, in the seal at position 266" in shown[0]
    assert "the digest over all its commands is right" in shown[0]
    assert page.inner_text("#verdict").count("Certificate of a source") == 2
    page.close()
    written = (pages / "origin.html").read_text(encoding="utf-8")
    assert written.count("Zapečetěno zdrojem studio") == 7
    assert written.count("Sealed by its source studio") == 7
    assert written.count("The digest over the list of all commands of this seal is right") == 6


def test_a_printed_page_shows_what_it_folds_on_the_screen(browser: Browser, pages: Path) -> None:
    folded = "document.querySelectorAll('details:not([open])').length"
    page = opened(browser, pages / "round.html")
    before = page.evaluate(folded)
    assert before > 0
    page.evaluate(f"addEventListener('beforeprint', () => {{ window.printed = {folded} }})")
    page.pdf()
    assert page.evaluate("window.printed") == 0
    assert page.evaluate(folded) == before
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "step"),
    [
        *(("witnessed", amount(13, 1)), ("absent", amount(13, 1))),
        *(("round", amount(3_001, 401)), ("account", amount(3_001, 401))),
    ],
)
def test_a_flipped_bit_is_refused_with_the_place_that_python_names(
    browser: Browser, pages: Path, name: str, step: int
) -> None:
    """Some in every part, each bit of a byte in its turn; in a search every bit of two files."""
    data = (VECTORS / f"{name}.json").read_bytes()
    page = opened(browser, pages / "absent.html")
    page.set_default_timeout(0)
    found = page.evaluate(FLIPS, [data.decode(), step])
    page.close()
    expected = [
        place_of(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])
        for at, bit in (divmod(one, 8) for one in range(0, 8 * len(data), step))
    ]
    assert "" not in found
    assert found == expected


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("document.querySelector('[data-field=stake] td').textContent = '1'", "stake"),
        ("document.querySelector('[data-position]').remove()", "missing"),
        ("document.querySelector('time').dateTime = '2020-01-01T00:00:00.000000Z'", "2020"),
        ("document.querySelector('[data-position]').dataset.event = 'BetVoided'", "BetVoided"),
    ],
)
def test_a_page_that_shows_something_else_says_so(
    browser: Browser, pages: Path, change: str, told: str, tmp_path: Path
) -> None:
    page = opened(browser, altered(browser, pages / "round.html", change, tmp_path))
    assert verdict(page) == "bad"
    assert told in page.inner_text("#verdict")
    page.close()


def test_amounts_and_names_are_drawn_from_the_messages_in_both_languages(
    browser: Browser, pages: Path
) -> None:
    page = opened(browser, pages / "round.html")
    verdict(page)
    facts = page.locator("#proved > ol > li").filter(has_text="BetSettled").first
    assert "Vypořádání sázky" in facts.inner_text()
    assert "skutečná výplata včetně vkladu" in facts.inner_text()
    assert "1\u00a0800,00\u00a0Kč" in facts.inner_text()
    page.locator("label[for=en]").click()
    assert "Bet settled" in facts.inner_text()
    assert "payment, including the stake: CZK" in " ".join(facts.inner_text().split())
    assert "Kč" not in facts.inner_text()
    page.close()


def altered(browser: Browser, file: Path, change: str, folder: Path) -> Path:
    """Alter what a page shows as its reader would meet it, before its own scripts run."""
    before, script, behind = file.read_text(encoding="utf-8").partition("<script")
    page = browser.new_page()
    page.set_content(before)
    page.evaluate(change)
    content = page.content().removesuffix("</body></html>")
    page.close()
    found = folder / "altered.html"
    found.write_text(content + script + behind, encoding="utf-8")
    return found


@pytest.mark.parametrize(
    "change",
    [
        # The right cell is hidden, and a false one stands where readers look.
        """const cell = document.querySelector('[data-field=stake] td');
           const row = cell.parentElement;
           row.hidden = true;
           const false_ = document.createElement('tr');
           false_.innerHTML = '<th>stake</th><td>FORGED</td>';
           row.after(false_)""",
        # A row is hidden, another is added without the marks that are compared.
        """const row = document.querySelector('[data-position]');
           row.hidden = true;
           row.insertAdjacentHTML('afterend', '<li><p>FORGED was paid.</p></li>')""",
        "document.querySelector('.facts').insertAdjacentHTML('afterend', '<p>FORGED</p>')",
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<h2>FORGED</h2>')",
        "document.body.insertAdjacentHTML('beforeend', '<p>FORGED</p>')",
        "document.querySelector('[data-position] p').textContent = 'FORGED'",
        "document.querySelector('table').insertAdjacentHTML('beforebegin', '<p>FORGED</p>')",
    ],
)
def test_what_is_shown_as_proved_is_drawn_from_the_messages(
    browser: Browser, pages: Path, change: str, tmp_path: Path
) -> None:
    """Hidden and added elements reach neither what is proved nor what is seen without unfolding."""
    page = opened(browser, pages / "round.html")
    verdict(page)
    shown = page.locator("#proved").text_content()
    page.goto(altered(browser, pages / "round.html", change, tmp_path).as_uri())
    assert verdict(page) == "good", page.inner_text("#verdict")
    assert page.locator("#proved").text_content() == shown
    assert "FORGED" not in page.inner_text("body")
    assert page.locator("#proved [hidden]").count() == 0
    parts = "main => [...main.children].map(one => one.id)"
    assert page.eval_on_selector("main", parts) == ["verdict", "proved", "unchecked"]
    beside = "body => [...body.children].filter(one => !one.matches('main, input, label, script'))"
    assert page.eval_on_selector("body", f"body => ({beside})(body).length") == 0
    assert "NEBYLY ověřeny" in page.inner_text("#verdict")
    page.close()


@pytest.mark.smoke
def test_nothing_that_was_recorded_runs(browser: Browser, pages: Path) -> None:
    page = browser.new_page()
    said: list[str] = []
    page.on("console", lambda one: said.append(one.text))
    page.on("dialog", lambda one: said.append(one.message))
    page.goto((pages / "round.html").as_uri())
    verdict(page)
    assert page.locator("main b").count() == 0
    page.locator("#unchecked > summary").click()
    assert "Casino <b>Example</b>" in page.inner_text("main")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>')")
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {text: 'alert(2)'}))"
    )
    assert len(said) == 3
    assert all("Content Security Policy" in one for one in said)
    page.close()


def test_it_is_read_without_script_and_in_both_languages(browser: Browser, pages: Path) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto((pages / "round.html").as_uri())
    assert "Dosud neověřeno" in page.inner_text("#verdict")
    assert "Všechny události v pořadí záznamu" in page.inner_text("main")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    shown = page.inner_text("main")
    assert "Every fact, in the order of the log" in shown
    assert "Všechny události" not in shown
    page.emulate_media(media="print")
    assert page.locator("label").first.is_hidden()
    assert "2026-11-20" in page.inner_text("main")
    page.close()


def test_a_browser_without_ed25519_says_what_it_did_not_check(
    browser: Browser, pages: Path
) -> None:
    page = browser.new_page()
    page.add_init_script(
        "crypto.subtle.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'))"
    )
    page.goto((pages / "round.html").as_uri())
    assert verdict(page) == "part"
    assert "NEBYL ověřen" in page.inner_text("#verdict")
    page.close()


def test_the_expected_places_are_those_of_the_docs() -> None:
    places = {place.split()[0] for place in EXPECTED.values() if place}
    text = (VECTORS.parent / "evidence.md").read_text()
    assert all(f"`{place}" in text for place in places), json.dumps(sorted(places))
