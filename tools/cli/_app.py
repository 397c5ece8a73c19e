"""The command-line program: its table of commands, common options, and error handling."""

from __future__ import annotations

import errno
import importlib
import os
import sys
import traceback
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ledger.core.errors import AvailabilityError, InputError, LedgerError
from ledger.core.phrases import Phrase
from tools.cli._cuts import UNREAD, warn_of_cuts
from tools.cli._help import Commands, PlainGroup
from tools.cli._interrupted import INTERRUPTED, end_interrupted, ending_if_interrupted
from tools.cli._options import Settings, settings_of
from tools.garbage import end_at_once
from tools.sanitize import escape_controls, guard_streams, json_line

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["COMPLETE", "Group", "app", "commands", "main"]

WRONG_PATHS = {
    errno.EEXIST,
    errno.EISDIR,
    errno.EINVAL,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOENT,
    errno.ENOTDIR,
}
"""What the path is to blame for, and not the disk."""
IN_THE_WAY = WRONG_PATHS - {errno.EINVAL, errno.ENOENT}
"""Of these, what no repeat changes, such as a file that stands where a folder should be made."""

EPILOG = """Exit codes: 0 done, 1 findings or an unexpected error, 2 input, 3 integrity,
4 availability (a repeat is safe), 5 not allowed, 6 fenced (another writer took over),
130 interrupted, 141 the answer was not read to its end."""


class _Entry(NamedTuple):
    """The function of a command, and its help in one line."""

    function: str
    help: str
    panel: str


COMPLETE = "_GAMELEDGER_COMPLETE"
"""Set by the script of a shell that asks for completions."""

WRITE, READ, CHECK, MORE = "Write", "Ask", "Check and keep", "Try and measure"
COMMANDS = {
    "init": _Entry("_record:init", "Begin a chain in the data directory.", WRITE),
    "record": _Entry("_record:record", "Decide commands: JSON lines in, receipts out.", WRITE),
    "writer": _Entry("_writer:writer", "Decide commands as a service, with a standby.", WRITE),
    "feed": _Entry("_feed:feed", "Take a provider's webhooks as commands.", WRITE),
    "serve": _Entry("_serve:serve", "Serve the chain read-only, to browsers and programs.", READ),
    "reader": _Entry("_reader:app", "Readers of the service: add, list, renew, revoke.", WRITE),
    "access": _Entry("_reader:access_app", "Accesses: report, record, begin, grants.", CHECK),
    "person": _Entry("_person:app", "Personal data: erase.", WRITE),
    "hold": _Entry("_hold:app", "Legal holds: place, end, list.", WRITE),
    "retention": _Entry(
        "_retention:app", "What is due: data to erase, carried out; unclaimed money.", WRITE
    ),
    "suspicion": _Entry(
        "_suspicion:app", "Reports of suspicion in a chain apart: list, commit, verify.", CHECK
    ),
    "keys": _Entry("_keys:app", "Keys: check, back up, restore, rotate.", CHECK),
    "balance": _Entry("_money:balance", "The balance of an account, now or earlier.", READ),
    "balances": _Entry("_money:balances", "The balances of all accounts.", READ),
    "play-time": _Entry("_play:play_time", "Continuous play, and what broke its rule.", READ),
    "statement": _Entry(
        "_statement_issuers:app",
        "Statements of banks and providers: check, import, fetch, list, show, matched, rules.",
        WRITE,
    ),
    "books": _Entry("_books:app", "Books: day, month, trial, tax, check.", READ),
    "watch": _Entry("_watch:watch", "Follow the log and tell alarms as they arise.", CHECK),
    "reconcile": _Entry("_reconcile:reconcile", "Money recorded against money due.", CHECK),
    "finding": _Entry(
        "_finding_write_off:app",
        "Findings: list, show, assign, explain, comment, close, reopen, write off.",
        CHECK,
    ),
    "report": _Entry("_report:app", "The regulator's packages.", CHECK),
    "round": _Entry("_round:app", "Rounds: list, show, replay.", READ),
    "bet": _Entry("_bet:app", "Bets: list.", READ),
    "tournament": _Entry("_tournament:app", "Tournaments: list, show.", READ),
    "account": _Entry("_account:app", "Accounts: list, show.", READ),
    "complaint": _Entry("_complaint:app", "Complaints and objections: list, show.", READ),
    "duty": _Entry("_duty:app", "Open duties with their last day: list.", READ),
    "rules": _Entry("_rules:app", "An operator's rules of operation: show.", READ),
    "plan": _Entry("_plan:app", "An operator's own game plans: check, publish.", WRITE),
    "games": _Entry(
        "_games:app", "Game plans in words: list, show, edge; fairness of results.", READ
    ),
    "settle": _Entry("_games:settle", "Settle rounds without a ledger: JSON lines.", READ),
    "log": _Entry("_log:app", "The chain: show, verify, checkpoint, status, export, copy.", CHECK),
    "schema": _Entry("_schema:app", "Schemas of events, answers and HTTP APIs.", READ),
    "evidence": _Entry("_evidence:app", "Evidence that stands alone: make, verify.", CHECK),
    "witness": _Entry("_witness:app", "Watch logs of others and cosign them.", CHECK),
    "mirror": _Entry("_mirror:app", "Hold logs of others, verified, and sign them.", CHECK),
    "project": _Entry("_project:project", "Bring the projection up to date.", CHECK),
    "rebuild": _Entry("_project:rebuild", "Rebuild the projection from the log.", CHECK),
    "tables": _Entry("_tables:app", "Tables on servers: compare, back up, restore.", CHECK),
    "simulate": _Entry("_simulate:simulate", "Play a simulated evening into a new chain.", MORE),
    "demo": _Entry("_demo:demo", "A simulated evening with a report of it.", MORE),
    "practice-certificates": _Entry(
        "_writer:practice_certificates", "Make certificates to practise TLS with.", MORE
    ),
    "completion": _Entry(
        "_completion:completion", "Script for completion in bash, zsh or fish.", MORE
    ),
}
"""Every command in the order of the help."""


