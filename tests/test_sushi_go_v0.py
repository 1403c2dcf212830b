"""The door: registration under every id, and the facts that its docs page states."""

from __future__ import annotations

import inspect
import re
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.vector import AutoresetMode

import sushigo_env
from sushigo_env import sushi_go_v0
from sushigo_env.api.aec import AEC
from sushigo_env.api.parallel import Parallel
from sushigo_env.api.registration import register
from sushigo_env.api.rewards import SCHEMES
from sushigo_env.api.single_agent import SingleAgent
from sushigo_env.sushi_go.cards import CARDS, DUMMY, HAND_SIZE, PASSINGS, VARIANTS
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.observation import OBSERVATIONS, layout
from sushigo_env.sushi_go.plays import FIRST_PAIR, FIRST_SWAPPED, FIRST_WASABI, NUM_PLAYS, WAIT
from tests.api_helpers import choose

PAGE = sushi_go_v0.__doc__ or ""


def test_names_of_the_package() -> None:
    assert all(hasattr(sushigo_env, name) for name in sushigo_env.__all__)
    assert all(callable(getattr(sushi_go_v0, name)) for name in sushi_go_v0.__all__)


def test_gymnasium_knows_the_game() -> None:
    env = gymnasium.make("sushigo_env/SushiGo-v0", num_players=4, opponents="random", seat="rotate", obs="dict")
    assert isinstance(env.unwrapped, SingleAgent)
    assert env.unwrapped.game.num_players == 4
    vec = gymnasium.make_vec("sushigo_env/SushiGo-v0", num_envs=3, autoreset_mode=AutoresetMode.SAME_STEP)
    assert vec.num_envs == 3
    assert vec.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


def test_pettingzoo_knows_the_game() -> None:
    aec = pettingzoo.make("aec", "sushigo_env/sushi_go-v0", num_players=3)
    parallel = pettingzoo.make("parallel", "sushigo_env/sushi_go-v0", num_players=5, reward="rank")
    assert isinstance(aec, AEC)
    assert aec.max_num_agents == 3
    assert isinstance(parallel, Parallel)
    assert parallel.max_num_agents == 5
    assert isinstance(pettingzoo.make("aec", "sushigo_env/sushi_go_v0"), AEC)


def test_registering_again_changes_nothing() -> None:
    before = dict(gymnasium.registry), dict(pettingzoo.aec_registry), dict(pettingzoo.parallel_registry)
    register("SushiGo-v0", "sushi_go-v0", "sushigo_env.sushi_go_v0")
    assert (dict(gymnasium.registry), dict(pettingzoo.aec_registry), dict(pettingzoo.parallel_registry)) == before


def test_doors_share_their_arguments() -> None:
    shared = list(inspect.signature(sushi_go_v0.env).parameters)
    for door in (sushi_go_v0.raw_env, sushi_go_v0.parallel_env):
        assert list(inspect.signature(door).parameters) == shared
    single = inspect.signature(sushi_go_v0.gymnasium_env).parameters
    many = inspect.signature(sushi_go_v0.gymnasium_vector_env).parameters
    assert set(many) - set(single) == {"num_envs", "autoreset_mode", "num_threads"}
    assert set(shared) <= set(single) <= set(many)
    defaults = {name: parameter.default for name, parameter in inspect.signature(sushi_go_v0.env).parameters.items()}
    assert defaults == {
        "num_players": 4,
        "passing": "left",
        "variant": "standard",
        "observation": "memory",
        "reward": "win",
        "illegal": "terminate",
        "render_mode": None,
        "obs": "dict",
        "dtype": "uint8",
    }
    assert sushi_go_v0.raw_env().settings.illegal == sushi_go_v0.vector_env(1).settings.illegal == "raise"


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


def test_headings() -> None:
    headings = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    assert headings == [
        "Usage",
        "Specs",
        "Rules and readings",
        "Observation",
        "Actions",
        "Rewards",
        "Termination",
        "Version history",
    ]


