"""``init`` and ``record``: where a chain begins and how commands get in.

One thread reads and submits, another waits for the receipts in order and writes each line
as soon as its decision is durable. At most :data:`IN_FLIGHT_MAX` lines are on their way.
"""

from __future__ import annotations

import re
import sys
import threading
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from msgspec import UNSET, UnsetType

from ledger.core.errors import KINDS, InputError, LedgerError
from ledger.rules.operator import rules_for
from ledger.rules.published_rules import rules_in_force
from ledger.storage.named_files import reading
from ledger.tlog.signing import CHAIN_NAME
from tools.cli._answering import answers, emits
from tools.cli._cuts import UNREAD
from tools.cli._options import DATA, Data, DryRun, Json, settings_of
from tools.cli._output import echo
from tools.cli._record_help import command_in_words, commands_in_words
from tools.cli._strict_command import StrictCommand
from tools.cli._when import AsOfPoint, moment_or_midnight
from tools.data import DataDirectory
from tools.sanitize import json_line
from tools.service.lines import Answer, Line, await_answer, begin, numbered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.rules.operator import OperatorRules
    from tools.service.client import AnyLedger

__all__ = ["Begun", "init", "record"]

IN_FLIGHT_MAX = 1024
STATUSES = ("recorded", "allowed", "refused", "valid", "error")
ASKED = "gameledger.asked"
OF_THE_RECORD = ("chain", "command_id", "first_position", "last_position", "hash")
"""Fields of an answer about a record; where nothing was recorded they would mislead."""
NAME = re.compile(r"[\w.-]{1,100}")


@dataclass(frozen=True, slots=True)
class Begun:
    """A new chain; under ``--dry-run`` nothing was written."""

    chain: str
    data: str
    rules: str
    size: int | UnsetType = UNSET
    head: str | UnsetType = UNSET
    dry_run: Literal[True] | UnsetType = UNSET


def _show_begun(begun: Begun) -> None:
    if begun.dry_run is not UNSET:
        print(f"A chain {begun.chain} can begin in {begun.data}.", file=sys.stderr)
        return
    echo(f"Chain {begun.chain} begins in {begun.data}: {begun.size} messages, head {begun.head}")
    echo(f"It applies the rules of operation {begun.rules}: `gameledger rules show`")


@answers(_show_begun)
def init(
    *,
    operator: Annotated[
        str, typer.Option(envvar="GAMELEDGER_OPERATOR", help="Company number of the operator.")
    ],
    name: Annotated[
        str, typer.Option(envvar="GAMELEDGER_OPERATOR_NAME", help="Name of the operator.")
    ],
    chain: Annotated[
        str, typer.Option(envvar="GAMELEDGER_CHAIN", help="Name of the chain, one a licence.")
    ],
    rules: Annotated[
        str,
        typer.Option(
            envvar="GAMELEDGER_RULES",
            metavar="NAME|FILE",
            help="The operator's rules of operation: a file, or the name of rules that ship with "
            "the program. Needed unless a file in DIR/rules or shipped rules name the operator.",
        ),
    ] = "",
    data: Data = DATA,
    dry_run: DryRun = False,
) -> Begun:
    """Begin a chain in the data directory.

    The rules of operation fix the figures that decisions apply and the paragraphs that refusals
    and findings cite; the first decision of the chain records them.

    Example: `gameledger init --operator 26493993 --name "SAZKA a.s." --chain sazka-live`
    """
    _require_names(operator, name, chain)
    chosen = rules_for(operator, rules, data.path / "rules")
    if dry_run:
        if data.has_log:
            raise InputError(f"{data} holds a log already: name another directory")
        return Begun(chain, str(data), chosen.name, dry_run=True)
    with data.create(operator=operator, operator_name=name, chain=chain, rules=chosen) as ledger:
        size, head = ledger.head
    return Begun(chain, str(data), chosen.name, size, head.hex())


def _require_names(operator: str, name: str, chain: str) -> None:
    """Refuse invalid names, which would remain in every note and package."""
    for what, text in (("--operator", operator), ("--name", name), ("--chain", chain)):
        if not text.strip() or not text.isprintable():
            raise InputError(f"{what} is {text!r}: give a name of printable characters")
    if not NAME.fullmatch(operator):
        raise InputError(f"--operator is {operator!r}: use only letters, digits, dots and hyphens")
    if not CHAIN_NAME.fullmatch(chain):
        text = "1 to 128 signs of ASCII without spaces and plus, such as casino.example/live"
        raise InputError(f"--chain is {chain!r}: {text}")


