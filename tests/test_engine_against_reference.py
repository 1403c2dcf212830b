"""1,000 random games at every table, engine and plain reference side by side (`make proof` plays 100,000)."""

import json
from pathlib import Path

import pytest

from sushigo_env.sushi_go import record
from tests.agreement import check_games
from tests.reference import replay
from tests.strategies import TABLES, Table

RECORDS = [json.loads(line) for line in (Path(__file__).parent / "cases" / "games.jsonl").read_text().splitlines()]
GAMES, OBSERVED = 1_000, 30


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_engine_and_reference_agree(table):
    decisions = check_games(table, first_seed=0, count=GAMES, observed=OBSERVED)
    turns = 27 if table.has_dummy else 3 * {2: 10, 3: 9, 4: 8, 5: 7}[table.num_players]
    assert decisions == GAMES * turns * (3 if table.has_dummy else table.num_players)


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("favourites", [["chopsticks"], ["pudding", "wasabi"]], ids=" and ".join)
def test_they_agree_where_everyone_wants_the_same_cards(table, favourites):
    assert check_games(table, first_seed=50_000, count=40, observed=10, favourites=favourites) > 0


def test_they_agree_on_chopsticks_that_went_back_twice_and_were_laid_together():
    assert check_games(Table(4), first_seed=566, count=1, observed=1) == 96


@pytest.mark.parametrize("case", RECORDS, ids=lambda case: f"{case['players']}-{case['variant']}-{case['passing']}")
def test_recorded_games_through_the_engine(case):
    game = record.replay(case)
    assert game.record()["result"] == case["result"]
    assert game.record()["deals"] == case["deals"]
    assert replay(game.record()).result() == case["result"]
