"""Golden games of Sushi Boat: replayed from their text, line by line the same; what they cover."""

from __future__ import annotations

import pytest

from sushigo_env.sushi_boat import record
from sushigo_env.sushi_boat.cards import DISHES, STAFF, VARIANTS
from tests.boat_golden import CASES, FOLDER, played, read, tell

TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.txt"))}


def test_there_is_a_text_for_every_case_and_no_other() -> None:
    assert set(TEXTS) == set(CASES), "run `make golden`"
    assert {(players, variant) for players, variant, _, _ in CASES.values()} >= {(2, name) for name in VARIANTS}
    assert {players for players, *_ in CASES.values()} == {2, 3, 4, 5}


@pytest.mark.parametrize("name", CASES)
def test_a_text_replayed_is_the_text(name: str) -> None:
    made = record.replay(read(TEXTS[name])).record()
    assert tell(made) == TEXTS[name]
    assert tell(played(*CASES[name])) == TEXTS[name], "run `make golden`"


# Counted by hand from the stacks, the dishes eaten and the cubes that the texts show at the end.
BY_HAND = {
    # runs red 2, yellow 2, blue 2; a set of 6, then only pairs; as many dishes as player_1, who has most; 3 cubes
    "three_standard": (2, 3 + 7 + 5 + 0 + 3),
    # a red run of 2; sets of 5 and 3; most dishes; 1 cube
    "two_standard": (1, 1 + 5 + 5 + 0 + 1),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_totals_counted_by_hand(name: str) -> None:
    seat, total = BY_HAND[name]
    assert record.result_of(record.replay(read(TEXTS[name])))["totals"][seat] == total


def test_they_show_what_there_is() -> None:
    actions = [words for text in TEXTS.values() for words in read(text)["actions"]]
    for words in (*(f"play {dish}" for dish in DISHES), "decline", "eat nothing", "keep second", "visit", "buy"):
        assert words in actions, words
    for begins in ("take ", "swap with", "first to", "name ", "top plate to", "discard ", "guess "):
        assert any(words.startswith(begins) for words in actions), begins
    assert all(f" {staff}" in "".join(TEXTS.values()) for staff in STAFF)
