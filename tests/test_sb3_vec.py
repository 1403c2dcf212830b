"""The VecEnv of Stable-Baselines3: the same games as the batch's own, in the form that SB3 and sb3-contrib ask for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

from tests.conftest import need

need("stable_baselines3", "sb3_contrib")

from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3.common.vec_env import VecMonitor  # noqa: E402

from sushigo_env import sushi_go_v0  # noqa: E402
from sushigo_env.api.rewards import Rewards  # noqa: E402
from sushigo_env.api.sb3_vec import SB3VecEnv  # noqa: E402
from sushigo_env.api.settings import Settings  # noqa: E402
from sushigo_env.api.single_agent import SingleAgent  # noqa: E402
from sushigo_env.errors import AgentError, IllegalAction, SettingError  # noqa: E402
from sushigo_env.seeding import game_seeds, weighted_choice  # noqa: E402
from sushigo_env.sushi_go.plays import WAIT  # noqa: E402
from tests.api_helpers import GAMES, SIMULTANEOUS, choose_each, every_game, same  # noqa: E402


def ours(name: str = "sushi_go", games: int = 4, learners: int | None = None, **settings: Any) -> SB3VecEnv:
    opponents = settings.pop("opponents", "random")
    return SB3VecEnv(GAMES[name](games), Settings(**settings), learners, opponents)


def begun(vec: SB3VecEnv, seed: int = 7) -> SB3VecEnv:
    vec.seed(seed)
    vec.reset()
    return vec


class Recorder:
    """Plays the first legal action, and keeps whom it was asked for."""

    observation = "memory"

    def __init__(self) -> None:
        self.asked = 0

    def act(self, observation: np.ndarray, action_mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
        self.asked += len(keys)
        first: np.ndarray = action_mask.argmax(axis=1)
        return first


@pytest.mark.parametrize("name", SIMULTANEOUS)
@pytest.mark.parametrize("reward", ["win", "score"])
def test_the_batch_of_games_step_by_step(name: str, reward: str) -> None:
    vec, game, rng = ours(name, reward=reward), GAMES[name](4), np.random.default_rng(0)
    scheme, shape = Rewards(reward, game), (4, game.num_players)
    vec.seed(50)
    seen = vec.reset()
    game.reset(seeds=game_seeds(50, 4))
    scheme.reset()
    for _ in range(90):
        assert same(seen, game.observe().reshape(vec.num_envs, -1))
        assert same(vec.action_masks(), game.legal().reshape(vec.num_envs, -1))
        actions = choose_each(vec.action_masks(), rng)
        seen, rewards, dones, infos = vec.step(actions)
        game.step(actions.reshape(shape))
        assert rewards.dtype == np.float32
        assert rewards == pytest.approx(scheme.step(game.done).ravel())
        assert dones.tolist() == np.repeat(game.done, game.num_players).tolist()
        for row in np.flatnonzero(dones):
            assert same(infos[row]["terminal_observation"], game.observe().reshape(vec.num_envs, -1)[row])
            assert infos[row]["TimeLimit.truncated"] is False
        assert all((info == {}) == (not done) for info, done in zip(infos, dones, strict=True))
        ended = game.done.copy()
        if ended.any():
            game.reset(ended)
            scheme.reset(ended)


@every_game
def test_one_learner_is_the_single_environment(name: str) -> None:
    vec, rng = ours(name, 3, 1, reward="score"), np.random.default_rng(1)
    vec.seed(20)
    seen = vec.reset()
    singles = [SingleAgent(GAMES[name](1), Settings("score", obs="flat"), "toy_v0", "random", "rotate") for _ in seen]
    alone = [env.reset(seed=20 + index)[0] for index, env in enumerate(singles)]
    for _ in range(70):
        assert same(seen, np.array(alone))
        assert vec.seats.tolist() == [env.seat for env in singles]
        actions = choose_each(vec.action_masks(), rng)
        seen, rewards, dones, infos = vec.step(actions)
        for index, env in enumerate(singles):
            alone[index], reward, done, _, _ = env.step(actions[index])
            assert (rewards[index], dones[index]) == (reward, done)
            if done:
                assert same(infos[index]["terminal_observation"], alone[index])
                alone[index] = env.reset()[0]


def test_all_seats_learn_but_one_where_seats_take_turns() -> None:
    assert {name: ours(name).learners for name in GAMES} == {
        name: make(1).num_players if make(1).simultaneous else 1 for name, make in GAMES.items()
    }


def test_spaces_and_masks_are_what_sb3_asks_for() -> None:
    vec = begun(sushi_go_v0.sb3_vec_env(3, 4))
    assert vec.num_envs == 12
    assert vec.observation_space == spaces.Box(np.zeros(134, np.uint8), vec.layout.high.copy(), dtype=np.uint8)
    assert vec.action_space == spaces.Discrete(96)
    assert all(map(vec.observation_space.contains, vec.reset()))
    assert is_masking_supported(vec)
    assert same(get_action_masks(vec), vec.action_masks())
    assert vec.action_masks().dtype == np.bool_
    assert same(np.array(vec.env_method("action_masks", indices=[2, 5])), vec.action_masks()[[2, 5]])
    assert same(vec.env_method("action_masks", indices=7)[0], vec.action_masks()[7])
    floats = sushi_go_v0.sb3_vec_env(3, 2, dtype="float32")
    assert all(map(floats.observation_space.contains, floats.reset()))


def test_attributes_are_shared() -> None:
    vec = ours()
    assert not vec.has_attr("no_such_thing")
    assert vec.get_attr("render_mode") == [None] * vec.num_envs
    assert len(vec.get_attr("learners", indices=[0, 3])) == 2
    assert vec.env_is_wrapped(VecMonitor, indices=1) == [False]
    vec.set_attr("note", 5)
    assert vec.get_attr("note", 0) == [5]
    with pytest.raises(SettingError, match="share 'note'"):
        vec.set_attr("note", 6, indices=[1])
    with pytest.raises(AttributeError, match="no_such_thing"):
        vec.get_attr("no_such_thing")
    with pytest.raises(AttributeError, match="the one method action_masks, not 'jump'"):
        vec.env_method("jump")


def test_an_illegal_action_ends_its_game_for_all_its_seats() -> None:
    vec = begun(ours(reward="score"))
    actions = vec.action_masks().argmax(axis=1)
    actions[4] = (~vec.action_masks()[4]).argmax()  # game 1 of 3 seats
    saved, masks = vec.game.save(), vec.action_masks()
    seen, rewards, dones, infos = vec.step(actions)
    assert np.flatnonzero(dones).tolist() == [3, 4, 5]
    assert rewards[3:6].tolist() == [0, -1, 0]
    assert infos[4]["episode"] == {"r": -1.0, "l": 1}
    assert infos[0] == {}
    assert not same(seen[3:6], np.array([infos[row]["terminal_observation"] for row in (3, 4, 5)]))
    assert vec.action_masks()[3:6].any(axis=1).all()

    vec = begun(ours(illegal="raise"))
    with pytest.raises(IllegalAction, match=r"player_1 \(a learner, game 1\) may not play"):
        vec.step(actions)
    assert same(vec.game.save(), saved)
    assert same(vec.action_masks(), masks)


def test_all_games_may_end_at_once_by_illegal_actions() -> None:
    vec = begun(ours(learners=2))
    _, rewards, dones, _ = vec.step((~vec.action_masks()).argmax(axis=1))
    assert dones.all()
    assert (rewards == -1).all()


def test_a_waiting_seat_has_nothing_but_wait() -> None:
    vec = begun(ours("dummy"))
    vec.step(vec.action_masks().argmax(axis=1))
    legal = vec.action_masks().reshape(4, 2, -1)
    controls = vec.game.to_move
    assert (controls.sum(axis=1) == 1).all()
    assert (legal[~controls].sum(axis=1) == 1).all()
    assert legal[~controls][:, WAIT].all()
    assert not legal[controls][:, WAIT].any()


def test_seats_rotate_by_game_and_episode() -> None:
    vec = begun(ours(games=3, learners=2), seed=9)
    for episode in range(4):
        first = (9 + np.arange(3) + episode) % 3
        assert vec.seats.tolist() == np.column_stack([first, (first + 1) % 3]).ravel().tolist()
        for _ in range(27):
            _, _, dones, _ = vec.step(vec.action_masks().argmax(axis=1))
        assert dones.all()
    assert begun(ours(games=2)).seats.tolist() == [0, 1, 2, 0, 1, 2]


def test_opponents_sit_in_order_from_the_learners_left() -> None:
    first, second = Recorder(), Recorder()
    vec = begun(sushi_go_v0.sb3_vec_env(2, 4, learners=2, opponents=[first, second]))
    vec.step(vec.action_masks().argmax(axis=1))
    assert (first.asked, second.asked) == (2, 2)
    assert vec._versus._others._sitting.tolist() == [[-1, 0, 1, -1], [-1, -1, 0, 1]], "learners sit at 3 and 0, 0 and 1"
    with pytest.raises(AgentError, match="each of the other 2 seats, not 3"):
        sushi_go_v0.sb3_vec_env(2, 4, learners=2, opponents=[first, second, first])


def test_a_mixture_is_drawn_for_each_game_by_its_weights() -> None:
    rare, common = Recorder(), Recorder()
    vec = begun(ours(games=400, learners=1, opponents={rare: 1, common: 3}))
    shares = []
    for _ in range(3):
        vec.step(vec.action_masks().argmax(axis=1))
        sitting = vec._versus._others._sitting
        others = np.sort(sitting, axis=1)[:, 1:]
        assert (others[:, 0] == others[:, 1]).all(), "one agent holds all other seats of a game"
        shares.append(others[:, 0])
        for _ in range(26):
            vec.step(vec.action_masks().argmax(axis=1))
    assert np.mean(shares) == pytest.approx(0.75, abs=0.04)
    assert not same(shares[0], shares[1])
    assert rare.asked / (rare.asked + common.asked) == pytest.approx(0.25, abs=0.04)
    alone = begun(ours(games=1, learners=1, opponents={rare: 1, common: 3}), seed=7 + 300)
    assert alone._versus._others._sitting.max() == shares[0][300]


def test_choices_by_weight() -> None:
    keys = np.array([0, 2**62, 2**63, 2**64 - 1], np.uint64)
    assert weighted_choice(np.array([1.0, 1.0, 2.0]), keys).tolist() == [0, 1, 2, 2]


def test_the_same_seed_gives_the_same_games() -> None:
    def told(num_threads: int, games: int) -> list[Any]:
        vec = sushi_go_v0.sb3_vec_env(games, 3, learners=2, opponents={"random": 1}, num_threads=num_threads)
        assert vec.seed(5)[:4] == [5, 5, 6, 6]
        seen = [vec.reset()[:260]]
        for _ in range(40):
            first, rewards, dones, _ = vec.step(vec.action_masks().argmax(axis=1))
            seen += [first[:260], rewards[:260], dones[:260]]
        return seen

    assert all(map(same, told(1, 130), told(2, 200)))
    vec = ours()
    assert len(set(vec.seed())) == 4
    vec.reset()
    assert not same(vec.reset(), begun(ours()).reset())


def test_what_was_handed_out_stays_as_it_was() -> None:
    vec = begun(ours(reward="score"))
    kept: list[Any] = [vec.reset(), vec.action_masks(), vec.seats]
    for _ in range(27):
        seen, rewards, dones, infos = vec.step(vec.action_masks().argmax(axis=1))
        kept += [seen, rewards, dones, vec.action_masks(), *(info.get("terminal_observation") for info in infos)]
    arrays = [array for array in kept if array is not None]
    contents = [array.copy() for array in arrays]
    for _ in range(30):
        vec.step(vec.action_masks().argmax(axis=1))
    assert all(map(same, arrays, contents))


def test_episodes_are_told_as_sb3_logs_them() -> None:
    vec, total = begun(ours(games=1, learners=1, reward="score")), 0.0
    for _ in range(27):
        _, rewards, _, infos = vec.step(vec.action_masks().argmax(axis=1))
        total += float(rewards[0])
    assert infos[0]["episode"] == {"r": total, "l": 27}
    monitored = VecMonitor(ours(games=2))
    monitored.reset()
    assert same(get_action_masks(monitored), monitored.action_masks())
    actions = (~monitored.action_masks()).argmax(axis=1)
    assert [info["episode"]["r"] for info in monitored.step(actions)[3]] == [-1.0] * 6
