"""What a text of the search describes, and what is found for it."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from contextlib import closing
from datetime import datetime
from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.clock import DAY, PRAGUE, from_datetime, in_prague
from ledger.decisions.operator.setup import SeatDealer
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from projections.words.catalogue import Language, Words
from tests.tools.access.access_cases import Service, record
from tools.access.search_terms import terms_of
from tools.access.writers import SPELLINGS
from tools.data import DataDirectory
from tools.data.locations import LOCAL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CZECH = Words(Language.CS)
ACCENTED = "Šárka-7"
NOW = from_datetime(datetime(2026, 11, 21, 2, 30, tzinfo=PRAGUE))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("text", "near", "amount", "words"),
    [
        (
            "asi ve 21:03 u stolu Ruleta 2",
            at("2026-11-20T21:03"),
            None,
            ("asi", "ve", "u", "stolu", "ruleta", "2"),
        ),
        ("about 21:03 at the table Roulette 2", at("2026-11-20T21:03"), None, None),
        ("ve 21.03", at("2026-11-20T21:03"), None, ()),
        ("1:15 evo-1", at("2026-11-21T01:15"), None, ("evo-1",)),
        ("20. 11. 2026 v 9:05, krupiér d-1", at("2026-11-20T09:05"), None, None),
        ("24.12. 23:59", at("2025-12-24T23:59"), None, ()),
        ("2026-11-19 21:03", at("2026-11-19T21:03"), None, ()),
        ("500 Kč", None, 50_000, ()),
        ("1 234,50 Kč", None, 123_450, ()),
        ("CZK 1,234.50", None, 123_450, ()),
        ("1\N{NARROW NO-BREAK SPACE}234 Kč", None, 123_400, ()),
        ("500,5 Kč", None, None, ("500,5", "kc")),
        ("99999999999999999999 Kč", None, None, ("99999999999999999999", "kc")),
        ("výběr 20 000 korun kolem 8:00", at("2026-11-20T08:00"), 2_000_000, ("vyber", "kolem")),
        ("31. 2. 2026", None, None, ("31", "2", "2026")),
        ("18. listopadu 2026 ve 21:03", at("2026-11-18T21:03"), None, ("ve",)),
        ("18 November 2026, 9:03 pm", at("2026-11-18T21:03"), None, ()),
        ("Nov 18, 9.03 p.m.", at("2026-11-18T21:03"), None, ()),
        ("18/11/26 12:05 am", at("2026-11-18T00:05"), None, ()),
        ("29. února 12:00", at("2024-02-29T12:00"), None, ()),
        ("předevčírem v 9 hodin večer", at("2026-11-19T21:00"), None, ("v",)),
        ("v úterý ve 21 h", at("2026-11-17T21:00"), None, ("v", "ve")),
        ("2026-11-18T20:03:05Z", at("2026-11-18T21:03:05"), None, None),
        ("21:03 500 Kč", at("2026-11-20T21:03"), 50_000, ()),
        ("500,- Kč", None, 50_000, ()),
        ("12 500,\N{EN DASH}", None, 1_250_000, ()),
        ("asi 12.50 Kč", None, 1_250, ("asi",)),
        ("Jan Pátek", None, None, ("jan", "patek")),
        ("500 Kc", None, 50_000, ()),
        ("500 kcal", None, None, ("500", "kcal")),
        ("1 00 Kč", None, None, ("1", "00", "kc")),
        ("1234 567 Kč", None, None, ("1234", "567", "kc")),
        ("evo-1-2026-11-18", None, None, ("evo-1-2026-11-18",)),
        ("25:03", None, None, ("25:03",)),
        ("evo-1-00042", None, None, ("evo-1-00042",)),
    ],
)
def test_a_text_is_split_into_terms(
    text: str, near: datetime | None, amount: int | None, words: tuple[str, ...] | None
) -> None:
    found = terms_of(text, in_prague(NOW).date())
    moments = () if near is None else (from_datetime(near.replace(tzinfo=PRAGUE)),)
    assert (found.near(NOW), found.amount) == (moments, amount)
    assert words is None or found.words == words


@pytest.mark.parametrize(("text", "day"), [("včera", 20), ("Dnes", 21), ("yesterday", 20)])
def test_the_name_of_a_day_alone_is_that_day(text: str, day: int) -> None:
    found = terms_of(text, in_prague(NOW).date())
    assert (found.day, found.words) == (in_prague(NOW).date().replace(day=day), ())


@given(st.integers(DAY, NOW))
def test_every_time_that_we_write_is_read_back(moment: int) -> None:
    """As pages and lists of both languages write it; to the second where they have no more."""
    moment -= moment % 1000
    shown, today = in_prague(moment), in_prague(NOW).date()
    texts = [Words(language).moment(moment) for language in Language]
    texts += [spelling.moment(moment) for spelling in SPELLINGS.values()]
    texts += [shown.isoformat(), shown.isoformat(" ", "milliseconds")]
    for text in texts:
        found = terms_of(text, today)
        assert moment // 10**6 in [one // 10**6 for one in found.near(NOW)], text
        assert found.day in {shown.date(), None}


def test_a_time_that_occurs_twice_means_both_unless_its_zone_is_named() -> None:
    today = in_prague(NOW).date()
    both = terms_of("25. 10. 2026 2:30", today).near(NOW)
    first = terms_of("25. 10. 2026 2:30 SELČ", today).near(NOW)
    second = terms_of("25. 10. 2026 2:30 SEČ", today).near(NOW)
    assert both == first + second
    assert terms_of("29. 3. 2026 2:30", today).near(NOW) == ()


@given(st.text(alphabet="0123456789:.,-/ vetKčCZpmhT+", max_size=60))
def test_terms_of_any_text_lie_in_the_past(text: str) -> None:
    found = terms_of(text, in_prague(NOW).date())
    if not re.search(r"\d{4}|\d/\d+/\d|\.\d\d", text):
        assert all(in_prague(one).date() <= in_prague(NOW).date() for one in found.near(NOW))


@pytest.fixture(scope="module")
def service(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The evening, with a dealer whose identifier has accents."""
    data = shutil.copytree(played, tmp_path_factory.mktemp("searched") / "data", symlinks=True)
    with closing(DataDirectory(data, LOCAL).read()) as log:
        (opened,) = events_at(log, log.find(Query(types=("TableOpened",)), limit=1))
    assert isinstance(opened.event, e.TableOpened)
    record(data, SeatDealer(table=opened.event.table, dealer=ACCENTED))
    with Service.over(data) as service:
        yield service


