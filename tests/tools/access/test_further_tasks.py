"""Further tasks of the working days in Chromium, in Czech: finding, comparing, handing over.

The chain is that of the demo, with a statement whose lines our books do not have. Each test does
one task from the front page to its end; none rests on another.
"""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from playwright.sync_api import expect

from ledger.core.clock import in_prague
from tests.tools.access.browser_cases import sign_in
from tests.tools.access.clerk_cases import examined, with_unknown_lines
from tests.tools.access.task_cases import (
    CZECH,
    answer,
    menu,
    row_of,
    saved,
    start_task,
)
from tests.tools.cli_cases import run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.tools.access.access_cases import Service
    from tests.tools.access.task_cases import SignedIn
    from tests.tools.conftest import Demo

pytestmark = pytest.mark.slow

DAY = "2026-11-20"
ROUNDS_MAX = 40
ROUNDS_IN_FILE_MAX = 200
NEGATIVE_AGE = re.compile(r"-\d+ (?:minut|hodin|d[ne]|den)")


@pytest.fixture(scope="module")
def service(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    data, _ = with_unknown_lines(demo.data, tmp_path_factory.mktemp("days"), is_recorded=True)
    with examined(data) as service:
        yield service


@pytest.fixture(scope="module")
def address(acting: str) -> str:
    return acting


@pytest.fixture
def page(signed_in: SignedIn, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The front page of the role that the class of the test names."""
    yield from start_task(signed_in(request.cls.ROLE), address, request)


def search(page: Page, text: str) -> None:
    page.fill("#q", text)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/(search|rounds/|accounts/|events/)"))


class TestInspector:
    """The inspector of the authority, who reads."""

    ROLE = "regulator"

    def test_compare_two_days(self, page: Page) -> None:
        page.click(".briefing a:has-text('Co se změnilo')")
        page.fill("#from", "2026-11-19")
        page.fill("#to", "2026-11-21")
        page.click("main form button")
        expect(page.locator("main")).to_contain_text("přibylo")
        rows = page.locator("main tbody tr").count()
        assert rows > 1
        expect(page.locator("main a:has-text('CSV')")).to_be_visible()

    def test_corrections_of_a_dealer(self, page: Page, service: Service) -> None:
        corrected = answer(service, "/api/fairness")["corrected"]
        (dealer, *_) = (one for one in corrected if one["kind"] == "dealer")
        menu(page, "/fairness")
        row = row_of(page, dealer["name"]).filter(has_text="Prohlášení kola hry za neplatné")
        expect(row).to_contain_text("předčasně odkrytá karta krupiéra")
        expect(row.locator("td").nth(1)).to_have_text(str(dealer["corrected"]))
        row.locator("a").first.click()
        page.wait_for_url(f"**dealer={dealer['name']}")
        expect(page.locator("main tbody tr").first).to_be_visible()

    def test_deviations_at_a_glance(self, page: Page) -> None:
        menu(page, "/fairness")
        expect(page.locator(".verdict").first).to_contain_text("není vychýleno nic")
        expect(
            page.get_by_role("img", name="Odchylky od herního plánu podle sázek")
        ).to_be_visible()
        expect(page.locator("details").last).not_to_have_attribute("open", re.compile(".*"))

    def test_refusals_of_the_night_by_their_names(self, page: Page, service: Service) -> None:
        refused = answer(service, "/api/events?type=BetRefused&limit=1000")["events"]
        late = [one for one in refused if one["facts"]["code"] == "BET_AFTER_CLOSE"]
        row = page.locator(".briefing tr", has_text="Sázka po uzávěrce")
        expect(row.locator("td").first).to_have_text(str(len(late)))
        expect(page.locator(".briefing")).not_to_contain_text(re.compile("[A-Z]+_[A-Z]+"))

    def test_packages_in_time_and_late(self, page: Page, service: Service) -> None:
        states = [one["state"] for one in answer(service, "/api/packages?limit=500")]
        menu(page, "/packages")
        expect(row_of(page, "zveřejněný")).to_have_count(states.count("published"))
        expect(row_of(page, "zveřejněný").locator(".good")).to_have_text(["včas"] * 2)
        expect(row_of(page, "po lhůtě:").first).to_be_visible()

    def test_all_open_duties_from_the_front_page(self, page: Page, service: Service) -> None:
        open_duties = answer(service, "/api/duties")["duties"]
        named = page.locator(".briefing li", has=page.locator("a[href='/duties']"))
        expect(named.last).to_contain_text(f"a {len(open_duties) - 5} dalších povinností")
        named.last.locator("a").click()
        page.wait_for_url("**/duties")
        expect(page.locator("main tbody tr")).to_have_count(len(open_duties))

    def test_events_of_a_type_as_a_table_that_a_czech_excel_opens(
        self, page: Page, tmp_path: Path
    ) -> None:
        menu(page, "/events")
        page.select_option("#type", "RoundVoided")
        page.click("form.filters button")
        link = page.locator("main a", has_text="CSV").first
        content = saved(page, link, tmp_path / "events.csv").read_text(encoding="utf-8-sig")
        heading, *rows = csv.reader(io.StringIO(content), delimiter=";")
        assert {"Typ", "Zapsáno (pražský čas)", "Záznam"} <= {*heading}
        sentences = [row[heading.index("Záznam")] for row in rows]
        assert any("předčasně odkrytá karta krupiéra" in one for one in sentences)

    def test_from_a_row_of_a_package_to_its_events(self, page: Page) -> None:
        menu(page, "/packages")
        page.click("main a[href='/packages/26493993-V-2026112016-Z-01']")
        page.select_option("#file", "hra_toky.csv")
        page.fill("#row", "1")
        page.click("main form button")
        page.locator("main tbody a[href^='/events/']").first.click()
        expect(page.locator("main dl").last).to_contain_text("previous_hash")

    def test_what_is_new_since_my_last_visit(
        self, browser: Browser, address: str, service: Service
    ) -> None:
        sign_in(browser, address, service, self.ROLE).context.close()
        page = sign_in(browser, address, service, self.ROLE, locale="cs")
        menu(page, "/findings")
        page.click("main a:has-text('Co se změnilo od vaší poslední návštěvy')")
        page.wait_for_url("**/changes/findings")
        expect(page.locator("main")).to_contain_text("Nic se nezměnilo.")
        page.context.close()

    def test_the_bytes_of_an_event_have_its_hash(self, page: Page, service: Service) -> None:
        (event,) = answer(service, "/api/events?type=BetSettled&limit=1")["events"]
        search(page, event["hash"][:16])
        expect(page.locator("main")).to_contain_text(event["hash"])

    def test_no_age_is_negative_after_a_silence(self, page: Page, address: str) -> None:
        paths = {str(one.get_attribute("href")) for one in page.locator("nav a").all()}
        assert {"/duties", "/packages", "/cases"} <= paths
        for path in ("/", *sorted(paths)):
            page.goto(address + path)
            assert NEGATIVE_AGE.findall(page.locator("main").inner_text()) == [], path
        page.goto(address)
        overdue = page.locator(".briefing li", has=page.locator("a[href='/duties']")).first
        expect(overdue).to_contain_text("po lhůtě:")


class TestClerk:
    """The clerk of the operator's reconciliation."""

    ROLE = "clerk"

    def test_a_reference_of_the_bank_leads_to_its_line(self, page: Page) -> None:
        page.fill("#q", "unknown-2")
        page.keyboard.press("Enter")
        page.wait_for_url("**/events/*#entry-2")
        expect(page.locator("tr:target")).to_contain_text("unknown-2")

    def test_findings_as_a_table_that_a_czech_excel_opens(
        self, page: Page, service: Service, tmp_path: Path
    ) -> None:
        menu(page, "/findings")
        page.select_option("#state", "open")
        page.click("form.filters button")
        link = page.locator("main a", has_text="CSV").first
        content = saved(page, link, tmp_path / "findings.csv").read_bytes()
        assert content.startswith(b"\xef\xbb\xbf")
        heading, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=";")
        listed = answer(service, "/api/findings?state=open")["findings"]
        assert len(rows) == len(listed)
        assert len({len(row) for row in (heading, *rows)}) == 1
        assert any(re.fullmatch(r"-?\d+,\d\d", cell) for row in rows for cell in row)

    def test_a_question_is_saved_and_subscribed_to(self, page: Page, service: Service) -> None:
        menu(page, "/findings")
        page.select_option("#state", "open")
        page.click("form.filters button")
        page.click("main summary:has-text('Uložit tuto otázku')")
        page.fill("#saved-title", "Otevřená zjištění")
        page.click("form[action='/saved'] button")
        menu(page, "/saved")
        feed = page.locator("main tbody a", has_text="Atom").get_attribute("href")
        assert feed is not None
        found = service.get(feed, "clerk")
        assert found.headers["Content-Type"].startswith("application/atom+xml")
        page.click("main form[action='/saved'] button")
        expect(page.locator("main tbody")).to_have_count(0)

    def test_what_the_account_had_at_the_end_of_a_day(self, page: Page) -> None:
        menu(page, "/books")
        page.fill("#period", DAY)
        page.click("main form button")
        expect(page.locator("h1")).to_contain_text(DAY)
        expect(page.locator("main table .wrong")).to_have_count(0)
        page.click(f"main a[href='/open-items?as_of={DAY}']")
        expect(page.locator("h1")).to_contain_text("20. listopadu 2026")


class TestDisputeHandler:
    """The handler of disputes, who answers players and arbiters."""

    ROLE = "investigator"

    def test_forty_rounds_for_an_arbiter(
        self, page: Page, service: Service, tmp_path: Path
    ) -> None:
        menu(page, "/rounds")
        page.fill("#table", "synot-1")
        page.click("form.filters button")
        link = page.locator("main a[href^='/api/evidence/rounds']").first
        with ZipFile(saved(page, link, tmp_path / "rounds.zip")) as archive:
            archive.extractall(tmp_path)
        contents = json.loads((tmp_path / "contents.json").read_text())
        listed = page.locator("main tbody tr").count()
        assert len(contents["rounds"]) == listed >= ROUNDS_MAX
        last = tmp_path / contents["rounds"][-1]["file"]
        done = run("evidence", "verify", str(last), "--json", data=service.copy)
        assert json.loads(done.stdout)["subject"] == f"round:{contents['rounds'][-1]['round']}"

    @pytest.mark.slow("makes evidence of more rounds than a page lists")
    def test_rounds_of_several_pages_in_one_archive(
        self, page: Page, service: Service, tmp_path: Path
    ) -> None:
        corrected = answer(service, "/api/fairness")["corrected"]
        of_dealers = [(one["rounds"], one["name"]) for one in corrected if one["kind"] == "dealer"]
        rounds, dealer = min(of_dealers)
        menu(page, "/rounds")
        page.fill("#dealer", dealer)
        page.click("form.filters button")
        listed = page.locator("main tbody tr").count()
        link = page.locator("main a", has_text="z dalších stran")
        with ZipFile(saved(page, link, tmp_path / "rounds.zip")) as archive:
            contents = json.loads(archive.read("contents.json"))
            assert {one["file"] for one in contents["rounds"]} < {*archive.namelist()}
        assert listed < len(contents["rounds"]) == rounds < ROUNDS_IN_FILE_MAX

    def test_a_letter_about_a_click_that_came_too_late(
        self, page: Page, service: Service, tmp_path: Path
    ) -> None:
        refused = answer(service, "/api/events?type=BetRefused&limit=1000")["events"]
        bet = next(one for one in refused if one["facts"]["code"] == "BET_AFTER_CLOSE")["facts"]
        search(page, bet["bet"])
        expect(page.locator("main dl dt", has_text="Konec sázek")).to_be_visible()
        link = page.locator(f".verdict a[href*='/letter'][href$='account={bet['account']}']")
        assert saved(page, link, tmp_path / "letter.pdf").read_bytes().startswith(b"%PDF")
        address = str(link.get_attribute("href")).replace("form=pdf", "form=text")
        text = service.get(address, self.ROLE).text.replace("\N{NO-BREAK SPACE}", " ")
        assert re.search(r"Zaznamenána byla \d+,\d{3} s po zaznamenaném konci sázek", text)

    def test_find_a_player_by_name(self, page: Page, service: Service) -> None:
        (case,) = answer(service, "/api/cases?ended=yes")["cases"]
        page.goto(page.url + f"accounts/{case['account']}")
        page.get_by_role("button", name="Zobrazit osobní údaje").click()
        name = page.locator("main dd").nth(2).inner_text()
        menu(page, "/persons")
        page.fill("#person", name.lower())
        page.click("main form.fields button")
        expect(page.locator("main ul")).to_contain_text(case["account"])

    def test_a_round_about_a_time_at_a_table(self, page: Page, service: Service) -> None:
        page.fill("#q", "asi ve 21:03 u stolu synot-1")
        page.keyboard.press("Enter")
        page.wait_for_url("**/rounds?**near=**")
        rounds = answer(service, "/api/rounds?table=synot-1&near=2026-11-20T21:03")["rounds"]
        page.locator("main tbody th a").first.click()
        expect(page.locator("h1")).to_contain_text(rounds[0]["round"])

    def test_a_statement_of_account_with_its_balance(
        self, page: Page, service: Service, tmp_path: Path
    ) -> None:
        (case,) = answer(service, "/api/cases?ended=yes")["cases"]
        found = answer(service, f"/api/accounts/{case['account']}/movements?day={DAY}")
        search(page, case["account"])
        page.click(f"main a[href='/accounts/{case['account']}/movements']")
        page.fill("#day", DAY)
        page.click("form.filters button")
        figures = page.locator("main dl").first
        expect(figures).to_contain_text(CZECH.money(found["opening"]))
        expect(figures).to_contain_text(CZECH.money(found["closing"]))
        assert found["opening"] + found["credits"] - found["debits"] == found["closing"]
        balances = page.locator("main tbody tr td.number:last-child")
        expect(balances.first).to_have_text(CZECH.money(found["movements"][0]["balance"]))
        expect(page.locator("#period")).to_have_value(DAY)
        page.select_option("#language", "en")
        button = page.get_by_role("button", name="Výpis pro hráče")
        assert saved(page, button, tmp_path / "en.pdf").read_bytes().startswith(b"%PDF")

    def test_bets_of_an_amount(self, page: Page, service: Service) -> None:
        (bet, *_) = answer(service, "/api/events?type=BetPlaced&limit=1")["events"]
        search(page, f"{bet['facts']['stake'] // 100} Kč")
        expect(
            page.locator("main ul a[href^='/rounds/'], main ul a[href^='/events']").first
        ).to_be_visible()

    def test_a_late_bet_for_a_court(self, page: Page, service: Service, tmp_path: Path) -> None:
        refused = answer(service, "/api/events?type=BetRefused&limit=1000")["events"]
        bet = next(one for one in refused if one["facts"]["code"] == "BET_AFTER_CLOSE")["facts"]
        search(page, bet["round"])
        late = page.locator(".verdict .late", has_text=bet["account"])
        expect(late).to_contain_text(re.compile(r"\d+ ms po uzavření sázek"))
        link = page.locator(f".verdict a[href*='/evidence?'][href$='account={bet['account']}']")
        content = saved(page, link, tmp_path / "late.html").read_text()
        assert bet["account"] in content
        assert "Oba časy určily tytéž hodiny záznamu" in content
        assert re.search(r"porovn\w+ \w*\s*se zdrojem času", content)

    def test_a_round_is_printed_on_two_pages(self, page: Page, service: Service) -> None:
        (round_, *_) = answer(service, "/api/rounds?game=sazka.roulette_synot")["rounds"]
        search(page, round_["round"])
        printed = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= 2

    def test_rounds_of_a_shoe(self, page: Page, service: Service) -> None:
        (loaded,) = answer(service, "/api/events?type=ShoeLoaded&limit=1")["events"]
        shoe = loaded["facts"]["shoe"]
        menu(page, "/rounds")
        page.fill("#shoe", shoe)
        page.click("form.filters button")
        expect(page.locator("main tbody tr").first).to_be_visible()
        (first, *_) = answer(service, f"/api/rounds?shoe={shoe}")["rounds"]
        expect(row_of(page, first["round"]).first).to_contain_text(CZECH.moment(first["opened_at"]))
        assert in_prague(first["opened_at"]).date().isoformat() == DAY


class TestDataProtectionOfficer:
    """The data-protection officer, who answers for the accesses to an account."""

    ROLE = "data-protection"

    def test_who_looked_at_an_account(self, page: Page, service: Service) -> None:
        (case,) = answer(service, "/api/cases?ended=yes")["cases"]
        service.get(f"/api/accounts/{case['account']}", "investigator")
        menu(page, "/accesses")
        page.fill("#account", case["account"])
        page.click("main form button")
        expect(page).to_have_url(re.compile(f"account={case['account']}"))
        found = page.locator("main tbody tr").filter(has_text="the-investigator").first
        expect(found).to_contain_text(case["account"])
