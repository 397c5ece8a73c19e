"""The clerk's morning in Chromium, in Czech: one task a test, from the front page to its end.

The tasks follow each other, as in a morning: the next one begins with what the last one left.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from ledger.core.clock import SystemClock, in_prague
from projections.matching.match import match_statements
from projections.reconciliation.finding_lifecycle import last_reconciliation
from tests.tools.access.access_cases import last_moment
from tests.tools.access.clerk_cases import (
    HEAD,
    examined,
    with_unknown_lines,
)
from tests.tools.access.task_cases import CZECH, menu, row_of, start_task, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.tools.access.access_cases import Service
    from tests.tools.access.task_cases import SignedIn
    from tests.tools.conftest import Demo

pytestmark = [pytest.mark.slow, pytest.mark.in_order]


@pytest.fixture(scope="module")
def morning(demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The demo with findings of an imported statement that are not recorded yet; their names."""
    return with_unknown_lines(demo.data, tmp_path_factory.mktemp("morning"), is_recorded=False)


@pytest.fixture(scope="module")
def service(morning: tuple[Path, list[str]]) -> Iterator[Service]:
    with examined(morning[0]) as service:
        yield service


@pytest.fixture(scope="module")
def address(acting: str) -> str:
    return acting


@pytest.fixture
def clerk(signed_in: SignedIn, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    yield from start_task(signed_in("clerk"), address, request)


def test_each_statement_is_a_row_with_its_state_and_what_is_open(
    clerk: Page, service: Service
) -> None:
    menu(clerk, "/statements")
    with service.desk.sources.store() as store:
        matched = {one.statement: one for one in match_statements(store).statements}
    rows = clerk.locator("#overview tbody tr")
    wait_until(clerk, lambda: rows.count() == len(matched))
    for row in rows.all():
        link = row.locator("th a")
        name = str(link.get_attribute("href")).removeprefix("#")
        open_lines = matched[name].unmatched.lines
        expect(row.locator("td").nth(2)).to_have_text(CZECH.number(open_lines))
        expect(row.locator(".wrong, .good").first).to_have_class("wrong" if open_lines else "good")
    wallet = rows.filter(has_text="wallet, 10.")
    expect(wallet).to_contain_text("3 řádky nespárovány")
    expect(wallet).to_contain_text(CZECH.money(600))
    expect(wallet.locator("td").last).to_have_text("3")
    wallet.locator("td a").click()
    expect(row_of(clerk, "unknown-3").last).to_be_in_viewport()


def choose(clerk: Page, file: Path, **fields: str) -> None:
    menu(clerk, "/statements")
    clerk.click("main summary")
    clerk.select_option("#issuer", "wallet")
    clerk.set_input_files("#file", file)
    for name, value in fields.items():
        clerk.fill(f"#{name}", value)
    clerk.click("main form[enctype] button")
    clerk.wait_for_url("**/statements/import")


def test_faults_of_a_statement_are_named_in_czech_and_the_right_file_is_imported(
    clerk: Page, tmp_path: Path
) -> None:
    right = HEAD + "".join(f"2026-11-1{at},{at}.00,corrected-{at}\n" for at in (1, 2, 3))
    wrong = right.replace("2026-11-11", "2026-11-31").replace(",2.00", ",two", 1)
    file = tmp_path / "wallet.csv"
    file.write_text(wrong.replace("corrected-3", "corrected-3,surplus"))
    choose(clerk, file)
    expect(clerk.locator("main ol li")).to_have_text(
        [
            "řádek 2, sloupec 1 (day): '2026-11-31' není den ve tvaru rok-měsíc-den",
            "řádek 3, sloupec 2 (amount): 'two' není částka",
            "řádek 4, sloupec 4: počet buněk je 4, má být 3",
        ]
    )
    file.write_text(right)
    choose(clerk, file)
    expect(row_of(clerk, "11. listopadu 2026")).to_contain_text("13. listopadu 2026")
    clerk.click("main form button")
    expect(clerk.locator("main .good")).to_contain_text("Výpis je načten")
    choose(clerk, file)
    expect(clerk.locator("main ol li")).to_contain_text("wallet.csv je již načten: výpis")
    expect(clerk.locator("main [lang=en]")).to_have_count(0)
    menu(clerk, "/statements")
    wait_until(clerk, lambda: row_of(clerk, "11. listopadu 2026").count() > 0)


def test_open_items_of_a_day_by_age_agree_with_its_books(clerk: Page, service: Service) -> None:
    day = in_prague(last_moment(service.data)).date()
    items = service.get(f"/api/open-items?as_of={day}").json()["answer"]["items"]
    (wallet,) = (one for one in items if one["issuer"] == "wallet")
    assert wallet["books"] == wallet["total"] >= 600
    menu(clerk, "/open-items")
    clerk.fill("#as_of", day.isoformat())
    clerk.click("main form button")
    expect(clerk.locator("h1")).to_contain_text(CZECH.date(day))
    expect(clerk.locator("main tbody tr")).to_have_count(len(items))
    agreeing = [one for one in items if one["books"] is not None]
    expect(clerk.locator("main .good")).to_have_text(["souhlasí"] * len(agreeing))
    expect(row_of(clerk, "wallet").locator("td").nth(5)).to_have_text(CZECH.money(wallet["total"]))


def test_what_changed_in_statements_and_open_items_since_an_import(
    clerk: Page, service: Service
) -> None:
    events = service.get("/api/events?type=StatementLinesRecorded&limit=1000").json()["answer"]
    before = next(one["position"] for one in events["events"] if one["facts"]["issuer"] == "wallet")
    after = service.get("/api/statements").json()["answer"]["statements"]
    (wallet,) = (one for one in after if one["first_day"] == "2026-11-10")
    items = service.get("/api/open-items").json()["answer"]["items"]
    total = next(one["total"] for one in items if one["issuer"] == "wallet")
    for page, amount in (("/statements", wallet["open_amount"]), ("/open-items", total)):
        menu(clerk, page)
        clerk.click("main a:has-text('Co se změnilo')")
        clerk.wait_for_url(f"**/changes{page}")
        clerk.fill("#from", str(before))
        clerk.click("main form button")
        row = row_of(clerk, "wallet").first
        expect(row).to_contain_text("přibylo")
        expect(row).to_contain_text(CZECH.amount(amount))
    menu(clerk, "/statements")
    clerk.goto(f"{clerk.url.removesuffix('/statements')}/changes/statements?from={before}")
    row_of(clerk, "10. listopadu 2026").locator("th a").click()
    expect(clerk.locator(f"h2[id='{wallet['statement']}']")).to_be_in_viewport()


def confirm(clerk: Page, seen: str) -> None:
    clerk.click("main form button")
    expect(clerk.locator("main .good").first).to_contain_text(seen)


def test_findings_are_handled_before_and_after_they_are_recorded_by_a_button(
    clerk: Page, service: Service, morning: tuple[Path, list[str]]
) -> None:
    first, *others = morning[1]
    menu(clerk, "/findings")
    clerk.click(f"main a[href='/findings/{first}']")
    expect(clerk.locator("main")).to_contain_text("Zjištění dosud nezaznamenala žádná")
    form = clerk.locator(f"form[action='/findings/{first}/explain']")
    clerk.locator("details", has=form).locator("summary").click()
    form.locator("[name=text]").fill("Peněženka platbu připsala jinam.")
    form.locator("button").click()
    confirm(clerk, "Zaznamenáno jako zpráva č.")
    clerk.click(f"main a[href='/findings/{first}']")
    state = clerk.locator("main dl").first
    wait_until(clerk, lambda: "otevřené, vysvětlené" in state.inner_text())

    menu(clerk, "/findings")
    clerk.get_by_role("button", name="Zaznamenat, co bylo zjištěno").click()
    expect(clerk.locator("main dl")).to_contain_text("Nová zjištění")
    confirm(clerk, "Zaznamenáno: nová zjištění")
    clerk.goto(f"{clerk.url.partition('/findings')[0]}/findings/{others[0]}")
    state = clerk.locator("main dl").first
    wait_until(clerk, lambda: "nezaznamenané" not in state.inner_text())
    with service.desk.sources.store() as store:
        run = last_reconciliation(store, store.position)
    assert run is not None
    assert run.is_whole

    menu(clerk, "/findings")
    clerk.click("main a:has-text('Vybrat více')")
    for name in others:
        clerk.check(f"#of-{name}")
    clerk.fill("#several-why", "Ranní směna.")
    clerk.get_by_role("button", name="Pokračovat").click()
    expect(clerk.locator("main dl")).to_contain_text("the-clerk")
    expect(clerk.locator("main ul li")).to_have_count(len(others))
    confirm(clerk, "Zaznamenáno jako zpráva č.")
    expect(clerk.locator("main tbody .good")).to_have_count(len(others))
    clerk.click(f"main a[href='/findings/{others[-1]}']")
    wait_until(clerk, lambda: "the-clerk" in state.inner_text())


def test_what_is_open_before_a_month_closes(clerk: Page, service: Service) -> None:
    menu(clerk, "/books")
    clerk.fill("#period", "2026-11")
    clerk.click("main form button")
    expect(clerk.locator("#open")).to_have_text("Co je otevřeno před uzavřením")
    findings = clerk.locator("main li", has=clerk.locator("a[href*='code=NOT_IN_BOOKS']"))
    listed = service.get("/api/findings?state=open&code=NOT_IN_BOOKS").json()["answer"]
    expect(findings.locator("strong")).to_have_text(str(len(listed["findings"])))
    missing = clerk.locator("main li", has_text="Bez výpisu vydavatele wallet:")
    expect(missing).to_contain_text(re.compile(r"\d+ d[ne]"))
    clerk.click("main a[href='/open-items?as_of=2026-11-30']")
    expect(clerk.locator("h1")).to_contain_text("Stáří otevřených položek")


def test_a_statement_that_is_sent_again_is_explained_before_it_is_recorded(
    clerk: Page, tmp_path: Path
) -> None:
    first = HEAD + "".join(f"2026-11-0{at},{at}.00,sent-{at}\n" for at in (3, 4, 5))
    file = tmp_path / "again.csv"
    file.write_text(first)
    choose(clerk, file)
    confirm(clerk, "Výpis je načten")
    file.write_text(first.replace("4.00", "4.50") + "2026-11-05,6.00,sent-6\n")
    choose(clerk, file)
    expect(clerk.locator("main ol li")).to_contain_text("uveďte důvod opravy: přestane pak platit")
    choose(clerk, file, reason="Banka opravila částku.")
    expect(clerk.locator("main")).to_contain_text(
        "2 řádky zůstávají, 1 řádek ubývá, 2 řádky přibývají."
    )
    changes = clerk.get_by_role("region", name="Co se mění").locator("tbody tr")
    expect(changes).to_have_count(3)
    for at, (change, reference, amount) in enumerate(
        (("ubývá", "sent-4", 400), ("přibývá", "sent-4", 450), ("přibývá", "sent-6", 600))
    ):
        for text in (change, reference, CZECH.money(amount)):
            expect(changes.nth(at)).to_contain_text(text)
    confirm(clerk, "Výpis je načten")


def test_a_deputy_for_a_vacation_sees_what_the_absent_look_after(
    clerk: Page, morning: tuple[Path, list[str]]
) -> None:
    finding = f"/findings/{morning[1][1]}"
    menu(clerk, "/findings")
    clerk.click("main a:has-text('Vybrat více')")
    clerk.check(f"#of-{morning[1][1]}")
    clerk.fill("#several-to", "cage-2")
    clerk.get_by_role("button", name="Pokračovat").click()
    confirm(clerk, "Zaznamenáno jako zpráva č.")
    today = in_prague(SystemClock().now()).date()
    until = today + timedelta(days=14)
    menu(clerk, "/findings")
    clerk.click("main summary:has-text('Zastupování')")
    for name, value in (("of", "cage-2"), ("from", str(today)), ("until", str(until))):
        clerk.fill(f"#deputy-{name}", value)
    clerk.fill("#deputy", "cage-3")
    clerk.fill("#deputy-why", "Dovolená.")
    clerk.click("form[action='/deputies'] button")
    expect(clerk.locator("main dl")).to_contain_text("cage-3")
    confirm(clerk, "Zaznamenáno jako zpráva č.")
    menu(clerk, "/findings")
    links = clerk.locator(f"main a[href='{finding}']")
    assignee = clerk.locator("#assignee option", has_text="cage-3")
    wait_until(clerk, lambda: assignee.count() == 1)
    clerk.select_option("#assignee", "cage-3")
    clerk.click("form.filters button")
    expect(links).to_have_count(1)
    links.click()
    expect(clerk.locator("main dl").first).to_contain_text(
        f"do {CZECH.date(until)} zastupuje cage-3"
    )


def test_a_vacation_that_is_planned_is_listed_with_its_days(clerk: Page) -> None:
    first = in_prague(SystemClock().now()).date() + timedelta(days=30)
    last = first + timedelta(days=10)
    menu(clerk, "/findings")
    clerk.click("main summary:has-text('Zastupování')")
    for name, value in (("from", str(first)), ("until", str(last))):
        clerk.fill(f"#deputy-{name}", value)
    clerk.fill("#deputy", "cage-4")
    clerk.click("form[action='/deputies'] button")
    confirm(clerk, "Zaznamenáno jako zpráva č.")
    menu(clerk, "/findings")
    planned = clerk.locator("main details li", has_text="cage-4")
    wait_until(clerk, lambda: planned.count() == 1)
    expect(planned).to_have_text(
        f"the-clerk: od {CZECH.date(first)} do {CZECH.date(last)} zastupuje cage-4",
        use_inner_text=False,
    )


def test_a_finding_that_was_right_is_closed_as_such(clerk: Page, tmp_path: Path) -> None:
    file = tmp_path / "late.csv"
    file.write_text(HEAD + "2026-11-08,8.00,right-8\n")
    choose(clerk, file)
    confirm(clerk, "Výpis je načten")
    menu(clerk, "/findings")
    link = clerk.locator("main tbody tr", has_text="right-8").locator("a[href^='/findings/']")
    wait_until(clerk, lambda: link.count() == 1)
    link.click()
    form = clerk.locator("form[action$='/close']")
    clerk.locator("details", has=form).locator("summary").click()
    form.locator("[name=text]").fill("Banka platbu vrátila.")
    form.locator("[name=assessment]").select_option("right")
    form.locator("button").click()
    expect(clerk.locator("main dl")).to_contain_text("oprávněné")
    confirm(clerk, "Zaznamenáno jako zpráva č.")
    clerk.click("main a[href^='/findings/']")
    wait_until(clerk, lambda: "Zjištění bylo: oprávněné" in clerk.locator("main").inner_text())


def test_two_persons_write_off_what_stays_open(
    clerk: Page, signed_in: SignedIn, address: str, morning: tuple[Path, list[str]]
) -> None:
    finding = morning[1][0]
    clerk.goto(f"{address}/findings/{finding}")
    form = clerk.locator("form[action$='/write_off']")
    clerk.locator("details", has=form).locator("summary").click()
    clerk.fill("#write-off-amount", "1,00")
    clerk.fill("#write-off-why", "Nedohledatelné.")
    form.locator("button").click()
    expect(clerk.locator("main dl")).to_contain_text("1,00 Kč")
    confirm(clerk, "Zaznamenáno jako zpráva č.")
    clerk.click(f"main a[href='/findings/{finding}']")
    pending = clerk.locator("#write-off")
    wait_until(clerk, lambda: pending.count() == 1)
    expect(clerk.locator("main")).to_contain_text("Potvrdit nebo zamítnout ho musí jiná osoba")
    expect(clerk.locator("form[action$='/confirm']")).to_have_count(0)
    clerk.goto(f"{address}/books?period=2026-11")
    expect(clerk.locator("#open + ul")).to_contain_text("Odpisy čekající na druhou osobu: 1")

    second = signed_in("supervisor").new_page()
    second.goto(address)
    menu(second, "/findings")
    second.click("main a[href$='#write-off']")
    confirming = second.locator("form[action$='/confirm']")
    second.locator("details", has=confirming).locator("summary").click()
    confirming.locator("button").click()
    confirm(second, "Zaznamenáno jako zpráva č.")
    second.click(f"main a[href='/findings/{finding}']")
    wait_until(second, lambda: "Potvrzení odpisu" in second.locator("main").inner_text())
    menu(clerk, "/statements")
    wait_until(clerk, lambda: row_of(clerk, "odepsáno").count() == 1)
    expect(row_of(clerk, "odepsáno")).to_contain_text(CZECH.money(100))
    clerk.goto(f"{address}/findings/{finding}")
    reverse = clerk.locator("form[action$='/reverse']")
    wait_until(clerk, lambda: reverse.count() == 1)
