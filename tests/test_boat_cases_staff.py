"""Sushi Boat by hand: a visit to each of the staff."""

import pytest

from tests.boat_facts import PLATES, STAFF, STAFF_PLACES, VISIBLE
from tests.boat_positions import plates, position
from tests.boat_tables import allowed, at_every_table, play

pytestmark = at_every_table

NO_BELT = dict.fromkeys(VISIBLE, "")


def at(place, staff, **told):
    """A position in which the first seat sits beside a member of the staff, and may act."""
    return position(pawns={0: place}, tiles={place: staff}, **told)


def visit(game):
    """Pay the tip; what may be chosen then."""
    assert play(game, "visit")["yen"][0] == 1
    return allowed(game)


@pytest.mark.parametrize(("place", "spaces"), [("L1", {12}), ("C1", {0, 13}), ("R2", {3}), ("L3", {8}), ("C3", {4, 9})])
def test_hiroshi_takes_from_across(table, place, spaces):
    game = table(at(place, "Hiroshi", stacks={0: "blue egg"}))
    assert visit(game) == {f"space {space}" for space in spaces}
    chosen = max(spaces)
    after = play(game, f"space {chosen}")
    assert after["stacks"][0] == [*plates("blue egg"), chosen]
    assert after["belt"][chosen] == -1
    assert (after["phase"], after["yen"][0]) == ("EAT", 1)


def test_hiroshi_needs_a_plate_across(table):
    assert "visit" not in allowed(table(at("L1", "Hiroshi", belt={12: ""})))
    game = table(at("C3", "Hiroshi", belt={9: ""}))
    assert visit(game) == {"space 4"}


@pytest.mark.parametrize(
    ("choice", "stack", "back"),
    [
        ("first top", "blue egg, red egg, blue tuna", "blue roe"),
        ("first bottom", "blue tuna, blue egg, red egg", "blue roe"),
        ("second top", "blue egg, red egg, blue roe", "blue tuna"),
        ("second bottom", "blue roe, blue egg, red egg", "blue tuna"),
    ],
)
def test_satsuki_draws_two_and_one_goes_to_top_or_bottom(table, choice, stack, back):
    game = table(at("L1", "Satsuki", stacks={0: "blue egg, red egg"}, bag="blue tuna", trash="blue roe"))
    choices = {"first top", "first bottom", "second top", "second bottom"}
    assert visit(game) == choices
    assert game.snapshot()["satsuki"] == plates("blue tuna, blue roe")
    assert game.snapshot()["phase"] == "SATSUKI"
    after = play(game, choice)
    assert after["stacks"][0] == plates(stack)
    assert after["bag"][PLATES.index(back)] == sum(after["bag"]) == 1
    assert (after["satsuki"], after["phase"]) == ([], "EAT")


def test_satsuki_draws_what_there_is(table):
    game = table(at("L1", "Satsuki", bag="blue tuna", trash=""))
    assert visit(game) == {"first top", "first bottom"}
    assert "visit" not in allowed(table(at("L1", "Satsuki", bag="", trash="")))
    assert "visit" in allowed(table(at("L1", "Satsuki", bag="", trash="blue tuna")))


def test_neko_gives_a_plate_of_choice_from_the_trash(table):
    game = table(at("L1", "Neko", stacks={0: "blue egg"}, trash="blue tuna, white california, blue tuna"))
    assert visit(game) == {"trash blue tuna", "trash white california"}
    assert game.snapshot()["phase"] == "TRASH"
    after = play(game, "trash blue tuna")
    assert after["stacks"][0] == plates("blue egg, blue tuna")
    assert sum(after["trash"]) == 2
    assert after["trash"][PLATES.index("blue tuna")] == 1
    assert after["phase"] == "EAT"


def test_neko_needs_a_plate_in_the_trash(table):
    assert "visit" not in allowed(table(at("L1", "Neko")))


@pytest.mark.parametrize(
    ("place", "spaces"), [("L1", {0, 2}), ("C1", {1, 12}), ("R2", {9, 11}), ("L3", {4}), ("C3", {3, 5, 8, 10})]
)
def test_yuki_and_takeshi_take_from_beside(table, place, spaces):
    game = table(at(place, "Yuki & Takeshi"))
    assert visit(game) == {f"space {space}" for space in spaces}
    chosen = min(spaces)
    after = play(game, f"space {chosen}")
    assert after["stacks"][0] == [chosen]
    assert after["phase"] == "EAT"


