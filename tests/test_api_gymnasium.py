"""Gymnasium's single-agent environment: its checker, seats, opponents, illegal actions."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from sushigo_env import sushi_go_v0
from sushigo_env.api.opponents import Random
from sushigo_env.api.settings import Settings
from sushigo_env.api.single_agent import SingleAgent
from sushigo_env.errors import AgentError, IllegalAction, SettingError
from sushigo_env.seeding import decision_keys, game_seeds
from sushigo_env.sushi_go.cards import DUMMY
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.observation import OBSERVATIONS
from tests.api_helpers import GAMES, choose, every_game, same
from tests.strategies import TABLES, Table

ID = "sushigo_env/SushiGo-v0"


def learner(name: str, opponents: Any = "random", seat: Any = 0, **settings: Any) -> SingleAgent:
    return SingleAgent(GAMES[name](1), Settings(**settings), "toy_v0", opponents, seat)


def episode(env: Any, seed: int | None, rng: np.random.Generator) -> list[Any]:
    """Everything the environment tells in one episode."""
    told: list[Any] = [env.reset(seed=seed)]
    over = False
    while not over:
        told.append(env.step(choose(told[-1][-1]["action_mask"], rng)))
        over = told[-1][2]
    return told


class Lowest:
    """An opponent that takes the first legal action, and remembers what it was shown."""

    name = "lowest"
    observation = "memory"

    def __init__(self) -> None:
        self.shown: list[tuple[np.ndarray, np.ndarray]] = []

    def act(self, observation: np.ndarray, action_mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        self.shown.append((observation.copy(), keys.copy()))
        first: np.ndarray = action_mask.argmax(axis=1)
        return first


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_check_env(table: Table, observation: str) -> None:
    settings: dict[str, Any] = {**table.settings, "observation": observation}
    check_env(gymnasium.make(ID, seat="rotate", **settings).unwrapped)
    check_env(gymnasium.make(ID, obs="flat", dtype="float32", **settings).unwrapped)


@every_game
@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
def test_check_env_of_any_game(name: str) -> None:
    check_env(learner(name, render_mode="ansi"))


@every_game
@pytest.mark.parametrize("obs", ["dict", "flat"])
def test_whole_episodes_are_the_same_for_the_same_seed(name: str, obs: str) -> None:
    told = []
    for _ in range(2):
        env, rng = learner(name, seat="rotate", obs=obs), np.random.default_rng(5)
        told.append([episode(env, seed, rng) for seed in (11, None, None, 11)])
    assert same(told[0], told[1])


@every_game
def test_seats_rotate_from_the_seed(name: str) -> None:
    env, rng = learner(name, seat="rotate"), np.random.default_rng(0)
    players = env.game.num_players
    for seed in (0, 1, 5, 2**64 - 1):
        for k in range(players + 1):
            _, info = env.reset(seed=seed if k == 0 else None)
            assert info["seat"] == env.seat == (seed + k) % players
            env.step(choose(info["action_mask"], rng))


@every_game
def test_a_fixed_seat_stays(name: str) -> None:
    env = learner(name, seat=1)
    for seed in (3, None, 4):
        assert env.reset(seed=seed)[1]["seat"] == 1


def test_the_learner_sees_what_its_seat_sees() -> None:
    game = SushiGo(1, 4)
    game.reset(seeds=game_seeds(12, 1))
    for seat in range(4):
        observation, _ = sushi_go_v0.gymnasium_env(seat=seat).reset(seed=12)
        assert np.array_equal(observation["observation"], game.observe()[0, seat])
        assert np.array_equal(observation["action_mask"], game.legal()[0, seat])


def test_opponents_sit_from_the_learners_left() -> None:
    seats = [Lowest(), Lowest(), Lowest()]
    env = sushi_go_v0.gymnasium_env(opponents=seats, seat=2)
    env.reset(seed=5)
    whole = env.game.observe().copy()
    env.step(choose(env.action_masks(), np.random.default_rng(0)))
    for agent, seat in zip(seats, (3, 0, 1), strict=True):
        assert np.array_equal(agent.shown[0][0], whole[:, seat])


@every_game
def test_one_opponent_object_is_asked_once_for_all_its_seats(name: str) -> None:
    agent = Lowest()
    env = learner(name, opponents=agent)
    told = episode(env, 5, np.random.default_rng(0))
    others = env.game.num_players - 1
    if name == "sushi_go":
        assert [len(shown) for shown, _ in agent.shown] == [others] * (len(told) - 1)
    keys = np.concatenate([keys for _, keys in agent.shown])
    assert len(set(keys.tolist())) == len(keys)  # a key is never used twice


def test_opponents_keys_come_from_game_seat_and_decision() -> None:
    agent = Lowest()
    env = sushi_go_v0.gymnasium_env(num_players=3, opponents=agent, seat=1)
    for seed in (5, None):  # decisions are counted anew in the next episode
        agent.shown.clear()
        episode(env, seed, np.random.default_rng(0))
        for decision, (_, keys) in enumerate(agent.shown):
            seeds = np.repeat(env.game.seeds, 2)
            assert np.array_equal(keys, decision_keys(seeds, np.array([0, 2]), decision))


def test_opponents_see_their_own_setting() -> None:
    agent = Lowest()
    agent.observation = "table"
    env = sushi_go_v0.gymnasium_env(num_players=2, opponents=agent, observation="full")
    observation, info = env.reset(seed=1)
    env.step(choose(info["action_mask"], np.random.default_rng(0)))
    hidden = env.layout.slices["other_hands"]
    assert observation["observation"][hidden].any()
    assert not agent.shown[0][0][0, hidden].any()


@pytest.mark.parametrize("reward", ["win", "rank", "score", "margin"])
@every_game
def test_rewards_of_the_learners_seat(name: str, reward: str) -> None:
    env = learner(name, seat="rotate", reward=reward)
    for _ in range(3):
        total = sum(step[1] for step in episode(env, None, np.random.default_rng(1))[1:])
        scores = env.game.scores[0].tolist()
        mine, best_other = scores.pop(env.seat), max(scores)
        if reward == "score":
            assert total == mine
        elif reward == "margin":
            assert total == mine - best_other
        else:
            assert -1 <= total <= 1
            won = env.game.standings[0].max() == env.game.standings[0, env.seat]
            assert (total >= 0) == won or reward == "rank"


@every_game
def test_an_illegal_action_ends_the_episode(name: str) -> None:
    env, rng = learner(name, reward="score"), np.random.default_rng(2)
    _, info = env.reset(seed=1)
    while info["action_mask"].all():
        _, _, _, _, info = env.step(choose(info["action_mask"], rng))
    observation, reward, terminated, truncated, info = env.step(info["action_mask"].argmin())
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert not info["action_mask"].any()
    assert env.observation_space.contains(observation)


@every_game
def test_an_illegal_action_is_an_error_and_changes_nothing(name: str) -> None:
    env, rng = learner(name, illegal="raise"), np.random.default_rng(2)
    _, info = env.reset(seed=1)
    while info["action_mask"].all():
        _, _, _, _, info = env.step(choose(info["action_mask"], rng))
    saved = env.game.save()
    with pytest.raises(IllegalAction, match=r"player_0 \(the learner, game 0\) may not play") as caught:
        env.step(info["action_mask"].argmin())
    legal = np.flatnonzero(info["action_mask"])
    assert all(env.game.describe_action(int(action)) in str(caught.value) for action in legal)
    assert same(env.game.save(), saved)
    env.step(legal[0])


def test_the_waiting_learner_is_asked() -> None:
    env = sushi_go_v0.gymnasium_env(num_players=2, variant=DUMMY, seat=1)
    _, info = env.reset(seed=1)
    _, _, _, _, info = env.step(choose(info["action_mask"], np.random.default_rng(0)))
    assert np.flatnonzero(info["action_mask"]).tolist() == [96]


@every_game
def test_masks_agree(name: str) -> None:
    env = learner(name)
    observation, info = env.reset(seed=1)
    masks = env.action_masks()
    assert masks.dtype == np.bool_
    assert masks.any()
    assert np.array_equal(masks, info["action_mask"])
    assert np.array_equal(masks, observation["action_mask"])
    assert observation["action_mask"].dtype == np.int8


@every_game
def test_what_was_handed_out_stays_as_it_was(name: str) -> None:
    env = learner(name)
    told = episode(env, 1, np.random.default_rng(0))
    again = learner(name)
    copies = []
    told_now: list[Any] = [again.reset(seed=1)]
    rng = np.random.default_rng(0)
    while len(told_now) < len(told):
        copies.append(copy.deepcopy(told_now[-1]))
        told_now.append(again.step(choose(told_now[-1][-1]["action_mask"], rng)))
    assert same(told_now, told)
    assert same(told_now[:-1], copies)


@every_game
def test_a_deep_copy_goes_its_own_way(name: str) -> None:
    env, rng = learner(name, seat="rotate"), np.random.default_rng(0)
    _, info = env.reset(seed=9)
    env.step(choose(info["action_mask"], rng))
    twin, masks = copy.deepcopy(env), env.action_masks()
    ends = []
    for each in (twin, env):
        assert same(each.action_masks(), masks)
        told, rng = [], np.random.default_rng(1)
        while not each.game.done[0]:
            told.append(each.step(choose(each.action_masks(), rng)))
        ends.append((told, each.record()))
    assert same(ends[0], ends[1])


class Broken:
    observation = "memory"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, observation: np.ndarray, action_mask: np.ndarray, keys: np.ndarray) -> Any:
        return self.answer(action_mask)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda mask: mask.argmin(axis=1), "chose an illegal play, .*; legal were: "),
        (lambda mask: np.full(len(mask), 96), r"returned action 96, which is out of range \(0 to 95\)"),
        (lambda mask: np.full(len(mask), -1), "returned action -1, which is out of range"),
        (lambda mask: mask.argmax(axis=1)[:1], r"returned actions of shape \(1,\) where \(2,\) is wanted"),
        (lambda mask: mask.argmax(axis=1) * 1.0, "returned an array of float64 where an array of integers is wanted"),
        (lambda mask: None, "returned NoneType where an array of integers is wanted"),
    ],
)
def test_opponents_that_break_their_contract_are_named(answer: Any, message: str) -> None:
    env = sushi_go_v0.gymnasium_env(num_players=3, opponents=Broken(answer))
    _, info = env.reset(seed=1)
    with pytest.raises(AgentError, match=rf"^agent Broken in seat 1 of the deal with seed 1 .*{message}"):
        env.step(int(info["action_mask"].argmax()))


@pytest.mark.parametrize("seat", [-1, 4, 1.0, True, "left", None])
def test_bad_seats(seat: Any) -> None:
    with pytest.raises(SettingError, match="seat must be from 0 to 3, or 'rotate'"):
        sushi_go_v0.gymnasium_env(seat=seat)


@pytest.mark.parametrize("opponents", [["random"], ["random"] * 4, []])
def test_a_wrong_number_of_opponents(opponents: list[str]) -> None:
    with pytest.raises(AgentError, match="one for each of the other 3 seats, not"):
        sushi_go_v0.gymnasium_env(opponents=opponents)


def test_made_by_id() -> None:
    env = gymnasium.make(ID, num_players=5, opponents=["random", Random("sushi_go", 5, "standard"), "random", "random"])
    observation, info = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    assert env.unwrapped.game.num_players == 5
    assert env.get_wrapper_attr("action_masks")().sum() == info["action_mask"].sum()
    total, terminated = 0.0, False
    while not terminated:
        observation, reward, terminated, _, info = env.step(env.action_space.sample(info["action_mask"]))
        total += float(reward)
    assert env.unwrapped.record()["game"] == "sushi_go"
    assert -1 <= total <= 1
