"""Sushi Boat by hand: what may be done at any time in one's turn: seats taken, orders, and each of the side dishes."""

import pytest

from tests.boat_facts import CALIFORNIA, DISHES, PLATES, VISIBLE
from tests.boat_positions import dishes, plates, position
from tests.boat_tables import allowed, at_every_table, play

pytestmark = at_every_table

WHITE = CALIFORNIA
EMPTY = {"trash": "", "bag": ""}
ON_BOARD = ["START", "MOVE", "ACT", "EAT", "END"]
EVERYWHERE_FOR_THREE = {"place L1", "place C1", "place C2", "place R2", "place L3", "place C3"}
SPACES = {f"space {space}" for space in VISIBLE}


@pytest.mark.parametrize("phase", ["START", "ACT", "EAT", "END"])
def test_a_seat_can_be_taken_in_every_phase_and_the_phase_goes_on(table, phase):
    game = table(position(phase=phase, pawns={0: "L1", 1: "C1", 2: "C2"}))
    assert allowed(game, "place") == {"place C1", "place C2"}
    after = play(game, "place C1")
    assert after["phase"] == phase
    assert after["pawns"] == [1, -1, 4]
    assert after["yen"] == [1, 3, 2]


@pytest.mark.parametrize("phase", ["START", "ACT", "EAT", "END"])
def test_no_seat_is_taken_without_a_yen(table, phase):
    assert allowed(table(position(phase=phase, pawns={0: "L1", 1: "C1"}, yen={0: 0})), "place") == set()


def test_the_place_taken_is_where_one_eats(table):
    game = table(position(phase="EAT", pawns={0: "L1", 1: "C2"}))
    play(game, "place C2")
    assert allowed(game, "space") == {"space 2", "space 11"}


def test_whose_seat_was_taken_takes_none_before_moving_and_re_enters_anywhere(table):
    game = table(position(3, phase="END", pawns={0: "L1", 1: "C1", 2: "C2"}, pool="Gyoza green"))
    play(game, "place C1", "end turn")
    assert allowed(game) == {"reveal", "special order"}
    play(game, "reveal")
    assert allowed(game, "place") == EVERYWHERE_FOR_THREE
    assert play(game, "place L1")["pawns"] == [1, 0, 4]


# Orders


@pytest.mark.parametrize("phase", ON_BOARD)
def test_specials_are_there_in_every_phase_of_ones_turn_and_the_phase_goes_on(table, phase):
    game = table(position(phase=phase, pawns={0: "L1"}, hands={0: "Gyoza, Onigiri"}, menu_deck=[3, 4, 5], yen={0: 3}))
    words = ["play Gyoza", "play Onigiri", "special order", "order a menu", "keep first"]
    for word in words:
        after = play(game, word)
        assert after["phase"] == ("MENU" if word == "order a menu" else phase)
    assert after["yen"][0] == 3
    assert after["to_act"] == 0


def test_a_special_order_puts_a_plate_on_the_belt_for_a_yen(table):
    game = table(position(pawns={0: "L1"}, bag="white california", trash=""))
    after = play(game, "special order")
    assert after["belt"] == [WHITE, *range(13)]
    assert after["trash"][13] == 1
    assert (after["yen"][0], after["phase"]) == (1, "ACT")
    again = play(game, "special order")
    assert again["belt"] == [13, WHITE, *range(12)]
    assert "special order" not in allowed(game)


def test_nothing_is_ordered_where_there_is_nothing(table):
    assert "special order" not in allowed(table(position(pawns={0: "L1"}, **EMPTY)))


def test_a_menu_is_ordered_for_a_yen_and_the_other_goes_under_the_deck(table):
    game = table(position(phase="ACT", pawns={0: "L1"}, menus={0: [7]}, menu_deck=[3, 4, 5]))
    after = play(game, "order a menu")
    assert (after["phase"], after["offered"], after["menu_deck"], after["yen"][0]) == ("MENU", [3, 4], [5], 1)
    assert allowed(game) == {"keep first", "keep second"}
    after = play(game, "keep second")
    assert (after["phase"], after["offered"], after["menu_deck"]) == ("ACT", [], [5, 3])
    assert after["menus"] == [[7, 4], [], []]


