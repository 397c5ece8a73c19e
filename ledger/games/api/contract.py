"""The values of a settlement: input, output, and the codes of errors.

A settlement is a pure function of (plan version, wagers, actions, outcome). The types here are
shared by every game family; `read` creates their values from JSON with the same field names.
Amounts are integers in haler; text amounts with two decimals exist only in JSON.

Every fault of a settlement is a `SettlementError` with one code of the closed set `Code`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import UNSET, Struct, field

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.games.api.explanation import AnyTerm, Explanation, Why
from ledger.games.api.typed import (
    Haler,
    OptionalField,
    ShapeError,
    decode,
    parse_amount,
    text_value_type,
)

_T = TypeVar("_T")


class Code(StrEnum):
    """Codes of the reasons to refuse a settlement or a wager; the set is closed."""

    MALFORMED_REQUEST = "MALFORMED_REQUEST"
    UNKNOWN_GAME = "UNKNOWN_GAME"
    UNKNOWN_BET = "UNKNOWN_BET"
    INVALID_STAKE = "INVALID_STAKE"
    STAKE_NOT_DIVISIBLE = "STAKE_NOT_DIVISIBLE"
    STAKE_MISMATCH = "STAKE_MISMATCH"
    INVALID_SELECTION = "INVALID_SELECTION"
    INVALID_BOX = "INVALID_BOX"
    BOX_LIMIT_EXCEEDED = "BOX_LIMIT_EXCEEDED"
    DUPLICATE_WAGER = "DUPLICATE_WAGER"
    SIDE_BET_WITHOUT_MAIN = "SIDE_BET_WITHOUT_MAIN"
    BET_BELOW_MINIMUM = "BET_BELOW_MINIMUM"
    BET_ABOVE_MAXIMUM = "BET_ABOVE_MAXIMUM"
    TABLE_LIMIT_EXCEEDED = "TABLE_LIMIT_EXCEEDED"
    INVALID_TABLE_LIMITS = "INVALID_TABLE_LIMITS"
    BET_AFTER_CLOSE = "BET_AFTER_CLOSE"
    INVALID_VOID_REASON = "INVALID_VOID_REASON"
    VOID_NOT_ALLOWED = "VOID_NOT_ALLOWED"
    INVALID_OUTCOME = "INVALID_OUTCOME"
    OUTCOME_INCOMPLETE = "OUTCOME_INCOMPLETE"
    INVALID_CARD = "INVALID_CARD"
    TOO_MANY_COPIES = "TOO_MANY_COPIES"
    SHARED_CARDS_MISMATCH = "SHARED_CARDS_MISMATCH"
    PLAYER_CARDS_MISMATCH = "PLAYER_CARDS_MISMATCH"
    DRAW_RULE_VIOLATION = "DRAW_RULE_VIOLATION"
    ACTION_NOT_ALLOWED = "ACTION_NOT_ALLOWED"
    ACTION_MISSING = "ACTION_MISSING"
    PLAYER_COUNT = "PLAYER_COUNT"
    CONTRIBUTION_MISMATCH = "CONTRIBUTION_MISMATCH"
    RAISE_TOO_SMALL = "RAISE_TOO_SMALL"
    FEE_OUT_OF_RANGE = "FEE_OUT_OF_RANGE"
    ENTRY_NOT_ALLOWED = "ENTRY_NOT_ALLOWED"
    ENTRIES_OUT_OF_TABLE = "ENTRIES_OUT_OF_TABLE"
    REFUND_NOT_ALLOWED = "REFUND_NOT_ALLOWED"
    PLACES_INVALID = "PLACES_INVALID"
    DEAL_NOT_ALLOWED = "DEAL_NOT_ALLOWED"
    INVALID_HAND = "INVALID_HAND"


class SettlementError(InputError):
    """A wager or a round that the plan does not allow; `code` is its machine-readable reason."""

    def __init__(self, code: Code, phrase: Phrase) -> None:
        """Store the error code and the reason in words."""
        super().__init__(code, phrase)
        self.code = code
        self.phrase = phrase

    @property
    def message(self) -> str:
        """The reason in English, for the response document."""
        return str(self.phrase)

    def __str__(self) -> str:
        """Return code and reason on one line."""
        return f"{self.code}: {self.message}"


class UnknownGameError(SettlementError, LookupError):
    """There is no plan of that game, or none of that version."""

    def __init__(self, phrase: Phrase) -> None:
        """Set the code of the contract."""
        super().__init__(Code.UNKNOWN_GAME, phrase)


class Result(StrEnum):
    """Result of one stake."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    VOID = "void"
    HALF_BACK = "half_back"


class Phase(StrEnum):
    """Time of a disconnection, before or after the close of betting."""

    BEFORE_CLOSE = "before_close"
    AFTER_CLOSE = "after_close"


