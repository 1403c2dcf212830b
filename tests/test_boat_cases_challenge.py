"""Sushi Boat by hand: challenges. What is hidden is told by colour, `hidden="green, red"`."""

import pytest

from tests.boat_facts import CALIFORNIA, COLOURS, DISHES
from tests.boat_positions import listed, position
from tests.boat_tables import allowed, at_every_table, play

pytestmark = at_every_table

TYPES = {"white": "california"}
GUESSES = {f"guess {colour}" for colour in COLOURS}


def challenge(hidden="green, green", num_players=3, **told):
    """A position in which the next card is sure to be a Wasabi card."""
    tunnel = zip((6, 7), listed(hidden), ("egg", "roe"), strict=True)
    belt = {space: f"{colour} {TYPES.get(colour, kind)}" for space, colour, kind in tunnel}
    belt |= told.pop("belt", {})
    return position(num_players, phase="START", deck_left=4, wasabi_left=4, belt=belt, **told)


def guess(game, colours):
    """Cubes on these colours, one after the other."""
    return play(game, *(f"guess {colour}" for colour in listed(colours)))


def test_a_wasabi_card_is_no_dish_and_brings_no_refill(table):
    game = table(challenge(belt={3: "", 9: ""}, discard="Fugu", trash="blue egg, white california"))
    before = game.snapshot()
    after = play(game, "reveal")
    assert (after["deck_left"], after["wasabi_left"]) == (3, 3)
    assert (after["discard"], after["pool"]) == (before["discard"], before["pool"])
    assert after["belt"] == before["belt"]
    assert (after["phase"], after["to_act"]) == ("GUESS", 0)


def test_the_trash_goes_to_the_bag_first(table):
    game = table(challenge(bag="blue roe", trash="blue egg, white california"))
    after = play(game, "reveal")
    assert sum(after["trash"]) == 0
    assert [kind for kind, count in enumerate(after["bag"]) if count] == [22, 23, CALIFORNIA]


def test_everyone_guesses_two_colours_from_the_one_in_turn_and_the_turn_goes_on(table):
    game = table(challenge(to_act=1))
    play(game, "reveal")
    asked = []
    while game.snapshot()["phase"] == "GUESS":
        asked.append(game.snapshot()["to_act"])
        assert allowed(game) == GUESSES
        play(game, "guess blue")
    assert asked == [1, 1, 2, 2, 0, 0]
    after = game.snapshot()
    assert (after["phase"], after["to_act"]) == ("MOVE", 1)
    assert (after["guesses"], after["declared"]) == ([[], [], []], [[0, 0]] * 3)


@pytest.mark.parametrize(
    ("guesses", "hidden", "kept"),
    [
        ("green, red", "green, green", 1),
        ("green, green", "green, green", 2),
        ("green, green", "green, red", 1),
        ("red, green", "green, red", 2),
        ("blue, yellow", "green, red", 0),
        ("white, white", "white, blue", 1),
        ("white, blue", "blue, white", 2),
    ],
)
def test_two_cubes_are_kept_as_far_as_they_match(table, guesses, hidden, kept):
    game = table(challenge(hidden))
    play(game, "reveal")
    for text in (guesses, "yellow, yellow", guesses):
        after = guess(game, text)
    assert after["cubes"] == [kept, 0, kept]
    assert after["scores"] == [kept, 0, kept]


@pytest.mark.parametrize(
    ("guesses", "hidden", "kept"),
    [
        ("green, red, green", "green, red", 3),
        ("green, green, green", "green, green", 3),
        ("green, green, green", "green, red", 2),
        ("green, green, blue", "green, red", 2),
        ("red, green, blue", "green, red", 2),
        ("red, red, green", "green, green", 1),
        ("red, green, green", "green, green", 2),
        ("blue, yellow, blue", "green, red", 0),
        ("white, red, white", "white, red", 3),
    ],
)
def test_three_cubes_keep_the_extra_one_too_if_its_colour_is_hidden(table, guesses, hidden, kept):
    game = table(challenge(hidden, num_players=2, hands={0: "Takoyaki"}))
    play(game, "reveal", "play Takoyaki")
    guess(game, "yellow, yellow")
    assert guess(game, guesses)["cubes"] == [kept, 0]


