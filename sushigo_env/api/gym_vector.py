"""Gymnasium's VectorEnv over B games: a learner at one seat of each, named opponents at the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from sushigo_env.api.contract import BatchedGame
from sushigo_env.api.opponents import Opponents
from sushigo_env.api.settings import RENDER_MODES, Settings, checked_options
from sushigo_env.api.spaces import observation_space
from sushigo_env.api.versus import Versus
from sushigo_env.errors import OrderError, SettingError
from sushigo_env.layout import Layout
from sushigo_env.seeding import game_seeds


class GymVector(VectorEnv[Any, Any, NDArray[Any]]):
    """B games as a `VectorEnv`, game i the same as a `SingleAgent` of its seed; all that is handed out is new.

    `autoreset_mode` is a `gymnasium.vector.AutoresetMode` or its value ("NextStep", "SameStep", "Disabled"); what each
    returns is what Gymnasium's `SyncVectorEnv` would. The action mask of a game that is over is all zeros; in mode
    NEXT_STEP the next action of that game is ignored, whatever it is, for that step begins the next game. `opponents`
    and `seat` as in `Versus`.
    """

    def __init__(
        self,
        game: BatchedGame,
        settings: Settings,
        name: str,
        opponents: Opponents = "random",
        seat: int | str = 0,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        self.autoreset_mode = _mode(autoreset_mode)
        self.metadata = {
            "name": name,
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "autoreset_mode": self.autoreset_mode,
        }
        self.game, self.settings = game, settings
        self.render_mode = settings.render_mode
        self.num_envs = game.num_games
        self.single_observation_space = observation_space(game, settings)
        self.single_action_space = spaces.Discrete(game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._versus = Versus(game, settings, opponents, seat)
        self._begun = False

    @property
    def layout(self) -> Layout:
        """Where each field lies in an observation, such as `layout.slices["own_hand"]`."""
        return self.game.layout

    @property
    def seats(self) -> NDArray[np.int64]:
        """int64[B]: the learner's seat in each game (a copy)."""
        return self._versus.seats.copy()

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begin games: of `seed` + i or a seed each, or each the next one of its seed.

        `options["reset_mask"]` (bool[B], at least one True) resets those games alone (games never begun are over); the
        other options are the game's. Raises `SettingError` for seeds, a mask or options that do not fit.
        """
        options = checked_options(options)
        games = self._reset_mask(options.pop("reset_mask", None))
        seeds, seeded = self._seeds(seed)
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
        if (games & seeded).any():
            self._versus.reset(games & seeded, seeds, options)
        if (games & ~seeded).any():
            self._versus.reset(games & ~seeded, None, options)
        self._begun = True
        return self._look(games)

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """The learners' `actions` (int[B]), then the opponents' until the learners are asked again.

        A game that is over starts anew by the autoreset mode: instead of taking its next action (NEXT_STEP), or at
        once (SAME_STEP, the last observations in `infos["final_obs"]`, infos in `infos["final_info"]`). Raises
        `ActionError` for the wrong type, shape or range, `IllegalAction` for a masked action with illegal="raise",
        `OrderError` before `reset()` and, in mode DISABLED, while a game that is over has not been reset, `AgentError`
        for an opponent that breaks its contract.
        """
        self._check_begun()
        over = self._versus.done.copy()
        if over.any() and self.autoreset_mode is AutoresetMode.DISABLED:
            raise OrderError(f"game {int(over.argmax())} is over; reset it with options={{'reset_mask': ...}} first.")
        rewards, ended = self._versus.step(actions)
        final: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            final = self._final(ended)
            over |= ended
        if over.any():
            self._versus.reset(over)
        observation, infos = self._look(np.ones(self.num_envs, np.bool_))
        return observation, rewards, ended, np.zeros(self.num_envs, np.bool_), {**final, **infos}

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[B, A]: the legal actions, in the form that sb3-contrib asks for."""
        self._check_begun()
        return self._versus.masks().view(np.bool_)

    def render(self) -> tuple[str, ...] | None:
        """Every table as text: returned in mode "ansi", printed in mode "human"."""
        self._check_begun()
        texts = tuple(self.game.render(index) for index in range(self.num_envs))
        if self.render_mode == "human":
            print("\n\n".join(texts))
        return texts if self.render_mode == "ansi" else None

    def _check_begun(self) -> None:
        if not self._begun:
            raise OrderError("the games have not begun; call reset() first.")

    def _look(self, told: NDArray[np.bool_]) -> tuple[Any, dict[str, Any]]:
        """The observations, and infos for the games `told` (bool[B])."""
        seen, masks = self._versus.observe(), self._versus.masks()
        observation = seen if self.settings.obs == "flat" else {"observation": seen, "action_mask": masks}
        return observation, _infos(masks, self._versus.seats, told)

    def _final(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """The last observations and infos of the games `ended`, laid out as `SyncVectorEnv` does."""
        observation, infos = self._look(ended)
        last = np.full(self.num_envs, None, dtype=object)
        for index in np.flatnonzero(ended):
            last[index] = (
                observation[index]
                if self.settings.obs == "flat"
                else {key: value[index] for key, value in observation.items()}
            )
        return {"final_obs": last, "_final_obs": ended.copy(), "final_info": infos, "_final_info": ended.copy()}

    def _reset_mask(self, mask: Any) -> NDArray[np.bool_]:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise SettingError(
                f"options['reset_mask'] must be a NumPy array of {self.num_envs} booleans, not {mask!r}."
            )
        if not mask.any():
            raise SettingError("options['reset_mask'] must be True for at least one game.")
        return mask.copy()

    def _seeds(self, seed: int | Sequence[int | None] | None) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        """uint64[B] seeds, and bool[B] where there is one."""
        if seed is None or isinstance(seed, int | np.integer):
            given = seed is not None
            seeds = game_seeds(seed, self.num_envs) if given else np.zeros(self.num_envs, np.uint64)
            return seeds, np.full(self.num_envs, given)
        if isinstance(seed, str) or not isinstance(seed, Sequence) or len(seed) != self.num_envs:
            raise SettingError(f"seed must be one integer, or a list of one for each of {self.num_envs} games.")
        one_each = [0 if one is None else game_seeds(one, 1)[0] for one in seed]
        return np.array(one_each, np.uint64), np.array([one is not None for one in seed])


def _infos(masks: NDArray[np.int8], seats: NDArray[np.int64], told: NDArray[np.bool_]) -> dict[str, Any]:
    """The learners' infos as Gymnasium batches them: zeros where not `told`, and a mask beside each."""
    return {
        "action_mask": masks * told[:, None],
        "_action_mask": told.copy(),
        "seat": seats * told,
        "_seat": told.copy(),
    }


def _mode(autoreset_mode: str | AutoresetMode) -> AutoresetMode:
    try:
        return AutoresetMode(autoreset_mode)
    except ValueError:
        allowed = ", ".join(mode.value for mode in AutoresetMode)
        raise SettingError(f"autoreset_mode must be one of {allowed}, not {autoreset_mode!r}.") from None
