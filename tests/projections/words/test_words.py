"""Every text stands in both languages, is used, and reads as the language writes it."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, get_args, get_type_hints

import pytest
from fastapi.routing import APIRoute

import schemas
from ledger import games
from ledger.core.clock import MINUTE
from ledger.decisions.decider import refusals_of
from ledger.decisions.floor.cage import PurposeIn, PurposeOut
from ledger.decisions.floor.slips import Method
from ledger.decisions.movements import MOVEMENTS, PLAYERS, If
from ledger.decisions.rounds.actions import Decide
from ledger.decisions.rounds.betting import PlaceBet, WithdrawBet
from ledger.decisions.statements import KINDS
from ledger.games.api.cards import RANKS, SUITS
from ledger.games.blackjack.side_bets import combinations
from ledger.games.poker.ranking import CATEGORIES
from ledger.games.tournament.entries import ENTRY_WORDS
from ledger.log.finality import Finality, SealState
from ledger.rules import law
from ledger.rules.operator import Figures, Periods
from projections.books import ageing
from projections.books.sheets import COLUMNS
from projections.books.tax import Way
from projections.facts.rendering import AREAS, OPTIONAL, codes_in_words, render_fact
from projections.findings.finding import State
from projections.findings.headers import known_duties, known_findings
from projections.matching.values import LineStatus
from projections.packages.cz.settings import Settings
from projections.packages.status import PeriodStatus, Step
from projections.questions import accounts, tables, tournaments
from projections.reconciliation import complaints
from projections.replay import round as replay
from projections.replay import round_line
from projections.words.catalogue import (
    Language,
    Words,
    areas,
    catalogue,
    keys_of,
    names_in,
    placeholders,
)
from projections.words.names import BY_HEADING, bet, card, named, paragraph, wording
from tools import access
from tools.access import questions as questions_of_access
from tools.access.accesses import Access
from tools.access.api_changes import FieldChange
from tools.access.api_files import CheckpointLine
from tools.access.api_rules import KnownReader
from tools.access.changes import COMPARED
from tools.access.pages_actions import Action
from tools.access.questions.declaration import Question
from tools.access.questions.licences import QUESTIONS
from tools.access.search import TAGS
from tools.data.documents import Event
from tools.data.fairness import NoVerdict

ROOT = Path(__file__).parents[3]
CS, EN = Words(Language.CS), Words(Language.EN)
PLANS = [games.plan(game) for game in sorted(games.games())]


def bet_codes() -> set[str]:
    found = {"pot", "stack", *ENTRY_WORDS}
    for plan in PLANS:
        found |= set(getattr(plan, "bets", getattr(plan, "bet_words", ())))
    return found


def rules_cited() -> set[str]:
    """Every paragraph that a plan cites."""
    found = set()
    for plan in PLANS:
        document = games.document(plan.header.game, plan.header.version)
        cited = re.findall(r'"((?:SAZKA|69GAMES|SL|Baccarat|Czech Casinos)\b[^"]*)"', document)
        found |= set(cited) - {plan.header.source}
    return {rule for rule in found if rule not in {"Baccarat", "SAZKA"}}


def rules_of_operators() -> set[str]:
    """Every paragraph that rules of an operator cite: as a source, of a refusal, of a finding."""
    found: set[str] = set()

    def walk(part: dict[str, Any]) -> None:
        for name, value in part.items():
            if isinstance(value, dict):
                walk(value)
            elif name == "source" or name.isupper():
                found.add(value)

    for operator in (ROOT / "ledger/rules/operators").glob("*.toml"):
        walk(tomllib.loads(operator.read_text(encoding="utf-8")))
    return found


def codes_of_facts() -> set[str]:
    """Every code that a sentence may have to name, as the schemas list them."""
    found = {"ground.register", "ground.operator", "what.identity", "what.identity and age"}
    found.add("plan_version.unknown")
    for name, schema in schemas.newest().items():
        said = placeholders(Language.EN, f"sentences.{name}")
        for fact in schema.facts:
            listed = LISTED.match(fact["doc"])
            if fact["name"] in said & TOLD and listed:
                codes = re.split(r",? or |, ", re.sub(r"\bother\b", "otherwise", listed[1]))
                found |= {f"{fact['name']}.{one}" for one in codes}
    elsewhere = {f"{fact}.{one}" for fact, area in AREAS.items() for one in named_in(area)}
    return found - elsewhere


def places() -> set[str]:
    """Places of the floor: those of the movements, and those that their columns name."""
    legs = {leg for movement in MOVEMENTS.values() for leg, _ in movement.legs}
    kinds = [kind for leg in legs for kind in (leg if isinstance(leg, If) else [leg])]
    named = {kind.partition(":")[2] for kind in kinds if re.fullmatch(r".*:[a-z]+", kind)}
    return named | {"cage", "table", "tronc", "tournament", "stock", "differences"}


def otherwise(code: str) -> str:
    return "otherwise" if code == "other" else code


def named_in(area: str) -> set[str]:
    return {key.removeprefix(f"{area}.") for key in catalogue(Language.EN) if key.startswith(area)}


def asked() -> set[str]:
    """Return the addresses that are asked; page and answer of the API share a text."""
    modules = [import_module(f"tools.access.{one.name}") for one in iter_modules(access.__path__)]
    paths = {
        route.path
        for module in modules
        for route in getattr(getattr(module, "router", None), "routes", ())
        if isinstance(route, APIRoute) and "GET" in route.methods
    }
    open_to_all = {"/sign-in", "/language/{language}"}
    return {path.removeprefix("/api").removeprefix("/changes") for path in paths - open_to_all}


OWN_HEADINGS = {
    "Access.parameters",
    "Access.rows",
    "BetLine.wording",
    "Case.answer",
    "Event.envelope",
    "FieldChange.earlier",
    "Hold.placed_at",
    "LicenceDuty.open",
    "StatementState.account",
    "StatementState.last_day",
    "TrialLine.account",
}
"""Columns whose field means something else in their list."""


def columns_of_licences() -> set[str]:
    """Return the fields of the answers over all logs, and what has its own name in a list."""
    rows = {field.name for one in QUESTIONS for field in fields(one.row)}
    return rows | OWN_HEADINGS


def fields_compared() -> set[str]:
    """Return the last names of the fields and lists that the page of changes shows."""
    parts = [part for one in COMPARED for part in one.parts if part.shown]
    shown = [field for one in (*COMPARED, *parts) for field in one.shown]
    return {one.path.rpartition(".")[2] for one in (*parts, *shown)} - {"*"}


def columns_of_lists() -> set[str]:
    """Return the names of the columns of all lists that can be downloaded."""
    questions = (
        one
        for package in (access, questions_of_access)
        for name in iter_modules(package.__path__, f"{package.__name__}.")
        for one in vars(import_module(name.name)).values()
    )
    kinds = {one.row for one in questions if isinstance(one, Question) and one.row is not None}
    kinds |= {Access, CheckpointLine, Event, FieldChange, KnownReader, PeriodStatus}
    return {one.name for kind in kinds for one in fields(kind)}


LISTED = re.compile(r"((?:[a-z_]+, )*[a-z_]+,? or [a-z_]+)(?![a-z_ ])")
"""The codes with which the description of a fact begins."""
TOLD = frozenset({"answer", "by", "cause", "change", "check", "format", "kind", "method"})
TOLD |= {"method_class", "occasion", "reason", "regime", "way", "why"}
CODES = {
    "package_steps": set(get_args(Step)) - {""},
    "codes": codes_of_facts(),
    "games": set(games.games()),
    "bets": bet_codes(),
    "events": set(schemas.newest()),
    "sentences": set(schemas.newest()),
    "recipients": {
        "dealer",
        "board",
        "burn",
        "player",
        "banker",
        "shared",
        "box",
        "box_hand",
    },
    "devices": {"wheel", "shoe", "shuffler", "machine"},
    "channels": {"voice", "chat", "screen"},
    "occasions": {"drawn", "late", "balance", "table_closed", "reserved"},
    "rulings": {"inspector", "floorman", "management", "warning", "sit_out"},
    "results": {str(result) for result in games.Result},
    "voids": {reason for plan in PLANS for reason in plan.header.void_reasons},
    "hands": set(CATEGORIES),
    "cards": {*SUITS, *RANKS},
    "statuses": {
        *get_args(round_line.Status),
        *get_args(replay.BetStatus),
        *get_args(tournaments.Status),
    },
    "accounts": {
        *(f"status.{one}" for one in get_args(accounts.Status)),
        *(f"block.{one}" for one in get_args(get_type_hints(accounts.Block)["kind"])),
        *(f"measure.{letter}" for letter in "abcdefg"),
    },
    "cases": {
        code
        for field in ("kind", "status")
        for code in get_args(get_type_hints(complaints.Case)[field])
    },
    "findings": set(known_findings()),
    "refused": {code for one in (Decide, PlaceBet, WithdrawBet) for code in refusals_of(one)},
    "states": set(get_args(State)),
    "asked": asked(),
    "fields": fields_compared() | columns_of_lists() | columns_of_licences(),
    "licences": {one.command for one in QUESTIONS},
    "no_verdict": set(get_args(NoVerdict)) - {""},
    "found_kinds": {*TAGS, "event", "rounds", "statement_line"},
    "watched_kinds": {"wheel", "dealer", "shoe"},
    "issuer_kinds": set(KINDS),
    "standings": {one.value for one in LineStatus if one.value.islower()},
    "offers": set(get_args(tables.State)),
    "figures": {*Figures.__struct_fields__, *Periods.__struct_fields__},
    "personal": {
        fact["name"]
        for event in ("AccountOpened", "PersonChanged")
        for fact in schemas.newest()[event].facts
        if "personal" in fact
    },
    "streets": {"ante", "preflop", "flop", "turn", "river", "stack"},
    "actions": {
        *games.ADDITIONAL_WAGERS,
        *("hit", "stand", "skip_insurance", "even_money", "free_double", "free_split"),
        *("fold", "check", "play", "post", "ante", "bet", "muck", "show", "stack", "dead"),
    },
    "reasons": {str(reason) for reason in games.Reason},
    "colours": {games.colour_of(number) for number in range(37)},
    "combinations": {f"{kind}.{name}" for kind, names in combinations().items() for name in names},
    "headings": {
        rule.partition(", ")[2]
        for rule in rules_cited() | rules_of_operators()
        if rule.partition(", ")[0] in BY_HEADING and ", " in rule
    },
    "returns": {
        *("disconnected", "left", "panic", "exclusion", "cancellation", "logout", "login_time"),
        "voided",
    },
    "floor": {
        *("cage", "table", "tournament", "opening", "closing", "cash", "chips", "tronc"),
        *get_args(PurposeIn),
        *get_args(PurposeOut),
    },
    "books": {
        *COLUMNS,
        *(f"head_{one.partition(':')[0]}" for text in COLUMNS.values() for one in text.split()),
        *(
            f"account_{kind}"
            for kind in (*PLAYERS, "claims_settled", "write_offs", "game_result", "charges")
        ),
        *(f"channel_{name}" for name in Settings().ways),
        *(f"item_{name}" for name in ("line", "payment", "claim")),
        *(f"way_{name}" for name in get_args(Way)),
        *(f"means.{otherwise(one)}" for one in ("chips", *get_args(Method))),
        *(f"place.{otherwise(one)}" for one in places()),
        *("account_prize_pool", "kind_Z", "total", "by_channel"),
        *("book", "note", "open_note", "uneven", "download", "show", "which"),
    },
    "open_items": set(get_args(ageing.Kind)),
    "finality": {*Finality, "of_file", "sealed_by", "title"},
    "finality_meanings": set(Finality),
    "origin_seals": set(SealState),
    "duties": set(known_duties()),
    "acts": set(get_args(Action)),
    "watched": {"wheel", "dealer", "shoe", "table"},
    "calendar": {"CET", "CEST", "day", *(f"month_{month}" for month in range(1, 13))},
}
"""Areas whose keys are codes: each code has its text, and there is no other. The keys of all
other areas stand as literals in the code or in a template."""


@pytest.mark.parametrize("area", areas())
def test_both_languages_have_the_same_texts(area: str) -> None:
    assert keys_of(Language.CS, area) == keys_of(Language.EN, area)
    for key in keys_of(Language.EN, area):
        there = f"{area}.{key}"
        assert placeholders(Language.CS, there) == placeholders(Language.EN, there), there


@pytest.mark.parametrize("area", sorted(CODES))
def test_an_area_of_codes_has_exactly_its_codes(area: str) -> None:
    assert set(keys_of(Language.EN, area)) == CODES[area]


def test_every_other_text_is_used_and_every_used_text_exists() -> None:
    open_areas = set(areas()) - CODES.keys()
    literal = re.compile(rf"""["'`]((?:{"|".join(sorted(open_areas))})\.(?!html\b)[\w.]+)["'`]""")
    sources = [
        file
        for room in ("projections", "tools")
        for file in (ROOT / room).rglob("*")
        if file.suffix in {".py", ".html", ".js", ".jinja"}
    ]
    used = {key for file in sources for key in literal.findall(file.read_text(encoding="utf-8"))}
    there = {f"{area}.{key}" for area in open_areas for key in keys_of(Language.EN, area)}
    assert there == used


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("event", sorted(schemas.newest()))
def test_every_event_is_told_in_a_sentence_also_without_what_may_be_missing(
    event: str, language: Language
) -> None:
    values = {"string": "x", "long": 1, "int": 1, "boolean": True}
    facts: dict[str, Any] = {
        fact["name"]: values.get(fact["type"])
        if isinstance(fact["type"], str)
        else ["x", "y"]
        if fact["type"] == {"type": "array", "items": "string"}
        else None
        for fact in schemas.newest()[event].facts
    }
    if "selection" in facts:
        facts["selection"] = ""
    if event == "ContradictionRecorded":
        facts |= {"code": "BEFORE_CLOSE", "parameters": "{}"}
    told = render_fact(Words(language), event, facts)
    assert told.endswith((".", ")", ": x"))
    assert told != named(Words(language), "events", event)


def test_a_part_of_a_sentence_is_said_where_its_facts_are_there() -> None:
    """And in both languages for the same facts."""
    facts = {"account": "a", "decision": "raise", "by": "player", "free": False, "times": 3}
    facts |= {"stake": 0, "street": "", "hand": ""}
    assert (
        render_fact(EN, "PlayerDecided", facts) == "a decided: raise, 3 times the ante (by player)."
    )
    assert render_fact(CS, "PlayerDecided", facts | {"hand": "1.2"}) == (
        "a rozhodl: navýšení, 3\N{MULTIPLICATION SIGN} ante, ruka 1.2 (učinil hráč)."
    )
    optional = {
        language: {
            key: sorted(
                sorted(names_in(part)) for part in OPTIONAL.findall(catalogue(language)[key])
            )
            for key in catalogue(language)
            if key.startswith("sentences.")
        }
        for language in Language
    }
    assert optional[Language.EN] == optional[Language.CS]
    brackets = "".join(OPTIONAL.sub("", text) for text in catalogue(Language.EN).values())
    assert not any(sign in brackets for sign in "[]")


def test_a_measure_is_told_with_its_name_and_unit() -> None:
    facts = {
        "account": "a",
        "measure": "a",
        "value": 100_000,
        "previous": None,
        "change": "first",
        "effective_at": 1_795_201_200_000_000,
    }
    told = plain(render_fact(CS, "LimitSet", facts))
    assert told.startswith("Opatření „Nejvyšší sázky za den“: nastaveno 1 000,00 Kč")
    facts |= {"measure": "g", "value": 90}
    assert "Pause after a logout” was set to 90 (" in render_fact(EN, "LimitSet", facts)


@pytest.mark.parametrize("language", Language)
def test_a_counted_text_has_every_form_of_its_language(language: Language) -> None:
    forms = {"one", "few", "other"} if language is Language.CS else {"one", "other"}
    found: dict[str, set[str]] = {}
    for key in catalogue(language):
        stem, _, last = key.rpartition(".")
        if last in {"one", "few", "other"}:
            found.setdefault(stem, set()).add(last)
    assert all(one == forms for one in found.values()), found


@pytest.mark.parametrize("language", Language)
def test_no_text_is_empty_or_begins_or_ends_with_space(language: Language) -> None:
    assert all(text.strip() == text and text for text in catalogue(language).values())


@pytest.mark.parametrize(
    ("haler", "czech", "english"),
    [
        (0, "0,00 Kč", "CZK 0.00"),
        (5, "0,05 Kč", "CZK 0.05"),
        (123_450, "1 234,50 Kč", "CZK 1,234.50"),
        (-123_450, "-1 234,50 Kč", "-CZK 1,234.50"),
        (100_000_000_000, "1 000 000 000,00 Kč", "CZK 1,000,000,000.00"),
    ],
)
def test_money(haler: int, czech: str, english: str) -> None:
    assert CS.money(haler) == czech.replace(" ", "\N{NO-BREAK SPACE}")
    assert EN.money(haler) == english.replace(" ", "\N{NO-BREAK SPACE}")


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("count", "czech", "english"),
    [
        (0, "0 žetonů", "0 chips"),
        (1, "1 žeton", "1 chip"),
        (2, "2 žetony", "2 chips"),
        (4, "4 žetony", "4 chips"),
        (5, "5 žetonů", "5 chips"),
        (22, "22 žetonů", "22 chips"),
        (10_000, "10 000 žetonů", "10,000 chips"),
    ],
)
def test_plural_forms(count: int, czech: str, english: str) -> None:
    assert plain(CS.counted("units.chips", count)) == czech
    assert EN.counted("units.chips", count) == english


