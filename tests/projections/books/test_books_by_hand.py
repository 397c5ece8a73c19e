"""Books of random histories against books kept by hand: one posting after the other, in Python."""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger.core.clock import DAY, HOUR, in_prague
from ledger.events.encoding import decode
from projections.books.agreement import agreement
from projections.books.closing import CURRENCY, close
from projections.books.tax import tax_base
from projections.packages.country import country_of
from projections.store.period import Period, read_period
from tests.projections.history_cases import emptied, project
from tests.projections.posting_twin import postings_of
from tests.projections.projection_cases import Chain, any_event, money_event, seeded
from tests.search import amount

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date
    from random import Random

    from projections.store.tables import Store
    from tests.projections.posting_twin import Posting

PERCENT = 30
FIGURES = ("stakes", "returned", "winnings", "corrections", "result", "open")
OF_PLAY = {
    "stakes": {"BetConcluded", "HandAction", "TournamentEntryPaid"},
    "returned": {"BetVoided", "UncalledReturned", "MisdealDeclared", "TournamentEntryReturned"},
    "winnings": {"BetSettled", "PotAwarded", "PointsSettled", "TournamentPrizePaid"},
    "corrections": {"WinCorrected", "BetCorrected", "PrizeWithheld"},
}
AGAINST_THE_HOUSE = {"BetConcluded", "BetVoided", "BetSettled"}
GAMES = {f"round-{n}": (f"g-{n % 3}", f"t-{n % 2}", n % 4 < 2) for n in range(40)}
"""What is played in the rounds that random facts name; ten of them nobody opened."""
NOWHERE = ("", "", False)
COLLECTED = ("ClaimSettled", "wallet")
STEPS = st.lists(
    st.tuples(st.integers(0, 2**32), st.sampled_from((0, HOUR, 11 * HOUR, DAY, 40 * DAY))),
    min_size=1,
    max_size=40,
)


def told(steps: Iterable[tuple[int, int]]) -> Chain:
    """Tell decisions of one to three facts that move money, so long after each other."""
    chain = Chain()
    draw = seeded(1)
    chain.decide(
        *(
            replace(
                any_event(draw, "RoundOpened"),
                round=name,
                game=game,
                table=table,
                streamed=streamed,
            )
            for name, (game, table, streamed) in GAMES.items()
        )
    )
    for seed, later in steps:
        chain.moment += later
        draw = seeded(seed)
        chain.decide(*(money_event(draw) for _ in range(1 + seed % 3)))
    return chain


def is_of_floor(kind: str) -> bool:
    return ":" in kind and not kind.startswith("channel_")


def trial_of(
    before: list[Posting], within: list[Posting]
) -> dict[str, tuple[str, int, int, int, int]]:
    """Book each posting: on the floor what came is a debit, elsewhere a credit."""
    opening, debits, credits_ = Counter[str](), Counter[str](), Counter[str]()
    for one in before:
        opening[one.kind] += one.amount if is_of_floor(one.kind) else -one.amount
    for one in within:
        is_debit = (one.amount > 0) == is_of_floor(one.kind)
        (debits if is_debit else credits_)[one.kind] += abs(one.amount)
    kinds = {kind for kind in opening if opening[kind]} | {*debits, *credits_}
    return {
        kind: (
            kind.partition(":")[0].partition("_")[2] if is_of_floor(kind) else CURRENCY,
            opening[kind],
            debits[kind],
            credits_[kind],
            opening[kind] + debits[kind] - credits_[kind],
        )
        for kind in kinds
    }


def games_of(within: list[Posting]) -> dict[tuple[str, str, bool], dict[str, int]]:
    """Put each posting of play under its game and table."""
    books: dict[tuple[str, str, bool], Counter[str]] = {}
    for one in within:
        if is_of_floor(one.kind) or one.event in {"FeeCharged", "FeeReturned"}:
            continue
        of = books.setdefault(GAMES.get(one.round, NOWHERE), Counter())
        if one.kind in {"in_play", "prize_pool"}:
            of["open"] += one.amount
        if one.kind in {"game_result", "charges"}:
            of["result"] += one.amount
            of["corrections"] += one.amount * (one.event in OF_PLAY["corrections"])
            of["stakes"] += one.amount * (one.event == "TimeCollectionTaken")
        if one.kind == "in_play":
            of["stakes"] += one.amount * (one.event in OF_PLAY["stakes"])
            of["returned"] -= one.amount * (one.event in OF_PLAY["returned"])
        if one.kind == "wallet":
            of["winnings"] += one.amount * (one.event in OF_PLAY["winnings"])
    found = {of: {name: book[name] for name in FIGURES} for of, book in books.items()}
    return {of: book for of, book in found.items() if any(book.values())}


