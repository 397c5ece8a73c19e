"""Typed events, one class per event type. Generated from ``schemas/``.

Money is whole haléř, moments are microseconds since the epoch in UTC, personal fields are
ciphertext. ``TAGS`` pairs fields with the tags under which the log can be searched.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

class Event(Struct, frozen=True, kw_only=True, gc=False):
    """What every event class has."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = ()
    PERSONAL: ClassVar[tuple[str, ...]] = ()

    @property
    def type(self) -> str:
        """Event type, the name of the schema."""
        return self.__class__.__name__


class AccessHeadRecorded(Event, frozen=True, kw_only=True):
    """Size of the access chain and root of its tree at this moment."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('chain', 'chain'),)

    chain: str
    size: int
    root: bytes


class AccessRecorded(Event, frozen=True, kw_only=True):
    """A reader requested data; recorded before the response is sent."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('reader', 'reader'), ('question', 'question'), ('account', 'account'), ('round', 'round'))
    PERSONAL: ClassVar[tuple[str, ...]] = ('parameters',)

    reader: str
    scope: str
    question: str
    period_key: str
    parameters: bytes
    purpose: str
    account: str
    round: str
    size: int
    head: str
    rows: int | None


class AccessRefused(Event, frozen=True, kw_only=True):
    """A request to the access service was refused."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('reader', 'reader'),)

    reader: str
    scope: str
    question: str
    why: str
    attempts: int


class AccountCashIn(Event, frozen=True, kw_only=True):
    """Cash was taken at a cash desk of the casino for an account.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('account', 'account'), ('slip', 'slip'))

    place: str
    section: str
    station: str
    station_kind: str
    account: str
    slip: str
    purpose: str
    till: str
    currency: str
    amount: int


class AccountCashOut(Event, frozen=True, kw_only=True):
    """Cash was paid at a cage out of an account.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('account', 'account'), ('slip', 'slip'))

    place: str
    section: str
    station: str
    account: str
    slip: str
    purpose: str
    till: str
    currency: str
    amount: int


class AccountClosed(Event, frozen=True, kw_only=True):
    """The account was cancelled.

    Source: SAZKA 12(6).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    ground: str


class AccountModeChanged(Event, frozen=True, kw_only=True):
    """The permissions of an account changed.

    Source: decree 10/2019, konto_zmeny.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    regime: str
    internet: bool
    land_based: bool


class AccountOpened(Event, frozen=True, kw_only=True):
    """A user account (uživatelské konto).

    Source: SAZKA 8, 9(3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('person', 'person'))
    PERSONAL: ClassVar[tuple[str, ...]] = ('name', 'birth_date', 'address', 'email', 'document')

    account: str
    person: str
    regime: str
    internet: bool
    land_based: bool
    plan_version: str
    earlier_account: str
    name: bytes
    birth_date: bytes
    address: bytes
    email: bytes
    document: bytes
    name_digest: str


class AccountRestored(Event, frozen=True, kw_only=True):
    """An objection was upheld and the account restored.

    Source: SAZKA 12(7).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('case', 'case'))

    account: str
    case: str


class AccountStatement(Event, frozen=True, kw_only=True):
    """The books of an account were closed: for a gaming day, or within it after a thousand events."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    gaming_day: str
    opening: int
    deposits: int
    withdrawals: int
    fees: int
    stakes: int
    winnings: int
    corrections: int
    closing: int
    reserved: int
    in_play: int
    state_version: int
    state: str


class BalanceReturned(Event, frozen=True, kw_only=True):
    """The balance of a closing account was returned to the participant.

    Source: SAZKA 12(8).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    amount: int
    method: str
    way: str


class BallLanded(Event, frozen=True, kw_only=True):
    """The ball came to rest.

    Source: SAZKA annex Roulette (Evolution) 10.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    round: str
    number: int


class BetConcluded(Event, frozen=True, kw_only=True):
    """The record of a bet (záznam sázky): the reserved money is debited.

    Source: SAZKA 2, 13(4), 13(5).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('bet', 'bet'), ('account', 'account'), ('round', 'round'))

    bet: str
    account: str
    round: str
    table: str
    amount: int


class BetCorrected(Event, frozen=True, kw_only=True):
    """The stake of a settled bet was corrected.

    Source: decree 10/2019, hra_toky_oprava A.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('bet', 'bet'), ('account', 'account'), ('round', 'round'))

    bet: str
    account: str
    round: str
    difference: int
    cause: str
    claimed: int


class BetImprisoned(Event, frozen=True, kw_only=True):
    """Zero fell: half of the chips was lost, and the odd one waits for the next valid spin.

    Source: Czech Casinos, simple chance.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('bet', 'bet'), ('account', 'account'), ('round', 'round'), ('table', 'table'))

    bet: str
    account: str
    round: str
    table: str
    chip: int
    paragraph: str


class BetPlaced(Event, frozen=True, kw_only=True):
    """Chips were placed on a betting position and the money reserved; they become a bet when betting closes.

    Source: SAZKA 2 (conclusion of a bet).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('bet', 'bet'), ('account', 'account'), ('round', 'round'))

    bet: str
    account: str
    round: str
    table: str
    box: str
    bet_code: str
    selection: str
    wording: str
    stake: int
    parent: str


class BetRefused(Event, frozen=True, kw_only=True):
    """Chips were not accepted.

    Source: SAZKA 13(2).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('bet', 'bet'), ('account', 'account'), ('round', 'round'))

    bet: str
    account: str
    round: str
    table: str
    bet_code: str
    selection: str
    stake: int
    code: str
    parameters: str
    paragraph: str


class BetReturned(Event, frozen=True, kw_only=True):
    """Chips were returned before they became a bet.

    Source: SAZKA 12a(1), annex Roulette (Evolution) 12.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('bet', 'bet'), ('account', 'account'), ('round', 'round'))

    bet: str
    account: str
    round: str
    amount: int
    cause: str
    paragraph: str


class BetSettled(Event, frozen=True, kw_only=True):
    """A bet was evaluated; also recorded for a loss, with 0.

    Source: SAZKA 15.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('bet', 'bet'), ('account', 'account'), ('round', 'round'))

    bet: str
    account: str
    round: str
    result: str
    stake: int
    due: int
    paid: int
    rule: str


class BetVoided(Event, frozen=True, kw_only=True):
    """A concluded bet was voided and its stake returned.

    Source: SAZKA 14(1), 14(3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('bet', 'bet'), ('account', 'account'), ('round', 'round'))

    bet: str
    account: str
    round: str
    amount: int
    ground: str
    paragraph: str


class BetWithdrawn(Event, frozen=True, kw_only=True):
    """Chips were taken back before betting closed ("Zpět").

    Source: SAZKA 2 (conclusion of a bet).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('bet', 'bet'), ('account', 'account'), ('round', 'round'))

    bet: str
    account: str
    round: str
    amount: int


class BetsClosed(Event, frozen=True, kw_only=True):
    """Betting closed. The records of the concluded bets follow in the same decision.

    Source: SAZKA 2 (conclusion of a bet).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    round: str
    table: str
    bets: int
    stakes: int


class BonusAnnounced(Event, frozen=True, kw_only=True):
    """The terms of a bonus were published.

    Source: D466 1.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('bonus', 'bonus'),)

    bonus: str
    kind: str
    terms: str
    effective_from: int
    stake_day_max: int | None


class BonusGranted(Event, frozen=True, kw_only=True):
    """A bonus was granted to a participant; the platform keeps it outside the wallet.

    Source: D466 1.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('bonus', 'bonus'))

    account: str
    bonus: str
    amount: int


class BoxOwned(Event, frozen=True, kw_only=True):
    """Somebody decides on a box with several players in a round.

    Source: SL Free Bet 1.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('account', 'account'))

    round: str
    table: str
    account: str
    box: str
    absent: str


class BoxTaken(Event, frozen=True, kw_only=True):
    """A seated player took a box as the seat's owner.

    Source: SL Free Bet 1.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('table', 'table'), ('seat', 'seat'))

    account: str
    table: str
    seat: str


class BreakImposed(Event, frozen=True, kw_only=True):
    """Continuous play reached 120 minutes; no bets are accepted until the break ends.

    Source: SAZKA 5a(3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    sequence_started_at: int
    last_evaluated_at: int
    until: int


class ButtonDrawn(Event, frozen=True, kw_only=True):
    """The players at a table drew cards for the button of the first hand.

    Source: 69GAMES poker rules, course of the game.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'), ('accounts', 'account'))

    table: str
    accounts: tuple[str, ...]
    cards: tuple[str, ...]
    button: str