LIKE_MIN = 0.8
"""How like a word has to be to a command where another group has just that word."""


class Group(PlainGroup):
    """Import the module of a command only when the command is called."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - as the base class calls it
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - the same
        """Return a stub of a command for the help, without importing anything."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        stub = Commands()
        stub.command(cmd_name, help=entry.help, rich_help_panel=entry.panel)(_nothing)
        return typer.main.get_command(stub)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command itself; the list of names serves suggestions for a mistyped name."""
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]
        name, stub, rest = super().resolve_command(ctx, args)
        if stub is None or name is None:
            return name, stub, rest
        with ending_if_interrupted():
            return name, _load(name), rest

    def step_for(self, ctx: Any, typed: str, like: list[str]) -> str:  # noqa: ARG002 - of groups
        """Name the commands of groups that are called like a word, or else the help."""
        found = [name for name, _ in commands() if typed in name.split()[1:]]
        if found:
            found = [*get_close_matches(typed, like, cutoff=LIKE_MIN), *found]
            return f"Did you mean {', '.join(map(repr, found))}?"
        return "" if like else "`gameledger --help` lists the commands."


def _nothing() -> None:
    """Placeholder for a command in the help."""


def _load(name: str) -> Any:
    module_name, _, attribute = COMMANDS[name].function.partition(":")
    found = getattr(importlib.import_module(f"tools.cli.{module_name}"), attribute)
    if not isinstance(found, typer.Typer):
        function, found = found, Commands(no_args_is_help=False)
        found.command(name, cls=getattr(function, "command_class", None))(function)
    command = typer.main.get_command(found)
    command.name = name
    return command


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command with its words, those of groups one by one."""
    for name in COMMANDS:
        command = _load(name)
        parts = getattr(command, "commands", None)
        yield from (
            ((f"{name} {part}", one) for part, one in parts.items()) if parts else [(name, command)]
        )


def _print_version(wanted: bool) -> None:
    if wanted:
        from ledger.core.version import VERSION, commit
        from ledger.verification.self_description import FORMAT_VERSION

        print(f"gameledger {VERSION} (log format {FORMAT_VERSION}, {commit() or 'development'})")
        raise typer.Exit


app = Commands(cls=Group, pretty_exceptions_enable=False, epilog=EPILOG)


@app.callback()
def program(
    ctx: typer.Context,
    *,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Data directory, for every command.  [GAMELEDGER_DATA]"),
    ] = None,
    log: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Keep the log on Kafka: kafka://HOST:PORT/TOPIC.  [GAMELEDGER_LOG]"
        ),
    ] = None,
    clickhouse: Annotated[
        str | None,
        typer.Option(
            metavar="URL,…",
            help="Keep the tables on a server: clickhouse://USER@HOST:8123/DATABASE; a reader "
            "may name several.  [GAMELEDGER_CLICKHOUSE]",
        ),
    ] = None,
    keys: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of the keys; in the data directory by default.  [GAMELEDGER_KEYS]",
        ),
    ] = None,
    writers: Annotated[
        str | None,
        typer.Option(
            metavar="URL,…",
            help="Write through `gameledger writer` at https://HOST:PORT,… or unix:/PATH.  "
            "[GAMELEDGER_WRITERS]",
        ),
    ] = None,
    tls_ca: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Who vouches for the writers, or for the clients of a writer: certificates in "
            "PEM.  [GAMELEDGER_TLS_CA]",
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Our own certificate.  [GAMELEDGER_TLS_CERT]"),
    ] = None,
    tls_key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Its private key, mode 600.  [GAMELEDGER_TLS_KEY]"),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Who we are towards a writer without TLS; mode 600.  [GAMELEDGER_TOKEN_FILE]",
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Name by which a proxy on this machine asks our ports.  [GAMELEDGER_ALLOW_HOSTS]",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False,
    version: Annotated[  # noqa: ARG001 - its callback ends the program
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=_print_version,
            help="Print version, format of the log and commit.",
        ),
    ] = False,
) -> None:
    """Event-sourced regulatory ledger for live-dealer games.

    Begin with `gameledger demo`, or with `gameledger init` and `gameledger record --help`.
    """
    settings = settings_of(ctx)
    places = {
        "LOG": log,
        "CLICKHOUSE": clickhouse,
        "KEYS": keys,
        "WRITERS": writers,
        "TLS_CA": tls_ca,
        "TLS_CERT": tls_cert,
        "TLS_KEY": tls_key,
        "TOKEN_FILE": token_file,
        "ALLOW_HOSTS": ",".join(allow_host) if allow_host else None,
    }
    given = {f"GAMELEDGER_{name}": str(one) for name, one in places.items() if one is not None}
    settings.environment |= given
    settings.data = None if data is None else str(data)
    settings.as_json = settings.as_json or as_json