def test_the_examples_run() -> None:
    one, many = re.findall(r"```python\n(.*?)```", section("Usage"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(one, names)
    assert names["env"].agents == []
    assert sum(names["env"].unwrapped.game.scores[0]) > 0
    exec(many, names := {})
    assert names["vec"].agents == []
    assert (names["wins"] == names["vec"].rewards["player_0"]).all()
    assert (names["wins"] != 0).all()
    seen = names["vec"].observe_all()
    for key in ("observation", "action_mask"):
        told = re.search(rf"{seen[key].dtype}\[(.*?)\]", many)
        assert told
        assert seen[key].shape == tuple(map(int, told[1].split(", ")))


def test_settings_table() -> None:
    settings = {
        row[0].strip("`"): row[1]
        for row in rows("Usage")
        if row[0].strip("`") in inspect.signature(sushi_go_v0.env).parameters
    }
    assert set(settings) == set(inspect.signature(sushi_go_v0.env).parameters)
    for name, values in (
        ("passing", PASSINGS),
        ("variant", VARIANTS),
        ("observation", OBSERVATIONS),
        ("reward", SCHEMES),
    ):
        assert re.findall(r'"(\w+)"', settings[name]) == list(values)
    assert sorted(map(int, re.findall(r"\d", settings["num_players"]))) == sorted(HAND_SIZE)


def test_specs_table() -> None:
    _, agents, cards, decisions, size, actions = rows("Specs")
    tables = [(players, "standard") for players in (2, 3, 4, 5)] + [(2, DUMMY)]
    for column, (players, variant) in enumerate(tables, start=1):
        env = sushi_go_v0.env(num_players=players, variant=variant, illegal="raise")
        assert env.possible_agents[-1] in agents[column]
        assert int(cards[column]) == env.unwrapped.game.hand_size
        assert int(size[column]) == env.observation_space("player_0")["observation"].shape[0]
        assert int(actions[column]) == env.action_space("player_0").n
        assert int(decisions[column].split(",")[0]) == 3 * env.unwrapped.game.hand_size
        taken = count_decisions(env)
        if variant == "standard":
            assert taken == [int(decisions[column])] * players
        else:
            assert decisions[column] == "27, and 13 or 14 for the dummy"
            assert sorted(taken) == [27 + 13, 27 + 14]


def count_decisions(env: Any) -> list[int]:
    env.reset(seed=1)
    taken, rng = dict.fromkeys(env.agents, 0), np.random.default_rng(0)
    for agent in env.agent_iter():
        _, _, terminated, _, info = env.last()
        taken[agent] += not terminated
        env.step(None if terminated else choose(info["action_mask"], rng))
    return list(taken.values())


def test_the_observation_is_told_by_its_own_table() -> None:
    """The docs page has the table itself, made from the layout: tests/write_docs.py."""
    env, told = sushi_go_v0.env(num_players=4), section("Observation")
    for expression in re.findall(r"`(?:print\()?(env\.[^`]*?)\)?`", told):
        assert eval(expression, {"env": env})
    own = set(layout(2, DUMMY).slices) - set(layout(4).slices)
    assert all(f"`{name}`" in told for name in own)
    assert ", ".join(CARDS) in " ".join(told.split())


def test_actions_table() -> None:
    ranges = [row[0] for row in rows("Actions")[1:]]
    bounds = [(0, FIRST_PAIR), (FIRST_PAIR, FIRST_WASABI), (FIRST_WASABI, FIRST_SWAPPED), (FIRST_SWAPPED, NUM_PLAYS)]
    assert ranges == [*(f"{first} to {last - 1}" for first, last in bounds), str(WAIT)]


def test_rewards_table() -> None:
    assert [row[0].strip('"') for row in rows("Rewards")[1:]] == list(SCHEMES)


def test_version_history_has_this_version() -> None:
    assert f"- {sushi_go_v0.__name__[-2:]}:" in section("Version history")
    assert sushi_go_v0.env().metadata["name"] == str(sushi_go_v0.env()) == "sushi_go_v0"


@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_seeds_of_a_batch(seed: int) -> None:
    game = SushiGo(3, 4, observation="full")
    game.reset(seeds=np.arange(seed, seed + 3, dtype=np.uint64))
    vec = sushi_go_v0.vector_env(3, observation="full")
    vec.reset(seed=seed)
    gym = sushi_go_v0.gymnasium_vector_env(3, observation="full")
    gym.reset(seed=seed)
    for index in range(3):
        env = sushi_go_v0.env(observation="full")
        env.reset(seed=seed + index)
        for other in (vec.game, gym.game, game):
            assert np.array_equal(other.observe()[index], env.game.observe()[0])
