"""The loops that are timed: whole games, through every door.

Each maker gets everything ready and gives a function that plays the games once, dealing and scoring included. Where
the time of a policy is not what is measured, the games were played before, with actions drawn uniformly from the
masks, and the timed loop plays them again from the same seeds. A decision is one seat's choice.

Where seats take turns, games of a batch end one after another. The engine's own loops go on until the last has ended:
the time that finished games idle counts, their idle seats do not. The environments that begin games anew do so here
too: every decision counts, also of a game begun in place of another, but totals are of the first game at each table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from sushigo_env.games import Entry
from sushigo_env.seeding import decision_keys, game_seeds, uniform_actions
from sushigo_experiments.played_before import GAMES_PLAYED, Batch, pick, played_before, uniform
from sushigo_experiments.search_benchmarks import rollouts_quick, rollouts_random
from sushigo_experiments.training_benchmarks import training, training_ppo

ENVIRONMENT_GAMES_PLAYED = 64
"""As `GAMES_PLAYED`, for environments, which take longer over it."""


class Played(NamedTuple):
    """What a run did: decisions taken, and the sum and count of final totals."""

    decisions: int
    points: float
    totals: int


Run = Callable[[], Played]
Maker = Callable[[Entry, int, int, int], Run]
"""Called with the game, the players at a table, the games of a batch, and threads."""


def transition(game: Entry, players: int, games: int, threads: int) -> Run:
    """The engine alone: reset and step, with actions drawn before."""
    tables = game.new(games, players, num_threads=threads)
    played = played_before(tables)

    def run() -> Played:
        points = 0
        for batch in played:
            tables.reset(seeds=batch.seeds)
            for actions in batch.turns:
                tables.step(actions)
            points += int(tables.scores.sum())
        return _all_played(played, points, games * players)

    return run


def environment(game: Entry, players: int, games: int, threads: int) -> Run:
    """What a learner needs each turn: observation, action mask, transition; actions drawn before."""
    tables = game.new(games, players, num_threads=threads)
    played = played_before(tables)

    def run() -> Played:
        points = 0
        for batch in played:
            tables.reset(seeds=batch.seeds)
            for actions in batch.turns:
                tables.observe()
                tables.legal()
                tables.step(actions)
            points += int(tables.scores.sum())
        return _all_played(played, points, games * players)

    return run


def random_play(game: Entry, players: int, games: int, threads: int) -> Run:
    """Observation, action mask, a uniform choice from it, transition."""
    tables = game.new(games, players, num_threads=threads)
    played = played_before(tables)

    def run() -> Played:
        points = 0
        for batch in played:
            tables.reset(seeds=batch.seeds)
            for turn in range(len(batch.turns)):
                tables.observe()
                tables.step(uniform(tables, turn))
            points += int(tables.scores.sum())
        return _all_played(played, points, games * players)

    return run


def aec(game: Entry, players: int, games: int, threads: int) -> Run:
    """PettingZoo's AEC environment, `last` and `step`, as `env` gives it."""
    return _aec(game.open().env(num_players=players))


def aec_raw(game: Entry, players: int, games: int, threads: int) -> Run:
    """The same with `raw_env`."""
    return _aec(game.open().raw_env(num_players=players))


def aec_wrapped(game: Entry, players: int, games: int, threads: int) -> Run:
    """The same with `raw_env` under PettingZoo's three usual wrappers."""
    wrapped = TerminateIllegalWrapper(game.open().raw_env(num_players=players), illegal_reward=-1)
    return _aec(OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped)))


def parallel(game: Entry, players: int, games: int, threads: int) -> Run:
    """PettingZoo's Parallel environment; `SettingError` for a game in which seats take turns."""
    env: Any = game.open().parallel_env(num_players=players)
    played = []
    for seed in range(ENVIRONMENT_GAMES_PLAYED):
        observations, _ = env.reset(seed=seed)
        turns: list[dict[str, int]] = []
        while env.agents:
            seats = enumerate(observations.items())
            turns.append({agent: pick(seen, seed, seat, len(turns)) for seat, (agent, seen) in seats})
            observations, *_ = env.step(turns[-1])
        played.append(turns)

    def run() -> Played:
        points = 0
        for seed, turns in enumerate(played):
            env.reset(seed=seed)
            for actions in turns:
                env.step(actions)
            points += int(env.game.scores.sum())
        decisions = sum(len(actions) for turns in played for actions in turns)
        return Played(decisions, points, len(played) * players)

    return run


