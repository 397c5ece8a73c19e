"""Ask the copies of a mirror: the same command over each, in processes of their own.

What comes in: the folder of a mirror, and the words of a command that reads. What goes out: for
each log what the command wrote, or why there is no answer; the tables over all logs are filled in
the same way. Guaranteed: a copy that is slow or damaged delays no other, and nothing is written to
a copy. Rejected: commands other than questions.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.clock import SystemClock, day_of
from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError, LedgerError
from ledger.log.processes import module_command
from tools.mirror.shared_tables import NOTHING, CopySummary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tools.mirror.folder import MirrorFolder
    from tools.mirror.shared_tables import SharedTables

__all__ = ["QUESTIONS", "CopyReply", "ask_copies", "fill", "words_of"]

QUESTIONS = (
    *("account list", "account movements", "balances", "bet list", "books open-items"),
    *("complaint list", "duty list", "finding list", "games fairness", "hold list", "log show"),
    *("play-time", "reconcile", "report status", "retention show", "retention unclaimed"),
    *("round list", "statement list", "tournament list"),
)
"""Commands that list rows, and write nothing without one of the options below."""

REFUSED = {"--csv", "--data", "--json", "--record"}
"""Options of these commands that write, name another chain, or choose another form."""
ANSWERED = frozenset({0, 1})
"""Exit code 1 is an answer with findings."""
_ELSEWHERE = tuple(f"GAMELEDGER_{name}" for name in ("LOG", "CLICKHOUSE", "KEYS", "WRITERS"))


@dataclass(frozen=True, slots=True)
class CopyReply:
    """What a command wrote about one log; ``fault`` is the reason if it has no answer."""

    log: str
    text: str
    fault: str = ""


def words_of(question: str) -> list[str]:
    """Return the words of a command that may be asked of every copy.

    Raises:
        InputError: the command is no such question, or an option writes.

    """
    try:
        words = shlex.split(question)
    except ValueError as error:
        raise InputError(f"{question} can't be read: {error}") from error
    if not {" ".join(words[:2]), words[0] if words else ""} & {*QUESTIONS}:
        raise InputError(f"{question} is no question to all copies: {', '.join(QUESTIONS)}")
    for word in words:
        if word.partition("=")[0] in REFUSED:
            raise InputError(f"{word} can't stand in a question to all copies")
    return words


def ask_copies(
    folder: MirrorFolder, words: Sequence[str], *, seconds: float
) -> Iterator[CopyReply]:
    """Run a command over each copy, as many at a time as there are processors.

    Args:
        folder: of the mirror.
        words: of the command.
        seconds: after which the answer about one log is given up.

    Yields:
        the reply of each log, ordered by their names.

    """
    origins = [memory.origin for memory in folder.remembered()]

    def ask(origin: str) -> CopyReply:
        command = ("tools.cli", *words, "--data", str(folder.data_of(origin)))
        return _run(origin, command, seconds, ANSWERED)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(ask, origins)


def fill(folder: MirrorFolder, shared: SharedTables, *, seconds: float) -> int:
    """Summarize each copy that has advanced, or was not since midnight, on all processors.

    Rows are stored as they come. A copy that failed the last time comes last, so that others don't
    wait for it; its rows stay, and the reason is stored.

    Args:
        folder: of the mirror.
        shared: the tables over all logs.
        seconds: after which one copy is given up until the next time.

    Returns:
        The number of logs that were summarized.

    """
    filled = shared.filled()
    today = day_of(SystemClock().now())

    def summarize(origin: str) -> bool:
        try:
            signed = folder.signed(origin)
        except LedgerError as error:
            shared.put_fault(origin, str(error))
            return False
        known = filled.get(origin, NOTHING)
        is_done = signed is not None and known.size >= signed.head.size and known.judged == today
        if signed is None or (is_done and not known.reason):
            return False
        command = ("tools.cli._copy_summary", str(folder.data_of(origin)), known.last_day)
        reply = _run(origin, command, seconds)
        if reply.fault:
            shared.put_fault(origin, reply.fault)
            return False
        shared.put(origin, decoder_of(CopySummary).json(reply.text.encode()))
        return True

    origins = [memory.origin for memory in folder.remembered()]
    origins.sort(key=lambda origin: bool(filled.get(origin, NOTHING).reason))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return sum(pool.map(summarize, origins))


def _run(
    origin: str, words: Sequence[str], seconds: float, answered: frozenset[int] = frozenset({0})
) -> CopyReply:
    """Run a program of ours about one log; its module is the first word."""
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            module_command(*words),
            env={name: of for name, of in os.environ.items() if name not in _ELSEWHERE},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return CopyReply(origin, "", f"no answer within {seconds:g} s")
    if done.returncode not in answered:
        return CopyReply(origin, "", _reason(done.stderr.decode(errors="replace")))
    return CopyReply(origin, done.stdout.decode())


def _reason(errors: str) -> str:
    """Return the text of the error with which a command ended."""
    line = errors.strip().rpartition("\n")[2]
    if line.startswith("{"):
        return str(json.loads(line)["text"])
    return line.removeprefix("gameledger: ") or "it was ended"
