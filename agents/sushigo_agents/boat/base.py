"""What the agents for Sushi Boat share: the table they are made for, as their kernels take it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.base import TableAgent
from sushigo_agents.boat._possible import REASONS, limits_of
from sushigo_agents.boat.positions import check_table
from sushigo_env.errors import AgentError
from sushigo_env.sushi_boat.cards import DEFAULT, MENU_VARIANT, Config
from sushigo_env.sushi_boat.observation import layout, offsets
from sushigo_env.sushi_boat.plays import NUM_MENU_PLAYS, NUM_PLAYS
from sushigo_env.sushi_boat.rules import rules_of

GAME = "sushi_boat"


class BoatAgent(TableAgent):
    """An agent for a table of Sushi Boat with the values of `config`, the usual ones where none are told.

    Tables with other values refuse it, since it would take their places and points for others. What sets may become
    (`_promise.py`) is always judged by the usual points. `AgentError` for another game, `SettingError` for a table the
    rules do not know.
    """

    games = (GAME,)

    def __init__(self, game: str, num_players: int, variant: str, *, config: Config = DEFAULT) -> None:
        super().__init__(game, num_players, variant)
        check_table(num_players, variant, config)
        self.config = config
        self.num_actions = NUM_MENU_PLAYS if variant == MENU_VARIANT else NUM_PLAYS
        self.layout = layout(num_players, variant)
        self._at, self._rules = offsets(num_players, variant), rules_of(config, num_players, variant)
        self._limits = limits_of(num_players, variant, config)

    @staticmethod
    def _bytes(action_mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """uint8[N, A]: a mask as the kernels take it."""
        return np.ascontiguousarray(action_mask, np.bool_).view(np.uint8)

    def _refuse(self, index: int, wrong: int) -> None:
        """`AgentError` for row `index`, if anything is wrong with it (a place in `REASONS`)."""
        if wrong:
            raise AgentError(f"agent {self.name!r} cannot decide in row {index}: {REASONS[wrong]}.")
