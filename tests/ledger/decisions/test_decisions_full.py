"""Events that name all who took part: who would make one too large does not get in.

Names are as long as they can be and of letters of two bytes, so that few fill an event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.chain import MESSAGE_BYTES_MAX
from ledger.decisions.accounts.books import EVENTS_MAX
from ledger.decisions.decider import JSON_BYTES_MAX
from ledger.events.command import NAMES_BYTES_MAX
from ledger.events.encoding import decode
from ledger.state.account import NO_STATE
from tests.ledger.decisions.poker_room import Room
from tests.ledger.decisions.test_decisions_tournaments import announcement, pay

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

LETTER = "\U00020000"
"""Four bytes."""
ID_LETTER = "\u017e"
"""Two bytes, the most that a letter of an identifier has."""
NAME_MAX = 50


def long_name(number: int) -> str:
    return f"{number:04}".rjust(NAME_MAX, ID_LETTER)


def sizes(casino: Casino, kind: str) -> list[int]:
    """Return the bytes of all events of a type."""
    return [len(body) for _, body in casino.log.read() if type(decode(body).event).__name__ == kind]


def fill_round(casino: Casino) -> tuple[str, int]:
    """Let participants place chips until there is no room for one more."""
    round_ = casino.open_round()
    for number in range(NAMES_BYTES_MAX // NAME_MAX):
        name = long_name(number)
        casino.player(name, money=1)
        chips = casino.chips(round_, 1, name)
        receipt = casino.send("place_bet", **chips)
        if receipt.refused is not None:
            casino.refuse("NO_MORE_PARTICIPANTS", "place_bet", **chips)
            return round_, number
    raise AssertionError


@pytest.mark.law("SAZKA 13(5)")
def test_a_round_takes_so_many_participants_that_it_can_be_ended(house: Casino) -> None:
    round_, count = fill_round(house)
    assert count == NAMES_BYTES_MAX // (2 * (NAME_MAX - 4) + 4 + 2)
    house.pay_in(1, long_name(0))
    house.bet(round_, 1, long_name(0))
    house.close(round_)
    reconstructed = {"how": "video", "by": "supervisor", "succeeded": True}
    house.do("reconstruct_round", round=round_, **reconstructed)
    outcome = {"number": 3, "note": ""}
    outcome["note"] = "x" * (JSON_BYTES_MAX["outcome"] - len(str(outcome)))
    largest = {"actor": LETTER * 250, "source": LETTER * 250, "outcome": outcome}
    wording = {"wording": LETTER * 4_000}  # with a shorter one the round can be ended
    house.fail("65535 at most", "record_result", round=round_, **largest, **wording)
    (resulted, *_) = house.do("record_result", round=round_, **largest)
    assert len(resulted.accounts) == count
    assert NAMES_BYTES_MAX < max(sizes(house, "RoundResulted")) <= MESSAGE_BYTES_MAX
    settled = house.do("settle_round", round=round_)
    assert len(settled) == count + 1


def test_a_tournament_takes_so_many_players_that_it_can_be_ended(house: Casino) -> None:
    room = Room(house)
    house.do("announce_tournament", **announcement())
    names = []
    for number in range(NAMES_BYTES_MAX // NAME_MAX):
        name = long_name(number)
        room.players(name, table="")
        entry = {"tournament": "cup", "account": name, "kind": "buy_in", "amount": 100_000}
        if house.send("pay_tournament_entry", **entry).refused is not None:
            house.refuse("NO_MORE_PARTICIPANTS", "pay_tournament_entry", **entry)
            break
        names.append(name)
    else:
        pytest.fail("no player too many")
    house.at("2026-02-10 12:00")
    house.do("start_tournament", tournament="cup")
    (gone,) = house.do("eliminate_players", tournament="cup", accounts=names[:1])
    assert gone.left == len(names) - 1
    pay(room, names[0], "re_entry")
    house.do("close_registration", tournament="cup")
    deal: dict[str, Any] = {"tournament": "cup", "unanimous": True}
    house.fail("of length <= 100", "agree_deal", shares=dict.fromkeys(names, 1), **deal)
    for name in names[1:]:
        house.do("eliminate_players", tournament="cup", accounts=[name])
    (ended, *prizes) = house.do("end_tournament", tournament="cup")
    assert len(ended.accounts) == len(names)
    assert prizes
    assert NAMES_BYTES_MAX * 3 // 4 < max(sizes(house, "TournamentEnded")) <= MESSAGE_BYTES_MAX


def test_a_state_too_large_for_a_statement_is_left_out_and_read_from_the_one_before(
    casino: Casino,
) -> None:
    """Complaints, which anybody may file, stay in the state until they are decided."""
    cases = [long_name(number) for number in range(640)]
    for case in cases:
        casino.do("file_complaint", account="anna", case=case, grounds="slow")
    casino.at("2026-02-03 08:00")
    casino.play()
    casino.play()
    statements = casino.all_events("AccountStatement")
    assert [one.state_version for one in statements].count(NO_STATE) == 1
    assert statements[0].state_version != NO_STATE
    assert (statements[-1].state_version, statements[-1].state) == (NO_STATE, "")
    assert max(sizes(casino, "AccountStatement")) <= MESSAGE_BYTES_MAX
    casino.assert_cold_is_hot()
    for case in cases:
        casino.do("decide_complaint", account="anna", case=case, upheld=False, explanation="no")
    for _ in range(EVENTS_MAX):
        casino.bet(casino.open_round(), 1)
    assert casino.all_events("AccountStatement")[-1].state_version != NO_STATE
    casino.assert_cold_is_hot()
