"""The pages: whole without script, in both languages, and nothing from outside acts in them."""

from __future__ import annotations

import base64
import json
import re
from functools import cache
from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import SECOND, midnight_after
from ledger.log.finality import Finality
from projections.words.catalogue import Language, Words, catalogue
from projections.words.names import named
from tests.projections.projection_cases import START
from tests.tools.access.access_cases import CHANGES
from tests.tools.cli_cases import run_here
from tools.access.guard import HEADERS
from tools.access.pages import _period_end
from tools.access.questions import rounds

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from httpx import Response

    from tests.tools.access.access_cases import Service

EXIT_FAULT = 3
LIVE = '<script src="/static/live.js" defer></script>'
PAGES = ("/", "/rounds", "/rounds/{round}", "/accounts/{account}", "/events", "/events/7")
PAGES += (
    "/events?tag=round:{round}",
    "/findings",
    "/findings?state=open&code=X",
    "/my-accesses",
    "/search?q=nikdo",
)
PAGES += (
    "/persons",
    "/play-time",
    "/accounts/{account}/movements",
    "/accounts/{account}/closing-balance?period=2026-11",
    "/accounts/{account}/play-time",
    "/cases",
    "/duties",
    "/results",
    "/packages",
)
PAGES += (
    "/open-items?as_of=2026-11-20",
    "/statements",
    "/books",
    "/books?period=2026-Q4",
    "/books?period=2026-11&as_of=200",
)
PAGES += ("/tournaments", "/tournaments/{tournament}")
PAGES += ("/tables", "/tables?as_of=40", "/sql", "/sql?q=SELECT+account+FROM+reader_bets+LIMIT+3")
PAGES += tuple(CHANGES.values())

PROBLEMS = (
    "/rounds/x",
    "/accounts/x",
    "/events/99999999",
    "/findings/ffff",
    "/cases/x",
    "/tournaments/x",
    "/nothing",
)
PROBLEMS += ("/changes/rounds?from=x", "/changes/rounds?from=9&to=8", "/changes/rounds/x")
PROBLEMS += ("/tables?as_of=x", "/sql?q=SELECT", "/sql?q=DROP", "/rounds?no=1")
PLACE = re.compile(r"\{[^}]*\}|`[^`]*`")
WORD = re.compile(r"(?<![\w./@-])[^\W\d_]{3,}(?![\w/@-])")
NOT_SAID = {"bank", "czk", "identity", "nobody", "unknown"}
"""Words of the English catalogue that are codes, or what staff or tests wrote, too."""
STOP_WORDS = {"the", "are", "was", "were", "not", "which", "from", "than", "this", "that", "must"}
"""For pages that name columns and parameters, and values as they are stored."""


@pytest.fixture(scope="module")
def names(service: Service) -> dict[str, str]:
    (line, *_) = service.get("/api/bets").json()["answer"]["bets"]
    (cup, *_) = service.get("/api/tournaments").json()["answer"]
    (case, *_) = service.get("/api/cases?ended=yes").json()["answer"]["cases"]
    found = {"round": line["round"], "account": line["account"], "bet": line["bet"]}
    *_, package = re.findall(r'href="/packages/([^"]+)"', service.get("/packages").text)
    return found | {"tournament": cup["tournament"], "case": case["case"], "package": package}


@pytest.fixture(scope="module")
def shown(service: Service, names: dict[str, str]) -> Callable[[str, Language], Response]:
    """Ask for a page in a language when a test first looks at it."""

    @cache
    def page(template: str, language: Language) -> Response:
        return service.get(template.format(**names), headers={"Accept-Language": language})

    return page


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("template", PAGES)
def test_a_page_is_whole_by_itself(
    shown: Callable[[str, Language], Response], template: str, language: Language
) -> None:
    found = shown(template, language)
    assert found.status_code == HTTPStatus.OK, found.text
    assert f'<html lang="{language}">' in found.text
    assert len(re.findall(r"<h1", found.text)) == 1
    assert set(re.findall(r"<script.*?</script>", found.text)) <= {LIVE}
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', found.text)
    assert set(re.findall(r'<input id="(\w+)"', found.text)) <= set(
        re.findall(r'<label for="(\w+)"', found.text)
    )
    regions = re.findall(r'role="region" aria-label="([^"]+)"', found.text)
    assert len(regions) == len(set(regions))
    assert "default-src 'none'" in found.headers["Content-Security-Policy"]
    assert found.headers["Cache-Control"] == "no-store"
    assert "Novák" not in found.text