def test_moments_are_those_of_prague_with_the_zone() -> None:
    winter, summer = 1_795_201_200_123_456, 1_782_842_400_000_000
    assert plain(CS.moment(winter)) == "20. listopadu 2026, 20:00:00,123 SEČ"
    assert plain(EN.moment(winter)) == "20 November 2026, 20:00:00.123 CET"
    assert plain(CS.moment(summer)) == "30. června 2026, 20:00:00,000 SELČ"
    assert plain(EN.moment(-1)) == "-1 µs"
    assert EN.length(7_241_000_000) == "2:00:41"


@pytest.mark.parametrize(
    ("minutes", "czech", "english"),
    [
        (0, "0 minut", "0 minutes"),
        (59, "59 minut", "59 minutes"),
        (60, "1 hodina", "1 hour"),
        (23 * 60 + 59, "23 hodin", "23 hours"),
        (24 * 60, "1 den", "1 day"),
        (3 * 24 * 60, "3 dny", "3 days"),
        (200 * 60, "8 dní", "8 days"),
    ],
)
def test_an_age_is_in_its_largest_unit(minutes: int, czech: str, english: str) -> None:
    assert plain(CS.age(minutes * MINUTE)) == czech
    assert EN.age(minutes * MINUTE) == english


def test_lists_chips_and_decimals() -> None:
    assert CS.listed(["a", "b", "c"]) == "a, b a c"
    assert EN.listed(["a", "b"]) == "a and b"
    assert EN.listed(["a"]) == "a"
    assert EN.listed([]) == ""
    assert plain(EN.chips(150_000)) == "1,500 chips"
    assert plain(CS.chips(150)) == "1,50 žetonu"
    assert CS.decimal(95, 2) == "0,95"
    assert EN.decimal(7, 0) == "7"


