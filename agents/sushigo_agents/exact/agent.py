"""The agent `exact`: plays the equilibrium of a round's rest at tables for two, once little enough of it is left.

exact                            solves the last six turns of a round, and plays as `greedy` before
exact:turns=9,before=rival       solves from the second turn on, and plays as `rival` in the first
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.base import SushiGoAgent
from sushigo_agents.exact.endgame import PUDDING_VALUE, Solution, Solver
from sushigo_agents.registry import load
from sushigo_env.api.contract import Agent
from sushigo_env.errors import AgentError
from sushigo_env.seeding import weighted_choice
from sushigo_env.sushi_go.cards import HAND_SIZE, ROUNDS

TURNS = 6
"""Turns left of a round from which the agent solves it, unless told otherwise: some milliseconds for each decision."""
BUDGET = 200_000
"""Positions that it opens at most for one decision, unless told otherwise."""
DEFAULTS = {"turns": TURNS, "before": "greedy", "budget": BUDGET, "pudding_value": PUDDING_VALUE}


class Exact(SushiGoAgent):
    """Plays the rest of a round without a mistake: nobody can get more from its mixed plays than the position is worth.

    It plays for the margin of the round, its points less the other's, and in the last round for that with the pudding
    points; not for the chance to win the game, so when far behind it takes no risks to catch up. In rounds before the
    last a pudding counts as `pudding_value` points.

    It solves where both hands are known, at most `turns` (1 to 10) turns of the round are left, and no more than
    `budget` positions are opened; elsewhere it plays as the agent `before` (a spec without commas, or an agent), which
    must see `memory` too. Its plays are drawn by their chances with the row's key.

    `AgentError` for other tables than those of two players without the dummy, and for settings that are not as told.
    """

    name = "exact"

    def __init__(
        self,
        game: str,
        num_players: int,
        variant: str,
        turns: int = TURNS,
        before: str | Agent = "greedy",
        budget: int = BUDGET,
        pudding_value: float = PUDDING_VALUE,
    ) -> None:
        given = {"turns": turns, "before": before, "budget": budget, "pudding_value": pudding_value}
        self.name = _spec({key: value for key, value in given.items() if value != DEFAULTS[key]})
        super().__init__(game, num_players, variant)
        if (num_players, variant) != (2, "standard"):
            raise AgentError(
                f"agent {self.name!r} plays at tables for 2 players (standard), not for {num_players} ({variant})."
            )
        most = HAND_SIZE[2]
        if not _is_whole(turns) or not 1 <= turns <= most:
            raise AgentError(f"agent {self.name!r}: turns must be 1 to {most}, not {turns!r}.")
        if not _is_whole(budget) or budget < 1:
            raise AgentError(f"agent {self.name!r}: budget must be a whole number, 1 or more, not {budget!r}.")
        if isinstance(pudding_value, bool | str) or not math.isfinite(pudding_value):
            raise AgentError(f"agent {self.name!r}: pudding_value must be a finite number, not {pudding_value!r}.")
        self.turns, self.budget, self.pudding_value = turns, budget, pudding_value
        self.before = load(before, game, num_players, variant)
        if self.before.observation != self.observation:
            raise AgentError(
                f"agent {self.name!r}: the agent before must see {self.observation!r}, not {self.before.observation!r}."
            )

    @classmethod
    def specs(cls, game: str, num_players: int, variant: str) -> list[str]:
        """None: thinking takes its time, so it plays in a tournament of all only if it is asked to."""
        return []

    def act(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.int32]:
        """int32[N]: for each row a play drawn from the equilibrium, or what the agent before lays."""
        actions = np.zeros(len(keys), np.int32)
        solvable = self._solvable(observation)
        solver = Solver(self.pudding_value, self.budget)  # one a call: calls may come from several threads
        for row in np.flatnonzero(solvable):
            found = self._solve(solver, observation[row : row + 1])
            if found is None:
                solvable[row] = False
            else:
                plays = np.flatnonzero(found.row_strategy)
                actions[row] = plays[weighted_choice(found.row_strategy[plays], keys[row : row + 1])[0]]
        others = ~solvable
        if others.any():
            actions[others] = self.before.act(observation[others], action_mask[others], keys[others])
        return actions

    def probabilities(self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_]) -> NDArray[np.float64]:
        """float64[N, A]: the chance of each play where it solves the rest; NaN where it plays as the agent before."""
        chances = np.full(action_mask.shape, np.nan)
        for row, seen in enumerate(observation):
            found = self.strategy(seen)
            if found is not None:
                chances[row] = found.row_strategy
        return chances

    def strategy(self, observation: NDArray[np.uint8]) -> Solution | None:
        """What it knows of one row (uint8[D]); the viewer is seat 0. None where it plays as the agent before."""
        row = observation[None]
        if not self._solvable(row)[0]:
            return None
        return self._solve(Solver(self.pudding_value, self.budget), row)

    def _solvable(self, observation: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """bool[N]: both hands are known, and few enough turns are left."""
        left = self.layout.read(observation, "hand_sizes")[:, 0]
        known = (self.layout.read(observation, "unknown_cards") == 0).all(axis=1)
        solvable: NDArray[np.bool_] = known & (left > 0) & (left <= self.turns)
        return solvable

    def _solve(self, solver: Solver, row: NDArray[np.uint8]) -> Solution | None:
        """The rest of the round as a row (uint8[1, D]) tells it."""
        seen: dict[str, Any] = {name: self.layout.read(row, name)[0] for name in _NEEDED}
        return solver.solve(
            np.vstack([seen["own_hand"], seen["other_hands"].reshape(1, -1)]),
            seen["tableaus"],
            seen["wasabi"],
            seen["nigiri_points"],
            seen["puddings"],
            final=bool(seen["round"] == ROUNDS - 1),
        )


_NEEDED = ("own_hand", "other_hands", "tableaus", "wasabi", "nigiri_points", "puddings", "round")


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _spec(settings: dict[str, Any]) -> str:
    """The spec of the agent with settings that are not the usual ones."""
    told = ",".join(f"{key}={getattr(value, 'name', value)}" for key, value in settings.items())
    return f"exact:{told}" if told else "exact"
