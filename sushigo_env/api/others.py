"""The opponents at B tables: who holds which seat, and what they choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from sushigo_env.api.asking import ask, name_of
from sushigo_env.api.contract import Agent, BatchedGame
from sushigo_env.api.opponents import Opponents, check_config, load_agent, load_opponents
from sushigo_env.errors import SettingError
from sushigo_env.seeding import decision_keys, weighted_choice

LEARNER = -1
"""Stands for a learner where agents are numbered from 0."""


class Others:
    """Fixed agents at the P - L seats of each game that L learners leave.

    `opponents` as `load_opponents` takes them, or a mixture `{spec or agent: weight}`, of which one is drawn for all of
    a game's other seats, anew every episode. `AgentError` as for `load_agent` and `check_config`, `SettingError` for
    weights that are not positive.
    """

    def __init__(self, game: BatchedGame, opponents: Opponents, learners: int = 1) -> None:
        games, players = game.num_games, game.num_players
        table = game.name, players, game.variant
        self._game, self._num_others = game, players - learners
        self._weights: NDArray[np.float64] | None = None
        self._agents: list[Agent] = []
        if isinstance(opponents, Mapping):
            self._weights = _checked_weights(opponents)
            self._agents = [load_agent(spec, *table, game.observations) for spec in opponents]
            by_place = [0] * self._num_others
        else:
            in_order = load_opponents(opponents, *table, learners, game.observations)
            self._agents = list({id(agent): agent for agent in in_order}.values())
            by_place = [next(i for i, one in enumerate(self._agents) if one is agent) for agent in in_order]
        for agent in self._agents:
            check_config(agent, game)
        self._by_place = np.array([*by_place, *[LEARNER] * learners])
        self._sitting = np.full((games, players), LEARNER)
        self._decisions = np.zeros((games, players), np.int64)

    def sit(self, games: NDArray[np.bool_], first: NDArray[np.int64]) -> None:
        """Take seats in the `games` (bool[B]) just begun, from the left of the learners, who sit from `first` on."""
        players = self._game.num_players
        left_of_learners = first[games, None] + players - self._num_others
        sitting = self._by_place[(np.arange(players) - left_of_learners) % players]
        if self._weights is not None:
            keys = decision_keys(self._game.seeds[games], players, 0)  # as of one seat more than there are
            drawn = weighted_choice(self._weights, keys)
            sitting = np.where(sitting == LEARNER, LEARNER, drawn[:, None])
        self._sitting[games] = sitting
        self._decisions[games] = 0

    def choose(
        self,
        moving: NDArray[np.bool_],
        legal: NDArray[np.bool_],
        choices: NDArray[np.int32],
        deal: Callable[[int], str],
    ) -> None:
        """Write into `choices` (int32[B, P]) what the opponents among the seats `moving` (bool[B, P]) choose.

        Each is asked once, for all its seats. `legal` bool[B, P, A]; `deal(game)` names a game's deal in the
        `AgentError` of an opponent that breaks its contract.
        """
        game = self._game
        seen: dict[str, NDArray[np.uint8]] = {}  # by setting: agents of one setting share what the engine has made
        for index, agent in enumerate(self._agents):
            games, seats = np.nonzero(moving & (self._sitting == index))
            if games.size == 0:
                continue
            if agent.observation not in seen:
                seen[agent.observation] = game.observe(agent.observation)
            keys = decision_keys(game.seeds[games], seats, self._decisions[games, seats])
            who = partial(_who, agent, games, seats, deal)
            choices[games, seats] = ask(
                agent, game, seen[agent.observation][games, seats], legal[games, seats], keys, who
            )
        self._decisions += moving


def _who(agent: Agent, games: NDArray[np.int64], seats: NDArray[np.int64], deal: Callable[[int], str], row: int) -> str:
    """Name the opponent that is asked at seat `seats[row]` of game `games[row]`."""
    return f"agent {name_of(agent)} in seat {seats[row]} of {deal(int(games[row]))}"


def _checked_weights(mixture: Mapping[str | Agent, float]) -> NDArray[np.float64]:
    """float64[M]: the weights of a mixture."""
    for spec, weight in mixture.items():
        if isinstance(weight, bool) or not isinstance(weight, Real) or not 0 < weight < float("inf"):
            name = spec if isinstance(spec, str) else name_of(spec)
            raise SettingError(f"the weight of opponent {name!r} must be a number above 0, not {weight!r}.")
    if not mixture:
        raise SettingError("a mixture of opponents must name at least one agent and its weight.")
    weights = np.array(list(mixture.values()), np.float64)
    scaled: NDArray[np.float64] = weights / weights.max()  # so that no sum of them is too large
    return scaled