class CageCounted(Event, frozen=True, kw_only=True):
    """The cash or chips of a cage, or the tronc, were counted.

    Source: decree 10/2019, prostredek.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'))

    place: str
    section: str
    station: str
    stage: str
    means: str
    till: str
    currency: str
    amount: int
    expected: int
    denominations: tuple[int, ...]
    pieces: tuple[int, ...]
    against: str
    counted_by: str


class CageFunded(Event, frozen=True, kw_only=True):
    """Cash from the separate reserve was moved to a cage.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('slip', 'slip'), ('corrects', 'slip'))

    place: str
    section: str
    station: str
    slip: str
    corrects: str
    cause: str
    till: str
    currency: str
    amount: int


class CageOtherIn(Event, frozen=True, kw_only=True):
    """Cash entered a cage from other movements of money or chips.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('slip', 'slip'), ('corrects', 'slip'))

    place: str
    section: str
    station: str
    slip: str
    corrects: str
    cause: str
    till: str
    currency: str
    amount: int
    reason: str


class CageWithdrawn(Event, frozen=True, kw_only=True):
    """Cash was moved from a cage to the separate reserve.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('slip', 'slip'), ('corrects', 'slip'))

    place: str
    section: str
    station: str
    slip: str
    corrects: str
    cause: str
    till: str
    currency: str
    amount: int


class CancellationConfirmed(Event, frozen=True, kw_only=True):
    """A notice or receipt was sent to the participant.

    Source: SAZKA 12(3), (4).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    notice: str
    objections_until: int
    way: str
    parts: tuple[str, ...]


class CancellationRequested(Event, frozen=True, kw_only=True):
    """The cancellation of an account began.

    Source: SAZKA 12(1), (2), (4).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)
    PERSONAL: ClassVar[tuple[str, ...]] = ('explanation',)

    account: str
    person: str
    by: str
    ground: str
    explanation: bytes


class CancellationWithdrawn(Event, frozen=True, kw_only=True):
    """The participant withdrew the request.

    Source: SAZKA 12(4).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str


class CardDealt(Event, frozen=True, kw_only=True):
    """A card was dealt."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    round: str
    shoe: str
    index: int
    recipient: str
    face_up: bool
    card: str


class CardRecordCorrected(Event, frozen=True, kw_only=True):
    """The record of a card was wrong.

    Source: SAZKA annex, void reasons.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    round: str
    index: int
    recorded: str
    actual: str
    by: str


class CardRevealed(Event, frozen=True, kw_only=True):
    """A face-down card was turned."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    round: str
    index: int
    card: str


class CardsPlaced(Event, frozen=True, kw_only=True):
    """A player of open-face put the cards of a street into rows.

    Source: 69GAMES Pineapple, rules and dealing.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('account', 'account'), ('tournament', 'tournament'))

    round: str
    table: str
    account: str
    tournament: str
    street: int
    front: tuple[str, ...]
    middle: tuple[str, ...]
    back: tuple[str, ...]
    discards: tuple[str, ...]


class CasinoHoursBegan(Event, frozen=True, kw_only=True):
    """A casino opened its doors.

    Source: ZHH 68(4).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'),)

    place: str


class CasinoHoursEnded(Event, frozen=True, kw_only=True):
    """A casino closed its doors.

    Source: ZHH 68(4).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'),)

    place: str


class CasinoOpened(Event, frozen=True, kw_only=True):
    """A casino or studio where tables stand.

    Source: SAZKA 5a(1); decree 10/2019, misto.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'),)

    place: str
    name: str
    kind: str
    address: str


class ChainOpened(Event, frozen=True, kw_only=True):
    """Position 0: the owner of the chain and its hash algorithm."""

    operator: str
    operator_name: str
    chain: str
    format_version: int
    hash_algorithm: str


class CheckpointCosigned(Event, frozen=True, kw_only=True):
    """A witness confirmed that a checkpoint is consistent with the history of this log that it has seen.

    Source: C2SP tlog-cosignature, tlog-witness.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('witness', 'witness'),)

    size: int
    witness: str
    public_key: bytes
    cosigned_at: int
    signature: bytes


class CheckpointSigned(Event, frozen=True, kw_only=True):
    """A signed statement that the chain had this size, and its tree and tag map these roots."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('key_id', 'key'),)

    size: int
    root: bytes
    map_root: bytes
    key_id: str
    signature: bytes


class CheckpointStamped(Event, frozen=True, kw_only=True):
    """A time-stamp authority confirmed when the signed note of a checkpoint existed.

    Source: RFC 3161.
    """

    size: int
    authority: str
    stamped_at: int
    stamp: bytes


class ChipBetSettled(Event, frozen=True, kw_only=True):
    """A bet of a guest without account, laid with chips at a seat, was settled.

    Source: Czech Casinos game plan, Hotové peníze a hodnotové žetony.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('slip', 'slip'), ('corrects', 'slip'), ('round', 'round'))

    place: str
    section: str
    station: str
    slip: str
    corrects: str
    cause: str
    till: str
    round: str
    seat: int
    bet_code: str
    currency: str
    amount: int
    paid: int


class ChipRaceHeld(Event, frozen=True, kw_only=True):
    """Chips of a low value were changed; players drew for the odd ones.

    Source: 69GAMES tournament rules, Chip race.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('tournament', 'tournament'), ('table', 'table'), ('accounts', 'account'))

    tournament: str
    table: str
    chip: int
    higher: int
    accounts: tuple[str, ...]
    odd: tuple[int, ...]
    won: tuple[str, ...]


class ChipsHandedBack(Event, frozen=True, kw_only=True):
    """A player handed the chips that were left back, to enter again.

    Source: 69GAMES tournament rules, kinds of tournament.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('tournament', 'tournament'), ('account', 'account'))

    tournament: str
    account: str
    chips: int


class ChipsLaid(Event, frozen=True, kw_only=True):
    """A stake was recorded as a number of chips of a value.

    Source: Czech Casinos, simple chance.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('bet', 'bet'), ('account', 'account'), ('round', 'round'))

    bet: str
    account: str
    round: str
    table: str
    chip: int
    chips: int
    colour: str


class ChipsMissing(Event, frozen=True, kw_only=True):
    """Chips were not returned or are lost.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('slip', 'slip'), ('corrects', 'slip'))

    place: str
    section: str
    station: str
    station_kind: str
    slip: str
    corrects: str
    cause: str
    currency: str
    amount: int
    reason: str


class ChipsRedeemed(Event, frozen=True, kw_only=True):
    """Chips were paid for at a cage.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('slip', 'slip'), ('corrects', 'slip'))

    place: str
    section: str
    station: str
    slip: str
    corrects: str
    cause: str
    till: str
    currency: str
    amount: int
    method: str
    holder: str
    guest: str
    document_shown: bool


class ChipsSold(Event, frozen=True, kw_only=True):
    """Chips were sold to a guest.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('slip', 'slip'), ('corrects', 'slip'))

    place: str
    section: str
    station: str
    station_kind: str
    slip: str
    corrects: str
    cause: str
    till: str
    currency: str
    amount: int
    method: str
    guest: str
    seat: int
    document_shown: bool


class ClaimSettled(Event, frozen=True, kw_only=True):
    """A claim of the operator was settled, whole or in part.

    Source: SAZKA 17(3), civil code.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    amount: int
    way: str
    reason: str


class ClockMeasured(Event, frozen=True, kw_only=True):
    """The clock of the record was compared with a source of time.

    Source: decree 208/2017.
    """

    source_of_time: str
    skew: int | None
    uncertainty: int | None


class ColourChipsIssued(Event, frozen=True, kw_only=True):
    """A player got chips of a colour at a table.

    Source: 69GAMES Ruleta 7; Czech Casinos, cash and chips.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'), ('account', 'account'), ('guest', 'guest'), ('colour', 'colour'))

    table: str
    account: str
    guest: str
    colour: str
    chip: int
    chips: int
    paid_with: str


class ColourChipsReturned(Event, frozen=True, kw_only=True):
    """A player exchanged chips of a colour for value chips.

    Source: 69GAMES Ruleta 7; Czech Casinos, cash and chips.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'), ('account', 'account'), ('guest', 'guest'), ('colour', 'colour'))

    table: str
    account: str
    guest: str
    colour: str
    chip: int
    chips: int
    has_left: bool
    is_last: bool


class CommandRefused(Event, frozen=True, kw_only=True):
    """A command was refused by the rules; for commands without a refusal event of their own."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('round', 'round'), ('table', 'table'))

    command: str
    account: str
    round: str
    table: str
    code: str
    parameters: str
    paragraph: str


class CommitmentRecorded(Event, frozen=True, kw_only=True):
    """Daily commitment to the content of the separate chain, recorded whether or not anything was added."""

    day: str
    commitment: bytes


class ComplaintDecided(Event, frozen=True, kw_only=True):
    """The complaint was decided.

    Source: SAZKA 16.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('case', 'case'))
    PERSONAL: ClassVar[tuple[str, ...]] = ('explanation',)

    account: str
    person: str
    case: str
    upheld: bool
    explanation: bytes


