"""The list of games: what every game in it tells, and that it is the one place where games are looked up by name."""

from __future__ import annotations

import json
from typing import Any

import gymnasium
import pettingzoo
import pytest

from sushigo_env import games
from sushigo_env.errors import RecordError, SettingError
from tests.test_imports import FOLDERS, GAMES, imported
from tests.toy_box import STICKS, put_in

every_entry = pytest.mark.parametrize("entry", [*games.GAMES.values(), STICKS], ids=lambda entry: entry.name)


def test_the_names_are_the_games_own() -> None:
    assert tuple(games.GAMES) == GAMES
    assert games.DEFAULT in games.GAMES
    for name, entry in games.GAMES.items():
        assert name == entry.name == entry.load().name


@every_entry
def test_a_game_tells_its_tables(entry: games.Entry) -> None:
    assert next(iter(entry.variants)) == "standard"
    for variant, counts in entry.variants.items():
        for players in range(1, 8):
            if players not in counts:
                with pytest.raises(SettingError):
                    entry.new(1, players, variant=variant)
                continue
            game = entry.new(2, players, variant=variant, num_threads=1)
            assert (game.name, game.num_games, game.num_players, game.variant) == (entry.name, 2, players, variant)
            assert game.simultaneous == entry.simultaneous
            assert game.observation == entry.observations[0]


@every_entry
def test_a_game_tells_its_settings(entry: games.Entry) -> None:
    assert {"memory", "full"} <= set(entry.observations)
    players = next(iter(entry.variants.values()))[0]
    for observation in entry.observations:
        assert entry.new(1, players, observation=observation).observation == observation
    with pytest.raises(SettingError):
        entry.new(1, players, observation="everything")
    given: Any = [entry.new(1, players, passing=passing) for passing in entry.passings]
    assert [game.passing for game in given] == list(entry.passings)


def test_every_door_is_open_under_its_ids() -> None:
    for entry in games.GAMES.values():
        door = entry.open()
        assert set(door.__all__) >= {"env", "raw_env", "parallel_env", "vector_env", "gymnasium_env", "sb3_vec_env"}
        assert f"sushigo_env/{entry.gymnasium_id}" in gymnasium.registry
        assert f"sushigo_env/{entry.pettingzoo_id}" in pettingzoo.aec_registry
        assert (f"sushigo_env/{entry.pettingzoo_id}" in pettingzoo.parallel_registry) == entry.simultaneous
        assert ("parallel" in entry.apis) == entry.simultaneous


def test_a_game_is_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert games.find("sushi_go").title == "Sushi Go!"
    put_in(monkeypatch)
    assert games.find("sticks") is STICKS
    with pytest.raises(SettingError, match=r"^game must be one of sushi_go, .*sticks, not 'chess'\.$"):
        games.find("chess")


def test_adapters_and_games_know_nothing_of_the_list() -> None:
    for folder in ("api", *GAMES):
        for module in (FOLDERS["sushigo_env"] / folder).glob("*.py"):
            assert "sushigo_env.games" not in imported(module.read_text(encoding="utf-8")), module


def test_a_record_is_read_by_the_game_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    put_in(monkeypatch)
    record = games.score_line(json.dumps({"game": "sticks", "taken": [[1, 2], [3]]}), 7)
    assert (record["line"], record["result"]["totals"]) == (7, [6, 3])


@pytest.mark.parametrize("name", ["chess", None, 3, ["sushi_go"]])
def test_a_record_of_no_game_of_the_box(monkeypatch: pytest.MonkeyPatch, name: Any) -> None:
    put_in(monkeypatch)
    with pytest.raises(RecordError, match=r"^line 4: game must be one of sushi_go, .*sticks, not "):
        games.score_line(json.dumps({"game": name}), 4)


@pytest.mark.parametrize("line", ["{", "[]", "[" * 100_000])
def test_a_line_that_is_no_record(line: str) -> None:
    with pytest.raises(RecordError, match=r"^line 4: (not valid JSON|a record is a JSON object)"):
        games.score_line(line, 4)
