"""``account``: the story of one account."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import UNSET, UnsetType

from ledger.core.clock import SystemClock
from projections.facts.masking import masked_facts
from projections.questions.accounts import AccountStory, account_story
from tools.access.questions.accounts import accounts, movements
from tools.cli._answering import answers
from tools.cli._cuts import cut
from tools.cli._facts import in_time
from tools.cli._help import Commands
from tools.cli._hold import print_holds
from tools.cli._options import DATA, Data, FullHashes
from tools.cli._output import (
    clock,
    counted,
    duration,
    echo,
    facts,
    hashed,
    moment,
    money,
    right,
    table,
    wrapped,
)
from tools.cli._project import up_to_date
from tools.cli._questions import command_of
from tools.cli._when import At, Now, position
from tools.data.moments import now_of_question
from tools.data.personal import personal_data

if TYPE_CHECKING:
    from projections.questions.account_movements import AccountMovements
    from projections.questions.accounts import MeasureInForce
    from projections.questions.continuous_play import Sequence

__all__ = ["Account", "app"]

app = Commands("Accounts: list them, show one, its movements.")

MEASURES = {
    "a": "bets of a day",
    "b": "bets of a month",
    "c": "net loss of a day",
    "d": "net loss of a month",
    "e": "logins of a month",
    "f": "minutes of login a day",
    "g": "minutes of pause after logout",
}
MONEY_MEASURES = "abcd"


app.command("list")(command_of(accounts))


def _print_sums(found: AccountMovements) -> None:
    lines = ("opening", "credits", "debits", "closing")
    facts([(name, money(getattr(found, name))) for name in lines])


app.command("movements")(command_of(movements, footer=_print_sums))


@dataclass(frozen=True, slots=True)
class Account:
    """An account; ``personal`` is there when it was asked for."""

    account: AccountStory
    personal: dict[str, str] | UnsetType = UNSET


def _show_story(found: Account, *, full_hashes: FullHashes = False) -> None:
    story = found.account
    held = story.balance
    play = story.sequence
    echo(f"Account {story.account}", style="bold")
    facts(
        [
            ("status", f"{story.status}, {story.regime}"),
            ("opened", f"{moment(story.opened_at)} in Prague"),
            ("person", story.person),
            *((field.replace("_", " "), text) for field, text in (found.personal or {}).items()),
            ("wallet", f"{money(held.wallet)} CZK"),
            ("chips, in play", f"{money(held.reserved)} CZK, {money(held.in_play)} CZK"),
            ("withdrawals", f"{money(held.withdrawals)} CZK asked for"),
            *([("owed", f"{money(held.claims)} CZK to the operator")] if held.claims else []),
            ("register", _register(story)),
            (
                "continuous play",
                _play(play, runs=story.sequence_runs) if play else "none",
            ),
            ("as of", f"position {story.position}, {moment(story.recorded_at)} in Prague"),
        ]
    )
    print_holds(story.holds)
    if story.blocks:
        table(
            ("block", "ground", "since (Prague)", "until"),
            [
                (one.kind, one.ground, moment(one.since), moment(one.until) if one.until else "")
                for one in story.blocks
            ],
        )
    table(
        ("measure", right("value"), right("next"), "from"),
        [_measure(one) for one in story.measures],
        nothing="No measure is set or declined.",
    )
    table(
        ("session", "mode", "from (Prague)", "to", "ended by"),
        [
            (
                one.session,
                one.mode,
                moment(one.began_at),
                clock(one.ended_at, after=one.began_at) if one.ended_at else "",
                one.cause or "",
            )
            for one in story.sessions
        ],
        nothing="Nobody has logged in.",
    )
    table(
        (
            "position",
            "time (Prague)",
            "bet or round",
            wrapped("fact"),
            *(["hash"] if full_hashes else ()),
        ),
        [
            (
                fact.position,
                moment(fact.recorded_at),
                fact.facts.get("bet") or fact.facts.get("round", ""),
                in_time(fact),
                *([hashed(fact.hash, full=True)] if full_hashes else ()),
            )
            for fact in story.facts
        ],
    )


@app.command()
@answers(_show_story)
def show(
    *,
    name: Annotated[str, typer.Argument(metavar="ACCOUNT", help="Account.")],
    personal: Annotated[
        bool,
        typer.Option("--personal", help="Open personal data with the key of the person."),
    ] = False,
    last: Annotated[
        int,
        typer.Option("--limit", "--last", min=1, max=10_000, help="How many facts and sessions."),
    ] = 20,
    at: At = None,
    now: Now = None,
    data: Data = DATA,
) -> Account:
    """Show an account: status, money, measures, blocks, play, and its last facts.

    Personal data stays sealed unless `--personal` asks for it. Other participants are numbers,
    so that it can be given to whom it concerns; `round replay` names them.

    Example: `gameledger account show a-0001 --limit 50`
    """
    with up_to_date(data) as (store, log):
        size = position(log, at, size=store.position)
        asked_at = now_of_question(SystemClock(), at, now)
        story = account_story(store, log, name, at=size, now=asked_at, facts=last + 1)
        if max(len(story.facts), len(story.sessions)) > last:
            cut(f"the last {last} facts and sessions are shown: --limit, --at")
            story = replace(story, facts=story.facts[-last:], sessions=story.sessions[-last:])
        story = masked_facts(story, story.facts, name)
        if not personal:
            return Account(story)
        with closing(data.keys()) as keys:
            return Account(story, personal_data(log, keys, name, before=story.position))


def _play(play: Sequence, *, runs: bool) -> str:
    bets = counted(play.bets, "bet")
    said = f"{duration(play.length)} from {moment(play.started_at)}, {bets}"
    return said if runs else f"{said}, over"


def _register(story: AccountStory) -> str:
    known = story.register
    if known is None:
        return "never asked"
    away = "" if known.live else ", the register was away"
    return f"{known.answer} ({known.occasion}, {moment(known.asked_at)}{away})"


def _measure(measure: MeasureInForce) -> tuple[str, ...]:
    def value(amount: int | None) -> str:
        if amount is None:
            return "declined"
        return f"{money(amount)} CZK" if measure.measure in MONEY_MEASURES else str(amount)

    waits = measure.next_at is not None
    return (
        f"{measure.measure}  {MEASURES[measure.measure]}",
        value(measure.value),
        value(measure.next_value) if waits else "",
        moment(measure.next_at) if measure.next_at is not None else "",
    )
