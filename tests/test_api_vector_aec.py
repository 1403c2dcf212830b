"""`vector_env`: the AEC cycle with a batch axis, game by game the same as the single environment."""

from __future__ import annotations

import copy
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sushigo_env import sushi_go_v0
from sushigo_env.api.aec import AEC
from sushigo_env.api.settings import Settings
from sushigo_env.api.vector_aec import LockstepVectorEnv, SequentialVectorEnv, vector_env
from sushigo_env.errors import IllegalAction, SettingError
from sushigo_env.sushi_go.cards import DUMMY
from tests.api_helpers import GAMES, SIMULTANEOUS, choose_each, every_game, every_simultaneous_game, same
from tests.conftest import need
from tests.strategies import TABLES, Table

GAMES_AT_ONCE = 5


def vector(name: str, games: int = GAMES_AT_ONCE, illegal: str = "raise", **settings: Any) -> Any:
    return vector_env(GAMES[name](games), Settings(illegal=illegal, **settings), "toy_v0")


def single(name: str, **settings: Any) -> AEC:
    return AEC(GAMES[name](1), Settings(**settings), "toy_v0")


def act(env: Any, rng: np.random.Generator) -> np.ndarray:
    """One step of the cycle, with legal actions; they are returned."""
    if isinstance(env, SequentialVectorEnv):
        masks = env.observe()["action_mask"]
    else:
        masks = env.infos[env.agent_selection]["action_mask"]
    actions = choose_each(masks, rng)
    env.step(actions)
    return actions


def check_against_single(vec: LockstepVectorEnv, singles: list[AEC], rng: np.random.Generator) -> None:
    """Play an episode with the same actions, and compare everything that is told."""
    while vec.agents:
        agent = vec.agent_selection
        seen, info = vec.observe(agent), vec.infos[agent]
        for index, env in enumerate(singles):
            assert env.agent_selection == agent
            observation, _, terminated, truncated, its_info = env.last()
            assert same({key: array[index] for key, array in seen.items()}, observation)
            assert (vec.terminations[agent][index], vec.truncations[agent][index]) == (terminated, truncated)
            assert np.array_equal(info["action_mask"][index], its_info["action_mask"])
            assert same(vec.state()[index], env.state())
            others = [other for other in vec.agents if other != agent]
            assert all(
                same(vec.observe(other)["observation"][index], env.observe(other)["observation"]) for other in others
            )
            assert not any(vec.observe(other)["action_mask"].any() for other in others)
        for action, env in zip(act(vec, rng).tolist(), singles, strict=True):
            env.step(action)
        for index, env in enumerate(singles):
            assert {agent: rewards[index] for agent, rewards in vec.rewards.items()} == pytest.approx(env.rewards)
    for index, _ in enumerate(singles):
        assert all(terminations[index] for terminations in vec.terminations.values())
        assert not any(truncations[index] for truncations in vec.truncations.values())


@every_simultaneous_game
@pytest.mark.parametrize("reward", ["win", "score"])
def test_game_i_is_the_game_of_its_seed(name: str, reward: str) -> None:
    vec, singles = vector(name, reward=reward), [single(name, reward=reward) for _ in range(GAMES_AT_ONCE)]
    rng = np.random.default_rng(4)
    vec.reset(seed=100)
    for index, env in enumerate(singles):
        env.reset(seed=100 + index)
    check_against_single(vec, singles, rng)
    vec.reset()  # and so are the games that come next
    for env in singles:
        env.reset()
    check_against_single(vec, singles, rng)


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("threads", [1, 2])
def test_every_table_deals_the_cards_of_its_seeds(table: Table, threads: int) -> None:
    settings: dict[str, Any] = dict(table.settings)
    vec = sushi_go_v0.vector_env(130, num_threads=threads, observation="full", **settings)
    env = sushi_go_v0.env(observation="full", **settings)
    vec.reset(seed=7)
    for index in (0, 1, 64, 129):
        env.reset(seed=7 + index)
        for agent in env.agents:
            assert same(vec.observe(agent)["observation"][index], env.observe(agent)["observation"])