def read(value: object, kind: type[_T], where: str) -> _T:
    """Convert a JSON value to a type; the only error that it raises is MALFORMED_REQUEST."""
    try:
        return decode(value, kind)
    except ShapeError as error:
        raise SettlementError(
            Code.MALFORMED_REQUEST,
            Phrase("MALFORMED", problem=f"{where}{error.place} {error.problem}"),
        ) from error


def _street_stake(text: str) -> int:
    haler = parse_amount(text)
    return -1 if haler is None else haler


if TYPE_CHECKING:
    Stake = int
    StreetStake = int
else:
    Stake = text_value_type(int, lambda text: parse_amount(text) or 0)
    StreetStake = text_value_type(int, _street_stake)


class Wager(Struct, frozen=True, gc=False):
    """Chips of one player on one bet.

    `selection` has the form of the family (roulette: None, an integer, numbers, or a mapping with
    `number` and `each_side`). A stake or chip of zero haler stands for text that was not a positive
    amount; it is refused with INVALID_STAKE when the wager is checked. `streets_haler` are the
    parts of the stake by street of a poker hand, -1 for an invalid amount; `all_in`: the wager
    contains the player's last chip.
    """

    id: str
    player: str
    bet: str
    stake_haler: Stake = field(name="stake")
    selection: Any = None
    box: OptionalField[str] = None
    late: bool = False
    chip_haler: OptionalField[Stake] = field(name="chip", default=None)
    streets_haler: OptionalField[dict[str, StreetStake]] = field(name="streets", default=None)
    all_in: bool = False


class Action(Struct, frozen=True):
    """One action of a player; only the family interprets `fields`."""

    player: str
    type: str
    fields: Mapping[str, object] = {}


def read_action(action: Action, kind: type[_T]) -> _T:
    """Read the fields of an action; raises MALFORMED_REQUEST."""
    return read({**action.fields, "player": action.player, "type": action.type}, kind, "action")


class Void(Struct, frozen=True):
    """A recorded decision to return stakes; if `players` is None, those of the whole round.

    `acted_players` is the recorded number of players who had acted when a misdeal was found.
    """

    reason: str
    players: OptionalField[tuple[str, ...]] = None
    reconstructable: bool = False
    acted_players: Any = UNSET


class Disconnect(Struct, frozen=True):
    """A recorded loss of connection; `phase` is a `Phase`, or recorded text if unknown."""

    player: str
    phase: str


class Outcome(Struct, frozen=True, kw_only=True):
    """The recorded outcome of a round in any game; each family adds its own fields."""

    void: OptionalField[Void] = None
    disconnects: tuple[Disconnect, ...] = ()


SHARED_FIELDS = frozenset(Outcome.__struct_fields__)
"""Fields of every outcome; in the ledger they are facts separate from the result."""


class StakeRange(Struct, frozen=True):
    """Inclusive bounds of a stake in haler; None means that the bound of the plan applies."""

    haler_min: OptionalField[Haler] = field(name="min", default=None)
    haler_max: OptionalField[Haler] = field(name="max", default=None)


class TableLimits(Struct, frozen=True):
    """Limits of a table, narrower than the plan's: `every` for all bets, `by_bet` for bet codes."""

    every: StakeRange = StakeRange()
    by_bet: Mapping[str, StakeRange] = {}
    round_haler_max: int | None = None


class ResultLine(Struct, frozen=True, gc=False):
    """Result of one stake; its payout is the sum of `terms`, and `why` is the deciding reason."""

    id: str
    stake_haler: int
    result: Result
    terms: tuple[AnyTerm, ...]
    rule: str
    why: Why
    parent: str | None = None

    @property
    def payout_haler(self) -> int:
        """Return everything due on the stake, including the stake itself if it is returned."""
        payout = 0
        for term in self.terms:  # Called for every settled bet; sum() takes three times as long.
            payout += term.amount
        return payout

    def explanation(self) -> Explanation:
        """Return the explanation of the amount."""
        return Explanation(self.rule, self.why.reason, self.why.row, self.terms, self.why.facts())


class RoundResult(Struct, frozen=True):
    """All result lines of a round, in the order of the wagers, and the plan version used.

    `details` are further fields of the response document from the family, such as rake and pots.
    """

    game: str
    version: str
    lines: tuple[ResultLine, ...]
    details: Mapping[str, object] = {}

    @property
    def staked_haler(self) -> int:
        """Sum of the stakes of all lines."""
        return sum(line.stake_haler for line in self.lines)

    @property
    def payout_haler(self) -> int:
        """Sum of all amounts due to players."""
        return sum(line.payout_haler for line in self.lines)


_HALER_PER_CROWN = 100


def format_amount(haler: int) -> str:
    """Format an amount in haler (not negative) as crowns with two decimals."""
    crowns, rest = divmod(haler, _HALER_PER_CROWN)
    return f"{crowns}.{rest:02d}"
