"""State of the operator for decisions: games, rules, tables, signing keys, legal holds."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from ledger.core.dispatch import on, table
from ledger.events import event_types as e
from ledger.games import ChainPlans, StakeRange, TableLimits
from ledger.rules.operator import OperatorRules, decode_operator_rules
from ledger.tlog.signing import PublicKey
from ledger.tlog.source_seals import SourceCertificate

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "LAST_OF_TABLE",
    "OPERATOR_EVENTS",
    "Device",
    "Game",
    "Hold",
    "Limits",
    "OperatorState",
    "Table",
    "fold",
    "limits_for_games",
]


class Limits(Struct, frozen=True, dict=True):
    """Limits of a table in haléř: (smallest, largest) stake by bet code; 0 means no limit."""

    effective_from: int
    stakes: dict[str, tuple[int, int]]
    round_maximum: int

    @cached_property
    def for_games(self) -> TableLimits:
        """Return the limits in the form that game plans use."""
        return limits_for_games(self.stakes, self.round_maximum)


def limits_for_games(stakes: dict[str, tuple[int, int]], round_maximum: int) -> TableLimits:
    """Return limits of a table in the form that game plans use, where None means no limit."""
    return TableLimits(
        by_bet={
            code: StakeRange(smallest or None, largest or None)
            for code, (smallest, largest) in stakes.items()
        },
        round_haler_max=round_maximum or None,
    )


class Game(Struct):
    """A licensed game and the versions of its plan, the newest last."""

    name: str
    category: str
    launched: bool = False
    withdrawn: bool = False
    suspended: bool = False
    plans: list[tuple[int, str]] = field(default_factory=list)

    def plan_version(self, moment: int) -> str:
        """Return the version of the game plan in force, or an empty text."""
        in_force = [version for effective, version in self.plans if effective <= moment]
        return in_force[-1] if in_force else ""


class Device(Struct, frozen=True):
    """A device that produces results, as installed at a table."""

    device: str
    serial: str


class Table(Struct):
    """A gaming table; ``decks`` is the number in its shoe, ``round`` the unfinished one, or empty.

    ``devices`` are by kind; ``last_round`` is the round that was opened last, ``dealers`` are those
    who dealt it, ``imprisoned`` are the bets with a chip that waits for the next spin.
    """

    game: str
    place: str
    streamed: bool
    registration: str = ""
    open: bool = True
    suspended: bool = False
    limits: list[Limits] = field(default_factory=list)
    dealer: str = ""
    dealers: set[str] = field(default_factory=set)
    shoe: str = ""
    decks: int = 0
    round: str = ""
    last_round: str = ""
    devices: dict[str, Device] = field(default_factory=dict)
    imprisoned: list[str] = field(default_factory=list)

    def limits_at(self, moment: int) -> Limits | None:
        """Return the table's own limits in force at a time; None if it has none."""
        for limits in reversed(self.limits):
            if limits.effective_from <= moment:
                return limits
        return None


class Hold(Struct, frozen=True):
    """A legal hold on a person's data or, if ``round`` is set, on those of all its participants."""

    account: str
    person: str
    round: str
    until: int | None

    def is_in_force(self, moment: int) -> bool:
        """Return whether the hold is in force at a time."""
        return self.until is None or moment < self.until


class OperatorState(Struct):
    """State of the operator: all state outside accounts, rounds, tournaments and floors."""

    operator: str = ""
    operator_name: str = ""
    chain: str = ""
    rules: OperatorRules | None = None
    epoch: int = 0
    schemas: set[str] = field(default_factory=set)
    places: dict[str, str] = field(default_factory=dict)
    places_open: set[str] = field(default_factory=set)
    games: dict[str, Game] = field(default_factory=dict)
    plans: ChainPlans = field(default_factory=ChainPlans)
    tables: dict[str, Table] = field(default_factory=dict)
    signing_keys: dict[str, PublicKey] = field(default_factory=dict)
    revoked_keys: set[str] = field(default_factory=set)
    checkpoint: e.CheckpointSigned | None = None
    checkpoint_at: int = 0
    access_sizes: dict[str, int] = field(default_factory=dict)
    sources: dict[str, SourceCertificate] = field(default_factory=dict)
    erased: set[str] = field(default_factory=set)
    holds: dict[str, Hold] = field(default_factory=dict)
    matching_rules: list[e.MatchingRulesSet] = field(default_factory=list)

    def is_plan_in_force(self, version: str, moment: int) -> bool:
        """Return whether a plan version is in force for any game at a time."""
        return any(game.plan_version(moment) == version for game in self.games.values())