def test_a_sequential_game_tells_whose_turn_it_is() -> None:
    vec, singles = vector("sticks", 9), [single("sticks") for _ in range(9)]
    rng = np.random.default_rng(4)
    vec.reset(seed=50)
    for index, env in enumerate(singles):
        env.reset(seed=50 + index)
    assert isinstance(vec, SequentialVectorEnv)
    assert not hasattr(vec, "agent_selection")
    ended = 0
    while vec.agents:
        seen, turns = vec.observe(), vec.to_move.copy()
        for index, env in enumerate(singles):
            if any(env.terminations.values()):
                assert turns[index] == -1
                continue
            assert env.agent_selection == f"player_{turns[index]}"
            assert same({key: array[index] for key, array in seen.items()}, env.observe(env.agent_selection))
            for agent in env.agents:
                assert same({key: array[index] for key, array in vec.observe(agent).items()}, env.observe(agent))
        for index, action in enumerate(act(vec, rng).tolist()):
            env = singles[index]
            if turns[index] >= 0:
                env.step(action)
                assert {agent: paid[index] for agent, paid in vec.rewards.items()} == pytest.approx(env.rewards)
                ended += any(env.terminations.values())
            else:
                assert not any(paid[index] for paid in vec.rewards.values())
    assert ended == 9
    assert vec.to_move.tolist() == [-1] * 9


@every_simultaneous_game
def test_an_illegal_action_ends_its_game_alone(name: str) -> None:
    vec, rng = vector(name, illegal="terminate", reward="score"), np.random.default_rng(3)
    vec.reset(seed=5)
    while vec.infos[vec.agent_selection]["action_mask"].all(axis=1).any():
        act(vec, rng)
    offender = vec.agent_selection
    mask = vec.observe(offender)["action_mask"].copy()
    actions = mask.argmax(axis=1)
    actions[[1, 3]] = mask[[1, 3]].argmin(axis=1)
    vec.step(actions)
    for agent in vec.possible_agents:
        assert vec.terminations[agent].tolist() == [False, True, False, True, False]
        paid = -1 if agent == offender else 0
        assert vec.rewards[agent][[1, 3]].tolist() == [paid, paid]
    while vec.agents:
        assert not vec.observe(vec.agent_selection)["action_mask"][[1, 3]].any()
        act(vec, rng)
        assert all(vec.rewards[agent][1] == 0 for agent in vec.possible_agents)
    assert vec.game.done.all()


@every_game
def test_all_games_may_end_by_illegal_actions(name: str) -> None:
    vec, rng = vector(name, illegal="terminate"), np.random.default_rng(3)
    vec.reset(seed=5)
    while vec.game.legal()[vec.game.to_move].all(axis=1).any():
        act(vec, rng)
    masks = vec.observe() if name not in SIMULTANEOUS else vec.observe(vec.agent_selection)
    vec.step(masks["action_mask"].argmin(axis=1))
    assert vec.agents == []
    assert sum(vec.rewards.values()).tolist() == [-1] * GAMES_AT_ONCE
    vec.reset()
    assert vec.agents == vec.possible_agents


@every_game
def test_every_offender_of_step_all_loses_one(name: str) -> None:
    vec, rng = vector(name, illegal="terminate"), np.random.default_rng(3)
    vec.reset(seed=5)
    while vec.game.legal()[vec.game.to_move].all(axis=1).any() or getattr(vec, "_chosen", 0):
        act(vec, rng)
    moving, legal = vec.game.to_move, vec.game.legal().copy()
    actions = legal.argmax(axis=2)
    actions[2] = legal[2].argmin(axis=1)
    vec.step_all(actions)
    assert [vec.rewards[agent][2] for agent in vec.possible_agents] == [-1.0 * moves for moves in moving[2]]
    assert [vec.terminations["player_0"][index] for index in range(GAMES_AT_ONCE)] == [False, False, True, False, False]


