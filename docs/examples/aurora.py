"""Adapter for Aurora, a fictitious provider of live roulette: interprets its messages.

A message is a JSON object with ``type``, ``table``, ``number`` (of the table's messages, from 1
without gaps), ``at`` (RFC 3339) and ``data``. Amounts are decimal crowns as text. Unknown fields
are ignored, as providers add some. Copy this file as the start of another adapter.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from ledger.core.json_keys import require_keys_once
from ledger.decisions.rounds.betting import PlaceBet, WithdrawBet
from ledger.decisions.rounds.closing import CloseBets
from ledger.decisions.rounds.opening import OpenRound
from ledger.decisions.rounds.results import RecordResult, SettleRound, VoidRound
from ledger.decisions.rounds.seats import LeaveSeat, TakeSeat
from ledger.decisions.rounds.studio import LandBall, SpinWheel
from tools.feed.provider import Place, UnmappedError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ledger.events.command import Command

__all__ = ["Aurora"]

_Read = TypeVar("_Read", bound=Struct)

SPOTS = {"straight_up": "straight", "red": "red", "black": "black", "odd": "odd", "even": "even"}
"""Its names of bets, and those of the plan."""
GROUNDS = {"technical": "operator_interruption", "unreadable": "result_not_recorded"}
TURNS = {"cw": "clockwise", "ccw": "counterclockwise"}

Crowns = Annotated[str, Meta(pattern=r"^[0-9]{1,12}(\.[0-9]{2})?\Z")]
Theirs = Annotated[str, Meta(pattern=r"^[0-9A-Za-z_-]{1,20}\Z")]


class _Message(Struct, frozen=True):
    type: str
    table: Annotated[str, Meta(min_length=1, max_length=100)]
    number: Annotated[int, Meta(ge=1, le=10**12)]
    at: Annotated[datetime, Meta(tz=True)]
    data: Raw = Raw(b"{}")


class _OfRound(Struct, frozen=True):
    round: Theirs


class _OfPlayer(Struct, frozen=True):
    player: str


class _Bet(_OfRound, frozen=True):
    bet: Theirs
    player: str
    spot: str
    amount: Crowns
    currency: str
    numbers: tuple[int, ...] = ()


class _BetBack(_OfRound, frozen=True):
    bet: Theirs
    player: str


class _Result(_OfRound, frozen=True):
    pocket: int
    wheel: str
    ball: str
    turns: int


class _Settled(_OfRound, frozen=True):
    payouts: dict[Theirs, Crowns]


class _Cancelled(_OfRound, frozen=True):
    why: str


class Aurora:
    """The tables of Aurora, mapped to our table names."""

    after_others = frozenset({"round.settled"})

    def __init__(self, name: str, tables: Mapping[str, str]) -> None:
        """Set the name of the feed, and our table for each of the provider's."""
        self.name = name
        self._tables = tables

    def place(self, body: bytes) -> Place:
        """Return the place of a message in the feed; see :class:`tools.feed.provider.Provider`."""
        message = _read_message(body)
        try:
            of_round = decoder_of(_OfRound).json(message.data)
        except msgspec.DecodeError:
            return Place(message.table, message.number, message.type[:100], "")
        return Place(message.table, message.number, message.type[:100], self._round(of_round))

    def commands(self, body: bytes, accepted: Collection[str]) -> Sequence[Command]:
        """Convert a message to commands; see :class:`tools.feed.provider.Provider`."""
        message = _read_message(body)
        table = _known(self._tables, message.table, "table")
        found = self._commands(message, table, accepted)
        return [msgspec.structs.replace(one, occurred_at=message.at) for one in found]

    def _commands(
        self, message: _Message, table: str, accepted: Collection[str]
    ) -> Sequence[Command]:
        data = message.data
        match message.type:
            case "player.joined":
                return [TakeSeat(account=_read(data, _OfPlayer).player, table=table)]
            case "player.left":
                return [LeaveSeat(account=_read(data, _OfPlayer).player, table=table)]
            case "round.opened":
                return [OpenRound(round=self._round(_read(data, _OfRound)), table=table)]
            case "bet.placed":
                return [self._bet(_read(data, _Bet))]
            case "bet.rolled_back":
                back = _read(data, _BetBack)
                bet = self._bet_id(back, back.bet)
                return [WithdrawBet(bet=bet, account=back.player, round=self._round(back))]
            case "round.closed":
                return [CloseBets(round=self._round(_read(data, _OfRound)))]
            case "round.result":
                return self._result(_read(data, _Result))
            case "round.settled":
                return self._settled(_read(data, _Settled), accepted)
            case "round.cancelled":
                over = _read(data, _Cancelled)
                ground = _known(GROUNDS, over.why, "ground")
                return [VoidRound(round=self._round(over), ground=ground)]
            case kind:
                raise UnmappedError(f"messages of type {kind[:100]!r} mean nothing to us")

    def _bet(self, bet: _Bet) -> Command:
        if bet.currency != "CZK":
            raise UnmappedError(f"a bet in {bet.currency[:10]!r}, and the chain is in CZK")
        return PlaceBet(
            bet=self._bet_id(bet, bet.bet),
            account=bet.player,
            round=self._round(bet),
            bet_code=_known(SPOTS, bet.spot, "spot"),
            selection=list(bet.numbers) or None,
            stake=_haler(bet.amount),
        )

    def _result(self, result: _Result) -> list[Command]:
        name = self._round(result)
        return [
            SpinWheel(
                round=name,
                wheel_direction=_known(TURNS, result.wheel, "direction"),
                ball_direction=_known(TURNS, result.ball, "direction"),
                revolutions=result.turns,
            ),
            LandBall(round=name, number=result.pocket),
            RecordResult(round=name),
        ]

    def _settled(self, settled: _Settled, accepted: Collection[str]) -> list[Command]:
        """Settle the bets that the ledger accepted with the amounts paid, including 0.

        A bet that the ledger did not accept is a finding already; without accepted bets the round
        has no settlement.
        """
        paid = {self._bet_id(settled, bet): _haler(it) for bet, it in settled.payouts.items()}
        payments = {bet: paid.get(bet, 0) for bet in accepted}
        return [SettleRound(round=self._round(settled), payments=payments)] if payments else []

    def _round(self, of: _OfRound) -> str:
        return f"{self.name}-{of.round}"

    def _bet_id(self, of: _OfRound, bet: str) -> str:
        return f"{self._round(of)}-{bet.replace('-', '_')}"


def _read_message(body: bytes) -> _Message:
    message = _read(body, _Message)
    try:
        require_keys_once(body)
    except (InputError, RecursionError) as error:
        raise UnmappedError(f"it is no message as agreed: {error}") from error
    return message


def _read(text: bytes | Raw, kind: type[_Read]) -> _Read:
    try:
        return decoder_of(kind).json(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnmappedError(f"it is no message as agreed: {error}") from error


def _known(names: Mapping[str, str], name: str, what: str) -> Any:
    if name not in names:
        raise UnmappedError(f"we know no {what} {name[:100]!r}")
    return names[name]


def _haler(crowns: str) -> int:
    whole, _, rest = crowns.partition(".")
    return int(whole) * 100 + int(rest or "0")
