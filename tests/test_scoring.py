"""Scoring cases counted by hand, through the engine's functions and through the plain reference."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sushigo_env.sushi_go import scoring
from sushigo_env.sushi_go.cards import CARDS, INDEX
from tests import reference

CASES = json.loads((Path(__file__).parent / "cases" / "scoring.json").read_text())


def engine_points(tables):
    """Each table's points of a round, by the engine's functions; the nigiri by the reference's order of laying."""
    icons = np.array([sum(int(scoring.MAKI_ICONS[INDEX[card]]) for card in table) for table in tables], np.int64)
    maki = np.zeros(len(tables), np.int64)
    scoring.maki_points(icons, len(tables), maki)
    points = []
    for table, maki_points in zip(tables, maki, strict=True):
        count = Counter(table)
        sets = scoring.tempura_points(count["tempura"]) + scoring.sashimi_points(count["sashimi"])
        points.append(sets + scoring.dumpling_points(count["dumpling"]) + nigiri_points(table) + int(maki_points))
    return points


def nigiri_points(table):
    """A walk over the cards laid, with the engine's numbers."""
    points = bare = 0
    for card in table:
        value = int(scoring.NIGIRI_POINTS[INDEX[card]])
        if card == "wasabi":
            bare += 1
        elif value:
            points += value * (scoring.WASABI_FACTOR if bare else 1)
            bare -= bool(bare)
    return points


@pytest.mark.parametrize("case", CASES["rounds"], ids=lambda case: case["why"])
def test_rounds(case):
    assert engine_points(case["tables"]) == case["points"]
    assert [sum(kinds.values()) for kinds in reference.round_points(case["tables"])] == case["points"]


@pytest.mark.parametrize("case", CASES["puddings"], ids=lambda case: case["why"])
def test_puddings(case):
    out = np.zeros(case["players"], np.int64)
    scoring.pudding_points(np.array(case["counts"]), case["players"], out)
    assert out.tolist() == case["points"]
    assert reference.pudding_points(case["counts"]) == case["points"]


def test_two_players_lose_points_for_puddings_once_the_dummy_is_a_third():
    out = np.zeros(3, np.int64)
    scoring.pudding_points(np.array([4, 2, 4]), 3, out)
    assert out.tolist() == [3, -6, 3]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_maki_agrees_with_the_reference_for_every_small_table(players):
    out = np.zeros(players, np.int64)
    for icons in np.ndindex(*[5] * players):
        scoring.maki_points(np.array(icons), players, out)
        assert out.tolist() == reference.maki_points(list(icons)), icons


@pytest.mark.parametrize("tableaus", [2, 3, 4, 5])
def test_puddings_agree_with_the_reference_for_every_small_table(tableaus):
    out = np.zeros(tableaus, np.int64)
    for puddings in np.ndindex(*[5] * tableaus):
        scoring.pudding_points(np.array(puddings), tableaus, out)
        assert out.tolist() == reference.pudding_points(list(puddings)), puddings


def test_the_numbers_agree_with_the_reference_for_every_count():
    for count in range(15):
        table = {"tempura": 5 * (count // 2), "sashimi": 10 * (count // 3)}
        assert scoring.tempura_points(count) == table["tempura"]
        assert scoring.sashimi_points(count) == table["sashimi"]
        assert scoring.dumpling_points(count) == reference.dumpling_points(count)
    assert {name: int(scoring.NIGIRI_POINTS[INDEX[name]]) for name in reference.NIGIRI} == reference.NIGIRI
    assert {name: int(scoring.MAKI_ICONS[INDEX[name]]) for name in reference.ICONS} == reference.ICONS
    assert sum(scoring.MAKI_ICONS) == 6
    assert sum(scoring.NIGIRI_POINTS) == 6


def test_the_deck_is_the_rules():
    from sushigo_env.sushi_go.cards import COPIES

    assert dict(zip(CARDS, COPIES.tolist(), strict=True)) == reference.COPIES
