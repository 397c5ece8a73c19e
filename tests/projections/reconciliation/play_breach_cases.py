"""Breaches at the tables, and what resembles them: rounds, shoes, wheels, hands, tournaments."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ledger.core.clock import DAY, MINUTE
from ledger.events import event_types as e
from tests.projections.history_cases import (
    House,
    concluded,
    placed,
    round_opened,
    round_voided,
    settled,
    spun,
    voided,
)
from tests.projections.projection_cases import START
from tests.projections.reconciliation.test_card_room_findings import (
    action,
    hand,
)
from tests.projections.reconciliation.test_plan_findings import (
    BACCARAT,
    BLACKJACK,
    BURN,
    CZECH,
    FREE_BET,
    HOLDEM,
    ROULETTE,
    announced,
    dealt,
    opened,
    paid,
    resulted,
    rules_published,
)
from tests.projections.reconciliation.test_tournament_course import level
from tests.projections.shared_cases import Neighbour

DAYS = DAY // MINUTE
END = 45 * DAYS
"""When every period of the table of duties is over that is counted in days."""
HELD = {"account": "a", "round": "r", "by": "b", "cause": "c"}
FAILED = e.RoundReconstructed(round="r", how="camera", by="i", succeeded=False)


def failed_device(house: House, *after: e.Event) -> None:
    failed = e.DeviceInspected(
        table="t", round="", device="w", kind="wheel", by="i", passed=False, findings="tilted"
    )
    house.at(1, failed, *after)
    house.played(2, "r", until=3)


def entered(house: House, name: str, *entries: tuple[str, int]) -> None:
    house.at(1, announced(name))
    for number, (kind, amount) in enumerate(entries):
        if kind == "fixed":
            fixed = e.PrizePoolFixed(
                tournament=name, entries=1, players=1, column="", money_pool=100_000, fee=10_000,
                top_up=0, prize_pool=90_000,
            )  # fmt: skip
            house.at(2, fixed)
        else:
            house.at(2, paid(name, number, kind, amount))


def tournament(house: House, name: str, *events: e.Event) -> None:
    house.at(1, announced(name), *events)
    house.at(2, e.TournamentCancelled(tournament=name, cause="c"))


def levels(house: House, name: str, *minutes: float, agreed: bool = False) -> None:
    tournament(house, name)
    for number, minute in enumerate(minutes, 1):
        house.at(minute, level(name, number, agreed=agreed))


def time_money(house: House, table: str, *amounts: int, price: int = 10_000) -> None:
    house.at(0, rules_published(game=HOLDEM, version="unknown"))
    house.at(
        0, e.TableOpened(table=table, registration="1", game=HOLDEM, place="p", streamed=False)
    )
    if price:
        house.at(0, e.TimeCollectionAnnounced(table=table, amount=price, by="floorman"))
    for amount in amounts:
        taken = e.TimeCollectionTaken(
            table=table, account="a", amount=amount, period_from=1_760_000_000_000_000
        )
        house.at(1, taken)


def shoe(house: House, mark: str, *, decks: int = 6, cut: int = 52, burnt: int = 3) -> None:
    house.at(0, rules_published(game=BLACKJACK, version="unknown"))
    house.at(1, opened("r", BLACKJACK, table=mark))
    house.at(
        1,
        e.ShoeLoaded(
            shoe=mark, table=mark, decks=decks, shuffle_method="hand", cut=cut, cut_by="1"
        ),
    )
    house.at(3, *dealt("r", *burnt * [BURN], "1", "dealer", "1", shoe=mark))


def another_dealer(house: House, mark: str, *, burnt: int) -> None:
    shoe(house, mark)
    house.at(4, e.DealerSeated(table=mark, dealer="other"))
    house.at(5, *dealt("r", *burnt * [BURN], "dealer", shoe=mark))


def voided_for(house: House, ground: str, *before: e.Event) -> None:
    game, version = "sazka.blackjack_synot", "2025-01-21"
    house.at(0, rules_published(game=game, version=version))
    house.at(1, opened("r", game, plan_version=version, streamed=True), *before)
    house.at(2, e.RoundVoided(round="r", table=f"t-{game}", ground=ground, paragraph="p"))


def coup_voided(house: House, *channels: str, is_paused: bool = True) -> None:
    house.at(0, rules_published(game=BACCARAT, version="unknown"))
    house.at(1, opened("r", BACCARAT, streamed=True))
    if channels:
        if is_paused:
            house.at(1, e.TableSuspended(table=f"t-{BACCARAT}", cause="fault"))
        told = e.FaultAnnounced(
            table=f"t-{BACCARAT}", round="r", channels=channels, wording="w", by="d"
        )
        house.at(1, told)
    void = e.RoundVoided(round="r", table=f"t-{BACCARAT}", ground="game_error", paragraph="p")
    house.at(2, void)


def without_antes(house: House) -> None:
    """Anna folds, and neither she nor Bara paid the ante; the accounts of a hand have no mark."""
    assert isinstance(house, Neighbour)
    named = {"round": f"antes{house.mark}", "tournament": "antes", "table": "poker"}
    blinds = {"small_blind_of": "anna", "small_blind": 5_000, "big_blind_of": "bara"}
    facts = [
        hand(**named, **blinds, big_blind=10_000, ante=1_000, point_value=0,
             game="69games.texas_holdem_tournament"),
        action(named, "anna", "preflop", "post", 5_000),
        action(named, "bara", "preflop", "post", 10_000),
        action(named, "anna", "preflop", "fold", 0),
    ]  # fmt: skip
    House.at(house, 1, *facts)
    house.positions.add(House.at(house, 2, e.RoundResulted(
        round=named["round"], table="poker", outcome="{}", wording="", streamed=False, accounts=(),
    )))  # fmt: skip


def banker_first(house: House) -> None:
    house.at(1, opened("r", BACCARAT, streamed=True))
    house.at(1, e.BetsClosed(round="r", table=f"t-{BACCARAT}", bets=0, stakes=0))
    house.at(2, *dealt("r", "banker", "player", "banker", "player"))
    hands = {"player": ["2C", "2C"], "banker": ["2C", "2C"]}
    house.at(3, resulted("r", BACCARAT, hands))


def short_spin(house: House) -> None:
    house.at(0, opened("r", ROULETTE))
    house.at(1, e.BetsClosed(round="r", table=f"t-{ROULETTE}", bets=0, stakes=0))
    house.at(1, spun("r", turns=4), e.BallLanded(round="r", number=7))
    house.at(2, resulted("r", ROULETTE, {"number": 7}))


def paid_late(house: House, *, minutes: float = 1, due: int = 2_000, paid: int = 2_000) -> None:
    chips = placed("r")
    house.opened(1, "r")
    house.at(1, chips)
    house.closed(2, "r", chips)
    house.resulted(3, "r", 1)
    house.at(3 + minutes, settled(chips, due=due, paid=paid))


def placed_after_close(house: House) -> None:
    chips = placed("r")
    house.opened(1, "r")
    house.closed(2, "r")
    house.at(2, chips, concluded(chips))


def ball_after(house: House, number: int) -> None:
    paid_late(house)
    house.at(5, e.BallLanded(round="r", number=number))


def card_after(house: House, card: str) -> None:
    house.at(1, opened("r", BACCARAT, streamed=True))
    house.at(1, e.BetsClosed(round="r", table=f"t-{BACCARAT}", bets=0, stakes=0))
    house.at(2, *dealt("r", "player", "banker", "player", "banker"))
    house.at(3, resulted("r", BACCARAT, {"player": ["2C", "2C"], "banker": ["2C", "2C"]}))
    house.at(4, e.CardRevealed(round="r", index=3, card=card))


def cancelled_first(house: House, number: int) -> None:
    """The bet of the round is cancelled under its own or another number before it is placed."""
    house.opened(1, "r")
    house.at(1, e.BetRefused(
        bet=f"r-{number}", account="a", round="r", table="t", bet_code="", selection="", stake=0,
        code="BET_NOT_ON_TABLE", parameters="{}", paragraph="SAZKA 2",
    ))  # fmt: skip
    chips = placed("r")
    house.at(1, chips)
    house.closed(2, "r", chips)
    house.resulted(3, "r", 1)
    house.at(4, settled(chips, due=2_000))


def coup(house: House, *, close: float = 1, deal: float = 2, last: int = 3) -> None:
    """Play a coup of baccarat; ``last`` is the index of its last card."""
    cards = dealt("r", "player", "banker", "player", "banker")
    closed = e.BetsClosed(round="r", table=f"t-{BACCARAT}", bets=0, stakes=0)
    house.at(0, rules_published(game=BACCARAT, version="unknown"))
    house.at(0, opened("r", BACCARAT, streamed=True))
    for _, event in sorted(
        [(close, [closed]), (deal, [*cards[:3], replace(cards[3], index=last)])]
    ):
        house.at(3, *event)
    house.at(4, resulted("r", BACCARAT, {"player": ["2C", "2C"], "banker": ["2C", "2C"]}))


def coups_of_shoe(house: House, shoe: str, faces: str, *, cut: int = 52) -> None:
    """Deal coups of four cards of one face each from a shoe of eight decks."""
    house.at(0, rules_published(game=BACCARAT, version="unknown"))
    loaded = e.ShoeLoaded(
        shoe=shoe, table=shoe, decks=8, shuffle_method="hand", cut=cut, cut_by="1"
    )
    house.at(0, loaded)
    for number, face in enumerate(faces):
        name = f"r{number}"
        house.at(number, opened(name, BACCARAT, table=shoe, streamed=True))
        house.at(number, e.BetsClosed(round=name, table=shoe, bets=0, stakes=0))
        cards = dealt(name, "player", "banker", "player", "banker", shoe=shoe)
        house.at(number, *(replace(one, card=f"{face}C") for one in cards))
        hands = {"player": [f"{face}C"] * 2, "banker": [f"{face}C"] * 2}
        house.at(number, replace(resulted(name, BACCARAT, hands), table=shoe))


def overlapping_two(house: House) -> None:
    """A round that takes longer than the next one at its table, and than the one after that."""
    for name, minute in (("long", 1), ("short", 2), ("again", 4)):
        house.opened(minute, name)
        if name != "long":
            house.closed(minute + 1, name)
            house.resulted(minute + 1, name)
    house.closed(6, "long")
    house.resulted(6, "long")


def overlapping(house: House, *, is_over: bool) -> None:
    house.opened(1, "r")
    if is_over:
        house.closed(2, "r")
        house.resulted(3, "r")
    house.opened(3, "s")
    if not is_over:
        house.closed(3, "r")
        house.resulted(3, "r")
    house.closed(4, "s")
    house.resulted(5, "s")


def closed_table(house: House, *, is_opened_again: bool) -> None:
    house.at(1, e.TableClosed(table="t", reason="night"))
    if is_opened_again:
        house.table()
    house.played(2, "r", until=3)


def with_device(house: House, at: str = "t") -> None:
    """Play a round with a wheel that was assigned to the table ``at`` last."""
    assert isinstance(house, Neighbour)
    wheel = {"device": f"w{house.mark}", "kind": "wheel", "serial": "1", "replaced": ""}
    for table in ("other", at):
        house.at(0, e.DeviceAssigned(table=table, round="", **wheel))
    own: Any = {"devices": (wheel["device"],), "device_kinds": ("wheel",), "serials": ("1",)}
    house.at(1, round_opened("r", table="t", streamed=True, **own))
    house.closed(2, "r")
    house.resulted(3, "r")


def withdrawn_game(house: House, *events: e.Event) -> None:
    house.at(0, e.GameLaunched(game=FREE_BET), *events)
    house.at(0, rules_published(game=FREE_BET, version="unknown"))
    house.at(1, opened("r", FREE_BET))
    house.at(2, e.RoundVoided(
        round="r", table=f"t-{FREE_BET}", ground="internal_supervisor_decision", paragraph="p"
    ))  # fmt: skip


def streamed_table(house: House, place: str, kind: str) -> None:
    house.at(0, e.CasinoOpened(place=place, name="n", kind=kind, address="x"))
    house.at(0, e.TableOpened(
        table=place, registration="1", game=ROULETTE, place=place, streamed=True
    ))  # fmt: skip


def spun_again(house: House, turns: int, *, is_at_rest: bool = True) -> None:
    """Declare a spin invalid for too few turns, and spin again to another number."""
    house.opened(1, "r")
    house.at(1, e.BetsClosed(round="r", table="t", bets=0, stakes=0))
    house.at(1, spun("r", turns=turns))
    if is_at_rest:
        house.at(1, e.BallLanded(round="r", number=7))
    house.at(2, e.SpinDeclaredInvalid(round="r", cause="too_few_revolutions"), spun("r"))
    house.resulted(3, "r")


def voided_for_spin(house: House, ground: str, *, turns: int = 5, is_right: bool = True) -> None:
    """Void a roulette of 69GAMES for its spin when the ball had fallen."""
    house.at(0, rules_published(game=ROULETTE, version="unknown"))
    table = f"t-{ROULETTE}"
    house.at(1, opened("r", ROULETTE))
    house.at(1, e.BetsClosed(round="r", table=table, bets=0, stakes=0))
    house.at(1, spun("r", turns=turns, one_direction=not is_right))
    house.at(1, e.BallLanded(round="r", number=7))
    house.at(2, e.RoundVoided(round="r", table=table, ground=ground, paragraph="p"))


def checked_by(house: House, by: str, *behind: e.Event, correct: bool = True) -> None:
    """An inspector or, under the name ``d``, the dealer of the round checks its payouts."""
    assert isinstance(house, Neighbour)
    by = f"{by}{house.mark}"
    house.played(1, "r", until=2)
    house.at(3, e.PayoutsChecked(round="r", table="t", by=by, correct=correct, findings=""))
    if behind:
        house.at(3, *behind)


def taken_over(house: House, *, until: float) -> None:
    """A dealer takes the table over at the minute ``until``, leaves it, and checks the payouts."""
    assert isinstance(house, Neighbour)
    house.opened(1, "r")
    if until < 2:
        house.at(until, e.DealerSeated(table="t", dealer="other"))
    house.closed(2, "r")
    house.resulted(2, "r")
    if until > 2:
        house.at(until, e.DealerSeated(table="t", dealer="other"))
    house.at(4, e.DealerSeated(table="t", dealer="d"))
    by = f"other{house.mark}"
    house.at(5, e.PayoutsChecked(round="r", table="t", by=by, correct=True, findings=""))


def simple_chance(house: House, chip: int) -> None:
    """Bet 500 crowns on red at Czech Casinos, where zero would divide the chips."""
    facts = {"round": "r", "table": f"t-{CZECH}"}
    house.at(0, rules_published(game=CZECH, version="unknown"))
    house.at(1, opened("r", CZECH, dealer="d"))
    chips = placed("r", table=f"t-{CZECH}", stake=50_000)
    house.at(1, chips)
    if chip:
        house.at(1, e.ChipsLaid(
            bet=chips.bet, account="a", chip=chip, chips=50_000 // chip, colour="", **facts
        ))  # fmt: skip
    house.at(2, e.BetsClosed(bets=1, stakes=50_000, **facts), concluded(chips))
    house.at(2, spun("r", turns=14))
    house.at(3, e.BallLanded(round="r", number=2), resulted("r", CZECH, {"number": 2}))
    house.at(3, settled(chips, due=0))
    house.at(3, e.PayoutsChecked(by="i", correct=True, findings="", **facts))


def voided_on_hold(house: House) -> None:
    chips = placed("r")
    house.opened(1, "r")
    house.at(1, chips)
    house.closed(2, "r", chips)
    house.at(2, e.PayoutHeld(**HELD, paragraph="p"))
    house.at(3, round_voided("r"), voided(chips))


def shoe_of_next_game(house: House, table: str) -> None:
    """Load six decks for blackjack at a table where baccarat of eight was played."""
    coups_of_shoe(house, table, "2")
    house.at(0, rules_published(game=BLACKJACK, version="unknown"))
    house.at(1, e.ShoeLoaded(
        shoe="next", table=table, decks=6, shuffle_method="hand", cut=52, cut_by="1"
    ))  # fmt: skip
    house.at(2, opened("next", BLACKJACK, table=table))
    house.at(3, *dealt("next", *3 * [BURN], "1", "dealer", "1", shoe="next"))


def replaced_rules(house: House, table: str) -> None:
    """Take time money by the rules in force, after older ones were recorded late."""
    for version, since in (("unknown", START - 1), ("1999", START - DAY)):
        house.at(0, rules_published(since, version, game=HOLDEM))
    house.at(0, e.TableOpened(
        table=table, registration="1", game=HOLDEM, place="p", streamed=False
    ))  # fmt: skip
    house.at(0, e.TimeCollectionAnnounced(table=table, amount=10_000, by="floorman"))
    taken = e.TimeCollectionTaken(
        table=table, account="a", amount=10_000, period_from=1_760_000_000_000_000
    )
    house.at(1, taken)


RULING = e.RulingGiven(
    round="r", table="", tournament="", account="", role="inspector", by="i", matter="m",
    ruling="pay again", penalty="", hands=0, paragraph="",
)  # fmt: skip


def limits_outside_the_plan(house: House) -> None:
    name = "limits outside the plan"
    limits = e.TableLimitsSet(
        table=name, bet_codes=("red",), minimums=(1,), maximums=(10**12,), round_maximum=10**12,
        effective_from=START - DAY,
    )  # fmt: skip
    house.table(name)
    house.at(0, limits)
    chips = placed("r", table=name)
    house.opened(1, "r", table=name)
    house.at(1, chips)
    house.closed(2, "r", chips, table=name)
    house.resulted(3, "r", 1, table=name)
    house.at(3, settled(chips, due=2_000))


def stake_corrected(house: House, *grounds: e.Event) -> None:
    """Raise the stake of a lost bet; ``grounds`` are recorded before."""
    house.played(1, "r", until=2, number=2)
    if grounds:
        house.at(3, *grounds)
    house.at(4, e.BetCorrected(
        bet="r-1", account="a", round="r", difference=100, claimed=0, cause="count of chips",
    ))  # fmt: skip


def credited_after(house: House, *events: e.Event, is_next_first: bool = True) -> None:
    """Credit a win within the hour, before or after the next round of the table was opened."""
    chips = placed("r")
    house.opened(1, "r")
    house.at(1, chips)
    house.closed(2, "r", chips)
    house.resulted(3, "r", 1)
    if events:
        house.at(3, *events)
    credit = settled(chips, due=2_000)
    if not is_next_first:
        house.at(3, credit)
    house.played(4, "s", until=5)
    if is_next_first:
        house.at(50, credit)


def disconnected(house: House, *facts: e.Event) -> None:
    """Conclude a bet of a participant whose connection broke before the close."""
    house.opened(1, "r")
    chips = placed("r")
    house.at(1, chips)
    house.at(1, GONE, *facts)
    house.closed(2, "r", chips)
    house.resulted(3, "r")
    house.at(3, settled(chips, due=0))


GONE = e.PlayerDisconnected(account="a", round="r", table="t", phase="before_close")


def on_known_number(house: House) -> None:
    """Place a bet when the ball had fallen; its neighbour is :func:`paid_late`."""
    house.opened(1, "r")
    chips = placed("r")
    house.at(1, spun("r"), e.BallLanded(round="r", number=2), chips)
    house.closed(2, "r", chips)
    house.resulted(3, "r", 2)
    house.at(4, settled(chips, due=0))


def wheel(house: House, *ways: str, one_direction: bool = False) -> None:
    """Play rounds with a wheel that turns these ways one after the other."""
    house.at(0, rules_published(game=ROULETTE, version="unknown"))
    for number, way in enumerate(ways, 1):
        name, table = f"w{number}", f"t-{ROULETTE}"
        house.at(number, opened(name, ROULETTE))
        house.at(number, e.BetsClosed(round=name, table=table, bets=0, stakes=0))
        house.at(number, spun(name, way=way, one_direction=one_direction))
        house.at(number, e.BallLanded(round=name, number=7))
        house.at(number, resulted(name, ROULETTE, {"number": 7}))


def raked(house: House, table: str, minute: int) -> None:
    """Take time money for a half hour, and play a hand with a rake at a minute of it."""
    assert isinstance(house, Neighbour)
    time_money(house, table, 10_000)
    since = START + 60 * MINUTE
    taken = e.TimeCollectionTaken(table=table, account="a", amount=10_000, period_from=since)
    house.at(60, taken)
    player = f"a{house.mark}"
    house.at(60 + minute, hand(
        table, round="raked", accounts=(player, "bara"), game=HOLDEM, fee="rake", point_value=0,
        button="bara",
    ))  # fmt: skip


def added_on(house: House, *, is_early: bool) -> None:
    """Sell an add-on before the first hand of a tournament, or after it; then cancel it."""
    assert isinstance(house, Neighbour)
    cup, player = f"add-on{house.mark}", f"a{house.mark}"
    offered = announced(cup, kind="unlimited_rebuys_addon")
    entries = [paid(cup, 1, "buy_in", 100_000), paid(cup, 2, "addon", 70_000)]
    seats = {"from_table": "", "occasion": "drawn", "table": f"poker{house.mark}"}
    house.at(1, replace(offered, addon=70_000, starts_at=START + 8 * DAY), entries[0])
    for seat, name in enumerate((player, "bara"), 1):
        House.at(house, 2, e.SeatDrawn(tournament=cup, account=name, seat=seat, **seats))
    course = [
        e.TournamentStarted(tournament=cup, entries=1),
        hand("poker", cup, accounts=(player, "bara"), button=player, point_value=0),
    ]
    house.at(8 * DAYS, *([entries[1], *course] if is_early else [*course, entries[1]]))
    house.at(8 * DAYS + 1, e.TournamentCancelled(tournament=cup, cause="c"))
    for entry in entries:
        house.at(8 * DAYS + 1, e.TournamentEntryReturned(
            tournament=cup, entry=entry.entry, account="a", amount=entry.amount,
            cause="cancelled", paragraph="p",
        ))  # fmt: skip


def dealt_out(house: House, *sharing: str) -> None:
    """Agree on a deal in a tournament that Anna and Bara are left in."""
    assert isinstance(house, Neighbour)
    cup = f"deal{house.mark}"
    tournament_facts = [replace(paid(cup, number, "buy_in", 100_000), account=name)
                        for number, name in enumerate(("anna", "bara"))]  # fmt: skip
    house.at(1, announced(cup))
    for fact in tournament_facts:
        House.at(house, 1, fact)
    house.at(3, e.DealAgreed(
        tournament=cup, accounts=sharing, shares=(1,) * len(sharing), playout_percent="", playout=0
    ))  # fmt: skip


def balanced(house: House, *players: int) -> None:
    """Play two hands at the first of two tables with so many players of a tournament."""
    assert isinstance(house, Neighbour)
    cup, names = f"balance{house.mark}", [f"player{number}" for number in range(sum(players))]
    for number, name in enumerate(names):
        table = f"poker{int(number >= players[0])}{house.mark}"
        House.at(house, 1, e.SeatDrawn(
            tournament=cup, account=name, table=table, seat=1, from_table="", occasion="drawn"
        ))  # fmt: skip
    for _ in range(2):
        house.at(2, hand("poker0", cup, accounts=tuple(names[:2])))


def decided_by(house: House, by: str, minutes: int) -> None:
    """Stand, so many minutes before the time for it is over."""
    house.at(5, e.PlayerDecided(
        account="a", round="r", box="", hand="", decision="stand", free=False, by=by, street="",
        times=0, stake=0, asked_at=0, until=START + (5 + minutes) * MINUTE,
    ))  # fmt: skip