def test_bets_with_their_selections() -> None:
    assert bet(EN, "split", "[17, 20]") == "split 17/20"
    assert bet(CS, "split", "[17, 20]") == "sázka na dvě čísla (split) 17/20"
    assert bet(CS, "straight", "[17]") == "sázka na číslo 17"
    assert bet(CS, "red") == "červená"
    assert bet(EN, "dozen", "2") == "dozen 2"
    neighbours = '{"number": 17, "each_side": 2}'
    assert bet(EN, "neighbours", neighbours) == "neighbours of 17, 2 on each side"
    assert bet(CS, "split", additional=True) == "dělení"
    assert bet(CS, "of tomorrow") == "of tomorrow"


def test_cards_codes_and_paragraphs() -> None:
    assert [card("TD"), card("AS"), card("")] == ["10♦", "A♠", "?"]
    assert named(EN, "events", "BetsClosed") == "No more bets"
    assert paragraph(CS, "SAZKA annex Blackjack 25") == "SAZKA, příloha Blackjack, odst. 25"
    assert paragraph(CS, "SAZKA 14(1)") == "SAZKA, § 14 odst. 1"
    assert paragraph(CS, "SAZKA 12(1), (2), (4)") == "SAZKA, § 12 odst. 1, odst. 2, odst. 4"
    assert paragraph(CS, "SAZKA 8(6) to (8)") == "SAZKA, § 8 odst. 6 až odst. 8"
    assert paragraph(CS, "SAZKA 10(1)b, c") == "SAZKA, § 10 odst. 1 písm. b), písm. c)"
    assert paragraph(CS, "AML act; GDPR 17(3)(b)") == "AML zákon; GDPR, čl. 17 odst. 3 písm. b)"
    assert paragraph(CS, "act 563/1991 § 8(1)") == "zákon č. 563/1991 Sb., § 8 odst. 1"
    assert paragraph(CS, "D10 annex, prostredek") == (
        "vyhláška č. 10/2019 Sb., příloha, prostredek"
    )
    assert paragraph(CS, "SAZKA 5 or so") == "SAZKA 5 or so"
    assert paragraph(CS, "Czech Casinos, simple chance") == "Czech Casinos, Jednoduchá šance"
    assert paragraph(CS, "69GAMES Black Jack 5") == "69GAMES Black Jack 5"
    assert paragraph(EN, "SAZKA annex Blackjack 25") == "SAZKA annex Blackjack 25"


