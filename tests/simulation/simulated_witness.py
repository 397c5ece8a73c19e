"""The product's witness as a part of a seed, and a log that asks it to sign two histories.

What runs is the product: the witness and its state on SQLite. Replaced are HTTP and the clock. It
is killed before it stores what it signs, or before its answer arrives, and begins again from its
folder. What the writer has is cosigned each time; a fork of what was cosigned last never is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.errors import AvailabilityError, FencedError, IntegrityError
from ledger.events.encoding import decode
from ledger.tlog.merkle import consistency, leaf_hash, nodes_of, root
from ledger.tlog.misconduct import Submission
from ledger.tlog.notes import Note
from ledger.tlog.signing import Checkpoint, SigningKey, make_note
from tests.simulation.simulated_world import SECOND, Process
from tools.witness.state import WitnessFolder
from tools.witness.witness import Witness

if TYPE_CHECKING:
    from ledger.tlog.merkle import NodeHash
    from tests.simulation.simulation import Simulation
    from tools.witness.witness import Reply


class KilledError(Exception):
    """The process of the witness was killed."""


class SimulatedWitness:
    """A witness, and an operator with the key of the log."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation, self._world = simulation, simulation.world
        self._chance = self._world.stream("witness")
        opened: Any = decode(simulation.begin.messages[0].body).event
        self._key = SigningKey(opened.chain, bytes(range(32)))
        self._folder = WitnessFolder(simulation.keys.parent / "witness")
        self._folder.create("witness")
        with self._folder.turn() as turn:
            turn.add_key(self._key.public)
        self._witness: Witness | None = None
        self._before, self._leaves = 0, list[bytes]()
        self._unanswered: dict[int, list[bytes]] = {}
        Process(self._world, "witness").spawn(self._operate)

    def now(self) -> int:
        """Return the moment of a cosignature, unless the process is killed just then."""
        if self._simulation.happens("witness is killed"):
            raise KilledError
        return self._simulation.begin.begin + self._world.now

    def _operate(self) -> None:
        while True:
            self._world.pause(self._chance.randrange(40 * SECOND))
            self._submit()
            if self._leaves:
                self._submit_fork()

    def _submit(self) -> None:
        """Submit what the writer has; a fenced one that does not know it may have less."""
        checks, old = self._simulation.checks, len(self._leaves)
        leader = self._simulation.leader
        log = leader.log if leader is not None else None
        if log is None:
            return
        try:
            leaves = [leaf_hash(body) for _, body in log.read()]
            if len(leaves) < old:
                return
            reply = self._send(log.node, old, len(leaves))
        except (AvailabilityError, FencedError):
            return
        except IntegrityError as error:  # brokers that lost acknowledged messages
            checks.named(error)
            return
        if reply is None:
            self._unanswered[len(leaves)] = leaves
        elif reply.status == 200:
            self._before, self._leaves = old, leaves
            self._unanswered.clear()
        elif reply.status == 409 and int(reply.body) in self._unanswered:
            self._before, self._leaves = old, self._unanswered.pop(int(reply.body))
        elif reply.status == 422:
            checks.named(IntegrityError(reply.body))
        else:
            checks.fail("witness", f"it cosigned {old} and answers {len(leaves)} with {reply}")

    def _submit_fork(self) -> None:
        """Submit another message as the last one, as if it was not known what is cosigned."""
        size, old = len(self._leaves), self._chance.choice((self._before, len(self._leaves)))
        fork = nodes_of([*self._leaves[:-1], bytes(32)])
        reply = self._send(fork, old, size)
        if reply is not None and reply.status not in {409, 422}:
            self._simulation.checks.fail("witness", f"{reply} for a second history of {size}")

    def _send(self, node: NodeHash, old: int, size: int) -> Reply | None:
        """Send a checkpoint; the answer is None if the witness was killed."""
        checkpoint = Checkpoint(self._key.public.name, size, root(node, size))
        signed = make_note(checkpoint, [(self._key.public, self._key.sign(checkpoint))])
        proof = consistency(node, old, size) if 0 < old < size else []
        body = str(Submission(old, tuple(proof), Note.parse(signed))).encode()
        try:
            if self._witness is None:
                self._witness = Witness(self._folder, self, lambda _: None)
            reply = self._witness.add_checkpoint(body)
            self.now()
        except KilledError:
            self._witness = None
            return None
        self._world.log("witness", f"{old} to {size}: {reply.status}")
        return reply
