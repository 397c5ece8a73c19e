"""Dealing cards: a shuffled shoe, the record of each card, and actions of players.

Also what goes wrong with cards: one that the machine reads wrongly and the inspector corrects,
and one that was face down and was shown too early.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from ledger import games
from ledger.decisions.operator.setup import LoadShoe
from ledger.decisions.rounds.actions import Decide
from ledger.decisions.rounds.studio import CorrectCard, DealCard, RevealCard
from ledger.games import DECK
from projections.checks.dealing import DEALING, Dealing
from tools.simulator._betting import Chips
from tools.simulator._cloth import WantedBet
from tools.simulator._house import CHIP_SMALLEST, STUDIO, HouseTable
from tools.simulator._players import HALER
from tools.simulator._stage import THOUGHT

if TYPE_CHECKING:
    from tools.simulator._betting import Round
    from tools.simulator._players import Incident, Player
    from tools.simulator._stage import Script

__all__ = ["DealingTable"]

CUT_PART = (0.15, 0.25)
MAIN_LARGEST = 20_000
SIDE_LARGEST = 1_000
TIMES_OUT = 0.012
EXPOSED = ("hole_card_exposed_early", "hidden_card_exposed", "game_error")


class DealingTable(HouseTable):
    """Deals from a shoe that is shuffled again when the cut card comes."""

    main: ClassVar[str]
    decks: int = 8
    hides_cards: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Begin without a shoe."""
        super().__post_init__()
        self._shoe: list[str] = []
        self._cut = 0
        self._shoes = 0
        self._to_burn, self._is_fresh = 0, True

    def knows(self, incident: Incident) -> bool:
        """A card may be read wrongly, or shown too early where the plan has a ground for it."""
        if incident == "exposed_card":
            return self.hides_cards and self._exposed_ground is not None
        return incident == "misrecorded_card" or super().knows(incident)

    @property
    def _exposed_ground(self) -> str | None:
        return next((one for one in EXPOSED if self.may_void(one)), None)

    @property
    def limits(self) -> dict[str, tuple[int, int]]:
        """Stakes from the smallest chip on, within those of the plan; side bets are small."""
        return {
            code: (max(CHIP_SMALLEST, smallest), min(largest or bound, bound))
            for code, smallest, largest in self.plan_limits()
            for bound in [MAIN_LARGEST if self.is_main(code) else SIDE_LARGEST]
        }

    @abstractmethod
    def plan_limits(self) -> list[tuple[str, int, int]]:
        """Return every bet with its bounds by the plan in crowns, 0 where there is none."""

    def is_main(self, code: str) -> bool:
        """Is this the bet that others depend on?"""
        return code == self.main

    # The shoe

    def prepare(self) -> None:
        """Stand a fresh shoe ready when the cut card has come."""
        if len(self._shoe) > self._cut:
            return
        self._shoes += 1
        self._shoe = [str(card) for card in DECK] * self.decks
        self.random.shuffle(self._shoe)
        dealing = DEALING.get(self.plan.header.game, Dealing(""))
        part = self.random.uniform(*CUT_PART) if self.decks > 1 else 1
        self._cut = min(int(len(self._shoe) * part), len(self._shoe) - 1)
        if dealing.cut:
            self._cut = self.random.randint(*dealing.cut)
        self._to_burn, self._is_fresh = dealing.burnt or 1, True
        self.stage.send(
            LoadShoe(
                shoe=f"{self.name}-shoe-{self._shoes}",
                table=self.name,
                decks=self.decks,
                shuffle_method="machine",
                cut=self._cut,
                source=STUDIO,
            )
        )

    def change_dealer(self, source: str) -> None:
        """Burn a card of a shoe that another dealer began, where the plan asks for it."""
        super().change_dealer(source)
        if DEALING.get(self.plan.header.game, Dealing("")).burnt_at_change and not self._is_fresh:
            self._to_burn += 1

    def card(self, current: Round, recipient: str, *, face_up: bool = True) -> str:
        """Deal the next card; a fresh shoe loses its first ones."""
        self._is_fresh = False
        while self._to_burn:
            self._to_burn -= 1
            self.card(current, "burn", face_up=False)
        card, index = self._shoe.pop(), len(current.cards)
        is_misread = face_up and recipient != "burn" and self.incident == "misrecorded_card"
        read = self.random.choice([str(one) for one in DECK if str(one) != card])
        shown = (read if is_misread else card) if face_up else ""
        current.cards.append(games.RecordedCard(recipient, card if face_up else f"?{card}"))
        self.stage.send(
            DealCard(
                round=current.name,
                index=index,
                recipient=recipient,
                face_up=face_up,
                card=shown,
                source=STUDIO,
            )
        )
        if is_misread:
            self.note("misrecorded_card", "misrecorded_round", current.name)
            fix = CorrectCard(
                round=current.name, index=index, actual=card, by="inspector", source=STUDIO
            )
            self.stage.after(self.random.uniform(0.08, 0.18), lambda: self.stage.send(fix))
        return card

    def reveal(self, current: Round, recipient: str) -> None:
        """Turn the cards of a recipient that lie face down."""
        for index, (owner, card) in enumerate(current.cards):
            if owner == recipient and card.startswith("?"):
                current.cards[index] = games.RecordedCard(owner, card[1:])
                self.stage.send(
                    RevealCard(round=current.name, index=index, card=card[1:], source=STUDIO)
                )

    def deal(self, current: Round) -> Script:
        """Deal to the players with bets; an empty table is not dealt to."""
        self.stage.drain()  # what was refused is there no more
        self.settle_in(current)
        if current.chips():
            yield from self.play(current)
        else:
            yield self.random.uniform(8, 14)
        hidden = [(whose, "" if card.startswith("?") else card) for whose, card in current.cards]
        current.cards[:] = [games.RecordedCard(*one) for one in hidden]

    def settle_in(self, current: Round) -> None:
        """Remove the chips that were returned at the close."""

    @abstractmethod
    def play(self, current: Round) -> Script:
        """Deal and ask the players, to the last card."""

    def is_exposed(self, current: Round, recipient: str) -> bool:
        """Show a hidden card too early, if it is the turn of that; the round is void."""
        if self.incident != "exposed_card":
            return False
        self.reveal(current, recipient)
        self.note("exposed_card", "exposed_card_round", current.name)
        current.void = self._exposed_ground or ""
        return True

    # Players

    def players(self, current: Round) -> list[tuple[Player, Chips]]:
        """List the players with their main bets, in the order of the bets."""
        mains = [one for one in current.chips() if one.wish.code == self.main]
        mains.sort(key=lambda one: one.number)
        return [(one.player, one) for one in mains]

    def automatic(self, player: Player) -> str:
        """Return what acts in a player's place, if the player does not."""
        if not self.plan.header.streamed:
            return ""
        if player.is_away:
            return "disconnect"
        return "timeout" if self.random.random() < TIMES_OUT else ""

    def act(
        self,
        current: Round,
        player: Player,
        action: str,
        hand: str = "",
        *,
        by: str = "",
        stake: int = 0,
        cost: int = 0,
        free: bool = False,
        street: str = "",
        times: int = 0,
    ) -> bool:
        """Record an action; false when the ledger refuses it.

        Args:
            current: the round.
            player: who acts, or in whose place time does.
            action: its type.
            hand: hand or box.
            by: what acted, the player if it is left out.
            stake: of an insurance.
            cost: what the action adds to the stakes.
            free: with a token.
            street: of a raise.
            times: of a raise.

        """
        if cost > player.wallet:
            return False
        command = Decide(
            account=player.account,
            round=current.name,
            decision=action,
            hand=hand,
            by=by or "player",  # type: ignore[arg-type]
            stake=stake,
            free=free,
            street=street,  # type: ignore[arg-type]
            times=times,
            asked_at=self.stage.moment - THOUGHT,
            until=self.stage.moment + (0 if by else THOUGHT),
            source=STUDIO if by else player.app,
        )
        if action in self.plan.additional_wagers and not free:
            receipt = self.stage.ask(command)
            if receipt.refused is not None:
                return False
        else:
            self.stage.send(command)
        current.actions.append(
            games.recorded_action(
                player.account,
                action,
                hand=hand,
                by=by or "player",
                street=street,
                times=times,
                free=free,
                stake_haler=stake,
            )
        )
        return True

    def staked(self, current: Round, main: Chips, name: str, cost: int) -> None:
        """Note the stake that an action added to a main bet."""
        wish = WantedBet(name.partition(":")[0], box=main.wish.box)
        added = Chips(main.player, f"{main.bet}:{name}", cost, wish)
        main.player.wallet -= cost
        current.add(added)

    def a_stake(self, player: Player, code: str) -> int:
        """Choose a stake within the limits of the table."""
        smallest, largest = self.limits[code]
        chip = min(max(self.random.choice(player.habit.chips), smallest), largest)
        return chip * HALER
