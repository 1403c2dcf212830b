"""The loops that are timed: whole games, through every door.

Each maker gets everything ready and gives a function that plays the games once, dealing and scoring included. Where
the time of a policy is not what is measured, the games were played before, with actions drawn uniformly from the
masks, and the timed loop plays them again from the same seeds. A decision is one seat's choice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from sushigo_env import sushi_go_v0
from sushigo_env.seeding import decision_keys, game_seeds, uniform_actions
from sushigo_env.sushi_go.game import SushiGo
from sushigo_experiments.search_benchmarks import rollouts_quick, rollouts_random
from sushigo_experiments.training_benchmarks import training, training_ppo

GAMES_PLAYED = 256
"""A run plays at least so many games (batch after batch), so that its mean total tells something."""
ENVIRONMENT_GAMES_PLAYED = 64
"""The same for environments, which take longer over it."""


class Played(NamedTuple):
    """What a run did: decisions taken, and the sum and count of final totals."""

    decisions: int
    points: float
    totals: int


Run = Callable[[], Played]


def transition(players: int, games: int, threads: int) -> Run:
    """The engine alone: reset and step, with actions drawn before."""
    game = SushiGo(games, players, num_threads=threads)
    played = _played_before(game)

    def run() -> Played:
        points = 0
        for seeds, actions in played:
            game.reset(seeds=seeds)
            for turn in actions:
                game.step(turn)
            points += int(game.scores.sum())
        return _all_played(played, points)

    return run


def environment(players: int, games: int, threads: int) -> Run:
    """What a learner needs each turn: observation, action mask, transition; actions drawn before."""
    game = SushiGo(games, players, num_threads=threads)
    played = _played_before(game)

    def run() -> Played:
        points = 0
        for seeds, actions in played:
            game.reset(seeds=seeds)
            for turn in actions:
                game.observe()
                game.legal()
                game.step(turn)
            points += int(game.scores.sum())
        return _all_played(played, points)

    return run


def random_play(players: int, games: int, threads: int) -> Run:
    """Observation, action mask, a uniform choice from it, transition."""
    game = SushiGo(games, players, num_threads=threads)
    played = _played_before(game)

    def run() -> Played:
        points = 0
        for seeds, actions in played:
            game.reset(seeds=seeds)
            for turn in range(len(actions)):
                game.observe()
                game.step(_uniform(game, turn))
            points += int(game.scores.sum())
        return _all_played(played, points)

    return run


def aec(players: int, games: int, threads: int) -> Run:
    """PettingZoo's AEC environment, `last` and `step`, as `env` gives it."""
    return _aec(sushi_go_v0.env(num_players=players, reward="score"))


def aec_raw(players: int, games: int, threads: int) -> Run:
    """The same with `raw_env`."""
    return _aec(sushi_go_v0.raw_env(num_players=players, reward="score"))


def aec_wrapped(players: int, games: int, threads: int) -> Run:
    """The same with `raw_env` under PettingZoo's three usual wrappers."""
    wrapped = TerminateIllegalWrapper(sushi_go_v0.raw_env(num_players=players, reward="score"), illegal_reward=-1)
    return _aec(OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped)))


def parallel(players: int, games: int, threads: int) -> Run:
    """PettingZoo's Parallel environment."""
    env: Any = sushi_go_v0.parallel_env(num_players=players, reward="score")
    played = []
    for seed in range(ENVIRONMENT_GAMES_PLAYED):
        observations, _ = env.reset(seed=seed)
        turns: list[dict[str, int]] = []
        while env.agents:
            seats = enumerate(observations.items())
            turns.append({agent: _pick(seen, seed, seat, len(turns)) for seat, (agent, seen) in seats})
            observations, *_ = env.step(turns[-1])
        played.append(turns)

    def run() -> Played:
        points = 0.0
        for seed, turns in enumerate(played):
            env.reset(seed=seed)
            for actions in turns:
                _, rewards, *_ = env.step(actions)
                points += sum(rewards.values())
        decisions = sum(len(actions) for turns in played for actions in turns)
        return Played(decisions, points, len(played) * players)

    return run