def test_the_last_menu_is_offered_alone_and_then_there_is_none(table):
    game = table(position(phase="ACT", pawns={0: "L1"}, menu_deck=[3]))
    play(game, "order a menu")
    assert allowed(game) == {"keep first"}
    assert play(game, "keep first")["menus"][0] == [3]
    assert game.snapshot()["yen"][0] == 1
    assert "order a menu" not in allowed(game)


def test_no_menu_without_a_yen_or_without_the_variant(table):
    assert "order a menu" not in allowed(table(position(pawns={0: "L1"}, menu_deck=[3], yen={0: 0})))
    assert "order a menu" not in allowed(table(position(pawns={0: "L1"})))


# Side dishes


def seated(dish, phase="ACT", **told):
    """A position in which the first seat sits at L1 and holds a dish."""
    return position(phase=phase, pawns={0: "L1"}, hands={0: dish}, **told)


def test_a_dish_is_eaten_when_it_is_played(table):
    after = play(table(seated("Gyoza, Gyoza")), "play Gyoza")
    assert after["hands"][0][DISHES.index("Gyoza")] == after["eaten"][0][DISHES.index("Gyoza")] == 1
    assert after["discard"] == []


def test_edamame_swaps_the_top_plate_with_one_on_the_belt_and_brings_a_yen(table):
    game = table(seated("Edamame", stacks={0: "blue egg, blue roe"}))
    after = play(game, "play Edamame")
    assert (after["phase"], after["yen"][0]) == ("SPACE", 3)
    assert after["eaten"][0][DISHES.index("Edamame")] == 1
    assert allowed(game) == SPACES
    after = play(game, "space 13")
    assert after["stacks"][0] == [*plates("blue egg"), 13]
    assert after["belt"] == [*range(13), *plates("blue roe")]
    assert after["phase"] == "ACT"


def test_edamame_needs_a_plate_of_ones_own_and_one_in_view(table):
    assert "play Edamame" not in allowed(table(seated("Edamame")))
    no_belt = dict.fromkeys(VISIBLE, "")
    game = table(seated("Edamame", stacks={0: "blue egg"}, belt=no_belt))
    assert "play Edamame" not in allowed(game)


def test_edamame_reaches_only_plates(table):
    game = table(seated("Edamame", stacks={0: "blue egg"}, belt={0: "", 8: ""}))
    play(game, "play Edamame")
    assert allowed(game) == SPACES - {"space 0", "space 8"}


def test_fugu_of_a_named_colour_brings_three_yen_and_the_plate_returns(table):
    game = table(seated("Fugu", stacks={0: "blue egg"}, bag="white california", trash=""))
    assert play(game, "play Fugu")["phase"] == "FUGU"
    assert len(allowed(game)) == len(allowed(game, "pair ")) == 10
    after = play(game, "pair red-white")
    assert after["yen"][0] == 5
    assert after["stacks"][0] == plates("blue egg")
    assert after["bag"][WHITE] == 1
    assert after["phase"] == "ACT"


def test_fugu_of_another_colour_costs_the_top_plate(table):
    game = table(seated("Fugu", stacks={0: "blue roe, blue egg"}, bag="white california", trash=""))
    after = play(game, "play Fugu", "pair green-blue")
    assert after["yen"][0] == 2
    assert after["stacks"][0] == plates("blue roe")
    assert after["trash"][PLATES.index("blue egg")] == sum(after["trash"]) == 1
    assert after["bag"][WHITE] == 1


def test_fugu_refills_an_empty_bag_first(table):
    game = table(seated("Fugu", stacks={0: "blue egg"}, bag="", trash="red roe"))
    after = play(game, "play Fugu", "pair yellow-white")
    assert after["bag"][PLATES.index("red roe")] == sum(after["bag"]) == 1
    assert after["trash"][PLATES.index("blue egg")] == sum(after["trash"]) == 1


def test_fugu_with_nothing_to_draw_does_nothing(table):
    after = play(table(seated("Fugu", stacks={0: "blue egg"}, **EMPTY)), "play Fugu", "pair red-white")
    assert (after["yen"][0], after["stacks"][0], after["draws"]) == (2, plates("blue egg"), 0)
    assert after["eaten"][0][DISHES.index("Fugu")] == 1


def test_fugu_needs_a_plate(table):
    assert "play Fugu" not in allowed(table(seated("Fugu")))


def test_gyoza_is_a_point_and_nothing_more(table):
    after = play(table(seated("Gyoza", phase="END")), "play Gyoza")
    assert after["scores"] == [1, 0, 0]
    assert (after["phase"], after["yen"][0]) == ("END", 2)


