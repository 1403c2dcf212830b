"""Sushi Boat by hand: how a turn goes, who may sit where, belt and deck.

Staff, specials, challenges and the end of a game have files of their own.
"""

import pytest

from tests.boat_facts import DISHES
from tests.boat_positions import dishes, plates, position
from tests.boat_tables import allowed, at_every_table, play

pytestmark = at_every_table

WHITE = 24
TRASH_EMPTY = {"trash": "", "bag": ""}
EVERYWHERE_FOR_THREE = {"place L1", "place C1", "place C2", "place R2", "place L3", "place C3"}


def test_a_turn_goes_from_reveal_to_move_act_eat_and_end_and_then_to_the_left(table):
    game = table(position(3, to_act=2, phase="START", pool="Gyoza green"))
    assert allowed(game) == {"reveal", "special order"}
    phases = [play(game, word)["phase"] for word in ("reveal", "place L1", "pass", "space 1", "end turn")]
    assert phases == ["MOVE", "ACT", "EAT", "END", "START"]
    after = game.snapshot()
    assert after["to_act"] == 0
    assert after["stacks"][2] == [1]
    assert after["belt"][1] == -1
    assert after["discard"] == dishes("Gyoza")


def test_the_turn_of_the_last_card_is_the_last(table):
    game = table(position(phase="START", deck_left=2, pool="Gyoza green, Gyoza green"))
    for deck_left, done in ((1, False), (0, True)):
        after = play(game, "reveal")
        assert (after["deck_left"], after["done"]) == (deck_left, False)
        place = sorted(allowed(game, "place"))[0]
        play(game, place, "take a yen")
        assert play(game, sorted(allowed(game, "space "))[0], "end turn")["done"] is done
    assert game.snapshot()["legal"] == []


# Moving


def test_four_plus_places_are_open_to_four_and_five_players_alone(table):
    assert allowed(table(position(3, phase="MOVE")), "place") == EVERYWHERE_FOR_THREE
    everywhere = EVERYWHERE_FOR_THREE | {"place R1", "place L2", "place R3"}
    for num_players in (4, 5):
        assert allowed(table(position(num_players, phase="MOVE")), "place") == everywhere


def test_one_has_to_leave_ones_place(table):
    game = table(position(phase="MOVE", pawns={0: "C2"}))
    assert allowed(game, "place") == EVERYWHERE_FOR_THREE - {"place C2"}


def test_a_move_to_an_occupied_place_pays_the_occupant_who_leaves_the_board(table):
    game = table(position(phase="MOVE", pawns={0: "L1", 1: "C3"}))
    after = play(game, "place C3")
    assert after["pawns"] == [7, -1, -1]
    assert after["yen"] == [1, 3, 2]
    assert after["phase"] == "ACT"


def test_a_pawn_off_the_board_may_enter_at_an_occupied_place_for_a_yen(table):
    game = table(position(phase="MOVE", pawns={1: "C3"}))
    assert play(game, "place C3")["yen"] == [1, 3, 2]
    assert allowed(table(position(phase="MOVE", pawns={1: "C3"}, yen={0: 0})), "place") == EVERYWHERE_FOR_THREE - {
        "place C3"
    }


def test_two_players_pay_the_other_for_a_place_in_the_others_row(table):
    game = table(position(2, phase="MOVE", pawns={0: "C3", 1: "L1"}))
    assert allowed(game, "place") == EVERYWHERE_FOR_THREE - {"place C3"}
    after = play(game, "place C1")
    assert after["yen"] == [1, 3]
    assert after["pawns"] == [1, 0]


def test_two_players_pay_for_the_row_on_first_entry_too(table):
    assert play(table(position(2, phase="MOVE", pawns={1: "L1"})), "place C1")["yen"] == [1, 3]


def test_two_players_without_a_yen_stay_out_of_the_others_row(table):
    game = table(position(2, phase="MOVE", pawns={0: "C3", 1: "L1"}, yen={0: 0}))
    assert allowed(game, "place") == EVERYWHERE_FOR_THREE - {"place L1", "place C1", "place C3"}


def test_two_players_pay_once_for_an_occupied_place(table):
    after = play(table(position(2, phase="MOVE", pawns={1: "L1"})), "place L1")
    assert after["yen"] == [1, 3]
    assert after["pawns"] == [0, -1]


def test_two_players_move_freely_while_the_other_is_off_the_board(table):
    game = table(position(2, phase="MOVE", yen={0: 0}))
    assert allowed(game, "place") == EVERYWHERE_FOR_THREE


def test_three_players_may_share_a_row_for_nothing(table):
    assert play(table(position(3, phase="MOVE", pawns={1: "L1"})), "place C1")["yen"] == [2, 2, 2]


# Acting and eating


def test_a_yen_is_there_to_be_taken_and_nothing_else_without_one(table):
    game = table(position(pawns={0: "L1"}, yen={0: 0}, tiles={"L1": "Sakura"}, discard="Gyoza"))
    assert allowed(game) == {"take a yen", "pass"}
    after = play(game, "take a yen")
    assert (after["yen"][0], after["phase"]) == (1, "EAT")


def test_a_place_without_staff_has_nobody_to_visit(table):
    assert "visit" not in allowed(table(position(pawns={0: "C2"}, tiles={"L1": "Sakura"})))


