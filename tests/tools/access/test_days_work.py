"""A day's work on the pages: lists that are narrowed, verdicts, letters, packages built again."""

from __future__ import annotations

import json
import re
from contextlib import closing
from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from ledger.core.clock import in_prague
from ledger.decisions.packages import RecordPackage
from ledger.privacy import KeyStore
from projections.evidence.letter import as_text
from projections.words.catalogue import Language, Words
from tests.tools.access.access_cases import Service, evening, record
from tests.tools.cli_cases import run_here
from tools.data.letters import case_letter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """An evening with a late bet, and packages, one recorded with another digest of a file."""
    data = evening(tmp_path_factory.mktemp("days-work") / "data", seed=17, hours=0.2, players=30)
    until = ("--until", "2026-11-22")
    done = run_here("--json", "report", "build", "--pending", *until, data=data)
    assert done.returncode == 0, done.stderr
    built = [msgspec.convert(one["command"], RecordPackage) for one in json.loads(done.stdout)]
    record(data, _false(built[0]), *built[1:])
    with Service.over(data) as service:
        yield service


def _false(command: RecordPackage) -> RecordPackage:
    name, (rows, _) = next(iter(command.files.items()))
    return msgspec.structs.replace(command, files=command.files | {name: (rows, "0" * 64)})


def rounds_on(page: Any) -> list[str]:
    return re.findall(r'<th scope="row"><a href="/rounds/([^"]+)"', page.text)


def test_a_list_of_rounds_is_narrowed_as_the_api_narrows_it(service: Service) -> None:
    first, *_ = service.get("/api/rounds").json()["answer"]["rounds"]
    day = in_prague(first["opened_at"]).date().isoformat()
    for query in (f"game={first['game']}", f"table={first['table']}", "status=settled"):
        address = f"rounds?{query}&day={day}"
        wanted = service.get(f"/api/{address}&limit=50").json()["answer"]["rounds"]
        shown = service.get(f"/{address}")
        assert rounds_on(shown) == [one["round"] for one in wanted] != []
        assert f'value="{day}"' in shown.text
    older = service.get("/rounds?game=&status=")
    (address,) = re.findall(r'href="(\?before=\d+)" rel="next"', older.text)
    behind = service.get(f"/rounds{address}")
    assert not set(rounds_on(behind)) & set(rounds_on(older))
    assert 'rel="first"' in behind.text


def test_events_begin_with_the_newest(service: Service) -> None:
    def positions(address: str) -> list[int]:
        found = re.findall(r'<th scope="row" class="number"><a href="/events/(\d+)"', address)
        return [int(one) for one in found]

    size = service.get("/api/chain").json()["basis"]["position"]
    newest = positions(service.get("/events").text)
    assert newest == list(range(size - 1, size - 1 - len(newest), -1))
    placed = service.get("/events?type=BetPlaced")
    assert len(positions(placed.text)) > 1
    assert set(re.findall(r"<td>(Bet [a-z]+)</td>", placed.text)) == {"Bet placed"}
    assert service.get("/events?type=Nothing").status_code == HTTPStatus.BAD_REQUEST
    hidden = service.get("/events?type=BetPlaced", "data-protection")
    assert hidden.status_code == HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize("change", [str.upper, lambda name: name[:-1], lambda name: f"{name}x"])
def test_a_search_finds_names_that_are_nearly_so(service: Service, change: Any) -> None:
    first, *_ = service.get("/api/rounds").json()["answer"]["rounds"]
    found = service.get(f"/search?q={change(first['round'])}")
    assert found.status_code == HTTPStatus.OK
    assert f'href="/rounds/{first["round"]}"' in found.text
    nobody = service.get(f"/search?q={change(first['round'])}", "data-protection")
    assert first["round"] not in nobody.text.replace(change(first["round"]), "")


def test_a_search_takes_no_number_with_zeros_for_a_position(service: Service) -> None:
    assert service.get("/search?q=28").headers["Location"] == "/events/28"
    assert service.get("/search?q=0028").headers.get("Location") != "/events/28"


def test_the_beginning_of_a_hash_finds_its_message(service: Service) -> None:
    event = service.get("/api/events/9").json()["answer"]
    assert service.get(f"/search?q={event['hash'][:16]}").headers["Location"] == "/events/9"


def test_an_unknown_name_leads_to_similar_ones(service: Service) -> None:
    assert 'href="/search?q=evo-x"' in service.get("/rounds/evo-x").text


def test_a_round_begins_with_its_verdict_and_its_late_bets(service: Service) -> None:
    events = service.get("/api/events?type=BetRefused&limit=1000").json()["answer"]["events"]
    late = [one["facts"] for one in events if one["facts"]["code"] == "BET_AFTER_CLOSE"]
    assert late
    shown = unescape(service.get(f"/rounds/{late[0]['round']}").text)
    verdict = shown.partition('<div class="verdict">')[2].partition("</div>")[0]
    assert "What was paid is what is due." in verdict
    assert re.search(r'class="late">.*Bets of the round are closed', verdict)
    participants = re.findall(r"evidence\?form=html&account=([\w-]+)", verdict)
    replay = service.get(f"/api/rounds/{late[0]['round']}").json()["answer"]
    assert participants == sorted({one["account"] for one in replay["wagers"]})


