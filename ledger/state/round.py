"""State of one round for decisions, folded from its events."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct, field

from ledger.core.dispatch import on, table
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.games import BURN
from ledger.state.cards import CARD_CHANGES, CardOnTable
from ledger.state.hand import HandState

if TYPE_CHECKING:
    from collections.abc import Callable

_JSON = msgspec.json.Decoder()
MOVED = frozenset({"running", "landed"})
SPIN = Phrase("THE_SPIN")

CANCELLED_BEFORE_PLACED = "BET_NOT_ON_TABLE"
"""Code of a refused bet whose cancellation came first; no bet is refused for it otherwise."""

__all__ = ["CANCELLED_BEFORE_PLACED", "MOVED", "RoundBet", "RoundState", "fold", "name_bytes"]


class RoundBet(Struct, gc=False):
    """One bet of a round; ``selection`` has the form of the game's plan, money is haléř.

    ``stake`` is the stake by which the round is settled; ``corrected`` is the stake after a later
    correction. ``amended`` is set once the win was corrected. ``chip`` is the value of the chips of
    the stake, 0 if not recorded; ``imprisoned`` is the chip that waits for the next spin.
    """

    account: str
    box: str
    bet_code: str
    selection: Any
    stake: int
    parent: str
    status: Literal["placed", "concluded", "given_back", "voided", "settled"] = "placed"
    due: int = 0
    paid: int = 0
    withheld: int = 0
    corrected: int = 0
    amended: bool = False
    chip: int = 0
    imprisoned: int = 0


class RoundState(Struct):
    """One round; its status goes open → closed → resulted → settled, or ends as voided.

    ``spin`` is the state of the last spin, ``turns`` the number of turns of its ball and
    ``against`` whether it ran against the wheel, ``turned`` the direction of the wheel and
    ``turned_before`` its direction in the table's last valid spin, where the plan requires it;
    ``invalid_for`` are the causes for which spins were declared invalid; ``number`` is where the
    ball landed, ``stopped_at`` the field of a wheel without a ball; ``in_play`` counts concluded
    bets without settlement; ``names_bytes`` is what the names of all who placed chips can take of
    the result; ``cards`` are the cards by their running number, ``actions`` those of players in
    order. ``doubts`` name contradictory records. ``held`` are the accounts whose payout is on hold;
    ``reconstructed`` is ``None`` until a reconstruction was tried. ``hand`` is the hand that
    players play against each other, ``None`` in a banker game. ``next_number`` is that of the spin
    that decided about chips in prison; ``owners`` decide on boxes where that is not the first
    player who bet there; ``is_fault_announced``: participants were informed of a fault by voice and
    chat. ``cancelled`` are the bets whose cancellation came before they did.
    """

    round: str
    table: str = ""
    game: str = ""
    plan_version: str = ""
    streamed: bool = False
    dealer: str = ""
    opened_at: int = 0
    status: Literal["unknown", "open", "closed", "resulted", "settled", "voided"] = "unknown"
    bets: dict[str, RoundBet] = field(default_factory=dict)
    by_account: dict[str, list[str]] = field(default_factory=dict)
    names_bytes: int = 0
    in_play: int = 0
    spin: Literal["none", "running", "landed", "invalid"] = "none"
    turns: int = 0
    against: bool = False
    turned: str = ""
    turned_before: str = ""
    invalid_for: set[str] = field(default_factory=set)
    number: int | None = None
    stopped_at: str = ""
    cards: dict[int, CardOnTable] = field(default_factory=dict)
    actions: list[e.PlayerDecided] = field(default_factory=list)
    doubts: set[Phrase] = field(default_factory=set)
    outcome: dict[str, Any] = field(default_factory=dict)
    next_number: int | None = None
    owners: dict[str, str] = field(default_factory=dict)
    is_fault_announced: bool = False
    cancelled: set[str] = field(default_factory=set)
    reconstructed: bool | None = None
    held: set[str] = field(default_factory=set)
    hand: HandState | None = None

    def bets_of(self, account: str, *statuses: str) -> list[tuple[str, RoundBet]]:
        """Return the bets of one account with one of the statuses."""
        bets = self.bets
        names = self.by_account.get(account, ())
        return [(name, bet) for name in names if (bet := bets[name]).status in statuses]

    def bets_in(self, *statuses: str) -> list[tuple[str, RoundBet]]:
        """Return all bets with one of the statuses."""
        return [(name, bet) for name, bet in self.bets.items() if bet.status in statuses]

    def names_of(self, account: str) -> list[str]:
        """Return the names of an account's bets, and of its money in a hand among players."""
        names = list(self.by_account.get(account, []))
        if self.hand is not None and account in self.hand.started.accounts:
            names.append(self.hand.bet_of(account))
        return names

    @property
    def last_turned(self) -> str:
        """Direction of the table's wheel in the last valid spin."""
        counts = self.status in {"resulted", "settled"} and self.spin == "landed"
        return self.turned if counts else self.turned_before

    @property
    def is_known(self) -> bool:
        """Whether part of the result is known: a ball has landed or a card lies face up."""
        return self.spin == "landed" or any(
            card.card and card.recipient != BURN for card in self.cards.values()
        )

    @property
    def is_finished(self) -> bool:
        """Whether the round is over; only corrections can follow."""
        return self.status in {"settled", "voided"}