@every_game
def test_an_illegal_action_is_an_error_and_changes_nothing(name: str) -> None:
    vec, rng = vector(name), np.random.default_rng(3)
    vec.reset(seed=5)
    while vec.game.legal()[vec.game.to_move].all(axis=1).any():
        act(vec, rng)
    masks = vec.observe() if name not in SIMULTANEOUS else vec.observe(vec.agent_selection)
    right = masks["action_mask"].argmax(axis=1)
    wrong = right.copy()
    wrong[3] = masks["action_mask"][3].argmin()
    saved = vec.game.save()
    with pytest.raises(IllegalAction, match="in game 3 may not play") as caught:
        vec.step(wrong)
    assert vec.game.describe_action(int(wrong[3])) in str(caught.value)
    assert same(vec.game.save(), saved)
    vec.step(right)


@every_game
def test_spaces_and_infos_are_the_same_objects(name: str) -> None:
    vec, rng = vector(name), np.random.default_rng(0)
    spaces = [(vec.observation_space(agent), vec.action_space(agent)) for agent in vec.possible_agents]
    vec.reset(seed=1)
    infos, info = vec.infos, [vec.infos[agent] for agent in vec.possible_agents]
    for _ in range(5):
        for seat, agent in enumerate(vec.possible_agents):
            assert vec.observation_space(agent) is spaces[seat][0]
            assert vec.action_space(agent) is spaces[seat][1]
            assert vec.infos is infos
            assert vec.infos[agent] is info[seat]
        act(vec, rng)


@every_game
def test_a_deep_copy_goes_its_own_way(name: str) -> None:
    vec = vector(name, reward="score")
    vec.reset(seed=9)
    act(vec, np.random.default_rng(0))
    twin, state = copy.deepcopy(vec), vec.state().copy()
    ends = []
    for each in (twin, vec):
        assert same(each.state(), state)
        rng = np.random.default_rng(1)
        while each.agents:
            act(each, rng)
        ends.append((each.state().copy(), each.rewards, each.game.scores))
    assert same(ends[0], ends[1])


def test_flat_and_float_observations() -> None:
    vec, plain = vector("sushi_go", obs="flat", dtype="float32"), vector("sushi_go")
    vec.reset(seed=3)
    plain.reset(seed=3)
    seen, bytes_seen = vec.observe("player_1"), plain.observe("player_1")["observation"]
    assert seen.dtype == np.float32
    assert same(seen, plain.layout.scaled(bytes_seen))
    assert vec.observation_space("player_1").contains(seen[0])


def test_tensors_are_made_by_torch_without_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[np.ndarray] = []
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(from_numpy=lambda array: made.append(array) or len(made)))
    vec = sushi_go_v0.vector_env(3, tensors="torch")
    vec.reset(seed=1)
    for handed in (*vec.observe("player_0").values(), vec.rewards["player_2"], vec.state()):
        assert made[handed - 1].shape[0] == 3
    assert np.shares_memory(made[vec.observe("player_1")["observation"] - 1], vec.game.observe())
    assert np.shares_memory(made[vec.observe("player_0")["action_mask"] - 1], vec.game.legal())


def test_without_torch_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SettingError, match=r"needs PyTorch: pip install 'sushigo-env\[train\]', or '.\[train\]' in a"):
        sushi_go_v0.vector_env(3, tensors="torch")


def test_torch_tensors_share_the_memory() -> None:
    need("torch")
    import torch

    vec = sushi_go_v0.vector_env(4, 2, variant=DUMMY, tensors="torch")
    vec.reset(seed=1)
    while vec.agents:
        name = vec.agent_selection
        seen, told = vec.observe(name), (vec.rewards, vec.terminations, vec.truncations)
        tensors = [*seen.values(), *vec.observe_all().values(), vec.infos[name]["action_mask"]]
        for tensor in (*tensors, *(each[name] for each in told)):
            assert isinstance(tensor, torch.Tensor)
        agent = vec.possible_agents.index(name)
        assert seen["observation"].data_ptr() == vec._seen()[:, agent].__array_interface__["data"][0]
        vec.step(seen["action_mask"].to(torch.int64).argmax(dim=1))
    assert sum(vec.rewards.values()).abs().max() == 0