def test_miso_soup_takes_the_top_of_the_discard_pile(table):
    game = table(seated("Miso Soup, Fugu", discard="Gyoza, Mochi"))
    after = play(game, "play Miso Soup")
    assert after["discard"] == dishes("Gyoza")
    assert [DISHES[i] for i, count in enumerate(after["hands"][0]) if count] == ["Fugu", "Mochi"]
    assert (after["phase"], after["yen"][0]) == ("ACT", 2)


def test_miso_soup_may_be_eaten_where_there_is_nothing_to_take(table):
    after = play(table(seated("Miso Soup")), "play Miso Soup")
    assert after["hands"][0] == [0] * 8
    assert sum(after["eaten"][0]) == 1


def test_mochi_moves_the_top_plate_down(table):
    game = table(seated("Mochi", stacks={0: "blue egg, green roe, white california, blue roe"}))
    assert play(game, "play Mochi")["phase"] == "MOCHI"
    assert allowed(game) == {"depth 1", "depth 2", "depth 3"}
    after = play(game, "depth 2")
    assert after["stacks"][0] == plates("blue egg, blue roe, green roe, white california")
    assert after["phase"] == "ACT"


def test_mochi_moves_it_to_the_bottom_at_most(table):
    game = table(seated("Mochi", stacks={0: "blue egg, green roe"}))
    assert play(game, "play Mochi", "depth 1")["stacks"][0] == plates("green roe, blue egg")


def test_mochi_is_eaten_for_nothing_where_one_plate_lies_alone(table):
    after = play(table(seated("Mochi", stacks={0: "blue egg"})), "play Mochi")
    assert (after["phase"], after["stacks"][0]) == ("ACT", plates("blue egg"))
    assert after["hands"][0] == [0] * 8
    assert sum(after["eaten"][0]) == 1


def test_mochi_needs_a_plate(table):
    assert "play Mochi" not in allowed(table(seated("Mochi", stacks={0: ""})))


def test_onigiri_is_two_yen(table):
    assert play(table(seated("Onigiri")), "play Onigiri")["yen"][0] == 4


def test_takoyaki_may_be_eaten_for_nothing(table):
    after = play(table(seated("Takoyaki", phase="END")), "play Takoyaki")
    assert after["eaten"][0][DISHES.index("Takoyaki")] == 1
    assert (after["phase"], after["yen"][0], after["declared"][0]) == ("END", 2, [0, 0])


def test_tempura_pushes_a_plate_and_the_block_before_it_up_to_the_first_gap(table):
    game = table(seated("Tempura", belt={4: "", 9: ""}))
    after = play(game, "play Tempura")
    assert (after["phase"], after["yen"][0]) == ("SPACE", 3)
    assert allowed(game) == SPACES - {"space 4", "space 9"}
    after = play(game, "space 1")
    assert after["belt"] == [0, -1, 1, 2, 3, 5, 6, 7, 8, -1, 10, 11, 12, 13]
    assert sum(after["trash"]) == 0
    assert after["phase"] == "ACT"


def test_tempura_pushes_through_the_tunnel(table):
    after = play(table(seated("Tempura", belt={9: ""})), "play Tempura", "space 5")
    assert after["belt"] == [0, 1, 2, 3, 4, -1, 5, 6, 7, 8, 10, 11, 12, 13]


def test_tempura_may_push_a_plate_into_the_trash(table):
    after = play(table(seated("Tempura")), "play Tempura", "space 8")
    assert after["belt"] == [0, 1, 2, 3, 4, 5, 6, 7, -1, 8, 9, 10, 11, 12]
    assert after["trash"][13] == sum(after["trash"]) == 1
    after = play(table(seated("Tempura")), "play Tempura", "space 13")
    assert after["belt"] == [*range(13), -1]
    assert after["trash"][13] == 1


def test_tempura_needs_a_plate_in_view(table):
    game = table(seated("Tempura", belt=dict.fromkeys(VISIBLE, "")))
    assert "play Tempura" not in allowed(game)


@pytest.mark.parametrize("phase", ON_BOARD)
def test_a_dish_that_asks_goes_back_to_the_phase_it_was_played_in(table, phase):
    game = table(seated("Tempura", phase=phase))
    assert play(game, "play Tempura", "space 3")["phase"] == phase
