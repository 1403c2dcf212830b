"""The scoring functions of Sushi Boat by hand: each compiled, and plain, which must be the same."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from sushigo_env.sushi_boat import scoring
from sushigo_env.sushi_boat.cards import DEFAULT, MENUS, WHITE_PLATE

WORTH = np.array([0, *DEFAULT.set_points], np.int64)


def both(name, *args):
    """A scoring function's answer, if it is the same compiled and plain."""
    function = getattr(scoring, name)
    compiled, plain = function(*args), function.py_func(*args)
    assert compiled == plain
    return int(compiled)


@pytest.mark.parametrize(
    ("stack", "points"),
    [
        ([], 0),
        ([0], 0),
        ([0, 1, 2], 2),
        ([0, WHITE_PLATE, 1], 1),
        ([WHITE_PLATE] * 4, 0),
        ([0, 6, 1, 7], 0),
        ([WHITE_PLATE, 0, WHITE_PLATE, WHITE_PLATE, 1, 6, WHITE_PLATE, 7, WHITE_PLATE], 2),
    ],
)
def test_runs(stack, points):
    assert both("run_points", np.array([99, *stack], np.uint8), 1, len(stack)) == points


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ((0,) * 7, 0),
        ((5, 0, 0, 0, 0, 0, 0), 0),
        ((1, 1, 0, 0, 0, 0, 0), 0),
        ((1, 1, 1, 0, 0, 0, 0), 1),
        ((1, 1, 1, 1, 0, 0, 0), 2),
        ((1,) * 5 + (0, 0), 4),
        ((1,) * 6 + (0,), 7),
        ((1,) * 7, 11),
        ((2, 2, 2, 1, 1, 1, 1), 12),
        ((3, 1, 0, 2, 2, 1, 0), 4 + 1 + 0),
    ],
)
def test_sets(counts, points):
    assert both("set_points", np.array(counts, np.int64), WORTH, 0) == points


@pytest.mark.parametrize(
    ("eaten", "points"),
    [
        ([0, 0, 0], [0, 0, 0]),
        ([1, 0, 0], [5, 0, 0]),
        ([3, 2, 1], [5, 2, 0]),
        ([3, 2, 2], [5, 2, 2]),
        ([3, 3, 2], [5, 5, 0]),
        ([2, 2, 2], [5, 5, 5]),
        ([0, 4, 1, 1, 0], [0, 5, 2, 2, 0]),
    ],
)
def test_side_dish_majorities(eaten, points):
    for function in (scoring.majority_points, scoring.majority_points.py_func):
        out = np.full(len(eaten), 99, np.int64)
        function(np.array(eaten, np.int64), len(eaten), 5, 2, out)
        assert out.tolist() == points


def test_cubes_kept_are_what_guesses_and_hidden_plates_have_in_common():
    for a, b, c, *hidden in product(range(3), repeat=5):
        assert both("kept_of_two", a, b, *hidden) == (Counter([a, b]) & Counter(hidden)).total()
        best = max(
            (Counter(pair) & Counter(hidden)).total() + (extra in hidden)
            for extra, pair in ((a, (b, c)), (b, (a, c)), (c, (a, b)))
        )
        assert both("kept_of_three", a, b, c, *hidden) == best


def met(seat=0, plates=(5, 5), cubes=(1, 1), eaten=(1, 1), colours=(1,) * 5, types=(1, 1, 1, 1, 1, 0, 0)):
    """The menus that a seat has met."""
    counts = [np.array(each, np.int64) for each in (plates, cubes, eaten, colours, types)]
    asked = range(len(MENUS))
    return {MENUS[i] for i in asked if both("menu_is_met", i, seat, len(plates), *counts, DEFAULT.menu_plates)}


def test_most_and_fewest_need_a_sole_holder():
    assert met() == set()
    assert met(plates=(6, 5), cubes=(0, 2), eaten=(1, 2)) == {"most plates"}
    assert met(plates=(4, 5), cubes=(3, 2)) == {"fewest plates", "most cubes"}
    assert met(eaten=(2, 1)) == {"most side dishes eaten"}
    assert met(plates=(6, 6, 5), cubes=(2, 2, 0), eaten=(2, 2, 0)) == set()
    assert met(seat=2, plates=(6, 6, 5), cubes=(2, 2, 0), eaten=(2, 2, 1)) == {"fewest plates"}


def test_menus_of_what_lies_in_the_stack_and_of_dishes():
    assert met(eaten=(0, 0)) == {"no side dishes eaten"}
    assert met(eaten=(5, 5)) == {"at least 5 side dishes eaten"}
    assert met(types=(1,) * 7, eaten=(2, 2)) == {"all 7 types and at least 2 side dishes eaten"}
    assert met(types=(1,) * 7) == set()
    assert met(colours=(0, 0, 0, 0, 3)) == {"at least 3 whites"}
    assert met(types=(3, 2, 0, 3, 0, 0, 3)) == {"at least 3 salmon", "at least 3 tuna"}
    assert met(colours=(0, 4, 3, 4, 0)) == {"at least 4 yellow and 4 blue"}
    assert met(colours=(4, 4, 3, 4, 0)) == {f"at least 4 {pair}" for pair in ("red and 4 yellow", "red and 4 blue")} | {
        "at least 4 yellow and 4 blue"
    }