class ComplaintFiled(Event, frozen=True, kw_only=True):
    """A complaint (reklamace).

    Source: SAZKA 16.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('case', 'case'), ('round', 'round'), ('rounds', 'round'), ('bets', 'bet'))
    PERSONAL: ClassVar[tuple[str, ...]] = ('grounds',)

    account: str
    person: str
    case: str
    round: str
    grounds: bytes
    rounds: tuple[str, ...]
    bets: tuple[str, ...]


class ConfirmationFetched(Event, frozen=True, kw_only=True):
    """A confirmation was fetched from the authority's server and stored; it has not been read yet.

    Source: decree 10/2019 § 3 (3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('series', 'series'),)

    series: str
    version: int
    confirmation: str
    verdict: str
    file_digest: str
    size: int
    server: str


class ConfirmationReceived(Event, frozen=True, kw_only=True):
    """The authority confirmed that a package was processed.

    Source: decree 10/2019 § 3 (3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('series', 'series'),)

    series: str
    version: int
    confirmation: str
    verdict: str
    file_digest: str
    files: tuple[str, ...]
    keys: tuple[str, ...]
    columns: tuple[str, ...]
    codes: tuple[str, ...]
    messages: tuple[str, ...]
    cut: bool


class ConfirmationRefused(Event, frozen=True, kw_only=True):
    """A fetched confirmation was not accepted as one of this package.

    Source: decree 10/2019 § 3 (3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('series', 'series'),)

    series: str
    version: int
    confirmation: str
    verdict: str
    file_digest: str
    reason: str


class ContradictionRecorded(Event, frozen=True, kw_only=True):
    """A studio fact was recorded although it contradicts the record; this event describes the contradiction.

    Source: SAZKA 14(1).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    round: str
    about: str
    code: str
    parameters: str


class CorrectionRequested(Event, frozen=True, kw_only=True):
    """The authority requested a correction, or a fault was found that requires one.

    Source: decree 10/2019 §§ 4, 5.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('series', 'series'),)

    series: str
    version: int
    kind: str
    request: str
    explanation: str


class CreditReturned(Event, frozen=True, kw_only=True):
    """Chips were moved from a table to a cage.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('slip', 'slip'), ('corrects', 'slip'))

    place: str
    section: str
    station: str
    slip: str
    corrects: str
    cause: str
    till: str
    cage_section: str
    cage: str
    cage_till: str
    currency: str
    amount: int
    denominations: tuple[int, ...]
    pieces: tuple[int, ...]


class CurrencyExchanged(Event, frozen=True, kw_only=True):
    """A guest changed cash of one currency into another.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('slip', 'slip'), ('corrects', 'slip'))

    place: str
    section: str
    station: str
    slip: str
    corrects: str
    cause: str
    till: str
    currency: str
    amount: int
    given_currency: str
    given: int
    guest: str
    document_shown: bool


class DCBEventRecorded(Event, frozen=True, kw_only=True):
    """An event of an application built on the eventsourcing library, stored unchanged."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('event_type', '*type'), ('tags', '*'))

    event_type: str
    tags: tuple[str, ...]
    data: bytes


class DealAgreed(Event, frozen=True, kw_only=True):
    """The remaining players agreed to share the open prizes.

    Source: 69GAMES tournament rules, Deal.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('tournament', 'tournament'), ('accounts', 'account'))

    tournament: str
    accounts: tuple[str, ...]
    shares: tuple[int, ...]
    playout_percent: str
    playout: int


class DealerSeated(Event, frozen=True, kw_only=True):
    """A dealer took over a table."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'),)

    table: str
    dealer: str


class DepositCredited(Event, frozen=True, kw_only=True):
    """A deposit was credited to the account.

    Source: SAZKA 10(1).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('deposit', 'deposit'))

    account: str
    deposit: str
    amount: int
    method: str
    method_class: str
    document_shown: bool
    name_digest: str


class DepositRefused(Event, frozen=True, kw_only=True):
    """A deposit was not accepted.

    Source: SAZKA 10, 12(5), 12a(4).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('deposit', 'deposit'))

    account: str
    deposit: str
    amount: int
    method: str
    method_class: str
    code: str
    parameters: str
    paragraph: str
    received: bool


class DepositReturned(Event, frozen=True, kw_only=True):
    """A deposit received against the rules was returned.

    Source: SAZKA 10(3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('deposit', 'deposit'))

    account: str
    deposit: str
    amount: int
    method: str
    method_class: str
    credited: bool
    reason: str
    claimed: int
    name_digest: str


class DeviceAssigned(Event, frozen=True, kw_only=True):
    """A device that produces results was assigned to a table.

    Source: ZHH 83.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'), ('round', 'round'))

    table: str
    round: str
    device: str
    kind: str
    serial: str
    replaced: str


class DeviceInspected(Event, frozen=True, kw_only=True):
    """A device of a table was inspected; a failed device is removed in the same decision.

    Source: ZHH 83; Czech Casinos, the wheel.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'), ('round', 'round'))

    table: str
    round: str
    device: str
    kind: str
    by: str
    passed: bool
    findings: str


class DeviceRemoved(Event, frozen=True, kw_only=True):
    """A device is no longer part of a table.

    Source: ZHH 83.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'), ('round', 'round'))

    table: str
    round: str
    device: str
    kind: str
    reason: str


class DownloadEnded(Event, frozen=True, kw_only=True):
    """A download whose access was recorded ended."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('reader', 'reader'),)

    reader: str
    access: int
    rows: int | None
    bytes: int
    digest: str
    whole: bool


class DropCounted(Event, frozen=True, kw_only=True):
    """The cash box of a table or tournament was counted.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'))

    place: str
    section: str
    station: str
    station_kind: str
    till: str
    currency: str
    amount: int
    expected: int
    denominations: tuple[int, ...]
    pieces: tuple[int, ...]
    against: str
    counted_by: str


class DropMovedToCage(Event, frozen=True, kw_only=True):
    """Cash was moved from the cash box of a table or tournament to a cage.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('slip', 'slip'), ('corrects', 'slip'))

    place: str
    section: str
    station: str
    station_kind: str
    slip: str
    corrects: str
    cause: str
    till: str
    cage_section: str
    cage: str
    cage_till: str
    currency: str
    amount: int


class ErasureDeferred(Event, frozen=True, kw_only=True):
    """An erasure of personal data was deferred, because the data must still be kept; they are erased when no obstacle remains.

    Source: GDPR 17(3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('person', 'person'), ('account', 'account'))

    person: str
    account: str
    code: str
    parameters: str
    paragraph: str
    until: int | None


class ExclusionEnded(Event, frozen=True, kw_only=True):
    """An exclusion ended."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    ground: str


class ExclusionImposed(Event, frozen=True, kw_only=True):
    """The person was excluded from gaming.

    Source: SAZKA 9(5), 12a(4).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    ground: str
    until: int | None


class FaultAnnounced(Event, frozen=True, kw_only=True):
    """Participants at a table were informed of a fault.

    Source: Baccarat, Řešení chyb.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'), ('round', 'round'))

    table: str
    round: str
    channels: tuple[str, ...]
    wording: str
    by: str


class FeeCharged(Event, frozen=True, kw_only=True):
    """A payment for something other than a bet.

    Source: decree 10/2019, ostatni_plneni.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('fee', 'fee'))

    account: str
    fee: str
    amount: int
    reason: str


class FeeReturned(Event, frozen=True, kw_only=True):
    """A fee, or part of it, was returned.

    Source: decree 10/2019, ostatni_plneni_oprava.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('fee', 'fee'))

    account: str
    fee: str
    amount: int
    reason: str


class FeedMessageUnmapped(Event, frozen=True, kw_only=True):
    """A report of a provider's feed, or a gap in it, that the chain does not follow; requires manual review."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    provider: str
    feed: str
    number: int
    messages: int
    message: str
    kind: str
    round: str
    digest: str
    reason: str
    detail: str


class FillReceived(Event, frozen=True, kw_only=True):
    """Chips were moved from a cage to a table.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('slip', 'slip'), ('corrects', 'slip'))

    place: str
    section: str
    station: str
    slip: str
    corrects: str
    cause: str
    till: str
    cage_section: str
    cage: str
    cage_till: str
    currency: str
    amount: int
    denominations: tuple[int, ...]
    pieces: tuple[int, ...]


class FindingAssigned(Event, frozen=True, kw_only=True):
    """A finding was assigned to a person."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('finding', 'finding'),)

    finding: str
    assignee: str
    by: str
    reason: str


class FindingClosed(Event, frozen=True, kw_only=True):
    """A finding was closed; it stays closed unless its facts change."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('finding', 'finding'),)

    finding: str
    reason: str
    by: str
    evidence: str
    fingerprint: str


