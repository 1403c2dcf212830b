"""PettingZoo's AEC API over one game: one agent at a time, and nobody peeks.

Where all choose at once, agents choose in seat order and choices are kept back until the last has chosen; only then
does the game move on, so until then every other agent sees the same, whatever was chosen. Agents that have nothing to
decide are skipped. Order, bounds and masks are checked here; PettingZoo's wrappers work on top but are not needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pettingzoo.utils.env import AECEnv

from sushigo_env.api.actions import as_action, illegal_action
from sushigo_env.api.contract import BatchedGame
from sushigo_env.api.settings import Settings
from sushigo_env.api.table import Table
from sushigo_env.errors import ActionError

ENDED = np.ones(1, np.bool_)
"""The one game of the batch, as the engine wants it named."""


class AEC(Table, AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """One game as an `AECEnv`; observations and masks handed out are copies, `infos` are the same dicts throughout."""

    agent_selection: str
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]

    def __init__(self, game: BatchedGame, settings: Settings, name: str) -> None:
        Table.__init__(self, game, settings, name)
        # PettingZoo's `aec_to_parallel` needs the masks of all agents at once, which only `parallel_env` shows
        self.metadata["is_parallelizable"] = False
        self.infos: dict[str, dict[str, Any]] = {}
        self._all_infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.possible_agents}
        self._selected: dict[str, Any] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self._nothing_legal = np.zeros(game.num_actions, np.int8)

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game: of `seed` (0 to 2**64 - 1), or the next one of the seed before; see the game's `options`."""
        self._start(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos.update(self._all_infos)
        for info in self._all_infos.values():
            info["action_mask"] = self._nothing_legal.copy()
        self._skip_agent_selection = None
        self._rewarded = False
        self._begin_turn()

    def step(self, action: Any) -> None:
        """The agent selected plays `action` (an int), or None once its game is over.

        Raises `ActionError` for the wrong type or range, `IllegalAction` for a masked action with illegal="raise"
        (nothing has changed then), `OrderError` before `reset()` and after the end.
        """
        self._check_going_on()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(agent, action)
            return
        if type(action) is not int or not 0 <= action < self._num_actions:
            action = as_action(action, agent, self._num_actions)
        legal = self._legal[self._turn[0], action]
        if not legal and not self._terminates:
            raise illegal_action(self.game, agent, action, self._legal[self._turn[0]])
        self._cumulative_rewards[agent] = 0.0
        if self._rewarded:
            self._clear_rewards()
            self._rewarded = False
        if not legal:
            self._forfeit(agent)
            return
        self._choices[0, self._turn[0]] = action
        if len(self._turn) > 1:
            self._select(self._turn[1:])
            return
        self.game.step(self._choices)
        self._finish_turn()

    def observe(self, agent: str) -> Any:
        """What `agent` sees: {"observation": [D], "action_mask": int8[A]}, or [D] alone with obs="flat".

        The mask is all zeros for everyone but the agent selected.
        """
        self._check_begun()
        observation = self._seen[self._seats[self._known(agent)]].copy()
        if self._flat:
            return observation
        return {"observation": observation, "action_mask": self._all_infos[agent]["action_mask"].copy()}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last step, termination, truncation and info of the agent selected."""
        self._check_going_on()
        agent = self.agent_selection
        observation = self.observe(agent) if observe else None
        reward = self._cumulative_rewards[agent]
        return observation, reward, self.terminations[agent], self.truncations[agent], self.infos[agent]

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agent selected, until all have left or `max_iter` steps are done."""
        self._check_begun()
        return iter(super().agent_iter(max_iter))

    def _begin_turn(self) -> None:
        """Look at the table as it is now, and let the first seat that must decide choose."""
        self._see()
        self._legal: NDArray[np.int8] = self.game.legal()[0].view(np.int8)
        self._select([seat for seat, moves in enumerate(self.game.to_move[0].tolist()) if moves])

    def _see(self) -> None:
        self._seen: NDArray[Any] = self._encode(self.game.observe()[0])
        if self.render_mode == "human":
            self.render()

    def _select(self, seats: list[int]) -> None:
        """Make the first of `seats`, those still to choose this turn, the agent selected."""
        self._mask_nothing()
        self._turn = seats
        self.agent_selection = self.possible_agents[seats[0]]
        self._all_infos[self.agent_selection]["action_mask"] = self._legal[seats[0]].copy()
        self._selected = self._all_infos[self.agent_selection]

    def _mask_nothing(self) -> None:
        self._selected["action_mask"] = self._nothing_legal.copy()

    def _finish_turn(self) -> None:
        """Pay what is due, and go on or end."""
        over = bool(self.game.done[0])
        if over or self._rewards.every_step:
            self._pay(self._rewards.step(self.game.done)[0].tolist())
        if over:
            self._end()
        else:
            self._begin_turn()

    def _forfeit(self, offender: str) -> None:
        """End the game at once: -1 for the agent that chose an illegal action, 0 for the others."""
        self.game.end(ENDED)
        self._pay([-1.0 if agent == offender else 0.0 for agent in self.possible_agents])
        self._end()

    def _pay(self, rewards: list[float]) -> None:
        self._rewarded = True
        self.rewards.update(zip(self.possible_agents, rewards, strict=True))
        self._accumulate_rewards()

    def _end(self) -> None:
        self._see()
        self._mask_nothing()
        for agent in self.agents:
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]

    def _leave(self, agent: str, action: Any) -> None:
        """The step of an agent whose game is over."""
        if action is not None:
            raise ActionError(f"the game is over for {agent}, whose only action now is None, not {action!r}.")
        self._was_dead_step(action)
