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
    games.ChainPlans().register(game, version, text, sha256(text.encode()).hexdigest())


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


def test_one_version_with_two_contents_in_two_chains_is_an_integrity_error() -> None:
    text = named("acme.wheel", "2027-01-01")
    publish("acme.wheel", "2027-01-01", text)
    publish("acme.wheel", "2027-01-01", text)
    with pytest.raises(IntegrityError, match="two documents"):
        publish("acme.wheel", "2027-01-01", f"{text}\n")


def test_of_two_contents_in_one_chain_the_first_counts() -> None:
    text, chain = named("acme.wheel", "2027-01-01"), games.ChainPlans()
    for document, digest_of in ((text, "x"), (text, text), (f"{text}\n", f"{text}\n")):
        digest = sha256(digest_of.encode()).hexdigest()
        chain.register("acme.wheel", "2027-01-01", document, digest)
    assert games.document("acme.wheel", "2027-01-01") == text
    asked = [
        ("acme.wheel", "2027-01-01", one, sha256(one.encode()).hexdigest())
        for one in (text, f"{text}\n")
    ]
    with games.only_published(asked):
        assert games.document("acme.wheel", "2027-01-01") == text


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
    games.ChainPlans().register(
        "acme.wheel", "2027-01-01", named("acme.wheel", "2027-01-01"), "0" * 64
    )
    with pytest.raises(games.UnknownGameError):
        games.plan("acme.wheel")
