"""Published house edges, each for exactly this bet, pay table and number of decks.

A bet without a known published value has none here: a value for other odds would prove nothing.
"""

from __future__ import annotations

__all__ = ["published"]

_ROULETTE = ("2.70", "Wizard of Odds, Roulette, single zero")
_LA_PARTAGE = ("1.35", "Wizard of Odds, Roulette, half back on zero")
_BACCARAT = "Wizard of Odds, Baccarat, 8 decks"
_EVOLUTION = "Evolution, game information, return to player"
_INSURANCE = "Wizard of Odds, Blackjack, insurance"
_EVEN_CHANCES = ("red", "black", "odd", "even", "low", "high")
_ROULETTES = (
    "sazka.roulette_synot",
    "sazka.roulette_evolution",
    "69games.roulette",
    "czech_casinos.american_roulette",
)

_FIGURES = {
    ("baccarat.commission", "banker"): ("1.06", _BACCARAT),
    ("baccarat.commission", "player"): ("1.24", _BACCARAT),
    ("baccarat.commission", "tie"): ("14.36", _BACCARAT),
    ("baccarat.commission", "player_pair"): ("10.36", _BACCARAT),
    ("baccarat.commission", "banker_pair"): ("10.36", _BACCARAT),
    ("baccarat.commission", "any_pair"): ("13.71", _BACCARAT),
    ("baccarat.commission", "big"): ("4.35", _BACCARAT),
    ("sazka.blackjack_evolution", "21+3"): ("3.70", _EVOLUTION),
    ("sazka.blackjack_evolution", "perfect_pairs"): ("4.10", _EVOLUTION),
    ("sazka.infinite_blackjack", "21+3"): ("3.70", _EVOLUTION),
    ("sazka.infinite_blackjack", "perfect_pairs"): ("4.10", _EVOLUTION),
    ("sazka.infinite_blackjack", "bust_it"): ("5.88", _EVOLUTION),
    ("69games.blackjack", "insurance"): ("7.40", _INSURANCE),
    ("sl.free_bet_blackjack", "insurance"): ("7.40", _INSURANCE),
    **{
        (f"sazka.{game}", "insurance"): ("7.47", _INSURANCE)
        for game in (
            "blackjack_synot",
            "all_bets_blackjack",
            "infinite_blackjack",
            "blackjack_evolution",
        )
    },
    ("sazka.casino_holdem", "aa"): ("6.26", "Wizard of Odds, Casino Hold'em, AA bonus"),
    ("69games.ultimate_texas_holdem", "trips"): (
        "3.50",
        "Wizard of Odds, Ultimate Texas Hold'em, Trips 50-40-30-8-7-4-3",
    ),
    **{
        (game, bet): _ROULETTE
        for game in _ROULETTES
        for bet in ("straight", "split", "street", "corner", "sixline", "dozen", "column")
    },
    **{(game, bet): _ROULETTE for game in _ROULETTES[:-1] for bet in _EVEN_CHANCES},
    **{(_ROULETTES[-1], bet): _LA_PARTAGE for bet in _EVEN_CHANCES},
}


def published(game: str, bet: str) -> tuple[str | None, str]:
    """Return the published percentage and its source; None and an empty text if unknown."""
    return _FIGURES.get((game, bet), (None, ""))
