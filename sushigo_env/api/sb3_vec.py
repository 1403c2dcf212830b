"""Stable-Baselines3's VecEnv over B games: each learning seat of each game is one of its environments.

Self-play with shared weights needs nothing else. Masks are where sb3-contrib's MaskablePPO looks for them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sushigo_env.api.contract import BatchedGame
from sushigo_env.api.opponents import Opponents
from sushigo_env.api.settings import Settings, checked_options
from sushigo_env.api.spaces import box
from sushigo_env.api.versus import ROTATE, Versus
from sushigo_env.errors import OrderError, SettingError
from sushigo_env.layout import Layout
from sushigo_env.seeding import game_seeds

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as error:
    raise SettingError(
        f"this needs {str(error.name).partition('.')[0]}, which is not installed: pip install 'sushigo-env[train]', "
        "or '.[train]' in a checkout."
    ) from error

MASKS = "action_masks"
"""The method that sb3-contrib asks for."""


class SB3VecEnv(VecEnv):
    """B games with L learners each as a `VecEnv` of N = B * L environments: game 0's learners, then game 1's.

    `learners` 1 to P (default: all P, or 1 in a game where seats take turns). Where there are fewer than seats, they
    sit side by side, the first at seat (s + k) mod P in the k-th episode of a game of seed s, and `opponents` hold the
    other seats: a spec or agent, a list of one for each from the learners' left, or a mixture `{spec: weight}`, of
    which one is drawn for all other seats of a game, anew every episode. With all seats learning, learner j sits at
    seat j.

    Games begin anew by themselves: where `dones` is True the observation is the next game's first, and the info has
    `terminal_observation`, "TimeLimit.truncated" (always False) and "episode" (`r` the return, `l` the length, which
    SB3 logs). Other infos are empty. What is handed out is new at every step, but for those empty infos.

    `SettingError` for a bad setting, and for several learners where seats take turns; `AgentError` for an agent that
    is unknown, fails to load, or plays at other tables.
    """

    def __init__(
        self, game: BatchedGame, settings: Settings, learners: int | None = None, opponents: Opponents = "random"
    ) -> None:
        if learners is None:
            learners = game.num_players if game.simultaneous else 1
        seat = 0 if learners == game.num_players else ROTATE
        self.game, self.settings = game, settings
        self.render_mode = None
        self._versus = Versus(game, settings, opponents, seat, learners, one="environment")
        self.learners = self._versus.learners
        num_envs = game.num_games * self.learners
        self._nothing_to_tell: list[dict[str, Any]] = [{} for _ in range(num_envs)]
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        self._seed: int | None = None
        self._reset_with: dict[str, Any] = {}
        self._actions: NDArray[Any] | None = None
        self._begun = False
        super().__init__(num_envs, box(game.layout, settings.dtype), spaces.Discrete(game.num_actions))

    @property
    def layout(self) -> Layout:
        """Where each field lies in an observation, such as `layout.slices["own_hand"]`."""
        return self.game.layout

    @property
    def seats(self) -> NDArray[np.int64]:
        """int64[N]: the seat of each environment's learner (a copy)."""
        return self._versus.seats.copy()

    def seed(self, seed: int | None = None) -> list[int | None]:
        """At the next `reset`, let game i be the game of `seed` + i (0 to 2**64 - 1; default: some seed).

        Each environment's seed is returned: its game's.
        """
        self._seed = int(game_seeds(seed, 1)[0]) if seed is None else seed
        return list(np.repeat(game_seeds(self._seed, self.game.num_games), self.learners).tolist())

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Options of the game for the next `reset`, the same for all games; `SettingError` for a list."""
        self._reset_with = checked_options(options)

    def reset(self) -> NDArray[Any]:
        """[N, D]: begin every game, of the seed given to `seed`, or each the next one of its seed."""
        games = self.game.num_games
        seeds = None if self._seed is None else game_seeds(self._seed, games)
        self._versus.reset(np.ones(games, np.bool_), seeds, self._reset_with)
        self._seed, self._reset_with, self._actions = None, {}, None
        self._returns[:] = 0
        self._lengths[:] = 0
        self._begun = True
        return self._versus.observe()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keep `actions` (int[N]) for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """The learners' actions, then the opponents' until the learners are asked again.

        [N, D] observations, float32[N] rewards, bool[N] dones, N infos. A masked action ends its game for all its
        seats: -1 for whoever chose it, 0 for the others. Raises `ActionError` for the wrong type, shape or range,
        `IllegalAction` for a masked action with illegal="raise" (nothing has changed then), `OrderError` before
        `reset()`, `AgentError` for an opponent that breaks its contract.
        """
        self._check_begun()
        if self._actions is None:
            raise OrderError("there are no actions to take; call step_async(actions) first.")
        actions, self._actions = self._actions, None
        rewards, ended = self._versus.step(actions)
        self._returns += rewards
        self._lengths += 1
        infos = self._nothing_to_tell
        dones = np.repeat(ended, self.learners)
        if ended.any():
            infos = self._last_infos(dones)
            self._versus.reset(ended)
        return self._versus.observe(), rewards.astype(np.float32), dones, infos.copy()

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[N, A]: the legal actions, a row an environment; where a seat waits, `wait` alone."""
        self._check_begun()
        return self._versus.masks().view(np.bool_)

    def close(self) -> None:
        """Nothing is held open; here because the API has it."""

    def has_attr(self, attr_name: str) -> bool:
        """Whether there is such an attribute or method; `action_masks` is there."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """The attribute once for each of the environments `indices` (default all), which share it.

        `AttributeError` if there is none.
        """
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Set an attribute of all environments, which share it; `SettingError` for some of them."""
        if indices is not None and set(self._get_indices(indices)) != set(range(self.num_envs)):
            raise SettingError(f"the environments share {attr_name!r}; it can be set for all of them only.")
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: int | Iterable[int] | None = None, **method_kwargs: Any
    ) -> list[Any]:
        """`action_masks`, bool[A] for each of the environments `indices` (default all).

        `AttributeError` for any other method: an environment by itself has none.
        """
        if method_name != MASKS:
            raise AttributeError(f"the environments have the one method {MASKS}, not {method_name!r}.")
        masks = self.action_masks(*method_args, **method_kwargs)
        return list(masks if indices is None else masks[list(self._get_indices(indices))])

    def env_is_wrapped(self, wrapper_class: Any, indices: int | Iterable[int] | None = None) -> list[bool]:
        """False for each: there is nothing to wrap."""
        return [False for _ in self._get_indices(indices)]

    def _last_infos(self, dones: NDArray[np.bool_]) -> list[dict[str, Any]]:
        """The infos of a step that ended games: a new one where `dones` (bool[N])."""
        infos = self._nothing_to_tell.copy()
        rows = np.flatnonzero(dones)
        last = self._versus.observe()[rows]
        told = zip(rows.tolist(), last, self._returns[rows].tolist(), self._lengths[rows].tolist(), strict=True)
        for row, observation, total, length in told:
            infos[row] = {
                "terminal_observation": observation,
                "TimeLimit.truncated": False,
                "episode": {"r": total, "l": length},
            }
        self._returns[rows] = 0
        self._lengths[rows] = 0
        return infos

    def _check_begun(self) -> None:
        if not self._begun:
            raise OrderError("the games have not begun; call reset() first.")
