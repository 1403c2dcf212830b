"""The AEC cycle over B games at once, with a batch axis: fast enough to train on.

Games where all choose at once go in lockstep: the agent selected is the same in every game, and nobody peeks. Games
where seats take turns have no lockstep; there `to_move[B]` tells whose turn it is in each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.api.actions import as_actions
from sushigo_env.api.batch import Batch
from sushigo_env.api.contract import BatchedGame
from sushigo_env.api.settings import Settings
from sushigo_env.errors import OrderError, SettingError


def vector_env(
    game: BatchedGame, settings: Settings, name: str, tensors: str = "numpy"
) -> LockstepVectorEnv | SequentialVectorEnv:
    """The vectorised AEC environment that fits `game`."""
    kind = LockstepVectorEnv if game.simultaneous else SequentialVectorEnv
    return kind(game, settings, name, tensors)


class LockstepVectorEnv(Batch):
    """Of a game where all choose at once: in every game the same agent is selected, until `agents` is empty."""

    agent_selection: str

    def __init__(self, game: BatchedGame, settings: Settings, name: str, tensors: str = "numpy") -> None:
        super().__init__(game, settings, name, tensors)
        self._choices = np.zeros((game.num_games, game.num_players), np.int32)
        self._games = np.arange(game.num_games)
        self._nothing_legal = np.zeros((game.num_games, game.num_actions), np.int8)
        self._movers: list[int] = []
        self._chosen = 0

    def step(self, actions: Any) -> None:
        """The agent selected plays `actions` (int[B]), one a game; those of games that are over are ignored.

        Raises `ActionError` for the wrong type, shape or range, `IllegalAction` for a masked action with
        illegal="raise" (nothing has changed then), `OrderError` before `reset()` and after the end.
        """
        self._check_going_on()
        seat, live = self._movers[self._chosen], ~self.game.done
        chosen = as_actions(actions, live.shape, self.game.num_actions, live)
        offenders = np.zeros(self._choices.shape, np.bool_)
        offenders[:, seat] = live & ~self._legal()[self._games, seat, chosen]
        choices = self._choices.copy()
        choices[:, seat] = chosen
        self._judge(offenders, choices)
        self._choices = choices
        self._due[:] = 0
        self._chosen += 1
        if self._chosen == len(self._movers) or self.game.done.all():
            self._move(choices, offenders)
            return
        if offenders.any():
            self._pay(offenders)
        self.agent_selection = self.possible_agents[self._movers[self._chosen]]

    def _reset_games(self, seeds: NDArray[np.uint64] | None, options: Mapping[str, Any]) -> None:
        before = self.game.save() if options else None
        super()._reset_games(seeds, options)
        if before is not None and not self.game.lockstep:
            self.game.restore(before)
            raise SettingError(
                "vector_env moves its games in lockstep, but these options let different seats move in different "
                "games; give every game the same first seat."
            )

    def _begin_turn(self) -> None:
        game = self.game
        self._movers, self._chosen = np.flatnonzero(game.to_move[game.done.argmin()]).tolist(), 0
        self.agent_selection = self.possible_agents[self._movers[0]]

    def _check_turn_begins(self) -> None:
        if self._chosen:
            raise OrderError(
                f"step_all() moves everyone at once, but {self._chosen} of {len(self._movers)} agents have chosen "
                "this turn already; finish it with step()."
            )

    def _mask(self, seat: int) -> NDArray[np.int8]:
        if not self.agents or seat != self._movers[self._chosen]:
            return self._nothing_legal
        return self._legal()[:, seat].view(np.int8)


class SequentialVectorEnv(Batch):
    """Of a game where seats take turns: `to_move[B]` tells whose turn it is in each game."""

    to_move: Any
    """int64[B]: the seat to move in each game, -1 where the game is over."""

    def step(self, actions: Any) -> None:
        """In each game the seat to move plays `actions` (int[B]); those of games that are over are ignored.

        Raises as `step_all` does.
        """
        self._check_going_on()
        live = ~self.game.done
        chosen = as_actions(actions, live.shape, self.game.num_actions, live)
        self.step_all(np.where(self.game.to_move, chosen[:, None], 0))

    def observe(self, agent: str | None = None) -> Any:
        """What `agent` sees in each game or, without one, what the seat to move in each sees (seat 0 at the end)."""
        if agent is not None:
            return super().observe(agent)
        self._check_begun()
        games, seats = np.arange(self.num_envs), self.game.to_move.argmax(axis=1)
        return self._observation(self._seen()[games, seats], self._legal()[games, seats].view(np.int8))

    def _begin_turn(self) -> None:
        self._tell_turns()

    def _move(self, choices: NDArray[np.int32], offenders: NDArray[np.bool_]) -> None:
        super()._move(choices, offenders)
        self._tell_turns()

    def _tell_turns(self) -> None:
        moving = self.game.to_move
        self.to_move = self._out(np.where(moving.any(axis=1), moving.argmax(axis=1), -1))

    def _mask(self, seat: int) -> NDArray[np.int8]:
        return self._legal()[:, seat].view(np.int8) & self.game.to_move[:, seat, None]