def gymnasium_vector(players: int, games: int, threads: int) -> Run:
    """Gymnasium's `VectorEnv` against random opponents, whose time counts; only the learner's own decisions do."""
    env: Any = gymnasium.make_vec(
        "sushigo_env/SushiGo-v0",
        num_envs=games,
        num_players=players,
        opponents="random",
        reward="score",
        num_threads=threads,
    )
    played = []
    for seed in range(0, max(games, ENVIRONMENT_GAMES_PLAYED), games):
        observations, _ = env.reset(seed=seed)
        turns: list[NDArray[np.int32]] = []
        ended = np.zeros(games, np.bool_)
        while not ended.all():
            keys = decision_keys(game_seeds(seed, games), 0, len(turns))
            turns.append(uniform_actions(observations["action_mask"].astype(np.bool_), keys))
            observations, _, ended, *_ = env.step(turns[-1])
        played.append((seed, turns))

    def run() -> Played:
        points = 0.0
        for seed, turns in played:
            env.reset(seed=seed)
            for actions in turns:
                _, rewards, *_ = env.step(actions)
                points += float(rewards.sum())
        return Played(sum(len(turns) for _, turns in played) * games, points, len(played) * games)

    return run


def sb3_vec(players: int, games: int, threads: int) -> Run:
    """The `VecEnv` of Stable-Baselines3 with every seat learning, `env_method("action_masks")` and `step`."""
    vec = sushi_go_v0.sb3_vec_env(games, players, reward="score", num_threads=threads)
    played = _played_before(SushiGo(games, players))

    def run() -> Played:
        points = 0.0
        for seeds, actions in played:
            vec.seed(int(seeds[0]))
            vec.reset()
            for turn in actions:
                vec.env_method("action_masks")
                points += float(vec.step(turn.reshape(-1))[1].sum())
        return _all_played(played, points)

    return run


BENCHMARKS: dict[str, Callable[[int, int, int], Run]] = {
    "transition": transition,
    "environment": environment,
    "random_play": random_play,
    "aec_raw": aec_raw,
    "aec": aec,
    "aec_wrapped": aec_wrapped,
    "parallel": parallel,
    "gymnasium_vector": gymnasium_vector,
    "sb3_vec": sb3_vec,
    "rollouts": rollouts_random,
    "rollouts_quick": rollouts_quick,
    "training": training,
    "training_ppo": training_ppo,
}
"""What can be measured -> what makes its run, given players, games and threads."""
NEEDS = {"sb3_vec": "stable_baselines3", "training": "torch", "training_ppo": "sb3_contrib"}
"""Those that need a package of an extra."""
BATCHES = {"training": (512,), "training_ppo": (512,)}
"""Games at once of the default run, where that is not every size: training takes seconds a time."""
ONE_GAME = frozenset({"aec_raw", "aec", "aec_wrapped", "parallel"})
"""Those that play one game at a time, in one thread."""


def _played_before(game: SushiGo) -> list[tuple[NDArray[np.uint64], NDArray[np.int32]]]:
    """Batches of whole games: seeds uint64[B], and uniform actions int32[T, B, P] that can be played from them."""
    batches = []
    for first in range(0, max(game.num_games, GAMES_PLAYED), game.num_games):
        seeds = game_seeds(first, game.num_games)
        game.reset(seeds=seeds)
        turns: list[NDArray[np.int32]] = []
        while not game.done.all():
            turns.append(_uniform(game, len(turns)))
            game.step(turns[-1])
        batches.append((seeds, np.array(turns)))
    return batches


def _uniform(game: SushiGo, turn: int) -> NDArray[np.int32]:
    """int32[B, P]: every seat's uniform choice from its mask."""
    mask = game.legal()
    games, players, actions = mask.shape
    keys = decision_keys(np.repeat(game.seeds, players), np.tile(np.arange(players), games), turn)
    return uniform_actions(mask.reshape(-1, actions), keys).reshape(games, players)


def _all_played(played: list[tuple[NDArray[np.uint64], NDArray[np.int32]]], points: float) -> Played:
    totals = sum(actions[0].size for _, actions in played)
    return Played(sum(actions.size for _, actions in played), points, totals)


def _aec(env: Any) -> Run:
    """The AEC cycle of an environment whose rewards are points."""
    played = []
    for seed in range(ENVIRONMENT_GAMES_PLAYED):
        env.reset(seed=seed)
        steps: list[int | None] = []
        for _ in env.agent_iter():
            seen, _, terminated, *_ = env.last()
            steps.append(None if terminated else _pick(seen, seed, 0, len(steps)))
            env.step(steps[-1])
        played.append(steps)

    def run() -> Played:
        points = 0.0
        for seed, steps in enumerate(played):
            env.reset(seed=seed)
            for action in steps:
                points += env.last()[1]
                env.step(action)
        decisions = sum(action is not None for steps in played for action in steps)
        return Played(decisions, points, len(played) * len(env.possible_agents))

    return run


def _pick(seen: Any, seed: int, seat: int, decision: int) -> int:
    """A uniform choice from one seat's mask."""
    mask = np.asarray(seen["action_mask"], np.bool_)
    return int(uniform_actions(mask[None], decision_keys(game_seeds(seed, 1), seat, decision))[0])
