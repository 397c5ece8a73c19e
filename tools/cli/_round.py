"""``round``: list rounds and replay one, fact by fact."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from projections.facts.masking import accounts_in, masked_facts
from projections.facts.rendering import TERMINAL
from projections.replay.from_log import replay as replay_round
from projections.replay.round import Replay
from projections.words.names import bet
from projections.words.phrases import render_recorded
from tools.access.questions.rounds import rounds
from tools.cli._answering import answers
from tools.cli._facts import in_time
from tools.cli._findings import findings_table
from tools.cli._hand import print_hand
from tools.cli._help import Commands
from tools.cli._hold import print_holds
from tools.cli._options import DATA, Data, For, FullHashes, require_part
from tools.cli._output import (
    clock,
    counted,
    echo,
    facts,
    hashed,
    moment,
    money,
    table,
    wrapped,
)
from tools.cli._questions import command_of
from tools.cli._when import At, position
from tools.cli._why import print_explanation
from tools.data import DataDirectory

if TYPE_CHECKING:
    from projections.facts.facts import Fact
    from projections.replay.in_chips import InChips
    from projections.replay.round import Hand, Wager
    from tools.data.moments import AsOfPoint

__all__ = ["app"]

app = Commands("Rounds: list them, show or replay one.")

FOUND = 1
SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", "": "?"}


app.command("list")(command_of(rounds))


def _print_heading(found: Replay) -> None:
    line = found.round
    echo(f"Round {line.round}", style="bold")
    facts(
        [
            ("game", f"{line.game}, plan version {line.plan_version}"),
            ("table", f"{line.table}{', streamed' if line.streamed else ''}"),
            ("opened", f"{moment(line.opened_at)} in Prague"),
            ("status", line.status),
            ("result", line.wording or "none"),
            ("house", f"{money(line.stakes)} staked, {money(line.paid)} paid, CZK"),
            *(("in chips", _in_chips(one)) for one in found.in_chips),
            ("as of", f"position {found.position}, head {found.head}"),
        ]
    )


def _show_replay(found: Replay, *, full_hashes: FullHashes = False) -> None:
    _print_heading(found)
    print_holds(found.holds)
    table(
        ("position", "time", "bet", wrapped("fact"), "hash"),
        [
            (
                fact.position,
                clock(fact.recorded_at, after=found.round.opened_at),
                _short(found.round.round, fact.facts.get("bet", "")),
                in_time(fact),
                hashed(fact.hash, full=full_hashes),
            )
            for fact in found.facts
        ],
    )
    if found.among_players is not None:
        print_hand(found.among_players)
    if found.hands:
        echo("Hands", style="bold")
        table(("hand", "cards", wrapped("worth")), [_hand(hand) for hand in found.hands])
    if found.decisions:
        echo("Decisions", style="bold")
        table(
            ("time", wrapped("decision")),
            [
                (clock(one.recorded_at, after=found.round.opened_at), in_time(one))
                for one in found.decisions
            ],
        )
    _print_bets(found)
    if found.refusals:
        echo("Refused", style="bold")
        table(
            ("time", "account", "code", wrapped("why")),
            [
                (
                    clock(fact.recorded_at, after=found.round.opened_at),
                    fact.facts.get("account", ""),
                    fact.facts["code"],
                    in_time(fact, f"{_why(fact)} ({fact.facts['paragraph']})"),
                )
                for fact in found.refusals
            ],
        )
    _print_verdict(found)


def _show_outcome(found: Replay) -> None:
    """Print what became of a round, without its facts."""
    _print_heading(found)
    if found.among_players is not None:
        print_hand(found.among_players)
    _print_bets(found)
    if found.refusals:
        echo(f"{counted(len(found.refusals), 'bet')} refused: `gameledger round replay` says why.")
    _print_verdict(found)


def _end(found: Replay) -> int:
    return FOUND if found.findings else 0


@app.command()
@answers(_show_outcome, end=_end)
def show(
    *,
    round_name: Annotated[str, typer.Argument(metavar="ROUND", help="Round.")],
    meant_for: For = "",
    at: At = None,
    data: Data = DATA,
) -> Replay:
    """Show a round in short: result, bets and what is due on them; `round replay` has every fact.

    Exit code 1 when what was paid is not what is due.

    Example: `gameledger round show evo-1-00042`
    """
    return _replayed(round_name, meant_for, at, data)


@app.command()
@answers(_show_replay, end=_end)
def replay(
    *,
    round_name: Annotated[str, typer.Argument(metavar="ROUND", help="Round.")],
    meant_for: For = "",
    at: At = None,
    data: Data = DATA,
) -> Replay:
    """Show every fact of a round in order, and settle it again.

    What happened more than 50 ms before its record says when, and on which side of the close.
    Exit code 1 when what was paid is not what is due.

    Example: `gameledger round replay evo-1-00042 --for a-0028 --full-hashes`
    """
    return _replayed(round_name, meant_for, at, data)


def _replayed(round_name: str, meant_for: str, at: AsOfPoint | None, data: DataDirectory) -> Replay:
    with closing(data.read()) as log:
        found = replay_round(log, round_name, at=position(log, at, size=log.head().size))
    if not meant_for:
        return found
    require_part(meant_for, accounts_in(found.facts), round_name)
    return masked_facts(found, found.facts, meant_for)


def _why(refused: Fact) -> str:
    return render_recorded(TERMINAL, refused.facts["code"], refused.facts["parameters"])


def _print_bets(found: Replay) -> None:
    line = found.round
    if found.wagers:
        echo("Bets, settled again", style="bold")
        columns = (
            "bet",
            "account",
            wrapped("selection"),
            "status",
            "stake CZK",
            "due",
            "due again",
        )
        table(
            (*columns, "paid", wrapped("rule")),
            [_wager(line.round, one) for one in found.wagers],
        )
        print_explanation((_named(line.round, one), one.explanation) for one in found.wagers)


def _print_verdict(found: Replay) -> None:
    if found.findings:
        echo("Findings", style="bold red")
        findings_table(found.findings)
    elif found.round.status == "settled":
        _print_due(found)
    if found.in_chips:
        echo("Bets in chips are not settled again: what is due on them is not known.")


def _in_chips(sums: InChips) -> str:
    stakes, paid = money(sums.stakes), money(sums.paid)
    return f"{counted(sums.bets, 'bet')} apart: {stakes} staked, {paid} paid, {sums.currency}"


def _print_due(found: Replay) -> None:
    if not found.in_chips:
        echo("What was paid is what is due.", style="green")
    elif found.wagers or found.among_players is not None:
        echo("What was paid on bets of accounts is what is due.", style="green")


def _short(round_name: str, bet: str) -> str:
    """Return the part of a bet's name behind its round."""
    return bet.removeprefix(f"{round_name}-")


def _wager(round_name: str, wager: Wager) -> tuple[object, ...]:
    return (
        _short(round_name, wager.bet),
        wager.account,
        wager.wording,
        (wager.result or wager.status).replace("_", " "),
        money(wager.stake),
        *("" if amount is None else money(amount) for amount in _amounts(wager)),
        wager.rule_again or wager.rule or "",
    )


def _named(round_name: str, wager: Wager) -> str:
    is_additional = bool(wager.parent)
    chips = bet(TERMINAL, wager.bet_code, wager.selection, additional=is_additional)
    return f"{_short(round_name, wager.bet)}, {wager.account}, {chips}"


def _hand(hand: Hand) -> tuple[object, ...]:
    """Write cards with their suits as signs; an unseen one is a question mark."""
    cards = " ".join(card[:-1].replace("T", "10") + SUITS[card[-1:]] for card in hand.cards)
    return hand.name, cards, hand.words


def _amounts(wager: Wager) -> tuple[int | None, ...]:
    return wager.due, wager.due_again, wager.paid_now
