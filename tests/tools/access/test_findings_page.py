"""Findings in the service: narrowed lists, and one with both sides and what was done about it."""

from __future__ import annotations

import re
import shutil
from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import StoppedClock
from ledger.core.refusals import Refusal
from projections.words.catalogue import Language, Words
from projections.words.names import named
from tests.tools.access.access_cases import HANDLED, handled, last_moment

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.access.access_cases import Service

STEPS = ("FindingRaised", "FindingAssigned", "FindingExplained", "FindingCommented")
STEPS += ("FindingClosed",)


@pytest.fixture(scope="module")
def played(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evening, with findings; what was found at another moment is forgotten."""
    data = shutil.copytree(played, tmp_path_factory.mktemp("handled") / "data", symlinks=True)
    shutil.rmtree(data / "cache")
    return handled(data)


@pytest.fixture(scope="module")
def clock(played: Path) -> StoppedClock:
    """The moment at which the evening ends."""
    return StoppedClock(last_moment(played))


@pytest.fixture(scope="module")
def new(service: Service) -> str:
    """Name of the finding that nobody recorded."""
    (found,) = service.get("/api/findings?state=open").json()["answer"]["findings"]
    assert (found["code"], found["state"]) == ("CLOCK_APART", "new")
    return str(found["identity"])


def shown(service: Service, **narrowed: str) -> set[str]:
    page = service.get("/findings", params=narrowed)
    assert page.status_code == HTTPStatus.OK
    return set(re.findall(r'href="/findings/([0-9a-f]{16})"', page.text))


def test_no_finding_and_no_refusal_is_told_in_english_on_a_czech_page(service: Service) -> None:
    czech = {"Accept-Language": "cs"}
    found = service.get("/api/findings").json()["answer"]["findings"]
    assert found
    pages = ["/findings", f"/findings/{HANDLED}"]
    pages += [f"/rounds/{one['round']}" for one in found if one["round"]][:5]
    refused = service.get("/api/events?type=BetRefused").json()["answer"]["events"][:5]
    refused += service.get("/api/events?type=CommandRefused").json()["answer"]["events"][:5]
    pages += [f"/events?before={one['position'] + 1}" for one in refused]
    told = {one["sentence"] for one in found}
    for one in refused:
        code, parameters = (one["facts"][name] for name in ("code", "parameters"))
        told.add(Refusal.recorded(code, parameters, "").sentence)
    assert refused
    for address in pages:
        shown = service.get(address, headers=czech)
        assert shown.status_code == HTTPStatus.OK
        text = unescape(shown.text)
        assert [one for one in told if one in text] == []
        assert 'class="note" lang="en"' not in text
    sql = service.get("/sql", headers=czech).text
    assert '</code> <span lang="en">' not in sql


@pytest.mark.parametrize("language", Language)
def test_a_finding_shows_both_sides_and_who_did_what_about_it(
    service: Service, language: Language
) -> None:
    words = Words(language)
    page = service.get(f"/findings/{HANDLED}", headers={"Accept-Language": language})
    assert page.status_code == HTTPStatus.OK, page.text
    assert f'<html lang="{language}">' in page.text
    for text in (
        *(named(words, "events", step) for step in STEPS),
        *("cage-2", "The day&#39;s cashier.", "Asked the bank.", "Paid back.", "R 12/2026", "risk"),
        *("d-77", "&lt;E2E&gt;", words.money(10_000), words.money(9_300), words.money(700)),
        *(named(words, "states", "closed"), named(words, "findings", "AMOUNT_DIFFERS")),
        *('<a href="/accounts/a-0001">', '<a href="/statements#kb-2026-11">', '"/events/3"'),
        "The bank kept &lt;b&gt;7 CZK&lt;/b&gt;.",
    ):
        assert text in page.text, text
    rows = page.text[page.text.index(words.text("access.history")) :]
    places = [rows.index(named(words, "events", step)) for step in STEPS]
    assert places == sorted(places)
    (known,) = service.get(f"/api/findings/{HANDLED}").json()["answer"]["findings"]
    assert tuple(step["event"] for step in known["steps"]) == STEPS
    assert known["finding"]["theirs"]["statement"] == "kb-2026-11"


def test_the_record_says_whom_a_finding_is_about(service: Service) -> None:
    (known,) = service.get(f"/api/findings/{HANDLED}").json()["answer"]["findings"]
    finding = known["finding"]
    assert finding["account"] or finding["round"]
    for address in (f"/findings/{HANDLED}", f"/api/findings/{HANDLED}"):
        assert service.get(address).status_code == HTTPStatus.OK
        access = service.last_access()
        assert (access.account, access.round) == (finding["account"], finding["round"])


def test_a_finding_is_found_by_its_name(service: Service) -> None:
    found = service.get("/search", params={"q": HANDLED})
    assert found.headers["Location"] == f"/findings/{HANDLED}"


def test_a_finding_that_nobody_recorded_says_so(service: Service, new: str) -> None:
    page = service.get(f"/findings/{new}").text
    assert "No reconciliation has recorded it yet." in page
    assert "new, not recorded yet" in page
    assert "missing" not in page
    assert service.get(f"/api/findings/{new}").status_code == HTTPStatus.NOT_FOUND


def test_the_list_is_narrowed_by_state_code_and_who_looks_after_it(
    service: Service, new: str
) -> None:
    assert shown(service) == shown(service, state="all") == {new, HANDLED}
    assert shown(service, state="open") == shown(service, code="CLOCK_APART") == {new}
    assert shown(service, state="closed") == shown(service, assignee="cage-2") == {HANDLED}
    assert shown(service, state="open", assignee="cage-2") == set()
    nothing = service.get("/findings", params={"code": "<i>'"}).text
    assert "There is no such finding." in nothing
    assert "Nothing is wrong." not in nothing
    assert "<i>" not in nothing
    for state, names in (("all", {new, HANDLED}), ("open", {new}), ("closed", {HANDLED})):
        found = service.get("/api/findings", params={"state": state}).json()["answer"]["findings"]
        assert {one["identity"] for one in found} == names
        assert {one["state"] for one in found} <= {"new", "closed"}
    for code, count in (("CLOCK_APART", 1), ("PAID_TOO_MUCH", 0)):
        found = service.get("/api/findings", params={"code": code, "state": "open"}).json()
        assert len(found["answer"]["findings"]) == count
    mistyped = service.get("/api/findings", params={"code": "CLOCK_APARD"})
    assert mistyped.status_code == HTTPStatus.BAD_REQUEST
    assert mistyped.json()["detail"] == "no finding has the code CLOCK_APARD: perhaps CLOCK_APART"
    assert service.get("/findings?state=lost").status_code == HTTPStatus.BAD_REQUEST
    assert service.get("/findings", params={"code": "x" * 151}).status_code == 400


@pytest.mark.parametrize("as_of", ["", "300"])
def test_the_findings_of_a_day_rest_on_the_place_that_is_named(
    service: Service, as_of: str
) -> None:
    then = {"as_of": as_of} if as_of else {}
    whole = service.get("/api/findings", params=then).json()["answer"]["findings"]
    given = []
    for day in ("2020-01-01", "2026-11-20", "2026-11-21"):
        answered = service.get("/api/findings", params={"day": day, **then})
        assert answered.status_code == HTTPStatus.OK, answered.text
        basis, answer = answered.json()["basis"], answered.json()["answer"]
        assert (answer["position"], answer["head"]) == (basis["position"], basis["head"]), day
        assert answered.headers["Gameledger-Position"] == str(answer["position"])
        given.append(answer["findings"])
    assert given[0] == []
    assert all(one in whole for one in given[1] + given[2])
    assert (HANDLED in {one["identity"] for one in given[1]}) == (not as_of)


def test_who_may_not_read_of_money_reads_no_finding(service: Service) -> None:
    for address in (f"/findings/{HANDLED}", f"/api/findings/{HANDLED}"):
        assert service.get(address, "data-protection").status_code == HTTPStatus.FORBIDDEN
        assert service.get(address, "reconciliation").status_code == HTTPStatus.OK
    for wrong in ("nobody", "f" * 16, "%00"):
        found = service.get(f"/findings/{wrong}")
        assert found.status_code in {HTTPStatus.NOT_FOUND, HTTPStatus.BAD_REQUEST}, wrong


def test_findings_are_listed_in_the_order_that_is_asked_for(service: Service) -> None:
    def listed(order: str) -> list[tuple[bool, int, int]]:
        found = service.get(f"/api/findings?sort={order}").json()["answer"]["findings"]
        shown = service.get(f"/findings?sort={order}").text
        assert f'<option value="{order}" selected>' in shown
        return [(one["state"] == "closed", one["position"], abs(one["amount"])) for one in found]

    oldest, newest, amounts = (listed(order) for order in ("oldest", "newest", "amount"))
    assert len(oldest) > 1
    assert oldest == sorted(oldest, key=lambda one: one[:2])
    assert newest == sorted(oldest, key=lambda one: (one[0], -one[1]))
    assert [one[2] for one in amounts if not one[0]] == sorted(
        (one[2] for one in oldest if not one[0]), reverse=True
    )
    assert service.get("/findings?sort=colour").status_code == HTTPStatus.BAD_REQUEST
