"""The reference page of the games, written from the plan files (``docs/games.md``)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ledger import games
from tools.plans.rows import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tools.plans.rows import PlanFile

__all__ = ["games_page"]

HEAD = """\
# Games

Generated from the plan files in `ledger/games/plan_data/`. For each game: where its rules come
from, what can be bet, the rules in force, and every place where the source is unclear or
contradicts itself, with the reading that is settled by.

`gameledger games show GAME` prints the same for one game and any of its plan versions,
`gameledger games edge GAME` what each bet costs on average.

## Settling without a ledger

`gameledger settle < requests.jsonl > answers.jsonl` answers each line with one line, a bad request
with an error and its code. Nothing is recorded. Amounts are CZK with two decimals, cards a rank
(`23456789TJQKA`) and a suit (`CDHS`). This request

```json
{request}
```

is answered by

```json
{answer}
```

## Another reading

A reading that ends with a key is a switch: *decided by* shows it with its value. A regulator who
reads the place otherwise gets a new version of the plan, a file `<game>@<day in force>.toml` with
the other value. Rounds keep the version under which they were opened, so nothing that is settled
changes. A place without a key has the reading in its code, and the text says why.

## What holds for all games
"""


COMMON = (
    (
        "Rounding of winnings",
        (
            "Counted exactly, rounded half up to the haléř, once per line; the stake is "
            "never rounded. No banker game states a rule."
        ),
    ),
    (
        "Half of a stake for insurance",
        "Rounded down to the haléř: more than half would not be half.",
    ),
    (
        "Rake",
        "Rounded down to whole crowns.",
    ),
    (
        "Fee and prizes of a tournament",
        "Rounded down to the haléř; the first place takes the rest.",
    ),
    (
        "Odds X:1",
        "The stake comes back and X times the stake on top.",
    ),
    (
        "Currency",
        "CZK. The Free Bet document names none.",
    ),
    (
        "Several mistakes in one record",
        (
            "The first is named: form, game, wagers one by one, limits, void reason, "
            "outcome and cards, actions in their order, missing actions, cards against "
            "actions, the dealer's drawing. A card that only the actions ask for is missed "
            "behind them, before cards that do not fit and before the dealer's drawing."
        ),
    ),
    (
        "Several limits passed in a roulette, at a wheel or in baccarat",
        (
            "The first wager to pass one is named; of its own limits the minimum, the maximum, "
            "the player's total, in this order."
        ),
    ),
    (
        "Fields that a game or a bet has no use for",
        (
            "Not read, if their type is right: `chip` anywhere but on an even chance of Czech "
            "Casinos, `selection` of a game without selections. A roulette bet that leaves no "
            "choice refuses a `selection`, a basket any but its own four numbers."
        ),
    ),
    (
        "Nobody's chips play: all are void, late or gone before the close",
        "Number, field and cards may be missing.",
    ),
    (
        "Chips after the close of bets",
        "Never a bet (refused); two land-based roulettes return them as void.",
    ),
    (
        "Connection lost before the close (streamed games)",
        "All chips of the player come back and count for no limit.",
    ),
    (
        "Connection lost after the close",
        "No effect; open actions are taken automatically where the plan says so.",
    ),
    (
        "A round that can be reconstructed",
        "Is played on, never void.",
    ),
    (
        "Highest wins named in a plan",
        "No cap on payouts.",
    ),
)
EXAMPLE = {
    "id": "r1",
    "game": "sazka.blackjack_synot",
    "wagers": [{"id": "w1", "player": "p1", "box": "1", "bet": "main", "stake": "100.00"}],
    "actions": [{"player": "p1", "hand": "1", "type": "double"}],
    "outcome": {"hands": {"1": ["5S", "6D", "TC"]}, "dealer": ["KC", "AD"]},
}


def games_page() -> str:
    """Write the page."""
    opened = [load(game) for game in games.games()]
    answer = json.dumps(games.settle(EXAMPLE), indent=2)
    head = HEAD.replace("{request}", json.dumps(EXAMPLE)).replace("{answer}", answer)
    lines = [head, *_table(("question", "reading")), *map(_row, COMMON)]
    lines += ["", "## The games", "", *_table(("game", "name", "version", "source"))]
    lines += (_row(_entry(plan)) for plan in opened)
    for plan in opened:
        lines += _game(plan)
    return "\n".join(lines) + "\n"


def _entry(plan: PlanFile) -> tuple[str, str, str, str]:
    header = plan.header
    anchor = header.game.replace(".", "")
    return f"[`{header.game}`](#{anchor})", header.name, header.version, header.source


def _game(plan: PlanFile) -> Iterator[str]:
    """Write the section of one game."""
    header = plan.header
    yield from ("", f"## {header.game}", "", f"{header.name}. Version {header.version}.", "")
    yield f"Source: {header.source}. Settled by: {header.rule_settled}."
    bets = plan.bets()
    if bets:
        heads = ("bet", "pays", "minimum CZK", "maximum CZK", "made of", "paragraph")
        yield from ("", "### Bets", "", *_table(heads), *map(_row, bets))
    rules = [(f"`{key}`", value, note) for key, value, note in plan.rules()]
    yield from ("", "### Rules in force", "", *_table(("key", "value", "source")))
    yield from map(_row, rules)
    if plan.payouts():
        yield from ("", "The payout table is printed by `gameledger games show`.")
    reasons = [(f"`{reason}`", rule) for reason, rule in header.void_reasons.items()]
    if reasons:
        yield from ("", "### Stakes come back", "", *_table(("reason", "paragraph")))
        yield from map(_row, reasons)
    columns = ("paragraph", "unclear", "read as", "decided by")
    yield from ("", "### Readings", "", *_table(columns), *map(_row, plan.readings()))


def _table(heads: Iterable[str]) -> tuple[str, str]:
    cells = tuple(heads)
    return _row(cells), "|" + "---|" * len(cells)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
