"""What the environments of one game for all its seats (AEC and Parallel) have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sushigo_env.api.contract import BatchedGame
from sushigo_env.api.rewards import Rewards
from sushigo_env.api.settings import RENDER_MODES, Settings
from sushigo_env.api.spaces import box, encoder, observation_space
from sushigo_env.errors import OrderError, SettingError
from sushigo_env.layout import Layout
from sushigo_env.seeding import game_seeds

BEFORE_RESET = "the game has not begun; call reset() first."
AFTER_END = "the game is over; call reset() to begin another."


class Table:
    """One game (a batch of one) and its seats, as agents `player_0`, `player_1`, ..."""

    def __init__(self, game: BatchedGame, settings: Settings, name: str) -> None:
        self.game = game
        self.settings = settings
        self.render_mode = settings.render_mode
        self.metadata: dict[str, Any] = {
            "name": name,
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space(game, settings) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        self.state_space = box(game.state_layout, settings.dtype)
        self._begun = False
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._num_actions = game.num_actions
        self._terminates = settings.illegal == "terminate"
        self._flat = settings.obs == "flat"
        self._encode = encoder(game.layout, settings.dtype)
        self._encode_state = encoder(game.state_layout, settings.dtype)
        self._rewards = Rewards(settings.reward, game)
        self._choices = np.zeros((1, game.num_players), np.int32)

    @property
    def layout(self) -> Layout:
        """Where each field lies in an observation, such as `layout.slices["own_hand"]`."""
        return self.game.layout

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation space of `agent`, the same object at every call."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        """The action space of `agent`, the same object at every call."""
        return self.action_spaces[self._known(agent)]

    def state(self) -> NDArray[Any]:
        """[S]: the whole table, hidden cards included, for centralised critics; choices not yet revealed are not."""
        self._check_begun()
        return self._encode_state(self.game.state()[0]).copy()

    def record(self) -> dict[str, Any]:
        """The finished game as a JSON-ready dict; `OrderError` if it is not finished."""
        self._check_begun()
        return self.game.record(0)

    def render(self) -> str | None:
        """The table as text: returned in mode "ansi", printed in mode "human"."""
        self._check_begun()
        return render(self.game, self.render_mode)

    def close(self) -> None:
        """Nothing is held open; here because the API has it."""

    def _start(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        self.game.reset(seeds=None if seed is None else game_seeds(seed, 1), options=options)
        self.agents = self.possible_agents[:]
        self._rewards.reset()
        self._begun = True

    def _check_begun(self) -> None:
        if not self._begun:
            raise OrderError(BEFORE_RESET)

    def _check_going_on(self) -> None:
        if not self.agents:
            raise OrderError(AFTER_END if self._begun else BEFORE_RESET)

    def _known(self, agent: str) -> str:
        if not isinstance(agent, str) or agent not in self._seats:
            raise SettingError(f"there is no agent {agent!r}; the agents are {', '.join(self.possible_agents)}.")
        return agent


def render(game: BatchedGame, render_mode: str | None) -> str | None:
    """Game 0 of a batch as text: returned in mode "ansi", printed in mode "human", nothing without a mode."""
    if render_mode is None:
        gymnasium.logger.warn("render() shows nothing without a render_mode; give render_mode='human' or 'ansi'.")
        return None
    text = game.render(0)
    if render_mode == "ansi":
        return text
    print(text)
    return None