@pytest.fixture(scope="module")
def first(service: Service) -> dict[str, str]:
    """A round of a roulette, with when it was opened in Prague."""
    rounds = service.get("/api/rounds?game=sazka.roulette_evolution").json()["answer"]["rounds"]
    line = rounds[len(rounds) // 2]
    opened = in_prague(line["opened_at"])
    return {
        "round": line["round"],
        "table": line["table"],
        "clock": f"{opened:%H:%M}",
        "day": f"{opened:%Y-%m-%d}",
    }


@pytest.mark.parametrize(
    "text",
    [
        "asi ve {clock} u stolu {table}",
        "about {clock} at the table {table}",
        "{day} {clock} {table}",
    ],
)
def test_time_and_table_lead_to_the_nearest_rounds(
    service: Service, first: dict[str, str], text: str
) -> None:
    found = service.get("/search", params={"q": text.format(**first)})
    assert found.status_code == HTTPStatus.SEE_OTHER, found.text
    place = urlsplit(found.headers["Location"])
    asked = {name: value for name, (value,) in parse_qs(place.query).items()}
    assert place.path == "/rounds"
    assert asked == {"near": f"{first['day']}T{first['clock']}", "table": first["table"]}
    assert f'/rounds/{first["round"]}"' in service.get(found.headers["Location"]).text


@pytest.mark.parametrize("game", ["rulety", "Roulette", "ruletě"])
def test_a_game_and_its_number_name_tables(
    service: Service, first: dict[str, str], game: str
) -> None:
    number = first["table"].rpartition("-")[2]
    found = service.get("/search", params={"q": f"kolem {first['clock']} u {game} {number}"})
    tables = re.findall(r'href="/rounds\?near=[^"]+;table=([^"]+)"', found.text)
    assert first["table"] in tables
    assert all(table.endswith(f"-{number}") for table in tables)


@pytest.mark.parametrize("text", [ACCENTED, "sarka-7", "Dealer SARKA-7"])
def test_a_dealer_is_found_with_and_without_accents(service: Service, text: str) -> None:
    found = service.get("/search", params={"q": text})
    assert found.status_code == HTTPStatus.SEE_OTHER, found.text[-1500:]
    assert unquote(found.headers["Location"]) == f"/rounds?dealer={ACCENTED}"


def test_dealer_amount_and_reference_are_found(service: Service) -> None:
    facts = [
        one["facts"]
        for one in service.get("/api/events?type=DealerSeated").json()["answer"]["events"]
    ]
    found = service.get("/search", params={"q": f"krupiér {facts[0]['dealer']}"})
    assert found.status_code == HTTPStatus.SEE_OTHER, found.text[-1500:]
    assert found.headers["Location"] == f"/rounds?dealer={facts[0]['dealer']}"
    bet = service.get("/api/bets").json()["answer"]["bets"][0]
    crowns = f"{bet['stake'] // 100} Kč"
    assert f'href="/rounds/{bet["round"]}"' in service.get("/search", params={"q": crowns}).text
    hidden = service.get("/search", "data-protection", params={"q": crowns})
    assert "/rounds/" not in hidden.text


def test_the_nearest_bets_of_an_amount_come_first(service: Service) -> None:
    bets = service.get("/api/bets?limit=1000").json()["answer"]["bets"]
    (stake, _), *_ = Counter(one["stake"] for one in bets).most_common()
    of_stake = [one for one in bets if one["stake"] == stake]
    wanted = of_stake[len(of_stake) // 2]
    shown = in_prague(wanted["placed_at"])
    asked = f"{stake // 100} Kč {CZECH.moment(wanted['placed_at'])}"
    page = service.get("/search", params={"q": asked}).text
    listed = re.findall(r'<a href="/rounds/([^"?]+)"', page)
    assert listed[0] == wanted["round"], shown


def test_a_day_alone_leads_to_its_rounds(service: Service, first: dict[str, str]) -> None:
    day = datetime.fromisoformat(first["day"]).date()
    for text in (CZECH.date(day), f"{day:%d.%m.%Y}", first["day"]):
        found = service.get("/search", params={"q": text})
        assert found.headers["Location"] == f"/rounds?day={first['day']}", found.text[-1500:]
    found = service.get("/search", params={"q": f"{first['day']} u stolu {first['table']}"})
    assert found.headers["Location"] == f"/rounds?day={first['day']}&table={first['table']}"


def test_a_time_that_occurs_twice_is_offered_twice(service: Service) -> None:
    page = service.get("/search", params={"q": "25. 10. 2026 2:30"}).text
    addresses = list(map(unescape, re.findall(r'href="(/rounds\?near=[^"]+)"', page)))
    assert len(addresses) == 2
    for address in addresses:
        assert service.get(address).status_code == HTTPStatus.OK