def test_every_paragraph_of_the_rules_is_cited_in_czech() -> None:
    cited = {*law.REFUSALS.values(), *(one.paragraph for one in known_findings().values())}
    cited |= rules_of_operators() | rules_cited()
    english = re.compile(
        r"\b(account|act|annex|civil|course|decree|document|fees|(?<!cash )game|kinds|law|of|"
        r"operation|plan|payouts|reasons|registration|rounding|rules|seats|to|tournament|the|void|wins)\b"
    )
    assert {rule for rule in cited - {""} if english.search(paragraph(CS, rule).lower())} == set()


@pytest.mark.parametrize(
    ("game", "outcome", "czech"),
    [
        ("sazka.roulette_synot", {"number": 22}, "22 černá"),
        ("sazka.blackjack_synot", {"dealer": ["KS", "9S"]}, "krupiér 19"),
        ("sazka.blackjack_synot", {"dealer": ["KS", "9S", "5D"]}, "krupiér 24, přes 21"),
        ("sazka.blackjack_synot", {"dealer": ["AS", "KD"]}, "krupiér má blackjack"),
        ("sazka.blackjack_synot", {}, "nikdo nehrál"),
    ],
)
def test_results_as_the_plans_word_them(game: str, outcome: dict[str, Any], czech: str) -> None:
    recorded = games.plan(game).describe_result(outcome)
    assert wording(CS, recorded) == czech
    assert wording(EN, recorded) == recorded


