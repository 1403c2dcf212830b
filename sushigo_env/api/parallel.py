"""PettingZoo's Parallel API over one game: everyone who is asked acts at once. Written natively, not over AEC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pettingzoo.utils.env import ParallelEnv

from sushigo_env.api.actions import as_action, illegal_action
from sushigo_env.api.contract import BatchedGame
from sushigo_env.api.settings import Settings
from sushigo_env.api.table import Table
from sushigo_env.errors import ActionError, SettingError

ENDED = np.ones(1, np.bool_)
"""The one game of the batch, as the engine wants it named."""


class Parallel(Table, ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """One game as a `ParallelEnv`; all that is handed out is new at every call.

    `SettingError` for a game in which seats take turns: there nobody acts at once.
    """

    def __init__(self, game: BatchedGame, settings: Settings, name: str) -> None:
        if not game.simultaneous:
            raise SettingError(
                f"{game.name} asks one seat at a time, so it has no Parallel environment; use the AEC environment or "
                "vector_env."
            )
        Table.__init__(self, game, settings, name)
        self.metadata["is_parallelizable"] = True

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin a game: of `seed` (0 to 2**64 - 1), or the next one of the seed before; see the game's `options`."""
        self._start(seed, options)
        return self._look()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Everyone's action (an int each); an agent with nothing legal may be left out, and its action changes nothing.

        Raises `ActionError` for the wrong type or range and for an agent left out, `IllegalAction` for a masked action
        with illegal="raise" (nothing has changed then), `OrderError` before `reset()` and after the end.
        """
        self._check_going_on()
        offenders = self._choose(actions)
        if offenders is None:
            self.game.step(self._choices)
        else:
            self.game.end(ENDED)
        over = bool(self.game.done[0])
        if over or self._rewards.every_step:
            due = self._rewards.step(self.game.done, offenders)[0].tolist()
            rewards = dict(zip(self.possible_agents, due, strict=True))
        else:
            rewards = dict.fromkeys(self.possible_agents, 0.0)
        if over:
            self.agents = []
        observations, infos = self._look()
        terminations = dict.fromkeys(self.possible_agents, over)
        return observations, rewards, terminations, dict.fromkeys(self.possible_agents, False), infos

    def _choose(self, actions: Mapping[str, Any]) -> NDArray[np.bool_] | None:
        """Write the actions to `_choices`. None if all are legal, else bool[1, P]: the offenders."""
        if type(actions) is not dict and not isinstance(actions, Mapping):
            raise ActionError(f"step() takes a dict of agent -> action, not {type(actions).__name__}.")
        given, masked = 0, []
        for seat, agent in enumerate(self.possible_agents):
            action = actions.get(agent, self)
            if action is self:  # no action could be this environment, so the agent has none
                self._check_not_asked(seat, agent)
                action = 0
            else:
                given += 1
                if type(action) is not int or not 0 <= action < self._num_actions:
                    action = as_action(action, agent, self._num_actions)
            self._choices[0, seat] = action
            if not self._legal[seat, action] and self._legal[seat].any():
                masked.append(seat)
        if given != len(actions):
            unknown = ", ".join(str(agent) for agent in actions if agent not in self._seats)
            raise ActionError(f"step() was given actions of {unknown}; the agents are {', '.join(self._seats)}.")
        return self._offenders(masked) if masked else None

    def _check_not_asked(self, seat: int, agent: str) -> None:
        if self._legal[seat].any():
            raise ActionError(f"step() needs an action of every agent, but {agent} has none.")

    def _offenders(self, masked: list[int]) -> NDArray[np.bool_]:
        """bool[1, P]: True for the seats whose actions are masked; `IllegalAction` instead with illegal="raise"."""
        if not self._terminates:
            agent, action = self.possible_agents[masked[0]], int(self._choices[0, masked[0]])
            raise illegal_action(self.game, agent, action, self._legal[masked[0]])
        offenders = np.zeros(self._choices.shape, np.bool_)
        offenders[0, masked] = True
        return offenders

    def _look(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Every agent's observation and info, as the table is now."""
        if self.render_mode == "human":
            self.render()
        seen = self._encode(self.game.observe()[0].copy())
        self._legal: NDArray[np.bool_] = self.game.legal()[0]
        masks = self._legal.view(np.int8).copy()
        observations: dict[str, Any] = {}
        infos: dict[str, dict[str, Any]] = {}
        for agent, observation, mask in zip(self.possible_agents, seen, masks, strict=True):
            observations[agent] = observation if self._flat else {"observation": observation, "action_mask": mask}
            infos[agent] = {"action_mask": mask}
        return observations, infos
