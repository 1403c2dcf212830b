"""What both kinds of `vector_env` have in common: B games of P agents that begin and end together."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sushigo_env.api.actions import as_actions, illegal_action
from sushigo_env.api.contract import BatchedGame
from sushigo_env.api.rewards import Rewards
from sushigo_env.api.settings import Settings, check, checked_options
from sushigo_env.api.spaces import box, encoder, observation_space
from sushigo_env.errors import OrderError, SettingError
from sushigo_env.layout import Layout
from sushigo_env.seeding import game_seeds

TENSORS = ("numpy", "torch")
"""What is handed out: NumPy arrays, or PyTorch tensors that share their memory."""


class Batch:
    """B games and their agents `player_0`, `player_1`, ...; subclasses tell whose turn it is.

    Rewards are in `rewards`, new after every step. There are no dead steps: when the games are over `agents` is empty,
    and what the last step paid stays in `rewards` until `reset()`. Read them there, after the last step too.

    Arrays handed out are buffers, valid until the next step or reset; copy what you keep.
    """

    def __init__(self, game: BatchedGame, settings: Settings, name: str, tensors: str = "numpy") -> None:
        check("tensors", tensors, TENSORS)
        self.game, self.settings = game, settings
        self.num_envs = game.num_games
        self.metadata: dict[str, Any] = {"name": name, "render_modes": []}
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space(game, settings) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        self.state_space = box(game.state_layout, settings.dtype)
        self._begun = False
        self._terminates = settings.illegal == "terminate"
        self._encode = encoder(game.layout, settings.dtype)
        self._encode_state = encoder(game.state_layout, settings.dtype)
        self._out = _handing_out(tensors)
        self._scheme = Rewards(settings.reward, game)
        self._due = np.zeros((game.num_players, self.num_envs), np.float32)
        self._over = np.zeros(self.num_envs, np.bool_)
        self._never = np.zeros(self.num_envs, np.bool_)
        self._infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.possible_agents}
        self._forget()

    @property
    def layout(self) -> Layout:
        """Where each field lies in an observation, such as `layout.slices["own_hand"]`."""
        return self.game.layout

    @property
    def num_agents(self) -> int:
        """How many agents are at the tables now: all, or none once every game is over."""
        return len(self.agents)

    @property
    def rewards(self) -> dict[str, Any]:
        """Agent -> float32[B]: what the last step paid it in each game; readable until the next step or reset."""
        return {agent: self._out(self._due[seat]) for seat, agent in enumerate(self.possible_agents)}

    @property
    def terminations(self) -> dict[str, Any]:
        """Agent -> bool[B]: the games that are over for it."""
        return dict.fromkeys(self.possible_agents, self._out(self._over))

    @property
    def truncations(self) -> dict[str, Any]:
        """Agent -> bool[B]: always False; no game is cut short."""
        return dict.fromkeys(self.possible_agents, self._out(self._never))

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """Agent -> {"action_mask": int8[B, A]}, as in its observation."""
        self._check_begun()
        for seat, agent in enumerate(self.possible_agents):
            self._infos[agent]["action_mask"] = self._out(self._mask(seat))
        return self._infos

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """One game's observation space of `agent`, the same object at every call."""
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        """One game's action space of `agent`, the same object at every call."""
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin B games, game i of seed `seed` + i, or each the next one of its seed; see the game's `options`.

        `SettingError` for a "reset_mask" among the options, since games that begin apart do not end together, and for
        options that break a lockstep: that let different seats move in different games. Nothing has changed then.
        """
        options = checked_options(options)
        if "reset_mask" in options:
            raise SettingError("vector_env resets all its games together and so takes no option 'reset_mask'.")
        self._reset_games(None if seed is None else game_seeds(seed, self.num_envs), options)
        self.agents = self.possible_agents[:]
        self._begun = True
        self._scheme.reset()
        for buffer in (self._due, self._over):
            buffer[:] = 0
        self._forget()
        self._begin_turn()

    def observe(self, agent: str) -> Any:
        """What `agent` sees in each game: {"observation": [B, D], "action_mask": int8[B, A]}, or [B, D] if "flat".

        The mask is all zeros where it is not the agent's turn.
        """
        self._check_begun()
        seat = self._seat(agent)
        return self._observation(self._seen()[:, seat], self._mask(seat))

    def observe_all(self) -> Any:
        """What every seat sees: {"observation": [B, P, D], "action_mask": int8[B, P, A]}, or [B, P, D] if "flat".

        The masks are those for `step_all`: of all seats that move this turn, all zeros for the others.
        """
        self._check_begun()
        masks = self._legal() & self.game.to_move[:, :, None]
        return self._observation(self._seen(), masks.view(np.int8))

    def state(self) -> Any:
        """[B, S]: each whole table, hidden cards included; choices not yet revealed are not."""
        self._check_begun()
        return self._out(self._encode_state(self.game.state()))

    def step_all(self, actions: Any) -> None:
        """Move everyone in one call: `actions` int[B, P], of which those of seats not to move are ignored.

        `observe_all()` has the masks; what the step paid is in `rewards`.

        Raises `ActionError` for the wrong type, shape or range, `IllegalAction` for a masked action with
        illegal="raise" (nothing has changed then), `OrderError` before `reset()`, after the end and while some
        agents have chosen this turn and others have not.
        """
        self._check_going_on()
        self._check_turn_begins()
        moving = self.game.to_move
        choices = as_actions(actions, moving.shape, self.game.num_actions, moving)
        offenders = self.game.illegal(choices) & moving
        self._judge(offenders, choices)
        self._due[:] = 0
        self._move(choices, offenders)

    def close(self) -> None:
        """Nothing is held open; here because the API has it."""

    def _reset_games(self, seeds: NDArray[np.uint64] | None, options: Mapping[str, Any]) -> None:
        self.game.reset(seeds=seeds, options=options)

    def _begin_turn(self) -> None:
        """Find out who is to move."""
        raise NotImplementedError

    def _check_turn_begins(self) -> None:
        """`OrderError` in the middle of a turn."""

    def _mask(self, seat: int) -> NDArray[np.int8]:
        """int8[B, A]: what is legal for `seat` now, zeros where it is not its turn."""
        raise NotImplementedError

    def _judge(self, offenders: NDArray[np.bool_], choices: NDArray[np.int32]) -> None:
        """Where a seat is an offender (bool[B, P]): raise `IllegalAction`, or end that game."""
        ending = np.logical_or.reduce(offenders, axis=1)
        if not ending.any():
            return
        if not self._terminates:
            index, seat = np.argwhere(offenders)[0].tolist()
            who = f"{self.possible_agents[seat]} in game {index}"
            raise illegal_action(self.game, who, int(choices[index, seat]), self._legal()[index, seat])
        self.game.end(ending)
        self._forget()

    def _move(self, choices: NDArray[np.int32], offenders: NDArray[np.bool_]) -> None:
        """Let the games move on, pay, and go on or end."""
        if not self.game.done.all():
            self.game.step(choices)
            self._forget()
        self._pay(offenders)
        if self.agents:
            self._begin_turn()

    def _pay(self, offenders: NDArray[np.bool_]) -> None:
        done = self.game.done
        finished = done & ~self._over & ~offenders.any(axis=1)
        self._due[:] = self._scheme.step(finished, offenders).T
        self._over[:] = done
        if self._over.all():
            self.agents = []

    def _forget(self) -> None:
        """The games have changed: what was seen of them no longer holds."""
        self._seen_now: NDArray[Any] | None = None
        self._legal_now: NDArray[np.bool_] | None = None

    def _seen(self) -> NDArray[Any]:
        if self._seen_now is None:
            self._seen_now = self._encode(self.game.observe())
        return self._seen_now

    def _legal(self) -> NDArray[np.bool_]:
        if self._legal_now is None:
            self._legal_now = self.game.legal()
        return self._legal_now

    def _observation(self, observation: NDArray[Any], mask: NDArray[np.int8]) -> Any:
        if self.settings.obs == "flat":
            return self._out(observation)
        return {"observation": self._out(observation), "action_mask": self._out(mask)}

    def _seat(self, agent: str) -> int:
        if not isinstance(agent, str) or agent not in self.possible_agents:
            raise SettingError(f"there is no agent {agent!r}; the agents are {', '.join(self.possible_agents)}.")
        return self.possible_agents.index(agent)

    def _check_begun(self) -> None:
        if not self._begun:
            raise OrderError("the games have not begun; call reset() first.")

    def _check_going_on(self) -> None:
        self._check_begun()
        if not self.agents:
            raise OrderError("the games are over; call reset() to begin the next.")


def _handing_out(tensors: str) -> Callable[[NDArray[Any]], Any]:
    """What turns an array into what is handed out, without a copy."""
    if tensors == "numpy":
        return _as_it_is
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        raise SettingError(
            "tensors='torch' needs PyTorch: pip install 'sushigo-env[train]', or '.[train]' in a checkout."
        ) from None
    from_numpy: Callable[[NDArray[Any]], Any] = torch.from_numpy
    return from_numpy


def _as_it_is(array: NDArray[Any]) -> NDArray[Any]:
    return array
