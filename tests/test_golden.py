"""Golden games: replayed from their recorded deals and plays alone, at the engine's table and at the reference's."""

from __future__ import annotations

import re

import pytest

from tests import golden_games
from tests.golden_cases import CASES
from tests.golden_games import FOLDER, path_of, read, tell
from tests.golden_tables import SIDES
from tests.strategies import TABLES, Table

TEXTS = {name: path_of(name).read_text(encoding="utf-8") if path_of(name).exists() else "" for name in CASES}

# Counted from the sheets of golden_cases.py, by hand: the seat's three rounds, then its puddings.
TOTALS_BY_HAND = {
    # player_0: 2 tempura 5 + 3 sashimi 10 + 2 dumplings 3 + egg on wasabi 3 + most maki (2 against 1) 6 = 27;
    #   2 tempura 5 + 2 dumplings 3 + squid on wasabi 9, salmon 2, salmon 2, egg 1 = 22;
    #   2 tempura 5 + 1 dumpling 1 + most maki (6 against 3) 6 = 12; 1 pudding against 2, no loss for two: 61
    # player_1: 2 tempura 5 + 1 dumpling 1 + egg 1, salmon on the wasabi laid after it 6 + second maki 3 = 16;
    #   salmon on wasabi 6, squid 3, egg on wasabi 3 + most maki 6 = 18;
    #   5 dumplings 15 + salmon 2, salmon 2, squid 3 + second maki 3 = 25; most puddings 6: 65
    "chopsticks": {"player_0": 61, "player_1": 65},
    # player_0: 6 sashimi 20 + 3 dumplings 6 = 26;
    #   2 tempura 5 + 1 dumpling 1 + salmon on wasabi 6, egg on wasabi 3 + second maki (4 against 6) 3 = 18;
    #   5 tempura 10 + egg 1 + half of the most maki 3 = 14; most puddings 6: 64
    # player_1: 4 tempura 10 + 2 squid 6 + most maki 6 = 22; 6 dumplings 15 + salmon 2 + most maki 6 = 23;
    #   2 tempura 5 + salmon on wasabi 6, squid 3, salmon 2 + half of the most maki 3 = 19; 64
    "victory_by_puddings": {"player_0": 64, "player_1": 64},
    # player_1: 3 sashimi 10 + 2 dumplings 3 + half of the most maki 3 = 16;
    #   4 tempura 10 + 1 dumpling 1 + squid 3 + half of the second maki, rounded down, 1 = 15;
    #   5 dumplings 15 + squid 3, egg 1 + a third of the most maki 2 = 21; half of the fewest puddings -3: 49
    "maki_ties": {"player_1": 49},
    # player_0: 2 tempura 5 + 2 dumplings 3 + squid and salmon on two wasabi 9 + 6, egg 1 = 24;
    #   2 tempura 5 + 3 sashimi 10 + 1 dumpling 1 + most maki (6 against 4) 6 = 22;
    #   2 tempura 5 + salmon 2, salmon 2, egg 1 + half of the most maki 3 = 13; 59
    # player_1: 7 dumplings 15 + most maki 6 = 21; 4 tempura 10 + 1 dumpling 1 + salmon 2, egg 1 = 14;
    #   2 tempura 5 + squid 3 + half of the most maki 3 = 11; fewest puddings -6: 40
    "two_wasabi_seven_dumplings": {"player_0": 59, "player_1": 40},
    # player_3: 2 tempura 5 + 1 dumpling 1 + squid on wasabi 9, salmon before the next wasabi 2 = 17;
    #   2 tempura 5 + 2 dumplings 3 + squid 3, egg 1 + a third of the second maki 1 = 13;
    #   salmon 2, salmon on wasabi 6 = 8; a third of the fewest puddings -2: 36
    "three_fewest_puddings": {"player_3": 36},
    # player_0: 2 tempura 5 + 2 dumplings 3 + 2 salmon 4 + a quarter of the most maki, rounded down, 1 = 13;
    #   3 sashimi 10 + 1 dumpling 1 + salmon 2 + half of the most maki 3 = 16; squid 3, egg 1 + most maki 6 = 10; 39
    # player_1: 3 sashimi 10 + egg 1 + maki 1 = 12; 2 tempura 5 + 4 dumplings 10 + half of the most maki 3 = 18;
    #   3 salmon 6 + second maki 3 = 9; 39
    "shared_victory": {"player_0": 39, "player_1": 39},
    # player_3: 3 dumplings 6 + squid on wasabi 9 = 15; 2 tempura 5 + 3 sashimi 10 = 15;
    #   1 dumpling 1 + squid on wasabi 9, egg 1 = 11; a quarter of the fewest puddings, towards zero, -1: 40
    "four_fewest_puddings": {"player_3": 40},
    # player_1: 3 sashimi 10 + salmon 2 + second maki (4 against 6) 3 = 15;
    #   2 dumplings 3 + 2 salmon 4 + second maki (5 against 6) 3 = 10;
    #   2 dumplings 3 + egg on wasabi 3, salmon 2 + most maki 6 = 14; a quarter of the most puddings 1: 40
    # player_4: each round 1 tempura, 2 sashimi, 2 icons when others have more, no nigiri: 0; fewest puddings -6
    "four_most_puddings": {"player_1": 40, "player_4": -6},
    # player_0: 2 tempura 5 + 2 dumplings 3 + squid on wasabi 9, salmon 2 = 19;
    #   3 sashimi 10 + 1 dumpling 1 + egg 1, salmon 2 = 14;
    #   2 tempura 5 + 2 dumplings 3 + squid on wasabi 9, salmon 2 = 19; half of the most puddings 3: 55
    # dummy: 2 dumplings 3 + salmon 2, squid 3 + most maki (5 against 4) 6 = 14;
    #   2 dumplings 3 + salmon 2 + most maki (6 against 5) 6 = 11;
    #   2 tempura 5 + 1 dumpling 1 + egg 1, salmon 2 + second maki (3 against 7) 3 = 12; fewest puddings -6: 31
    "dummy_loses_puddings": {"player_0": 55, "dummy": 31},
    # player_1: 2 dumplings 3 + egg 1, squid 3 + half of the most maki 3 = 10;
    #   2 tempura 5 + squid 3, salmon 2 + most maki (5 against 4) 6 = 16;
    #   2 tempura 5 + 1 dumpling 1 + half of the most maki 3 = 9; neither most nor fewest puddings: 35
    # dummy: 3 sashimi 10 + 5 dumplings 15 + half of the most maki 3 = 28;
    #   1 dumpling 1 + squid on wasabi 9, salmon 2 = 12;
    #   2 tempura 5 + 3 sashimi 10 + 1 dumpling 1 + salmon 2 = 18; most puddings 6: 64
    "dummy_cannot_win": {"player_1": 35, "dummy": 64},
}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", CASES)
def test_the_recorded_deals_and_plays_give_the_recorded_text(name: str, side: str):
    golden = read(TEXTS[name])
    told = tell(golden, SIDES[side](golden))
    for number, (found, recorded) in enumerate(zip(told.split("\n"), TEXTS[name].split("\n"), strict=False), start=1):
        assert found == recorded, f"{name}.txt, line {number}, by the {side}"
    assert told == TEXTS[name]


