"""The breaches that an audit recorded behind lawful chains, replayed as one set.

Each is recorded as facts in one chain, beside the others and beside histories without a breach; one
reconciliation has to find each of them under its code, and nothing in the lawful histories.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from ledger.core.clock import DAY, MINUTE
from ledger.events import event_types as e
from projections.findings.identity import identity_of
from projections.reconciliation.reconcile import reconcile
from tests.projections.history_cases import (
    House,
    concluded,
    deposited,
    logged_in,
    notified,
    placed,
    project,
    record,
    registered,
    round_opened,
    round_voided,
    settled,
    spun,
    voided,
)
from tests.projections.projection_cases import START, Chain, seeded
from tests.projections.reconciliation.test_button_findings import hands_of
from tests.projections.reconciliation.test_card_room_findings import (
    action,
    bet_in_hand,
    eliminated,
    hand,
    race,
    whole_set,
)
from tests.projections.reconciliation.test_plan_findings import (
    BACCARAT,
    BLACKJACK,
    BURN,
    CANCELLED,
    CZECH,
    EXCLUDED,
    FREE_BET,
    HOLDEM,
    PARTS,
    ROULETTE,
    account_without_email,
    announced,
    dealt,
    opened,
    paid,
    recorded,
    resulted,
    rules_published,
)
from tests.projections.reconciliation.test_prison_findings import CHIP, STAKE, decided, play
from tests.projections.reconciliation.test_rules_in_force import document_with
from tests.projections.reconciliation.test_seats import EVOLUTION, issued, laid, seated, table_of
from tests.projections.reconciliation.test_tournament_course import level
from tests.projections.shared_cases import ASIDE, LAST, Neighbour

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from projections.store.tables import Store

DAYS = DAY // MINUTE
END = 45 * DAYS
"""When every period of the table of duties is over that is counted in days."""
Breach = tuple[str, str, "Callable[[House], object]"]
FAILED = e.RoundReconstructed(round="r", how="camera", by="i", succeeded=False)
PRESSED = e.PanicButtonPressed(account="a", until=0, channel="web")


def pressed(house: House, **reported: Any) -> None:
    house.at(1, PRESSED, e.LongExclusionOffered(account="a", answer="declined"))
    house.at(2, e.PanicButtonReported(account="a", **reported))


def accepted(house: House) -> None:
    house.at(1, PRESSED, e.PanicButtonReported(account="a", acknowledged=True))
    house.at(1, e.LongExclusionOffered(account="a", answer="accepted"))


def objected(house: House) -> None:
    case = {"person": "p-a", "account": "a", "case": "objected"}
    house.at(1, CANCELLED, notified("a"))
    house.at(2, e.ObjectionFiled(**case, grounds=b"g"))
    house.at(3, e.ObjectionDecided(**case, upheld=False, explanation=b"e"))


def objection_upheld(house: House, *after: e.Event) -> None:
    case = {"account": "a", "case": "upheld"}
    house.at(1, CANCELLED, notified("a"))
    house.at(2, e.ObjectionFiled(person="p-a", **case, grounds=b"g"))
    house.at(3, e.ObjectionConfirmed(**case))
    decided = e.ObjectionDecided(person="p-a", **case, upheld=True, explanation=b"e")
    house.at(4, decided, *after)


def failed_device(house: House, *after: e.Event) -> None:
    failed = e.DeviceInspected(
        table="t", round="", device="w", kind="wheel", by="i", passed=False, findings="tilted"
    )
    house.at(1, failed, *after)
    house.played(2, "r", until=3)


def cancelled_by_operator(house: House, **notice: Any) -> None:
    asked = e.CancellationRequested(
        person="p-a", account="a", by="operator", ground="12", explanation=b"e"
    )
    house.at(1, asked)
    house.at(2, notified("a", **notice))


def noticed_without_address(house: House) -> None:
    house.at(0, account_without_email("b"))
    house.at(2, notified("b"))


def destroyed(house: House) -> None:
    house.at(0, recorded("early"))
    house.at(
        20 * DAYS,
        e.RecordDestroyed(
            kind="document", record="early", made_on="2025-10-09", by="b", reason="r"
        ),
    )


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


def played_long(house: House, minutes: int, *, shown: int = 0) -> None:
    for number, minute in enumerate(range(1, minutes + 1, 10)):
        house.played(minute, f"long{number}", until=minute + 1)
        if shown and minute < shown <= minute + 10:
            seen = e.InformationShown(
                account="a", kind="play_time", text="", play_minutes=shown, net_result=None
            )
            house.at(shown, seen)
    house.at(minutes, e.LoggedOut(session="s-a", account="a", cause="user"))


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


def played_while(house: House, *facts: e.Event) -> None:
    house.at(1, *facts)
    house.played(2, "r", until=3)


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


def sent_back(house: House, name: str, *amounts: int, method: str = "bank") -> None:
    bank = {"method": "bank", "method_class": "account"}
    house.at(1, e.DepositRefused(
        account="a", deposit=name, amount=100, code="EXCLUDED", parameters='{"ground":"register"}',
        paragraph="p", received=True, **bank,
    ))  # fmt: skip
    for amount in amounts:
        house.at(2, e.DepositReturned(
            account="a", deposit=name, amount=amount, method=method, method_class="account",
            credited=False, reason="EXCLUDED", claimed=0, name_digest="",
        ))  # fmt: skip


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


def cancelled_withdrawal(
    house: House, name: str, *behind: str, until: float | None = None, minute: float = 2
) -> None:
    end = until and START + int(until * MINUTE)
    house.at(0, replace(EXCLUDED, ground="own", until=end) if end else EXCLUDED)
    facts: dict[str, Any] = {"amount": 100, "method": "bank", "method_class": "account"}
    house.at(1, e.WithdrawalRequested(account="a", withdrawal=name, **facts))
    house.at(minute, e.WithdrawalCancelled(
        account="a", withdrawal=name, amount=100, reason="bank"
    ))  # fmt: skip
    for again in behind:
        house.at(3, e.WithdrawalRequested(account="a", withdrawal=again, **facts))
        house.at(4, e.WithdrawalPaid(
            account="a", withdrawal=again, document_shown=False, name_digest="", **facts
        ))  # fmt: skip


def published(house: House, series: str, digest: str) -> None:
    facts = {"series": series, "version": 1}
    house.at(1, replace(package(series), digest="built"))
    house.at(2, e.PackagePublished(**facts, digest=digest, file="", file_digest="", size=0))


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


def moded(house: House, *, internet: bool) -> None:
    changed = {"account": "a", "regime": "permanent", "internet": internet}
    house.at(1, e.AccountModeChanged(**changed, land_based=True))
    house.played(1, "r", until=2)


def closed_after_play(house: House, *behind: e.Event, is_evaluated: bool = True) -> None:
    """Play a round and close the account 20 days later; ``behind`` came on the fifth day."""
    chips = placed("r")
    house.opened(1, "r")
    house.at(1, chips)
    house.closed(1, "r", chips)
    if is_evaluated:
        house.resulted(1, "r")
        house.at(1, settled(chips, due=0))
    house.at(2, e.LoggedOut(session="s-a", account="a", cause="user"), CANCELLED, notified())
    if behind:
        house.at(5 * DAYS, *behind)
    money = e.BalanceReturned(account="a", amount=10**8 - 1_000, method="bank", way="account")
    house.at(20 * DAYS, money, e.AccountClosed(account="a", ground="12(4)"))
    house.at(20 * DAYS, e.ComplaintDecided(
        person="p-a", account="a", case="late", upheld=False, explanation=b"e"
    ))  # fmt: skip


def temporary(house: House, minute: float) -> None:
    """Close a temporary account of which nothing was spent."""
    house.account("b", regime="temporary", money=500)
    house.at(1, e.LoggedOut(session="s-b", account="b", cause="user"))
    money = e.BalanceReturned(account="b", amount=500, method="bank", way="account")
    house.at(minute, money, e.AccountClosed(account="b", ground="ZHH 80(1)"))


def withdrawn_twice(house: House, name: str, *, paid: bool) -> None:
    """Request two withdrawals; one ends, and is paid then."""
    bank: dict[str, Any] = {"amount": 100, "method": "bank", "method_class": "account"}
    for one in (name, f"{name}, other"):
        house.at(1, e.WithdrawalRequested(account="a", withdrawal=one, **bank))
    payment = e.WithdrawalPaid(
        account="a", withdrawal=name, document_shown=False, name_digest="", **bank
    )
    given_up = e.WithdrawalCancelled(account="a", withdrawal=name, amount=100, reason="r")
    house.at(2, payment if paid else given_up, payment)


def charged(house: House, *back: int) -> None:
    house.at(1, e.FeeCharged(account="a", fee="f", amount=100, reason="r"))
    for amount in back:
        house.at(2, e.FeeReturned(account="a", fee="f", amount=amount, reason="r"))


COMPLAINED = e.ComplaintFiled(
    person="p-a", account="a", case="late", grounds=b"g", round="", rounds=(), bets=()
)


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


def never_paid(house: House) -> None:
    facts: dict[str, Any] = {"method": "bank", "method_class": "account"}
    house.at(1, e.WithdrawalRequested(account="a", withdrawal="never paid", amount=100, **facts))


def refused_money(house: House) -> None:
    facts = {
        "code": "EXCLUDED",
        "parameters": '{"ground":"register"}',
        "paragraph": "p",
        "received": True,
    }
    bank = {"method": "bank", "method_class": "account"}
    house.at(1, e.DepositRefused(account="a", deposit="refused", amount=100, **facts, **bank))


def package(series: str) -> e.PackageBuilt:
    return e.PackageBuilt(
        series=series, version=1, known_at=1, cause="", files=(), rows=(), digests=(), digest="",
        settings="", software_version="",
    )  # fmt: skip


def rejected(house: House) -> None:
    series = {"series": "rejected", "version": 1}
    published = e.PackagePublished(**series, digest="", file="", file_digest="", size=0)
    house.at(1, package("rejected"), published)
    wrong = e.ConfirmationReceived(
        **series, confirmation="c", verdict="ERR", file_digest="", files=(), keys=(), columns=(),
        codes=(), messages=(), cut=False,
    )  # fmt: skip
    house.at(2, wrong)


def over_the_limit(house: House) -> None:
    chips = placed("r", stake=10**9)
    house.opened(1, "r")
    house.at(1, chips)
    house.closed(2, "r", chips)
    house.resulted(3, "r", 1)
    house.at(3, settled(chips, due=2 * 10**9))


def not_taken_back(house: House) -> None:
    paid_late(house)
    taken = e.PrizeWithheld(
        bet="r-1", account="a", round="r", amount=2_000, collected=500, claimed=500,
        paragraph="SAZKA 17(2)", cause="tampering",
    )  # fmt: skip
    house.at(5, taken)


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


def complained(house: House, *, upheld: bool) -> None:
    """Correct a stake after a complaint about the round; cases have no mark."""
    assert isinstance(house, Neighbour)
    case = {"person": "p-a", "account": "a", "case": f"stake{house.mark}"}
    stake_corrected(
        house,
        e.ComplaintFiled(**case, round="r", grounds=b"g", rounds=(), bets=()),
        e.ComplaintDecided(**case, upheld=upheld, explanation=b"e"),
    )


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


HELD = {"account": "a", "round": "r", "by": "b", "cause": "c"}


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


def refunded(house: House, paid_in: int, *refunds: tuple[str, str, int]) -> None:
    """Return the balance of an account to means of payment; a card paid in so much."""
    if paid_in:
        house.at(1, registered("a", "card", "card"))
        house.at(1, deposited("a", paid_in, name="c", method="card", method_class="card"))
    for method, way, amount in refunds:
        house.at(2, e.BalanceReturned(account="a", amount=amount, method=method, way=way))


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


def stricter_rules() -> e.OperatorRulesPublished:
    document = document_with(
        **dict.fromkeys(("cash_haler", "linked_haler", "credited_minutes", "held_days"), 1),
        **dict.fromkeys(("announced_days", "dormant_evaluated_days"), 300),
        play_minutes=1,
    )
    for period in document["periods"].values():
        period["days"] = 40
    return e.OperatorRulesPublished(name="other", rules=json.dumps(document))


BREACHES: tuple[Breach, ...] = (
    ("deposit of a person in the register, 12a(4)", "DEPOSIT_WHILE_EXCLUDED",
     lambda house: (house.at(1, EXCLUDED), house.at(2, deposited("a", 500, name="x")))),
    ("deposit during the panic block", "DEPOSIT_WHILE_PANIC",
     lambda house: (house.at(1, PRESSED), house.at(2, deposited("a", 500, name="p")))),
    ("deposit during cancellation, 12(5)", "DEPOSIT_WHILE_CANCELLING",
     lambda house: (house.at(1, CANCELLED), house.at(2, deposited("a", 500, name="c")))),
    ("deposit on a closed account", "DEPOSIT_WHILE_CLOSED",
     lambda house: (house.at(1, e.AccountClosed(account="a", ground="12(4)")),
                    house.at(2, deposited("a", 500, name="l")))),
    ("panic report that was not acknowledged, 12a(1)", "PANIC_NOT_REPORTED",
     lambda house: pressed(house, acknowledged=False)),
    ("no long exclusion offered, 12a(1)", "EXCLUSION_NOT_OFFERED",
     lambda house: house.at(1, PRESSED)),
    ("application for exclusion never forwarded, 12a(2)", "EXCLUSION_NOT_FORWARDED", accepted),
    ("exclusion asked for without a press, never forwarded, 12a(3)", "EXCLUSION_NOT_FORWARDED",
     lambda house: house.at(1, e.LongExclusionRequested(account="a", forwarded=False))),
    ("listed by the register, not excluded, 9(5)", "LISTED_NOT_EXCLUDED",
     lambda house: house.at(
         1, e.RegisterChecked(account="a", occasion="login", answer="listed", live=True))),
    ("login that the register was not asked about again, L-31", ASIDE,
     lambda house: house.at(1, *logged_in("a", "long"))),
    ("no receipt of a request to close, 12(4)", "RECEIPT_NOT_SENT",
     lambda house: house.at(1, CANCELLED)),
    ("no notice of the operator's cancellation, 12(3)", "NOTICE_NOT_SENT",
     lambda house: house.at(1, e.CancellationRequested(
         person="p-a", account="a", by="operator", ground="12", explanation=b"e"))),
    ("objection decided without confirmation, 12(7)", "OBJECTION_NOT_CONFIRMED", objected),
    ("objection upheld, account not restored, 12(7)", "OBJECTION_NOT_CARRIED_OUT",
     objection_upheld),
    ("device that failed and stayed at its table, L-37", "DEVICE_NOT_REMOVED", failed_device),
    ("notice without its parts, 12(3)", "NOTICE_INCOMPLETE",
     lambda house: cancelled_by_operator(house, parts=PARTS[:1])),
    ("notice by post, 12(3)", "NOTICE_INCOMPLETE",
     lambda house: cancelled_by_operator(house, way="post")),
    ("notice to an account without an e-mail address", "NOTICE_INCOMPLETE",
     noticed_without_address),
    ("complaint without an answer, 16", "COMPLAINT_OVERDUE",
     lambda house: house.at(1, e.ComplaintFiled(
         person="p-a", account="a", case="open", round="", grounds=b"g", rounds=(), bets=()))),
    ("money against the rules that is never sent back, 10(3)", "DEPOSIT_NOT_SENT_BACK",
     refused_money),
    ("package that is never published", "PACKAGE_NOT_PUBLISHED",
     lambda house: house.at(1, package("never published"))),
    ("package that the authority rejected", "PACKAGE_NOT_CORRECTED", rejected),
    ("bet over the limit of the table, 13(2)", "BET_NOT_ALLOWED", over_the_limit),
    ("withdrawal that is never paid", "WITHDRAWAL_NOT_PAID", never_paid),
    ("records destroyed within three years, L-23", "RECORD_DESTROYED_EARLY", destroyed),
    ("entry after the registration closed", "ENTRY_NOT_ALLOWED",
     lambda house: entered(house, "closed", ("buy_in", 100_000), ("fixed", 0), ("rebuy", 50_000))),
    ("second rebuy", "ENTRY_NOT_ALLOWED",
     lambda house: entered(
         house, "second", ("buy_in", 100_000), ("rebuy", 50_000), ("rebuy", 50_000))),
    ("rebuy with more chips than the starting stack", "ENTRY_NOT_ALLOWED",
     lambda house: house.at(
         1, announced("rich"), paid("rich", 0, "buy_in", 100_000),
         replace(paid("rich", 1, "rebuy", 50_000), chips=5_001))),
    ("level that begins before the one before it is over", "LEVEL_NOT_ANNOUNCED",
     lambda house: levels(house, "too early", 1, 20)),
    ("hand with the blinds of another level", "AMOUNTS_NOT_OF_LEVEL",
     lambda house: tournament(
         house, "blinds", level("blinds", 1), hand("blinds", "blinds", big_blind=200))),
    ("hand that does not wait for the other table", "TABLE_NOT_WAITED_FOR",
     lambda house: tournament(
         house, "waits", hand("one", "waits", round="1"),
         e.HandForHandSet(tournament="waits", begins=True), hand("two", "waits", round="2"))),
    ("more chips and the lower place", "PLACES_AGAINST_CHIPS",
     lambda house: tournament(
         house, "places", *(eliminated("places", name, round="1", chips=(chips,))
                            for name, chips in (("anna", 900), ("bara", 300))))),
    ("fee above 15 % at the announcement", "FEE_NOT_ALLOWED",
     lambda house: house.at(1, announced("dear", percent="15.01"))),
    ("fee above what was announced at the entry", "ENTRY_NOT_ALLOWED",
     lambda house: entered(house, "dear entry", ("buy_in", 115_000))),
    ("time money above the plan's maximum", "TIME_MONEY_WRONG",
     lambda house: time_money(house, "much", 10_000_100)),
    ("time money twice for a half hour", "TIME_MONEY_TWICE",
     lambda house: time_money(house, "twice", 10_000, 10_000)),
    ("shoe with a wrong number of decks", "SHOE_DECKS_WRONG",
     lambda house: shoe(house, "five decks", decks=5)),
    ("cut card out of bounds", "SHOE_CUT_WRONG", lambda house: shoe(house, "deep cut", cut=51)),
    ("burned card missing", "CARD_NOT_BURNT", lambda house: shoe(house, "two burnt", burnt=2)),
    ("no card burned at a change of dealer", "CARD_NOT_BURNT",
     lambda house: another_dealer(house, "taken over", burnt=0)),
    ("void without reconstruction, annex", "VOID_NOT_RECONSTRUCTED",
     lambda house: voided_for(house, "card_misrecorded")),
    ("void on a ground of no plan, 14", "VOID_NOT_ALLOWED",
     lambda house: voided_for(house, "dealer was tired")),
    ("coup voided before participants were told", "FAULT_NOT_ANNOUNCED", coup_voided),
    ("coup that went on when its fault was announced", "FAULT_WITHOUT_PAUSE",
     lambda house: coup_voided(house, "voice", "chat", is_paused=False)),
    ("button that stays, or was not drawn", "BUTTON_WRONG",
     lambda house: hands_of(house, ["abc a b c"])),
    ("eighth player at a table of seven", "TABLE_OVERFULL",
     lambda house: house.at(1, table_of(EVOLUTION), *seated(*range(8)))),
    ("colour that two players have", "COLOUR_TWICE",
     lambda house: house.at(1, issued("a", "blue"), issued("b", "blue"))),
    ("player of a tournament without a seat", "PLAYER_NOT_SEATED",
     lambda house: house.at(1, hand("poker", "no seats drawn"))),
    ("Fantasyland that was not earned", "FANTASYLAND_WRONG",
     lambda house: house.at(1, hand("open", in_fantasyland=("anna",)))),
    ("rows of open-face without placements", "CARDS_NOT_PLACED",
     lambda house: house.at(1, hand("open"), whole_set("open", "hand"))),
    ("chip race that gives one player two chips", "CHIP_RACE_WRONG",
     lambda house: house.at(1, race(won=("anna", "anna")))),
    ("bet below the big blind in no limit", "ACTION_OVER_LIMIT",
     lambda house: bet_in_hand(house, "no limit", 5_000)),
    ("hand of a tournament without antes", "ANTE_MISSING", without_antes),
    ("an hour of play without information, L-52", "INFORMATION_NOT_SHOWN",
     lambda house: played_long(house, 62)),
    ("wrong order of dealing", "DEALING_ORDER_WRONG", banker_first),
    ("too few turns without a decision", "SPIN_NOT_RULED_ON", short_spin),
    ("streamed round without a dealer, 5a(1)", "ROUND_WITHOUT_DEALER",
     lambda house: house.at(1, opened("r", ROULETTE, streamed=True, dealer=""))),
    ("result of a machine, 5a(1)", "RESULT_BY_MACHINE",
     lambda house: house.at(1, opened(
         "r", ROULETTE, streamed=True, device_kinds=("machine",), devices=("m",)))),
    ("account without contact data, 8(3)", "DATA_MISSING",
     lambda house: house.at(0, account_without_email("no-mail"))),
    ("bet while excluded", "BET_WHILE_EXCLUDED", lambda house: played_while(house, EXCLUDED)),
    ("bet within the panic block", "BET_WHILE_PANIC",
     lambda house: played_while(house, PRESSED)),
    ("chips placed after the close", "BET_AFTER_CLOSE", placed_after_close),
    ("win that is paid too little", "PAID_TOO_LITTLE",
     lambda house: paid_late(house, paid=1_000)),
    ("prize that was withheld and not taken back, 17(2)", "PRIZE_NOT_COLLECTED", not_taken_back),
    ("limits of a table outside the plan, 13(2)", "TABLE_LIMITS_WRONG", limits_outside_the_plan),
    ("win that is credited after an hour, 15(3)", "CREDITED_LATE",
     lambda house: paid_late(house, minutes=61)),
    ("ball on another number behind the result, 14(1)", "RESULT_ON_CONTRADICTION",
     lambda house: ball_after(house, 20)),
    ("card of another face behind the result, 14(1)", "RESULT_ON_CONTRADICTION",
     lambda house: card_after(house, "3C")),
    ("bet that was cancelled before it came", "BET_NOT_ALLOWED",
     lambda house: cancelled_first(house, 1)),
    ("card dealt before the close", "CARD_BEFORE_CLOSE",
     lambda house: coup(house, close=3, deal=2)),
    ("place in the order of the cards skipped", "CARD_SKIPPED",
     lambda house: coup(house, last=4)),
    ("ninth copy of a card of eight decks", "SHOE_CARD_TOO_OFTEN",
     lambda house: coups_of_shoe(house, "nine copies", "223452")),
    ("play past the cut card", "SHOE_PAST_CUT",
     lambda house: coups_of_shoe(house, "past the cut", "234", cut=416 - 6)),
    ("valid spin declared invalid when the ball had fallen", "SPIN_WRONGLY_REPEATED",
     lambda house: spun_again(house, 14)),
    ("round void for the turns of a valid spin", "SPIN_WRONGLY_REPEATED",
     lambda house: voided_for_spin(house, "no_spin_too_few_revolutions")),
    ("round void for the direction of a valid spin", "SPIN_WRONGLY_REPEATED",
     lambda house: voided_for_spin(house, "no_spin_direction")),
    ("refused money sent back in part, 10(3)", "DEPOSIT_RETURNED_WRONG",
     lambda house: sent_back(house, "in part", 50)),
    ("refused money sent back by another means, 10(3)", "DEPOSIT_RETURNED_WRONG",
     lambda house: sent_back(house, "elsewhere", 100, method="other")),
    ("dealer who checks the payouts", "CHECKED_BY_DEALER",
     lambda house: checked_by(house, "d")),
    ("dealer who took the table over checks the payouts", "CHECKED_BY_DEALER",
     lambda house: taken_over(house, until=1)),
    ("wrong payouts without consequence", "CHECK_WITHOUT_CONSEQUENCE",
     lambda house: checked_by(house, "i", correct=False)),
    ("withdrawal of an excluded participant cancelled", "WITHDRAWAL_NOT_RENEWED",
     lambda house: cancelled_withdrawal(house, "given up")),
    ("balance sent by post though an account is registered", "REFUND_METHOD_WRONG",
     lambda house: refunded(house, 0, ("postal", "postal", 500))),
    ("withdrawal paid twice beside another one", "PAYMENT_CONTRADICTED",
     lambda house: withdrawn_twice(house, "paid twice", paid=True)),
    ("withdrawal paid after its cancellation", "PAYMENT_CONTRADICTED",
     lambda house: withdrawn_twice(house, "paid after", paid=False)),
    ("deposit credited twice", "PAYMENT_CONTRADICTED",
     lambda house: house.at(1, *2 * [deposited("a", 500, name="twice")])),
    ("deposit credited after it was sent back", "PAYMENT_CONTRADICTED",
     lambda house: (sent_back(house, "back-a", 100),
                    house.at(3, deposited("a", 100, name="back")))),
    ("more of a fee returned than was charged", "PAYMENT_CONTRADICTED",
     lambda house: charged(house, 60, 41)),
    ("withdrawal cancelled a day before the exclusion ends", "WITHDRAWAL_NOT_RENEWED",
     lambda house: cancelled_withdrawal(house, "early", until=1.1 * DAYS)),
    ("account closed while a bet was open, 12(6)", "CLOSED_TOO_EARLY",
     lambda house: closed_after_play(house, is_evaluated=False)),
    ("account closed before a complaint of the first day was decided", "CLOSED_TOO_EARLY",
     lambda house: (house.at(2, COMPLAINED), closed_after_play(house))),
    ("temporary account closed before its end", "CLOSED_TOO_EARLY",
     lambda house: temporary(house, 29 * DAYS)),
    ("package published with other content", "PACKAGE_DIFFERS",
     lambda house: published(house, "differs", "other")),
    ("simple chance without the value of its chips", "BET_NOT_ALLOWED",
     lambda house: simple_chance(house, 0)),
    ("bet in a studio of an account for casinos", "BET_NOT_INTERNET",
     lambda house: moded(house, internet=False)),
    ("round opened during another one", "ROUNDS_OVERLAP",
     lambda house: overlapping(house, is_over=False)),
    ("round at a closed table", "ROUND_AT_CLOSED_TABLE",
     lambda house: closed_table(house, is_opened_again=False)),
    ("round with the device of another table, L-38", "DEVICE_ELSEWHERE",
     lambda house: with_device(house, "elsewhere")),
    ("round of a withdrawn game", "ROUND_OF_WITHDRAWN_GAME",
     lambda house: withdrawn_game(house, e.GameWithdrawn(game=FREE_BET, reason="x"))),
    ("streamed table in a casino", "TABLE_PLACE_WRONG",
     lambda house: streamed_table(house, "hall", "casino")),
    ("time money never announced", "TIME_MONEY_WRONG",
     lambda house: time_money(house, "not announced", 10_000, price=0)),
    ("time money above what was announced", "TIME_MONEY_WRONG",
     lambda house: time_money(house, "dearer", 20_000)),
    ("tournament that never ends", "TOURNAMENT_NOT_ENDED",
     lambda house: house.at(1, e.TournamentStarted(tournament="endless", entries=2))),
    ("colour chips of another player", "COLOUR_MISUSED",
     lambda house: house.at(1, issued("a", "green"), laid("b", "green"))),
    ("stake raised after the result", "STAKE_CORRECTED_UNFOUNDED", stake_corrected),
    ("stake raised for a complaint that was rejected", "STAKE_CORRECTED_UNFOUNDED",
     lambda house: complained(house, upheld=False)),
    ("stake raised on a reconstruction that failed", "STAKE_CORRECTED_UNFOUNDED",
     lambda house: stake_corrected(house, FAILED)),
    ("win credited after the next game had begun", "CREDITED_AFTER_NEXT_ROUND", credited_after),
    ("bet of a participant disconnected before the close", "BET_WHILE_DISCONNECTED",
     disconnected),
    ("balance refunded to a card that paid nothing in", "REFUND_METHOD_WRONG",
     lambda house: refunded(house, 0, ("card", "card", 500))),
    ("more refunded to a card than it paid in", "REFUND_METHOD_WRONG",
     lambda house: refunded(house, 400, ("card", "card", 400), ("card", "card", 1))),
    ("bet registered after the ball had fallen", "BET_ON_KNOWN_FACT",
     on_known_number),
    ("wheel that turns the same way again", "SPIN_NOT_CHANGED",
     lambda house: wheel(house, "clockwise", "clockwise")),
    ("wheel and ball that turn the same way", "SPIN_WRONG_DIRECTION",
     lambda house: wheel(house, "clockwise", one_direction=True)),
    ("more in prison than the odd chip", "PRISON_CHIPS_WRONG",
     lambda house: play(house, 300_00, [decided(1, released=True)], imprisoned=STAKE)),
    ("rake beside time money", "TIME_MONEY_BESIDE_RAKE", lambda house: raked(house, "raked", 29)),
    ("add-on before the start", "ENTRY_NOT_ALLOWED",
     lambda house: added_on(house, is_early=True)),
    ("deal without a player", "DEAL_WRONG", lambda house: dealt_out(house, "anna")),
    ("unequal tables of a tournament", "TABLES_UNEQUAL", lambda house: balanced(house, 5, 3)),
    ("decision after its time", "DECISION_OUT_OF_TIME",
     lambda house: decided_by(house, "player", -1)),
    ("decision timed out before its time", "DECISION_OUT_OF_TIME",
     lambda house: decided_by(house, "timeout", 1)),
    ("balance returned to an account that was not registered", "REFUND_METHOD_WRONG",
     lambda house: refunded(house, 0, ("foreign", "account", 500))),
)  # fmt: skip
LAWFUL: tuple[Callable[[House], object], ...] = (
    lambda house: house.played(1, "r", until=2),
    lambda house: shoe(house, "as it should be"),
    lambda house: pressed(house, acknowledged=True),
    lambda house: house.at(1, e.LongExclusionRequested(account="a", forwarded=True)),
    lambda house: another_dealer(house, "taken over, burnt", burnt=1),
    lambda house: voided_for(house, "card_misrecorded", FAILED),
    lambda house: voided_for(house, "operator_interruption"),
    lambda house: coup_voided(house, "voice", "chat"),
    lambda house: played_long(house, 62, shown=30),
    lambda house: house.at(1, race()),
    lambda house: house.at(1, table_of(EVOLUTION), *seated(*range(7))),
    lambda house: house.at(1, issued("a", "blue"), issued("b", "red")),
    lambda house: entered(house, "fair", ("buy_in", 100_000), ("rebuy", 50_000)),
    lambda house: time_money(house, "once", 10_000),
    paid_late,
    lambda house: ball_after(house, 1),
    lambda house: cancelled_first(house, 2),
    cancelled_by_operator,
    coup,
    lambda house: moded(house, internet=True),
    lambda house: simple_chance(house, 10_000),
    lambda house: sent_back(house, "at once", 100),
    lambda house: sent_back(house, "in two parts", 40, 60),
    lambda house: checked_by(house, "i"),
    lambda house: taken_over(house, until=3),
    lambda house: checked_by(house, "i", RULING, correct=False),
    lambda house: cancelled_withdrawal(house, "first try", "second try"),
    lambda house: cancelled_withdrawal(house, "in time", "again", until=3 * DAYS),
    lambda house: cancelled_withdrawal(house, "later", until=DAYS, minute=DAYS),
    lambda house: cancelled_withdrawal(house, "just before", until=DAYS, minute=DAYS - 60),
    lambda house: charged(house, 60, 40),
    closed_after_play,
    lambda house: closed_after_play(house, COMPLAINED),
    lambda house: temporary(house, 30 * DAYS),
    voided_on_hold,
    lambda house: shoe_of_next_game(house, "next game"),
    lambda house: replaced_rules(house, "older rules recorded late"),
    lambda house: published(house, "agrees", "built"),
    lambda house: spun_again(house, 3),
    lambda house: voided_for_spin(house, "no_spin_too_few_revolutions", turns=4),
    lambda house: voided_for_spin(house, "no_spin_direction", is_right=False),
    lambda house: spun_again(house, 14, is_at_rest=False),
    lambda house: coups_of_shoe(house, "eight copies", "22345"),
    lambda house: coups_of_shoe(house, "to the cut", "234", cut=416 - 8),
    lambda house: overlapping(house, is_over=True),
    lambda house: closed_table(house, is_opened_again=True),
    with_device,
    withdrawn_game,
    lambda house: streamed_table(house, "hall of a studio", "studio"),
    lambda house: stake_corrected(house, replace(FAILED, succeeded=True)),
    lambda house: stake_corrected(house, RULING),
    lambda house: house.at(
        1,
        e.TournamentStarted(tournament="cup", entries=2),
        e.TournamentCancelled(tournament="cup", cause="c"),
    ),
    lambda house: house.at(1, issued("a", "green"), laid("a", "green")),
    lambda house: levels(house, "in time", 1, 21),
    lambda house: levels(house, "agreed", 1, 20, agreed=True),
    lambda house: tournament(
        house,
        "by chips",
        *(
            eliminated("by chips", name, round="1", chips=(chips,))
            for name, chips in (("bara", 300), ("anna", 900))
        ),
    ),
    lambda house: complained(house, upheld=True),
    lambda house: objection_upheld(house, e.AccountRestored(account="a", case="upheld")),
    lambda house: failed_device(
        house, e.DeviceRemoved(table="t", round="", device="w", kind="wheel", reason="tilted")
    ),
    lambda house: credited_after(house, is_next_first=False),
    lambda house: credited_after(
        house, e.PayoutHeld(**HELD, paragraph="p"), e.PayoutReleased(**HELD)
    ),
    lambda house: disconnected(house, e.PlayerReconnected(account="a", round="r", table="t")),
    lambda house: refunded(house, 400, ("card", "card", 400), ("bank", "account", 100)),
    lambda house: wheel(house, "clockwise", "counterclockwise", "clockwise"),
    lambda house: play(house, 300_00, [decided(1, released=True)], imprisoned=CHIP),
    lambda house: raked(house, "half hour later", 30),
    lambda house: added_on(house, is_early=False),
    lambda house: dealt_out(house, "anna", "bara"),
    lambda house: balanced(house, 4, 3),
    lambda house: decided_by(house, "player", 1),
    lambda house: decided_by(house, "timeout", -1),
)


@pytest.mark.law("L-29", "L-31", "L-32", "L-37", "Czech Casinos, play", "69GAMES tournament rules")
@pytest.mark.law("SAZKA 2 (conclusion of a bet)", "SAZKA 5(4)", "SAZKA 8(11)", "SAZKA 9(5)")
@pytest.mark.law("SAZKA 10(3)", "SAZKA 11(1)b", "SAZKA 11(1)a", "SAZKA 12a(1)", "SAZKA 12a(3)")
@pytest.mark.law("SAZKA 12(3)", "SAZKA 12a(4)", "SAZKA 12(4)", "SAZKA 12(6)", "SAZKA 12(7)")
@pytest.mark.law("SAZKA 12(8)", "SAZKA 13(2)", "SAZKA 14(2)", "SAZKA 15(1)", "SAZKA 17(2)")
@pytest.mark.law("L-27", "L-38", "SAZKA 9(1)")
def test_each_breach_of_the_set_is_found_under_its_code(store: Store) -> None:
    """Stricter rules that are published at the end judge nothing of what was played before."""
    chain = Chain()
    houses = [Neighbour(chain, number) for number in range(len(BREACHES) + len(LAWFUL))]
    for house, (_, _, act) in zip(houses, BREACHES, strict=False):
        act(house)
    for house, act in zip(houses[len(BREACHES) :], LAWFUL, strict=True):
        act(house)
        house.at(2, e.LoggedOut(session="s-a", account="a", cause="user"))
    record(chain, START + END * MINUTE - 1, stricter_rules())
    record(chain, START + END * MINUTE, LAST)
    project(chain, store)
    found: dict[int, set[str]] = defaultdict(set)
    for one in reconcile(store):
        for number, house in enumerate(houses):
            if one.position in house.positions and one.code != "PACKAGES_SILENT":
                found[number].add(one.code)
    missed = [
        (what, code, found[number])
        for number, (what, code, _) in enumerate(BREACHES)
        if code not in found[number]
    ]
    assert missed == []
    assert {number: found[number] for number in range(len(BREACHES), len(houses))} == {
        number: set() for number in range(len(BREACHES), len(houses))
    }


class Repeated(Neighbour):
    """A house of which some facts are recorded a second time."""

    def __init__(self, chain: Chain, number: int, draw: Random) -> None:
        self.draw = draw
        super().__init__(chain, number)

    def at(self, minute: float, *events: e.Event, micros: int = 0) -> int:
        first = super().at(minute, *events, micros=micros)
        again = [one for one in events if one.type != "ChainOpened" and self.draw.random() < 0.5]
        if again:
            super().at(minute, *again, micros=micros)
        return first


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.search)])
def test_no_two_findings_are_of_one_code_and_one_place(store: Store, seed: int) -> None:
    """Findings of a run differ in code, subject or position, whatever was recorded twice."""
    chain, draw = Chain(), seeded(seed)
    acts = [*(act for _, _, act in BREACHES), *LAWFUL]
    for number, act in enumerate(acts):
        act(Repeated(chain, number, draw))
    record(chain, START + END * MINUTE, LAST)
    project(chain, store)
    places = Counter((identity_of(one), one.position) for one in reconcile(store))
    assert places.most_common(1)[0][1] == 1


def test_an_application_that_is_recorded_again_is_one_omission(store: Store) -> None:
    house = House(Chain())
    house.table()
    house.account()
    accepted(house)
    house.at(2, e.LongExclusionRequested(account="a", forwarded=False))
    house.at(3, e.LongExclusionRequested(account="a", forwarded=True))
    house.at(4, e.LongExclusionRequested(account="a", forwarded=False))
    house.at(5, e.LongExclusionRequested(account="a", forwarded=False))
    record(house.chain, START + END * MINUTE, LAST)
    project(house.chain, store)
    found = reconcile(store, only=frozenset({"EXCLUSION_NOT_FORWARDED"}))
    assert len(found) == 1


def test_each_overlap_and_each_further_account_is_found(store: Store) -> None:
    """Not only the ones next to the round, or account, that is not over."""
    house = House(Chain())
    house.table()
    overlapping_two(house)
    for name in "abc":
        house.account(name, person="one")
        house.at(1, e.AccountClosed(account=name, ground="12(4)") if name == "b" else LAST)
    project(house.chain, store)
    found = reconcile(store, only=frozenset({"ROUNDS_OVERLAP", "SECOND_ACCOUNT"}))
    seen = [(one.round or one.account, one.detail) for one in found]
    assert sorted(seen) == [("again", "long"), ("b", "a"), ("c", "a"), ("short", "long")]


def test_burnt_cards_are_counted_from_each_loading_of_a_shoe(store: Store) -> None:
    """The shoe that is loaded again without burning is found, and only that loading."""
    house = House(Chain())
    shoe(house, "loaded twice")
    house.at(4, opened("s", BLACKJACK, table="loaded twice"))
    again = house.at(4, e.ShoeLoaded(
        shoe="loaded twice", table="loaded twice", decks=6, shuffle_method="hand", cut=52,
        cut_by="1",
    ))  # fmt: skip
    house.at(5, *dealt("s", "1", "dealer", "1", shoe="loaded twice"))
    project(house.chain, store)
    found = reconcile(store, only=frozenset({"CARD_NOT_BURNT"}))
    assert [(one.position, one.round) for one in found] == [(again, "s")]


@pytest.mark.law("SAZKA 13(4)")
def test_postings_that_do_not_sum_to_zero_are_found(store: Store) -> None:
    """They come from our own views, so the table is altered here."""
    house = House(Chain())
    house.table()
    house.account()
    position = house.at(1, deposited("a", 500, name="more"))
    project(house.chain, store)
    assert reconcile(store) == []
    store.command(
        "INSERT INTO postings SELECT position, 9, recorded_at, kind, account, round, bet, event, 7"
        " FROM postings WHERE position = {position:Int64} AND kind = 'wallet'",
        position=position,
    )
    found = reconcile(store, only=frozenset({"POSTINGS_UNEVEN"}))
    assert (position, 7) in [(one.position, one.amount) for one in found]


def test_the_set_is_not_smaller_than_the_one_of_the_audit() -> None:
    assert len(BREACHES) >= 31
    assert len({what for what, _, _ in BREACHES}) == len(BREACHES)
