"""The plain Sushi Boat itself: how it is set up, what is drawn when, what no game ever breaks."""

import random

import pytest

from tests.boat_facts import (
    ACTIONS,
    CARD_COPIES,
    CARDS,
    COPIES,
    DECK_SIZE,
    STAFF_TILES,
    TUNNEL,
    WORDS,
)
from tests.boat_reference import Reference
from tests.boat_tables import plates_in

TABLES = [(num_players, menus) for num_players in (2, 3, 4, 5) for menus in (False, True)]
MAIN = ("START", "MOVE", "ACT", "EAT", "END")
at_tables = pytest.mark.parametrize(("num_players", "menus"), TABLES)


def new_game(num_players, menus, seed):
    return Reference(num_players, menus, random.Random(seed).randrange)


def test_components():
    assert sum(COPIES) == 54
    assert sum(CARD_COPIES) == 26
    assert sum(copies for (_, arrow), copies in zip(CARDS, CARD_COPIES, strict=True) if arrow == "red") == 13
    assert len(STAFF_TILES) == 8
    assert DECK_SIZE == {2: 26 - 10 + 4, 3: 26 - 6 + 4, 4: 26 - 6 + 4, 5: 26 - 5 + 4}


def test_actions_have_the_numbers_agreed_on():
    expected = {
        "reveal": 0,
        "place L1": 1,
        "place R3": 9,
        "visit": 10,
        "buy": 11,
        "take a yen": 12,
        "pass": 13,
        "space 0": 14,
        "space 13": 27,
        "eat nothing": 28,
        "end turn": 29,
        "special order": 30,
        "play Edamame": 31,
        "play Tempura": 38,
        "decline": 39,
        "trash red salmon": 40,
        "trash white california": 64,
        "tile 0": 65,
        "tile 7": 72,
        "first top": 73,
        "second bottom": 76,
        "pair red-yellow": 77,
        "pair red-white": 80,
        "pair yellow-green": 81,
        "pair blue-white": 86,
        "depth 1": 87,
        "depth 19": 105,
        "discard Edamame": 106,
        "discard Tempura": 113,
        "guess red": 114,
        "guess white": 118,
        "order a menu": 119,
        "keep first": 120,
        "keep second": 121,
    }
    assert {word: WORDS.index(word) for word in expected} == expected
    assert len(set(WORDS)) == len(ACTIONS) == 122


@at_tables
def test_the_set_up_draws_in_the_order_agreed_on(num_players, menus):
    asked = []

    def last(n):
        asked.append(n)
        return n - 1

    game = Reference(num_players, menus, last)
    deck = list(range(20, 0, -1)) if menus else []
    assert asked == [num_players, *range(8, 0, -1), *deck, *range(48, 31, -1)]
    table = game.snapshot()
    assert table["to_act"] == num_players - 1
    assert table["tiles"] == [6, 5, 4, 3, 2, 2, 1, 0]
    assert table["belt"] == [17, 17, 18, 18, 19, 19, 20, 20, 21, 21, 22, 22, 23, 23]
    assert [kind for kind, count in enumerate(table["trash"]) for _ in range(count)] == [15, 16, 16]
    assert sum(table["bag"]) == 48 - 17 + 6
    assert table["yen"] == [2] * num_players
    assert table["pawns"] == [-1] * num_players


def test_menus_are_dealt_one_player_after_the_other_from_the_first():
    game = Reference(3, True, lambda n: n - 1)
    assert game.snapshot()["menu_deck"] == list(range(17, -1, -1))
    for seat, offered, keep in ((2, [19, 18], "keep first"), (0, [17, 16], "keep second"), (1, [15, 14], "keep first")):
        table = game.snapshot()
        assert (table["phase"], table["to_act"], table["offered"]) == ("MENU", seat, offered)
        game.step(WORDS.index(keep))
    table = game.snapshot()
    assert table["menus"] == [[16], [15], [19]]
    assert table["menu_deck"] == [*range(13, -1, -1), 18, 17, 14]
    assert (table["phase"], table["to_act"]) == ("START", 2)


@at_tables
def test_no_game_breaks_what_always_holds(num_players, menus):
    for seed in range(20):
        game = new_game(num_players, menus, seed)
        choose = random.Random(seed + 1000)
        turns = 0
        while not game.done:
            table = game.snapshot()
            assert plates_in(table) == 54
            assert all(table["belt"][space] >= 0 for space in TUNNEL)
            assert len(table["legal"]) >= 1
            assert table["legal"] == sorted(set(table["legal"]))
            assert max(table["legal"]) < (122 if menus else 119)
            assert min(table["yen"]) >= 0
            assert all(sum(hand) <= 2 + (table["phase"] == "DISCARD") for hand in table["hands"])
            seated = [place for place in table["pawns"] if place >= 0]
            assert len(seated) == len(set(seated))
            action = choose.choice(table["legal"])
            turns += WORDS[action] == "end turn"
            game.step(action)
        assert turns == DECK_SIZE[num_players]
        assert game.wasabi_left == 0
        assert sum(game.snapshot()["pool"]) == {2: 10, 3: 6, 4: 6, 5: 5}[num_players]
        assert game.legal() == []


@at_tables
def test_a_game_goes_on_from_a_snapshot_as_from_where_it_was_taken(num_players, menus):
    game = new_game(num_players, menus, 5)
    choose = random.Random(6)
    tried = 0
    while not game.done:
        table = game.snapshot()
        action = choose.choice(table["legal"])
        if table["phase"] in MAIN:
            chance = random.Random(table["draws"])
            copy = Reference(num_players, menus, chance.randrange, table)
            assert copy.snapshot() == table
            game.chance = random.Random(table["draws"]).randrange
            copy.step(action)
            game.step(action)
            assert copy.snapshot() == game.snapshot()
            tried += 1
        else:
            game.step(action)
    assert tried > 50


def test_an_illegal_action_is_refused():
    game = new_game(3, False, 0)
    with pytest.raises(AssertionError, match="not legal in START"):
        game.step(WORDS.index("end turn"))
