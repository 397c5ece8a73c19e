"""The list of rounds, and one round replayed from what the real write side recorded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from jsonschema import validate

from ledger.core.clock import MINUTE
from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.events.encoding import decode, hash_of
from ledger.games import StakeBack, Winnings
from projections.reconciliation.finding_lifecycle import list_findings
from projections.reconciliation.reconcile import reconcile
from projections.replay.from_log import replay
from projections.replay.in_chips import InChips
from projections.replay.rounds import list_rounds
from projections.store.as_of import as_of
from tests.projections.history_cases import (
    GAME,
    VERSION,
    Casino,
    House,
    placed,
    project,
    round_opened,
    round_voided,
    settled,
    voided,
)
from tests.projections.projection_cases import START
from tools.cli.answers import schema_of
from tools.sanitize import json_line

if TYPE_CHECKING:
    from projections.findings.finding import Finding
    from projections.store.tables import Store
    from tests.projections.projection_cases import Chain


@pytest.fixture
def casino(casino: Casino) -> Casino:
    casino.seat("a")
    return casino


def test_replay_shows_every_fact_of_the_round_with_its_hash(casino: Casino, store: Store) -> None:
    casino.do("open_round", round="q1", table="t")
    casino.bet("q1", 1, "split", 10_000, selection=[17, 20])
    casino.bet("q1", 2, "red", 5_000)
    casino.bet("q1", 3, "straight", 5_000, selection=[40])
    casino.do("withdraw_bet", bet="q1-2", account="a", round="q1")
    casino.do("open_round", round="other", table="t")
    casino.do("land_ball", round="q1", number=3)
    casino.finish("q1", 17, bet1=170_000)
    casino.do("correct_win", round="q1", bet="q1-1", difference=10_000, cause="paid too little")
    casino.project(store)
    found = replay(casino.log, "q1")
    messages = [message for _, message in casino.log.read()]
    expected = [
        (position, decode(message).event.type, hash_of(message).hex())
        for position, message in enumerate(messages)
        if getattr(decode(message).event, "round", "") == "q1"
    ]
    assert [(fact.position, fact.event, fact.hash) for fact in found.facts] == expected
    assert found.head == casino.log.head().hash.hex() == found.facts[-1].hash
    assert found.position == len(messages)
    (split, red) = found.wagers
    assert (split.status, split.result, split.wording) == ("settled", "win", "split 17/20")
    assert (split.due, split.due_again, split.paid, split.paid_now) == (
        180_000,
        180_000,
        170_000,
        180_000,
    )
    assert split.rule == split.rule_again == "SAZKA annex Roulette (Evolution) 22-23"
    assert (red.status, red.due, red.due_again) == ("given_back", None, None)
    (refused,) = found.refusals
    assert refused.facts["code"] == "BET_NOT_ALLOWED"
    assert refused.sentence.startswith("50.00 CZK of a on straight up 40 were refused: ")
    assert [fact.event for fact in found.returned] == ["BetWithdrawn"]
    assert [fact.facts["code"] for fact in found.contradictions] == ["BALL_WITHOUT_SPIN"]
    assert [fact.facts["difference"] for fact in found.corrections] == [10_000]
    assert found.findings == ()
    assert split.explanation is not None
    assert split.explanation.rule == split.rule_again
    assert split.explanation.terms == (Winnings(170_000, 10_000, "17:1"), StakeBack(10_000))
    assert red.explanation is None
    document = json.loads(json_line(found))
    validate(document, schema_of("round replay"))
    assert document["wagers"][0]["explanation"]["facts"]["number"] == 17


def test_replay_line_is_the_line_of_the_list(casino: Casino, store: Store) -> None:
    casino.do("open_round", round="q1", table="t")
    casino.bet("q1", 1, "black", 10_000)
    casino.finish("q1", 17)
    casino.do("open_round", round="q2", table="t")
    casino.bet("q2", 1, "black", 10_000)
    casino.do("void_round", round="q2", ground="operator_interruption")
    casino.do("open_round", round="q3", table="t")
    casino.project(store)
    listed = list_rounds(store).rounds
    assert [line.round for line in listed] == ["q3", "q2", "q1"]
    assert [replay(casino.log, line.round).round for line in listed] == list(listed)
    last = listed[-1]
    assert (last.bets, last.stakes, last.paid, last.house_result) == (1, 10_000, 20_000, -10_000)
    assert (last.table, last.game, last.plan_version) == ("t", GAME, VERSION)


def test_replay_of_the_past_ends_there(casino: Casino, store: Store) -> None:
    casino.do("open_round", round="q1", table="t")
    receipt = casino.bet("q1", 1, "black", 10_000)
    casino.finish("q1", 17)
    casino.project(store)
    found = replay(casino.log, "q1", at=receipt.last_position + 1)
    assert (found.round.status, found.head, len(found.facts)) == ("open", receipt.hash, 2)
    assert found.wagers[0].status == "placed"
    with pytest.raises(InputError, match="round q1 is unknown below position 3"):
        replay(casino.log, "q1", at=3)


def test_replay_names_what_the_plan_finds_wrong(store: Store, chain: Chain) -> None:
    house = House(chain)
    house.table()
    house.account()
    house.opened(1, "r")
    chips = placed("r", code="straight", selection=[17])
    house.at(1, chips)
    house.closed(2, "r", chips)
    house.resulted(3, "r", 17)
    house.at(3, settled(chips, due=0))
    project(chain, store)
    found = replay(chain.tagged(), "r")
    assert [one.code for one in found.findings] == ["DUE_WRONG", "PAID_TOO_LITTLE", "RESULT_WRONG"]
    assert (found.wagers[0].due, found.wagers[0].due_again) == (0, 36_000)


def raised(one: Finding) -> e.FindingRaised:
    """Record a finding as a reconciliation does."""
    sides = {
        f"{side}_{name}": value
        for side in ("ours", "theirs")
        for name, value in (("reference", ""), ("amount", None), ("at", 0), ("position", -1),
                            ("count", 0))
    }  # fmt: skip
    return e.FindingRaised(
        finding=one.identity, code=one.code, fingerprint=one.fingerprint, about=one.about,
        shown_at=one.position, of_account=one.account, of_round=one.round, of_bet=one.bet,
        amount=one.amount, detail="", parameters=one.parameters, paragraph=one.paragraph,
        theirs_statement="", theirs_line=0, **sides,
    )  # fmt: skip


def test_findings_of_a_replay_have_the_state_that_the_list_tells(
    store: Store, chain: Chain
) -> None:
    house = House(chain)
    house.table()
    house.account()
    house.opened(1, "r")
    chips = placed("r", code="straight", selection=[17])
    house.at(1, chips)
    house.closed(2, "r", chips)
    house.resulted(3, "r", 17)
    house.at(3, settled(chips, due=36_000, paid=40_000))
    project(chain, store)
    (new,) = replay(chain.tagged(), "r").findings
    assert (new.code, new.state) == ("PAID_TOO_MUCH", "new")
    by = {"finding": new.identity, "by": "boss"}
    house.at(4, raised(new), e.FindingAssigned(assignee="cage-2", reason="x", **by))
    house.at(
        5,
        e.FindingClosed(
            reason="Kept.", evidence="", fingerprint=new.fingerprint, assessment="right", **by
        ),
    )
    project(chain, store)
    place = as_of(store, None)
    (closed,) = replay(chain.tagged(), "r").findings
    assert (closed.state, closed.assignee) == ("closed", "cage-2")
    assert [closed] == reconcile(store)
    (opened,) = replay(chain.tagged(), "r", at=place.position - 1).findings
    assert (opened.state, opened.assignee) == ("open", "cage-2")
    (listed,) = list_findings(store, with_ended=True).findings
    assert listed.finding == closed
    assert list_findings(store, account=closed.account).findings == ()
    with pytest.raises(InputError, match="nobody"):
        list_findings(store, account="nobody")


def test_bets_in_chips_stand_apart_by_currency(store: Store, chain: Chain) -> None:
    house = House(chain)
    house.table()
    house.account()
    house.played(1, "r", until=2)
    house.at(3, in_chips("r", 100, 200), in_chips("r", 300, 0))
    house.at(4, in_chips("r", -50, -100, corrects="s"), in_chips("r", 7, 9, currency="EUR"))
    project(chain, store)
    found = replay(chain.tagged(), "r")
    assert found.in_chips == (InChips("CZK", 2, 350, 100), InChips("EUR", 1, 7, 9))
    assert [one.round for one in list_rounds(store).rounds] == ["r"]
    assert found.round == list_rounds(store).rounds[0]
    assert found.findings == ()


def in_chips(
    name: str, amount: int, paid: int, *, currency: str = "CZK", corrects: str = ""
) -> e.ChipBetSettled:
    return e.ChipBetSettled(
        place="p", section="s-1", station="t", slip="s", corrects=corrects, cause="",
        till="table:t", round=name, seat=1, bet_code="red", currency=currency, amount=amount,
        paid=paid,
    )  # fmt: skip


def several(chain: Chain) -> House:
    """Play rounds of every status at two tables, a minute apart."""
    house = House(chain)
    house.table()
    house.table("t2")
    house.account("a")
    house.account("b")
    house.played(1, "settled", until=2)
    house.opened(3, "resulted")
    chips = placed("resulted", account="b")
    house.at(3, chips)
    house.closed(3, "resulted", chips)
    house.resulted(4, "resulted")
    house.opened(5, "voided", table="t2")
    gone = placed("voided", table="t2")
    house.at(5, gone)
    house.closed(5, "voided", gone, table="t2")
    house.at(5, round_voided("voided", table="t2"), voided(gone))
    house.opened(6, "closed")
    house.closed(6, "closed")
    house.opened(7, "open", table="t2")
    return house


@pytest.mark.parametrize("status", ["settled", "resulted", "voided", "closed", "open"])
def test_rounds_are_listed_by_status(store: Store, chain: Chain, status: str) -> None:
    project(several(chain).chain, store)
    (line,) = list_rounds(store, status=status).rounds  # type: ignore[arg-type]
    assert (line.round, line.status) == (status, status)


def test_rounds_are_listed_by_table_account_and_moment(store: Store, chain: Chain) -> None:
    project(several(chain).chain, store)

    def names(**asked: object) -> list[str]:
        return [line.round for line in list_rounds(store, **asked).rounds]  # type: ignore[arg-type]

    assert names() == ["open", "closed", "voided", "resulted", "settled"]
    assert names(table="t2") == ["open", "voided"]
    assert names(account="b") == ["resulted"]
    with pytest.raises(InputError, match="game other is unknown"):
        names(game="other")
    moment = START + 5 * MINUTE
    assert names(opened_from=moment) == ["open", "closed", "voided"]
    assert names(opened_before=moment) == ["resulted", "settled"]


def test_rounds_are_listed_by_dealer_device_and_shoe(store: Store, chain: Chain) -> None:
    house = several(chain)
    house.account("c", minute=8)
    wheel = {"devices": ("w1", "s1"), "device_kinds": ("wheel", "shuffler"), "serials": ("1", "2")}
    house.at(8, round_opened("q1", table="t", streamed=True, dealer="d2", shoe="sh1", **wheel))
    house.at(9, round_opened("q2", table="t", streamed=True, dealer="d2", shoe="sh2"))
    house.at(9, placed("q2", account="c"))
    project(house.chain, store)

    def names(**asked: object) -> list[str]:
        return [line.round for line in list_rounds(store, **asked).rounds]  # type: ignore[arg-type]

    assert names(dealer="d2") == ["q2", "q1"]
    assert names(dealer="d2", shoe="sh1") == names(device="s1") == ["q1"]
    assert names(dealer="d2", account="c") == ["q2"]
    assert names(near=START + 8 * MINUTE, dealer="d2") == ["q1", "q2"]
    for kind in ("dealer", "device", "shoe"):
        with pytest.raises(InputError, match=f"{kind} other is unknown"):
            names(**{kind: "other"})


@pytest.mark.parametrize(("minute", "nearest"), [(2.2, "resulted"), (6.9, "open"), (-5, "settled")])
def test_rounds_near_a_moment_begin_with_the_nearest(
    store: Store, chain: Chain, minute: float, nearest: str
) -> None:
    project(several(chain).chain, store)
    moment = START + int(minute * MINUTE)
    every = list_rounds(store).rounds
    found = list_rounds(store, near=moment)
    distances = [abs(line.opened_at - moment) for line in found.rounds]
    assert (found.rounds[0].round, found.before) == (nearest, None)
    assert distances == sorted(distances)
    assert set(found.rounds) == set(every)
    assert list_rounds(store, near=moment, limit=2).rounds == found.rounds[:2]


def test_pages_follow_one_another(store: Store, chain: Chain) -> None:
    project(several(chain).chain, store)
    first = list_rounds(store, limit=3)
    second = list_rounds(store, limit=3, before=first.before)
    assert [len(first.rounds), len(second.rounds), second.before] == [3, 2, None]
    assert first.rounds + second.rounds == list_rounds(store).rounds
    with pytest.raises(InputError, match="give 1 to 1000"):
        list_rounds(store, limit=0)


def test_an_empty_chain_has_no_rounds(store: Store, chain: Chain) -> None:
    assert list_rounds(store).rounds == ()
    with pytest.raises(InputError):
        replay(chain.tagged(), "r")
