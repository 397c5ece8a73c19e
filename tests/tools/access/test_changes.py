"""An earlier answer with what changed since is the later answer, whatever was asked."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from base64 import b64encode
from datetime import datetime
from functools import partial
from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from defusedxml import ElementTree
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.clock import DAY, from_datetime, in_prague
from tests.search import amount
from tools.access import changes
from tools.access.changes import COMPARED, Compared
from tools.access.differences import OWN, Change, differences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.tools.access.access_cases import Service

SEED = 7
PAIRS = amount(1, 20)
OF_PLACE = {"position", "head", "recorded_at", "moment", "before"}
WHOLE = {"/rounds": "limit=1000", "/bets": "limit=1000", "/accounts/{name}": "last=10000"}
WHOLE |= {"/cases": "ended=yes", "/holds": "ended=yes"}
WHOLE |= {"/accounts/{name}/movements": "limit=1000"}
"""What makes an answer whole."""
BY_PATH = {one.path: one for one in COMPARED}
View = tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]
"""The own fields of an answer, and the rows of its lists."""


def view(answer: Any, compared: Compared) -> View:
    """Return what is compared of an answer."""
    own: dict[str, Any] = {}
    lists: dict[str, list[dict[str, Any]]] = {part: [] for part in compared.names}
    if isinstance(answer, list):
        answer = {next(iter(compared.names)): answer}
    pending = list((answer or {}).items())
    while pending:
        path, value = pending.pop()
        if path in lists:
            hidden = compared.left_out
            lists[path] = [
                {field: of for field, of in row.items() if f"{path}.{field}" not in hidden}
                for row in value
            ]
        elif isinstance(value, dict):
            pending += [(f"{path}.{field}", of) for field, of in value.items()]
        elif path not in OF_PLACE | compared.left_out and value is not None:
            own[path] = value
    return own, lists


def applied(before: View, differing: Iterable[dict[str, Any]]) -> View:
    """Return an answer after changes."""
    own, lists = dict(before[0]), {part: list(rows) for part, rows in before[1].items()}
    for one in differing:
        if one["part"] == OWN:
            own |= one["later"]
            continue
        rows = lists[one["part"]]
        if one["kind"] == "added":
            rows.append(one["later"])
        elif one["kind"] == "ended":
            rows.remove(one["earlier"])
        else:
            (place,) = [at for at, row in enumerate(rows) if one["name"].items() <= row.items()]
            assert one["earlier"].items() <= rows[place].items()
            rows[place] = rows[place] | one["later"]
    return {path: value for path, value in own.items() if value is not None}, lists


def comparable(found: View) -> Any:
    own, lists = found
    encode = partial(msgspec.json.encode, order="sorted")
    return own, {part: sorted(map(encode, rows)) for part, rows in lists.items()}


ROW = st.fixed_dictionaries({"bet": st.sampled_from("abcd"), "stake": st.integers(0, 2)})
ANSWER = st.fixed_dictionaries(
    {
        "wagers": st.lists(ROW, unique_by=lambda row: row["bet"]),
        "payments": st.lists(ROW),
        "status": st.sampled_from(["open", "closed"]),
        "deep": st.one_of(st.none(), st.fixed_dictionaries({"paid": st.integers(0, 2)})),
    }
)
NAMES = {"wagers": ("bet",), "payments": ()}


@given(ANSWER, ANSWER)
def test_an_answer_with_its_differences_is_the_other(
    earlier: dict[str, Any], later: dict[str, Any]
) -> None:
    views = [_plain(answer) for answer in (earlier, later)]
    found = msgspec.to_builtins(list(differences(earlier, later, NAMES)))
    assert comparable(applied(views[0], found)) == comparable(views[1])
    assert list(differences(later, later, NAMES)) == []


def _plain(answer: dict[str, Any]) -> View:
    deep = {} if answer["deep"] is None else {"deep.paid": answer["deep"]["paid"]}
    return (
        {"status": answer["status"], **deep},
        {part: answer[part] for part in NAMES},
    )


def test_two_rows_of_one_name_are_a_fault_of_the_declaration() -> None:
    twice = {"wagers": [{"bet": "a"}, {"bet": "a"}]}
    with pytest.raises(LookupError, match="two rows"):
        list(differences(None, twice, {"wagers": ("bet",)}))


def test_a_changed_row_has_both_values_of_what_differs_alone() -> None:
    rows = [{"wagers": [{"bet": "a", "stake": stake, "box": "1"}]} for stake in (1, 2)]
    (found,) = differences(*rows, {"wagers": ("bet",)})
    assert found == Change("changed", "wagers", {"bet": "a"}, {"stake": 1}, {"stake": 2})


@pytest.fixture(scope="module")
def names(service: Service) -> dict[str, str]:
    (line, *_) = service.get("/api/bets").json()["answer"]["bets"]
    (cup, *_) = service.get("/api/tournaments").json()["answer"]
    (case, *_) = service.get("/api/cases?ended=yes").json()["answer"]["cases"]
    found = {"rounds": line["round"], "accounts": line["account"], "cases": case["case"]}
    *_, package = re.findall(r'href="/packages/([^"]+)"', service.get("/packages").text)
    return found | {"tournaments": cup["tournament"], "packages": package}


def address_of(compared: Compared, names: dict[str, str]) -> str:
    kind = compared.path.split("/")[1]
    about = {"name": names.get(kind, ""), "one_day": "2026-11-20", "period": "2026-11"}
    return compared.path.format(**about)


@pytest.mark.slow("examines the findings of four places")
@pytest.mark.parametrize("path", sorted(BY_PATH))
def test_as_of_one_place_with_what_changed_is_as_of_another(
    service: Service, names: dict[str, str], path: str
) -> None:
    compared, size = BY_PATH[path], service.get("/api/chain").json()["basis"]["position"]
    address, places = address_of(compared, names), random.Random(SEED)
    for _ in range(PAIRS):
        first, last = sorted(places.sample(range(1, size + 1), 2))
        views = []
        for at in (first, last):
            found = service.get(f"/api{address}?as_of={at}&{WHOLE.get(path, '')}".rstrip("&"))
            is_there = found.status_code == HTTPStatus.OK
            views.append(view(found.json()["answer"] if is_there else None, compared))
        found = service.get(f"/api/changes{address}?from={first}&to={last}")
        if not is_there:
            assert found.status_code == HTTPStatus.NOT_FOUND
            continue
        assert found.status_code == HTTPStatus.OK, found.text
        answer = found.json()["answer"]
        assert answer["earlier"]["position"] == first
        assert found.json()["basis"]["position"] == last
        assert answer["since"] == 0
        assert comparable(applied(views[0], answer["changes"])) == comparable(views[1])


def test_a_list_of_changes_has_a_line_a_field_for_people(service: Service) -> None:
    """Money in crowns, moments with their offset; for programs as they are stored."""
    address = "/api/changes/rounds?from=200"
    answer = service.get(address).json()["answer"]
    (line, *_) = [
        one for one in answer["changes"] if one["kind"] == "added" and one["later"]["stakes"]
    ]
    rows = list(csv.DictReader(io.StringIO(service.get(f"{address}&form=csv").text)))
    of_round = {row["field"]: row for row in rows if row["name"] == line["name"]["round"]}
    assert of_round.keys() == {one.path for one in BY_PATH["/rounds"].parts[0].shown}
    assert of_round["stakes"]["earlier"] == ""
    assert of_round["stakes"]["later"] == f"{line['later']['stakes'] / 100:.2f}"
    assert of_round["opened_at"]["later"] == in_prague(line["later"]["opened_at"]).isoformat()
    raw = [json.loads(row) for row in service.get(f"{address}&form=ndjson").text.splitlines()]
    stored = {row["field"]: row["later"] for row in raw if row["name"] == line["name"]["round"]}
    assert stored["stakes"] == str(line["later"]["stakes"])
    assert stored.keys() == line["later"].keys() - {"round"}


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("from=300&to=200", "exchange them"),
        ("from=x", "write a position"),
        ("from=200&as_of=300", "as_of"),
    ],
)
def test_places_that_are_no_comparison_are_refused(service: Service, asked: str, text: str) -> None:
    found = service.get(f"/api/changes/rounds?{asked}")
    assert found.status_code == HTTPStatus.BAD_REQUEST
    assert text in found.json()["detail"]


def test_before_the_first_record_there_was_nothing(service: Service) -> None:
    answer = service.get("/api/changes/tables?from=1999-01-01").json()["answer"]
    assert answer["earlier"] is None
    assert {one["kind"] for one in answer["changes"]} == {"added"}


def test_a_long_list_is_compared_from_its_newest_rows_back(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "ROWS_MAX", 2)
    answer = service.get("/api/changes/rounds?from=200").json()["answer"]
    rounds = [one["later"] for one in answer["changes"]]
    assert len(rounds) == 2
    assert answer["since"] == min(one["opened_position"] for one in rounds)
    assert "were not compared" in service.get("/changes/rounds?from=200").text


def test_without_a_place_it_is_the_visit_before_this_session(service: Service) -> None:
    service.add("visitor", "regulator")
    start = service.get("/api/changes/rounds", "visitor").json()
    basis, earlier = start["basis"], start["answer"]["earlier"]
    assert earlier["position"] < basis["position"]
    assert earlier["moment"] == basis["recorded_at"] - DAY  # never here before

    service.get("/api/rounds", "visitor")
    visited_at = service._last_recorded().envelope.recorded_at
    browser = service.new_browser()
    form = {"token": service.tokens["visitor"], "purpose": "test"}
    browser.post("/sign-in", data=form)
    for _ in range(2):  # pages of this session are no earlier visit
        browser.get("/rounds")
    page = browser.get("/changes/rounds").text
    (earlier, _) = re.findall(r'<dd>position [\d,]+, <time datetime="([^"]+)"', page)
    assert from_datetime(datetime.fromisoformat(earlier)) == visited_at
    assert "Nothing changed." in page


def test_the_record_of_a_comparison_names_what_was_compared(service: Service) -> None:
    service.get("/changes/rounds?from=200&to=300")
    event = service.last_access()
    assert event.question == "GET /changes/rounds"
    assert json.loads(service.last_parameters()) == {"from": "200", "to": "300"}
    page = service.get("/accesses").text
    assert "what changed in: the list of rounds" in page


def test_the_record_names_the_account_that_only_the_answer_reveals(
    service: Service, names: dict[str, str]
) -> None:
    path = f"/cases/{names['cases']}"
    (case,) = service.get(f"/api{path}").json()["answer"]["cases"]
    changes = f"/changes{path}?from=200"
    for address in (f"/api{path}", path, f"/api{path}/letter", f"/api{changes}", changes):
        assert service.get(address).status_code == HTTPStatus.OK
        assert service.last_access().account == case["account"], address


def test_a_page_in_czech_shows_what_a_bet_became(service: Service) -> None:
    """An inspector who saw a round before its settlement sees that it is settled since."""
    events = service.get("/api/events?type=BetSettled&limit=1000").json()["answer"]["events"]
    first = events[-1]
    round_, at = first["facts"]["round"], first["position"]
    page = service.get(f"/changes/rounds/{round_}?from={at}", headers={"Accept-Language": "cs"})
    assert "Co se změnilo" in page.text
    assert re.search(r"<ins>vypořádáno</ins>", page.text)
    assert f'href="/rounds/{round_}"' in page.text
    assert f"/changes/rounds/{round_}" in service.get(f"/rounds/{round_}").text


def test_a_package_is_compared_as_it_was_known_at_both_places(
    service: Service, names: dict[str, str]
) -> None:
    """Bets of the evening that were settled between the places are in its rows since."""
    address = f"/changes/packages/{names['packages']}?from=1000"
    found = service.get(f"/api{address}").json()["answer"]["changes"]
    assert {one["kind"] for one in found} >= {"added", "changed"}
    changed = next(one for one in found if one["kind"] == "changed")
    assert changed["earlier"].keys() == changed["later"].keys()
    assert all(changed["earlier"][one] != text for one, text in changed["later"].items())
    assert (
        f"/changes/packages/{names['packages']}"
        in service.get(f"/packages/{names['packages']}").text
    )


def test_a_feed_has_an_entry_a_change_and_its_programs_sign_in_with_basic(
    service: Service,
) -> None:
    page = service.get("/changes/rounds?from=200", headers={"Accept-Language": "cs"}).text
    (address,) = re.findall(r'<a href="(/api/changes/rounds[^"]+)">Atom', page)
    address = unescape(address)
    known = b64encode(f"x:{service.tokens['regulator']}".encode()).decode()
    headers = {"Authorization": f"Basic {known}", "Accept-Language": "cs"}
    found = service.client.get(address, headers=headers)
    assert found.headers["Content-Type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(found.content)
    entries = feed.findall("{*}entry")
    answer = service.get("/api/changes/rounds?from=200").json()["answer"]
    assert len(entries) == len(answer["changes"])
    ids = {entry.findtext("{*}id") for entry in entries}
    assert len(ids) == len(entries)
    assert all(entry.findtext("{*}title").endswith("přibylo") for entry in entries)
    assert "vypořádáno" in found.text
    again = ElementTree.fromstring(service.client.get(address, headers=headers).content)
    assert {entry.findtext("{*}id") for entry in again.findall("{*}entry")} == ids
    assert feed.find("{*}link[@rel='self']").get("href").endswith(address)
    assert service.client.get("/api/changes/rounds", headers=headers).status_code == 401
