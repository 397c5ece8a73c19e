"""Plans that chains published take the place of those that ship, each under one content."""

from __future__ import annotations

from hashlib import sha256

import pytest

from ledger import games
from ledger.core.errors import IntegrityError
from ledger.games import plans

SHIPPED = "69games.lucky_wheel"
WHEEL = games.document(SHIPPED, "unknown")


@pytest.fixture(autouse=True)
def _empty_register(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "_PUBLISHED", {})


def publish(game: str, version: str, text: str) -> None:
    games.register_plan(game, version, text, sha256(text.encode()).hexdigest())


def named(game: str, version: str) -> str:
    return WHEEL.replace(f'"{SHIPPED}"', f'"{game}"').replace('"unknown"', f'"{version}"', 1)


def test_a_published_plan_is_found_like_one_that_ships() -> None:
    with pytest.raises(games.UnknownGameError):
        games.plan("acme.wheel")
    publish("acme.wheel", "2027-01-01", named("acme.wheel", "2027-01-01"))
    publish(SHIPPED, "2027-01-01", named(SHIPPED, "2027-01-01"))
    assert "acme.wheel" in games.games()
    assert games.plan("acme.wheel").header.version == "2027-01-01"
    assert games.plan("acme.wheel") is games.plan("acme.wheel", "2027-01-01")
    assert games.versions(SHIPPED) == ("unknown", "2027-01-01")
    assert games.plan(SHIPPED).header.version == "2027-01-01"


def test_the_published_content_counts_and_not_the_file_that_ships() -> None:
    publish(SHIPPED, "unknown", WHEEL.replace("turns_needed = 3", "turns_needed = 4"))
    assert games.plan(SHIPPED, "unknown").turns_needed == 4
    assert "turns_needed = 4" in games.document(SHIPPED, "unknown")


def test_one_version_with_two_contents_is_an_integrity_error() -> None:
    text = named("acme.wheel", "2027-01-01")
    publish("acme.wheel", "2027-01-01", text)
    publish("acme.wheel", "2027-01-01", text)
    with pytest.raises(IntegrityError, match="two documents"):
        publish("acme.wheel", "2027-01-01", f"{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "family = 3",
        named("acme.other", "2027-01-01"),
        named("acme.wheel", "2027-01-01").replace('"wheel"', '"of a later program"'),
    ],
)
def test_what_cannot_be_parsed_concerns_its_own_version_only(text: str) -> None:
    publish("acme.wheel", "2026-01-01", named("acme.wheel", "2026-01-01"))
    publish("acme.wheel", "2027-01-01", text)
    with pytest.raises(games.UnknownGameError):
        games.plan("acme.wheel", "2027-01-01")
    assert [one.header.version for one in games.plans_of("acme.wheel")] == ["2026-01-01"]


def test_plans_from_outside_hold_in_their_context_only() -> None:
    publish("acme.wheel", "2027-01-01", named("acme.wheel", "2027-01-01"))
    other = named("acme.wheel", "2027-01-01").replace("turns_needed = 3", "turns_needed = 4")
    digest = sha256(other.encode()).hexdigest()
    with games.only_published([("acme.wheel", "2027-01-01", other, digest)]):
        assert games.plan("acme.wheel").turns_needed == 4
    with games.only_published([("acme.wheel", "2027-01-01", other, "0" * 64)]):
        assert "acme.wheel" not in games.games()
    assert games.plan("acme.wheel").turns_needed == 3


def test_a_document_without_its_digest_is_left_out() -> None:
    games.register_plan("acme.wheel", "2027-01-01", named("acme.wheel", "2027-01-01"), "0" * 64)
    with pytest.raises(games.UnknownGameError):
        games.plan("acme.wheel")
