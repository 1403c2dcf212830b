"""What the games of the box share: B games in rows of bytes, with buffers, seeds, copies and checks of what is given.

The rules are not here: a game's class adds them and keeps the contract of `api.contract.BatchedGame`.
"""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sushigo_env import _threads, checks, seeding
from sushigo_env.errors import OrderError, SettingError
from sushigo_env.layout import Layout
from sushigo_env.rows import Rows


class RowGames:
    """B games at tables of one kind, kept in the rows of `table`; a game's class is a subclass.

    It sets what is declared here, and ends its `__init__` with `_make_buffers`. Names that begin with an underscore
    are for buffers alone: copies and pickles leave them out and make them anew.
    """

    observations: tuple[str, ...]
    """The observation settings, the usual one first."""
    num_actions: int
    layout: Layout
    table: Rows
    """Every field of the state as an array; see the game's `state.py`."""

    def __init__(self, num_games: int, num_players: int, variant: str, observation: str, num_threads: int) -> None:
        """`num_players` and `variant` are for the game to check; `SettingError` for others that are not allowed."""
        self.num_players, self.variant = num_players, variant
        self.observation = checks.one_of("observation", observation, self.observations)
        self.num_games = checks.whole_number("num_games", num_games)
        self.num_threads = checks.whole_number("num_threads", num_threads)

    def _make_buffers(self) -> None:
        games, players = self.num_games, self.num_players
        self._rows = self.table.rows.reshape(-1)
        self._by_seat = (games, players)  # the shape of what has an entry for every seat
        self._actions = np.zeros(games * players, np.int32)
        self._mask = np.zeros((games, players, self.num_actions), np.bool_)
        self._mask_bytes = self._mask.view(np.uint8).reshape(-1)
        self._observations: dict[str, NDArray[np.uint8]] = {}
        self._slices = _threads.share(games, self.num_threads)

    @property
    def done(self) -> NDArray[np.bool_]:
        """bool[B]: the game is over (also before the first reset)."""
        return self.table.done

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """uint64[B]: what agents' keys are made from in each game's present episode; nothing hidden shows in it."""
        return seeding.public_keys(self.table.seed, self.table.episode)

    def _seed(self, chosen: NDArray[np.bool_], seeds: NDArray[np.uint64] | None) -> None:
        """Give the games where `chosen` (bool[B]) their seeds, or their next episode; `SettingError` for a misfit."""
        state = self.table
        if seeds is not None:
            state.seed[chosen] = checks.seeds(seeds, self.num_games)[chosen]
            state.episode[chosen] = 0
            return
        fresh = chosen & ~state.started
        state.episode[chosen & state.started] += 1
        if fresh.any():
            state.seed[fresh] = seeding.game_seeds(None, int(fresh.sum()))

    def observe(self, observation: str | None = None) -> NDArray[np.uint8]:
        """uint8[B, P, D]: what each seat sees under a setting; the buffer is overwritten by the next call."""
        settings = self.observations
        setting = self.observation if observation is None else checks.one_of("observation", observation, settings)
        out = self._observations.get(setting)
        if out is None:
            out = np.zeros((self.num_games, self.num_players, self.layout.size), np.uint8)
            self._observations[setting] = out
        self._encode(settings.index(setting), out.reshape(-1))
        return out

    def _encode(self, setting: int, out: NDArray[np.uint8]) -> None:
        """Write what each seat sees under the setting of that number to `out`, uint8[B * P * D]."""
        raise NotImplementedError

    def _taken(self, actions: NDArray[Any], shape: tuple[int, ...]) -> NDArray[np.int32]:
        """`actions` (int, of that shape) as kernels want them, end to end; `ActionError` for another dtype or shape."""
        if (
            type(actions) is np.ndarray
            and actions.dtype == np.int32
            and actions.shape == shape
            and actions.flags.carray  # contiguous and writeable, as the kernels are compiled for
        ):
            return actions.reshape(-1)
        given = checks.actions(actions, shape)
        kept = self._actions[: given.size]
        kept[:] = np.clip(given.reshape(-1).astype(np.int64), -1, self.num_actions)
        return kept

    def _nothing_to_step(self) -> OrderError:
        """The error of a step in which no game went on."""
        begun = "every game is over" if self.table.started.any() else "no game has begun"
        return OrderError(f"step was called when {begun}; call reset first.")

    def copy(self) -> Self:
        """An independent game in the same state."""
        return copy.deepcopy(self)

    def save(self) -> NDArray[np.uint8]:
        """uint8[B, bytes a game]: a copy of the whole state."""
        return self.table.rows.copy()

    def restore(self, saved: NDArray[np.uint8]) -> None:
        """Go back to what `save` gave at a table of the same kind; `SettingError` for what is not such a state."""
        if not isinstance(saved, np.ndarray) or saved.shape != self.table.rows.shape or saved.dtype != np.uint8:
            raise SettingError(f"a saved state is uint8{list(self.table.rows.shape)}, as save() gives it.")
        self._check_saved(saved)
        self.table.rows[:] = saved

    def _check_saved(self, saved: NDArray[np.uint8]) -> None:
        """`SettingError` unless `saved` (uint8[B, bytes a game]) can be games at this table."""
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self._make_buffers()
