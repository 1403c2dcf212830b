"""Sushi Boat by hand: what a stack, dishes, cubes and menus are worth, and who wins."""

import pytest

from tests.boat_positions import position
from tests.boat_tables import at_every_table, play

pytestmark = at_every_table

OTHER_DISHES = ["Edamame", "Edamame", "Edamame", "Edamame", "Fugu", "Fugu", "Fugu", "Mochi", "Mochi", "Mochi"]
OTHER_DISHES += ["Onigiri", "Onigiri", "Onigiri", "Takoyaki", "Takoyaki", "Takoyaki", "Tempura", "Tempura"]
EMPTY_BUT_THE_TUNNEL = {space: "" for space in range(14) if space not in (6, 7)} | {
    6: "white california",
    7: "white california",
}


def ended(table, num_players=3, **told):
    """A game after its last turn; the belt is empty, so that all coloured plates are there to be told of."""
    told.setdefault("belt", EMPTY_BUT_THE_TUNNEL)
    game = table(position(num_players, phase="END", deck_left=0, pawns={0: "L1"}, **told))
    assert play(game, "end turn")["done"]
    return game


def points(table, **told):
    return ended(table, **told).snapshot()["scores"]


def eaten(*counts):
    """So many dishes that are no Gyoza for each seat."""
    left = list(OTHER_DISHES)
    return {seat: ", ".join(left.pop() for _ in range(count)) for seat, count in enumerate(counts)}


@pytest.mark.parametrize(
    ("stack", "expected"),
    [
        ("", 0),
        ("red salmon", 0),
        ("red salmon, red salmon", 1),
        ("red salmon, white california, red salmon", 1),
        ("white california, red salmon, white california, white california, red salmon", 1),
        ("white california, white california", 0),
        ("red salmon, blue salmon, red salmon", 0),
        ("red salmon, red salmon, blue salmon, blue salmon, green shrimp, green salmon, green shrimp", 4),
    ],
)
def test_runs_are_worth_their_size_less_one_and_whites_neither_count_nor_break(table, stack, expected):
    assert points(table, stacks={0: stack})[0] == expected


SEVEN = ["red salmon", "yellow shrimp", "green octopus", "blue tuna", "red egg", "yellow roe", "white california"]


@pytest.mark.parametrize(("types", "expected"), list(enumerate([0, 0, 0, 1, 2, 4, 7, 11])))
def test_sets_of_different_types(table, types, expected):
    assert points(table, stacks={0: ", ".join(SEVEN[:types])})[0] == expected
    assert points(table, stacks={0: ", ".join(SEVEN[::-1][:types])})[0] == expected


def test_sets_are_filled_one_after_the_other(table):
    pairs = "red salmon, blue salmon, red shrimp, blue shrimp, red octopus, blue octopus"
    assert points(table, stacks={0: pairs})[0] == 2
    five_and_three = pairs + ", red tuna, blue egg"
    assert points(table, stacks={0: five_and_three})[0] == 5
    whites = "white california, white california, white california"
    assert points(table, stacks={0: f"red salmon, {whites}, blue shrimp"})[0] == 1


@pytest.mark.parametrize(
    ("dishes", "expected"),
    [
        ((3, 2, 1), [5, 2, 0]),
        ((1, 3, 2), [0, 5, 2]),
        ((3, 3, 1), [5, 5, 0]),
        ((3, 2, 2), [5, 2, 2]),
        ((3, 0, 0), [5, 0, 0]),
        ((2, 2, 2), [5, 5, 5]),
        ((0, 0, 0), [0, 0, 0]),
        ((1, 0), [5, 0]),
        ((1, 2), [2, 5]),
        ((1, 1), [5, 5]),
        ((4, 3, 3, 1), [5, 2, 2, 0]),
        ((4, 4, 3, 3), [5, 5, 0, 0]),
        ((4, 3, 2, 2, 3), [5, 2, 0, 0, 2]),
    ],
)
def test_most_and_second_most_dishes_eaten(table, dishes, expected):
    assert points(table, num_players=len(dishes), eaten=eaten(*dishes), stacks=dict.fromkeys(range(5), "")) == expected


def test_dishes_in_hand_do_not_count(table):
    assert points(table, hands={0: "Gyoza, Fugu"}, eaten={1: "Mochi"}) == [0, 5, 0]


def test_gyoza_and_cubes_are_a_point_each_and_yen_none(table):
    found = points(table, eaten={0: "Gyoza, Gyoza", 1: "Fugu, Fugu, Fugu"}, cubes={0: 3, 2: 4}, yen={2: 9})
    assert found == [2 + 2 + 3, 5, 4]