class FindingCommented(Event, frozen=True, kw_only=True):
    """A comment on a finding."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('finding', 'finding'),)

    finding: str
    comment: str
    by: str
    evidence: str


class FindingExplained(Event, frozen=True, kw_only=True):
    """A finding was explained; it stays open."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('finding', 'finding'),)

    finding: str
    explanation: str
    by: str
    evidence: str
    fingerprint: str


class FindingGone(Event, frozen=True, kw_only=True):
    """An open finding was not found again by a reconciliation."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('finding', 'finding'),)

    finding: str


class FindingRaised(Event, frozen=True, kw_only=True):
    """A reconciliation found something that was not open, or an open finding with other facts."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('finding', 'finding'),)

    finding: str
    code: str
    fingerprint: str
    about: str
    shown_at: int
    of_account: str
    of_round: str
    of_bet: str
    amount: int
    detail: str
    paragraph: str
    ours_reference: str
    ours_amount: int | None
    ours_at: int
    ours_position: int
    ours_count: int
    theirs_reference: str
    theirs_amount: int | None
    theirs_at: int
    theirs_position: int
    theirs_count: int
    theirs_statement: str
    theirs_line: int
    parameters: str


class FindingReopened(Event, frozen=True, kw_only=True):
    """A closed finding was reopened by a person."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('finding', 'finding'),)

    finding: str
    reason: str
    by: str
    evidence: str


class GameLaunched(Event, frozen=True, kw_only=True):
    """Operation of a game began."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('game', 'game'),)

    game: str


class GameListed(Event, frozen=True, kw_only=True):
    """A game of the licence.

    Source: decree 10/2019, evidence_her.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('game', 'game'),)

    game: str
    name: str
    category: str


class GameResumed(Event, frozen=True, kw_only=True):
    """A suspended game was resumed."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('game', 'game'),)

    game: str
    cause: str


class GameSuspended(Event, frozen=True, kw_only=True):
    """A game was suspended; no bets are accepted until it is resumed.

    Source: SAZKA 13(6).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('game', 'game'),)

    game: str
    cause: str


class GameWithdrawn(Event, frozen=True, kw_only=True):
    """A game was withdrawn from the offer."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('game', 'game'),)

    game: str
    reason: str


class GuestAdmitted(Event, frozen=True, kw_only=True):
    """A guest was identified and let into a casino.

    Source: 69GAMES 7; ZHH (register of excluded persons).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('guest', 'guest'), ('person', 'person'))

    place: str
    guest: str
    person: str
    answer: str
    live: bool
    verified_how: str


class HandAction(Event, frozen=True, kw_only=True):
    """A player acted in a hand; chips put in are a concluded bet immediately.

    Source: 69GAMES Cash game, course of the game; SAZKA 2 (conclusion of a bet).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('tournament', 'tournament'), ('account', 'account'))

    round: str
    table: str
    tournament: str
    bet: str
    account: str
    street: str
    action: str
    amount: int
    total: int
    in_hand: int
    all_in: bool
    by: str
    asked_at: int
    until: int


class HandStarted(Event, frozen=True, kw_only=True):
    """A hand between players began; its round was opened in the same decision.

    Source: 69GAMES Cash game, tournament rules, Pineapple: course of the game.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('table', 'table'), ('tournament', 'tournament'), ('game', 'game'), ('accounts', 'account'))

    round: str
    table: str
    tournament: str
    game: str
    plan_version: str
    accounts: tuple[str, ...]
    button: str
    small_blind_of: str
    big_blind_of: str
    small_blind: int
    big_blind: int
    ante: int
    fee: str
    time_fee: int
    point_value: int
    value_pairs: tuple[str, ...]
    pair_values: tuple[int, ...]
    stop_loss_of: tuple[str, ...]
    stop_losses: tuple[int, ...]
    in_fantasyland: tuple[str, ...]


class HandsSet(Event, frozen=True, kw_only=True):
    """A player's open-face cards were set.

    Source: 69GAMES Pineapple, rules and dealing.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('tournament', 'tournament'), ('account', 'account'))

    round: str
    table: str
    tournament: str
    account: str
    front: tuple[str, ...]
    middle: tuple[str, ...]
    back: tuple[str, ...]
    discards: tuple[str, ...]
    foul: bool
    royalties: int
    fantasyland: int


class InformationShown(Event, frozen=True, kw_only=True):
    """Protective information was shown to the participant, as reported by the platform.

    Source: ZHH 14.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    kind: str
    text: str
    play_minutes: int | None
    net_result: int | None


class JackpotDefined(Event, frozen=True, kw_only=True):
    """A jackpot was set up.

    Source: decree 10/2019, mozna_vyhra_stul_bingo.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('jackpot', 'jackpot'), ('place', 'place'), ('game', 'game'))

    jackpot: str
    place: str
    name: str
    game: str
    station: str
    currency: str


class JackpotState(Event, frozen=True, kw_only=True):
    """The value of a jackpot was read at the beginning or end of a section or operating day.

    Source: decree 10/2019, mozna_vyhra_stul_bingo.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('jackpot', 'jackpot'), ('place', 'place'))

    jackpot: str
    place: str
    day: str
    section: str
    stage: str
    currency: str
    amount: int


class LegalHoldEnded(Event, frozen=True, kw_only=True):
    """A legal hold ended; the data are no longer needed.

    Source: GDPR 17(3)(b), 17(3)(e), 18.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('hold', 'hold'), ('account', 'account'), ('person', 'person'), ('round', 'round'))

    hold: str
    account: str
    person: str
    round: str
    ordered_by: str
    reason: str
    reference: str


class LegalHoldPlaced(Event, frozen=True, kw_only=True):
    """A legal hold: personal data of a person, or of all participants of a round, must not be erased.

    Source: GDPR 17(3)(b), 17(3)(e), 18.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('hold', 'hold'), ('account', 'account'), ('person', 'person'), ('round', 'round'))

    hold: str
    account: str
    person: str
    round: str
    ordered_by: str
    reason: str
    reference: str
    until: int | None


class LimitDeclined(Event, frozen=True, kw_only=True):
    """A self-restricting measure was declined.

    Source: ZHH 15; SAZKA 8(3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    measure: str
    previous: int | None
    effective_at: int


class LimitSet(Event, frozen=True, kw_only=True):
    """A self-restricting measure (sebeomezující opatření) was set.

    Source: ZHH 15; SAZKA 8(3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    measure: str
    value: int
    previous: int | None
    change: str
    effective_at: int


class LoggedIn(Event, frozen=True, kw_only=True):
    """A session began.

    Source: SAZKA 9(5), 13(3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('session', 'session'), ('account', 'account'))

    session: str
    account: str
    mode: str
    reason: str


class LoggedOut(Event, frozen=True, kw_only=True):
    """A session ended."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('session', 'session'), ('account', 'account'))

    session: str
    account: str
    cause: str


class LoginRefused(Event, frozen=True, kw_only=True):
    """A login was refused."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    code: str
    parameters: str
    paragraph: str


class LongExclusionOffered(Event, frozen=True, kw_only=True):
    """A long entry in the register was offered.

    Source: SAZKA 12a(2).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    answer: str


class LongExclusionRequested(Event, frozen=True, kw_only=True):
    """The participant applied for a long entry in the register.

    Source: SAZKA 12a(2), (3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    forwarded: bool


class MisdealDeclared(Event, frozen=True, kw_only=True):
    """The hand was misdealt; all chips put in were returned.

    Source: 69GAMES Cash game, Misdeal.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('tournament', 'tournament'), ('accounts', 'account'))

    round: str
    table: str
    tournament: str
    ground: str
    paragraph: str
    acted: int
    accounts: tuple[str, ...]
    bets: tuple[str, ...]
    amounts: tuple[int, ...]


class NoticeReceived(Event, frozen=True, kw_only=True):
    """The authority sent notice that it has processed a package.

    Source: decree 10/2019 § 3 (3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('series', 'series'),)

    series: str
    version: int
    verdict: str
    client: str


class ObjectionConfirmed(Event, frozen=True, kw_only=True):
    """Receipt of the objection was confirmed.

    Source: SAZKA 12(7).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('case', 'case'))

    account: str
    case: str


class ObjectionDecided(Event, frozen=True, kw_only=True):
    """The objection was decided.

    Source: SAZKA 12(7).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('case', 'case'))
    PERSONAL: ClassVar[tuple[str, ...]] = ('explanation',)

    account: str
    person: str
    case: str
    upheld: bool
    explanation: bytes


class ObjectionFiled(Event, frozen=True, kw_only=True):
    """The participant objected to the cancellation.

    Source: SAZKA 12(3), (7).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('case', 'case'))
    PERSONAL: ClassVar[tuple[str, ...]] = ('grounds',)

    account: str
    person: str
    case: str
    grounds: bytes


class OperatingDayClosed(Event, frozen=True, kw_only=True):
    """An operating day of a casino ended.

    Source: decree 10/2019, 11.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'),)

    place: str
    day: str
    books_kinds: tuple[str, ...]
    books_amounts: tuple[int, ...]


class OperatingDayOpened(Event, frozen=True, kw_only=True):
    """An operating day of a casino began.

    Source: decree 10/2019, 11.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'),)

    place: str
    day: str


class OperatorRulesPublished(Event, frozen=True, kw_only=True):
    """Rules of operation of the operator: figures, periods and the paragraphs that refusals and findings cite. They apply until the next publication."""

    name: str
    rules: str


class PackageBuilt(Event, frozen=True, kw_only=True):
    """A version of a package for the regulator was built from the ledger.

    Source: decree 10/2019.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('series', 'series'),)

    series: str
    version: int
    known_at: int
    cause: str
    files: tuple[str, ...]
    rows: tuple[int, ...]
    digests: tuple[str, ...]
    digest: str
    settings: str
    software_version: str


