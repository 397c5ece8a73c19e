"""What went back without a settlement is explained from its event, and names can be hidden."""

from __future__ import annotations

from ledger import games
from ledger.events import event_types as e
from projections.facts.masking import masked
from projections.replay.round import explained
from projections.resettlement.round_history import BetHistory
from projections.words.catalogue import NO_BREAK, Language, Words
from projections.words.explanations import formula_line, render_explanation
from tests.projections.history_cases import placed

CS, EN = Words(Language.CS), Words(Language.EN)
CHIPS = placed("q1")


def told(explanation: games.Explanation | None, words: Words) -> str:
    assert explanation is not None
    return formula_line(words, "b", render_explanation(words, explanation)).replace(NO_BREAK, " ")


def test_a_void_bet_is_explained_by_its_ground() -> None:
    void = e.BetVoided(
        bet=CHIPS.bet,
        account=CHIPS.account,
        round="q1",
        amount=10_000,
        ground="operator_interruption",
        paragraph="SAZKA 14(3)",
    )
    explanation = explained(BetHistory(CHIPS, is_voided=True, back=void), None)
    assert told(explanation, EN) == (
        "b: declared void: interrupted by the operator; the stake comes back (SAZKA 14(3)): "
        "stake CZK 100.00"
    )
    assert told(explanation, CS) == (
        "b: prohlášeno za neplatné: přerušení provozovatelem; vklad se vrací "
        "(SAZKA, § 14 odst. 3): vklad 100,00 Kč"
    )


def test_chips_that_never_were_a_bet_are_explained_by_their_cause() -> None:
    back = e.BetReturned(
        bet=CHIPS.bet,
        account=CHIPS.account,
        round="q1",
        amount=10_000,
        cause="panic",
        paragraph="SAZKA 12a(4)",
    )
    explanation = explained(BetHistory(CHIPS, is_given_back=True, back=back), None)
    assert explanation is not None
    assert explanation.reason is games.Reason.NOT_CONCLUDED
    assert told(explanation, EN) == (
        "b: the chips did not become a bet: panic button; the stake comes back (SAZKA 12a(4)): "
        "stake CZK 100.00"
    )
    assert told(explanation, CS).startswith("b: vklad se nestal sázkou: Panic button;")


def test_chips_that_the_player_took_back_need_no_explanation() -> None:
    assert explained(BetHistory(CHIPS, is_given_back=True), None) is None


def test_an_explanation_for_one_participant_names_no_other() -> None:
    best = games.RankedHand("one_pair", ("AS", "AD", "JD", "8C", "7H"))
    pot = games.PotFacts(40_000, 2_000, ("anna", "bert"), ("bert",), best)
    explanation = games.Explanation(
        "69GAMES", games.Reason.NO_POT, "", (), games.PotsFacts((pot,), None)
    )
    hidden = masked(explanation, ["anna", "bert"], "anna")
    assert isinstance(hidden.facts, games.PotsFacts)
    assert hidden.facts.pots[0].eligible == ("anna", "player 2")
    assert hidden.facts.pots[0].best == best
    assert "player 2 with pair" in told(hidden, EN)
    assert "bert" not in told(hidden, EN)
