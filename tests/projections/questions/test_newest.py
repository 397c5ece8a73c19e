"""Lists of rounds and bets, newest first, page by page: against plain folds of random histories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ledger.events import event_types as e
from ledger.events.encoding import decode
from projections.questions.bets import list_bets
from projections.replay.round_line import RoundLine, line_of_events
from projections.replay.rounds import list_rounds
from projections.store.events import EventAt
from tests.projections.history_cases import emptied, placed, project
from tests.projections.random_rounds import IN_ORDER, histories, recorded
from tests.search import amount

if TYPE_CHECKING:
    from projections.store.tables import Store
    from tests.projections.projection_cases import Chain


class Line(NamedTuple):
    """What a list says of a bet."""

    position: int
    bet: str
    account: str
    status: str
    stake: int
    paid: int | None


def events_in(chain: Chain, size: int) -> list[EventAt[Any]]:
    found = []
    for position, message in enumerate(chain.messages[:size]):
        one = decode(message)
        found.append(EventAt(position, one.envelope.recorded_at, one.event))
    return found


def rounds_of(events: list[EventAt[Any]]) -> list[RoundLine]:
    by_round: dict[str, list[EventAt[Any]]] = {}
    for at in events:
        if name := getattr(at.event, "round", ""):
            by_round.setdefault(name, []).append(at)
    lines = [line for of_one in by_round.values() if (line := line_of_events(of_one))]
    return sorted(lines, key=lambda line: -line.opened_position)


def bets_of(events: list[EventAt[Any]]) -> list[Line]:
    facts: dict[tuple[str, str, str], list[EventAt[Any]]] = {}
    kinds = (e.BetPlaced, e.BetConcluded, e.BetVoided, e.BetSettled, e.BetWithdrawn, e.BetReturned)
    for at in events:
        if isinstance(at.event, kinds):
            facts.setdefault((at.event.round, at.event.bet, at.event.account), []).append(at)
    lines = []
    for (_, bet, account), of_one in facts.items():
        first = {type(at.event): at for at in reversed(of_one)}
        last = {type(at.event): at for at in of_one}
        if e.BetPlaced not in first:
            continue
        record = first.get(e.BetConcluded, first[e.BetPlaced])
        status = "placed"
        for kind, name in (
            (e.BetConcluded, "concluded"),
            (e.BetWithdrawn, "given_back"),
            (e.BetReturned, "given_back"),
            (e.BetVoided, "voided"),
            (e.BetSettled, "settled"),
        ):
            status = name if kind in first else status
        stake, paid = first[e.BetPlaced].event.stake, None
        if e.BetSettled in last:
            paid = last[e.BetSettled].event.paid
        for at in events:
            match at.event:
                case e.BetCorrected(bet=of) if of == bet:
                    stake += at.event.difference
                case e.WinCorrected(bet=of) if of == bet and paid is not None:
                    paid += at.event.difference
                case e.PrizeWithheld(bet=of) if of == bet and paid is not None:
                    paid -= at.event.collected + at.event.claimed
        lines.append(Line(record.position, bet, account, status, stake, paid))
    return sorted(lines, key=lambda line: -line.position)


@settings(
    max_examples=amount(2, 20),
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_pages_of_rounds_and_bets_are_those_of_a_plain_fold(store: Store, data: Any) -> None:
    chain = recorded(data.draw(histories()))
    project(chain, emptied(store))
    for at in (chain.head.size, data.draw(st.integers(40, chain.head.size))):
        events = events_in(chain, at)
        limit = data.draw(st.integers(1, 5))
        rounds, bets = rounds_of(events), bets_of(events)
        assert paged(list_rounds, "rounds", store, limit=limit, at=at) == rounds
        for status in ("settled", "open", "voided"):
            found = paged(list_rounds, "rounds", store, status=status, limit=limit, at=at)
            assert found == [one for one in rounds if one.status == status]
        of_table = paged(list_rounds, "rounds", store, table="u", limit=limit, at=at)
        assert of_table == [one for one in rounds if one.table == "u"]
        account = bets[0].account if bets else "a"
        placed = {
            one.event.round
            for one in events
            if isinstance(one.event, e.BetPlaced) and one.event.account == account
        }
        moment = data.draw(st.sampled_from([one.opened_at for one in rounds] or [0])) + 1
        near = list_rounds(store, near=moment, limit=limit, at=at).rounds
        by_distance = sorted(rounds, key=lambda one: abs(one.opened_at - moment))
        assert [abs(one.opened_at - moment) for one in near] == [
            abs(one.opened_at - moment) for one in by_distance[:limit]
        ]
        of_account = paged(list_rounds, "rounds", store, account=account, limit=limit, at=at)
        assert of_account == [one for one in rounds if one.round in placed]
        listed = paged(list_bets, "bets", store, limit=limit, at=at)
        assert [Line(*(getattr(one, name) for name in Line._fields)) for one in listed] == bets


CORRECTIONS = 11, 12
"""A stake and a prize, in the facts of random rounds."""


def test_the_bets_of_a_round_sum_to_its_line_whatever_was_corrected(store: Store) -> None:
    facts = (*IN_ORDER, 10, *CORRECTIONS)
    project(recorded([(fact, 0, 1 + at) for at, fact in enumerate(facts)]), emptied(store))
    (line,) = list_rounds(store).rounds
    bets = list_bets(store, round=line.round).bets
    assert line.stakes != 2 * placed("r", 1).stake
    assert sum(one.stake for one in bets) == line.stakes
    assert sum(one.paid or 0 for one in bets) == line.paid


def paged(ask: Any, name: str, store: Store, **asked: Any) -> list[Any]:
    """Read a list to its end, page by page."""
    found: list[Any] = []
    before = None
    while True:
        page = ask(store, before=before, **asked)
        found += getattr(page, name)
        before = page.before
        if before is None:
            return found