def test_a_fault_of_the_service_is_guarded_and_counted_too(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(rounds, "list_rounds", fault)
    found = service.get("/rounds")
    assert found.status_code == HTTPStatus.INTERNAL_SERVER_ERROR
    assert {name: found.headers.get(name) for name in HEADERS} == HEADERS
    counted = service.client.get("/metrics").text
    assert 'address="/rounds",chain="sazka-live",method="GET",status="500"} 1.0' in counted


def test_metrics_do_not_show_how_often_persons_were_unmasked(service: Service) -> None:
    """Prometheus reads them without a right; the chain of accesses tells it to those who may."""
    before = service.client.get("/metrics").text
    for address in ("/api/accounts/a-0001/person", "/accounts/a-0001/person"):
        headers = {"Gameledger-Purpose": "MF-1"}
        assert service.get(address, headers=headers).status_code < HTTPStatus.INTERNAL_SERVER_ERROR
    for address in ("/accounts/a-0001/person", "/persons"):
        service.client.post(address)
    after = service.client.get("/metrics").text
    assert "person" not in after
    assert {line for line in after.splitlines() if 'method="POST"' in line} == {
        line for line in before.splitlines() if 'method="POST"' in line
    }


def in_czech(page: str) -> str:
    """Return what a page says in Czech: no code, no question, nothing that is marked as English."""
    said = re.sub(r"(?s)<(code|pre|style|textarea)\b.*?</\1>", "", page)
    said = re.sub(r'(?s)<(\w+)[^>]* lang="en".*?</\1>', "", said)
    return " ".join(re.sub(r"<[^>]*>", " ", said).split())


@pytest.mark.parametrize("template", [*PAGES, *PROBLEMS])
def test_a_czech_page_has_no_english_but_what_is_marked_so(
    shown: Callable[[str, Language], Response], template: str
) -> None:
    """Look for words of the English catalogue that the Czech one does not have."""
    found = unescape(in_czech(shown(template, Language.CS).text))
    assert "Evidence her" in found
    english = words_of(Language.EN) - words_of(Language.CS) - NOT_SAID
    if template.startswith("/sql") or template in PROBLEMS:
        english = STOP_WORDS
    around = [
        found[max(0, one.start() - 40) : one.end() + 40]
        for one in WORD.finditer(found)
        if one.group().lower() in english
    ]
    assert around == []


@cache
def words_of(language: Language) -> set[str]:
    texts = (PLACE.sub(" ", text) for text in catalogue(language).values())
    return {word.lower() for text in texts for word in WORD.findall(text)}


def test_what_was_verified_last_is_shown(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMELEDGER_CACHE", str(tmp_path))
    assert service.get("/api/chain").json()["answer"]["verified"] is None
    assert "not here yet" in service.get("/").text
    said = json.loads(run_here("log", "verify", "--json", data=service.data).stdout)
    found = service.get("/api/chain").json()["answer"]["verified"]
    assert (found["size"], found["head"], found["fault"]) == (said["size"], said["head"], "")
    assert "against the keys of the chain itself" in service.get("/").text
    (note,) = tmp_path.rglob("verified.json")
    note.write_text(json.dumps(json.loads(note.read_text()) | {"keys": ["0b1c"]}))
    assert "against key 0b1c" in service.get("/").text
    note.write_text(note.read_text().replace(said["head"], said["head"][::-1]))
    assert service.get("/api/chain").json()["answer"]["verified"] is None


def test_a_fault_that_was_found_is_shown(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMELEDGER_CACHE", str(tmp_path))
    wrong = tmp_path / "note.txt"
    signed = service.get("/api/checkpoints").json()["answer"]["checkpoints"][0]["size"]
    note = service.get(f"/api/checkpoints/{signed}").text.splitlines()
    wrong.write_text("\n".join([*note[:2], base64.b64encode(bytes(32)).decode(), *note[3:], ""]))
    done = run_here("log", "verify", "--since", str(wrong), data=service.data)
    assert done.returncode == EXIT_FAULT
    page = service.get("/").text
    assert "A fault was found" in page
    page = service.get("/", headers={"Accept-Language": "cs"}).text
    assert "Byla nalezena chyba." in page
    assert "není ten, který" in page


def test_a_round_shows_its_picture_bets_facts_and_head(
    service: Service, names: dict[str, str]
) -> None:
    page = service.get(f"/rounds/{names['round']}").text
    for text in ("<svg", names["bet"], "Bets, settled again"):
        assert text in page
    head = service.get("/api/chain").json()["basis"]["head"]
    assert head in page
    english, czech = Words(Language.EN), Words(Language.CS)
    stages = re.findall(r'<td class="finality">([^<]+)</td>', page)
    assert stages
    by_name = {named(english, "finality", stage): stage for stage in Finality}
    for name in set(stages):
        assert named(english, "finality_meanings", by_name[name]) in unescape(page)
    event = service.get("/events/7", headers={"Accept-Language": "cs"}).text
    ((shown, meaning),) = re.findall(r'id="finality">([^<]+)</strong>\. ([^<]+)<', event)
    assert (shown, meaning) in [
        (named(czech, "finality", stage), named(czech, "finality_meanings", stage))
        for stage in Finality
    ]


def test_a_page_in_czech_says_why_an_amount_is_due(service: Service) -> None:
    found = service.get("/api/bets", params={"limit": 1000}).json()["answer"]["bets"]
    settled = {one["round"] for one in found if one["status"] == "settled"}
    for name in sorted(settled)[:3]:
        replay = service.get(f"/api/rounds/{name}").json()["answer"]
        page = service.get(f"/rounds/{name}", headers={"Accept-Language": "cs"}).text
        assert page.count('<tr class="why">') == sum(
            one["explanation"] is not None for one in replay["wagers"]
        )
        assert replay["facts"][0]["sentence"] not in page


def test_the_books_of_a_day_are_shown_and_downloaded_as_of_one_position(service: Service) -> None:
    shown = service.get("/books", headers={"Accept-Language": "cs"}).text
    assert "Obratová předvaha" in shown
    (workbook, table, document) = re.findall(r'href="(/api/books/[^"]+)"', shown)
    given = service.get(workbook.replace("&amp;", "&"))
    assert given.status_code == HTTPStatus.OK
    assert given.content.startswith(b"PK")
    found = service.get(document.replace("&amp;", "&")).json()["answer"]
    sums = [sum(line[side] for line in found["trial"]) for side in ("debit", "credit")]
    assert sums[0] == sums[1] > 0
    lines = service.get(table.replace("&amp;", "&")).text.splitlines()
    assert len(lines) == len(found["trial"]) + 1
    tax = service.get(f"/api/books/{found['period']}/tax").json()["answer"]
    assert tax["base"] == sum(part["base"] for part in tax["parts"])
    note = Words(Language.CS).text("books.open_note")
    closing = service.get(f"/api/books/{found['period']}").json()["answer"]
    assert closing["is_over"] == tax["is_over"] == (note not in shown)
    books = f"/api/books/{found['period'][:7]}"
    for now, is_over in (("record", False), ("2027-01-05T00:00", True)):
        asked = (service.get(f"{books}{part}", params={"now": now}).json() for part in ("", "/tax"))
        assert [one["answer"]["is_over"] for one in asked] == [is_over, is_over]
    assert service.get("/api/books/2026-13").status_code == HTTPStatus.NOT_FOUND
    assert service.get("/books?period=yesterday").status_code == HTTPStatus.BAD_REQUEST


def test_charts_stand_where_people_look(service: Service, names: dict[str, str]) -> None:
    account = names["account"]
    for address, drawn in (
        (f"/accounts/{account}", f"Money of account {account}"),
        (f"/accounts/{account}/play-time", f"Continuous play of {account}; limit 120 minutes"),
        ("/results", "data-game="),
        ("/packages", "data-state="),
    ):
        page = service.get(address).text
        assert page.count("<figure") == (2 if address == "/results" else 1)
        assert drawn in page


def test_the_results_are_those_of_the_day_reports(service: Service) -> None:
    page = service.get("/results").text
    drawn = re.findall(
        r'data-game="([^"]+)"(?:(?!data-game).)*?data-day="([^"]+)"', page, re.DOTALL
    )
    days = {day for _, day in drawn}
    for day in days:
        for one in service.get(f"/api/days/{day}").json()["answer"]["games"]:
            shown = f'data-day="{day}" data-haler="{one["house_result"]}"'
            assert shown in page or not one["house_result"], one
    assert days


def test_a_clock_of_a_day_without_play_says_so(service: Service, names: dict[str, str]) -> None:
    page = service.get(f"/accounts/{names['account']}/play-time", params={"day": "2020-02-29"})
    assert "Nothing was played in this time." in page.text
    wrong = service.get(f"/accounts/{names['account']}/play-time", params={"day": "2020-02-30"})
    assert wrong.status_code == HTTPStatus.BAD_REQUEST
    assert service.get("/accounts/nobody/play-time").status_code == HTTPStatus.NOT_FOUND


def test_the_menu_leads_nowhere_that_is_closed(service: Service) -> None:
    for role in service.tokens:
        page = service.get("/", role).text
        menu = page[page.index("<nav") : page.index("</nav>")]
        for address in re.findall(r'href="([^"]+)"', menu):
            assert service.get(address, role).status_code == HTTPStatus.OK, (role, address)


def test_the_door_of_sql_tells_beside_the_question_why_not(service: Service) -> None:
    before = service.accesses()
    question = "SELECT file('/etc/passwd')"
    page = service.get("/sql", params={"q": question})
    assert page.status_code == HTTPStatus.BAD_REQUEST
    assert "the function file is not allowed" in page.text
    assert "SELECT file(&#39;/etc/passwd&#39;)</textarea>" in page.text
    assert service.accesses() == before + 1
    page = service.get("/sql", params={"q": question}, headers={"Accept-Language": "cs"})
    assert "funkce file zde není dovolena" in page.text
    page = service.get("/sql", params={"q": "SELECT ("}, headers={"Accept-Language": "cs"})
    assert re.search(r'class="wrong">Dotaz nebyl přijat: <span lang="en">[^<]+</span>', page.text)
    asked = service.get("/sql", params={"q": "SELECT 'x<script>', count() FROM reader_bets"})
    assert "<td>x&lt;script&gt;</td>" in asked.text
    assert service.get("/sql", "investigator").status_code == HTTPStatus.FORBIDDEN


def test_a_row_of_a_package_leads_to_its_events(service: Service) -> None:
    found = service.get("/packages").text
    name = re.findall(r'href="/packages/([^"]+)"', found)[-1]
    page = service.get(f"/packages/{name}", params={"file": "jedna_hra.csv", "row": "1"}).text
    assert "<code>IDJednaHra</code>" in page
    rows = re.findall(r'<a href="/events/(\d+)">', page)
    for position in rows:
        assert service.get(f"/events/{position}").status_code == HTTPStatus.OK
    assert rows
    for wrong in ({"file": "nope.csv", "row": "1"}, {"file": "jedna_hra.csv", "row": "9" * 30}):
        asked = service.get(f"/packages/{name}", params=wrong)
        assert asked.status_code == HTTPStatus.NOT_FOUND, wrong
    assert service.get("/packages/nope").status_code == HTTPStatus.NOT_FOUND


def test_tables_stand_with_the_limits_of_that_moment(service: Service) -> None:
    now = service.get("/tables").text
    names = set(re.findall(r'href="/events\?tag=table:([^"]+)"', now))
    opened = service.get("/api/events", params={"type": "TableOpened"}).json()["answer"]["events"]
    assert names == {one["facts"]["table"] for one in opened}
    limits = service.get("/api/events", params={"type": "TableLimitsSet"}).json()["answer"]
    first = min(one["position"] for one in limits["events"])
    assert "CZK" in now[: now.index("<h2>Games")]
    before = service.get("/tables", params={"as_of": str(first)}).text
    assert "CZK" not in before[: before.index("<h2>Games")]


def test_a_round_leads_to_its_evidence(service: Service, names: dict[str, str]) -> None:
    page = service.get(f"/rounds/{names['round']}").text
    (address,) = re.findall(r'href="([^"]+/evidence\?form=html)"', page)
    found = service.get(address)
    assert found.status_code == HTTPStatus.OK, found.text
    assert found.headers["Content-Disposition"].startswith("attachment")
    assert '<script type="application/json" id="evidence">' in found.text
    for page in (f"/rounds/{names['round']}", f"/accounts/{names['account']}"):
        assert "/evidence?form=pdf" in service.get(page).text


def test_any_identifier_leads_to_what_it_names(service: Service, names: dict[str, str]) -> None:
    event = service.get("/api/events/9").json()["answer"]
    filed = service.get("/api/events?type=ComplaintFiled").json()["answer"]["events"]
    case = filed[0]["facts"]["case"]
    for term, address in (
        (names["round"], f"/rounds/{names['round']}"),
        (names["account"], f"/accounts/{names['account']}"),
        (case, f"/cases/{case}"),
        (names["bet"], f"/rounds/{names['bet'].rpartition('-')[0]}"),
        ("9", "/events/9"),
        (event["hash"], "/events/9"),
    ):
        found = service.get("/search", params={"q": term})
        assert found.status_code == HTTPStatus.SEE_OTHER, term
        assert found.headers["Location"] == address


@pytest.mark.parametrize(
    "term",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "' OR 1=1 --",
        "{{ 7*7 }}",
        "\u202eevil",
        "a\r\nSet-Cookie: x=1",
        "x" * 200,
    ],
)
def test_nothing_from_outside_acts_in_a_page(service: Service, term: str) -> None:
    for address in ("/search", "/events", "/rounds"):
        name = {"/search": "q", "/events": "tag", "/rounds": "account"}[address]
        found = service.get(address, params={name: term})
        assert found.status_code in {HTTPStatus.OK, HTTPStatus.BAD_REQUEST}
        assert "Set-Cookie" not in found.headers
        for acting in ("<script", "<img", "\u202e", ">49<"):
            assert acting not in found.text


def test_what_a_reader_read_stands_in_the_own_accesses(service: Service) -> None:
    service.get("/findings", headers={"Gameledger-Purpose": "MF-12/2026"})
    page = service.get("/my-accesses").text
    assert "asked for the findings" in page
    assert "MF-12/2026" in page
    assert "the-auditor" not in page


def test_the_rows_of_a_page_are_recorded(service: Service) -> None:
    for address in ("/rounds", "/events", "/my-accesses"):
        page = service.get(address).text
    assert service.last_access().rows == page.count('<th scope="row"') > 1
    service.get("/tables")
    on_the_page = service.last_access().rows
    tables = service.get("/api/tables").json()["answer"]["tables"]
    assert on_the_page == service.last_access().rows == len(tables) > 1


def test_a_wrong_address_is_told_on_a_page(service: Service) -> None:
    for address in ("/nothing", "/rounds/nope", "/events/999999999", "/static/../app.py"):
        found = service.get(address)
        assert found.status_code == HTTPStatus.NOT_FOUND
        assert "<h1>" in found.text


def test_a_period_that_ends_at_midnight_is_shown_by_its_last_day() -> None:
    end = midnight_after(START)
    assert _period_end(Words(Language.EN), end) == Words(Language.EN).day(START)
    assert "00:00:01" in _period_end(Words(Language.EN), end + SECOND)


def test_a_name_that_was_copied_with_blanks_is_found(
    service: Service, names: dict[str, str]
) -> None:
    for address in ("/api/bets", "/api/rounds", "/rounds", "/cases"):
        account = names["account"]
        spaced = service.get(address, params={"account": f" {account}\u00a0"})
        assert spaced.status_code == HTTPStatus.OK, spaced.text
        if address.startswith("/api/"):
            plain = service.get(address, params={"account": account}).json()["answer"]
            assert spaced.json()["answer"] == plain


@pytest.mark.parametrize("tag", ["a-0001", "ACCOUNT:a-0001", "account:", "konto:a-0001"])
def test_what_is_no_tag_is_refused_and_not_answered_with_nothing(
    service: Service, tag: str
) -> None:
    for path in ("/events", "/api/events"):
        found = service.get(path, params={"tag": tag})
        assert found.status_code == HTTPStatus.BAD_REQUEST, path
        assert "write its kind before it" in found.text, found.text


def test_an_empty_list_of_rounds_or_events_names_no_finding(service: Service) -> None:
    for address in ("/rounds?day=2026-01-01", "/events?tag=account:other"):
        shown = service.get(address).text
        assert "Nothing like that is recorded." in shown
        assert "no such finding" not in shown