class PackageFetched(Event, frozen=True, kw_only=True):
    """The authority fetched the sealed file of a package.

    Source: decree 10/2019, remote access.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('series', 'series'),)

    series: str
    version: int
    file_digest: str
    client: str


class PackagePublished(Event, frozen=True, kw_only=True):
    """A sealed package was published for the authority to fetch.

    Source: decree 10/2019, remote access.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('series', 'series'),)

    series: str
    version: int
    digest: str
    file: str
    file_digest: str
    size: int


class PanicButtonPressed(Event, frozen=True, kw_only=True):
    """The participant pressed the panic button, which blocks gaming for 48 hours.

    Source: SAZKA 12a(1).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    until: int
    channel: str


class PanicButtonReported(Event, frozen=True, kw_only=True):
    """The press of the panic button was reported to the ministry.

    Source: SAZKA 12a(1).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    acknowledged: bool


class PaymentMethodRegistered(Event, frozen=True, kw_only=True):
    """A payment account, card or other means with proven ownership was registered.

    Source: SAZKA 8(5) to (9).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    method: str
    method_class: str
    masked: str
    country: str
    verified_how: str


class PayoutHeld(Event, frozen=True, kw_only=True):
    """The payout of a round to a participant is withheld until an investigation ends.

    Source: SAZKA 15(1); Czech Casinos, general provisions.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('account', 'account'))

    round: str
    account: str
    by: str
    paragraph: str
    cause: str


class PayoutReleased(Event, frozen=True, kw_only=True):
    """A withheld payout was released for settlement.

    Source: SAZKA 15(3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('account', 'account'))

    round: str
    account: str
    by: str
    cause: str


class PayoutsChecked(Event, frozen=True, kw_only=True):
    """An inspector checked the payouts of a round.

    Source: Czech Casinos, play.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    round: str
    table: str
    by: str
    correct: bool
    findings: str


class PeriodKeyDestroyed(Event, frozen=True, kw_only=True):
    """The key of a month was destroyed after its retention period; what it sealed can no longer be read.

    Source: GDPR 5(1)(e).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('period_key', 'key'),)

    period_key: str
    fields: tuple[str, ...]


class PersonChanged(Event, frozen=True, kw_only=True):
    """Identification or contact data changed.

    Source: SAZKA 8(12).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('person', 'person'))
    PERSONAL: ClassVar[tuple[str, ...]] = ('name', 'address', 'email')

    account: str
    person: str
    name: bytes
    address: bytes
    email: bytes


class PersonChecked(Event, frozen=True, kw_only=True):
    """The person of an account was checked for money laundering; the result is not recorded here.

    Source: AML act 9.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    check: str
    how: str


class PersonErased(Event, frozen=True, kw_only=True):
    """The key of a person's data was destroyed; the fields can no longer be read."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('person', 'person'), ('account', 'account'))

    person: str
    account: str
    fields: tuple[str, ...]


class PersonUnmasked(Event, frozen=True, kw_only=True):
    """A reader was shown personal data of a person."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('reader', 'reader'), ('account', 'account'), ('person', 'person'))

    reader: str
    account: str
    person: str
    purpose: str
    fields: tuple[str, ...]


class PersonVerified(Event, frozen=True, kw_only=True):
    """Identity and age were verified.

    Source: SAZKA 8(10).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    what: str
    how: str


class PlayerDecided(Event, frozen=True, kw_only=True):
    """A decision of a player, or of the time limit on the player's behalf; added stakes are bets of the same decision."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('account', 'account'))

    round: str
    account: str
    box: str
    hand: str
    decision: str
    by: str
    street: str
    times: int
    free: bool
    stake: int
    asked_at: int
    until: int


class PlayerDisconnected(Event, frozen=True, kw_only=True):
    """The connection of a participant was lost.

    Source: SAZKA 14(2).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('round', 'round'))

    account: str
    round: str
    table: str
    phase: str


class PlayerEliminated(Event, frozen=True, kw_only=True):
    """Players lost their last chip in one hand.

    Source: 69GAMES tournament rules, Payouts.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('tournament', 'tournament'), ('round', 'round'), ('accounts', 'account'))

    tournament: str
    round: str
    accounts: tuple[str, ...]
    place: int
    left: int
    disqualified_for: str


class PlayerReconnected(Event, frozen=True, kw_only=True):
    """The connection of a participant was restored."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('round', 'round'))

    account: str
    round: str
    table: str


class PointsSettled(Event, frozen=True, kw_only=True):
    """The points of an open-face game were paid between the players.

    Source: 69GAMES Pineapple, Bodování.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('tournament', 'tournament'), ('accounts', 'account'))

    round: str
    table: str
    tournament: str
    accounts: tuple[str, ...]
    bets: tuple[str, ...]
    stakes: tuple[int, ...]
    due: tuple[int, ...]
    paid: tuple[int, ...]
    pairs: tuple[str, ...]
    points: tuple[int, ...]
    amounts: tuple[int, ...]
    fouled: tuple[str, ...]
    rule: str


class PotAwarded(Event, frozen=True, kw_only=True):
    """A pot went to its winners.

    Source: 69GAMES Cash game, Showdown.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('tournament', 'tournament'), ('accounts', 'account'))

    round: str
    table: str
    tournament: str
    pot: int
    amount: int
    rake: int
    eligible: tuple[str, ...]
    winners: tuple[str, ...]
    accounts: tuple[str, ...]
    bets: tuple[str, ...]
    stakes: tuple[int, ...]
    due: tuple[int, ...]
    paid: tuple[int, ...]
    rule: str


class PrisonDecided(Event, frozen=True, kw_only=True):
    """The next valid spin decided about a chip in prison.

    Source: Czech Casinos, simple chance.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('bet', 'bet'), ('account', 'account'), ('round', 'round'), ('table', 'table'))

    bet: str
    account: str
    round: str
    table: str
    next_round: str
    next_number: int
    released: bool


class PrizePoolFixed(Event, frozen=True, kw_only=True):
    """Registration was closed and the prize pool fixed.

    Source: 69GAMES tournament rules, Payouts.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('tournament', 'tournament'),)

    tournament: str
    entries: int
    players: int
    column: str
    money_pool: int
    fee: int
    top_up: int
    prize_pool: int


class PrizeWithheld(Event, frozen=True, kw_only=True):
    """A prize was withheld because the game plan was breached.

    Source: SAZKA 15(1), 17(2).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('bet', 'bet'), ('account', 'account'), ('round', 'round'))

    bet: str
    account: str
    round: str
    amount: int
    collected: int
    paragraph: str
    cause: str
    claimed: int


class RakeTaken(Event, frozen=True, kw_only=True):
    """The operator's rake of a hand was taken.

    Source: 69GAMES Cash game, Rake.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    round: str
    table: str
    amount: int
    due: int
    cap: int
    pot: int
    players: int


class RateFixed(Event, frozen=True, kw_only=True):
    """An exchange rate for the tax base was fixed.

    Source: decree 10/2019, mena_kurs.
    """

    currency: str
    rate: int
    day: str


class ReaderAdded(Event, frozen=True, kw_only=True):
    """A reader was authorised to use the access service."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('reader', 'reader'),)

    reader: str
    roles: tuple[str, ...]
    token_digest: str
    certificate: str
    expires_at: int


class ReaderRenewed(Event, frozen=True, kw_only=True):
    """A reader's access was renewed: new expiry, possibly a new token or certificate."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('reader', 'reader'),)

    reader: str
    token_digest: str
    certificate: str
    expires_at: int


class ReaderRevoked(Event, frozen=True, kw_only=True):
    """A reader's access was revoked."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('reader', 'reader'),)

    reader: str
    reason: str


class ReaderSignedIn(Event, frozen=True, kw_only=True):
    """A reader began a session in a browser."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('reader', 'reader'),)

    reader: str
    way: str
    expires_at: int