def test_no_result_of_a_wheel_is_worded_in_english() -> None:
    for game in ("69games.lucky_wheel", "69games.lucky_wheel_2"):
        plan = games.plan(game)
        for code in plan.fields:
            result = wording(CS, plan.describe_result({"field": code}))
            assert result == named(CS, "bets", code) != code


def test_codes_of_facts_are_named_beside_their_sentence() -> None:
    placed = {"bet": "b", "bet_code": "split", "selection": "[17,20]", "parent": "", "stake": 1}
    assert codes_in_words(CS, placed)["bet_code"] == "sázka na dvě čísla (split) 17/20"
    assert codes_in_words(CS, {**placed, "parent": "b0", "selection": ""})["bet_code"] == "dělení"
    refused = {"bet_code": "split", "selection": "", "code": "BET_AFTER_CLOSE", "parameters": "{}"}
    assert codes_in_words(CS, refused)["bet_code"] == "dělení"
    of_numbers = {**refused, "selection": "[17,20]"}
    assert codes_in_words(CS, of_numbers)["bet_code"] == "sázka na dvě čísla (split) 17/20"
    assert codes_in_words(CS, {**refused, "bet_code": "call"})["bet_code"] == "dorovnání"
    spun = {"wheel_direction": "clockwise", "ball_direction": "", "revolutions": 3}
    assert codes_in_words(CS, spun) == {"wheel_direction": "po směru hodinových ručiček"}
    assert codes_in_words(CS, {"device_kinds": ["wheel"]}) == {"device_kinds": "kolo"}
    stopped = render_fact(CS, "WheelStopped", {"round": "r", "field": "x25_black"})
    assert stopped == "Kolo se zastavilo, ukazatel ukazuje na černé pole 25\N{MULTIPLICATION SIGN}."


