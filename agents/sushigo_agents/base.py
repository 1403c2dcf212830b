"""What the agents of this package share: each plays one game, at one kind of table."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.errors import AgentError
from sushigo_env.layout import Layout
from sushigo_env.sushi_go.cards import DUMMY, hand_size
from sushigo_env.sushi_go.observation import layout
from sushigo_env.sushi_go.plays import NUM_PLAYS

GAME = "sushi_go"


class TableAgent:
    """An agent for a kind of table of one game.

    Whatever a subclass does in `act`, the arrays are held against that table first (`AgentError` if they are of
    another): compiled code would read past their ends. A subclass names its `games`; `AgentError` for another game.
    """

    name: str
    """What matches call it: a spec that makes it."""
    games: tuple[str, ...]
    """What it can be made for."""
    observation = "memory"
    num_actions: int
    layout: Layout

    def __init__(self, game: str, num_players: int, variant: str) -> None:
        if game not in self.games:
            raise AgentError(f"agent {self.name!r} plays {' and '.join(self.games)}, not {game!r}.")
        self.game, self.num_players, self.variant = game, num_players, variant

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "act" in vars(cls):
            setattr(cls, "act", _checking(vars(cls)["act"]))  # noqa: B010  # mypy lets no method be assigned

    def _check(self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]) -> None:
        """`AgentError` unless the arrays are uint8[N, D], [N, A] and [N], with the D and A of this agent's table."""
        for what, array in (("observations", observation), ("masks", action_mask), ("keys", keys)):
            if not isinstance(array, np.ndarray):
                raise AgentError(f"agent {self.name!r} takes {what} as NumPy arrays, not {type(array).__name__}.")
        rows = keys.size
        if keys.dtype != np.uint64:
            raise AgentError(f"agent {self.name!r} takes keys uint64{[*keys.shape]}, not {keys.dtype}.")
        wanted = (rows, self.layout.size), (rows, self.num_actions), (rows,)
        given = observation.shape, action_mask.shape, keys.shape
        if given != wanted or observation.dtype != np.uint8:
            raise AgentError(
                f"agent {self.name!r} was made for {self.num_players} players ({self.variant}): it takes observations "
                f"uint8{[*wanted[0]]}, masks {[*wanted[1]]} and keys {[*wanted[2]]}, not {observation.dtype}"
                f"{[*given[0]]}, {[*given[1]]} and {[*given[2]]}."
            )


class SushiGoAgent(TableAgent):
    """An agent for a table of Sushi Go!: the kind of table it was made for, and where its observations have what.

    `AgentError` for another game, `SettingError` for a table the rules do not know.
    """

    games = (GAME,)

    def __init__(self, game: str, num_players: int, variant: str) -> None:
        super().__init__(game, num_players, variant)
        self.hand_size: int = hand_size(num_players, variant)
        self.has_dummy = variant == DUMMY
        self.num_actions = NUM_PLAYS + self.has_dummy
        self.layout = layout(num_players, variant)


def _truth(mask: NDArray[Any]) -> NDArray[Any]:
    """`mask`, with 0 or 1 in every byte if it is bool: compiled code counts by them, and a view may hold others."""
    if mask.dtype == np.bool_ and mask.size and mask.view(np.uint8).max() > 1:
        return np.not_equal(mask.view(np.uint8), 0)
    return mask


def _checking(act: Callable[..., Any]) -> Callable[..., Any]:
    """`act` with a look at its arguments first."""

    @wraps(act)
    def checked(
        self: TableAgent,
        observation: NDArray[np.uint8],
        action_mask: NDArray[np.bool_],
        keys: NDArray[np.uint64],
    ) -> Any:
        self._check(observation, action_mask, keys)
        return act(self, observation, _truth(action_mask), keys)

    return checked