class ReaderSignedOut(Event, frozen=True, kw_only=True):
    """A reader ended a session."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('reader', 'reader'),)

    reader: str


class ReconciliationConcluded(Event, frozen=True, kw_only=True):
    """A reconciliation ended; its open findings precede this event in the chain."""

    until: int
    since: int
    codes: tuple[str, ...]
    counts: tuple[int, ...]
    digest: str
    software_version: str


class RecordDestroyed(Event, frozen=True, kw_only=True):
    """A recording or document kept outside the chain was destroyed.

    Source: D466 2.
    """

    kind: str
    record: str
    made_on: str
    by: str
    reason: str


class RecordingKept(Event, frozen=True, kw_only=True):
    """The recording of picture and sound of a round was stored.

    Source: ZHH 84.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    round: str
    camera: str
    recording: str
    begins_at: int
    ends_at: int
    sound: bool
    digest: str


class RegisterChecked(Event, frozen=True, kw_only=True):
    """The register of excluded persons was queried.

    Source: SAZKA 8(11).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'),)

    account: str
    occasion: str
    answer: str
    live: bool


class RegistrationRefused(Event, frozen=True, kw_only=True):
    """An account was not opened.

    Source: SAZKA 7(1), 8(2), 8(10), 8(11), 9(3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('person', 'person'))

    account: str
    person: str
    code: str
    parameters: str
    paragraph: str


class RoundOpened(Event, frozen=True, kw_only=True):
    """A round of a game: bets are allowed.

    Source: SAZKA 5(1); ZHH 83; decree 10/2019, jedna_hra.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('table', 'table'), ('game', 'game'))

    round: str
    table: str
    registration: str
    game: str
    plan_version: str
    dealer: str
    shoe: str
    devices: tuple[str, ...]
    device_kinds: tuple[str, ...]
    serials: tuple[str, ...]
    wheel_turned: str
    streamed: bool


class RoundReconstructed(Event, frozen=True, kw_only=True):
    """The course of a round was reconstructed so that it can continue.

    Source: SAZKA annex, void reasons.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    round: str
    how: str
    by: str
    succeeded: bool


class RoundResulted(Event, frozen=True, kw_only=True):
    """The record of the result; it decides in doubt.

    Source: SAZKA 14(1).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('accounts', 'account'))

    round: str
    table: str
    outcome: str
    wording: str
    streamed: bool
    accounts: tuple[str, ...]


class RoundVoided(Event, frozen=True, kw_only=True):
    """The round was voided; the stakes are returned in the same decision.

    Source: SAZKA 14(1), 14(3).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    round: str
    table: str
    ground: str
    paragraph: str


class RulesPublished(Event, frozen=True, kw_only=True):
    """A version of the game plan that is in force for rounds opened from a moment on.

    Source: ZHH, approved game plan.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('game', 'game'),)

    game: str
    plan_version: str
    effective_from: int
    document_digest: str
    rules: str
    document: str


class RulingGiven(Event, frozen=True, kw_only=True):
    """An inspector, a floorman or the management decided a matter that the rules leave to their discretion.

    Source: 69GAMES poker rules, Rozhodnutí Floormana; 69GAMES Ruleta 3.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('table', 'table'), ('tournament', 'tournament'), ('account', 'account'))

    round: str
    table: str
    tournament: str
    account: str
    role: str
    by: str
    matter: str
    ruling: str
    penalty: str
    hands: int
    paragraph: str


class SchemaPublished(Event, frozen=True, kw_only=True):
    """The complete writer schema of later messages, recorded before their first use."""

    name: str
    version: int
    fingerprint: str
    schema: str


class SeatDrawn(Event, frozen=True, kw_only=True):
    """A player of a tournament got a seat at a table.

    Source: 69GAMES tournament rules, Registration, Vyvažování počtu hráčů na stolech.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('tournament', 'tournament'), ('account', 'account'), ('table', 'table'))

    tournament: str
    account: str
    table: str
    seat: int
    from_table: str
    occasion: str


class SeatLeft(Event, frozen=True, kw_only=True):
    """A participant left a table.

    Source: SAZKA 5a(2).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('table', 'table'))

    account: str
    table: str


class SeatTaken(Event, frozen=True, kw_only=True):
    """A participant joined a table.

    Source: SAZKA 5a(2).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('table', 'table'))

    account: str
    table: str


class SectionClosed(Event, frozen=True, kw_only=True):
    """A cage, table or tournament ended its part of an operating day.

    Source: decree 10/2019, pokladna_stul_turnaj_bingo.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('section', 'section'), ('place', 'place'), ('station', 'station'))

    section: str
    place: str
    day: str
    station_kind: str
    station: str
    currency: str
    result: int | None


class SectionOpened(Event, frozen=True, kw_only=True):
    """A cage, table or tournament began its part of an operating day.

    Source: decree 10/2019, pokladna_stul_turnaj_bingo.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('section', 'section'), ('place', 'place'), ('station', 'station'))

    section: str
    place: str
    day: str
    station_kind: str
    station: str
    game: str
    currency: str


class ShoeLoaded(Event, frozen=True, kw_only=True):
    """A shoe was loaded at a table."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('shoe', 'shoe'), ('table', 'table'))

    shoe: str
    table: str
    decks: int
    shuffle_method: str
    cut: int
    cut_by: str


class SigningKeyAdded(Event, frozen=True, kw_only=True):
    """A public key whose signatures are valid from here on."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('key_id', 'key'),)

    key_id: str
    public_key: bytes
    reason: str


class SigningKeyRevoked(Event, frozen=True, kw_only=True):
    """Signatures of this key at later positions are not valid."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('key_id', 'key'),)

    key_id: str
    reason: str


class SpinDeclaredInvalid(Event, frozen=True, kw_only=True):
    """The spin was declared invalid and is repeated.

    Source: SAZKA annex Roulette (Evolution) 11.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    round: str
    cause: str


class StatementImported(Event, frozen=True, kw_only=True):
    """A statement of a bank, a payment provider or a game provider was imported whole."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('statement', 'statement'), ('issuer_months', 'issuer_month'), ('file_digest', 'file'))
    PERSONAL: ClassVar[tuple[str, ...]] = ('file',)

    statement: str
    issuer: str
    issuer_kind: str
    issuer_months: tuple[str, ...]
    format: str
    number: str
    currency: str
    covers: tuple[str, ...]
    first_day: str
    last_day: str
    opening: int | None
    closing: int | None
    lines: int
    incoming: int
    outgoing: int
    fees: int
    stakes: int
    paid: int
    period_key: str
    file: bytes
    file_digest: str
    settings: str
    supersedes: tuple[str, ...]
    reason: str
    software_version: str


class StatementLinesRecorded(Event, frozen=True, kw_only=True):
    """Lines of an external statement were recorded; they take effect when the statement is imported."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('statement', 'statement'),)
    PERSONAL: ClassVar[tuple[str, ...]] = ('payer_texts',)

    statement: str
    issuer: str
    issuer_kind: str
    currency: str
    first_line: int
    incoming: int
    outgoing: int
    fees: int
    stakes: int
    paid: int
    places: tuple[int, ...]
    kinds: tuple[str, ...]
    amounts: tuple[int, ...]
    line_fees: tuple[int, ...]
    line_stakes: tuple[int, ...]
    line_paid: tuple[int, ...]
    booked_days: tuple[int, ...]
    valued_days: tuple[int, ...]
    moments: tuple[int, ...]
    references: tuple[str, ...]
    ends_to_end: tuple[str, ...]
    variable_symbols: tuple[str, ...]
    padded_symbols: tuple[str, ...]
    batches: tuple[str, ...]
    their_references: tuple[str, ...]
    settlements: tuple[str, ...]
    their_rounds: tuple[str, ...]
    their_bets: tuple[str, ...]
    their_games: tuple[str, ...]
    their_tables: tuple[str, ...]
    their_accounts: tuple[str, ...]
    counterparties: tuple[str, ...]
    period_key: str
    payer_texts: bytes


class SuspicionReported(Event, frozen=True, kw_only=True):
    """A suspicious transaction was reported to the authority; recorded only in the separate chain.

    Source: AML act 18.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('report', 'case'), ('person', 'person'))
    PERSONAL: ClassVar[tuple[str, ...]] = ('about', 'transactions', 'grounds', 'sent')

    report: str
    person: str
    about: bytes
    transactions: bytes
    grounds: bytes
    sent: bytes
    suspected_at: int | None


