"""Names for recorded codes and values: games, bets with selections, cards, paragraphs.

What comes in: recorded codes and values. What goes out: their names for readers. A code without a
translation is returned unchanged, so that a new one is still shown.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from projections.words.catalogue import Language, catalogue

if TYPE_CHECKING:
    from projections.words.catalogue import Words

__all__ = [
    "BY_HEADING",
    "bet",
    "card",
    "coded",
    "finality_text",
    "named",
    "paragraph",
    "recipient",
    "wording",
]

BY_HEADING = {
    "Baccarat": "Baccarat",
    "Czech Casinos": "Czech Casinos",
    "69GAMES Pineapple": "69GAMES, Pineapple",
    "69GAMES operation": "69GAMES, provoz",
    "69GAMES poker rules": "69GAMES, pravidla pokeru",
    "69GAMES tournament rules": "69GAMES, turnajová pravidla",
}
"""Documents whose paragraphs have no numbers, and their names in Czech."""
ANNEX = re.compile(r"SAZKA annex (.+?) ([0-9][0-9a-z, -]*)")
ACTS = {
    "SAZKA": ("SAZKA", "§"),
    "ZHH": ("ZHH", "§"),
    "GDPR": ("GDPR", "čl."),
    "D10": ("vyhláška č. 10/2019 Sb.", "§"),
    "D466": ("vyhláška č. 466/2023 Sb.", "§"),
    "AML act": ("AML zákon", "§"),
    "act 563/1991": ("zákon č. 563/1991 Sb.", "§"),
    "act 634/1992": ("zákon č. 634/1992 Sb.", "§"),
    "decree 10/2019": ("vyhláška č. 10/2019 Sb.", "§"),
    "decree 208/2017": ("vyhláška č. 208/2017 Sb.", "§"),
}
"""Acts as cited in our rules: their Czech citation, and the sign of a section."""
PLACE = re.compile(r"(?:§ )?(\d+[a-z]?)?(?:\((\d+)\))?(?:\(?([a-z])\)?)?")
CITED = {
    "game plan": "herní plán",
    "game plan, valid spin": "herní plán, platné roztočení",
    "game plan, cards": "herní plán, karty",
    "annex, disconnection": "příloha, ztráta spojení",
    "SAZKA annex": "SAZKA, příloha",
    "SAZKA annex, void reasons": "SAZKA, příloha, důvody neplatnosti",
    "SAZKA 2 (conclusion of a bet)": "SAZKA, § 2 (uzavření sázky)",
    "SAZKA 17(3): civil code, unjust enrichment": (
        "SAZKA, § 17 odst. 3: občanský zákoník, bezdůvodné obohacení"
    ),
    "ZHH (panic button)": "ZHH (Panic button)",
    "ZHH (continuous play)": "ZHH (nepřetržitá hra)",
    "ZHH (user account)": "ZHH (uživatelské konto)",
    "ZHH (payment of winnings)": "ZHH (výplata výher)",
    "specification of the register": "specifikace rejstříku",
    "ZHH (unclaimed wins)": "ZHH (nevyzvednuté výhry)",
    "Czech Casinos, the wheel": "Czech Casinos, ruletové kolo",
    "assumed": "předpoklad provozovatele",
}
WORDINGS = {
    r"(?P<number>\d{1,2}) (?P<colour>red|black|green)": "wordings.number",
    r"dealer (?P<total>\d{1,2})": "wordings.dealer",
    r"dealer (?P<total>\d{1,2}), bust": "wordings.dealer_bust",
    r"dealer blackjack": "wordings.dealer_blackjack",
    r"dealer: (?P<hand>[a-z ]+)": "wordings.dealer_hand",
    r"Player (?P<player>\d), Banker (?P<banker>\d)": "wordings.coup",
    r"field (?P<times>\d+)x(?: (?P<shade>black|pink))?": "wordings.field",
    r"nobody played": "wordings.nobody_played",
    r"nobody called": "wordings.nobody_called",
    r"all folded": "wordings.all_folded",
}
"""Results as worded by the plans; other wordings of an operator are returned unchanged."""
CARD = "[2-9TJQKA][CDHS]"
AMONG_PLAYERS = re.compile(rf"(?:no board|{CARD}(?: {CARD})*): .+|.+ against .+: [+-]\d+")
"""Results of hands: board and winners, or the points of each pair of players."""
PARTS = {
    "no board": "wordings.no_board",
    "against": "wordings.against",
    "and": "wordings.and",
}
BOX = re.compile(r"(?P<box>\d{1,2})(?:\.(?P<hand>\d))?")
SHARED = re.compile(r"shared\.\d+")
SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def named(words: Words, area: str, code: str) -> str:
    """Return the name of a code from an area whose keys are codes.

    The code ``other`` has the key ``otherwise``, because ``other`` is a form of counted texts.
    Games of published plans that this program does not contain have their names in the plan.
    """
    key = "otherwise" if code == "other" else code
    name = catalogue(words.language).get(f"{area}.{key}")
    if name is None and area == "games":
        return _of_plan(words, code)
    return code if name is None else name


def finality_text(words: Words, stage: str) -> str:
    """Describe how final all facts of a file are, with what that means."""
    name = words.text("finality.of_file", stage=named(words, "finality", stage))
    return f"{name} {named(words, 'finality_meanings', stage)}"


def _of_plan(words: Words, game: str) -> str:
    from ledger import games  # noqa: PLC0415 - most questions are answered without the games

    try:
        header = games.plan(game).header
    except games.SettlementError:
        return game
    is_english = words.language is Language.EN
    return header.name_en if is_english and header.name_en else header.name


def coded(words: Words, area: str | None, fact: str, code: str) -> str:
    """Return the name of a code in a field, from the field's area or else from ``codes``."""
    name = code if area is None else named(words, area, code)
    return name if name != code else named(words, f"codes.{fact}", code)


