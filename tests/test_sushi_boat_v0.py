"""The door to Sushi Boat: registration, the libraries' own tests, seeds, and the facts that its docs page states."""

from __future__ import annotations

import inspect
import re
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

from sushigo_env import seeding, sushi_boat_v0
from sushigo_env.api.aec import AEC
from sushigo_env.api.rewards import SCHEMES
from sushigo_env.api.single_agent import SingleAgent
from sushigo_env.errors import SettingError
from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.cards import DECK_SIZE, VARIANTS, Config
from sushigo_env.sushi_boat.observation import OBSERVATIONS, layout
from tests.api_helpers import choose, choose_each, expected_warnings, same, transcript
from tests.boat_tools import TABLES, new_game, play

pytestmark = expected_warnings
PAGE = sushi_boat_v0.__doc__ or ""


def test_both_libraries_know_it() -> None:
    env = gymnasium.make("sushigo_env/SushiBoat-v0", num_players=3, opponents="random", seat="rotate")
    assert isinstance(env.unwrapped, SingleAgent)
    assert gymnasium.make_vec("sushigo_env/SushiBoat-v0", num_envs=3).num_envs == 3
    aec = pettingzoo.make("aec", "sushigo_env/sushi_boat-v0", num_players=5, variant="menus")
    assert isinstance(aec, AEC)
    assert (aec.max_num_agents, aec.game.variant) == (5, "menus")
    assert "sushigo_env/sushi_boat-v0" not in pettingzoo.parallel_registry


def test_there_is_no_parallel_environment() -> None:
    with pytest.raises(SettingError, match=r"turns are taken one by one.*; use env, or vector_env"):
        sushi_boat_v0.parallel_env(num_players=3)


@pytest.mark.parametrize(("players", "variant"), [(3, "standard"), (2, "menus")])
@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_the_libraries_own_tests(players: int, variant: str, observation: str) -> None:
    api_test(sushi_boat_v0.env(players, variant, observation), num_cycles=200)
    settings = {"num_players": players, "variant": variant, "observation": observation}
    check_env(gymnasium.make("sushigo_env/SushiBoat-v0", seat="rotate", **settings).unwrapped)


def test_bad_settings_say_what_is_allowed() -> None:
    for settings, sentence in (
        ({"num_players": 6}, "num_players must be 2, 3, 4 or 5, not 6"),
        ({"variant": "quick"}, "variant must be one of standard, menus, not 'quick'"),
        ({"observation": "table"}, "observation must be one of memory, strict, full, not 'table'"),
        ({"config": {"most_dishes": 3}}, "config must be a Config, not dict"),
    ):
        for door in (sushi_boat_v0.env, sushi_boat_v0.vector_env, sushi_boat_v0.gymnasium_env):
            with pytest.raises(SettingError, match=f"^{sentence}"):
                door(**settings)  # type: ignore[operator]


def test_doors_share_their_arguments() -> None:
    doors = {name: inspect.signature(getattr(sushi_boat_v0, name)).parameters for name in sushi_boat_v0.__all__}
    shared = list(doors["env"])
    assert list(doors["raw_env"]) == shared
    single, many = doors["gymnasium_env"], doors["gymnasium_vector_env"]
    assert set(many) - set(single) == {"num_envs", "autoreset_mode", "num_threads"}
    assert set(shared) <= set(single) <= set(many)
    assert sushi_boat_v0.raw_env().settings.illegal == sushi_boat_v0.vector_env(1).settings.illegal == "raise"
    config = Config(most_dishes=9)
    for made in (sushi_boat_v0.env(config=config), sushi_boat_v0.vector_env(2, config=config)):
        assert made.game.config == config


def test_seeds_reproduce() -> None:
    told = [transcript(sushi_boat_v0.env(3, "menus"), seed, np.random.default_rng(1)) for seed in (4, 4, 5)]
    assert same(told[0], told[1])
    assert not same(told[0], told[2])


@pytest.mark.parametrize("seed", [0, 12345])
def test_a_batch_is_its_single_games(seed: int) -> None:
    vec = sushi_boat_v0.vector_env(3, 3)
    vec.reset(seed=seed)
    singles = [sushi_boat_v0.env(3) for _ in range(3)]
    for index, env in enumerate(singles):
        env.reset(seed=seed + index)
    rng = np.random.default_rng(0)
    while vec.agents:
        seen = vec.observe()
        actions = choose_each(seen["action_mask"], rng)
        for index, env in enumerate(singles):
            if vec.to_move[index] >= 0:
                assert env.agent_selection == f"player_{vec.to_move[index]}"
                own = env.observe(env.agent_selection)
                assert np.array_equal(own["observation"], seen["observation"][index])
                assert np.array_equal(own["action_mask"], seen["action_mask"][index])
                env.step(int(actions[index]))
        vec.step(actions)
    for index, env in enumerate(singles):
        assert env.game.scores[0].tolist() == vec.game.scores[index].tolist()


def test_games_that_wait_stay_as_they_are() -> None:
    game = new_game(3, count=4)
    before = game.save()
    going = np.array([True, False, True, False])
    actions = game.legal().argmax(axis=2)
    game.step_some(actions, going)
    after = game.save()
    assert np.array_equal(after[~going], before[~going])
    assert (after[going] != before[going]).any(axis=1).all()
    other = new_game(3, count=4)
    other.step(other.legal().argmax(axis=2))
    assert np.array_equal(other.save()[going], after[going])


