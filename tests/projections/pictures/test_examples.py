"""The pictures of docs/pictures.md are those that the code draws of known rounds."""

from __future__ import annotations

import re

import pytest

from ledger.log.memory import MemoryLog
from tests.projections.pictures.example_rounds import FOLDER, drawn, play
from tests.projections.pictures.picture_cases import read_back, texts, values

PAGE = FOLDER.with_suffix(".md")


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    log = MemoryLog()
    ledger = play(log, tmp_path_factory.mktemp("examples"))
    found = drawn(log)
    ledger.close()
    return found


def test_the_files_are_what_is_drawn(pictures: dict[str, str]) -> None:
    kept = {file.stem: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.svg")}
    fresh = {name: f"{picture}\n" for name, picture in pictures.items()}
    assert kept == fresh, "make them anew: python tests/projections/pictures/example_rounds.py"


def test_the_page_shows_every_file(pictures: dict[str, str]) -> None:
    shown = re.findall(r"\]\(pictures/([\w-]+)\.svg\)", PAGE.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(pictures)


def test_a_split_hand_a_double_and_a_corrected_card_are_drawn(pictures: dict[str, str]) -> None:
    said = texts(read_back(pictures["blackjack"]))
    assert {"Box 1.1", "Box 1.2", "20", "18", "26, bust", "blackjack"} <= set(said)
    assert "Card 7: recorded as 7♠, 7♥ lay there (the record was corrected)." in said


def test_a_chip_on_the_cloth_is_that_of_its_participant(pictures: dict[str, str]) -> None:
    root = read_back(pictures["roulette"])
    chips = {(one.get("data-place"), one.get("data-chips-of")) for one in root.iter()}
    neighbours = {(f"straight {number}", "1") for number in (2, 21, 25, 17, 34)}
    assert chips - {(None, None)} == neighbours | {
        ("split 17/20", "1"),
        ("red red", "2"),
        ("dozen dozen 2", "2"),
        ("black black", "3"),
        ("street 1/2/3", "3"),
    }


def test_pots_name_who_could_win_them_and_who_did(pictures: dict[str, str]) -> None:
    root = read_back(pictures["poker"])
    assert values(root, "pot") == {"0": 1, "1": 1}
    said = " ".join(texts(root))
    assert "three of a kind" in said
    assert "Main pot: 2,400, of it rake" in said
    assert "won by bara." in said
    assert "won by anna." in said or "won by cyril." in said


def test_a_fouled_set_is_told(pictures: dict[str, str]) -> None:
    assert "Foul: the rows are in the wrong order." in texts(read_back(pictures["open-face"]))


def test_pictures_that_are_not_of_one_round_are_small(pictures: dict[str, str]) -> None:
    assert all(len(picture) < 60_000 for picture in pictures.values())