def name_bytes(account: str) -> int:
    """Return the number of bytes of a name in an event at most, including its length field."""
    return len(account.encode()) + 2


def fold(state: RoundState, event: e.Event, moment: int) -> RoundState:
    """Apply one event, recorded at ``moment``, to the state of a round."""
    kind = type(event)
    if kind is e.RoundOpened:
        state.opened_at = moment
    change = CHANGES.get(kind)
    if change is not None:
        change(state, event)
    return state


def _opened(state: RoundState, event: e.RoundOpened) -> None:
    state.table, state.game = event.table, event.game
    state.plan_version, state.streamed = event.plan_version, event.streamed
    state.dealer = event.dealer
    state.turned_before = event.wheel_turned
    state.status = "open"


def _bet_placed(state: RoundState, event: e.BetPlaced) -> None:
    account, bet = event.account, event.bet
    selection = _selection(event.selection) if event.selection else None
    state.bets[bet] = RoundBet(
        account, event.box, event.bet_code, selection, event.stake, event.parent
    )
    own = state.by_account.get(account)
    if own is None:
        state.names_bytes += name_bytes(account)
        state.by_account[account] = [bet]
    else:
        own.append(bet)


def _selection(text: str) -> Any:
    """Decode a selection; values such as NaN need Python's own JSON decoder."""
    try:
        return _JSON.decode(text)
    except msgspec.DecodeError:
        return json.loads(text)


def _refused(state: RoundState, event: e.BetRefused) -> None:
    if event.code == CANCELLED_BEFORE_PLACED:
        state.cancelled.add(event.bet)


def _given_back(state: RoundState, event: e.BetWithdrawn | e.BetReturned) -> None:
    bet = state.bets[event.bet]
    bet.status = "given_back"
    if bet.parent:  # The action that added the chips is removed with them.
        gone = (bet.account, bet.bet_code)
        state.actions = [
            action for action in state.actions if (action.account, action.decision) != gone
        ]


def _concluded(state: RoundState, event: e.BetConcluded) -> None:
    state.bets[event.bet].status = "concluded"
    state.in_play += 1


def _closed(state: RoundState, _: e.BetsClosed) -> None:
    state.status = "closed"


def _acted(state: RoundState, event: e.PlayerDecided) -> None:
    state.actions.append(event)


def _spun(state: RoundState, event: e.WheelSpun) -> None:
    if state.spin in MOVED:
        state.doubts.add(SPIN)
    state.spin, state.number, state.stopped_at = "running", None, ""
    state.turns = event.revolutions
    state.against = event.ball_direction != event.wheel_direction
    state.turned = event.wheel_direction


def _spin_invalid(state: RoundState, event: e.SpinDeclaredInvalid) -> None:
    state.spin, state.number = "invalid", None
    state.doubts.discard(SPIN)
    state.invalid_for.add(event.cause)


