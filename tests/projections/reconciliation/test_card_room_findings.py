"""Places and chips of a card room, made by hand: seats, Fantasyland, chip races, limits of bets."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger.core.clock import MINUTE
from ledger.events import event_types as e
from tests.projections.history_cases import House, round_voided
from tests.projections.projection_cases import START
from tests.projections.reconciliation.test_plan_findings import announced, paid
from tests.projections.shared_cases import Asking, Neighbour, together

SEATED = {"from_table": "", "occasion": "drawn"}
SET = {
    "round": "before", "tournament": "", "front": (), "middle": (), "back": (), "discards": (),
    "foul": False, "royalties": 0,
}  # fmt: skip


def hand(table: str, tournament: str = "", **facts: Any) -> e.HandStarted:
    known: dict[str, Any] = {
        "round": "hand", "table": table, "tournament": tournament, "game": "g",
        "plan_version": "unknown", "accounts": ("anna", "bara"), "button": "anna",
        "small_blind_of": "", "big_blind_of": "", "small_blind": 0, "big_blind": 0, "ante": 0,
        "fee": "none", "time_fee": 0, "point_value": 100, "value_pairs": (), "pair_values": (),
        "stop_loss_of": (), "stop_losses": (), "in_fantasyland": (),
    }  # fmt: skip
    return e.HandStarted(**known | facts)


def eliminated(cup: str, *names: str, **facts: Any) -> e.PlayerEliminated:
    known: dict[str, Any] = {"round": "", "place": 0, "left": 2, "disqualified_for": ""}
    return e.PlayerEliminated(tournament=cup, accounts=names, **known | {"chips": ()} | facts)


@pytest.mark.law("69GAMES operation, seats of a tournament")
@pytest.mark.parametrize(
    ("bara", "wrong"),
    [
        (["seat"], []),
        ([], ["bara"]),
        (["elsewhere"], ["bara"]),
        (["seat", "out"], ["bara"]),
        (["seat", "handed back"], ["bara"]),
        (["seat", "out", "seat"], []),
        (["elsewhere", "seat"], []),
    ],
)
@together
def test_a_player_of_a_tournament_plays_where_a_seat_was_drawn(
    house: Neighbour, bara: list[str], wrong: list[str]
) -> Asking:
    cup, table = "-".join(("cup", *bara)), f"poker{house.mark}"
    facts: dict[str, e.Event] = {
        "seat": e.SeatDrawn(tournament=cup, account="bara", table=table, seat=2, **SEATED),
        "elsewhere": e.SeatDrawn(tournament=cup, account="bara", table="x", seat=2, **SEATED),
        "out": e.PlayerEliminated(
            tournament=cup,
            round="",
            accounts=("bara",),
            place=0,
            left=1,
            disqualified_for="",
            chips=(),
        ),
        "handed back": e.ChipsHandedBack(tournament=cup, account="bara", chips=1),
    }
    House.at(house, 1, e.SeatDrawn(tournament=cup, account="anna", table=table, seat=1, **SEATED))
    for fact in bara:
        House.at(house, 1, facts[fact])
    house.at(2, hand("poker", cup))
    assert [one.account for one in (yield) if one.code == "PLAYER_NOT_SEATED"] == wrong


@pytest.mark.law("69GAMES tournament rules")
@pytest.mark.parametrize("leaving", ["moved", "out", "handed back"])
@pytest.mark.parametrize(
    ("before", "is_found"),
    [
        ([], True),
        (["other folds"], True),
        (["folds"], False),
        (["result"], False),
        (["void"], False),
    ],
)
@together
def test_a_player_stays_with_a_hand_until_it_is_over_or_folded(
    house: Neighbour, leaving: str, before: list[str], *, is_found: bool
) -> Asking:
    name = "-".join(("stays", leaving, *before))
    seat = {"tournament": name, "account": "bara", "seat": 2}
    fold: dict[str, Any] = {
        "round": name, "table": name, "tournament": name, "bet": f"{name}-2", "street": "preflop",
        "action": "fold", "amount": 0, "total": 0, "in_hand": 0, "all_in": False, "by": "player",
        "asked_at": 0, "until": 0,
    }  # fmt: skip
    ends = {
        "folds": e.HandAction(account="bara", **fold),
        "other folds": e.HandAction(account="anna", **fold),
        "result": e.RoundResulted(
            round=name, table=name, outcome="{}", wording="", streamed=False, accounts=()
        ),
        "void": round_voided(name, table=name),
    }
    leaves = {
        "moved": e.SeatDrawn(table=f"{name} 2", from_table=name, occasion="balance", **seat),
        "out": eliminated(name, "bara"),
        "handed back": e.ChipsHandedBack(tournament=name, account="bara", chips=1),
    }
    House.at(house, 1, e.SeatDrawn(table=name, **seat, **SEATED))
    House.at(house, 1, hand(name, name, round=name))
    for end in before:
        House.at(house, 2, ends[end])
    house.positions.add(House.at(house, 3, leaves[leaving]))
    found = [(one.account, one.round) for one in (yield) if one.code == "PLAYER_STILL_IN_HAND"]
    assert found == ([("bara", name)] if is_found else [])


@pytest.mark.law("69GAMES operation, seats of a tournament")
@pytest.mark.parametrize(
    ("players", "steps", "found"),
    [
        ((4, 3), ["hand", "hand"], 0),
        ((5, 3), ["hand"], 0),
        ((5, 3), ["hand", "hand", "hand"], 2),
        ((5, 3), ["hand", "balance", "hand"], 0),
        ((5, 3), ["hand", "out", "hand"], 0),
        ((5,), ["hand", "hand"], 0),
    ],
)
@together
def test_tables_of_a_tournament_are_balanced_between_hands(
    house: Neighbour, players: tuple[int, ...], steps: list[str], found: int
) -> Asking:
    cup, tables = f"balance{house.mark}", [f"poker{n}{house.mark}" for n in range(2)]
    names = [f"player{number}" for number in range(players[0])]
    for name in names:
        drawn = e.SeatDrawn(tournament=cup, account=name, table=tables[0], seat=1, **SEATED)
        House.at(house, 1, drawn)
    for number in range(sum(players[1:])):
        other = f"other{number}"
        House.at(house, 1, e.SeatDrawn(
            tournament=cup, account=other, table=tables[1], seat=1, **SEATED
        ))  # fmt: skip
    facts = {
        "hand": hand("poker0", cup, accounts=tuple(names[:2])),
        "balance": e.SeatDrawn(
            tournament=cup, account=names[-1], table=tables[1], seat=9, **SEATED
        ),
        "out": e.PlayerEliminated(
            tournament=cup,
            round="",
            accounts=(names[-1],),
            place=0,
            left=1,
            disqualified_for="",
            chips=(),
        ),
    }
    for step in steps:
        (house.at if step == "hand" else lambda *args: House.at(house, *args))(2, facts[step])
    assert [one.code for one in (yield) if one.code == "TABLES_UNEQUAL"] == (
        ["TABLES_UNEQUAL"] * found
    )


@pytest.mark.law("69GAMES tournament rules, kinds of tournament")
@pytest.mark.parametrize(
    ("steps", "is_found"),
    [
        (["start", "hand", "addon", "fixed", "hand"], False),
        (["start", "hand", "addon", "hand", "fixed"], True),
        (["start", "addon", "hand"], True),
        (["addon", "start", "fixed"], True),
        (["start", "hand", "out", "addon", "fixed"], True),
    ],
)
@together
def test_an_add_on_is_sold_at_the_end_of_the_registration(
    house: Neighbour, steps: list[str], is_found: bool
) -> Asking:
    cup, player = f"addon{house.mark}", f"a{house.mark}"
    offered = announced(cup, kind="unlimited_rebuys_addon")
    facts = {
        "start": e.TournamentStarted(tournament=cup, entries=1),
        "hand": hand("poker", cup, accounts=(player, "bara")),
        "addon": paid(cup, 2, "addon", 70_000),
        "fixed": pool_fixed(cup),
        "out": eliminated(cup, player),
    }
    house.at(1, replace(offered, addon=70_000), paid(cup, 1, "buy_in", 100_000))
    positions = {step: house.at(2, facts[step]) for step in steps}
    found = [one.position for one in (yield) if one.code == "ENTRY_NOT_ALLOWED"]
    assert found == [positions["addon"]] * is_found


@pytest.mark.law("69GAMES tournament rules, Deal")
@pytest.mark.parametrize(
    ("sharing", "wrong"),
    [
        (("anna", "bara"), []),
        (("anna",), ["bara"]),
        (("anna", "bara", "cyril"), ["cyril"]),
        (("anna", "bara", "dana"), ["dana"]),
    ],
)
@together
def test_a_deal_is_one_of_all_players_in_play(
    house: Neighbour, sharing: tuple[str, ...], wrong: list[str]
) -> Asking:
    """Cyril is out, and Dana never entered."""
    cup = f"deal{house.mark}"
    house.at(1, announced(cup))
    for number, name in enumerate(("anna", "bara", "cyril")):
        House.at(house, 1, replace(paid(cup, number, "buy_in", 100_000), account=name))
    house.at(2, pool_fixed(cup), eliminated(cup, "cyril", place=3))
    house.at(3, e.DealAgreed(
        tournament=cup, accounts=sharing, shares=(1,) * len(sharing), playout_percent="", playout=0
    ))  # fmt: skip
    assert [one.account for one in (yield) if one.code == "DEAL_WRONG"] == wrong


@pytest.mark.law("SAZKA 5(4)")
@pytest.mark.law("69GAMES poker rules, course of the game")
@pytest.mark.parametrize(
    ("by", "until", "is_found"),
    [
        ("player", 0, False),
        ("player", 1, False),
        ("player", -1, True),
        ("timeout", -1, False),
        ("timeout", 1, True),
        ("timeout", 0, False),
        ("disconnect", 1, False),
    ],
)
@together
def test_a_decision_is_made_in_its_time(
    house: House, by: str, until: int, is_found: bool
) -> Asking:
    """The time ends so many minutes after the decision, or is not known (0)."""
    moment = START + (5 + until) * MINUTE if until else 0
    decided = e.PlayerDecided(
        account="a", round="r", box="", hand="", decision="stand", free=False, by=by, street="",
        times=0, stake=0, asked_at=0, until=moment,
    )  # fmt: skip
    acted = replace(action({"round": "h", "table": "t", "tournament": ""}, "a", "flop", "fold", 0),
                    by=by, until=moment)  # fmt: skip
    positions = [house.at(5, decided), house.at(5, acted)]
    found = [one.position for one in (yield) if one.code == "DECISION_OUT_OF_TIME"]
    assert found == positions * is_found


def pool_fixed(name: str) -> e.PrizePoolFixed:
    return e.PrizePoolFixed(
        tournament=name, entries=1, players=1, column="", money_pool=100_000, fee=10_000, top_up=0,
        prize_pool=90_000,
    )  # fmt: skip


@pytest.mark.law("69GAMES Pineapple, Fantasy Land")
@pytest.mark.parametrize(
    ("before", "there", "wrong"),
    [
        ((), (), []),
        ((14,), ("anna",), []),
        ((14,), (), ["anna"]),
        ((), ("anna",), ["anna"]),
        ((14, 0), (), []),
        ((14, 0), ("anna",), ["anna"]),
        ((14, "left"), (), []),
    ],
)
@together
def test_fantasyland_is_earned_in_the_game_before(
    house: Neighbour, before: tuple[Any, ...], there: tuple[str, ...], wrong: list[str]
) -> Asking:
    table = f"open{house.mark}"
    for cards in before:
        left = e.SeatLeft(account="anna", table=table)
        House.at(house, 1, left if cards == "left" else whole_set(table, "before", cards))
    house.at(2, hand("open", in_fantasyland=there))
    assert [one.account for one in (yield) if one.code == "FANTASYLAND_WRONG"] == wrong


def race(**facts: Any) -> e.ChipRaceHeld:
    known: dict[str, Any] = {
        "tournament": "cup", "table": "t", "chip": 100, "higher": 500,
        "accounts": ("anna", "bara"), "odd": (3, 2), "won": ("anna",),
    }  # fmt: skip
    return e.ChipRaceHeld(**known | facts)


def whole_set(table: str, round_: str, fantasyland: int = 0) -> e.HandsSet:
    return e.HandsSet(
        account="anna", table=table, fantasyland=fantasyland, **SET | {"round": round_}
    )


@pytest.mark.law("69GAMES tournament rules, Chip race")
@pytest.mark.parametrize(
    ("facts", "is_found"),
    [
        ({}, False),
        ({"won": ("anna", "anna")}, True),
        ({"won": ("cyril",)}, True),
        ({"won": ("anna", "bara")}, True),
        ({"odd": (3, 3), "won": ("anna", "bara")}, False),
        ({"higher": 100}, True),
        ({"higher": 250}, True),
    ],
)
@together
def test_a_chip_race_against_the_rules_is_found(
    house: House, facts: dict[str, Any], is_found: bool
) -> Asking:
    position = house.at(1, race(**facts))
    found = [one.position for one in (yield) if one.code == "CHIP_RACE_WRONG"]
    assert found == [position] * is_found


@pytest.mark.law("69GAMES tournament rules, kinds of tournament")
@pytest.mark.parametrize(
    ("limit", "amount", "all_in", "is_found"),
    [
        ("no limit", 5_000, False, True),
        ("no limit", 5_000, True, False),
        ("no limit", 10_000, False, False),
        ("pot limit", 20_000, False, False),
        ("pot limit", 20_100, False, True),
        ("", 50_000, False, False),
    ],
)
@together
def test_a_bet_outside_the_limit_of_a_tournament_is_found(
    house: Neighbour, limit: str, amount: int, all_in: bool, is_found: bool
) -> Asking:
    position = bet_in_hand(house, limit, amount, all_in=all_in)
    found = [one.position for one in (yield) if one.code == "ACTION_OVER_LIMIT"]
    assert found == [position] * is_found


def bet_in_hand(house: House, limit: str, amount: int, *, all_in: bool = False) -> int:
    """Bet at the flop, with 200 in the pot and a big blind of 100; return the position."""
    assert isinstance(house, Neighbour)
    named = {"round": f"hand{house.mark}", "tournament": f"cup{house.mark}", "table": "poker"}
    tournament = announced(named["tournament"])
    blinds = {"small_blind_of": "anna", "small_blind": 5_000, "big_blind_of": "bara"}
    House.at(
        house,
        1,
        replace(tournament, limit=limit),
        hand(**named, **blinds, big_blind=10_000, point_value=0, game=tournament.game),
        *(action(named, name, "preflop", "post", 10_000) for name in ("anna", "bara")),
        *(
            e.CardDealt(
                round=named["round"], shoe="", index=index, recipient="board", face_up=True,
                card=card,
            )
            for index, card in enumerate(("2C", "7D", "9H"))
        ),
    )  # fmt: skip
    bet = action(named, "bara", "flop", "bet", amount)
    position = House.at(house, 2, replace(bet, all_in=all_in))
    house.positions.add(position)
    return position


def action(
    named: dict[str, str], account: str, street: str, kind: str, amount: int
) -> e.HandAction:
    return e.HandAction(
        **named, account=account, bet=f"{named['round']}-{account}", street=street, action=kind,
        amount=amount, total=amount, in_hand=amount, all_in=False, by="player", asked_at=0, until=0,
    )  # fmt: skip