def gymnasium_vector(game: Entry, players: int, games: int, threads: int) -> Run:
    """Gymnasium's `VectorEnv` against random opponents, whose time counts; only the learner's own decisions do."""
    env: Any = game.open().gymnasium_vector_env(games, players, opponents="random", reward="score", num_threads=threads)
    played = []
    for seed in range(0, max(games, ENVIRONMENT_GAMES_PLAYED), games):
        observations, _ = env.reset(seed=seed)
        turns: list[NDArray[np.int32]] = []
        ignored, ended, first = 0, np.zeros(games, np.bool_), np.ones(games, np.bool_)
        while first.any():
            ignored += int(ended.sum())  # the step after a game's end takes no action: it begins the next
            keys = decision_keys(game_seeds(seed, games), 0, len(turns))
            turns.append(uniform_actions(observations["action_mask"].astype(np.bool_), keys))
            observations, _, ended, *_ = env.step(turns[-1])
            first &= ~ended
        played.append(Batch(game_seeds(seed, games), turns, len(turns) * games - ignored))

    def run() -> Played:
        points = 0.0
        for batch in played:
            env.reset(seed=int(batch.seeds[0]))
            first = np.ones(games, np.bool_)
            for actions in batch.turns:
                _, rewards, ended, *_ = env.step(actions)
                points += float(rewards @ first)
                first &= ~ended
        return _all_played(played, points, games)

    return run


def sb3_vec(game: Entry, players: int, games: int, threads: int) -> Run:
    """The `VecEnv` of Stable-Baselines3, `env_method("action_masks")` and `step`, with every seat learning.

    Where seats take turns one seat a game learns, against random opponents, whose time counts.
    """
    vec: Any = game.open().sb3_vec_env(games, players, reward="score", num_threads=threads)
    played = []
    for seed in range(0, max(games, GAMES_PLAYED), games):
        vec.seed(seed)
        vec.reset()
        turns: list[NDArray[np.int32]] = []
        first = np.ones(vec.num_envs, np.bool_)
        while first.any():
            keys = decision_keys(game_seeds(seed, vec.num_envs), 0, len(turns))
            turns.append(uniform_actions(vec.action_masks(), keys))
            first &= ~vec.step(turns[-1])[2]
        played.append(Batch(game_seeds(seed, games), turns, len(turns) * vec.num_envs))

    def run() -> Played:
        points = 0.0
        for batch in played:
            vec.seed(int(batch.seeds[0]))
            vec.reset()
            first = np.ones(vec.num_envs, np.bool_)
            for actions in batch.turns:
                vec.env_method("action_masks")
                _, rewards, dones, _ = vec.step(actions)
                points += float(rewards @ first)
                first &= ~dones
        return _all_played(played, points, vec.num_envs)

    return run


def _sushi_go(make: Callable[[int, int, int], Run]) -> Maker:
    """A maker that knows one game, in the form of the others."""

    @wraps(make)
    def made(game: Entry, players: int, games: int, threads: int) -> Run:
        return make(players, games, threads)

    return made


BENCHMARKS: dict[str, Maker] = {
    "transition": transition,
    "environment": environment,
    "random_play": random_play,
    "aec_raw": aec_raw,
    "aec": aec,
    "aec_wrapped": aec_wrapped,
    "parallel": parallel,
    "gymnasium_vector": gymnasium_vector,
    "sb3_vec": sb3_vec,
    "rollouts": _sushi_go(rollouts_random),
    "rollouts_quick": _sushi_go(rollouts_quick),
    "training": training,
    "training_ppo": _sushi_go(training_ppo),
}
"""What can be measured -> what makes its run."""
SUSHI_GO_ALONE = frozenset({"rollouts", "rollouts_quick", "training_ppo"})
"""Those that know no other game."""
AT_ONCE = frozenset({"parallel"})
"""Those that need a game in which all choose at once."""
NEEDS = {"sb3_vec": "stable_baselines3", "training": "torch", "training_ppo": "sb3_contrib"}
"""Those that need a package of an extra."""
BATCHES = {"training": (512,), "training_ppo": (512,)}
"""Games at once of the default run, where that is not every size: training takes seconds a time."""
ONE_GAME = frozenset({"aec_raw", "aec", "aec_wrapped", "parallel"})
"""Those that play one game at a time, in one thread."""


def _all_played(played: list[Batch], points: float, totals: int) -> Played:
    """`totals`: those of one batch."""
    return Played(sum(batch.decisions for batch in played), points, len(played) * totals)


def _aec(env: Any) -> Run:
    """The AEC cycle of an environment."""
    played = []
    for seed in range(ENVIRONMENT_GAMES_PLAYED):
        env.reset(seed=seed)
        steps: list[int | None] = []
        for _ in env.agent_iter():
            seen, _, terminated, *_ = env.last()
            steps.append(None if terminated else pick(seen, seed, 0, len(steps)))
            env.step(steps[-1])
        played.append(steps)

    def run() -> Played:
        points = 0
        for seed, steps in enumerate(played):
            env.reset(seed=seed)
            for action in steps:
                env.last()
                env.step(action)
            points += int(env.unwrapped.game.scores.sum())
        decisions = sum(action is not None for steps in played for action in steps)
        return Played(decisions, points, len(played) * len(env.possible_agents))

    return run
