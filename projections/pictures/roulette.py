"""Draw roulettes and wheels of fortune: the wheel, the cloth with chips, all bets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import games
from ledger.games.roulette import EVEN_CHANCES, RoulettePlan
from ledger.games.wheels import WheelPlan
from projections.pictures.cloth import cloth
from projections.pictures.pieces import (
    ROW,
    chip,
    mark,
    notes,
    people_with_bets,
    text_lines,
)
from projections.pictures.scene import recorded_json
from projections.pictures.svg import (
    EDGE,
    INK,
    PAPER,
    WIDTH,
    Drawing,
    Svg,
    below,
    framed,
    group,
    placed,
    rectangle,
    side_by_side,
    words_at,
)
from projections.pictures.wheel import fortune_wheel, roulette_wheel

if TYPE_CHECKING:
    from ledger.games.roulette import Position
    from projections.pictures.scene import Scene

__all__ = ["describe_fortune", "describe_roulette", "draw_fortune", "draw_roulette"]

BETS_WIDTH = WIDTH - 280 - 24
DIRECTIONS = {
    "clockwise": "pictures.clockwise",
    "counterclockwise": "pictures.counterclockwise",
}
CAUSES = {
    "too_few_revolutions": "pictures.too_few_revolutions",
    "wrong_direction": "pictures.wrong_direction",
    "wheel_stopped": "pictures.wheel_stopped",
    "ball_left_wheel": "pictures.ball_left_wheel",
    "foreign_object": "pictures.foreign_object",
}
COLOURS = {"black": "pictures.of_black", "pink": "pictures.of_pink"}


def draw_roulette(scene: Scene) -> list[Drawing]:
    """Draw a spin of a roulette."""
    number = _number(scene)
    word = _no_result(scene) if number is None else _colour(scene, number)
    wheel = roulette_wheel(number, (word,))
    return [
        *_with_bets(
            scene,
            wheel,
            _spin_description(scene, number),
            cloth(scene, None if _is_void(scene) else number, _chips(scene)),
        ),
        notes(scene),
    ]


def _with_bets(scene: Scene, wheel: Drawing, said: list[str], table: Drawing) -> list[Drawing]:
    """Put the bets next to the wheel if they are few, otherwise below the table."""
    bets_text = text_lines(said, width_max=BETS_WIDTH, size=13)
    if len(scene.replay.wagers) * ROW < wheel.height:
        bets = people_with_bets(scene, width_max=BETS_WIDTH, count=1)
        if bets_text.height + bets.height < wheel.height:
            return [side_by_side(wheel, below(bets_text, bets, gap=12), gap=24), table]
    return [side_by_side(wheel, bets_text, gap=24), table, people_with_bets(scene)]


def describe_roulette(scene: Scene) -> str:
    """Describe the result of a spin."""
    return " ".join(_spin_description(scene, _number(scene)))


def _number(scene: Scene) -> int | None:
    number = scene.outcome.get("number")
    if isinstance(number, int) and 0 <= number < 37:
        return number
    if scene.outcome:
        return None
    landed = scene.facts("BallLanded", "SpinDeclaredInvalid", "WheelSpun")
    last = landed[-1].get("number") if landed else None
    return last if isinstance(last, int) and 0 <= last < 37 else None


def _is_void(scene: Scene) -> bool:
    return scene.replay.round.status == "voided"


def _no_result(scene: Scene) -> str:
    if _is_void(scene):
        return scene.text("pictures.voided_short")
    return scene.text("pictures.no_result")


def _colour(scene: Scene, number: int) -> str:
    if number == 0:
        return scene.text("pictures.green")
    return scene.named("bets", "red" if number in EVEN_CHANCES["red"] else "black")


def _spin_description(scene: Scene, number: int | None) -> list[str]:
    said = [_no_result(scene)]
    if number is not None:
        groups = [kind for kind, numbers in EVEN_CHANCES.items() if number in numbers]
        kinds = [_colour(scene, number)]
        kinds += [scene.named("bets", kind) for kind in groups if kind not in {"red", "black"}]
        if number:
            kinds.append(scene.text("pictures.in_dozen", dozen=(number - 1) // 12 + 1))
            kinds.append(scene.text("pictures.in_column", column=(number - 1) % 3 + 1))
        said = [scene.text("pictures.number_fell", number=number, kinds=", ".join(kinds))]
    return _void_first(scene, said) + _turns_description(scene)


def _turns_description(scene: Scene) -> list[str]:
    said = []
    for fact in scene.replay.facts:
        if fact.event == "WheelSpun":
            key = "pictures.spin" if fact.facts["ball_direction"] else "pictures.turn"
            said.append(
                scene.text(
                    key,
                    wheel=_coded(scene, DIRECTIONS, fact.facts["wheel_direction"]),
                    ball=_coded(scene, DIRECTIONS, fact.facts["ball_direction"]),
                    turns=scene.words.counted("pictures.turns", fact.facts["revolutions"]),
                )
            )
        elif fact.event == "SpinDeclaredInvalid":
            said.append(
                scene.text(
                    "pictures.invalid_spin", cause=_coded(scene, CAUSES, fact.facts["cause"])
                )
            )
    return said


def _coded(scene: Scene, keys: dict[str, str], code: str) -> str:
    return scene.text(keys[code]) if code in keys else code


def _chips(scene: Scene) -> dict[Position, list[tuple[int, int]]]:
    """Sum each participant's chips by position, after dividing composite bets."""
    assert isinstance(scene.plan, RoulettePlan)  # noqa: S101 - the family was chosen by the plan
    found: dict[Position, dict[int, int]] = {}
    for wager in scene.replay.wagers:
        if wager.status == "given_back":
            continue
        try:
            bet = scene.plan.find_bet(
                wager.bet_code, recorded_json(scene.selections.get(wager.bet, ""))
            )
        except games.SettlementError:
            continue
        for position, chips in bet.positions.items():
            stacks = found.setdefault(position, {})
            person = scene.people[wager.account]
            stacks[person] = stacks.get(person, 0) + wager.stake * chips // bet.chips
    return {position: list(stacks.items()) for position, stacks in found.items()}


