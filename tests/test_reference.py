"""The plain reference against the recorded games and the rules' own sentences."""

import json
from pathlib import Path

import pytest

from tests.reference import COPIES, Reference, legal_play_of, replay
from tests.reference_observation import ObservedReference

RECORDS = [json.loads(line) for line in (Path(__file__).parent / "cases" / "games.jsonl").read_text().splitlines()]


def name_of(record: dict) -> str:
    return f"{record['players']}-{record['variant']}-{record['passing']}"


@pytest.mark.parametrize("record", RECORDS, ids=name_of)
def test_recorded_games(record):
    game = replay(record)
    assert game.done
    assert game.result() == record["result"]


@pytest.mark.parametrize("record", RECORDS[::4], ids=name_of)
def test_a_game_that_is_over_allows_nothing(record):
    game = replay(record)
    assert all(game.legal(seat) == set() for seat in range(game.num_players))


def two_players(*first_hands):
    """A game whose first hands are given, filled up with dumplings and tempura."""
    hands = [[*hand, *["dumpling"] * (10 - len(hand))] for hand in first_hands]
    return ObservedReference(2, "standard", "left", [hands, [["tempura"] * 10] * 2, [["tempura"] * 10] * 2])


def lay(game, *plays):
    game.step([legal_play_of(game, seat, cards) for seat, cards in enumerate(plays)])


def test_wasabi_then_egg_is_worth_three_and_egg_then_wasabi_one_with_the_wasabi_open():
    points, open_wasabi = [], []
    for order in (["wasabi", "egg_nigiri"], ["egg_nigiri", "wasabi"]):
        game = two_players(["chopsticks"], ["wasabi", "egg_nigiri", "tempura"])
        lay(game, ["chopsticks"], ["tempura"])
        lay(game, order, ["dumpling"])
        points.append(int(game.observe(0, "table")["nigiri_points"][0]))
        open_wasabi.append(int(game.observe(0, "table")["wasabi"][0]))
    assert points == [3, 1]
    assert open_wasabi == [0, 1]


def test_chopsticks_go_back_into_the_hand_that_is_passed():
    game = two_players(["chopsticks"], ["sashimi", "sashimi", "tempura"])
    lay(game, ["chopsticks"], ["tempura"])
    lay(game, ["sashimi", "sashimi"], ["dumpling"])
    assert game.tableaus[0] == ["sashimi", "sashimi"]
    assert "chopsticks" in game.hands[1]


def test_chopsticks_laid_this_turn_cannot_be_used_this_turn():
    game = two_players(["chopsticks", "tempura"], ["sashimi"])
    assert game.legal(0) == {2, 11, 0}


def test_a_seat_with_one_card_left_cannot_use_chopsticks():
    hands = [["chopsticks", *["dumpling"] * 9], ["dumpling"] * 10]
    game = ObservedReference(2, "standard", "left", [hands, hands, hands])
    lay(game, ["chopsticks"], ["dumpling"])
    for _ in range(8):
        lay(game, ["dumpling"], ["dumpling"])
    assert len(game.hands[0]) == 1
    assert game.legal(0) == {2}


def test_the_controller_uses_chopsticks_only_while_a_card_is_left_for_the_dummy():
    record = next(r for r in RECORDS if r["variant"] == "two_player_dummy")
    game = Reference(2, record["variant"], "left", record["deals"])
    seen = set()
    while not game.done:
        controller = game.controller
        if game.half == 0 and "chopsticks" in game.tableaus[controller]:
            seen.add(len(game.hands[controller]))
            assert any(play >= 12 for play in game.legal(controller)) == (len(game.hands[controller]) >= 3)
        game.step([min(game.legal(0), key=lambda play: -play % 12), min(game.legal(1), key=lambda play: -play % 12)])
    assert seen, "the play never reached the case"


def test_the_drawn_card_is_known_to_its_drawer_alone_until_the_hand_comes_round():
    record = next(r for r in RECORDS if r["variant"] == "two_player_dummy")
    game = ObservedReference(2, record["variant"], "left", record["deals"])
    assert list(game.observe(0, "memory")["unknown_cards"]) == [9]
    assert list(game.observe(1, "memory")["unknown_cards"]) == [10]
    for _ in range(2):
        game.step([min(game.legal(0)), min(game.legal(1))])
    assert game.controller == 1
    assert list(game.observe(0, "memory")["unknown_cards"]) == [1]
    assert list(game.observe(1, "memory")["unknown_cards"]) == [0]


def test_the_deck_of_the_reference_has_108_cards():
    assert sum(COPIES.values()) == 108