def test_nobody_may_play_other_specials_in_a_challenge(table):
    hands = {0: "Takoyaki, Tempura", 1: "Onigiri, Edamame", 2: "Edamame, Fugu"}
    pawns, stacks = {0: "L1", 1: "C2", 2: "R2"}, dict.fromkeys(range(3), "white california")
    game = table(challenge(hands=hands, pawns=pawns, stacks=stacks, yen=dict.fromkeys(range(3), 3), menus={}))
    specials = {"play Takoyaki", "play Tempura", "special order", "order a menu", "place C2", "place R2"}
    assert allowed(game) == {"reveal", *specials}
    play(game, "reveal")
    assert allowed(game) == {"play Takoyaki", "decline"}
    play(game, "play Takoyaki")
    assert allowed(game) == {"play Onigiri", "decline"}
    play(game, "decline")
    for asked in (1, 1, 2, 2, 0, 0, 0):
        after = game.snapshot()
        assert (after["phase"], after["to_act"], after["yen"][asked]) == ("GUESS", asked, 3)
        assert allowed(game) == GUESSES
        play(game, "guess blue")
    assert game.snapshot()["phase"] == "MOVE"
    assert specials - {"play Takoyaki"} <= allowed(game)


def test_no_guess_is_seen_once_the_challenge_is_over_and_cubes_tell_how_it_went(table):
    game = table(challenge("green, red", hands={0: "Takoyaki", 1: "Onigiri"}))
    play(game, "reveal", "play Takoyaki", "play Onigiri")
    guess(game, "red, yellow, green, red")
    assert [game.guesses_seen(viewer) for viewer in range(3)] == [[[0, 2], [], [0, 1]], *[[[], [], [0, 1]]] * 2]
    after = play(game, "guess red")
    assert [game.guesses_seen(viewer) for viewer in range(3)] == [[[], [], []]] * 3
    assert (after["guesses"], after["declared"]) == ([[], [], []], [[0, 0]] * 3)
    assert after["cubes"] == [3, 2, 1]


def test_takoyaki_guesses_last_with_the_others_guesses_in_view(table):
    game = table(challenge(hands={0: "Takoyaki"}))
    assert play(game, "reveal")["phase"] == "DECLARE"
    assert allowed(game) == {"play Takoyaki", "decline"}
    after = play(game, "play Takoyaki")
    assert (after["phase"], after["to_act"]) == ("GUESS", 1)
    assert after["declared"] == [[1, 0], [0, 0], [0, 0]]
    assert after["eaten"][0][DISHES.index("Takoyaki")] == 1
    guess(game, "red, blue")
    assert [game.guesses_seen(viewer)[1] for viewer in range(3)] == [[], [0, 3], []]
    play(game, "guess green")
    assert [game.guesses_seen(viewer)[2] for viewer in range(3)] == [[], [], [2]]
    after = play(game, "guess green")
    assert after["to_act"] == 0
    assert game.guesses_seen(0) == game.guesses_seen(1) == [[], [0, 3], [2, 2]]
    play(game, "guess green")
    assert [game.guesses_seen(viewer)[0] for viewer in range(3)] == [[2], [], []]
    assert guess(game, "green, yellow")["cubes"] == [2, 0, 2]


def test_guesses_are_hidden_until_all_are_in(table):
    game = table(challenge())
    play(game, "reveal")
    guess(game, "red, blue, white")
    assert game.guesses_seen(0) == [[0, 3], [], []]
    assert game.guesses_seen(1) == [[], [4], []]
    assert game.guesses_seen(2) == [[], [], []]


def test_two_with_takoyaki_do_not_see_each_others_guesses(table):
    game = table(challenge(hands={0: "Takoyaki", 2: "Takoyaki"}))
    play(game, "reveal", "play Takoyaki", "play Takoyaki")
    guess(game, "blue, blue, green, red, red")
    assert game.snapshot()["to_act"] == 2
    assert game.guesses_seen(2) == [[], [3, 3], []]
    assert game.guesses_seen(0) == [[0, 0, 2], [3, 3], []]


def test_onigiri_keeps_two_without_a_guess_and_brings_no_yen(table):
    game = table(challenge("red, blue", hands={1: "Onigiri"}))
    assert play(game, "reveal")["to_act"] == 1
    assert allowed(game) == {"play Onigiri", "decline"}
    play(game, "play Onigiri")
    guess(game, "yellow, yellow")
    assert game.snapshot()["to_act"] == 2
    after = guess(game, "red, red")
    assert after["cubes"] == [0, 2, 1]
    assert after["yen"] == [2, 2, 2]
    assert after["eaten"][1][DISHES.index("Onigiri")] == 1