def base_of(within: list[Posting], known: list[Posting]) -> int:
    """Keep what the operator keeps: as games, but corrections by what moved in the wallet.

    What lies in pots and prize pools is the players'.
    """
    games = games_of(within)
    kept = sum(of["stakes"] - of["returned"] - of["winnings"] for of in games.values())
    kept -= sum(
        one.amount
        for one in within
        if one.kind in {"in_play", "prize_pool"} and one.event not in AGAINST_THE_HOUSE
    )
    moved = sum(
        one.amount for one in within if one.kind == "wallet" and one.event in OF_PLAY["corrections"]
    )
    return kept - moved + collected_of(known, {one.position for one in within})


def collected_of(known: list[Posting], within: set[int]) -> int:
    """Pay the oldest claim first; sum up what wallets paid for claims from corrections."""
    by_wallet = {one.position for one in known if (one.event, one.kind) == COLLECTED} & within
    owed: dict[str, list[list[int]]] = {}
    collected = 0
    for one in known:
        if one.kind == "claims":
            of_account = owed.setdefault(one.account, [])
            is_of_play = one.event in OF_PLAY["corrections"]
            left = one.amount
            for claim in of_account:
                paid = max(0, min(left, claim[0]))
                claim[0] -= paid
                left -= paid
                collected += paid * claim[1] * (one.position in by_wallet)
            of_account.append([max(0, -one.amount), is_of_play])
    return collected


def channels_of(within: list[Posting]) -> dict[str, int]:
    nets = Counter[str]()
    for one in within:
        if one.kind.startswith("channel_"):
            nets[one.kind.removeprefix("channel_")] -= one.amount
    return dict(nets)


