"""Hands among players and tournaments of settlement requests, played through the writer.

A request gives what each player put in by street; the driver looks for a history of play, in turn
and by the plan's raises, that comes to these sums, and plays it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from ledger.core.clock import to_datetime
from ledger.events import event_types as e
from tests.ledger.decisions.recorded_play import FAMILIES, Player, Request, haler

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.ledger.decisions.decisions_casino import Casino

STREETS = ("preflop", "flop", "turn", "river")
SMALLEST_BLIND = 2_00
"""Where a request gives none: it leaves room for every bet."""
BOARD = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}
DAY = 24 * 60


@dataclass(frozen=True)
class Betting:
    """One street: what everybody has in, and who is still to act."""

    sums: dict[str, int]
    last: int
    before: int
    queue: tuple[str, ...]
    gone: frozenset[str] = frozenset()
    full: frozenset[str] = frozenset()
    steps: tuple[tuple[str, str, int, bool], ...] = ()


@dataclass(frozen=True)
class Aim:
    """What a street comes to: the sums, who folds here, and whose last chip goes in.

    ``between`` are levels of bets besides the sums, which lead to smaller raises.
    """

    sums: dict[str, int]
    folds: frozenset[str]
    full: frozenset[str]
    between: frozenset[int] = frozenset()


def histories(at: Betting, aim: Aim) -> Iterator[Betting]:
    """Go through the histories of a street that come to its sums."""
    live = [name for name in at.sums if name not in at.gone]
    queue = [name for name in at.queue if name in live and name not in at.full]
    if len(queue) == 1 and at.sums[queue[0]] >= at.last and at.full >= set(live) - set(queue):
        queue = []  # nobody is left who could answer
    if len(live) == 1 or not queue:
        if at.sums == aim.sums and at.gone >= aim.folds:
            yield at
        return
    name, rest = queue[0], tuple(queue[1:])
    own, target = at.sums[name], aim.sums[name]
    if name in aim.folds and own == target:
        gone, step = at.gone | {name}, (name, "fold", 0, False)
        yield from histories(replace(at, queue=rest, gone=gone, steps=(*at.steps, step)), aim)
    if target >= at.last:
        yield from histories(_paid(at, aim, name, at.last, rest), aim)
    elif name in aim.full and target > own:
        yield from histories(_paid(at, aim, name, target, rest), aim)
    others = tuple(one for one in _after(tuple(at.sums), name) if one != name)
    levels = {*aim.sums.values(), *aim.between}
    for level in sorted(one for one in levels if at.last < one <= target):
        is_full = name in aim.full and level == target
        if level >= 2 * at.last - at.before or is_full:
            yield from histories(_paid(at, aim, name, level, others), aim)


def _paid(at: Betting, aim: Aim, name: str, level: int, queue: tuple[str, ...]) -> Betting:
    amount = level - at.sums[name]
    kind = "raise" if level > at.last else "call" if amount else "check"
    kind = "bet" if kind == "raise" and not at.last else kind
    is_full = name in aim.full and level == aim.sums[name] and bool(amount)
    raised = {"last": level, "before": at.last} if level > at.last else {}
    return replace(
        at,
        sums={**at.sums, name: level},
        queue=queue,
        full=at.full | ({name} if is_full else frozenset()),
        steps=(*at.steps, (name, kind, amount, is_full)),
        **raised,
    )


def _after(seats: tuple[str, ...], name: str) -> tuple[str, ...]:
    at = seats.index(name) + 1
    return (*seats[at:], *seats[:at])


def poker_hand(player: Player, request: Request) -> dict[str, int]:
    """Post the blinds, follow a history of every street, show or muck, settle."""
    casino, outcome = player.casino, request["outcome"]
    wagers = {wager["player"]: wager for wager in request["wagers"]}
    seats = tuple(outcome["seats"])
    terms = _terms(outcome, seats, wagers)
    tournament = _tournament_of(player, request) if outcome.get("kind") == "hand" else ""
    player.seat(request)
    round_ = casino.new_name("q")
    named = {
        "round": round_,
        "table": player.table,
        "seats": list(seats),
        "button": outcome["button"],
    }
    casino.do("start_hand", **named, **terms, tournament=tournament)
    _play(player, round_, request, terms)
    if "void" in outcome:
        casino.do("declare_misdeal", round=round_, ground=outcome["void"]["reason"])
    else:
        casino.do("settle_hand", round=round_)
    return _returned_in_hand(player, round_, request)


def _terms(outcome: Request, seats: tuple[str, ...], wagers: dict[str, Request]) -> Request:
    order = _after(seats, outcome["button"])
    small, big = (order[1], order[0]) if len(seats) == 2 else order[:2]
    put_in = {name: _street(wagers.get(name), "preflop") for name in seats}
    least = min([sum_ for sum_ in put_in.values() if sum_] or [100])
    blind = least if "void" in outcome else SMALLEST_BLIND  # few have acted before a misdeal
    if "big_blind" in outcome:
        blind = haler(outcome["big_blind"])
    terms: Request = {"big_blind": blind, "big_blind_of": big}
    if put_in[small] >= blind // 200 * 100 > 0:
        terms |= {"small_blind": blind // 200 * 100, "small_blind_of": small}
    if any(_street(wager, "ante") for wager in wagers.values()):
        terms["ante"] = max(_street(wager, "ante") for wager in wagers.values())
    if outcome.get("fee", {}).get("mode") == "time":
        terms["time_fee"] = haler(outcome["fee"].get("amount", "100.00"))
    return terms


def _street(wager: Request | None, street: str) -> int:
    return haler(wager["streets"][street]) if wager and street in wager["streets"] else 0


def _play(player: Player, round_: str, request: Request, terms: Request) -> None:
    casino, outcome = player.casino, request["outcome"]
    seats = tuple(outcome["seats"])
    gone: frozenset[str] = frozenset()
    full: frozenset[str] = frozenset()
    opening = _opening(player, round_, request, terms)
    for name in seats:
        for card in outcome.get("hands", {}).get(name, ()):
            player.deal(round_, name, card)
    board = [] if "void" in outcome else outcome.get("board", [])
    lies = 0
    for street in STREETS:
        if len(seats) - len(gone) > 1 and BOARD[street] <= len(board):
            player.deal(round_, "board", *board[lies : BOARD[street]])
            lies = BOARD[street]
            aim, start = _aim(request, street, seats, gone, full, terms)
            at = replace(opening, queue=start) if street == "preflop" else _fresh(start, seats)
            at = replace(at, gone=gone, full=full | at.full)
            done, dead = _course(at, aim)
            steps = list(done.steps)
            while "void" in outcome and steps and steps[-1][1] == "check":
                steps.pop()
            for name, kind, amount, is_full in steps:
                facts = {"account": name, "action": kind, "amount": amount, "all_in": is_full}
                casino.do("act_in_hand", round=round_, **facts)
            for name in dead:
                casino.do("act_in_hand", round=round_, account=name, action="dead")
            gone, full = done.gone | dead, done.full
    for action in request.get("actions", ()):
        if action["type"] == "muck":
            facts = {"account": action["player"], "action": "muck"}
            casino.do("act_in_hand", round=round_, **facts)


def _course(at: Betting, aim: Aim) -> tuple[Betting, frozenset[str]]:
    """Find a history of a street, with the players whose hands are dead at its end.

    A player who gives up what nobody asked for has no turn to fold in: the hand is dead.
    """
    most = max(aim.sums.values())
    step = min((b - a for a, b in pairwise(sorted({0, *aim.sums.values()}))), default=1)
    for between in (frozenset[int](), frozenset(range(step, most, step)[:4])):
        for count in range(len(aim.folds) + 1):
            for dead in combinations(sorted(aim.folds), count):
                live = replace(aim, folds=aim.folds - set(dead), between=between)
                done = next(histories(at, live), None)
                if done is not None:
                    return done, frozenset(dead)
    raise AssertionError(("sums that no order of play comes to", at, aim))


def _fresh(queue: tuple[str, ...], seats: tuple[str, ...]) -> Betting:
    return Betting(dict.fromkeys(seats, 0), 0, 0, queue)


def _opening(player: Player, round_: str, request: Request, terms: Request) -> Betting:
    """Post antes and blinds; who has less posts the last chip."""
    seats = tuple(request["outcome"]["seats"])
    wagers = {wager["player"]: wager for wager in request["wagers"]}
    sums, full = dict.fromkeys(seats, 0), set()
    for name in seats:
        ante = _street(wagers.get(name), "ante")
        if ante:
            _post(player, round_, name, "ante", ante, is_full=ante < terms["ante"])
    for of, due in (("small_blind_of", "small_blind"), ("big_blind_of", "big_blind")):
        name = terms.get(of)
        if name is None:
            continue
        has = _street(wagers.get(name), "preflop")
        amount = min(has, terms[due])
        assert amount == terms[due] or wagers[name]["all_in"], "a blind that was not posted"
        is_full = bool(wagers[name].get("all_in")) and amount == haler(wagers[name]["stake"])
        _post(player, round_, name, "post", amount, is_full=is_full)
        sums[name] = amount
        full |= {name} if is_full else set()
    return Betting(sums, terms["big_blind"], 0, (), full=frozenset(full))


def _post(player: Player, round_: str, name: str, kind: str, amount: int, *, is_full: bool) -> None:
    facts = {"account": name, "action": kind, "amount": amount, "all_in": is_full}
    player.casino.do("act_in_hand", round=round_, **facts)


def _aim(
    request: Request,
    street: str,
    seats: tuple[str, ...],
    gone: frozenset[str],
    full: frozenset[str],
    terms: Request,
) -> tuple[Aim, tuple[str, ...]]:
    wagers = {wager["player"]: wager for wager in request["wagers"]}
    folders = {
        action["player"] for action in request.get("actions", ()) if action["type"] == "fold"
    }
    folders |= {name for name in seats if name not in wagers}
    later = STREETS[STREETS.index(street) + 1 :]
    ends = {name for name in seats if not any(_street(wagers.get(name), one) for one in later)}
    is_last = all(not _street(wager, one) for wager in wagers.values() for one in later)
    sums = {name: _street(wagers.get(name), street) for name in seats}
    matched = max(sums.values())
    here = {
        name for name in folders & ends if name not in gone and (is_last or sums[name] < matched)
    }
    last = {name for name in ends if (wagers.get(name) or {}).get("all_in")} | full
    order = _after(seats, request["outcome"]["button"])
    start = _after(seats, terms["big_blind_of"]) if street == "preflop" else order
    return Aim(sums, frozenset(here), frozenset(last)), start


def _returned_in_hand(player: Player, round_: str, request: Request) -> dict[str, int]:
    """Add up what the pots, the points, uncalled money and a misdeal gave to each player."""
    found = {wager["player"]: 0 for wager in request["wagers"]}
    for event in player.casino.all_events():
        if getattr(event, "round", "") != round_:
            continue
        match event:
            case e.PotAwarded() | e.PointsSettled():
                shares = zip(event.accounts, event.paid, strict=True)
            case e.UncalledReturned():
                shares = zip([event.account], [event.amount], strict=True)
            case e.MisdealDeclared():
                shares = zip(event.accounts, event.amounts, strict=True)
            case _:
                continue
        for name, amount in shares:
            found[name] += amount
    return {wager["id"]: found[wager["player"]] for wager in request["wagers"]}


def _tournament_of(player: Player, request: Request) -> str:
    """Announce and start a tournament of the players of a hand, with drawn seats."""
    casino = player.casino
    names = request["outcome"]["seats"]
    player.seat(request)
    name = _announce(player, buy_in=100_00, format="freezeout", fee_percent="10")
    for account in names:
        paid = {"account": account, "kind": "buy_in", "amount": 100_00}
        casino.do("pay_tournament_entry", tournament=name, **paid)
    casino.wait(minutes=8 * DAY)
    casino.do("start_tournament", tournament=name)
    button = request["outcome"]["button"]
    for number, account in enumerate([button, *_after(tuple(names), button)[:-1]], 1):
        seat = {"account": account, "table": player.table, "seat": number}
        casino.do("draw_seat", tournament=name, **seat)
    return name


def _announce(player: Player, **terms: Any) -> str:
    casino = player.casino
    name = casino.new_name("m")
    start = casino.clock.moment + 8 * DAY * 60 * 10**6
    casino.do(
        "announce_tournament",
        tournament=name,
        game=player.game,
        name=name,
        structure="levels of 20 minutes",
        starts_at=_iso(start),
        starting_stack=10_000_00,
        **terms,
    )
    return name


def _iso(moment: int) -> str:
    return to_datetime(moment).isoformat()


def open_face(player: Player, request: Request) -> dict[str, int]:
    """Begin with the stacks, set the cards, settle."""
    casino, outcome = player.casino, request["outcome"]
    tournament = _tournament_of(player, request) if outcome.get("kind") == "hand" else ""
    table = player.table
    player.seat(request)
    if not tournament:
        table = casino.new_name("f")
        casino.open_table(table, game=player.game, place="casino", streamed=False)
        for name in outcome["seats"]:
            casino.do("take_seat", account=name, table=table)
    stacks = {wager["player"]: haler(wager["stake"]) for wager in request["wagers"]}
    value = outcome["point_value"]
    if outcome.get("in_fantasyland"):
        _enter_fantasyland(casino, table, outcome, tournament)
    round_ = casino.new_name("q")
    terms: Request = {
        "seats": outcome["seats"],
        "button": outcome["button"],
        "stacks": stacks,
        "point_value": haler(value["default"]),
        "pair_values": {pair: haler(sum_) for pair, sum_ in value.get("pairs", {}).items()},
        "in_fantasyland": outcome.get("in_fantasyland", []),
        "stop_losses": {name: haler(sum_) for name, sum_ in outcome.get("stop_loss", {}).items()},
    }
    if outcome.get("fee", {}).get("mode") == "time":
        terms["time_fee"] = haler(outcome["fee"].get("amount", "100.00"))
    casino.do("start_open_face", round=round_, table=table, tournament=tournament, **terms)
    for name, rows in outcome["sets"].items():
        cards = rows | {"discards": outcome.get("discards", {}).get(name, [])}
        casino.do("set_cards", round=round_, account=name, **cards)
    casino.do("settle_hand", round=round_)
    return _returned_in_hand(player, round_, request)


QUEENS = (
    {"front": "QC QD 2C", "middle": "AC AD 3D 4H 5S", "back": "KC KD KH 7S 8S"},
    {"front": "QH QS 2D", "middle": "TC TD 9C 9D 3C", "back": "4C 5D 6D 7D 8D"},
)
"""Sets that earn Fantasyland, and below those that do not."""
NO_QUEENS = (
    {"front": "2H 3H 4S", "middle": "JC JD 6C 7C 9H", "back": "JH JS TH TS 5H"},
    {"front": "4D 7H 2S", "middle": "6H 6S KS 9S 3S", "back": "AH AS 8C 8H 5C"},
)


def _enter_fantasyland(casino: Casino, table: str, outcome: Request, tournament: str) -> None:
    """Play the game before, in which the players earn it."""
    earning, others = iter(QUEENS), iter(NO_QUEENS)
    round_, seats = casino.new_name("q"), outcome["seats"]
    terms = {"seats": seats, "button": outcome["button"], "point_value": 1_00}
    stacks = dict.fromkeys(seats, 100_00)
    casino.do(
        "start_open_face",
        round=round_,
        table=table,
        tournament=tournament,
        stacks=stacks,
        **terms,
    )
    for name in seats:
        rows = next(earning if name in outcome["in_fantasyland"] else others)
        cards = {row: text.split() for row, text in rows.items()}
        casino.do("set_cards", round=round_, account=name, **cards)
    casino.do("settle_hand", round=round_)


def prizes(player: Player, request: Request) -> dict[str, int]:
    """Announce, take the payments, let players go out place by place, end."""
    casino, outcome = player.casino, request["outcome"]
    player.seat(request)
    price = {wager["bet"]: haler(wager["stake"]) for wager in request["wagers"]}
    terms: Request = {
        "format": outcome["format"],
        "fee_percent": outcome["fee_percent"],
        "buy_in": price.get("buy_in") or price["re_entry"],
        "rebuy": price.get("rebuy", 0),
        "addon": price.get("addon", 0),
    }
    if "guarantee" in outcome:
        terms["guarantee"] = haler(outcome["guarantee"])
    name = _announce(player, **terms)
    lines = {}
    wagers = request["wagers"]
    for wager in (one for one in wagers if one["bet"] == "buy_in"):
        lines[_pay(player, name, wager)] = wager["id"]
    casino.wait(minutes=8 * DAY)
    casino.do("start_tournament", tournament=name)
    for wager in (one for one in wagers if one["bet"] != "buy_in"):
        if wager["bet"] == "re_entry":
            facts = {"account": wager["player"], "chips": 100}
            casino.do("hand_back_chips", tournament=name, **facts)
        lines[_pay(player, name, wager)] = wager["id"]
    found = {wager["id"]: 0 for wager in wagers}
    for gone in outcome.get("withdrawn", ()):
        for event in casino.do("return_tournament_entry", tournament=name, account=gone["player"]):
            if type(event).__name__ == "TournamentEntryReturned":
                found[lines[event.entry]] = event.amount  # type: ignore[attr-defined]
    casino.do("close_registration", tournament=name)
    _play_down(player, name, request)
    for event in casino.do("end_tournament", tournament=name):
        if type(event).__name__ == "TournamentPrizePaid":
            found[lines[event.entry]] = event.paid  # type: ignore[attr-defined]
    return found


def _pay(player: Player, tournament: str, wager: Request) -> str:
    facts = {"account": wager["player"], "kind": wager["bet"], "amount": haler(wager["stake"])}
    (paid,) = player.casino.do("pay_tournament_entry", tournament=tournament, **facts)
    return str(paid.entry)  # type: ignore[attr-defined]


def _play_down(player: Player, tournament: str, request: Request) -> None:
    """Let the players go out in the order of the places, and agree on a deal before the rest."""
    casino, outcome = player.casino, request["outcome"]
    gone = {one["player"] for one in outcome.get("withdrawn", ())}
    entered = list(dict.fromkeys(wager["player"] for wager in request["wagers"]))
    places = [list(group) for group in outcome["places"]]
    deal = outcome.get("deal")
    named = (
        {name for group in places for name in group} | gone | set(deal["players"] if deal else ())
    )
    unplaced = [name for name in entered if name not in named]
    if unplaced:
        places.append(unplaced)
    for group in reversed(places if deal else places[1:]):
        casino.do("eliminate_players", tournament=tournament, accounts=group)
    if not deal:
        return
    playout = deal.get("playout")
    shares = {name: haler(sum_) for name, sum_ in deal["shares"].items()}
    agreed = {"shares": shares, "unanimous": True}
    if playout:
        agreed["playout_percent"] = playout["percent"]
    casino.do("agree_deal", tournament=tournament, **agreed)
    if playout:
        losers = [name for name in deal["players"] if name != playout["winner"]]
        casino.do("eliminate_players", tournament=tournament, accounts=losers)


def cash_or_prizes(player: Player, request: Request) -> dict[str, int]:
    """Play a request of a game among players as what it is."""
    if "format" in request["outcome"]:
        return prizes(player, request)
    is_open_face = "pineapple" in request["game"]
    return open_face(player, request) if is_open_face else poker_hand(player, request)


FAMILIES |= dict.fromkeys(("PokerCashPlan", "OfcCashPlan", "TournamentPlan"), cash_or_prizes)
