"""What a text of the search describes, and what is found for it."""

from __future__ import annotations

import re
import shutil
from contextlib import closing
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.clock import PRAGUE, from_datetime, in_prague
from ledger.decisions.operator.setup import SeatDealer
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from tests.tools.access.access_cases import Service, record
from tools.access.search_terms import terms_of
from tools.data import DataDirectory
from tools.data.locations import LOCAL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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
        ("25:03", None, None, ("25:03",)),
        ("evo-1-00042", None, None, ("evo-1-00042",)),
    ],
)
def test_a_text_is_split_into_terms(
    text: str, near: datetime | None, amount: int | None, words: tuple[str, ...] | None
) -> None:
    found = terms_of(text, in_prague(NOW).date())
    assert (found.near(NOW), found.amount) == (near, amount)
    assert words is None or found.words == words


@given(st.text(alphabet="0123456789:.,- vetKčCZ", max_size=60))
def test_terms_of_any_text_lie_in_the_past(text: str) -> None:
    found = terms_of(text, in_prague(NOW).date())
    near = found.near(NOW)
    if near and not re.search(r"\d{4}", text):
        assert near.date() <= in_prague(NOW).date()


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