def _ball(state: RoundState, event: e.BallLanded) -> None:
    if state.spin == "landed" and state.number != event.number:
        state.doubts.add(SPIN)
    if state.spin in MOVED:
        state.spin, state.number = "landed", event.number


def _stopped(state: RoundState, event: e.WheelStopped) -> None:
    if state.spin == "landed" and state.stopped_at != event.field:
        state.doubts.add(SPIN)
    if state.spin in MOVED:
        state.spin, state.stopped_at = "landed", event.field


def _resulted(state: RoundState, event: e.RoundResulted) -> None:
    state.status = "resulted" if state.in_play else "settled"
    state.outcome = json.loads(event.outcome)


def _settled(state: RoundState, event: e.BetSettled) -> None:
    bet = state.bets[event.bet]
    bet.status, bet.due, bet.paid = "settled", event.due, event.paid
    _out_of_play(state)


def _fault_announced(state: RoundState, event: e.FaultAnnounced) -> None:
    state.is_fault_announced = state.is_fault_announced or {"voice", "chat"} <= set(event.channels)


def _box_owned(state: RoundState, event: e.BoxOwned) -> None:
    state.owners[event.box] = event.account


def _chips_laid(state: RoundState, event: e.ChipsLaid) -> None:
    state.bets[event.bet].chip = event.chip


def _imprisoned(state: RoundState, event: e.BetImprisoned) -> None:
    state.bets[event.bet].imprisoned = event.chip


def _prison_decided(state: RoundState, event: e.PrisonDecided) -> None:
    state.next_number = event.next_number


def _voided(state: RoundState, _: e.RoundVoided) -> None:
    state.status = "voided"


def _bet_voided(state: RoundState, event: e.BetVoided) -> None:
    state.bets[event.bet].status = "voided"
    _out_of_play(state)


def _out_of_play(state: RoundState) -> None:
    state.in_play -= 1
    if state.status == "resulted" and not state.in_play:
        state.status = "settled"


def _reconstructed(state: RoundState, event: e.RoundReconstructed) -> None:
    state.reconstructed = event.succeeded


def _held(state: RoundState, event: e.PayoutHeld) -> None:
    state.held.add(event.account)


def _released(state: RoundState, event: e.PayoutReleased) -> None:
    state.held.discard(event.account)


def _win_corrected(state: RoundState, event: e.WinCorrected) -> None:
    bet = state.bets[event.bet]
    bet.paid += event.difference
    bet.amended = True


def _bet_corrected(state: RoundState, event: e.BetCorrected) -> None:
    state.bets[event.bet].corrected += event.difference


def _withheld(state: RoundState, event: e.PrizeWithheld) -> None:
    bet = state.bets[event.bet]
    bet.withheld += event.amount
    bet.paid -= event.collected + event.claimed


CHANGES: dict[type[e.Event], Callable[[RoundState, Any], None]] = table(
    on(e.RoundOpened, _opened),
    on(e.BetPlaced, _bet_placed),
    on(e.BetRefused, _refused),
    on(e.BetWithdrawn, _given_back),
    on(e.BetReturned, _given_back),
    on(e.BetConcluded, _concluded),
    on(e.BetsClosed, _closed),
    on(e.PlayerDecided, _acted),
    on(e.WheelSpun, _spun),
    on(e.SpinDeclaredInvalid, _spin_invalid),
    on(e.BallLanded, _ball),
    on(e.WheelStopped, _stopped),
    on(e.RoundResulted, _resulted),
    on(e.BetSettled, _settled),
    on(e.FaultAnnounced, _fault_announced),
    on(e.BoxOwned, _box_owned),
    on(e.ChipsLaid, _chips_laid),
    on(e.BetImprisoned, _imprisoned),
    on(e.PrisonDecided, _prison_decided),
    on(e.RoundVoided, _voided),
    on(e.BetVoided, _bet_voided),
    on(e.RoundReconstructed, _reconstructed),
    on(e.PayoutHeld, _held),
    on(e.PayoutReleased, _released),
    on(e.WinCorrected, _win_corrected),
    on(e.BetCorrected, _bet_corrected),
    on(e.PrizeWithheld, _withheld),
)
CHANGES |= CARD_CHANGES