class _RecordCommand(StrictCommand):
    """Describes the commands in its help: the one that is named, or all."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Store the command and the data directory given with ``--help``."""
        if "--help" in args:
            options, names, _ = self.make_parser(ctx).parse_args(list(args))
            settings = settings_of(ctx)
            named = settings.data or settings.environment.get("GAMELEDGER_DATA", DATA)
            data = DataDirectory(options.get("data") or named, environment=settings.environment)
            ctx.meta[ASKED] = (options.get("file") or "".join(names[:1]), data)
        return list(super().parse_args(ctx, args))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help of one command in full; or of all commands with their fields."""
        command, data = ctx.meta.get(ASKED, ("", None))
        if command:
            print("\n".join(command_in_words(command, _rules_at(data))))
            return
        super().format_help(ctx, formatter)
        print("\n".join(commands_in_words()))


def _rules_at(directory: DataDirectory) -> OperatorRules | None:
    """Return the rules of the chain at a directory; None where there is no chain to read."""
    try:
        with closing(directory.read()) as log:
            return rules_in_force(log)
    except LedgerError:
        return None


@emits(Answer, is_line=True)
def record(
    *,
    file: Annotated[
        str, typer.Argument(metavar="[FILE|-]", help="JSON lines, one command each.")
    ] = "-",
    data: Data = DATA,
    as_of: Annotated[
        AsOfPoint | None,
        typer.Option(
            "--at",
            parser=moment_or_midnight,
            metavar="DAY|MOMENT",
            help="With --dry-run: decide as if at this moment in Prague.",
        ),
    ] = None,
    as_json: Json = False,  # noqa: ARG001 - the answer is JSON either way
    dry_run: DryRun = False,
) -> None:
    r"""Decide commands: JSON lines in; a receipt, a refusal or an error a line out, in order.

    A line that can't be decided does not stop the others; a line is answered as soon as its
    events are durable. Sending a line again with its `command_id` is safe: it is answered
    with the first receipt. After Ctrl-C, send again from the first line without an answer.

    `--dry-run` only looks whether lines are valid. With `--at` it decides them on the chain as it
    ends, as if at that moment, each line seeing what those before it would have done; nothing is
    recorded. `record --help place_bet` describes one command.

    Example: `echo '{"command": "log_out", "account": "a-1"}' | gameledger record`

    Exit code 2 if any line was an input error, 4 if any could not be stored.
    """
    with ExitStack() as stack:
        lines = _lines_of(file, stack)
        ledger = _ledger(data, stack, as_of, dry_run=dry_run)
        answers = _Answers(is_tried=as_of is not None)
        stack.callback(answers.report)
        stack.callback(answers.finish)
        for number, line in lines:
            if not answers.are_read:
                break
            answers.put(Line(number, begin(ledger, line)))
    raise typer.Exit(answers.exit_code)


record.command_class = _RecordCommand  # type: ignore[attr-defined]


def _ledger(
    directory: DataDirectory, stack: ExitStack, as_of: AsOfPoint | None, *, dry_run: bool
) -> AnyLedger | None:
    if as_of is None:
        return None if dry_run else stack.enter_context(directory.write())
    if not dry_run:
        raise InputError("--at is for --dry-run: a record has the moment at which it is made")
    return stack.enter_context(directory.rehearse(as_of.begins))


def _lines_of(file: str, stack: ExitStack) -> Iterator[tuple[int, bytes | None]]:
    if file == "-":
        return numbered(sys.stdin.buffer)
    with reading(file):
        return numbered(stack.enter_context(Path(file).open("rb")))


class _Answers:
    """Write the answers in order from a separate thread."""

    def __init__(self, *, is_tried: bool = False) -> None:
        self._is_tried = is_tried
        self.are_read = True
        self.exit_code = 0
        self._counts = dict.fromkeys(STATUSES, 0)
        self._failure: BaseException | None = None
        self._queue: Queue[Line | None] = Queue(IN_FLIGHT_MAX)
        self._thread = threading.Thread(target=self._run, name="answers", daemon=True)
        self._thread.start()

    def put(self, line: Line) -> None:
        """Add a line; wait while too many are in flight."""
        self._queue.put(line)

    def finish(self) -> None:
        """Wait until every line is answered."""
        self._queue.put(None)
        self._thread.join()
        if self._failure is not None:
            raise self._failure

    def report(self) -> None:
        """Report the number of lines by outcome."""
        parts = [f"{count} {what}" for what, count in self._counts.items() if count]
        print(", ".join(parts) or "no lines", file=sys.stderr)

    def _run(self) -> None:
        while (line := self._queue.get()) is not None:
            try:
                answer = self._answer(line)
                if self.are_read:
                    sys.stdout.buffer.write(f"{json_line(answer)}\n".encode())
                    sys.stdout.buffer.flush()
            except BrokenPipeError:  # the output is closed: decide what is in flight, then stop
                self.are_read = False
                self._raise_code(UNREAD)
            except BaseException as error:  # noqa: BLE001 - raised again by finish
                self._failure = self._failure or error
                self.are_read = False

    def _answer(self, line: Line) -> dict[str, Any]:
        answer = await_answer(line)
        if self._is_tried:
            answer = _tried(answer)
        self._counts[answer["status"]] += 1
        if answer["status"] == "error":
            self._raise_code(KINDS[answer["kind"]].exit_code)
        return answer

    def _raise_code(self, code: int) -> None:
        """Keep the most severe exit code: integrity, then fenced, availability, input."""
        order = (0, UNREAD, 1, 5, 2, 4, 6, 3)
        self.exit_code = max(self.exit_code, code, key=order.index)


def _tried(answer: dict[str, Any]) -> dict[str, Any]:
    """Describe what would have become of a line in a dry run."""
    found = {name: value for name, value in answer.items() if name not in OF_THE_RECORD}
    if found["status"] == "recorded":
        found["status"] = "allowed"
    return {**found, "dry_run": True}