def bet(words: Words, code: str, selection: str = "", *, additional: bool = False) -> str:
    """Return the name of a bet with its selection, such as ``split 17/20``.

    Args:
        words: texts in the reader's language.
        code: as recorded.
        selection: as recorded, JSON or empty.
        additional: the bet was added to another one by an action, such as a split in blackjack; a
            code that only actions have is named by them in any case.

    """
    areas = ("actions", "bets") if additional else ("bets", "actions")
    known = catalogue(words.language)
    name = named(words, next((one for one in areas if f"{one}.{code}" in known), areas[0]), code)
    chosen = json.loads(selection) if selection else None
    if chosen is None:
        return name
    if isinstance(chosen, dict):
        return words.text(
            "selections.neighbours",
            bet=name,
            number=str(chosen["number"]),
            each_side=str(chosen["each_side"]),
        )
    numbers = chosen if isinstance(chosen, list) else [chosen]
    return f"{name} {'/'.join(map(str, numbers))}"


def recipient(words: Words, recorded: str) -> str:
    """Return the recipient of a card: dealer, board, a side, a box with its hand, or an account."""
    if (box := BOX.fullmatch(recorded)) is not None:
        if box["hand"]:
            return words.text("recipients.box_hand", box=box["box"], hand=box["hand"])
        return words.text("recipients.box", box=box["box"])
    return named(words, "recipients", SHARED.sub("shared", recorded))


def card(text: str) -> str:
    """Format a recorded card such as ``TD`` as ``10♦``; an unseen one as ``?``."""
    return text[:-1].replace("T", "10") + SUITS.get(text[-1:], "?")


def wording(words: Words, recorded: str) -> str:
    """Return the recorded wording of a result, such as ``22 black``, in another language."""
    if words.language is Language.EN:
        return recorded
    for pattern, key in WORDINGS.items():
        found = re.fullmatch(pattern, recorded)
        if found is not None:
            values = found.groupdict()
            if "times" in values:
                code = "_".join(filter(None, (f"x{values['times']}", values["shade"])))
                values = {"field": named(words, "bets", code)}
            if "colour" in values:
                values["colour"] = named(words, "colours", values["colour"])
            if "hand" in values:
                values["hand"] = named(words, "hands", values["hand"].replace(" ", "_"))
            return words.text(key, **values)
    if AMONG_PLAYERS.fullmatch(recorded) is not None:
        for part, key in PARTS.items():
            recorded = re.sub(rf"(?<![^ ]){part}(?![^ :])", words.text(key), recorded)
    return recorded


def paragraph(words: Words, recorded: str) -> str:
    """Return a recorded paragraph in the language's form of citation.

    Records have the form ``SAZKA annex Roulette (Synot) 25-26``, ``SAZKA 14(1)``, or, for documents
    without numbers, the heading in English; Czech headings are returned unchanged.
    """
    if words.language is Language.EN:
        return recorded
    document, comma, heading = recorded.partition(", ")
    if document in BY_HEADING and recorded not in CITED:
        cited = BY_HEADING[document]
        return f"{cited}, {named(words, 'headings', heading)}" if comma else cited
    if (annex := ANNEX.fullmatch(recorded)) is not None:
        return f"SAZKA, příloha {annex[1]}, odst. {annex[2]}"
    cited = "; ".join(map(_cited, recorded.split("; ")))
    return cited.replace("Stastne kolo", "Šťastné kolo")


def _cited(recorded: str) -> str:
    """Return a citation of an act in Czech form; other citations are returned unchanged."""
    if recorded in CITED:
        return CITED[recorded]
    for act, (czech, sign) in ACTS.items():
        if recorded == act:
            return czech
        if recorded.startswith(f"{act} annex, "):
            return f"{czech}, příloha, {recorded.removeprefix(f'{act} annex, ')}"
        if recorded.startswith(f"{act} "):
            places = _places(recorded.removeprefix(f"{act} "), sign)
            return f"{czech}, {places}" if places else recorded
    return recorded


def _places(recorded: str, sign: str) -> str:
    """Format sections such as ``15(1), 15(3)`` and ``8(6) to (8)``; empty for anything else."""
    pieces = re.split("(, | to )", recorded)
    found = [PLACE.fullmatch(one) for one in pieces[::2]]
    if not all(found):
        return ""
    written = [_place(one, sign) for one in found if one is not None]
    between = [" až " if one == " to " else one for one in pieces[1::2]]
    return "".join(map("".join, zip(written, [*between, ""], strict=True)))


def _place(found: re.Match[str], sign: str) -> str:
    parts = (f"{sign} {{}}", "odst. {}", "písm. {})")
    return " ".join(
        part.format(one) for part, one in zip(parts, found.groups(), strict=True) if one
    )