def test_the_worked_example_is_nineteen_points(table):
    blue = "blue salmon, blue shrimp, white california, blue octopus, blue tuna"
    stack = f"{blue}, red salmon, red shrimp, yellow egg, green octopus"
    told = {"stacks": {0: stack}, "eaten": {0: "Gyoza, Fugu", 1: "Mochi, Fugu, Mochi"}, "cubes": {0: 4}}
    assert points(table, **told) == [19, 5, 0]
    running = table(position(phase="END", deck_left=2, pawns={0: "L1"}, belt=EMPTY_BUT_THE_TUNNEL, **told))
    assert running.snapshot()["scores"] == [17, 0, 0]


def test_ties_go_to_the_most_yen_and_are_shared_where_those_tie(table):
    cubes = {0: 3, 1: 3, 2: 1}
    assert ended(table, cubes=cubes, yen={0: 1, 1: 2, 2: 9}).winners() == [1]
    assert ended(table, cubes=cubes, yen={0: 2, 1: 2, 2: 9}).winners() == [0, 1]
    assert ended(table, cubes=cubes, yen={0: 0, 1: 9}).winners() == [1]
    assert ended(table, cubes={0: 4, 1: 3}, yen={0: 0, 1: 9}).winners() == [0]


# Menus

REDS = ["red salmon", "red shrimp", "red octopus", "red tuna"]
COLOURS = [[plate.replace("red", colour) for plate in REDS] for colour in ("red", "yellow", "green", "blue")]
PAIRS = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
TYPES = ["salmon", "shrimp", "octopus", "tuna", "egg", "roe"]


def stack(*plates):
    return {0: ", ".join(plates), 1: "", 2: ""}


def two_colours(pair, count):
    first, second = (COLOURS[colour] for colour in pair)
    return {"stacks": stack(*first, *second[:count])}


TWO_PLATES = "blue egg, red egg"
MET_AND_NOT = {
    0: ({"stacks": {0: TWO_PLATES, 1: "red roe", 2: ""}}, {"stacks": {0: TWO_PLATES, 1: "red roe, blue roe", 2: ""}}),
    1: ({"stacks": stack(*SEVEN), "eaten": eaten(2)}, {"stacks": stack(*SEVEN), "eaten": eaten(1)}),
    2: ({"hands": {0: "Fugu"}}, {"eaten": {0: "Fugu"}}),
    3: ({"cubes": {0: 2, 1: 1}}, {"cubes": {0: 2, 1: 2}}),
    4: ({"stacks": stack(*["white california"] * 3)}, {"stacks": stack(*["white california"] * 2)}),
    5: ({"stacks": {0: "", 1: "red roe", 2: "red egg"}}, {"stacks": {0: "", 1: "", 2: "red egg"}}),
    6: ({"eaten": eaten(5)}, {"eaten": eaten(4)}),
    **{7 + i: (two_colours(pair, 4), two_colours(pair, 3)) for i, pair in enumerate(PAIRS)},
    **{
        13 + i: (
            {"stacks": stack(f"red {kind}", f"blue {kind}", f"red {kind}")},
            {"stacks": stack(f"red {kind}", f"blue {kind}", *(f"blue {other}" for other in TYPES if other != kind))},
        )
        for i, kind in enumerate(TYPES)
    },
    19: ({"eaten": eaten(2, 1)}, {"eaten": eaten(2, 2)}),
}
"""Menu -> a table at which the first seat meets it, and one at which it does not."""


@pytest.mark.parametrize("menu", MET_AND_NOT)
def test_each_menu_where_it_is_met_and_where_it_just_is_not(table, menu):
    met, missed = MET_AND_NOT[menu]
    expected = 7 if 7 <= menu <= 12 else 5
    without = points(table, menus={}, **met)
    assert points(table, menus={0: [menu]}, **met)[0] - without[0] == expected
    assert points(table, menus={0: [menu]}, **missed) == points(table, menus={}, **missed)


def test_seven_types_are_needed_not_six(table):
    told = {"stacks": stack(*SEVEN[:6], "red salmon"), "eaten": eaten(2)}
    assert points(table, menus={0: [1]}, **told) == points(table, menus={}, **told)


def test_two_menus_count_each_by_itself(table):
    told = {"stacks": stack("white california", "white california", "white california"), "cubes": {0: 1}}
    assert points(table, menus={0: [4, 0, 3]}, **told)[0] == points(table, menus={}, **told)[0] + 15
    assert points(table, menus={0: [4], 1: [2, 6]}, **told) == [1 + 5, 5, 0]


def test_menus_do_not_count_before_the_end(table):
    running = table(position(phase="END", deck_left=2, pawns={0: "L1"}, menus={0: [3]}, cubes={0: 1}))
    assert running.snapshot()["scores"][0] == 1