def test_the_top_dish_of_the_pile_can_be_bought(table):
    game = table(position(pawns={0: "L1"}, discard="Fugu, Mochi"))
    after = play(game, "buy")
    assert after["discard"] == dishes("Fugu")
    assert after["hands"][0][DISHES.index("Mochi")] == 1
    assert (after["yen"][0], after["phase"]) == (1, "EAT")
    assert "buy" not in allowed(table(position(pawns={0: "L1"})))


def test_of_three_dishes_one_is_discarded_onto_the_pile(table):
    game = table(position(pawns={0: "L1"}, hands={0: "Fugu, Gyoza"}, discard="Onigiri, Mochi"))
    assert play(game, "buy")["phase"] == "DISCARD"
    assert allowed(game) == {"discard Fugu", "discard Gyoza", "discard Mochi"}
    after = play(game, "discard Fugu")
    assert after["discard"] == dishes("Onigiri, Fugu")
    assert [DISHES[i] for i, count in enumerate(after["hands"][0]) if count] == ["Gyoza", "Mochi"]
    assert after["eaten"][0] == [0] * 8
    assert after["phase"] == "EAT"


def test_two_dishes_of_a_kind_are_one_choice_to_discard(table):
    game = table(position(pawns={0: "L1"}, hands={0: "Fugu, Fugu"}, discard="Mochi"))
    play(game, "buy")
    assert allowed(game) == {"discard Fugu", "discard Mochi"}


def test_an_arrow_place_offers_two_plates_and_gives_one(table):
    game = table(position(phase="EAT", pawns={0: "C3"}))
    assert allowed(game, "space") == {"space 4", "space 9"}
    after = play(game, "space 9")
    assert after["stacks"][0] == [9]
    assert after["belt"][4] == 4
    assert after["phase"] == "END"


def test_one_eats_nothing_only_where_there_is_nothing(table):
    assert "eat nothing" not in allowed(table(position(phase="EAT", pawns={0: "C3"}, belt={4: ""})))
    game = table(position(phase="EAT", pawns={0: "C3"}, belt={4: "", 9: ""}))
    assert allowed(game) == {"eat nothing", "special order"}
    after = play(game, "eat nothing")
    assert (after["stacks"][0], after["phase"]) == ([], "END")


# The belt and the deck


def test_a_green_card_fills_the_belt_and_lets_nothing_fall(table):
    gaps = {0: "", 3: "", 12: ""}
    game = table(position(phase="START", pool="Gyoza green", belt=gaps, bag="white california, " * 6, trash=""))
    after = play(game, "reveal")
    assert after["belt"] == [WHITE, WHITE, WHITE, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 13]
    assert sum(after["trash"]) == 0
    assert after["bag"][WHITE] == 3


def test_a_green_card_does_nothing_to_a_full_belt(table):
    after = play(table(position(phase="START", pool="Gyoza green")), "reveal")
    assert after["belt"] == list(range(14))
    assert after["draws"] == 2


def test_a_red_card_feeds_one_plate_to_a_full_belt(table):
    game = table(position(phase="START", pool="Gyoza red", bag="white california", trash=""))
    after = play(game, "reveal")
    assert after["belt"] == [WHITE, *range(13)]
    assert after["trash"][13] == sum(after["trash"]) == 1


def test_a_red_card_feeds_two_plates_where_there_is_one_gap(table):
    whites = "white california, white california, white california"
    game = table(position(phase="START", pool="Gyoza red", belt={9: ""}, bag=whites, trash=""))
    after = play(game, "reveal")
    assert after["belt"] == [WHITE, WHITE, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12]
    assert after["trash"][13] == sum(after["trash"]) == 1
    assert after["bag"][WHITE] == 1


@pytest.mark.parametrize("card", ["Gyoza green", "Gyoza red"])
def test_an_empty_bag_is_refilled_from_the_trash(table, card):
    game = table(position(phase="START", pool=card, belt={2: "", 3: ""}, bag="white california", trash="blue egg"))
    after = play(game, "reveal")
    assert after["belt"][:4] == [*plates("blue egg"), WHITE, 0, 1]
    assert sum(after["bag"]) + sum(after["trash"]) == 0
    assert after["phase"] == "MOVE"


@pytest.mark.parametrize("card", ["Gyoza green", "Gyoza red"])
def test_a_refill_stops_when_bag_and_trash_are_empty(table, card):
    game = table(position(phase="START", pool=card, belt={2: "", 3: ""}, bag="white california", trash=""))
    after = play(game, "reveal")
    assert after["belt"][:4] == [WHITE, 0, 1, -1]
    nothing = table(position(phase="START", pool=card, belt={2: "", 3: ""}, **TRASH_EMPTY))
    assert play(nothing, "reveal")["belt"][:4] == [0, 1, -1, -1]


def test_a_plate_that_falls_ends_a_red_refill_though_it_could_come_back(table):
    game = table(position(phase="START", pool="Gyoza red", bag="", trash="white california"))
    after = play(game, "reveal")
    assert after["belt"] == [WHITE, *range(13)]
    assert after["trash"][13] == 1


@pytest.mark.parametrize("deck_left", [24, 23, 22])
def test_none_of_the_first_cards_is_a_wasabi(table, deck_left):
    game = table(position(3, phase="START", pool="Gyoza green", deck_left=deck_left, wasabi_left=4))
    after = play(game, "reveal")
    assert after["discard"] == dishes("Gyoza")
    assert (after["wasabi_left"], after["draws"]) == (4, 1)