def test_yuki_and_takeshi_need_a_plate_beside(table):
    assert "visit" not in allowed(table(at("L3", "Yuki & Takeshi", belt={4: ""})))
    game = table(at("R2", "Yuki & Takeshi", belt={9: ""}))
    assert visit(game) == {"space 11"}


def test_akiko_takes_any_plate_in_view_of_another_colour_than_the_top(table):
    game = table(at("L1", "Akiko", stacks={0: "blue egg, red egg"}, belt={8: "white california", 9: "", 10: "red roe"}))
    assert visit(game) == {"space 8", "space 11", "space 12", "space 13"}
    after = play(game, "space 8")
    assert after["stacks"][0] == plates("blue egg, red egg, white california")
    assert after["phase"] == "EAT"


def test_akiko_counts_white_as_a_colour(table):
    game = table(at("L1", "Akiko", stacks={0: "white california"}, belt={8: "white california"}))
    assert visit(game) == {f"space {space}" for space in VISIBLE if space != 8}


def test_akiko_takes_any_plate_for_an_empty_stack(table):
    assert visit(table(at("L1", "Akiko"))) == {f"space {space}" for space in VISIBLE}


def test_akiko_needs_another_colour(table):
    red = {0: "red salmon", 1: "red shrimp"}
    game = table(at("L1", "Akiko", stacks={0: "red egg"}, belt=NO_BELT | red))
    assert "visit" not in allowed(game)


def test_sakura_gives_a_cube(table):
    after = play(table(at("L1", "Sakura")), "visit")
    assert after["cubes"] == [1, 0, 0]
    assert after["scores"] == [1, 0, 0]
    assert (after["yen"][0], after["phase"]) == (1, "EAT")


def test_no_visit_without_a_yen(table):
    assert "visit" not in allowed(table(at("L1", "Sakura", yen={0: 0})))


def test_momoko_swaps_with_another_tile_and_uses_it_for_one_tip(table):
    game = table(position(pawns={0: "L1"}, tiles={"L1": "Momoko", "R2": "Sakura"}, yen={0: 1}))
    assert play(game, "visit")["yen"][0] == 0
    before = game.snapshot()["tiles"]
    assert game.snapshot()["phase"] == "TILE"
    after = play(game, "tile 2")
    assert (after["yen"][0], after["cubes"][0], after["phase"]) == (0, 1, "EAT")
    assert after["tiles"] == [STAFF.index("Sakura"), before[1], STAFF.index("Momoko"), *before[3:]]


def test_momoko_uses_a_tile_set_aside_at_her_own_place(table):
    tiles = dict(zip(STAFF_PLACES, ("Momoko", "Satsuki", "Neko", "Neko", "Akiko"), strict=True))
    game = table(position(pawns={0: "L1"}, tiles=tiles))
    aside = game.snapshot()["tiles"].index(STAFF.index("Hiroshi"))
    assert aside == 5
    play(game, "visit", "tile 5")
    assert allowed(game) == {"space 12"}
    after = play(game, "space 12")
    assert after["stacks"][0] == [12]
    assert (after["tiles"][0], after["tiles"][5]) == (STAFF.index("Hiroshi"), STAFF.index("Momoko"))
    assert (after["yen"][0], after["phase"]) == (1, "EAT")


def test_momoko_has_a_choice_for_each_tile_of_neko_and_none_for_what_finds_nothing(table):
    tiles = dict(zip(STAFF_PLACES, ("Momoko", "Neko", "Neko", "Hiroshi", "Akiko"), strict=True))
    game = table(position(pawns={0: "L1"}, tiles=tiles, trash="blue egg"))
    assert visit(game) == {f"tile {position}" for position in range(1, 8)}
    play(game, "tile 2")
    assert allowed(game) == {"trash blue egg"}
    game = table(position(pawns={0: "L1"}, tiles=tiles, belt={12: ""}))
    assert visit(game) == {f"tile {position}" for position in (4, 5, 6, 7)}