class TableClosed(Event, frozen=True, kw_only=True):
    """A gaming table taken out of operation."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'),)

    table: str
    reason: str


class TableFloatCounted(Event, frozen=True, kw_only=True):
    """The chips of a table were counted.

    Source: decree 10/2019, pokladna_stul_turnaj_bingo.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'))

    place: str
    section: str
    station: str
    stage: str
    till: str
    currency: str
    amount: int
    expected: int
    denominations: tuple[int, ...]
    pieces: tuple[int, ...]
    against: str
    counted_by: str


class TableLimitsSet(Event, frozen=True, kw_only=True):
    """Limits of a table, within those of the game plan.

    Source: SAZKA annex Roulette (Evolution) 20.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'),)

    table: str
    bet_codes: tuple[str, ...]
    minimums: tuple[int, ...]
    maximums: tuple[int, ...]
    round_maximum: int
    effective_from: int


class TableOpened(Event, frozen=True, kw_only=True):
    """A gaming table taken into operation.

    Source: ZHH 83.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'), ('game', 'game'), ('place', 'place'))

    table: str
    registration: str
    game: str
    place: str
    streamed: bool


class TableResumed(Event, frozen=True, kw_only=True):
    """A suspended table was resumed."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'),)

    table: str
    cause: str


class TableSuspended(Event, frozen=True, kw_only=True):
    """A table was suspended; no bets are accepted until it is resumed.

    Source: SAZKA 13(6).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'),)

    table: str
    cause: str


class TimeCollectionAnnounced(Event, frozen=True, kw_only=True):
    """The floorman told the players of a table what half an hour costs.

    Source: 69GAMES poker rules, fees.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'),)

    table: str
    amount: int
    by: str


class TimeCollectionTaken(Event, frozen=True, kw_only=True):
    """Time money for half an hour was taken before the first deal.

    Source: 69GAMES Cash game, Time collection.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('table', 'table'), ('account', 'account'))

    table: str
    account: str
    amount: int
    period_from: int


class TipGiven(Event, frozen=True, kw_only=True):
    """Chips were given as a tip outside the tronc.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('slip', 'slip'), ('corrects', 'slip'))

    place: str
    section: str
    station: str
    station_kind: str
    slip: str
    corrects: str
    cause: str
    currency: str
    amount: int


class TipReceived(Event, frozen=True, kw_only=True):
    """Chips were given as a tip into the tronc.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('slip', 'slip'), ('corrects', 'slip'))

    place: str
    section: str
    station: str
    station_kind: str
    slip: str
    corrects: str
    cause: str
    till: str
    currency: str
    amount: int


class TournamentAnnounced(Event, frozen=True, kw_only=True):
    """A tournament was announced.

    Source: 69GAMES tournament rules, Payouts; decree 10/2019.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('tournament', 'tournament'), ('game', 'game'))

    tournament: str
    game: str
    plan_version: str
    name: str
    format: str
    structure: str
    limit: str
    fee_percent: str
    currency: str
    guarantee: int
    buy_in: int
    rebuy: int
    addon: int
    starting_stack: int
    deal_conditions: str
    starts_at: int


class TournamentCancelled(Event, frozen=True, kw_only=True):
    """A tournament was cancelled; all payments went back.

    Source: 69GAMES tournament rules.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('tournament', 'tournament'),)

    tournament: str
    cause: str


class TournamentEnded(Event, frozen=True, kw_only=True):
    """A tournament ended; the payments are the prize pool and the fee.

    Source: 69GAMES tournament rules, Payouts.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('tournament', 'tournament'), ('accounts', 'account'))

    tournament: str
    accounts: tuple[str, ...]
    stakes: tuple[int, ...]
    fee: int
    top_up: int
    prize_pool: int
    outcome: str


class TournamentEntryPaid(Event, frozen=True, kw_only=True):
    """A player paid into a tournament.

    Source: 69GAMES tournament rules, Registration.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('tournament', 'tournament'), ('account', 'account'))

    tournament: str
    entry: str
    account: str
    kind: str
    amount: int


class TournamentEntryReturned(Event, frozen=True, kw_only=True):
    """A payment was returned to a player.

    Source: 69GAMES tournament rules, Registration.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('tournament', 'tournament'), ('account', 'account'))

    tournament: str
    entry: str
    account: str
    amount: int
    cause: str
    paragraph: str


class TournamentPrizePaid(Event, frozen=True, kw_only=True):
    """A prize was paid.

    Source: 69GAMES tournament rules, Payouts.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('tournament', 'tournament'), ('account', 'account'))

    tournament: str
    entry: str
    account: str
    place: int
    due: int
    paid: int
    rule: str


class TournamentStarted(Event, frozen=True, kw_only=True):
    """A tournament began.

    Source: 69GAMES tournament rules.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('tournament', 'tournament'),)

    tournament: str
    entries: int


class TroncMovedToCage(Event, frozen=True, kw_only=True):
    """Chips were moved from the tronc to a cage.

    Source: decree 10/2019, PSTB_transakce.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('place', 'place'), ('section', 'section'), ('slip', 'slip'), ('corrects', 'slip'))

    place: str
    section: str
    station: str
    station_kind: str
    slip: str
    corrects: str
    cause: str
    till: str
    cage_section: str
    cage: str
    cage_till: str
    currency: str
    amount: int


class UncalledReturned(Event, frozen=True, kw_only=True):
    """The uncalled part of a bet was returned; it was never in a closed pot.

    Source: 69GAMES Cash game, Rake.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'), ('tournament', 'tournament'), ('account', 'account'))

    round: str
    table: str
    tournament: str
    bet: str
    account: str
    amount: int


class WheelSpun(Event, frozen=True, kw_only=True):
    """Wheel and ball were set in motion.

    Source: SAZKA annex Roulette (Evolution) 11.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    round: str
    wheel_direction: str
    ball_direction: str
    revolutions: int


class WheelStopped(Event, frozen=True, kw_only=True):
    """A wheel of fortune came to rest.

    Source: 69GAMES Šťastné kolo, průběh hry.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('round', 'round'),)

    round: str
    field: str


class WinCorrected(Event, frozen=True, kw_only=True):
    """A payment was corrected after settlement.

    Source: decree 10/2019, hra_toky_oprava B.
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('bet', 'bet'), ('account', 'account'), ('round', 'round'))

    bet: str
    account: str
    round: str
    difference: int
    cause: str
    claimed: int


class WithdrawalCancelled(Event, frozen=True, kw_only=True):
    """Money set aside for a withdrawal was returned to the wallet."""

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('withdrawal', 'withdrawal'))

    account: str
    withdrawal: str
    amount: int
    reason: str


class WithdrawalPaid(Event, frozen=True, kw_only=True):
    """A withdrawal left the account.

    Source: SAZKA 11(1).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('withdrawal', 'withdrawal'))

    account: str
    withdrawal: str
    amount: int
    method: str
    method_class: str
    document_shown: bool
    name_digest: str


class WithdrawalRefused(Event, frozen=True, kw_only=True):
    """A withdrawal was refused before money was set aside.

    Source: SAZKA 11(1).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('withdrawal', 'withdrawal'))

    account: str
    withdrawal: str
    amount: int
    method: str
    method_class: str
    code: str
    parameters: str
    paragraph: str


class WithdrawalRequested(Event, frozen=True, kw_only=True):
    """Money was set aside for a withdrawal.

    Source: SAZKA 11(1).
    """

    TAGS: ClassVar[tuple[tuple[str, str], ...]] = (('account', 'account'), ('withdrawal', 'withdrawal'))

    account: str
    withdrawal: str
    amount: int
    method: str
    method_class: str


class WriterStarted(Event, frozen=True, kw_only=True):
    """A process took over the right to write to the chain."""

    writer: str
    epoch: int
    software_version: str