def test_a_package_is_built_again_and_compared(service: Service) -> None:
    names = sorted(set(re.findall(r'href="/packages/([^"]+)"', service.get("/packages").text)))
    false, true, *_ = (
        one for one in names if '"?again=yes"' in service.get(f"/packages/{one}").text
    )
    shown = service.get(f"/packages/{true}?again=yes").text
    assert "The facts give the package that was recorded, byte by byte." in shown
    assert "other bytes" not in shown
    shown = service.get(f"/packages/{false}?again=yes").text
    assert "The facts give another package" in shown
    assert shown.count("other bytes") == 1


def test_what_is_watched_is_drawn(service: Service) -> None:
    found = service.get("/api/fairness").json()["answer"]
    one = found["fairness"]["watched"][-1]
    shown = service.get(f"/fairness?of={one['name']}").text
    judged = [bet for bet in found["house"] if not bet["no_verdict"]]
    assert judged
    assert shown.count("Nothing against it") == len(found["fairness"]["watched"]) + len(judged)
    assert f"{one['results']:,} results" in shown.partition("<svg")[2]
    assert shown.count("</tr>") > len(found["house"]) > 0
    corrected = found["corrected"]
    standing_out = sum(one["stands_out"] for one in corrected)
    assert shown.count("As others") == len(corrected) - standing_out
    assert shown.count("Stands out") == standing_out
    for one in corrected:
        assert f"{one['kind'].capitalize()} {one['name']}</a>" in shown


def test_a_data_protection_officer_sees_who_read_an_account(service: Service) -> None:
    account = service.get("/api/bets").json()["answer"]["bets"][0]["account"]
    service.get(f"/accounts/{account}", "investigator")
    shown = service.get(f"/accesses?account={account}", "data-protection")
    assert shown.status_code == HTTPStatus.OK
    assert "the-investigator" in shown.text
    assert "the-investigator" not in service.get("/accesses?reader=the-regulator").text
    assert service.get("/accesses", "investigator").status_code == HTTPStatus.FORBIDDEN


def test_the_api_is_described_address_by_address(service: Service) -> None:
    described = service.get("/openapi.json").json()
    page = service.get("/docs").text
    assert [one for one in described["paths"] if f"GET {one}<" not in page] == []
    assert service.client.get("/openapi.json").status_code != HTTPStatus.OK


def test_a_letter_names_the_bets_of_the_player_and_of_nobody_else(service: Service) -> None:
    (case, *_) = service.get("/api/cases?ended=yes").json()["answer"]["cases"]
    address = f"/api/cases/{case['case']}/letter"
    text = service.get(f"{address}?form=text&language=en").text
    assert f"account {case['account']}" in text
    replay = service.get(f"/api/rounds/{case['rounds'][0]}").json()["answer"]
    mine = [one for one in replay["wagers"] if one["account"] == case["account"]]
    assert text.count("Your bet on") == len(mine)
    others = {one["account"] for one in replay["wagers"]} - {case["account"]}
    assert [one for one in others if one in text] == []
    pdf = service.get(f"{address}?form=pdf").content
    assert pdf.startswith(b"%PDF")
    assert pdf == service.get(f"{address}?form=pdf").content
    assert service.get(address, "reconciliation").status_code == HTTPStatus.FORBIDDEN


def test_a_letter_leaves_out_a_decision_whose_key_was_destroyed(
    service: Service, tmp_path: Path
) -> None:
    (case, *_) = service.get("/api/cases?ended=yes").json()["answer"]["cases"]
    czech, sources = Words(Language.CS), service.desk.sources
    with sources.store() as store, closing(KeyStore(tmp_path / "keys")) as none:
        asked = (store, sources.log, case["case"], czech)
        texts = [as_text(czech, case_letter(*asked, at=None, keys=keys)) for keys in (none, None)]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("language", ["cs", "en"])
def test_a_letter_begins_with_the_deadline_and_ends_with_remedies(
    service: Service, language: str
) -> None:
    (case, *_) = service.get("/api/cases?ended=yes").json()["answer"]["cases"]
    replay = service.get(f"/api/rounds/{case['rounds'][0]}").json()["answer"]
    wager = next(one for one in replay["wagers"] if one["due"] is not None)
    recorded = f"/api/cases/{case['case']}/letter?"
    asked = f"account={wager['account']}&filed=2026-11-20&"
    other = f"/api/rounds/{case['rounds'][0]}/letter?{asked}"
    begins = {"cs": "Zákonná lhůta pro vyřízení: do ", "en": "Legal deadline for the answer: "}
    decided = {"cs": "Podle herního plánu Vám náleželo", "en": "By the game plan"}
    for address in (recorded, other):
        text = service.get(f"{address}form=text&language={language}").text
        operator, number, _, _, title, _, first, *_ = text.splitlines()
        assert operator
        assert re.search(r"\d{8}", number), text
        assert title
        assert first.startswith(begins[language]), text
        assert "act 634/1992" in text or "zákon č. 634/1992 Sb." in text
        assert "www.coi.cz" in text
    assert {"cs": "21. prosince 2026", "en": "21 December 2026"}[language] in first.replace(
        "\N{NO-BREAK SPACE}", " "
    )
    for wrong in ("2026-11-19", "2199-12-31", "9999-12-31"):
        refused = service.get(other.replace("2026-11-20", wrong))
        assert refused.status_code == HTTPStatus.NOT_FOUND
        assert "correct the day of filing" in refused.text
    assert {"cs": "20. listopadu 2027", "en": "20 November 2027"}[language] in text.replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert decided[language] in text
    refused = service.get(other.replace(f"account={wager['account']}", "account=a-9999"))
    assert refused.status_code == HTTPStatus.NOT_FOUND
