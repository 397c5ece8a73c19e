"""Print a hand among players on the terminal, as part of ``round replay``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.cli._output import echo, facts, money, right, table, wrapped
from tools.cli._why import print_explanation

if TYPE_CHECKING:
    from projections.replay.hand import HandReplay, PlayerLine

__all__ = ["print_hand"]


def print_hand(hand: HandReplay) -> None:
    """Print cards, streets, pots or points, and the rake; recorded next to recomputed values."""
    unit = "chips" if hand.tournament else "CZK"
    echo(f"Hand, in {unit}", style="bold")
    rows = [("board", " ".join(hand.board) or "none"), ("fee", hand.fee)]
    if hand.tournament:
        rows.append(("tournament", hand.tournament))
    if hand.big_blind:
        rows.append(("blinds", f"{money(hand.small_blind)}, {money(hand.big_blind)}"))
    if hand.rake is not None and hand.rake_due is not None:
        again = "" if hand.rake_again is None else f", due again {money(hand.rake_again)}"
        rows.append(("rake", f"{money(hand.rake)}, due {money(hand.rake_due)}{again}"))
    rows += [("uncalled", f"{name} {money(back)}") for name, back in hand.uncalled]
    facts([*rows, ("rule", hand.rule or "none yet")])
    columns = (right("seat"), "account", wrapped("cards"), "stake", "due", "due again", "paid")
    table(columns, [_player(player) for player in hand.players])
    table(
        ("street", "cards", wrapped("actions")),
        [(one.street, " ".join(one.cards), ", ".join(one.actions)) for one in hand.streets],
    )
    if hand.pots:
        table(
            (
                "pot",
                "amount",
                "rake",
                wrapped("open to"),
                wrapped("won by"),
                wrapped("won again by"),
            ),
            [
                (
                    pot.pot,
                    money(pot.amount),
                    money(pot.rake),
                    ", ".join(pot.eligible),
                    ", ".join(pot.winners),
                    "" if pot.winners_again is None else ", ".join(pot.winners_again),
                )
                for pot in hand.pots
            ],
        )
    if hand.pairs:
        table(
            ("pair", right("points"), right("again"), "paid to the first"),
            [
                (
                    pair.pair.replace("|", " against "),
                    f"{pair.points:+d}",
                    "" if pair.points_again is None else f"{pair.points_again:+d}",
                    money(pair.amount, sign=True),
                )
                for pair in hand.pairs
            ],
        )
    print_explanation(
        ((player.account, player.explanation) for player in hand.players),
        in_chips=bool(hand.tournament),
    )


def _player(player: PlayerLine) -> tuple[object, ...]:
    cards = "; ".join(player.rows) or " ".join(card or "??" for card in player.cards)
    return (
        f"{player.seat}{' button' if player.is_button else ''}",
        player.account,
        cards,
        money(player.stake),
        *("" if one is None else money(one) for one in (player.due, player.due_again, player.paid)),
    )