def main() -> None:
    """Run the program; errors are printed in a sentence, never as a traceback."""
    settings = Settings(as_json=bool(os.environ.get("GAMELEDGER_JSON")))
    try:
        end_at_once()
        guard_streams()
        try:
            _run(settings)
        finally:
            _flush()
            warn_of_cuts()
    except (SystemExit, KeyboardInterrupt) as end:
        if isinstance(end.__context__, BrokenPipeError):  # typer has told it from other errors
            sys.exit(UNREAD)
        if isinstance(end, SystemExit) and end.code != INTERRUPTED:
            raise
        end_interrupted()
    except BrokenPipeError:  # whoever read the answer has enough of it
        _discard_unwritten_output()
        sys.exit(UNREAD)
    except Exception as error:
        if os.environ.get("GAMELEDGER_TRACEBACK"):
            raise
        ours = _classified(error) if isinstance(error, LedgerError) else _converted(error)
        _explain(ours, as_json=settings.as_json)
        _discard_unwritten_output()
        sys.exit(ours.exit_code)


def _run(settings: Settings) -> None:
    if COMPLETE in os.environ:
        from typer._completion_classes import completion_init

        completion_init()
    app(prog_name="gameledger", obj=settings)


def _classified(error: LedgerError) -> LedgerError:
    """Return an error that a repeat does not help as one of input."""
    cause = error.__cause__ if isinstance(error, AvailabilityError) else None
    if isinstance(cause, OSError) and cause.errno in IN_THE_WAY:
        return InputError(f"{error}; name another place")
    return error


def _converted(error: Exception) -> LedgerError:
    """Convert Python's errors of files, disks and packages to ours; all others are bugs."""
    if isinstance(error, RuntimeError) and isinstance(error.__context__, OSError):
        error = error.__context__  # pathlib's error of links that lead to each other
    if isinstance(error, ModuleNotFoundError):
        from ledger.core.extras import EXTRAS, MissingExtraError

        module = (error.name or "").partition(".")[0]
        if module in EXTRAS:
            return MissingExtraError(module)
    place = traceback.extract_tb(error.__traceback__)[-1]
    if isinstance(error, OSError) and error.strerror:
        what = str(error.filename) if error.filename else "the answer or a file"
        if error.errno in WRONG_PATHS:
            return InputError(f"{what} can't be used: {error.strerror}; name another place")
        return AvailabilityError(
            f"{what} can't be read or written: {error.strerror}; make it possible and repeat"
        )
    return LedgerError(
        f"unexpected: {type(error).__name__} in {Path(place.filename).name}, line {place.lineno}: "
        f"{error}. This is a fault of the program; GAMELEDGER_TRACEBACK=1 shows where"
    )


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()


def _discard_unwritten_output() -> None:
    """Suppress Python's error at exit about output that can't be written."""
    try:
        _flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


NAMED_BY = {
    "ACCOUNT_UNKNOWN": "gameledger account list",
    "DEALER_UNKNOWN": "gameledger games fairness",
    "DEVICE_UNKNOWN": "gameledger games fairness",
    "ROUND_UNKNOWN": "gameledger round list",
    "SHOE_UNKNOWN": "gameledger log show --type ShoeLoaded",
    "TABLE_UNKNOWN": "gameledger log show --type TableOpened",
    "TOURNAMENT_UNKNOWN": "gameledger tournament list",
}
"""The command that lists the names of a kind, by the refusal of one that is unknown."""


def _next_step(error: LedgerError) -> list[str]:
    codes = [one.code for one in error.args if isinstance(one, Phrase)]
    return [NAMED_BY[code] for code in codes if code in NAMED_BY]


def _explain(error: LedgerError, *, as_json: bool) -> None:
    position = getattr(error, "position", None)
    commands = getattr(error, "__notes__", []) or _next_step(error)
    if as_json:
        document: dict[str, object] = {"error": type(error).__name__, "text": str(error)}
        if position is not None:
            document["position"] = position
        if commands:
            document["commands"] = commands
        print(json_line(document), file=sys.stderr)
    else:
        place = "" if position is None else f" (position {position})"
        for line in (f"gameledger: {error.in_words}{place}: {error}", *commands):
            print(escape_controls(line), file=sys.stderr)