def test_threads_change_nothing() -> None:
    told = []
    for threads in (1, 2):
        game = new_game(2, "menus", count=8192 + 5, num_threads=threads)
        play(game, 12)
        told.append([game.observe(setting).copy() for setting in OBSERVATIONS])
    assert same(told[0], told[1])


# the docs page -------------------------------------------------------------------------------------------------------


def section(title: str) -> str:
    """The text under a heading of the docs page."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert found, f"the docs page has no section {title}"
    return found[1]


def rows(title: str) -> list[list[str]]:
    """The cells of the tables in a section, a list a row, rules left out."""
    lines = [line for line in section(title).splitlines() if line.startswith("|") and not line.startswith("|---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_headings_are_those_of_the_other_game() -> None:
    from sushigo_env import sushi_go_v0

    headings = [re.findall(r"^## (.*)$", door.__doc__ or "", re.MULTILINE) for door in (sushi_boat_v0, sushi_go_v0)]
    assert headings[0] == headings[1]


def test_the_examples_run() -> None:
    one, many = re.findall(r"```python\n(.*?)```", section("Usage"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(one, names)
    assert names["env"].agents == []
    exec(many, names := {})
    assert names["vec"].agents == []
    assert (names["wins"] != 0).any()
    seen = names["vec"].observe()
    for key in ("observation", "action_mask"):
        told = re.search(rf"{seen[key].dtype}\[(.*?)\]", many)
        assert told
        assert seen[key].shape == tuple(map(int, told[1].split(", ")))


def test_settings_table() -> None:
    parameters = inspect.signature(sushi_boat_v0.env).parameters
    settings = {row[0].strip("`"): row[1] for row in rows("Usage") if row[0].strip("`") in parameters}
    assert set(settings) == set(parameters)
    for name, values in (("variant", VARIANTS), ("observation", OBSERVATIONS), ("reward", SCHEMES)):
        assert re.findall(r'"(\w+)"', settings[name]) == list(values)
    assert sorted(map(int, re.findall(r"\d", settings["num_players"]))) == sorted(DECK_SIZE)


def test_specs_table() -> None:
    _, agents, cards, decisions, size, with_menus, actions, menu_actions = rows("Specs")
    for column, players in enumerate((2, 3, 4, 5), start=1):
        game = new_game(players, count=512)
        play(game)
        assert game.table.num_actions.mean() == pytest.approx(int(decisions[column]), abs=3)
        assert f"player_{players - 1}" in agents[column]
        assert int(cards[column]) == DECK_SIZE[players]
        assert int(size[column]) == game.layout.size
        assert int(with_menus[column]) == layout(players, "menus").size
        assert int(actions[column]) == game.num_actions == plays.NUM_PLAYS
        assert int(menu_actions[column]) == plays.NUM_MENU_PLAYS


def test_the_observation_is_told_by_its_own_table() -> None:
    """The docs page has the table itself, made from the layout: tests/write_docs.py."""
    env, told = sushi_boat_v0.env(num_players=4), section("Observation")
    for expression in re.findall(r"`(?:print\()?(env\.[^`]*?)\)?`", told):
        assert eval(expression, {"env": env})
    own = set(layout(4, "menus").slices) - set(layout(4).slices)
    assert all(f"`{name}`" in told for name in own)


def test_actions_table() -> None:
    ranges = [re.findall(r"\d+", row[0]) for row in rows("Actions")[1:]]
    firsts = [
        plays.REVEAL,
        plays.PLACE,
        plays.VISIT,
        plays.SPACE,
        plays.EAT_NOTHING,
        plays.ORDER,
        plays.DISH,
        plays.TRASH,
        plays.TILE,
        plays.TOP_OR_BOTTOM,
        plays.PAIR,
        plays.DEPTH + 1,
        plays.DISCARD,
        plays.GUESS,
        plays.ORDER_MENU,
        plays.NUM_MENU_PLAYS,
    ]
    assert [int(first[0]) for first in ranges] == firsts[:-1]
    assert [int(last[-1]) + 1 for last in ranges] == firsts[1:]


def test_rewards_table_and_version() -> None:
    assert [row[0].strip('"') for row in rows("Rewards")[1:]] == list(SCHEMES)
    assert f"- {sushi_boat_v0.__name__[-2:]}:" in section("Version history")
    assert sushi_boat_v0.env().metadata["name"] == str(sushi_boat_v0.env()) == "sushi_boat_v0"


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_rewards_by_score_sum_to_the_totals(players: int, variant: str) -> None:
    env = sushi_boat_v0.env(players, variant, reward="score")
    env.reset(seed=3)
    rng, sums = np.random.default_rng(2), np.zeros(players)
    while not env.terminations[env.agent_selection]:
        env.step(choose(env.infos[env.agent_selection]["action_mask"], rng))
        sums += [env.rewards[agent] for agent in env.possible_agents]
    assert sums.tolist() == env.game.scores[0].tolist()
    assert seeding.game_seeds(3, 1)[0] == env.game.table.seed[0]
