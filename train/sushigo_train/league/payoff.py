"""Who beats whom: the payoff matrix of a league, kept up to date while its players learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.errors import SettingError


class PayoffMatrix:
    """Win shares between named players: live learners and frozen members.

    Entry (i, j) is the win share of one seat of i against all other seats held by j, so a fair share is 1 over
    `num_players`. With two players (j, i) is 1 less (i, j), and one result updates both; with more they are different
    games: one i among j's, one j among i's.

    An entry is a sum of shares and a count of games. `prior` games at the fair share stand beside them, so that an
    untried pair has the fair share, and a few lucky games do not count for much. `fade` makes a learner's results count
    `decay` as much each time it has moved; what has not been tried for long goes back to the fair share, and is
    tried again.

    `SettingError` for fewer than 2 players, a `decay` outside (0, 1] or a `prior` that is not above 0.
    """

    def __init__(self, num_players: int, decay: float = 0.98, prior: float = 4.0) -> None:
        if num_players < 2:
            raise SettingError(f"a payoff matrix needs at least 2 players at a table, not {num_players}.")
        if not 0 < decay <= 1:
            raise SettingError(f"decay must be above 0 and at most 1, not {decay}.")
        if not prior > 0:
            raise SettingError(f"prior must be above 0 games, not {prior}.")
        self.num_players = num_players
        self.decay = decay
        self.prior = prior
        self._names: list[str] = []
        self._sums = np.zeros((2, 0, 0))  # shares and games of (row, column)

    @property
    def names(self) -> tuple[str, ...]:
        """The players, in the order in which they came."""
        return tuple(self._names)

    def add(self, name: str, like: str | None = None) -> None:
        """Let a player in, untried, or with the results of `like`, of which it is a copy.

        A copy inherits row and column; against the one it was taken from it is untried. `SettingError` if the name is
        taken or `like` unknown.
        """
        if name in self._names:
            raise SettingError(f"the league has a player {name!r} already; names must differ.")
        if like is not None:
            self._index(like)
        self._names.append(name)
        self._sums = np.pad(self._sums, ((0, 0), (0, 1), (0, 1)))
        self.reset(name, like)

    def reset(self, name: str, like: str | None = None) -> None:
        """Forget the results of a player that starts again, as a copy of `like` if given; errors as `add`."""
        index = self._index(name)
        parent = index if like is None else self._index(like)
        self._sums[:, index, :] = self._sums[:, :, index] = 0
        self._sums[:, index, :] = self._sums[:, parent, :]
        self._sums[:, :, index] = self._sums[:, :, parent]

    def remove(self, name: str) -> None:
        """Forget a player and all its results; `SettingError` if it is unknown."""
        index = self._index(name)
        del self._names[index]
        self._sums = np.delete(np.delete(self._sums, index, 1), index, 2)

    def update(self, row: str, column: str, shares_sum: float, games: float) -> None:
        """Count `games` in which one seat of `row` sat among seats of `column` and won `shares_sum` in all.

        `SettingError` if a name is unknown, both are one, or the shares are below 0 or more than the games.
        """
        i, j = self._pair(row, column)
        if not 0 <= shares_sum <= games * (1 + 1e-9):
            raise SettingError(f"{games} games of {row!r} give win shares of 0 to {games} in all, not {shares_sum}.")
        self._sums[:, i, j] += shares_sum, games
        if self.num_players == 2:
            self._sums[:, j, i] += games - shares_sum, games

    def fade(self, name: str) -> None:
        """Let the results of a learner that has moved count `decay` as much; `SettingError` if it is unknown."""
        index = self._index(name)
        self._sums[:, index, :] *= self.decay
        self._sums[:, :, index] *= self.decay

    def win_share(self, row: str, column: str) -> float:
        """Win share of one seat of `row` against seats of `column`, the prior's games counted in."""
        i, j = self._pair(row, column)
        return float(self.as_array()[i, j])

    def games(self, row: str, column: str) -> float:
        """Games that the entry rests on, faded, without the prior's."""
        i, j = self._pair(row, column)
        return float(self._sums[1, i, j])

    def row(self, name: str) -> dict[str, float]:
        """Win share of `name` against each other player."""
        shares = self.as_array()[self._index(name)]
        return {other: float(share) for other, share in zip(self._names, shares, strict=True) if other != name}

    def as_array(self) -> NDArray[np.float64]:
        """float64[n, n] in the order of `names`: all win shares, nan on the diagonal."""
        shares, games = self._sums
        table: NDArray[np.float64] = (shares + self.prior / self.num_players) / (games + self.prior)
        np.fill_diagonal(table, np.nan)
        return table

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: what `from_dict` makes the same matrix from."""
        settings = {"num_players": self.num_players, "decay": self.decay, "prior": self.prior}
        return settings | {"names": list(self._names), "sums": self._sums.tolist()}

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> PayoffMatrix:
        """Make the matrix that `to_dict` told of; `SettingError` if sums and names do not fit."""
        matrix = cls(told["num_players"], told["decay"], told["prior"])
        matrix._names = list(told["names"])
        count = len(matrix._names)
        matrix._sums = np.array(told["sums"], np.float64).reshape(2, *([count] * 2 if count else [0, 0]))
        return matrix

    def _index(self, name: str) -> int:
        if name not in self._names:
            raise SettingError(f"the league has no player {name!r}; it has {', '.join(self._names) or 'none'}.")
        return self._names.index(name)

    def _pair(self, row: str, column: str) -> tuple[int, int]:
        if row == column:
            raise SettingError(f"{row!r} against itself has no entry: it always gets the fair share.")
        return self._index(row), self._index(column)
