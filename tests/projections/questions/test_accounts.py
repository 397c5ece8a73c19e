"""One account's story, and the numbers of a day."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import DAY, HOUR, MINUTE, day_of, midnight_after, to_datetime
from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.events.encoding import decode
from projections.questions.accounts import account_story, list_accounts
from projections.questions.balances import balance
from projections.questions.report import day_report
from projections.reconciliation.reconcile import examine
from tests.projections.history_cases import Casino, House, project
from tests.projections.projection_cases import START

if TYPE_CHECKING:
    from projections.store.tables import Store
    from tests.projections.projection_cases import Chain


@pytest.fixture
def casino(casino: Casino) -> Casino:
    casino.seat("a")
    return casino


def test_story_tells_what_binds_the_account_now(casino: Casino, store: Store) -> None:
    casino.do("set_limit", account="a", measure="a", value=50_000)
    set_at = casino.clock.moment
    casino.do("open_round", round="q1", table="t")
    casino.bet("q1", 1, "black", 10_000)
    casino.finish("q1", 17)
    pressed_at = casino.clock.moment
    casino.do("press_panic_button", account="a")
    casino.do("impose_exclusion", account="a", ground="operator")
    casino.project(store)
    story = account_story(store, casino.log, "a")
    assert (story.status, story.regime, story.internet) == ("open", "permanent", True)
    assert story.balance == balance(store, "a")
    assert story.balance.wallet == 10**6 + 10_000
    limit, *others = story.measures
    assert (limit.measure, limit.value, limit.next_value) == ("a", None, 50_000)
    assert limit.next_at == midnight_after(set_at)
    assert [(other.measure, other.value) for other in others] == [(m, None) for m in "bcdefg"]
    assert [(block.kind, block.ground) for block in story.blocks] == [
        ("panic", ""),
        ("exclusion", "operator"),
    ]
    assert story.blocks[0].until == pressed_at + 48 * HOUR
    assert story.register is not None
    assert (story.register.occasion, story.register.answer) == ("login", "clear")
    (session,) = story.sessions
    assert (session.mode, session.cause) == ("full", "exclusion")
    assert story.sequence is not None
    assert (story.sequence.rounds, story.sequence_runs) == (1, True)
    assert story.head == casino.log.head().hash.hex()
    assert json.loads(json.dumps(asdict(story)))["account"] == "a"


def test_of_two_exclusions_on_a_ground_the_longer_one_is_told(casino: Casino, store: Store) -> None:
    imposed_at = casino.clock.moment
    casino.do("impose_exclusion", account="a", ground="register")
    casino.clock.moment += MINUTE
    until = to_datetime(casino.clock.moment + HOUR).isoformat()
    casino.do("impose_exclusion", account="a", ground="register", until=until)
    casino.project(store)
    (block,) = account_story(store, casino.log, "a").blocks
    assert (block.ground, block.since, block.until) == ("register", imposed_at, None)


def test_a_looser_measure_that_is_asked_for_hides_no_stricter_one(
    casino: Casino, store: Store
) -> None:
    for value in (50_000, 20_000, 30_000):
        casino.do("set_limit", account="a", measure="a", value=value)
    set_at = casino.clock.moment
    casino.project(store)
    measure = account_story(store, casino.log, "a").measures[0]
    midnight, seventh = midnight_after(set_at), midnight_after(set_at, days=7)
    assert (measure.value, measure.next_value, measure.next_at) == (None, 20_000, midnight)
    casino.clock.moment = midnight
    casino.do("log_out", account="a")
    casino.project(store)
    measure = account_story(store, casino.log, "a").measures[0]
    assert (measure.value, measure.next_value, measure.next_at) == (20_000, 30_000, seventh)


def test_last_facts_are_those_with_the_account_s_tag(casino: Casino, store: Store) -> None:
    casino.do("open_round", round="q1", table="t")
    casino.bet("q1", 1, "black", 10_000)
    casino.finish("q1", 17)
    casino.project(store)
    expected = [
        (position, decode(message).event.type)
        for position, message in casino.log.read()
        if "account:a" in decode(message).event.index_tags()
    ]
    assert len(expected) > 15
    for count in (5, 1_000):
        facts = account_story(store, casino.log, "a", facts=count).facts
        assert [(fact.position, fact.event) for fact in facts] == expected[-count:]
    assert all("name" not in fact.facts for fact in facts if fact.event == "AccountOpened")


def test_blocks_end_with_time_and_position(casino: Casino, store: Store) -> None:
    before = casino.log.head().size
    casino.do("press_panic_button", account="a")
    casino.wait(48 * 60)
    casino.do("log_out", account="a")
    casino.do("request_cancellation", account="a", ground="12(4)")
    casino.project(store)
    story = account_story(store, casino.log, "a")
    assert (story.blocks, story.status) == ((), "cancelling")
    assert story.sequence is None
    early = account_story(store, casino.log, "a", at=before)
    assert (early.blocks, early.status, early.position) == ((), "open", before)
    assert early.sessions[0].ended_at is None
    with pytest.raises(InputError, match="account b is unknown"):
        account_story(store, casino.log, "b")


def test_the_end_of_a_temporary_account_stands_among_the_blocks(store: Store, chain: Chain) -> None:
    house = House(chain)
    house.account(regime="temporary")
    over = 30 * 24 * 60
    house.at(over, e.SeatLeft(account="a", table="t"), micros=-1)
    before = house.at(over, e.SeatLeft(account="a", table="t"))
    project(chain, store)
    assert account_story(store, chain.tagged(), "a", at=before).blocks == ()
    (block,) = account_story(store, chain.tagged(), "a").blocks
    assert (block.kind, block.since, block.until) == ("temporary", START + over * MINUTE, None)


def test_break_stands_among_the_blocks_until_it_is_over(store: Store, chain: Chain) -> None:
    house = House(chain)
    house.table()
    house.account()
    house.played(0, "r", until=120)
    house.at(134, e.SeatTaken(account="a", table="t"))
    project(chain, store)
    (block,) = account_story(store, chain.tagged(), "a").blocks
    assert (block.kind, block.until) == ("break", START + 135 * MINUTE)
    house.at(135, e.SeatLeft(account="a", table="t"))
    project(chain, store)
    story = account_story(store, chain.tagged(), "a")
    assert (story.blocks, story.sequence_runs) == ((), False)


def test_a_break_binds_every_account_of_the_person(store: Store, chain: Chain) -> None:
    house = House(chain)
    house.table()
    house.account()
    house.played(0, "r", until=121)
    house.account("b", person="p-a", minute=122)
    house.account("c", minute=123)
    project(chain, store)
    stories = {name: account_story(store, chain.tagged(), name) for name in "abc"}
    ((of_a,), (of_b,), of_c) = (stories[name].blocks for name in "abc")
    assert of_a == of_b
    assert (of_b.kind, of_b.until) == ("break", START + 136 * MINUTE)
    assert of_c == ()
    assert (stories["b"].sequence, stories["b"].sequence_runs) == (stories["a"].sequence, True)
    assert stories["c"].sequence is None


def test_measures_take_effect_at_their_moment(store: Store, chain: Chain) -> None:
    house = House(chain)
    house.account()

    def limit(minute: float, value: int, effective: int, change: str) -> None:
        house.at(
            minute,
            e.LimitSet(
                account="a",
                measure="b",
                value=value,
                previous=None,
                change=change,
                effective_at=effective,
            ),
        )

    limit(0, 500, START, "first")
    limit(1, 900, START + 7 * DAY, "looser")
    project(chain, store)
    measures = account_story(store, chain.tagged(), "a").measures
    (measure,) = (one for one in measures if one.measure == "b")
    assert (measure.value, measure.next_value) == (500, 900)
    house.at(7 * DAY // MINUTE, e.SeatTaken(account="a", table="t"))
    project(chain, store)
    measures = account_story(store, chain.tagged(), "a").measures
    (measure,) = (one for one in measures if one.measure == "b")
    assert (measure.value, measure.next_value, measure.next_at) == (900, None, None)


def test_day_report_counts_the_day(casino: Casino, store: Store) -> None:
    day = day_of(casino.clock.moment)
    casino.do("open_round", round="q1", table="t")
    casino.bet("q1", 1, "black", 10_000)
    casino.bet("q1", 2, "red", 30_000)
    casino.bet("q1", 3, "straight", 10**9, selection=[3])
    casino.finish("q1", 17)
    casino.do("withdraw", account="a", withdrawal="w1", amount=5_000, method="bank")
    casino.do("pay_withdrawal", account="a", withdrawal="w1")
    casino.do("log_out", account="a")
    casino.wait(60 * 24)
    casino.do("open_round", round="q2", table="t")
    casino.project(store)
    report = day_report(store, day)
    assert (report.rounds_opened, report.rounds_resulted, report.rounds_voided) == (1, 1, 0)
    assert (report.bets, report.stakes) == (2, 40_000)
    assert report.refusals == {"BET_NOT_ALLOWED": 1}
    (channel,) = report.channels
    assert (channel.channel, channel.deposits, channel.withdrawals) == ("account", 10**6, 5_000)
    (game,) = report.games
    assert (game.name, game.rounds, game.bets, game.stakes) == ("Ruleta", 1, 2, 40_000)
    assert game.house_result == 20_000
    assert report.longest_play is not None
    assert report.longest_play.account == "a"
    assert (report.breaks_imposed, report.findings, report.findings_total) == (0, {}, 0)
    assert report.head == casino.log.head().hash.hex()
    whole = day_report(store, reconciliation=examine(store))
    assert (whole.rounds_opened, whole.bets) == (2, 2)
    nothing = day_report(store, "2020-02-29")
    assert (nothing.rounds_opened, nothing.channels, nothing.longest_play) == (0, (), None)
    assert json.loads(json.dumps(asdict(whole)))["day"] == ""
    with pytest.raises(InputError, match="is not a day"):
        day_report(store, "2026-02-30")


def test_accounts_are_listed_newest_first_with_the_status_of_their_story(
    casino: Casino, store: Store
) -> None:
    casino.seat("b")
    casino.seat("c")
    casino.do("request_cancellation", account="b", ground="12(4)")
    casino.project(store)
    found = list_accounts(store)
    assert [one.account for one in found.accounts] == ["c", "b", "a"]
    assert found.before is None
    for one in found.accounts:
        story = account_story(store, casino.log, one.account)
        assert (one.status, one.opened_at) == (story.status, story.opened_at)
    assert [one.account for one in list_accounts(store, status="cancelling").accounts] == ["b"]
    assert [one.account for one in list_accounts(store, status="open").accounts] == ["c", "a"]


def test_accounts_are_listed_in_pieces_and_as_of_a_position(casino: Casino, store: Store) -> None:
    casino.seat("b")
    size = casino.log.head().size
    casino.seat("c")
    casino.project(store)
    first = list_accounts(store, limit=2)
    assert first.before is not None
    rest = list_accounts(store, limit=2, before=first.before)
    names = [one.account for one in (*first.accounts, *rest.accounts)]
    assert names == ["c", "b", "a"]
    assert [one.account for one in list_accounts(store, at=size).accounts] == ["b", "a"]