@pytest.mark.parametrize("order", [("play Takoyaki", "play Onigiri"), ("play Onigiri", "play Takoyaki")])
def test_takoyaki_and_onigiri_keep_three(table, order):
    game = table(challenge("red, blue", hands={0: "Takoyaki, Onigiri"}))
    play(game, "reveal")
    assert allowed(game) == {*order, "decline"}
    play(game, order[0])
    assert allowed(game) == {order[1], "decline"}
    after = play(game, order[1])
    assert (after["phase"], after["to_act"]) == ("GUESS", 1)
    guess(game, "yellow, yellow")
    assert guess(game, "yellow, yellow")["cubes"] == [3, 0, 0]


def test_nobody_guesses_where_everyone_has_an_onigiri(table):
    game = table(challenge(num_players=2, hands={0: "Onigiri", 1: "Onigiri"}))
    after = play(game, "reveal", "play Onigiri", "play Onigiri")
    assert after["cubes"] == [2, 2]
    assert (after["phase"], after["to_act"]) == ("MOVE", 0)


def test_players_declare_in_turn_order_and_only_who_can(table):
    hands = {0: "Onigiri", 1: "Gyoza, Mochi", 3: "Takoyaki"}
    game = table(challenge(num_players=4, to_act=2, hands=hands))
    assert play(game, "reveal")["to_act"] == 3
    assert play(game, "decline")["to_act"] == 0
    after = play(game, "decline")
    assert (after["phase"], after["to_act"]) == ("GUESS", 2)
    assert [sum(hand) for hand in after["hands"]] == [1, 2, 0, 1]


def test_who_declines_the_second_keeps_it(table):
    game = table(challenge(hands={0: "Takoyaki, Onigiri"}))
    after = play(game, "reveal", "play Takoyaki", "decline")
    assert after["hands"][0][DISHES.index("Onigiri")] == 1
    assert after["to_act"] == 1


def test_a_second_takoyaki_cannot_be_declared_in_the_same_challenge(table):
    game = table(challenge(hands={0: "Takoyaki, Takoyaki"}))
    after = play(game, "reveal", "play Takoyaki")
    assert (after["phase"], after["to_act"]) == ("GUESS", 1)
    assert after["hands"][0][DISHES.index("Takoyaki")] == 1


def all_guess(game):
    """The challenge to its end."""
    play(game, "reveal")
    while game.snapshot()["phase"] == "GUESS":
        play(game, "guess yellow")
    return game.snapshot()


def test_two_plates_are_fed_to_a_full_belt_and_two_fall(table):
    game = table(challenge("green, red", bag="white california, white california", trash=""))
    hidden = game.snapshot()["belt"][6:8]
    after = all_guess(game)
    assert after["belt"] == [CALIFORNIA, CALIFORNIA, *range(6), *hidden, 8, 9, 10, 11]
    assert after["trash"][12] == after["trash"][13] == 1
    assert sum(after["trash"]) == 2


def test_gaps_before_the_tunnel_are_fed_as_well_and_nothing_falls_where_there_is_room(table):
    belt = {0: "", 3: "", 5: "", 9: "", 11: ""}
    game = table(challenge("green, red", belt=belt, bag="white california, " * 6, trash=""))
    hidden = game.snapshot()["belt"][6:8]
    after = all_guess(game)
    assert after["belt"] == [CALIFORNIA] * 5 + [1, 2, 4] + [*hidden, 8, 10, 12, 13]
    assert sum(after["trash"]) == 0
    assert after["bag"][CALIFORNIA] == 1


def test_fewer_plates_are_fed_where_there_are_not_enough(table):
    game = table(challenge("green, red", belt={0: "", 9: ""}, bag="", trash="white california"))
    hidden = game.snapshot()["belt"][6:8]
    after = all_guess(game)
    assert after["belt"] == [CALIFORNIA, 1, 2, 3, 4, 5, *hidden, 8, -1, 10, 11, 12, 13]
    assert after["draws"] == 2


def test_plates_that_fell_come_back_where_the_bag_is_empty(table):
    game = table(challenge("green, red", bag="", trash="white california"))
    hidden = game.snapshot()["belt"][6:8]
    after = all_guess(game)
    assert after["belt"] == [13, CALIFORNIA, *range(6), *hidden, 8, 9, 10, 11]
    assert after["trash"][12] == sum(after["trash"]) == 1