@pytest.mark.parametrize("name", CASES)
def test_the_file_is_the_game_of_the_case(name: str):
    assert read(TEXTS[name]) == CASES[name].game(), "run `make golden`"


def test_every_case_has_its_file_and_every_file_its_case():
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.txt" for name in CASES}, "run `make golden`"


def test_every_kind_of_table_has_a_golden_game():
    golden = [read(text) for text in TEXTS.values()]
    assert {Table(game.players, game.passing, game.variant) for game in golden} >= set(TABLES)


def test_make_golden_writes_the_files_and_removes_what_is_no_case(tmp_path, monkeypatch):
    (tmp_path / "old.txt").write_text("a case that was")
    monkeypatch.setattr(golden_games, "FOLDER", tmp_path)
    golden_games.main()
    assert {path.stem: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == TEXTS


def test_the_files_stay_small():
    assert max(map(len, TEXTS.values())) < 60_000


@pytest.mark.parametrize("name", CASES)
def test_totals_counted_by_hand(name: str):
    totals = dict(re.findall(r"^(\w+): puddings \d+ for -?\d+; total (-?\d+)$", TEXTS[name], re.MULTILINE))
    by_hand = TOTALS_BY_HAND[name]
    assert {seat: int(totals[seat]) for seat in by_hand} == by_hand


def turn(name: str, number: str) -> str:
    """What the file tells of a turn, such as `1.3`, from the drawing of the table to the plays."""
    return next(part for part in TEXTS[name].split("\n\n") if f"\nplays {number}: " in part)


def points(name: str, round_: int, kind: str) -> list[int]:
    """Every seat's points of a kind at a round's end."""
    end = next(part for part in TEXTS[name].split("\n\n") if part.startswith(f"Round {round_} ends\n"))
    return [int(found) for found in re.findall(rf"\b{kind} (\d+)", end)]


def puddings(name: str) -> list[tuple[int, int]]:
    """Every seat's puddings and the points for them."""
    found = re.findall(r"^\w+: puddings (\d+) for (-?\d+);", TEXTS[name], re.MULTILINE)
    return [(int(count), int(points)) for count, points in found]


def winner(name: str) -> str:
    return TEXTS[name].rsplit("winner: ", 1)[1].strip()


def laid_together(name: str, number: str, seat: str, cards: str) -> bool:
    return f"\n{seat} lays {cards} (" in turn(name, number)


def test_wasabi_then_nigiri_and_nigiri_then_wasabi():
    assert laid_together("chopsticks", "1.2", "player_0", "Wasabi, then Egg Nigiri")
    assert "player_0  score 0, puddings kept 0, nigiri 3\n" in turn("chopsticks", "1.3")
    assert laid_together("chopsticks", "1.4", "player_1", "Egg Nigiri, then Wasabi")
    assert "player_1  score 0, puddings kept 0, nigiri 1, wasabi open 1\n" in turn("chopsticks", "1.5")


def test_two_nigiri_both_ways_round_on_one_open_wasabi():
    for at, after, seat, cards, total in (
        ("2.3", "2.4", "player_0", "Squid Nigiri, then Salmon Nigiri", 3 * 3 + 2),
        ("2.5", "2.6", "player_1", "Salmon Nigiri, then Squid Nigiri", 3 * 2 + 3),
    ):
        assert re.search(rf"{seat} .*, wasabi open 1\n", turn("chopsticks", at))
        assert laid_together("chopsticks", at, seat, cards)
        assert re.search(rf"{seat} .*, nigiri {total}\n", turn("chopsticks", after))


def test_orders_that_make_no_difference_mean_the_pair_in_deck_order():
    assert '[["egg_nigiri", "salmon_nigiri"], ' in turn("chopsticks", "2.7")
    assert laid_together("chopsticks", "2.7", "player_0", "Salmon Nigiri, then Egg Nigiri")
    assert ', ["wasabi", "egg_nigiri"]]' in turn("chopsticks", "2.9")
    assert laid_together("chopsticks", "2.9", "player_1", "Egg Nigiri, then Wasabi")
    assert re.search(r"player_1 .*, nigiri 12, wasabi open 1\n", turn("chopsticks", "2.10"))


def test_two_chopsticks_owned_and_chopsticks_as_one_of_the_two_cards():
    assert "    table: 2 Chopsticks\n" in turn("chopsticks", "3.3")
    assert "    table: 2 Tempura, Chopsticks\n" in turn("chopsticks", "3.4"), "one went back, one is left"
    assert laid_together("chopsticks", "3.6", "player_0", "Dumpling, then Chopsticks")
    assert laid_together("chopsticks", "3.9", "player_0", "Maki Roll (1), then Chopsticks")


def test_the_last_turn_that_chopsticks_can_be_used():
    assert "    hand:  Maki Roll (1), Chopsticks\nplayer_1" in turn("chopsticks", "3.9")
    last = turn("chopsticks", "3.10")
    assert re.search(r"table: .*, Chopsticks\n    hand:  Pudding\nplayer_1", last)
    assert "player_0 lays Pudding (1 legal)" in last


def test_chopsticks_go_back_before_the_hand_is_passed_to_the_right():
    name = "two_wasabi_seven_dumplings"
    assert laid_together(name, "2.2", "player_0", "Sashimi, then Sashimi")
    assert "hands go right" in turn(name, "2.3")
    assert "player_2 lays Chopsticks (" in turn(name, "2.3"), "out of the hand that player_0 passed"


def test_maki_ties():
    assert [points("maki_ties", round_, "maki") for round_ in (1, 2, 3)] == [[3, 3, 0], [6, 1, 1], [2, 2, 2]]
    assert points("shared_victory", 1, "maki") == [1, 1, 1, 1]
    assert points("three_fewest_puddings", 1, "maki") == [0, 0, 0, 0], "nobody has any"
    assert points("three_fewest_puddings", 2, "maki") == [6, 1, 1, 1]
    assert points("four_fewest_puddings", 1, "maki") == [6, 0, 0, 0, 0]


def test_pudding_ties():
    assert puddings("maki_ties") == [(3, 6), (2, -3), (2, -3)]
    assert puddings("three_fewest_puddings") == [(5, 6), (0, -2), (0, -2), (0, -2)]
    assert puddings("shared_victory") == [(2, 0)] * 4
    assert puddings("four_fewest_puddings") == [(6, 6), *[(1, -1)] * 4]
    assert puddings("four_most_puddings") == [*[(2, 1)] * 4, (0, -6)]
    assert puddings("chopsticks") == [(1, 0), (2, 6)], "with two players nobody loses"


def test_victories():
    assert winner("shared_victory") == "player_0 and player_1"
    assert re.findall(r"total (\d+)", TEXTS["victory_by_puddings"]) == ["64", "64"]
    assert puddings("victory_by_puddings") == [(3, 6), (1, 0)]
    assert winner("victory_by_puddings") == "player_0"


def test_two_open_wasabi_and_seven_dumplings():
    name = "two_wasabi_seven_dumplings"
    standings = [re.search(r"player_0 .*(nigiri .*)\n", turn(name, f"1.{number}")) for number in (3, 4, 5, 6)]
    assert [found and found[1] for found in standings] == [
        "nigiri 0, wasabi open 2",
        "nigiri 9, wasabi open 1",
        "nigiri 15",
        "nigiri 16",
    ]
    assert "    table: 7 Dumpling\n" in turn(name, "1.8")
    assert points(name, 1, "dumpling") == [3, 15, 0]


def test_the_dummy_loses_for_puddings_and_cannot_win():
    assert puddings("dummy_loses_puddings") == [(3, 3), (3, 3), (0, -6)]
    assert puddings("dummy_cannot_win") == [(1, -6), (2, 0), (3, 6)]
    assert re.findall(r"total (\d+)", TEXTS["dummy_cannot_win"]) == ["39", "35", "64"]
    assert winner("dummy_cannot_win") == "player_0"
    assert points("dummy_cannot_win", 1, "maki") == [0, 3, 3]


def test_the_controller_uses_chopsticks():
    name = "dummy_loses_puddings"
    assert "player_0 is in control" in turn(name, "1.3")
    assert laid_together(name, "1.3", "player_0", "Wasabi, then Squid Nigiri")
    assert "dummy is given Chopsticks (" in turn(name, "1.4"), "they came with the hand"
    last = turn(name, "2.8")
    assert "player_0 is in control" in last
    assert "    hand:  Maki Roll (1), Salmon Nigiri, Egg Nigiri\nplayer_1" in last
    assert laid_together(name, "2.8", "player_0", "Salmon Nigiri, then Egg Nigiri")
    assert "dummy is given Maki Roll (1) (1 legal)" in last, "the chopsticks are not to be had yet"
    assert laid_together(name, "2.8", "player_1", "Dumpling, then Dumpling")


def test_control_goes_on_alternating_over_the_rounds():
    for name, openers in (("dummy_loses_puddings", "010"), ("dummy_cannot_win", "101")):
        for round_, opener in enumerate(openers, start=1):
            assert f"player_{opener} is in control" in turn(name, f"{round_}.1")
            assert f"player_{opener} is in control" in turn(name, f"{round_}.9")
