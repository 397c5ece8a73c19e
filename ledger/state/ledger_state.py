"""The writer's state: the operator's part in memory, accounts and rounds loaded on demand.

An account or round that is not in memory is folded from its own events, which are found by tag; an
account from its last statement on. Each decided event advances the state in memory, so the cost of
a decision does not depend on the age of the chain.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar, overload

from ledger import games
from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.log.checkpoints import cosigned_size
from ledger.log.port import Log, Query, envelope_at, events_at
from ledger.rules.operator import decode_operator_rules
from ledger.state.account import STATE_VERSION, AccountState
from ledger.state.account_fold import fold as fold_account
from ledger.state.floor import FLOOR_EVENTS, FloorState
from ledger.state.floor import fold as fold_floor
from ledger.state.hand_fold import HAND_EVENTS
from ledger.state.hand_fold import fold as fold_hand
from ledger.state.operator_state import LAST_OF_TABLE, OPERATOR_EVENTS, OperatorState
from ledger.state.operator_state import fold as fold_operator_state
from ledger.state.participant import account_before, accounts_before, as_participant
from ledger.state.round import RoundState
from ledger.state.round import fold as fold_round
from ledger.state.round_wagers import due_by_bet
from ledger.state.statement import STATEMENT_EVENTS, StatementState
from ledger.state.statement import fold as fold_statement
from ledger.state.tournament import TOURNAMENT_EVENTS
from ledger.state.tournament import fold as fold_tournament
from ledger.tlog.merkle import root

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.events.encoding import RecordedEvent
    from ledger.privacy import KeyStore
    from ledger.rules.operator import OperatorRules
    from ledger.state.tournament import TournamentState
    from ledger.tlog.cosigning import CosignerKey

__all__ = ["LedgerState", "accounts_of"]

AnEvent = TypeVar("AnEvent", bound=e.Event)
ACCOUNTS_MAX = 50_000
ROUNDS_MAX = 2_000
TOURNAMENTS_MAX = 200
STATEMENTS_MAX = 1_000
SEAT_MOVES_MAX = 2_000
"""Number of last moves at a table from which its seated players are found; older ones are lost."""


NEVER_QUERIED = frozenset(
    {
        e.BetPlaced,
        e.BetConcluded,
        e.BetSettled,
        e.ChipsLaid,
        e.HandAction,
        e.RoundResulted,
        e.StatementLinesRecorded,
    }
)
"""The frequent events; no decision looks them up by tag."""


def accounts_of(event: e.Event) -> tuple[str, ...]:
    """Return the accounts that an event concerns."""
    kind = type(event)
    if kind in _OF_ACCOUNT and (name := event.account):  # type: ignore[attr-defined]
        return (name,)
    return event.accounts if kind in _OF_ACCOUNTS else ()  # type: ignore[attr-defined]


def _seat(seated: set[str], event: e.Event) -> None:
    if isinstance(event, e.SeatTaken):
        seated.add(event.account)
    elif isinstance(event, e.SeatLeft):
        seated.discard(event.account)


def _with_field(name: str) -> frozenset[type[e.Event]]:
    return frozenset(kind for kind in e.EVENTS.values() if name in kind.__struct_fields__)


_OF_ACCOUNT, _OF_ACCOUNTS = _with_field("account"), _with_field("accounts")
_OF_ROUND, _OF_TOURNAMENT = _with_field("round"), _with_field("tournament")

ACCOUNT_AND_ROUND_ONLY = NEVER_QUERIED - _OF_TOURNAMENT - FLOOR_EVENTS - STATEMENT_EVENTS
"""The frequent events that change only accounts and a round."""


class _Accounts(OrderedDict[str, AccountState]):
    """States of accounts, the last used last; a state that is missing is read."""

    def __init__(self, read: Callable[[str], AccountState]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, name: str) -> AccountState:
        state = self[name] = self._read(name)
        return state


class LedgerState:
    """State for decisions over one log, under the operator's rules recorded in the chain.

    Args:
        log: source of accounts and rounds that are not in memory.
        keys: key store that encrypts personal fields.

    """

    def __init__(self, log: Log, keys: KeyStore) -> None:
        """Load the operator's part from the log."""
        self.keys = keys
        self._log = log
        self.reset()

    def reset(self) -> None:
        """Discard everything and reload the operator's part from the log."""
        self.operator_state = OperatorState()
        self._accounts = _Accounts(self._read_account)
        self._rounds: OrderedDict[str, RoundState] = OrderedDict()
        self._due: dict[str, tuple[dict[str, Any], dict[str, games.ResultLine]]] = {}
        self._tournaments: dict[str, TournamentState | None] = {}
        self._floors: dict[str, FloorState] = {}
        self._statements_outside: dict[str, StatementState] = {}
        self._new_events: dict[str, list[e.Event]] = {}
        self.decided: list[e.Event] = []  # not recorded yet; without frequent types
        self._new_persons: dict[str, str] = {}
        self._seated: dict[str, set[str]] = {}
        self._accounts_before: dict[str, str] = {}
        for recorded in events_at(self._log, self._log.find(Query(types=OPERATOR_EVENTS))):
            fold_operator_state(self.operator_state, recorded.event, recorded.envelope.recorded_at)
        signed = self._log.find(Query(types=("CheckpointSigned",)), limit=1, backwards=True)
        for recorded in events_at(self._log, signed):
            fold_operator_state(self.operator_state, recorded.event, recorded.envelope.recorded_at)
        for table in self.operator_state.tables.values():
            table.round = ""
        for name in self.operator_state.tables:
            self._read_table(name)
        for name, game in self.operator_state.games.items():
            for _, version in game.plans:
                with suppress(games.UnknownGameError):  # only its own rounds cannot be decided
                    games.plan(name, version)
        for person in filter(self.keys.has_key, list(self.operator_state.erased)):
            self._read_erased(person)

    def destroy_keys_of_erased(self) -> None:
        """Destroy the keys of erased persons and months that still exist.

        Raises:
            FencedError, IntegrityError, AvailabilityError: as ``confirm`` of the log; no key was
                destroyed.

        """
        self.keys.destroy_keys_of(self.operator_state.erased, self._log.confirm)

    def _read_table(self, table: str) -> None:
        tag = (f"table:{table}",)
        opened = self._log.find(Query(types=("TableOpened",), tags=tag), limit=1, backwards=True)
        for event_type in LAST_OF_TABLE:
            query = Query(types=(event_type,), tags=tag)
            positions = self._log.find(query, after=opened[0], limit=1, backwards=True)
            for recorded in events_at(self._log, positions):
                fold_operator_state(
                    self.operator_state, recorded.event, recorded.envelope.recorded_at
                )
        running = self.operator_state.tables[table].round
        if running and self.round(running).status not in {"open", "closed"}:
            self.operator_state.tables[table].round = ""
        self.operator_state.tables[table].imprisoned = self._imprisoned_at(tag)

    def _imprisoned_at(self, tag: tuple[str]) -> list[str]:
        """Return the bets of a table with a chip that waits for the next spin.

        All of them belong to one round.
        """
        imprisoned = self.last_event_of(("BetImprisoned",), *tag)
        if not isinstance(imprisoned, e.BetImprisoned):
            return []
        state = self.round(imprisoned.round)
        return [
            name for name, bet in state.bets.items() if bet.imprisoned and state.next_number is None
        ]

    def last_event_of(self, types: tuple[str, ...], *tags: str) -> e.Event | None:
        """Return the last event of some types that has all of the tags; None if there is none.

        Decided events that are not recorded yet are included.
        """
        for new in reversed(self._new_events.get(tags[0], [])):
            if type(new).__name__ in types and set(tags) <= set(new.index_tags()):
                return new
        positions = self._log.find(Query(types=types, tags=tags), limit=1, backwards=True)
        return next((recorded.event for recorded in events_at(self._log, positions)), None)

    def _read_erased(self, person: str) -> None:
        """Mark a person as not erased if the person opened an account after the erasure.

        Without a key there is nothing to retain, so the index is searched for few persons.
        """
        tag = (f"person:{person}",)
        erased = self._log.find(Query(types=("PersonErased",), tags=tag), limit=1, backwards=True)
        opened = Query(types=("AccountOpened",), tags=tag)
        if erased and self._log.find(opened, after=erased[0], limit=1):
            self.operator_state.erased.discard(person)

    @property
    def rules(self) -> OperatorRules:
        """The operator's rules that are in force.

        Raises:
            InputError: the chain has none.

        """
        if self.operator_state.rules is None:
            raise InputError(
                f"chain {self.operator_state.chain} holds no rules of its operator: the first "
                "decision of a chain publishes them (gameledger init --rules)"
            )
        return self.operator_state.rules

    @property
    def log(self) -> Log:
        """The log that the state is read from."""
        return self._log

    @property
    def size(self) -> int:
        """Number of recorded messages, without decided events that are not recorded yet."""
        return self._log.head().size

    def missing_since(self, mirror: CosignerKey, now: int) -> int:
        """Return when the oldest message was recorded that a mirror does not hold; now if none.

        It holds what the last checkpoint covers that it signed and that was recorded.
        """
        new = self._new_events.get(f"witness:{mirror.name}", [])
        own = (one for one in reversed(new) if isinstance(one, e.CheckpointCosigned))
        sizes = (one.size for one in own if one.public_key == mirror.raw)
        held = next(sizes, None) or cosigned_size(self._log, mirror)
        return now if held >= self.size else envelope_at(self._log, held).recorded_at

    def bonus_effective_from(self, name: str) -> int | None:
        """Return when an announced bonus begins; None if no bonus has this name."""
        query = Query(types=("BonusAnnounced",), tags=(f"bonus:{name}",))
        recorded = [
            recorded_event.event
            for recorded_event in events_at(self._log, self._log.find(query, limit=1))
        ]
        for event in recorded + self._new_events.get(f"bonus:{name}", []):
            if isinstance(event, e.BonusAnnounced):
                return event.effective_from
        return None

    def root_at(self, size: int) -> bytes | None:
        """Return the root of the recorded chain's tree at a size; None if the chain is shorter."""
        return root(self._log.node, size) if 0 < size <= self.size else None

    def access_size(self, chain: str) -> int:
        """Return the last recorded size of an access chain; 0 if there is none."""
        if chain not in self.operator_state.access_sizes:
            query = Query(types=("AccessHeadRecorded",), tags=(f"chain:{chain}",))
            for recorded in events_at(self._log, self._log.find(query, limit=1, backwards=True)):
                fold_operator_state(
                    self.operator_state, recorded.event, recorded.envelope.recorded_at
                )
        return self.operator_state.access_sizes.get(chain, 0)

    def exists(self, tag: str) -> bool:
        """Return whether any decided or recorded event has a tag."""
        return tag in self._new_events or bool(self._log.find(Query(tags=(tag,)), limit=1))

    def account(self, name: str) -> AccountState:
        """Return the state of an account.

        Raises:
            InputError: there is no account of that name.

        """
        state = self.account_or_new(name)
        if state.status == "unknown":
            del self._accounts[name]
            raise InputError(f"account {name} is unknown; open it with open_account first")
        return state

    def account_or_new(self, name: str) -> AccountState:
        """Return the state of an account; empty if it is not open, as in a refused registration."""
        return self._accounts[name]

    def round(self, name: str) -> RoundState:
        """Return the state of a round.

        Raises:
            InputError: there is no round of that name.

        """
        state = self.round_or_new(name)
        if state.status == "unknown":
            if not state.cancelled:  # a cancellation may not be in the log yet
                del self._rounds[name]
            raise InputError(f"round {name} is unknown; open it with open_round first")
        return state

    def round_or_new(self, name: str) -> RoundState:
        """Return the state of a round, empty if it is not open yet."""
        state = self._rounds.get(name)
        if state is None:
            state = self._rounds[name] = RoundState(name)
            for recorded in self._find(Query(tags=(f"round:{name}",))):
                fold_round(state, recorded.event, recorded.envelope.recorded_at)
                fold_hand(state, recorded.event)
        return state

    def due_by_bet(self, state: RoundState, outcome: dict[str, Any]) -> dict[str, games.ResultLine]:
        """Return the settlement of each bet of a round under an outcome.

        The last calculation is cached, so the settlement reuses that of the result.

        Raises:
            games.SettlementError: as in :func:`ledger.state.round_wagers.due_by_bet`.

        """
        known = self._due.get(state.round)
        if known is None or known[0] != outcome:
            known = self._due[state.round] = outcome, due_by_bet(state, outcome)
        return known[1]

    def tournament(self, name: str) -> TournamentState:
        """Return the state of a tournament.

        Raises:
            InputError: there is no tournament of that name.

        """
        state = self.tournament_or_none(name)
        if state is None:
            del self._tournaments[name]
            raise InputError(f"tournament {name} is unknown; announce it first")
        return state

    def tournament_or_none(self, name: str) -> TournamentState | None:
        """Return the state of a tournament; None if it was not announced yet."""
        if name not in self._tournaments:
            state: TournamentState | None = None
            query = Query(types=TOURNAMENT_EVENTS, tags=(f"tournament:{name}",))
            for recorded in self._find(query):
                state = fold_tournament(state, recorded.event, recorded.envelope.recorded_at)
            self._tournaments[name] = state
        return self._tournaments[name]

    def floor(self, place: str) -> FloorState:
        """Return the state of a casino's floor; empty before its first operating day."""
        if place not in self._floors:
            tag, floor = (f"place:{place}",), self._floors.setdefault(place, FloorState())
            closed = Query(types=("OperatingDayClosed",), tags=tag)
            first = self._log.find(closed, limit=1, backwards=True)
            types = tuple(sorted(event.__name__ for event in FLOOR_EVENTS))
            after = first[0] - 1 if first else -1
            positions = self._log.find(Query(types=types, tags=tag), after=after)
            for recorded in events_at(self._log, positions):
                fold_floor(floor, recorded.event)
        return self._floors[place]

    def statement(self, name: str) -> StatementState:
        """Return the state of an external statement, taken from its last event."""
        if name not in self._statements_outside:
            state = StatementState()
            types = tuple(sorted(event.__name__ for event in STATEMENT_EVENTS))
            query = Query(types=types, tags=(f"statement:{name}",))
            for recorded in events_at(self._log, self._log.find(query, limit=1, backwards=True)):
                state = fold_statement(state, recorded.event)
            self._statements_outside[name] = state
        return self._statements_outside[name]

    def section_opened(self, name: str) -> e.SectionOpened:
        """Return the event that opened an operating section.

        Raises:
            InputError: there is no section of that name.

        """
        query = Query(types=("SectionOpened",), tags=(f"section:{name}",))
        recorded = [
            recorded_event.event
            for recorded_event in events_at(self._log, self._log.find(query, limit=1))
        ]
        for event in recorded + self._new_events.get(f"section:{name}", []):
            if isinstance(event, e.SectionOpened):
                return event
        raise InputError(f"section {name} is unknown; open it with open_section first")

    def section_of_station(self, station: str) -> e.SectionOpened | None:
        """Return the last opening of a section of a cage, table or tournament; None if none."""
        for new in reversed(self._new_events.get(f"station:{station}", [])):
            if isinstance(new, e.SectionOpened):
                return new
        query = Query(types=("SectionOpened",), tags=(f"station:{station}",))
        for recorded in events_at(self._log, self._log.find(query, limit=1, backwards=True)):
            if isinstance(recorded.event, e.SectionOpened):
                return recorded.event
        return None

    def moment_of(self, event_type: str, tag: str) -> int | None:
        """Return when the first event of a type with a tag was recorded, in microseconds.

        None: there is no such event, or it is decided but not recorded yet.
        """
        positions = self._log.find(Query(types=(event_type,), tags=(tag,)), limit=1)
        return next(
            (recorded.envelope.recorded_at for recorded in events_at(self._log, positions)), None
        )

    def seated_at(self, table: str) -> set[str]:
        """Return the accounts that sit at a table."""
        if table not in self._seated:
            query = Query(types=("SeatTaken", "SeatLeft"), tags=(f"table:{table}",))
            positions = self._log.find(query, limit=SEAT_MOVES_MAX, backwards=True)
            moves = [recorded.event for recorded in events_at(self._log, sorted(positions))]
            seated = self._seated.setdefault(table, set())
            for event in moves + self._new_events.get(f"table:{table}", []):
                _seat(seated, event)
        return self._seated[table]

    def _move_seats(self, event: e.Event) -> None:
        if isinstance(event, e.SeatTaken | e.SeatLeft) and event.table in self._seated:
            _seat(self._seated[event.table], event)

    def account_of_person(self, person: str) -> AccountState | None:
        """Return the current or last account of a person; None if the person has had none."""
        if person in self._new_persons:
            return self.account(self._new_persons[person])
        query = Query(types=("AccountOpened",), tags=(f"person:{person}",))
        for recorded in events_at(self._log, self._log.find(query, limit=1, backwards=True)):
            if isinstance(recorded.event, e.AccountOpened):
                return self.account(recorded.event.account)
        return None

    def accounts_of_person(self, person: str) -> set[str]:
        """Return all accounts that a person has or had."""
        opened = Query(types=("AccountOpened",), tags=(f"person:{person}",))
        names = {name for recorded in self._find(opened) for name in accounts_of(recorded.event)}
        return names | ({self._new_persons[person]} if person in self._new_persons else set())

    def has_taken_part(self, person: str, round_name: str) -> bool:
        """Return whether any event of a round, even a refusal, names an account of a person.

        Searches the index for each account of the person with the tag of the round.
        """
        names = self.accounts_of_person(person)
        new = self._new_events.get(f"round:{round_name}", [])
        return any(name in accounts_of(event) for event in new for name in names) or any(
            self._log.find(Query(tags=(f"round:{round_name}", f"account:{name}")), limit=1)
            for name in names
        )

    def account_now(self, name: str) -> AccountState:
        """Return the account whose restrictions apply to the person of an account.

        That is the account itself or, if it is closed, the newest account of the same person.

        Raises:
            InputError: there is no account of that name.

        """
        account = self.account(name)
        if account.status != "closed":
            return account
        return self.account_of_person(account.person) or account

    def participant(self, account: AccountState, now: int) -> AccountState:
        """Return an account combined with the history of its person's earlier accounts.

        The result is the account itself if the person had none before.
        """
        earlier = [*accounts_before(account, self._account_before, now)]
        return as_participant(account, earlier, now, self.rules.figures.break_length)

    def _account_before(self, account: AccountState) -> AccountState | None:
        name = self._accounts_before.get(account.account)
        if name is None:
            name = account_before(self._log, account)
            self._accounts_before[account.account] = name
        return self.account(name) if name else None

    @overload
    def events(self, tag: str) -> list[e.Event]: ...

    @overload
    def events(self, tag: str, kind: type[AnEvent]) -> list[AnEvent]: ...

    def events(self, tag: str, kind: type[e.Event] = e.Event) -> list[Any]:
        """Return all events with a tag, including decided ones that are not recorded yet.

        With a ``kind``, only the events of that type.
        """
        types = () if kind is e.Event else (kind.__name__,)
        recorded = [one.event for one in self._find(Query(types=types, tags=(tag,)))]
        return [one for one in recorded + self._new_events.get(tag, []) if isinstance(one, kind)]

    def _find(self, query: Query) -> Iterator[RecordedEvent]:
        return events_at(self._log, self._log.find(query))

    def apply(self, event: e.Event, moment: int) -> None:
        """Apply an event to everything that it concerns."""
        kind = type(event)
        fold_operator_state(self.operator_state, event, moment)
        for name in accounts_of(event):
            account = self.account_or_new(name)
            moved = fold_account(account, event, moment, self.rules.figures)
            if moved is not account:
                self._accounts[name] = moved
            self._accounts.move_to_end(name)
        if kind in _OF_ROUND and (name := event.round):  # type: ignore[attr-defined]
            state = self.round_or_new(name)
            fold_round(state, event, moment)
            if kind in HAND_EVENTS:
                fold_hand(state, event)
            if kind is not e.RoundResulted:
                self._due.pop(name, None)
        if kind in ACCOUNT_AND_ROUND_ONLY:
            return
        self._move_seats(event)
        if kind in _OF_TOURNAMENT and (name := event.tournament):  # type: ignore[attr-defined]
            self._tournaments[name] = fold_tournament(self.tournament_or_none(name), event, moment)
        if kind in FLOOR_EVENTS:
            fold_floor(self.floor(event.place), event)  # type: ignore[attr-defined]
        if kind in STATEMENT_EVENTS:
            name = event.statement  # type: ignore[attr-defined]
            self._statements_outside[name] = fold_statement(self.statement(name), event)
        if kind not in NEVER_QUERIED:
            self.decided.append(event)
            for tag in event.index_tags():
                self._new_events.setdefault(tag, []).append(event)
        if isinstance(event, e.AccountOpened):
            self._new_persons[event.person] = event.account

    def committed(self) -> None:
        """Release state that can be reloaded; call it when all applied events are in the log."""
        self._new_events.clear()
        self.decided.clear()
        self._new_persons.clear()
        while len(self._accounts) > ACCOUNTS_MAX:
            self._accounts.popitem(last=False)
        if len(self._accounts_before) > ACCOUNTS_MAX:
            self._accounts_before.clear()
        if len(self._rounds) > ROUNDS_MAX:
            gone = [
                name
                for name, state in self._rounds.items()
                if state.is_finished or state.status == "unknown"
            ]
            for name in gone:
                del self._rounds[name]
                self._due.pop(name, None)
        if len(self._tournaments) > TOURNAMENTS_MAX:
            self._tournaments.clear()
        if len(self._statements_outside) > STATEMENTS_MAX:
            self._statements_outside.clear()

    def _read_account(self, name: str) -> AccountState:
        """Fold an account from its last statement on, each event by the rules then in force."""
        tag = (f"account:{name}",)
        state, after, figures = AccountState(name), -1, self.rules.figures
        for recorded in self._statements(tag):
            event = recorded.event
            if isinstance(event, e.AccountStatement) and event.state_version == STATE_VERSION:
                state, after = fold_account(state, event, 0, figures), recorded.position
                break
        published = deque(
            (one.position, one.event)
            for one in self._find(Query(types=("OperatorRulesPublished",)))
            if isinstance(one.event, e.OperatorRulesPublished)
        )
        for recorded in events_at(self._log, self._log.find(Query(tags=tag), after=after)):
            while published and published[0][0] < recorded.position:
                figures = decode_operator_rules(published.popleft()[1].rules).figures
            moment = recorded.envelope.recorded_at
            state = fold_account(state, recorded.event, moment, figures)
        return state

    def _statements(self, tag: tuple[str]) -> Iterator[RecordedEvent]:
        """Yield the statements of an account, the last one first."""
        query, before = Query(types=("AccountStatement",), tags=tag), None
        while positions := self._log.find(query, before=before, limit=1, backwards=True):
            (before,) = positions
            yield from events_at(self._log, positions)
