"""A tournament as a picture: where its money went, and who came where and got what."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from projections.pictures.pieces import label, mark, text_lines
from projections.pictures.svg import (
    INK,
    LINE,
    PALE,
    PAPER,
    SOFT,
    WIDTH,
    Drawn,
    Svg,
    below,
    group,
    line,
    picture,
    placed,
    rectangle,
    words_at,
)
from projections.words.catalogue import Language, Words
from projections.words.names import named

if TYPE_CHECKING:
    from projections.questions.tournaments import PoolLine, PrizeLine, TournamentReplay

__all__ = ["draw_tournament"]

ROW, NAMES, BAR = 22.0, 230.0, 250.0
BAR_LEFT = 50 + NAMES


def draw_tournament(tournament: TournamentReplay, language: Language) -> str:
    """Draw the pool of a tournament and its places with their prizes; an ``svg`` element."""
    words = Words(language)
    places = _places(tournament)
    pieces = [_heading(words, tournament)]
    if tournament.pool is not None:
        pieces.append(_pool(words, tournament.pool))
    pieces += [
        label(words.text("pictures.places"), size=13),
        below(*(_place(words, *place, most=_most(tournament)) for place in places), gap=0),
        text_lines(
            [words.text("pictures.entries", entries=_entries(words, tournament))], room=WIDTH
        ),
    ]
    if tournament.deal:
        pieces.append(label(words.text("pictures.deal"), bold=False))
    return picture(
        pieces,
        title=f"{named(words, 'games', tournament.game)}: {tournament.name}",
        description=_said(words, tournament, places),
        language=language,
    )


def _heading(words: Words, tournament: TournamentReplay) -> Drawn:
    status = named(words, "statuses", tournament.status)
    below_name = " · ".join(
        (
            named(words, "games", tournament.game),
            tournament.tournament,
            words.moment(tournament.starts_at),
        )
    )
    return Drawn(
        WIDTH,
        42,
        Svg(
            words_at(0, 18, tournament.name, size=19, bold=True, room=WIDTH - 150)
            + words_at(WIDTH, 18, status, size=13, bold=True, anchor="end")
            + words_at(0, 36, below_name, size=11.5, fill=SOFT, room=WIDTH)
        ),
    )


def _most(tournament: TournamentReplay) -> int:
    return max((prize.paid or prize.due or 0 for prize in tournament.prizes), default=0)


def _pool(words: Words, pool: PoolLine) -> Drawn:
    """Draw what was paid in and what it became, two bars of one scale."""
    whole = max(pool.money_pool + pool.top_up, 1)
    scale = WIDTH / whole
    came = [(pool.money_pool, "pictures.paid_in", PAPER), (pool.top_up, "pictures.top_up", PALE)]
    went = [(pool.prize_pool, "pictures.prize_pool", PAPER), (pool.fee, "pictures.fee", PALE)]
    parts = []
    for row, shares in enumerate((came, went)):
        x, y = 0.0, row * 44.0
        told = " · ".join(
            f"{words.text(key)} {words.money(amount)}" for amount, key, _ in shares if amount
        )
        parts.append(words_at(0, y + 11, told, size=12, room=WIDTH))
        for amount, _, fill in shares:
            if amount:
                width = amount * scale
                parts.append(rectangle(x + 0.5, y + 16.5, width - 1, 15, fill=fill, stroke=INK))
                x += width
    return Drawn(WIDTH, 78, Svg("".join(parts)))


def _places(tournament: TournamentReplay) -> list[tuple[int, str, PrizeLine | None]]:
    """Return place, account and prize of everybody, the best first."""
    prizes = {prize.account: prize for prize in tournament.prizes}
    found = []
    place = 1
    for accounts in tournament.places:
        found += [(place, account, prizes.pop(account, None)) for account in accounts]
        place += len(accounts)
    return found + [(prize.place, account, prize) for account, prize in prizes.items()]


def _place(words: Words, place: int, account: str, prize: PrizeLine | None, *, most: int) -> Drawn:
    paid = (prize.paid if prize.paid is not None else prize.due or 0) if prize is not None else 0
    parts = [
        words_at(26, 15, f"{place}.", size=12, bold=bool(paid), anchor="end"),
        words_at(50, 15, account, size=12, bold=bool(paid), room=NAMES - 10),
        line(0, ROW - 0.5, WIDTH, ROW - 0.5, stroke=LINE, stroke_width=0.5),
    ]
    if prize is not None:
        width = BAR * paid / max(most, 1)
        parts.append(placed(30, 3, Drawn(15, 15, mark("win"))))
        parts.append(rectangle(BAR_LEFT, 4, max(width, 1), 13, fill=PALE, stroke=INK))
        text = words.money(paid)
        if prize.paid is not None and prize.due is not None and prize.paid != prize.due:
            text = f"{text} ! {words.text('pictures.due', amount=words.money(prize.due))}"
        parts.append(words_at(BAR_LEFT + width + 8, 15, text, size=12, room=190))
    body = group(*parts, data_place=place, data_account=account, data_prize=paid)
    return Drawn(WIDTH, ROW, body)


def _entries(words: Words, tournament: TournamentReplay) -> str:
    counted = Counter(payment.kind for payment in tournament.payments)
    return words.listed(
        [f"{named(words, 'bets', kind)} {count}" for kind, count in counted.items()]
    )


def _said(
    words: Words, tournament: TournamentReplay, places: list[tuple[int, str, PrizeLine | None]]
) -> str:
    said = [words.text("pictures.entries", entries=_entries(words, tournament))]
    pool = tournament.pool
    if pool is not None:
        said.append(
            f"{words.text('pictures.paid_in')} {words.money(pool.money_pool)}, "
            f"{words.text('pictures.fee')} {words.money(pool.fee)}, "
            f"{words.text('pictures.prize_pool')} {words.money(pool.prize_pool)}."
        )
    said += [
        f"{place}. {account}{f' {words.money(prize.paid or 0)}' if prize is not None else ''}."
        for place, account, prize in places
    ]
    return " ".join(said)
