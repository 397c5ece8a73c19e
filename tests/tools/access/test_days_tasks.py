"""Three working days in Chromium, in Czech: tasks of inspector, clerk and dispute handler.

The chain is that of the demo, with a statement whose lines our books do not have. Each test does
one task from the front page to its end; none rests on another.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from projections.words.catalogue import Language
from tests.npm_packages import npm_file
from tests.tools.access.browser_cases import LOOK, WCAG, sign_in
from tests.tools.access.clerk_cases import HEAD, examined, with_unknown_lines
from tests.tools.access.task_cases import (
    CZECH,
    answer,
    menu,
    row_of,
    saved,
    start_task,
    wait_until,
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

NIGHT = "20. listopadu 2026"
MONTH = "2026-11"


@pytest.fixture(scope="module")
def days(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The demo, with findings of an imported statement that are recorded and open; their names."""
    return with_unknown_lines(demo.data, tmp_path_factory.mktemp("days"), is_recorded=True)


@pytest.fixture(scope="module")
def service(days: tuple[Path, list[str]]) -> Iterator[Service]:
    with examined(days[0]) as service:
        yield service


@pytest.fixture(scope="module")
def address(acting: str) -> str:
    return acting


@pytest.fixture
def inspector(signed_in: SignedIn, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    yield from start_task(signed_in("regulator"), address, request)


@pytest.fixture
def clerk(signed_in: SignedIn, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    yield from start_task(signed_in("clerk"), address, request)


@pytest.fixture
def handler(signed_in: SignedIn, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    yield from start_task(signed_in("investigator"), address, request)


def complaint(service: Service) -> Any:
    (case,) = answer(service, "/api/cases?ended=yes")["cases"]
    return case


def shown(page: Page, text: str) -> None:
    """Load a page again until the tables have a text."""
    wait_until(page, lambda: text in page.locator("main").inner_text())


def late_bet(service: Service) -> dict[str, Any]:
    refused = answer(service, "/api/events?type=BetRefused&limit=1000")["events"]
    facts = (one["facts"] for one in refused)
    return next(one for one in facts if one["code"] == "BET_AFTER_CLOSE")


class TestInspector:
    """The inspector of the authority, who reads."""

    def test_what_happened_last_night(self, inspector: Page, service: Service) -> None:
        expect(inspector.locator("#briefing")).to_contain_text(NIGHT)
        tax = answer(service, "/api/books/2026-11-20/tax")
        account = [one for one in tax["parts"] if one["way"] != "chips"]
        stakes = sum(one["stakes"] - one["returned"] for one in account)
        base = sum(one["base_czk"] for one in tax["parts"])
        total = inspector.locator(".briefing tfoot")
        expect(total).to_contain_text(CZECH.money(stakes))
        expect(total).to_contain_text(CZECH.money(base))
        inspector.fill("#day", "2026-11-21")
        inspector.click(".briefing form button")
        inspector.wait_for_url("**/?day=2026-11-21")
        expect(inspector.locator("#briefing")).to_contain_text("21. listopadu 2026")

    def test_open_a_complaint(self, inspector: Page, service: Service) -> None:
        case = complaint(service)
        menu(inspector, "/cases")
        inspector.click(f"main a[href='/cases/{case['case']}']")
        expect(inspector.locator("main dl")).to_contain_text(case["grounds"])
        expect(inspector.locator("main dl")).to_contain_text(case["answer"])

    def test_its_round(self, inspector: Page, service: Service) -> None:
        case = complaint(service)
        inspector.goto(inspector.url + f"cases/{case['case']}")
        inspector.click(f"main dl a[href='/rounds/{case['rounds'][0]}']")
        expect(inspector.locator(".verdict")).to_be_visible()
        expect(inspector.locator("figure svg[role=img]")).to_be_visible()
        expect(row_of(inspector, case["account"]).first).to_be_visible()

    def test_its_money(self, inspector: Page, service: Service) -> None:
        case = complaint(service)
        inspector.goto(inspector.url + f"cases/{case['case']}")
        inspector.click(f"main dl a[href='/accounts/{case['account']}']")
        balance = answer(service, f"/api/accounts/{case['account']}/balance")["balance"]
        expect(inspector.locator("main dl")).to_contain_text(CZECH.money(balance["wallet"]))
        expect(inspector.locator("figure svg[role=img]").first).to_be_visible()

    def test_its_120_minutes(self, inspector: Page, service: Service) -> None:
        account = complaint(service)["account"]
        inspector.goto(inspector.url + f"accounts/{account}")
        inspector.click(f"main a[href='/accounts/{account}/play-time']")
        expect(inspector.locator("figure svg[role=img]")).to_be_visible()
        menu(inspector, "/play-time")
        longest = inspector.locator("main tbody tr").first
        expect(longest).to_contain_text("2:00:")
        longest.locator("a").first.click()
        expect(inspector.locator("main tbody tr").first).to_contain_text("2:00:")

    def test_does_the_package_agree(self, inspector: Page) -> None:
        menu(inspector, "/packages")
        inspector.click("main a[href='/packages/26493993-V-2026112016-Z-01']")
        inspector.click("main a[href='?again=yes']")
        expect(inspector.locator(".verdict .good")).to_contain_text("do posledního bajtu")
        expect(row_of(inspector, "hra_toky").first).to_contain_text("stejné bajty")

    def test_are_the_results_fair(self, inspector: Page, service: Service) -> None:
        watched = answer(service, "/api/fairness")["fairness"]["watched"]
        lights = inspector.locator("main .lights li")
        expect(lights).to_have_count(len({one["kind"] for one in watched}))
        lights.first.locator("a").first.click()
        inspector.wait_for_url("**/fairness**")
        expect(inspector.locator("main tbody").first.locator("tr")).to_have_count(len(watched))
        expect(inspector.locator("figure svg[role=img]").first).to_be_visible()

    def test_what_changed_since_then_in_czech(
        self, browser: Browser, address: str, service: Service
    ) -> None:
        (settled,) = answer(service, "/api/events?type=BetSettled&limit=1")["events"]
        about = settled["facts"]
        page = sign_in(browser, address, service, "regulator", locale="cs")
        page.goto(f"{address}/rounds/{about['round']}")
        page.click("main a:has-text('Co se změnilo od vaší poslední návštěvy')")
        page.wait_for_url(f"**/changes/rounds/{about['round']}")
        page.fill("#from", str(settled["position"]))
        page.click("main form button")
        expect(row_of(page, about["bet"]).first).to_contain_text("→ vypořádáno")
        page.click(f"main h1 a[href='/rounds/{about['round']}']")
        page.wait_for_url(f"**/rounds/{about['round']}")
        page.context.close()

    def test_who_read_what(self, inspector: Page, service: Service) -> None:
        account = complaint(service)["account"]
        service.get(f"/api/accounts/{account}", "investigator")
        menu(inspector, "/accesses")
        inspector.fill("#account", account)
        inspector.fill("#reader", "the-investigator")
        inspector.click("main form button")
        row = inspector.locator("main tbody tr").first
        expect(row).to_contain_text("the-investigator")
        expect(row).to_contain_text(f"dotaz: konto {account}")

    def test_take_the_proof_and_verify_it_on_another_machine(
        self, inspector: Page, service: Service, tmp_path: Path
    ) -> None:
        inspector.click("main summary:has-text('Ověřte si sami')")
        shown = inspector.locator("main details pre").inner_text()
        inspector.context.grant_permissions(["clipboard-read", "clipboard-write"])
        inspector.get_by_role("button", name="Zkopírovat otisk").click()
        copied = inspector.evaluate("navigator.clipboard.readText()")
        assert copied == service.get("/api/chain").json()["basis"]["head"]
        keys = tmp_path / "operator.key"
        keys.write_text("\n".join(re.findall(r"echo '([^']+)'", shown)) + "\n")
        (round_, *_) = complaint(service)["rounds"]
        inspector.fill("#q", round_)
        inspector.keyboard.press("Enter")
        inspector.wait_for_url(f"**/rounds/{round_}")
        link = inspector.locator("main a[href$='/evidence?form=html']")
        file = saved(inspector, link, tmp_path / "evidence.html")
        verify = ("evidence", "verify", str(file), "--key", str(keys), "--json")
        done = run(*verify, data=tmp_path / "nothing")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["subject"] == f"round:{round_}"


class TestClerk:
    """The clerk of the operator's reconciliation, who acts."""

    def test_findings_of_the_night(self, clerk: Page) -> None:
        todo = clerk.locator("main .briefing a[href*='/findings?state=open']").first
        expect(todo).to_be_visible()
        todo.click()
        rows = row_of(clerk, "NOT_IN_BOOKS")
        expect(rows.first).to_contain_text("F-2026-0000")

    def test_import_a_statement_with_three_mistakes(self, clerk: Page, tmp_path: Path) -> None:
        right = HEAD + "".join(f"2026-11-1{at},{at}.00,corrected-{at}\n" for at in (1, 2, 3))
        wrong = right.replace("2026-11-11", "2026-11-31").replace(",2.00", ",two", 1)
        wrong = wrong.replace("corrected-3", "corrected-3,surplus")
        file = tmp_path / "wallet.csv"
        file.write_text(wrong)
        self.choose(clerk, file)
        faults = clerk.locator("main ol li")
        expect(faults).to_have_count(3)
        for at, place in enumerate(("řádek 2", "řádek 3", "řádek 4")):
            expect(faults.nth(at)).to_contain_text(place)
        file.write_text(right)
        self.choose(clerk, file)
        expect(row_of(clerk, "11. listopadu 2026")).to_contain_text("13. listopadu 2026")
        clerk.click("main form button")
        expect(clerk.locator("main .good")).to_contain_text("Výpis je načten")

    @staticmethod
    def choose(clerk: Page, file: Path) -> None:
        menu(clerk, "/statements")
        clerk.click("main summary")
        clerk.select_option("#issuer", "wallet")
        clerk.set_input_files("#file", file)
        clerk.click("main form button")

    def test_see_what_is_not_matched(self, clerk: Page) -> None:
        menu(clerk, "/statements")
        heading = clerk.locator("main h2", has_text="wallet, 10. listopadu 2026")
        expect(heading).to_be_visible()
        expect(heading.locator("+ p .wrong")).to_have_text("3 řádky nespárovány")
        expect(row_of(clerk, "unknown-1").first).to_contain_text(CZECH.money(100))

    @pytest.fixture
    def finding(
        self, clerk: Page, days: tuple[Path, list[str]], request: pytest.FixtureRequest
    ) -> str:
        """Go to a finding; each test that acts has one of its own."""
        menu(clerk, "/findings")
        number = ("assign", "explain", "close").index(request.node.name.split("_")[1])
        address = f"/findings/{days[1][number]}"
        clerk.click(f"main a[href='{address}']")
        clerk.wait_for_url(f"**{address}")
        shown(clerk, "Co se s ním dělá")
        return address

    @staticmethod
    def act(clerk: Page, finding: str, action: str, **fields: str) -> None:
        form = clerk.locator(f"form[action='{finding}/{action}']")
        clerk.locator("details", has=form).locator("summary").click()
        for name, value in fields.items():
            form.locator(f"[name={name}]").fill(value)
        form.locator("button").click()
        clerk.click("main form button")
        expect(clerk.locator("main .good")).to_contain_text("Zaznamenáno jako zpráva č.")
        clerk.click(f"main a[href='{finding}']")

    def test_assign(self, clerk: Page, finding: str) -> None:
        self.act(clerk, finding, "assign", assignee="cage-2")
        shown(clerk, "cage-2")

    def test_explain(self, clerk: Page, finding: str) -> None:
        self.act(clerk, finding, "explain", text="The wallet paid it to another account.")
        shown(clerk, "The wallet paid it to another account.")
        expect(clerk.locator("main dl")).to_contain_text("otevřené, vysvětlené")

    def test_close(self, clerk: Page, finding: str) -> None:
        self.act(clerk, finding, "close", text="Paid back.", evidence="R 12/2026")
        shown(clerk, "R 12/2026")
        expect(clerk.locator("main dl").first).to_contain_text("uzavřené")

    def test_close_the_month(self, clerk: Page, service: Service, tmp_path: Path) -> None:
        menu(clerk, "/books")
        clerk.fill("#period", MONTH)
        clerk.click("main form button")
        expect(clerk.locator("h1")).to_contain_text(MONTH)
        expect(clerk.locator("main table .wrong")).to_have_count(0)
        csv = clerk.locator("main a", has_text="CSV")
        assert saved(clerk, csv, tmp_path / "books.csv").stat().st_size > 0
        page = answer(service, f"/api/books/{MONTH}")
        done = run("books", "month", MONTH, "--json", data=service.copy)
        assert done.returncode == 0, done.stderr
        assert page["trial"] == json.loads(done.stdout)["trial"] != []
        assert sum(one["closing"] for one in page["trial"] if one["currency"] == "CZK") == 0
        assert "closes nothing" in run("books", "month", "--help", data=service.copy).stdout

    def test_state_the_tax_base(self, clerk: Page, service: Service) -> None:
        menu(clerk, "/books")
        clerk.fill("#period", MONTH)
        clerk.click("main form button")
        done = run("books", "tax", MONTH, "--json", data=service.copy)
        assert done.returncode == 0, done.stderr
        tax = json.loads(done.stdout)
        for base in {tax["base"], *(one["base"] for one in tax["parts"])}:
            expect(clerk.locator("main")).to_contain_text(CZECH.amount(base))


class TestDisputeHandler:
    """The handler of disputes, who answers players."""

    def test_my_click_came_in_time(self, handler: Page, service: Service) -> None:
        bet = late_bet(service)
        handler.fill("#q", bet["bet"])
        handler.keyboard.press("Enter")
        handler.wait_for_url(f"**/rounds/{bet['round']}")
        late = handler.locator(".verdict .late", has_text=bet["account"])
        expect(late).to_contain_text(re.compile(r"\d+ ms po uzavření sázek"))

    def test_i_was_paid_wrong(self, handler: Page, service: Service) -> None:
        (wrong,) = answer(service, "/api/findings?code=PAID_TOO_LITTLE")["findings"]
        wagers = answer(service, f"/api/rounds/{wrong['round']}")["wagers"]
        (bet,) = (one for one in wagers if one["bet"] == wrong["bet"])
        assert bet["due_again"] - bet["paid_now"] == wrong["amount"] > 0
        handler.fill("#q", wrong["round"])
        handler.keyboard.press("Enter")
        paid, due = CZECH.money(bet["paid_now"]), CZECH.money(bet["due_again"])
        expect(handler.locator(".verdict")).to_contain_text(
            f"{wrong['account']}: vyplaceno {paid} místo {due}"
        )

    def test_the_wheel_is_crooked(self, handler: Page, service: Service) -> None:
        (first, *_) = answer(service, "/api/rounds?game=sazka.roulette_evolution")["rounds"]
        handler.goto(handler.url + f"rounds/{first['round']}")
        handler.click("main a[href^='/fairness?of=wheel']")
        expect(handler.locator("figure svg[role=img]").first).to_contain_text("výsledk")
        expect(handler.locator("main tbody tr[aria-current]")).to_contain_text("Nic proti němu")

    def test_replay(self, handler: Page, service: Service) -> None:
        case = complaint(service)
        (round_, *_) = case["rounds"]
        replay = answer(service, f"/api/rounds/{round_}")
        handler.fill("#q", round_)
        handler.keyboard.press("Enter")
        expect(handler.locator("tr.why")).to_have_count(len(replay["wagers"]))
        facts = handler.get_by_role("region", name="Záznamy").locator("tbody tr")
        expect(facts).to_have_count(len(replay["facts"]))
        done = run("round", "replay", round_, "--json", data=service.copy)
        assert len(json.loads(done.stdout)["facts"]) == len(replay["facts"])

    def test_evidence_for_one_participant(
        self, handler: Page, service: Service, tmp_path: Path
    ) -> None:
        case = complaint(service)
        handler.goto(handler.url + f"rounds/{case['rounds'][0]}")
        links = handler.locator(".verdict a[href*='account=']")
        names = {str(one.get_attribute("href")).rpartition("=")[2] for one in links.all()}
        assert len(names) > 1
        link = handler.locator(f".verdict a[href*='/evidence?'][href$='account={case['account']}']")
        file = saved(handler, link, tmp_path / "evidence.html")
        content = file.read_text()
        assert case["account"] in content
        assert [one for one in names - {case["account"]} if one in content] == []

    def test_letter(self, handler: Page, service: Service, tmp_path: Path) -> None:
        case = complaint(service)
        handler.goto(handler.url + f"cases/{case['case']}")
        pdf = handler.locator("main a", has_text="PDF").first
        assert saved(handler, pdf, tmp_path / "letter.pdf").read_bytes().startswith(b"%PDF")
        link = handler.locator("main a[href*='/letter'][href$='form=text']")
        text = saved(handler, link, tmp_path / "letter.txt").read_text()
        assert case["account"] in text
        assert case["answer"] in text
        assert len(re.findall("Vaše sázka", text)) == len(case["bets"]) or not case["bets"]


@pytest.mark.parametrize(
    ("language", "scheme", "width"),
    [
        (Language.CS, "dark", 390),
        pytest.param(Language.EN, "light", 1280, marks=pytest.mark.search),
        pytest.param(Language.CS, "light", 1920, marks=pytest.mark.search),
    ],
)
def test_axe_finds_nothing_on_the_pages_that_act(
    browser: Browser,
    address: str,
    service: Service,
    tmp_path: Path,
    language: Language,
    scheme: str,
    width: int,
) -> None:
    options: dict[str, Any] = {"locale": str(language), "color_scheme": scheme}
    page = sign_in(browser, address, service, "clerk", **options)
    page.set_viewport_size({"width": width, "height": 900})
    script, found = npm_file("axe-core@4.14.1", "axe.min.js"), {}

    def look(at: str) -> None:
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        page.evaluate(script)
        if wrong := page.evaluate(LOOK, WCAG):
            found[at] = wrong

    look("front")
    file = tmp_path / "wallet.csv"
    for content in (HEAD + "2026-11-31,x,y\n", HEAD + f"2026-11-15,{width}.00,axe-{width}\n"):
        file.write_text(content)
        page.goto(f"{address}/statements")
        look("statements")
        page.set_input_files("#file", file)
        page.click("main form[enctype] button")
        page.wait_for_url("**/statements/import")
        look(content)
    page.goto(f"{address}/findings?state=open&code=NOT_IN_BOOKS")
    look("findings")
    page.click("main tbody a[href^='/findings/']")
    page.wait_for_url("**/findings/*")
    look("finding")
    form = page.locator("form[action$='/comment']")
    form.locator("textarea").fill("x")
    form.locator("button").click()
    page.wait_for_url("**/comment")
    look("comment")
    page.goto(f"{address}/findings?several=yes")
    look("several")
    page.locator("main [type=checkbox]").first.check()
    page.click("main form[action='/findings/several'] button")
    page.wait_for_url("**/findings/several")
    look("several confirmed")
    page.goto(f"{address}/findings")
    page.click("main form[action='/findings/record'] button")
    page.wait_for_url("**/findings/record")
    look("record")
    page.goto(f"{address}/open-items")
    look("open items")
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)
    page.context.close()