@given(steps=STEPS, data=st.data())
@settings(
    max_examples=amount(3, 20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_books_are_those_kept_by_hand(
    tables: Store, steps: list[tuple[int, int]], data: st.DataObject
) -> None:
    """Of any period that a history touches, as of any position."""
    chain = told(steps)
    store = emptied(tables)
    project(chain, store)
    recorded = [decode(message) for message in chain.messages]
    days = {one.position: in_prague(one.envelope.recorded_at).date() for one in recorded}
    postings = [posting for one in recorded for posting in postings_of(one)]
    for _ in range(3):
        day = data.draw(st.sampled_from(sorted(set(days.values()))))
        quarter = f"{day.year}-Q{(day.month + 2) // 3}"
        forms = (day.isoformat(), f"{day:%Y-%m}", quarter)
        period = read_period(data.draw(st.sampled_from(forms)))
        at = data.draw(st.integers(1 + min(p for p in days if days[p] == day), len(recorded)))
        known = [one for one in postings if one.position < at]
        before = [one for one in known if days[one.position] < period.first_day]
        within = [one for one in known if holds(period, days[one.position])]
        closing = close(store, period, at=at)
        assert closing.is_even
        assert {
            of.account: (of.currency, of.opening, of.debit, of.credit, of.closing)
            for of in closing.trial
        } == trial_of(before, within)
        assert {
            (of.game, of.table, of.streamed): {name: getattr(of, name) for name in FIGURES}
            for of in closing.games
        } == games_of(within)
        assert {of.channel: of.net for of in closing.channels} == channels_of(within)
        tax = tax_base(store, read_period(quarter), at=at)
        of_quarter = [one for one in known if holds(read_period(quarter), days[one.position])]
        assert tax.base == base_of(of_quarter, known)
        rest = max(tax.base, 0) * PERCENT % 10_000
        due = max(tax.base, 0) * PERCENT + (10_000 - rest if rest else 0)
        assert (tax.percent, tax.tax) == (PERCENT, due // 100)


def holds(period: Period, day: date) -> bool:
    return period.first_day <= day <= period.last_day


def test_what_no_package_tells_is_the_base_with_its_corrections(store: Store) -> None:
    chain, draw = Chain(), seeded(5)
    opened = replace(any_event(draw, "ChainOpened"), operator="12345678")
    at_a_table = replace(any_event(draw, "RoundOpened"), round="r", streamed=False)
    chain.decide(opened, at_a_table)
    won = replace(any_event(draw, "WinCorrected"), round="r", difference=1_000, claimed=0)
    chain.decide(won)
    project(chain, store)
    day = in_prague(chain.moment).date()
    parts = tax_base(store, read_period(f"{day.year}-Q{(day.month + 2) // 3}")).parts
    base = sum(one.base for one in parts if one.way == "account")
    assert base == -1_000
    assert agreement(store, read_period(f"{day:%Y-%m}"), country_of("cz")).unreported == base


def test_a_correction_taken_back_by_a_claim_is_in_the_base(store: Store) -> None:
    """The game earns nothing by both; what was paid is with the player until the wallet pays it."""
    chain, draw = Chain(), seeded(5)
    at_a_table = replace(any_event(draw, "RoundOpened"), round="r", streamed=False)
    won = replace(any_event(draw, "WinCorrected"), round="r")
    older = replace(any_event(draw, "DepositReturned"), account=won.account, credited=True)
    chain.decide(
        replace(older, amount=50, claimed=50),
        at_a_table,
        replace(won, difference=1_000, claimed=0),
        replace(won, difference=-1_000, claimed=1_000),
    )
    project(chain, store)
    quarter = read_period(
        f"{in_prague(chain.moment):%Y}-Q{(in_prague(chain.moment).month + 2) // 3}"
    )
    assert not close(store, quarter).games
    assert [(one.way, one.base) for one in tax_base(store, quarter).parts] == [("account", -1_000)]
    pays = replace(any_event(draw, "ClaimSettled"), account=won.account)
    chain.decide(replace(pays, amount=150, way="wallet"), replace(pays, amount=200, way="outside"))
    project(chain, store)
    assert [(one.way, one.base) for one in tax_base(store, quarter).parts] == [("account", -900)]


SECTIONS = count(1)


def section(chain: Chain, currency: str, day: str, *, won: int) -> None:
    """Open a table for chips of a currency with 1,000.00, and close it with what it won."""
    draw: Random = seeded(3)
    name = f"s-{next(SECTIONS)}"
    at = {"place": "north", "section": name, "station": "t-1", "currency": currency}
    facts = {**at, "day": day, "station_kind": "table"}
    floats = [
        replace(any_event(draw, "TableFloatCounted"), **at, stage=stage, amount=amount)
        for stage, amount in (("opening", 100_000), ("closing", 100_000 + won))
    ]
    chain.decide(
        replace(any_event(draw, "SectionOpened"), **facts, game="roulette"),
        *floats,
        replace(any_event(draw, "SectionClosed"), **facts, result=won),
    )


def fix(chain: Chain, currency: str, rate: int, day: str) -> None:
    chain.decide(replace(any_event(seeded(4), "RateFixed"), currency=currency, rate=rate, day=day))


def test_foreign_currency_is_taxed_by_the_rate_of_its_quarter(store: Store) -> None:
    chain = Chain()
    first = in_prague(chain.moment).date().replace(day=1)
    period = read_period(f"{first.year}-Q{(first.month + 2) // 3}")
    inside, behind = period.first_day.isoformat(), period.day_behind.isoformat()
    fix(chain, "USD", 21_000, behind)
    section(chain, "EUR", inside, won=10_001)
    section(chain, "EUR", inside, won=-1)
    section(chain, "USD", inside, won=5_000)
    section(chain, "CZK", inside, won=7)
    section(chain, "CZK", behind, won=1_000_000)
    fix(chain, "EUR", 24_000, inside)
    project(chain, store)
    without = chain.head.size
    fix(chain, "EUR", 24_315, period.last_day.isoformat())
    project(chain, store)

    then, now = (tax_base(store, period, at=at) for at in (without, chain.head.size))
    assert then.unconverted == now.unconverted == ("USD",)
    assert {one.currency: (one.base, one.base_czk) for one in now.parts} == {
        "CZK": (7, 7),
        "EUR": (10_000, 243_150),
        "USD": (5_000, None),
    }
    assert (then.base, now.base) == (240_000 + 7, 243_150 + 7)
    assert now.tax == 73_000  # 30 % of 2,431.57 CZK are 729.471 CZK
    fix(chain, "USD", 21_000, inside)
    project(chain, store)
    both = tax_base(store, period)
    assert (both.unconverted, both.base) == ((), 243_150 + 105_000 + 7)