def fold(house: OperatorState, event: e.Event, moment: int) -> None:
    """Apply an event to the state; events of other kinds change nothing."""
    change = CHANGES.get(type(event))
    if change is not None:
        change(house, event)
        if isinstance(event, e.CheckpointSigned):
            house.checkpoint_at = moment


def _chain_opened(house: OperatorState, event: e.ChainOpened) -> None:
    house.operator, house.operator_name = event.operator, event.operator_name
    house.chain = event.chain


def _operator_rules_published(house: OperatorState, event: e.OperatorRulesPublished) -> None:
    house.rules = decode_operator_rules(event.rules)


def _schema_published(house: OperatorState, event: e.SchemaPublished) -> None:
    house.schemas.add(event.fingerprint)


def _writer_started(house: OperatorState, event: e.WriterStarted) -> None:
    house.epoch = event.epoch


def _key_added(house: OperatorState, event: e.SigningKeyAdded) -> None:
    kind = PublicKey.kind_of(event.algorithm)
    house.signing_keys[event.key_id] = PublicKey(house.chain, event.public_key, kind)


def _key_revoked(house: OperatorState, event: e.SigningKeyRevoked) -> None:
    house.signing_keys.pop(event.key_id, None)
    house.revoked_keys.add(event.key_id)


def _checkpoint_signed(house: OperatorState, event: e.CheckpointSigned) -> None:
    house.checkpoint = event


def _access_head_recorded(house: OperatorState, event: e.AccessHeadRecorded) -> None:
    house.access_sizes[event.chain] = event.size


def _source_registered(house: OperatorState, event: e.SourceRegistered) -> None:
    house.sources.pop(event.system, None)
    if event.certificate:
        house.sources[event.system] = SourceCertificate.read(event.certificate)


def _casino_opened(house: OperatorState, event: e.CasinoOpened) -> None:
    house.places[event.place] = event.kind


def _hours_began(house: OperatorState, event: e.CasinoHoursBegan) -> None:
    house.places_open.add(event.place)


def _hours_ended(house: OperatorState, event: e.CasinoHoursEnded) -> None:
    house.places_open.discard(event.place)


def _game_listed(house: OperatorState, event: e.GameListed) -> None:
    house.games[event.game] = Game(event.name, event.category)


def _game_launched(house: OperatorState, event: e.GameLaunched) -> None:
    house.games[event.game].launched = True
    house.games[event.game].withdrawn = False


def _game_withdrawn(house: OperatorState, event: e.GameWithdrawn) -> None:
    house.games[event.game].withdrawn = True


def _game_suspended(house: OperatorState, event: e.GameSuspended) -> None:
    house.games[event.game].suspended = True


def _game_resumed(house: OperatorState, event: e.GameResumed) -> None:
    house.games[event.game].suspended = False


def _rules_published(house: OperatorState, event: e.RulesPublished) -> None:
    house.plans.register(event.game, event.plan_version, event.document, event.document_digest)
    plans = house.games[event.game].plans
    plans.append((event.effective_from, event.plan_version))
    plans.sort(key=lambda entry: entry[0])


def _table_opened(house: OperatorState, event: e.TableOpened) -> None:
    table = Table(event.game, event.place, event.streamed, event.registration)
    if (before := house.tables.get(event.table)) is not None:
        table.last_round, table.dealers = before.last_round, before.dealers
        table.imprisoned = before.imprisoned
    house.tables[event.table] = table


def _table_closed(house: OperatorState, event: e.TableClosed) -> None:
    house.tables[event.table].open = False


def _table_suspended(house: OperatorState, event: e.TableSuspended) -> None:
    house.tables[event.table].suspended = True


def _table_resumed(house: OperatorState, event: e.TableResumed) -> None:
    house.tables[event.table].suspended = False


def _limits_set(house: OperatorState, event: e.TableLimitsSet) -> None:
    pairs = zip(event.minimums, event.maximums, strict=True)
    limits = Limits(
        event.effective_from,
        dict(zip(event.bet_codes, pairs, strict=True)),
        event.round_maximum,
    )
    known = house.tables[event.table].limits
    known.append(limits)
    known.sort(key=lambda entry: entry.effective_from)


def _dealer_seated(house: OperatorState, event: e.DealerSeated) -> None:
    table = house.tables[event.table]
    table.dealer = event.dealer
    if table.round:
        table.dealers.add(event.dealer)


def _shoe_loaded(house: OperatorState, event: e.ShoeLoaded) -> None:
    table = house.tables[event.table]
    table.shoe, table.decks = event.shoe, event.decks


