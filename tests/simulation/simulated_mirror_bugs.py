"""Deliberate bugs of the mirror; see ``simulated_bugs``."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ledger.log import verified_copy
from ledger.log.verified_copy import VerifiedCopy
from ledger.tlog.signing import parse_note
from tests.simulation.bug_register import bug
from tools.mirror import log_copy
from tools.mirror.log_copy import LogCopy
from tools.mirror.mirror import Mirror
from tools.witness.state import WitnessedLog

if TYPE_CHECKING:
    from collections.abc import Iterator


@bug("a mirror signs what it holds in memory only", needs="mirror")
def _(patched: Any) -> None:
    patched.setattr(VerifiedCopy, "store", lambda _: None)
    patched.setattr(VerifiedCopy, "require", lambda *_: None)


@bug("a mirror takes messages that are not in the announced tree", needs="mirror")
def _(patched: Any) -> None:
    patched.setattr(log_copy, "require_subtree", lambda *_: None)


@bug("a mirror does not look commands up in its copy", needs="mirror")
def _(patched: Any) -> None:
    patched.setattr(verified_copy._Commands, "add", lambda *_: None)


@bug("a mirror signs a checkpoint with another tag map", needs="mirror")
def _(patched: Any) -> None:
    def require(self: VerifiedCopy, _: Any) -> None:
        self.store()

    patched.setattr(VerifiedCopy, "require", require)


@bug("a mirror that starts again knows no announcement", needs="mirror")
def _(patched: Any) -> None:
    begin = Mirror.__init__

    def forget(self: Mirror, *given: Any) -> None:
        begin(self, *given)
        with self.folder.turn() as turn:
            for memory in turn.all():
                turn.put(WitnessedLog(memory.origin, memory.keys))

    patched.setattr(Mirror, "__init__", forget)


@bug("a mirror drops messages that a full disk refused", needs="mirror")
def _(patched: Any) -> None:
    @contextmanager
    def stay(_: LogCopy) -> Iterator[None]:
        yield

    def store(self: VerifiedCopy) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._commands.require_new(self.log)
            self.log.append(waiting)
        self._compare()

    patched.setattr(LogCopy, "changing", stay)
    patched.setattr(VerifiedCopy, "store", store)


@bug("a mirror publishes its signature before the tiles", needs="mirror")
def _(patched: Any) -> None:
    publish = LogCopy.publish

    def hurry(self: LogCopy, copy: VerifiedCopy, note: Any) -> None:
        folder = self._folder.tiles_of(self._origin)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "checkpoint").write_text(str(note))
        if parse_note(str(note))[0].size % 3:
            publish(self, copy, note)

    patched.setattr(LogCopy, "publish", hurry)


@bug("a mirror answers a whole upload that only began", needs="mirror")
def _(patched: Any) -> None:
    add = Mirror._add

    def hurry(self: Mirror, *given: Any, **named: Any) -> Any:
        reply = add(self, *given, **named)
        return reply._replace(status=200, body="") if reply.status == 202 else reply

    patched.setattr(Mirror, "_add", hurry)