EVENTS: dict[str, type[Event]] = {
    "AccessHeadRecorded": AccessHeadRecorded,
    "AccessRecorded": AccessRecorded,
    "AccessRefused": AccessRefused,
    "AccountCashIn": AccountCashIn,
    "AccountCashOut": AccountCashOut,
    "AccountClosed": AccountClosed,
    "AccountModeChanged": AccountModeChanged,
    "AccountOpened": AccountOpened,
    "AccountRestored": AccountRestored,
    "AccountStatement": AccountStatement,
    "BalanceReturned": BalanceReturned,
    "BallLanded": BallLanded,
    "BetConcluded": BetConcluded,
    "BetCorrected": BetCorrected,
    "BetImprisoned": BetImprisoned,
    "BetPlaced": BetPlaced,
    "BetRefused": BetRefused,
    "BetReturned": BetReturned,
    "BetSettled": BetSettled,
    "BetVoided": BetVoided,
    "BetWithdrawn": BetWithdrawn,
    "BetsClosed": BetsClosed,
    "BonusAnnounced": BonusAnnounced,
    "BonusGranted": BonusGranted,
    "BoxOwned": BoxOwned,
    "BoxTaken": BoxTaken,
    "BreakImposed": BreakImposed,
    "ButtonDrawn": ButtonDrawn,
    "CageCounted": CageCounted,
    "CageFunded": CageFunded,
    "CageOtherIn": CageOtherIn,
    "CageWithdrawn": CageWithdrawn,
    "CancellationConfirmed": CancellationConfirmed,
    "CancellationRequested": CancellationRequested,
    "CancellationWithdrawn": CancellationWithdrawn,
    "CardDealt": CardDealt,
    "CardRecordCorrected": CardRecordCorrected,
    "CardRevealed": CardRevealed,
    "CardsPlaced": CardsPlaced,
    "CasinoHoursBegan": CasinoHoursBegan,
    "CasinoHoursEnded": CasinoHoursEnded,
    "CasinoOpened": CasinoOpened,
    "ChainOpened": ChainOpened,
    "CheckpointCosigned": CheckpointCosigned,
    "CheckpointSigned": CheckpointSigned,
    "CheckpointStamped": CheckpointStamped,
    "ChipBetSettled": ChipBetSettled,
    "ChipRaceHeld": ChipRaceHeld,
    "ChipsHandedBack": ChipsHandedBack,
    "ChipsLaid": ChipsLaid,
    "ChipsMissing": ChipsMissing,
    "ChipsRedeemed": ChipsRedeemed,
    "ChipsSold": ChipsSold,
    "ClaimSettled": ClaimSettled,
    "ClockMeasured": ClockMeasured,
    "ColourChipsIssued": ColourChipsIssued,
    "ColourChipsReturned": ColourChipsReturned,
    "CommandRefused": CommandRefused,
    "CommitmentRecorded": CommitmentRecorded,
    "ComplaintDecided": ComplaintDecided,
    "ComplaintFiled": ComplaintFiled,
    "ConfirmationFetched": ConfirmationFetched,
    "ConfirmationReceived": ConfirmationReceived,
    "ConfirmationRefused": ConfirmationRefused,
    "ContradictionRecorded": ContradictionRecorded,
    "CorrectionRequested": CorrectionRequested,
    "CreditReturned": CreditReturned,
    "CurrencyExchanged": CurrencyExchanged,
    "DCBEventRecorded": DCBEventRecorded,
    "DealAgreed": DealAgreed,
    "DealerSeated": DealerSeated,
    "DepositCredited": DepositCredited,
    "DepositRefused": DepositRefused,
    "DepositReturned": DepositReturned,
    "DeviceAssigned": DeviceAssigned,
    "DeviceInspected": DeviceInspected,
    "DeviceRemoved": DeviceRemoved,
    "DownloadEnded": DownloadEnded,
    "DropCounted": DropCounted,
    "DropMovedToCage": DropMovedToCage,
    "ErasureDeferred": ErasureDeferred,
    "ExclusionEnded": ExclusionEnded,
    "ExclusionImposed": ExclusionImposed,
    "FaultAnnounced": FaultAnnounced,
    "FeeCharged": FeeCharged,
    "FeeReturned": FeeReturned,
    "FeedMessageUnmapped": FeedMessageUnmapped,
    "FillReceived": FillReceived,
    "FindingAssigned": FindingAssigned,
    "FindingClosed": FindingClosed,
    "FindingCommented": FindingCommented,
    "FindingExplained": FindingExplained,
    "FindingGone": FindingGone,
    "FindingRaised": FindingRaised,
    "FindingReopened": FindingReopened,
    "GameLaunched": GameLaunched,
    "GameListed": GameListed,
    "GameResumed": GameResumed,
    "GameSuspended": GameSuspended,
    "GameWithdrawn": GameWithdrawn,
    "GuestAdmitted": GuestAdmitted,
    "HandAction": HandAction,
    "HandStarted": HandStarted,
    "HandsSet": HandsSet,
    "InformationShown": InformationShown,
    "JackpotDefined": JackpotDefined,
    "JackpotState": JackpotState,
    "LegalHoldEnded": LegalHoldEnded,
    "LegalHoldPlaced": LegalHoldPlaced,
    "LimitDeclined": LimitDeclined,
    "LimitSet": LimitSet,
    "LoggedIn": LoggedIn,
    "LoggedOut": LoggedOut,
    "LoginRefused": LoginRefused,
    "LongExclusionOffered": LongExclusionOffered,
    "LongExclusionRequested": LongExclusionRequested,
    "MisdealDeclared": MisdealDeclared,
    "NoticeReceived": NoticeReceived,
    "ObjectionConfirmed": ObjectionConfirmed,
    "ObjectionDecided": ObjectionDecided,
    "ObjectionFiled": ObjectionFiled,
    "OperatingDayClosed": OperatingDayClosed,
    "OperatingDayOpened": OperatingDayOpened,
    "OperatorRulesPublished": OperatorRulesPublished,
    "PackageBuilt": PackageBuilt,
    "PackageFetched": PackageFetched,
    "PackagePublished": PackagePublished,
    "PanicButtonPressed": PanicButtonPressed,
    "PanicButtonReported": PanicButtonReported,
    "PaymentMethodRegistered": PaymentMethodRegistered,
    "PayoutHeld": PayoutHeld,
    "PayoutReleased": PayoutReleased,
    "PayoutsChecked": PayoutsChecked,
    "PeriodKeyDestroyed": PeriodKeyDestroyed,
    "PersonChanged": PersonChanged,
    "PersonChecked": PersonChecked,
    "PersonErased": PersonErased,
    "PersonUnmasked": PersonUnmasked,
    "PersonVerified": PersonVerified,
    "PlayerDecided": PlayerDecided,
    "PlayerDisconnected": PlayerDisconnected,
    "PlayerEliminated": PlayerEliminated,
    "PlayerReconnected": PlayerReconnected,
    "PointsSettled": PointsSettled,
    "PotAwarded": PotAwarded,
    "PrisonDecided": PrisonDecided,
    "PrizePoolFixed": PrizePoolFixed,
    "PrizeWithheld": PrizeWithheld,
    "RakeTaken": RakeTaken,
    "RateFixed": RateFixed,
    "ReaderAdded": ReaderAdded,
    "ReaderRenewed": ReaderRenewed,
    "ReaderRevoked": ReaderRevoked,
    "ReaderSignedIn": ReaderSignedIn,
    "ReaderSignedOut": ReaderSignedOut,
    "ReconciliationConcluded": ReconciliationConcluded,
    "RecordDestroyed": RecordDestroyed,
    "RecordingKept": RecordingKept,
    "RegisterChecked": RegisterChecked,
    "RegistrationRefused": RegistrationRefused,
    "RoundOpened": RoundOpened,
    "RoundReconstructed": RoundReconstructed,
    "RoundResulted": RoundResulted,
    "RoundVoided": RoundVoided,
    "RulesPublished": RulesPublished,
    "RulingGiven": RulingGiven,
    "SchemaPublished": SchemaPublished,
    "SeatDrawn": SeatDrawn,
    "SeatLeft": SeatLeft,
    "SeatTaken": SeatTaken,
    "SectionClosed": SectionClosed,
    "SectionOpened": SectionOpened,
    "ShoeLoaded": ShoeLoaded,
    "SigningKeyAdded": SigningKeyAdded,
    "SigningKeyRevoked": SigningKeyRevoked,
    "SpinDeclaredInvalid": SpinDeclaredInvalid,
    "StatementImported": StatementImported,
    "StatementLinesRecorded": StatementLinesRecorded,
    "SuspicionReported": SuspicionReported,
    "TableClosed": TableClosed,
    "TableFloatCounted": TableFloatCounted,
    "TableLimitsSet": TableLimitsSet,
    "TableOpened": TableOpened,
    "TableResumed": TableResumed,
    "TableSuspended": TableSuspended,
    "TimeCollectionAnnounced": TimeCollectionAnnounced,
    "TimeCollectionTaken": TimeCollectionTaken,
    "TipGiven": TipGiven,
    "TipReceived": TipReceived,
    "TournamentAnnounced": TournamentAnnounced,
    "TournamentCancelled": TournamentCancelled,
    "TournamentEnded": TournamentEnded,
    "TournamentEntryPaid": TournamentEntryPaid,
    "TournamentEntryReturned": TournamentEntryReturned,
    "TournamentPrizePaid": TournamentPrizePaid,
    "TournamentStarted": TournamentStarted,
    "TroncMovedToCage": TroncMovedToCage,
    "UncalledReturned": UncalledReturned,
    "WheelSpun": WheelSpun,
    "WheelStopped": WheelStopped,
    "WinCorrected": WinCorrected,
    "WithdrawalCancelled": WithdrawalCancelled,
    "WithdrawalPaid": WithdrawalPaid,
    "WithdrawalRefused": WithdrawalRefused,
    "WithdrawalRequested": WithdrawalRequested,
    "WriterStarted": WriterStarted,
}
"""Every event class by event type."""
