"""Records of Sushi Boat: written and read back the same, and what is wrong with one is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sushigo_env import games
from sushigo_env.errors import OrderError, RecordError
from sushigo_env.sushi_boat import record
from sushigo_env.sushi_boat.cards import DISHES, Config
from sushigo_env.sushi_boat.chance import DRAWS
from sushigo_env.sushi_boat.plays import WORDS
from tests.boat_tools import TABLES, new_game, play
from tests.cli_helpers import sushigo

CARDS = tuple(f"{dish} {arrow}" for dish in DISHES for arrow in ("green", "red"))


def finished(players: int, variant: str = "standard", seed: int = 5, **more: Any) -> dict[str, Any]:
    game = new_game(players, variant, seed=seed, **more)
    play(game)
    return game.record()


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_a_record_read_back_is_the_game(players: int, variant: str) -> None:
    game = new_game(players, variant, seed=60, count=3)
    play(game)
    for index in range(3):
        line = record.to_line(game.record(index))
        assert "\n" not in line
        again = record.replay(record.read_line(line))
        assert again.snapshot() == game.snapshot(index)
        assert record.to_line(again.record()) == line


def test_words_are_each_their_own() -> None:
    assert len(set(DRAWS)) == len(DRAWS)
    assert len(set(WORDS)) == len(WORDS)


def test_a_record_tells_what_happened() -> None:
    made = finished(3, "menus")
    assert list(made) == ["game", "format", "players", "variant", "draws", "actions", "result"]
    assert made["draws"][0] in ("player_0", "player_1", "player_2")
    assert made["draws"].count("Wasabi") == 4
    assert len([name for name in made["draws"] if name in CARDS]) == 20
    assert len([words for words in made["actions"] if words == "reveal"]) == 24
    points = made["result"]["points"]
    assert made["result"]["totals"] == [sum(each.values()) for each in points]
    assert list(points[0]) == ["runs", "sets", "dishes", "gyoza", "cubes", "menus"]


def test_other_values_than_the_usual_go_along() -> None:
    config = Config(most_dishes=9, dishes=(4, 4, 3, 3, 3, 3, 2, 4))
    made = finished(4, config=config)
    assert made["config"] == {"most_dishes": 9, "dishes": [4, 4, 3, 3, 3, 3, 2, 4]}
    assert list(made["config"]) == ["dishes", "most_dishes"]
    assert record.replay(json.loads(record.to_line(made))).config == config
    assert "config" not in finished(4)


def test_places_of_a_record_are_its_configs() -> None:
    config = Config(large_places=("L1", "C1"), staff_places=("C2", "R1", "L1", "C1", "R3"))
    made = json.loads(record.to_line(finished(3, config=config)))
    assert made["config"]["staff_places"] == ["C2", "R1", "L1", "C1", "R3"]
    assert record.replay(made).config == config
    with pytest.raises(RecordError, match=r"^the record: staff_places must be a tuple of 5 different ones"):
        record.replay(made | {"config": made["config"] | {"staff_places": "L1"}})


@pytest.mark.parametrize("given", [{}, {"most_dishes": 5}, Config().to_json()])
def test_values_that_a_record_leaves_out_are_the_usual(given: dict[str, Any]) -> None:
    told = MADE | {"config": given}
    assert record.replay(told).config == Config()
    assert record.score_line(json.dumps(told))["result"] == MADE["result"]


def test_values_nested_without_end_are_refused() -> None:
    nested: list[Any] = []
    for _ in range(5000):
        nested = [nested]
    with pytest.raises(RecordError, match="config has lists within lists of lists at 'reach'"):
        record.replay(MADE | {"config": {"reach": nested}})


def test_a_part_of_the_values_with_lists_becomes_a_config() -> None:
    points = [0, 0, 1, 2, 4, 7, 12]
    made = finished(3, config=Config(set_points=tuple(points), reach=tuple(reversed(Config().reach))))
    assert made["config"] == {"reach": [[8], [4, 9], [5], [10], [2, 11], [3], [12], [0, 13], [1]], "set_points": points}
    assert record.replay(made).config.set_points == tuple(points)


def test_games_without_a_record() -> None:
    game = new_game(2, count=2)
    with pytest.raises(OrderError, match="game 1 is not finished"):
        game.record(1)
    game.end(~game.done)
    with pytest.raises(OrderError, match="game 0 was stopped before its end"):
        game.record()


MADE = finished(3)


def altered(**parts: Any) -> str:
    return json.dumps({**MADE, **parts})


def without(part: str) -> str:
    return json.dumps({name: value for name, value in MADE.items() if name != part})


def with_item(part: str, at: int, item: Any) -> str:
    return altered(**{part: [*MADE[part][:at], item, *MADE[part][at + 1 :]]})


FIRST_CARD = next(i for i, name in enumerate(MADE["draws"]) if name in CARDS)
FIRST_REVEAL = MADE["actions"].index("reveal")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "line 7: not valid JSON"),
        ("[]", "line 7: a record is a JSON object, not list"),
        (altered(game="sushi_go"), "line 7: game must be 'sushi_boat', not 'sushi_go'"),
        (altered(format=2), "line 7: format must be 1, not 2"),
        (without("draws"), "line 7: the record lacks draws"),
        (altered(players=6), "line 7: num_players must be 2, 3, 4 or 5, not 6"),
        (altered(variant="quick"), "line 7: variant must be one of standard, menus, not 'quick'"),
        (altered(config=[]), "line 7: config must be a JSON object of plates, reach"),
        (altered(config={"most": 5}), "line 7: config has no 'most'; it may have plates, reach"),
        (altered(config={"reach": 1}), "line 7: reach must be 9 tuples, of 1 or 2 spaces for each place, not 1"),
        (altered(config={"reach": [[1.0], *Config().reach[1:]]}), "line 7: reach must give each visible space"),
        (altered(config=Config().to_json() | {"most_dishes": -1}), "line 7: most_dishes must be a whole number"),
        (altered(draws="Wasabi"), "line 7: draws must be a list of at most 512 names"),
        (altered(actions=[1]), "line 7: actions must be a list of at most 768 names"),
        (with_item("draws", 12, "pink salmon"), "line 7, draw 13: there is no 'pink salmon' to be drawn"),
        (with_item("draws", 12, "white california"), "before the first action: white california (draw 13) cannot be"),
        (with_item("draws", 0, "player_3"), "player_3 (draw 1) cannot be drawn; what can is player_0, player_1, pl"),
        (with_item("draws", FIRST_CARD, "Wasabi"), "cannot be drawn; what can is Edamame green, Edamame red, Fugu gr"),
        (altered(draws=MADE["draws"][:-1]), f"the draws end after {len(MADE['draws']) - 1}, but one more is made"),
        (altered(draws=[]), "before the first action: the draws end after 0"),
        (altered(draws=[*MADE["draws"], "Wasabi"]), f"draw {len(MADE['draws']) + 1} (Wasabi) is one more than"),
        (altered(draws=[*MADE["draws"], "Edamame red"]), "(Edamame red) is one more than the game has"),
        (with_item("actions", FIRST_REVEAL, "end turn"), "end turn is not legal, since the turn begins with a reveal"),
        (with_item("actions", FIRST_REVEAL, "end turn"), "; legal are: reveal"),
        (with_item("actions", 1, "fly"), "line 7, action 2, player_"),
        (with_item("actions", 1, "order a menu"), "line 7, action 2, player_"),
        (altered(actions=MADE["actions"][:-1]), "the game is not over after the last action"),
        (altered(actions=[*MADE["actions"], "pass"]), "'pass' comes after the end of the game"),
        (altered(result=3), "line 7: result must be a JSON object, not 3"),
        (altered(result=MADE["result"] | {"luck": 1}), "line 7: result has parts it should not have: luck"),
        (altered(result=MADE["result"] | {"yen": [99, 0, 0]}), "line 7: result says yen[0] 99, but the plays come to"),
    ],
)
def test_what_is_wrong_is_named(line: str, sentence: str) -> None:
    with pytest.raises(RecordError) as caught:
        record.score_line(line, 7)
    assert sentence in str(caught.value)


def test_a_result_may_be_left_out() -> None:
    assert record.score_line(without("result"))["result"] == MADE["result"]
    assert games.score_line(without("result"))["result"] == MADE["result"]


def test_the_command_scores_it(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(f"{record.to_line(MADE)}\n{record.to_line(finished(2, 'menus'))}\n")
    told = sushigo("score", path)
    assert told.exit_code == 0, told.output
    assert "Line 1: 3 players, standard; won by player_" in told.stdout
    assert "gyoza" in told.stdout
    assert json.loads(sushigo("score", path, "--json").stdout.splitlines()[0]) == MADE["result"]
