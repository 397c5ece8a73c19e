"""The rules of postings in plain Python: what the view of each event must give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.events import event_types as e

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.events.encoding import RecordedEvent


class Posting(NamedTuple):
    """One row of the table ``postings``."""

    position: int
    posting: int
    recorded_at: int
    kind: str
    account: str
    round: str
    bet: str
    event: str
    amount: int


def postings_of(recorded: RecordedEvent) -> list[Posting]:
    """Tell the postings of an event; they sum to zero."""
    event = recorded.event
    if type(event) in HANDS:
        return postings_of_hand(recorded)
    return [
        Posting(
            position=recorded.position,
            posting=number,
            recorded_at=recorded.envelope.recorded_at,
            kind=kind,
            account=getattr(event, "account", ""),
            round=getattr(event, "round", ""),
            bet=getattr(event, "bet", ""),
            event=event.type,
            amount=amount,
        )
        for number, (kind, amount) in enumerate(_legs(event))
        if amount
    ]


def _legs(event: e.Event) -> list[tuple[str, int]]:
    match event:
        case e.DepositCredited():
            return _move(f"channel_{event.method_class}", "wallet", event.amount)
        case e.DepositReturned():
            if not event.credited:
                return []
            return _taken_back(f"channel_{event.method_class}", event.amount, event.claimed)
        case e.WithdrawalRequested():
            return _move("wallet", "withdrawals", event.amount)
        case e.WithdrawalPaid():
            return _move("withdrawals", f"channel_{event.method_class}", event.amount)
        case e.WithdrawalCancelled():
            return _move("withdrawals", "wallet", event.amount)
        case e.FeeCharged():
            return _move("wallet", "charges", event.amount)
        case e.FeeReturned():
            return _move("charges", "wallet", event.amount)
        case e.BalanceReturned():
            return _move("wallet", f"channel_{event.way}", event.amount)
        case e.ClaimSettled():
            source = "wallet" if event.way == "wallet" else "claims_settled"
            return _move(source, "claims", event.amount)
        case e.WriteOffConfirmed():
            source = "claims" if event.item == "claim" else f"channel_{event.method_class}"
            return _move(source, "write_offs", event.amount)
        case _:
            return _legs_of_bet(event)


def _legs_of_bet(event: e.Event) -> list[tuple[str, int]]:
    match event:
        case e.BetPlaced():
            return _move("wallet", "reserved", event.stake)
        case e.BetWithdrawn() | e.BetReturned():
            return _move("reserved", "wallet", event.amount)
        case e.BetConcluded():
            return _move("reserved", "in_play", event.amount)
        case e.BetSettled():
            house = event.stake - event.paid
            return [("game_result", house), ("wallet", event.paid), ("in_play", -event.stake)]
        case e.BetVoided():
            return _move("in_play", "wallet", event.amount)
        case e.WinCorrected():
            house, wallet, claims = _taken_back("game_result", -event.difference, event.claimed)
            return [wallet, house, claims]
        case e.BetCorrected():
            return _taken_back("game_result", event.difference, event.claimed)
        case e.PrizeWithheld():
            owed = event.collected + event.claimed
            return _taken_back("game_result", owed, event.claimed)
        case _:
            return _legs_of_floor(event)


def _legs_of_floor(event: Any) -> list[tuple[str, int]]:
    """Tell what moves on the floor of a casino, from where to where."""
    if not hasattr(event, "currency") or not hasattr(event, "station"):
        return []
    cash, chips, amount = f"cash_{event.currency}", f"chips_{event.currency}", event.amount
    match event:
        case e.CageCounted() | e.TableFloatCounted() | e.DropCounted():
            is_cash = getattr(event, "means", "cash") == "cash"
            kind = cash if is_cash and not isinstance(event, e.TableFloatCounted) else chips
            found = amount - event.expected
            return _move(f"{kind}:{event.against}", f"{kind}:{event.till}", found)
        case e.ChipsSold():
            paid = f"{event.method}_{event.currency}"
            return [
                *_move(f"{chips}:{event.till}", f"{chips}:guests", amount),
                *_move(f"{paid}:guests", f"{paid}:{event.till}", amount),
            ]
        case e.ChipsRedeemed():
            paid = f"{event.method}_{event.currency}"
            return [
                *_move(f"{chips}:{event.holder}", f"{chips}:{event.till}", amount),
                *_move(f"{paid}:{event.till}", f"{paid}:{event.holder}", amount),
            ]
        case e.CurrencyExchanged():
            given = f"cash_{event.given_currency}"
            return [
                *_move(f"{cash}:guests", f"{cash}:{event.till}", amount),
                *_move(f"{given}:{event.till}", f"{given}:guests", event.given),
            ]
        case e.ChipBetSettled():
            return _move(f"{chips}:guests", f"{chips}:{event.till}", amount - event.paid)
        case _:
            return _legs_of_slip(event, cash, chips)


def _legs_of_slip(event: Any, cash: str, chips: str) -> list[tuple[str, int]]:
    """Tell what moves from one place to one other."""
    till, cage = getattr(event, "till", ""), getattr(event, "cage_till", "")
    places = {
        e.CageFunded: (cash, "apart", till),
        e.CageWithdrawn: (cash, till, "apart"),
        e.CageOtherIn: (cash, "other", till),
        e.FillReceived: (chips, cage, till),
        e.CreditReturned: (chips, till, cage),
        e.DropMovedToCage: (cash, till, cage),
        e.TipReceived: (chips, "guests", till),
        e.TipGiven: (chips, "guests", "staff"),
        e.TroncMovedToCage: (chips, till, cage),
        e.ChipsMissing: (chips, "guests", "missing"),
        e.AccountCashIn: (cash, "guests", till),
        e.AccountCashOut: (cash, till, "guests"),
    }
    if type(event) not in places:
        return []
    kind, source, target = places[type(event)]
    return _move(f"{kind}:{source}", f"{kind}:{target}", event.amount)


def _taken_back(target: str, owed: int, claimed: int) -> list[tuple[str, int]]:
    """Take what is owed from the wallet as far as it goes; the rest is claimed."""
    return [(target, owed), ("wallet", claimed - owed), ("claims", -claimed)]


def _move(source: str, target: str, amount: int) -> list[tuple[str, int]]:
    return [(target, amount), (source, -amount)]


def postings_of_hand(recorded: RecordedEvent) -> list[Posting]:
    """Tell the postings of hands among players and of tournaments; chips are no money."""
    event = recorded.event
    is_hand = not isinstance(event, TOURNAMENT)
    if is_hand and getattr(event, "tournament", ""):
        return []
    return [
        Posting(
            position=recorded.position,
            posting=number,
            recorded_at=recorded.envelope.recorded_at,
            kind=kind,
            account=account,
            round=getattr(event, "round", "") if is_hand else "",
            bet=bet,
            event=event.type,
            amount=amount,
        )
        for number, kind, account, bet, amount in _legs_of_hand(event)
        if amount
    ]


TOURNAMENT = (
    e.TournamentEntryPaid,
    e.TournamentEntryReturned,
    e.TournamentEnded,
    e.TournamentPrizePaid,
)
HANDS = frozenset(
    {
        e.HandAction,
        e.UncalledReturned,
        e.MisdealDeclared,
        e.PotAwarded,
        e.PointsSettled,
        e.RakeTaken,
        e.TimeCollectionTaken,
        *TOURNAMENT,
    }
)
Leg = tuple[int, str, str, str, int]


def _legs_of_hand(event: e.Event) -> Iterator[Leg]:
    match event:
        case e.HandAction():
            yield from _between("wallet", "in_play", event.account, event.bet, event.amount)
        case e.UncalledReturned():
            yield from _between("in_play", "wallet", event.account, event.bet, event.amount)
        case e.RakeTaken():
            yield from _between("game_result", "charges", "", "", event.amount)
        case e.TimeCollectionTaken():
            yield from _between("wallet", "charges", event.account, "", event.amount)
        case e.MisdealDeclared():
            for seat, account in enumerate(event.accounts):
                bet, amount = _at(event.bets, seat, ""), _at(event.amounts, seat, 0)
                yield 2 * seat, "wallet", account, bet, amount
                yield 2 * seat + 1, "in_play", account, bet, -amount
        case e.PotAwarded() | e.PointsSettled():
            for seat, account in enumerate(event.accounts):
                bet, stake = _at(event.bets, seat, ""), _at(event.stakes, seat, 0)
                paid = _at(event.paid, seat, 0)
                yield 3 * seat, "game_result", account, bet, stake - paid
                yield 3 * seat + 1, "wallet", account, bet, paid
                yield 3 * seat + 2, "in_play", account, bet, -stake
        case _:
            yield from _legs_of_tournament(event)


def _legs_of_tournament(event: e.Event) -> Iterator[Leg]:
    stake = f"tournament:{event.tournament}"  # type: ignore[attr-defined]
    match event:
        case e.TournamentEntryPaid():
            yield from _between("wallet", "in_play", event.account, stake, event.amount)
        case e.TournamentEntryReturned():
            yield from _between("in_play", "wallet", event.account, stake, event.amount)
        case e.TournamentPrizePaid():
            yield from _between("prize_pool", "wallet", event.account, stake, event.paid)
        case e.TournamentEnded():
            for seat, account in enumerate(event.accounts):
                amount = _at(event.stakes, seat, 0)
                yield 2 * seat, "prize_pool", account, stake, amount
                yield 2 * seat + 1, "in_play", account, stake, -amount
            last = 2 * len(event.accounts)
            yield last, "charges", "", stake, event.fee
            yield last + 1, "prize_pool", "", stake, -event.fee
            yield last + 2, "prize_pool", "", stake, event.top_up
            yield last + 3, "game_result", "", stake, -event.top_up


def _between(source: str, target: str, account: str, bet: str, amount: int) -> Iterator[Leg]:
    yield 0, target, account, bet, amount
    yield 1, source, account, bet, -amount


def _at(items: tuple[Any, ...], place: int, missing: Any) -> Any:
    """Give an item of an array; arrays of a damaged event may be shorter than others."""
    return items[place] if place < len(items) else missing
