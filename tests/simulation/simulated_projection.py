"""The projector with the real engine as a part of a seed, judged at each watermark.

Messages come from the simulated log; the tables, the projector and reconciliation are the product.
The projector is killed between the rows of a block and its watermark. At each watermark balances
are those of a plain fold; at the end continuous play is, too, and a reconciliation that went on
from earlier ones finds what one of the whole chain finds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.errors import AvailabilityError, FencedError, IntegrityError
from projections.questions.balances import all_balances, trial_balance
from projections.questions.continuous_play import break_violations, play
from projections.reconciliation.reconcile import examine, examine_on
from projections.store.projector import Projector
from tests.projections.projection_cases import ListLog
from tests.projections.twins.balances import POCKETS, balances_of
from tests.projections.twins.play import PlayTwin
from tests.simulation.simulated_world import SECOND, Process

if TYPE_CHECKING:
    from projections.store.tables import Store
    from tests.simulation.simulation import Simulation

BLOCK_MESSAGES = 48


class KilledError(Exception):
    """The process of the projector was killed."""


class Projection:
    """Follows the log of a seed into real tables."""

    def __init__(self, simulation: Simulation, store: Store) -> None:
        self._simulation, self._store = simulation, store
        self._chance = simulation.world.stream("projector")
        self._projector: Projector | None = None
        self._log = ListLog([])
        self._memory: Any = None
        self._set_head = store.set_head
        store.set_head = self._die_or_set_head  # type: ignore[method-assign]
        Process(simulation.world, "projector").spawn(self._follow)

    def close(self) -> None:
        """Give the tables back as they were."""
        self._store.set_head = self._set_head  # type: ignore[method-assign]

    def conclude(self, messages: list[tuple[int, bytes]]) -> None:
        """Judge the end: nothing more happens, so everything is projected and examined."""
        self._simulation.world.is_faulty = False
        self._log.messages += [body for _, body in messages[len(self._log.messages) :]]
        self._catch_up()
        fail, store, bodies = self._simulation.checks.fail, self._store, self._log.messages
        twin = PlayTwin.of(bodies)
        sequences = [
            (each.account, each.number, each.started_at, each.length, each.rounds, each.bets)
            for each in play(store).sequences
        ]
        expected = [
            (each.account, each.number, each.started_at, each.length, each.rounds, each.bets)
            for each in twin.sequences()
        ]
        if sequences != expected:
            fail("play", f"the tables have {sequences}, the events {expected}")
        violations = [(each.bet, each.position) for each in break_violations(store).violations]
        if violations != [(each.bet, each.position) for each in twin.violations()]:
            fail("play", f"violations {violations} are not those of the events")
        whole = examine(store)
        gone_on, _ = examine_on(store, since=self._memory)
        if gone_on.findings != whole.findings:
            fail("reconciliation", f"{gone_on.by_code} from earlier runs, {whole.by_code} of all")

    def _die_or_set_head(self, *given: Any) -> None:
        if self._simulation.world.is_faulty and self._chance.random() < 0.2:
            raise KilledError
        self._set_head(*given)

    def _follow(self) -> None:
        world, checks = self._simulation.world, self._simulation.checks
        while True:
            world.pause(self._chance.randrange(40 * SECOND))
            try:
                log = self._simulation.open_reader()
                known = len(self._log.messages)
                found = [] if log is None else list(log.read(known))
            except (AvailabilityError, FencedError):
                continue
            except IntegrityError as error:
                checks.named(error)
            self._log.messages += [body for _, body in found]
            try:
                self._catch_up()
            except KilledError:
                self._projector = None

    def _catch_up(self) -> None:
        if self._projector is None:
            self._projector = Projector(self._log, self._store, messages_max=BLOCK_MESSAGES)
        self._projector.catch_up()
        self._judge()
        if self._store.head.size and self._chance.random() < 0.15:
            _, self._memory = examine_on(self._store, since=self._memory)

    def _judge(self) -> None:
        """Judge the tables at their watermark."""
        checks, head = self._simulation.checks, self._store.head
        size = head.size
        if size and not checks.is_violated and checks.hashes[size - 1] != head.hash:
            checks.fail("projection", f"its watermark {size} is not in the log")
        found = {
            each.account: sums
            for each in all_balances(self._store)
            if any((sums := {pocket: getattr(each, pocket) for pocket in POCKETS}).values())
        }
        expected = {
            name: sums
            for name, sums in balances_of(self._log.messages[:size]).items()
            if any(sums.values())
        }
        if found != expected:
            checks.fail("projection", f"at {size} it has {found}, the events say {expected}")
        if not (trial := trial_balance(self._store)).is_sound:
            checks.fail("projection", f"at {size} its trial balance is not sound: {trial}")
