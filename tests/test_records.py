"""Records of games: written and read back the same, and what is wrong with one is named."""

import json
from pathlib import Path

import pytest

from sushigo_env import seeding
from sushigo_env.errors import OrderError, RecordError
from sushigo_env.sushi_go import record
from tests.agreement import new_game, play
from tests.strategies import TABLES, Table

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases" / "games.jsonl").read_text().splitlines()]
VARIANT = next(case for case in CASES if case["variant"] == "two_player_dummy")
STANDARD = next(case for case in CASES if case["variant"] == "standard" and case["players"] == 3)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_record_read_back_is_the_game(table):
    game = new_game(table, seeding.game_seeds(3, 2))
    halves = 2 if table.variant == "two_player_dummy" else 1
    play(game, 3 * game.hand_size * halves)
    line = record.to_line(game.record(1))
    again = record.replay(record.read_line(line))
    assert record.to_line(again.record()) == line
    for field in ("status", "round_points", "pudding_points", "plays"):
        assert (getattr(again.table, field)[0] == getattr(game.table, field)[1]).all(), field


def altered(case: dict, **parts: object) -> str:
    return json.dumps({**case, **parts})


def without(case: dict, part: str) -> str:
    return json.dumps({name: value for name, value in case.items() if name != part})


def with_play(case: dict, cards: list) -> str:
    laid = json.loads(json.dumps(case["plays"]))
    laid[1][2][0] = cards
    return altered(case, plays=laid)


def with_points(case: dict, points: int) -> str:
    result = json.loads(json.dumps(case["result"]))
    result["rounds"][2][1]["maki"] = points
    return altered(case, result=result)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "line 7: not valid JSON"),
        ('{"game": "sushi_go", "format": ' + "1" * 5000 + "}", "line 7: not valid JSON"),
        ("[1]", "line 7: a record is a JSON object, not list"),
        (altered(STANDARD, game="chess"), "game must be 'sushi_go', not 'chess'"),
        (altered(STANDARD, format=True), "format must be 1, not True"),
        (altered(STANDARD, players=6), "num_players must be 2, 3, 4 or 5, not 6"),
        (altered(STANDARD, players=3.0), "num_players must be 2, 3, 4 or 5, not 3.0"),
        (altered(STANDARD, players=[3]), "num_players must be 2, 3, 4 or 5"),
        (altered(STANDARD, passing=["left"]), "passing must be one of left, alternate"),
        (altered(STANDARD, deals=[[[0] * 9] * 3] * 3), "deals must name their cards"),
        (altered(STANDARD, deals=STANDARD["deals"][:2]), "deals must have 3 rounds, not 2"),
        (altered(STANDARD, deals=[[["tempura"] * 9] * 3] * 3), "the deck has 14"),
        (without(STANDARD, "plays"), "the record lacks plays"),
        (without(VARIANT, "first_controller"), r"first_controller must be \[0, 1, 0\] or \[1, 0, 1\], not None"),
        (altered(VARIANT, first_controller=[False, True, False]), "first_controller must be"),
        (altered(STANDARD, plays=[]), "plays must have 3 rounds"),
        (with_play(STANDARD, ["tofu"]), "line 7, round 2, turn 3, seat 0: unknown card 'tofu'"),
        (with_play(STANDARD, []), "round 2, turn 3, seat 0: a play is a list of one or two cards"),
        (with_play(STANDARD, ["tempura", "tempura"]), "round 2, turn 3, seat 0: .* cannot be laid; allowed are"),
        (with_points(STANDARD, 99), r"result says rounds\[2\]\[1\]\['maki'\] 99, but the plays come to \d"),
        (altered(STANDARD, result=None), "result must be a JSON object, not None"),
        (altered(STANDARD, result={**STANDARD["result"], "luck": 1}), "parts it should not have: luck"),
    ],
)
def test_what_is_wrong_is_named(line, sentence):
    with pytest.raises(RecordError, match=sentence):
        record.score_line(line, 7)


@pytest.mark.parametrize("case", [STANDARD, VARIANT], ids=["standard", "dummy"])
def test_a_record_without_its_result_is_scored(case):
    assert record.score_line(without(case, "result"))["result"] == case["result"]


def test_a_game_set_to_a_position_leaves_no_record():
    game = new_game(Table(2), seeding.game_seeds(0, 1))
    game.set_position(game.position())
    play(game, 3 * game.hand_size)
    with pytest.raises(OrderError, match="was set to a position"):
        game.record()