def test_every_hand_and_a_wording_of_the_operator() -> None:
    for category in CATEGORIES:
        told = wording(CS, f"dealer: {category.replace('_', ' ')}")
        assert told == f"krupiér: {named(CS, 'hands', category)}"
    assert wording(CS, "Player 6, Banker 7") == "Hráč 6, Krupiér 7"
    assert wording(CS, "22 black, on Tuesday") == "22 black, on Tuesday"


def test_a_text_that_is_missing_or_has_no_value_is_a_bug_with_a_name() -> None:
    with pytest.raises(LookupError, match="nothing"):
        EN.text("games.nothing")
    with pytest.raises(LookupError, match=r"selections\.neighbours has no value for 'bet'"):
        EN.text("selections.neighbours")


@pytest.mark.parametrize(
    ("recorded", "czech"),
    [
        ("no board: a-1 and a-2, a-3", "bez společných karet: a-1 a a-2, a-3"),
        ("8C 6H AS AD 7S: a-1", "8C 6H AS AD 7S: a-1"),
        ("a-1 against a-2: +4; a-3 against a-1: -4", "a-1 proti a-2: +4; a-3 proti a-1: -4"),
        ("against all odds", "against all odds"),
    ],
)
def test_results_of_hands_are_worded_in_czech(recorded: str, czech: str) -> None:
    assert wording(Words(Language.CS), recorded) == czech
    assert wording(Words(Language.EN), recorded) == recorded