def _device_assigned(house: OperatorState, event: e.DeviceAssigned) -> None:
    house.tables[event.table].devices[event.kind] = Device(event.device, event.serial)


def _device_removed(house: OperatorState, event: e.DeviceRemoved) -> None:
    house.tables[event.table].devices.pop(event.kind, None)


def _round_opened(house: OperatorState, event: e.RoundOpened) -> None:
    table = house.tables[event.table]
    table.round = table.last_round = event.round
    table.dealers = {event.dealer}


def _round_over(house: OperatorState, event: e.RoundResulted | e.RoundVoided) -> None:
    house.tables[event.table].round = ""


def _imprisoned(house: OperatorState, event: e.BetImprisoned) -> None:
    house.tables[event.table].imprisoned.append(event.bet)


def _prison_decided(house: OperatorState, event: e.PrisonDecided) -> None:
    waiting = house.tables[event.table].imprisoned
    waiting[:] = [bet for bet in waiting if bet != event.bet]


def _person_back(house: OperatorState, event: e.AccountOpened) -> None:
    house.erased.discard(event.person)


def _person_erased(house: OperatorState, event: e.PersonErased) -> None:
    house.erased.add(event.person)


def _period_key_destroyed(house: OperatorState, event: e.PeriodKeyDestroyed) -> None:
    house.erased.add(event.period_key)


def _hold_placed(house: OperatorState, event: e.LegalHoldPlaced) -> None:
    house.holds[event.hold] = Hold(event.account, event.person, event.round, event.until)


def _hold_ended(house: OperatorState, event: e.LegalHoldEnded) -> None:
    house.holds.pop(event.hold, None)


def _matching_rules_set(house: OperatorState, event: e.MatchingRulesSet) -> None:
    house.matching_rules.append(event)
    house.matching_rules.sort(key=lambda rules: rules.first_day)


CHANGES: dict[type[e.Event], Callable[[OperatorState, Any], None]] = table(
    on(e.ChainOpened, _chain_opened),
    on(e.SchemaPublished, _schema_published),
    on(e.OperatorRulesPublished, _operator_rules_published),
    on(e.WriterStarted, _writer_started),
    on(e.SigningKeyAdded, _key_added),
    on(e.SigningKeyRevoked, _key_revoked),
    on(e.CheckpointSigned, _checkpoint_signed),
    on(e.SourceRegistered, _source_registered),
    on(e.AccessHeadRecorded, _access_head_recorded),
    on(e.CasinoOpened, _casino_opened),
    on(e.CasinoHoursBegan, _hours_began),
    on(e.CasinoHoursEnded, _hours_ended),
    on(e.GameListed, _game_listed),
    on(e.GameLaunched, _game_launched),
    on(e.GameWithdrawn, _game_withdrawn),
    on(e.GameSuspended, _game_suspended),
    on(e.GameResumed, _game_resumed),
    on(e.RulesPublished, _rules_published),
    on(e.TableOpened, _table_opened),
    on(e.TableClosed, _table_closed),
    on(e.TableSuspended, _table_suspended),
    on(e.TableResumed, _table_resumed),
    on(e.TableLimitsSet, _limits_set),
    on(e.DeviceAssigned, _device_assigned),
    on(e.DeviceRemoved, _device_removed),
    on(e.DealerSeated, _dealer_seated),
    on(e.ShoeLoaded, _shoe_loaded),
    on(e.RoundOpened, _round_opened),
    on(e.RoundResulted, _round_over),
    on(e.RoundVoided, _round_over),
    on(e.BetImprisoned, _imprisoned),
    on(e.PrisonDecided, _prison_decided),
    on(e.PersonErased, _person_erased),
    on(e.PeriodKeyDestroyed, _period_key_destroyed),
    on(e.AccountOpened, _person_back),
    on(e.LegalHoldPlaced, _hold_placed),
    on(e.LegalHoldEnded, _hold_ended),
    on(e.MatchingRulesSet, _matching_rules_set),
)

LAST_OF_TABLE = ("DealerSeated", "ShoeLoaded", "RoundOpened")
"""Event types of which a starting writer needs only the last one per table."""

OPERATOR_EVENTS = tuple(
    event.__name__
    for event in CHANGES
    if event.__name__
    not in {
        *LAST_OF_TABLE,
        "RoundResulted",
        "RoundVoided",
        "BetImprisoned",
        "PrisonDecided",
        "AccountOpened",
        "CheckpointSigned",
        "AccessHeadRecorded",
    }
)
"""Event types that a starting writer reads completely; few by nature."""
