"""Gymnasium's API over one game: a learner at one seat, named opponents at the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sushigo_env.api.actions import as_action
from sushigo_env.api.contract import BatchedGame
from sushigo_env.api.opponents import Opponents
from sushigo_env.api.settings import RENDER_MODES, Settings
from sushigo_env.api.spaces import observation_space
from sushigo_env.api.table import AFTER_END, BEFORE_RESET, render
from sushigo_env.api.versus import Versus
from sushigo_env.errors import OrderError
from sushigo_env.layout import Layout
from sushigo_env.seeding import game_seeds

ALL = np.ones(1, np.bool_)
"""The one game of the batch, as a mask."""


class SingleAgent(gymnasium.Env[Any, Any]):
    """One game as a `gymnasium.Env`; all that is handed out is new at every call.

    The info has the `action_mask` (int8[A]) and the learner's `seat`. `opponents` and `seat` as in `Versus`.
    """

    def __init__(
        self,
        game: BatchedGame,
        settings: Settings,
        name: str,
        opponents: Opponents = "random",
        seat: int | str = 0,
    ) -> None:
        self.metadata = {"name": name, "render_modes": list(RENDER_MODES), "render_fps": 1}
        self.game, self.settings = game, settings
        self.render_mode = settings.render_mode
        self.observation_space = observation_space(game, settings)
        self.action_space = spaces.Discrete(game.num_actions)
        self._versus = Versus(game, settings, opponents, seat)
        self._begun = False

    @property
    def layout(self) -> Layout:
        """Where each field lies in an observation, such as `layout.slices["own_hand"]`."""
        return self.game.layout

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return int(self._versus.seats[0])

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode: of `seed` (0 to 2**64 - 1), or the next of the seed before; see the game's `options`."""
        seeds = None if seed is None else game_seeds(seed, 1)
        super().reset(seed=None if seed is None else int(seed))
        self._versus.reset(ALL, seeds, options)
        self._begun = True
        return self._look()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner plays `action` (an int), then the opponents play until it is asked again.

        Raises `ActionError` for the wrong type or range, `IllegalAction` for a masked action with illegal="raise"
        (nothing has changed then), `OrderError` before `reset()` and after the end, `AgentError` for an opponent that
        breaks its contract.
        """
        self._check_going_on()
        action = as_action(action, f"the learner, player_{self.seat},", self.game.num_actions)
        rewards, ended = self._versus.step(np.array([action]))
        observation, info = self._look()
        return observation, float(rewards[0]), bool(ended[0]), False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[A]: the legal actions, in the form that sb3-contrib asks for."""
        self._check_begun()
        mask: NDArray[np.bool_] = self._versus.masks()[0].view(np.bool_)
        return mask

    def record(self) -> dict[str, Any]:
        """The finished game as a JSON-ready dict; `OrderError` if it is not finished."""
        self._check_begun()
        return self.game.record(0)

    def render(self) -> str | None:
        """The table as text: returned in mode "ansi", printed in mode "human"."""
        self._check_begun()
        return render(self.game, self.render_mode)

    def _look(self) -> tuple[Any, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        observation, mask = self._versus.observe()[0], self._versus.masks()[0]
        info = {"action_mask": mask, "seat": self.seat}
        return observation if self.settings.obs == "flat" else {"observation": observation, "action_mask": mask}, info

    def _check_begun(self) -> None:
        if not self._begun:
            raise OrderError(BEFORE_RESET)

    def _check_going_on(self) -> None:
        self._check_begun()
        if self.game.done[0]:
            raise OrderError(AFTER_END)
