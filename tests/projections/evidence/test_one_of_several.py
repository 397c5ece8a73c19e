"""Evidence for one participant of several: the result and the settlement, without the others.

The record of the result names every participant, so it is withheld; what cards, ball and actions
show must give the same result, and the same amount for each bet of the participant.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError
from ledger.decisions.operator.keys import AddSigningKey, RecordCheckpoint
from ledger.events import event_types as e
from ledger.events.encoding import decode, decode_envelope
from ledger.log.memory import MemoryLog
from ledger.tlog.signing import SigningKey
from projections.evidence.collect import account_evidence, round_evidence
from projections.evidence.document import encode
from projections.evidence.page import page_of
from projections.evidence.story import plans_of, story_of
from projections.evidence.verify import verify
from projections.replay.from_log import replay
from projections.words.catalogue import Language, Words
from tests.projections.hand_cases import PokerRoom
from tests.projections.history_cases import Casino
from tools.simulator import ALL, create, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.writer import Ledger
    from projections.evidence.verify import VerifiedFile
    from projections.replay.round import Replay, ShownResult

ACCOUNT = "account:"
ROUNDS_EACH = 3
PARTICIPANTS = 2
RULES = {"OperatorRulesPublished", "RulesPublished", "TableOpened"}


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryLog]:
    log = MemoryLog()
    ledger = create(log, tmp_path_factory.mktemp("one-of-several"), seed=23)
    run(ledger, seed=23, hours=0.2, players=60, dealt=ALL)
    ((_, last),) = log.read(log.head().size - 1)
    sign(ledger, decode_envelope(last).recorded_at)
    yield log
    ledger.close()


def sign(ledger: Ledger, at: int) -> None:
    key = SigningKey(ledger.chain, bytes(range(32)))
    added = AddSigningKey(key_id=key.key_id, public_key=key.public.raw, reason="Example.")
    ledger.submit(added, at=at).result()
    ledger.submit(RecordCheckpoint.of(ledger.checkpoint(), key), at=at).result()


def shared_rounds(log: MemoryLog) -> dict[str, dict[str, list[str]]]:
    """Return by game the participants of some rounds with a result and several participants."""
    rounds, games, resulted = defaultdict[str, set[str]](set), dict[str, str](), list[str]()
    for _, body in log.read():
        event = decode(body).event
        name = getattr(event, "round", "")
        rounds[name] |= {tag for tag in event.index_tags() if tag.startswith(ACCOUNT)}
        if isinstance(event, e.RoundOpened):
            games[name] = event.game
        elif isinstance(event, e.RoundResulted):
            resulted.append(name)
    found = defaultdict[str, dict[str, list[str]]](dict)
    for name in resulted:
        if name in games and len(rounds[name]) > 1 and len(found[games[name]]) < ROUNDS_EACH:
            accounts = sorted(tag.removeprefix(ACCOUNT) for tag in rounds[name])
            found[games[name]][name] = accounts[:PARTICIPANTS]
    return found


def test_each_participant_of_a_round_gets_result_and_settlement(evening: MemoryLog) -> None:
    found = shared_rounds(evening)
    assert len(found) >= 6, "games with several participants"
    for game, rounds in found.items():
        is_derived = list[bool]()
        for name, accounts in rounds.items():
            whole = replay(evening, name)
            for account in accounts:
                file = verify(encode(round_evidence(evening, name, account=account)))
                part = replayed_of(file)
                is_derived.append(part.shown_result is not None)
                if part.shown_result is not None:
                    require_around(whole, part, part.shown_result)
                assert part.round.wording == whole.round.wording
                assert [one for one in part.findings if one not in whole.findings] == []
                own = {one.bet: one for one in whole.wagers if one.account == account}
                assert {one.bet: one for one in part.wagers} == own
                if any(one.due is not None for one in own.values()):
                    assert part.round.status == "settled"
        assert any(is_derived), game


def replayed_of(file: VerifiedFile) -> Replay:
    with plans_of(file):
        found = story_of(file).replay
    assert found is not None, file.evidence.subject
    return found


def require_around(whole: Replay, part: Replay, shown: ShownResult) -> None:
    """Require that the record of the result lies between the facts, by place and moment."""
    (resulted,) = [one for one in whole.facts if one.event == "RoundResulted"]
    first, last = shown.shown_by, shown.settled_by
    assert first.position < resulted.position
    assert first.recorded_at <= resulted.recorded_at
    assert (last is not None) == any(one.due is not None for one in part.wagers)
    if last is not None:
        assert last.event == "BetSettled"
        assert last.position > resulted.position
        assert last.recorded_at >= resulted.recorded_at


def test_page_of_one_participant_shows_the_result_and_names_nobody_else(
    evening: MemoryLog,
) -> None:
    rounds = shared_rounds(evening)["sazka.casino_holdem"]
    name, (account, *others) = next(iter(rounds.items()))
    page = page_of(encode(round_evidence(evening, name, account=account))).decode()
    assert "The record of the result names other participants" in page
    assert "Záznam výsledku jmenuje i jiné účastníky" in page
    file = verify(encode(round_evidence(evening, name, account=account)))
    shown = replayed_of(file).shown_result
    assert shown is not None
    assert shown.settled_by is not None
    for fact in (shown.shown_by, shown.settled_by):
        assert Words(Language.CS).moment(fact.recorded_at) in page
        assert f"position {fact.position:,}, so not " in page
    assert others
    assert not [one for one in others if one in page]


def test_a_file_for_one_participant_states_nothing_that_the_record_does_not(tmp_path: Path) -> None:
    casino = Casino(tmp_path)
    for account in "ab":
        casino.seat(account)
    refused = casino.do("settle_round", round="refused-before", payments={}).refused
    assert refused is not None
    names = ("refused-before", "late-ball", "reconstructed", "reconstructed-late", "no-result")
    for name in names:
        casino.do("open_round", round=name, table="t")
        casino.bet(name, 1, "black", 10_000)
        casino.bet(name, 2, "red", 5_000, account="b")
        casino.close_bets(name)
        casino.do("land_ball", round=name, number=4)
        if name.startswith("reconstructed"):
            casino.do("reconstruct_round", round=name, how="video", by="i", succeeded=True)
        if name != "no-result":
            is_late = name == "late-ball"
            number = 4 if is_late or name == "refused-before" else 3
            casino.do("record_result", round=name, outcome={"number": number})
            if name != "reconstructed-late":
                casino.settle(name)
            if is_late or name == "reconstructed-late":
                casino.do("land_ball", round=name, number=3)
    sign(casino.ledger, casino.clock.moment)
    derived = set()
    for name in names:
        file = verify(encode(round_evidence(casino.log, name)))
        whole = replayed_of(file)
        for account in "ab":
            own = verify(encode(round_evidence(casino.log, name, account=account)))
            assert rules_in(own) == rules_in(file) != set()
            part = replayed_of(own)
            assert [one for one in part.findings if one not in whole.findings] == []
            again = {one.bet: one.due_again for one in whole.wagers}
            assert all(one.due_again in {None, again[one.bet]} for one in part.wagers)
            if part.shown_result is not None:
                assert whole.round.wording in {"", part.round.wording}
                derived.add(name)
            settled = any(one.due is not None for one in part.wagers)
            assert part.round.status == (whole.round.status if settled else "closed")
    assert derived == {"refused-before", "late-ball", "no-result"}


def test_free_text_that_names_another_account_is_withheld(tmp_path: Path) -> None:
    casino = Casino(tmp_path)
    casino.seat("a")
    casino.open_account("elsewhere-1")
    casino.do("open_round", round="r", table="t")
    casino.bet("r", 1, "black", 10_000)
    facts = {"role": "floorman", "by": "f", "ruling": "The seat is free.", "round": "r"}
    shown = casino.do("give_ruling", matter="a asked for a seat", account="a", **facts)
    other = casino.do("give_ruling", matter="as elsewhere-1, who left", account="a", **facts)
    casino.close_bets("r")
    how = "the video shows elsewhere-1"
    casino.do("reconstruct_round", round="r", how=how, by="i", succeeded=True)
    sign(casino.ledger, casino.clock.moment)
    made = account_evidence(casino.log, "a")
    assert shown.first_position in {one.position for one in made.messages}
    assert other.first_position in {one.position for one in made.withheld}
    with pytest.raises(InputError, match=r"reconstruction of round r .* the whole round"):
        round_evidence(casino.log, "r", account="a")


def test_the_part_of_a_hand_that_names_one_participant_states_no_status(tmp_path: Path) -> None:
    casino = Casino(tmp_path)
    PokerRoom(casino).play("h")
    sign(casino.ledger, casino.clock.moment)
    assert replayed_of(verify(encode(round_evidence(casino.log, "h")))).round.status == "settled"
    for account in "ab":
        file = verify(encode(round_evidence(casino.log, "h", account=account)))
        with plans_of(file):
            assert story_of(file).replay is None


def rules_in(file: VerifiedFile) -> set[int]:
    return {one.position for one in file.basis if one.name in RULES}
