"""Gymnasium's VectorEnv: the same as its own vector environment over our single ones, in every autoreset mode."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from sushigo_env import sushi_go_v0
from sushigo_env.api.gym_vector import GymVector
from sushigo_env.api.settings import Settings
from sushigo_env.api.single_agent import SingleAgent
from sushigo_env.errors import ActionError, IllegalAction, OrderError, SettingError
from sushigo_env.sushi_go.cards import DUMMY
from tests.api_helpers import GAMES, choose_each, every_game, same
from tests.toy_games import Sticks

ID = "sushigo_env/SushiGo-v0"
GAMES_AT_ONCE = 4
every_mode = pytest.mark.parametrize("mode", list(AutoresetMode))


def ours(
    name: str, games: int = GAMES_AT_ONCE, seat: Any = "rotate", mode: Any = "NextStep", **settings: Any
) -> GymVector:
    return GymVector(GAMES[name](games), Settings(**settings), "toy_v0", "random", seat, mode)


def gymnasiums(name: str, mode: AutoresetMode, **settings: Any) -> SyncVectorEnv:
    def make() -> SingleAgent:
        return SingleAgent(GAMES[name](1), Settings(**settings), "toy_v0", "random", "rotate")

    return SyncVectorEnv([make] * GAMES_AT_ONCE, autoreset_mode=mode)


@every_game
@every_mode
@pytest.mark.parametrize(("obs", "reward"), [("dict", "score"), ("flat", "win")])
def test_the_same_as_gymnasiums_own(name: str, mode: AutoresetMode, obs: str, reward: str) -> None:
    vec, sync = ours(name, mode=mode, obs=obs, reward=reward), gymnasiums(name, mode, obs=obs, reward=reward)
    assert vec.single_observation_space == sync.single_observation_space
    assert vec.observation_space == sync.observation_space
    assert vec.action_space == sync.action_space
    assert vec.metadata["autoreset_mode"] == sync.metadata["autoreset_mode"] == mode
    told, rng = vec.reset(seed=40), np.random.default_rng(3)
    assert same(told, sync.reset(seed=40))
    episodes = 0
    for step in range(3 * 28):
        masks = told[-1]["action_mask"]
        actions = choose_each(masks, rng)
        if step % 9 == 8:  # now and then an illegal action, so that episodes end at different times
            actions[step % GAMES_AT_ONCE] = masks[step % GAMES_AT_ONCE].argmin()
        told = vec.step(actions)
        assert same(told, sync.step(actions))
        assert vec.observation_space.contains(told[0])
        episodes += told[2].sum()
        if mode is AutoresetMode.DISABLED and told[2].any():
            told = vec.reset(options={"reset_mask": told[2].copy()})
            assert same(told, sync.reset(options={"reset_mask": sync._terminations.copy()}))
    assert episodes > GAMES_AT_ONCE


@every_game
def test_the_last_observation_is_not_swallowed(name: str) -> None:
    rng = np.random.default_rng(1)
    single = SingleAgent(GAMES[name](1), Settings(), "toy_v0", "random", 0)
    last, info = single.reset(seed=6)
    actions, terminated = [], False
    while not terminated:
        actions.append(int(choose_each([info["action_mask"]], rng)[0]))
        last, _, terminated, _, info = single.step(actions[-1])
    beginning, _ = single.reset()

    vec = ours(name, 1, 0, "NextStep")
    vec.reset(seed=6)
    for action in actions:
        observation, rewards, terminations, _, _ = vec.step([action])
    assert terminations[0]
    assert same({key: array[0] for key, array in observation.items()}, last)
    assert not observation["action_mask"].any()
    observation, rewards, terminations, _, _ = vec.step([-1])  # ignored, whatever it is: this step is the reset
    assert (rewards[0], terminations[0]) == (0, False)
    assert same({key: array[0] for key, array in observation.items()}, beginning)

    vec = ours(name, 1, 0, "SameStep")
    vec.reset(seed=6)
    for action in actions:
        observation, _, terminations, _, infos = vec.step([action])
    assert terminations[0]
    assert same(infos["final_obs"][0], last)
    assert not infos["final_info"]["action_mask"].any()
    assert same({key: array[0] for key, array in observation.items()}, beginning)

    vec = ours(name, 1, 0, "Disabled")
    vec.reset(seed=6)
    for action in actions:
        observation, *_ = vec.step([action])
    assert same({key: array[0] for key, array in observation.items()}, last)
    with pytest.raises(OrderError, match="game 0 is over; reset it with options"):
        vec.step([0])


@every_game
def test_game_i_is_the_single_environment_of_its_seed(name: str) -> None:
    vec, rng = ours(name), np.random.default_rng(2)
    singles = [SingleAgent(GAMES[name](1), Settings(), "toy_v0", "random", "rotate") for _ in range(GAMES_AT_ONCE)]
    observation, infos = vec.reset(seed=[5, 17, 2, 2**64 - 1])
    seen = [env.reset(seed=seed) for env, seed in zip(singles, [5, 17, 2, 2**64 - 1], strict=True)]
    while True:
        for index, (its_observation, its_info) in enumerate(seen):
            assert same({key: array[index] for key, array in observation.items()}, its_observation)
            assert infos["seat"][index] == its_info["seat"] == vec.seats[index]
        actions = choose_each(infos["action_mask"], rng)
        observation, _, terminations, _, infos = vec.step(actions)
        if terminations.any():
            break
        seen = [env.step(int(action))[::4] for env, action in zip(singles, actions, strict=True)]


def test_games_wait_the_same_by_their_own_means_and_without_any(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[list[Any]] = []
    saves: list[int] = []
    save = Sticks.save
    monkeypatch.setattr(Sticks, "save", lambda game: saves.append(1) or save(game))
    for _ in range(2):
        vec, rng = ours("sticks", 8, reward="score"), np.random.default_rng(3)
        _, infos = vec.reset(seed=4)
        told.append([])
        for _ in range(60):
            told[-1].append(vec.step(choose_each(infos["action_mask"], rng)))
            infos = told[-1][-1][4]
        if len(told) == 1:
            assert not saves
            monkeypatch.delattr(Sticks, "step_some")
    assert saves
    assert same(told[0], told[1])


def test_results_do_not_depend_on_threads_or_batch() -> None:
    tables = [
        sushi_go_v0.gymnasium_vector_env(games, 3, num_threads=threads) for games, threads in ((150, 1), (200, 2))
    ]
    for vec in tables:
        vec.reset(seed=1)
    for _ in range(40):
        masks = [vec.action_masks()[:150] for vec in tables]
        assert np.array_equal(masks[0], masks[1])
        told = [vec.step(vec.action_masks().argmax(axis=1)) for vec in tables]
        assert same(told[0][0]["observation"], told[1][0]["observation"][:150])
        assert same(told[0][1], told[1][1][:150])


def test_reset_masks() -> None:
    vec = ours("sushi_go", mode="Disabled")
    vec.reset(seed=1)
    first = vec.step(vec.action_masks().argmax(axis=1))[0]["observation"]
    mask = np.array([False, True, False, True])
    observation, infos = vec.reset(seed=10, options={"reset_mask": mask})
    assert infos["_action_mask"].tolist() == mask.tolist()
    assert same(observation["observation"][~mask], first[~mask])
    fresh = ours("sushi_go").reset(seed=10)[0]["observation"]
    assert same(observation["observation"][mask], fresh[mask])


def test_some_seeds_may_be_none() -> None:
    vec, whole = ours("sushi_go", seat=0), ours("sushi_go", seat=0)
    vec.reset(seed=1)
    whole.reset(seed=1)
    second = whole.reset()[0]["observation"]
    observation = vec.reset(seed=[None, 1, None, 1])[0]["observation"]
    assert same(observation[[0, 2]], second[[0, 2]])
    assert same(observation[1], ours("sushi_go", 1, 0).reset(seed=1)[0]["observation"][0])
    assert same(observation[1], observation[3])


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        ([True] * 4, "NumPy array of 4 booleans"),
        (np.ones(3, bool), "NumPy array of 4 booleans"),
        (np.ones(4, np.int8), "NumPy array of 4 booleans"),
        (np.zeros(4, bool), "at least one game"),
    ],
)
def test_bad_reset_masks(mask: Any, message: str) -> None:
    vec = ours("sushi_go")
    vec.reset(seed=1)
    with pytest.raises(SettingError, match=message):
        vec.reset(options={"reset_mask": mask})


def test_options_are_left_as_they_were_given() -> None:
    vec = ours("sushi_go")
    vec.reset(seed=1)
    options = {"reset_mask": np.ones(4, bool), "unknown": 1}
    vec.reset(options=options)
    assert set(options) == {"reset_mask", "unknown"}


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, [1, 2], [1, 2, 3, -4], "7"])
def test_bad_seeds(seed: Any) -> None:
    with pytest.raises(SettingError, match="seed must be"):
        ours("sushi_go").reset(seed=seed)


@every_mode
def test_what_was_handed_out_stays_as_it_was(mode: AutoresetMode) -> None:
    vec, rng = ours("sushi_go", mode=mode, reward="score"), np.random.default_rng(0)
    kept = [vec.reset(seed=1)]
    arrays: list[np.ndarray] = []
    for _ in range(27):
        kept.append(vec.step(choose_each(kept[-1][-1]["action_mask"], rng)))
        observation, *rest, infos = kept[-1]
        arrays += [*observation.values(), *rest, *(info for info in infos.values() if isinstance(info, np.ndarray))]
    contents = [array.copy() for array in arrays]
    vec.reset()
    vec.step(vec.action_masks().argmax(axis=1))
    assert all(same(array, content) for array, content in zip(arrays, contents, strict=True))
    assert len({id(array) for array in arrays}) == len(arrays)


def test_illegal_actions_raise_or_end_their_game() -> None:
    vec = ours("sushi_go", illegal="raise")
    vec.reset(seed=1)
    right = vec.action_masks().argmax(axis=1)
    wrong = right.copy()
    wrong[2] = vec.action_masks()[2].argmin()
    saved = vec.game.save()
    with pytest.raises(IllegalAction, match=r"player_0 \(the learner, game 2\)"):
        vec.step(wrong)
    assert same(vec.game.save(), saved)
    vec = ours("sushi_go")
    vec.reset(seed=1)
    _, rewards, terminations, truncations, _ = vec.step(wrong)
    assert rewards.tolist() == [0, 0, -1, 0]
    assert terminations.tolist() == [False, False, True, False]
    assert not truncations.any()


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.zeros(3, int), r"shape \(4,\) \(games\), not \(3,\)"),
        (np.zeros((4, 3), int), r"not \(4, 3\)"),
        (np.zeros(4), "integers, not float64"),
        ([0, 0, 0, 96], "game 3 must be from 0 to 95, not 96"),
        ([-1, 0, 0, 0], "game 0 must be from 0 to 95, not -1"),
    ],
)
def test_actions_that_do_not_fit(actions: Any, message: str) -> None:
    vec = ours("sushi_go")
    with pytest.raises(OrderError, match=r"call reset\(\) first"):
        vec.step(actions)
    vec.reset(seed=1)
    with pytest.raises(ActionError, match=message):
        vec.step(actions)


@pytest.mark.parametrize("mode", ["NEXT_STEP", "nextstep", None, 1])
def test_unknown_autoreset_modes(mode: Any) -> None:
    with pytest.raises(SettingError, match="autoreset_mode must be one of NextStep, SameStep, Disabled"):
        ours("sushi_go", mode=mode)


@every_mode
def test_made_by_id(mode: AutoresetMode) -> None:
    vec = gymnasium.make_vec(ID, num_envs=3, autoreset_mode=mode, num_players=2, variant=DUMMY, opponents="random")
    assert isinstance(vec, GymVector)
    assert vec.metadata["autoreset_mode"] is mode
    observation, _ = vec.reset(seed=3)
    assert vec.observation_space.contains(observation)
    assert vec.spec is not None
    assert vec.spec.kwargs["num_envs"] == 3
    vec.close()
    own = gymnasium.make_vec(ID, num_envs=3, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode})
    assert isinstance(own, SyncVectorEnv)
    assert own.observation_space.contains(own.reset(seed=3)[0])


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    vec = ours("auction", 2, render_mode="ansi")
    vec.reset(seed=1)
    texts = vec.render()
    assert texts == (vec.game.render(0), vec.game.render(1))
    human = ours("auction", 2, render_mode="human")
    human.reset(seed=1)
    assert human.render() is None
    assert capsys.readouterr().out == "\n\n".join(texts) + "\n"
