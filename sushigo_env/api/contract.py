"""What the adapters ask of a game, and all that they know of it.

The games of the box, and the toy games of the tests, are batches of B games of P seats with A actions and
observations of D bytes. A single game is a batch of one. Arrays that a game hands out are its own buffers: they are
overwritten by the next call of the same method, and nobody else may write to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from sushigo_env.layout import Layout


class BatchedGame(Protocol):
    """B games, stepped together; any of them may be reset on its own."""

    name: str
    """The game's name in records and specs, such as `sushi_go`."""
    variant: str
    num_games: int
    num_players: int
    num_actions: int
    simultaneous: bool
    """True where all seats to move choose at once and learn of the others' choices only when all have chosen."""
    observations: tuple[str, ...]
    """The observation settings of this game, which agents may declare; it need not tell them apart."""
    observation: str
    """The observation setting that `observe()` uses when none is named."""
    layout: Layout
    """Layout of the observations; the same for every observation setting."""
    state_layout: Layout
    """Layout of `state()`."""
    max_score: int
    """No |score|, and so no margin's half, is larger."""

    @property
    def to_move(self) -> NDArray[np.bool_]:
        """bool[B, P]: the seats that must decide now; none in a game that is over or was never reset."""

    @property
    def done(self) -> NDArray[np.bool_]:
        """bool[B]: the game is over (also before the first reset)."""

    @property
    def lockstep(self) -> bool:
        """The same seats are to move in every game that goes on, now and after every later step."""

    @property
    def scores(self) -> NDArray[np.int32]:
        """int32[B, P]: points so far; totals once done."""

    @property
    def standings(self) -> NDArray[np.int32]:
        """int32[B, P]: who is ahead of whom, tie-breaks included: higher is better, equal is a tie."""

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """uint64[B]: key of each game's present episode; from it `seeding.decision_keys` makes the agents' keys."""

    def reset(
        self,
        mask: NDArray[np.bool_] | None = None,
        seeds: NDArray[np.uint64] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Start new games where `mask` (bool[B], default all); `seeds` uint64[B], default each game's next episode.

        A game never seeded takes a seed from the operating system. Options the game does not know are ignored.
        """

    def observe(self, observation: str | None = None) -> NDArray[np.uint8]:
        """uint8[B, P, D]: what each seat sees, under a setting (default: the game's own). Each setting has a buffer."""

    def legal(self) -> NDArray[np.bool_]:
        """bool[B, P, A]: the actions each seat may take now.

        All False for a seat with nothing to do. A seat that is not to move but whom an API that asks everyone must
        ask has its one idle action here (`wait`).
        """

    def state(self) -> NDArray[np.uint8]:
        """uint8[B, S]: the whole table, hidden cards included, choices not yet revealed excluded."""

    def illegal(self, actions: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        """bool[B, P]: in range, but masked; False for a seat whose mask is empty.

        Raises `ActionError` for wrong dtype, shape, or an action out of range of a seat whose mask is not empty.
        """

    def step(self, actions: NDArray[np.integer[Any]]) -> None:
        """Take `actions` (int[B, P]); entries of seats not to move are ignored, games that are over stay as they are.

        Raises `ActionError` as `illegal` does, and `IllegalAction` (seat, the action in words, what was legal) for a
        masked one; then no game has changed.
        """

    def end(self, games: NDArray[np.bool_]) -> None:
        """Stop the games where `games` (bool[B]) at once: done, whatever the scores."""

    def describe_action(self, action: int) -> str:
        """An action in words."""

    def record(self, index: int = 0) -> dict[str, Any]:
        """The finished game `index` as a JSON-ready dict; `OrderError` if it is not finished."""

    def render(self, index: int = 0) -> str:
        """The table of game `index` as text; shows nothing that was chosen but not yet revealed."""

    def copy(self) -> Self:
        """An independent game in the same state (deepcopy and pickle do the same)."""

    def save(self) -> NDArray[np.uint8]:
        """uint8[B, bytes a game]: the whole state, to `restore` later or to write to a file."""

    def restore(self, saved: NDArray[np.uint8]) -> None:
        """Go back to a state that `save` gave; `SettingError` if it does not fit."""


class StepsSome(Protocol):
    """What a game may have besides, and one in which seats take turns should: there some games often wait for others.

    Without it the adapters step all games, and put those that wait back where they were by `save` and `restore`.
    """

    def step_some(self, actions: NDArray[np.integer[Any]], games: NDArray[np.bool_]) -> None:
        """As `step`, but only where `games` (bool[B]); the others stay as they are, whatever their actions say."""


class Agent(Protocol):
    """A batched player. An agent sees what a seat sees under the setting it declares, and nothing else."""

    observation: str
    """The observation setting it wants, one of its game's `observations`: `memory` and `full` are every game's."""

    def act(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.integer[Any]]:
        """int[N]: one legal action for each of N seats at N tables; anything that `np.asarray` makes int[N] will do.

        `observation` uint8[N, D], `action_mask` bool[N, A]; `keys` uint64[N], one a row, are the only randomness.
        """