def draw_fortune(scene: Scene) -> list[Drawing]:
    """Draw a turn of a wheel of fortune."""
    assert isinstance(scene.plan, WheelPlan)  # noqa: S101 - the family was chosen by the plan
    field = _field(scene)
    kinds = [(code, _times(code), kind.count) for code, kind in scene.plan.fields.items()]
    counts = scene.words.listed(
        [
            scene.text("pictures.fields_of", name=scene.named("bets", code), count=count)
            for code, _, count in kinds
        ]
    )
    return [
        *_with_bets(
            scene,
            fortune_wheel(kinds, field),
            [*_turn_description(scene, field), scene.text("pictures.fields", fields=counts)],
            _boxes(scene, scene.plan, None if _is_void(scene) else field),
        ),
        notes(scene, scene.text("pictures.order_unknown")),
    ]


def describe_fortune(scene: Scene) -> str:
    """Describe the result of a turn."""
    return " ".join(_turn_description(scene, _field(scene)))


def _field(scene: Scene) -> str | None:
    assert isinstance(scene.plan, WheelPlan)  # noqa: S101 - the family was chosen by the plan
    stopped = scene.facts("WheelStopped")
    found = scene.outcome.get("field") or (stopped[-1]["field"] if stopped else "")
    return found if isinstance(found, str) and found in scene.plan.fields else None


def _times(code: str) -> str:
    return f"{code.removeprefix('x').partition('_')[0]}\N{MULTIPLICATION SIGN}"


def _turn_description(scene: Scene, field: str | None) -> list[str]:
    said = [_no_result(scene)]
    if field is not None:
        said = [scene.text("pictures.field_shown", field=scene.named("bets", field))]
    return _void_first(scene, said) + _turns_description(scene)


def _void_first(scene: Scene, said: list[str]) -> list[str]:
    """Put the void of a round first, even if ball or wheel came to rest."""
    first = scene.text("pictures.voided_short")
    return [first, *said] if _is_void(scene) and first not in said else said


def _boxes(scene: Scene, plan: WheelPlan, field: str | None) -> Drawing:
    """Draw the cloth: a box for each kind of field with its chips."""
    width_max = (WIDTH - 16 - 6 * (len(plan.fields) - 1)) / len(plan.fields)
    return framed(
        side_by_side(
            *(_box(scene, code, width_max, is_hit=code == field) for code in plan.fields), gap=6
        ),
        width=WIDTH,
    )


def _box(scene: Scene, code: str, width_max: float, *, is_hit: bool) -> Drawing:
    chips: dict[int, int] = {}
    for wager in scene.replay.wagers:
        if wager.bet_code == code and wager.status != "given_back":
            person = scene.people[wager.account]
            chips[person] = chips.get(person, 0) + wager.stake
    rows = (len(chips) + 3) // 4
    height = 34 + max(rows, 1) * 26
    parts = [
        rectangle(
            0.5,
            0.5,
            width_max - 1,
            height - 1,
            rx=5,
            fill=PAPER,
            stroke=INK if is_hit else EDGE,
            stroke_width=3 if is_hit else 1,
        ),
        words_at(width_max / 2, 20, _times(code), size=16, bold=True, anchor="middle"),
    ]
    colour = code.partition("_")[2]
    if colour:
        parts.append(
            words_at(width_max / 2, 31, _coded(scene, COLOURS, colour), size=9, anchor="middle")
        )
    if is_hit:
        parts.append(placed(width_max - 20, 5, Drawing(15, 15, mark("win"))))
    for place, (person, haler) in enumerate(chips.items()):
        row, column = divmod(place, 4)
        x, y = (column + 0.8) * width_max / 4.6, 44 + row * 26
        said = f"{person}: {scene.words.money(haler)}"
        parts.append(
            group(
                chip(person, is_winner=is_hit, said=said),
                transform=f"translate({x:.1f} {y:.1f})",
                data_chips_of=person,
                data_place=code,
            )
        )
    return Drawing(width_max, height, Svg("".join(parts)))
