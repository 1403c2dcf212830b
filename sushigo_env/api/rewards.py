"""What a seat is paid: four schemes, each from scores and standings alone.

- `win`: the winners share 1 and the others share -1; 0 each where all have won;
- `rank`: 1 for the first to -1 for the last, evenly spaced; who ties shares the places;
- `score`: points as they are scored, so that the rewards of an episode sum to the total;
- `margin`: own points less the best opponent's.

All but `score` pay once, when a game is over. A game that an illegal action ended pays -1 to each offender and 0 to the
others, whatever the scheme.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_env.api.contract import BatchedGame

SCHEMES = ("win", "rank", "score", "margin")


def win(standings: NDArray[np.int32]) -> NDArray[np.float64]:
    """float64[N, P]: 1 shared by the winners, -1 by the others, from `standings` (int32[N, P])."""
    first = standings == standings.max(axis=1, keepdims=True)
    winners = first.sum(axis=1, keepdims=True)
    losers = standings.shape[1] - winners
    shares: NDArray[np.float64] = np.where(first, 1 / winners, -1 / np.maximum(losers, 1)) * (losers > 0)
    return shares


def rank(standings: NDArray[np.int32]) -> NDArray[np.float64]:
    """float64[N, P]: 1 for the first to -1 for the last, ties at the mean of their places."""
    mine, other = standings[:, :, None], standings[:, None, :]
    place = (other > mine).sum(axis=2) + ((other == mine).sum(axis=2) - 1) / 2
    ranks: NDArray[np.float64] = 1 - 2 * place / (standings.shape[1] - 1)
    return ranks


def margin(scores: NDArray[np.int32]) -> NDArray[np.float64]:
    """float64[N, P]: own score less the best of the others', from `scores` (int32[N, P])."""
    second, first = np.sort(scores, axis=1)[:, -2:].T
    alone_in_front = scores == first[:, None]  # where two are, `second` equals `first`
    margins: NDArray[np.float64] = (scores - np.where(alone_in_front, second[:, None], first[:, None])).astype(float)
    return margins


class Rewards:
    """The rewards of B games, step after step, under one scheme."""

    def __init__(self, scheme: str, game: BatchedGame) -> None:
        self.scheme, self._game = scheme, game
        self.every_step = scheme == "score"
        """False where nothing is paid before the end."""
        self._paid = np.zeros((game.num_games, game.num_players), np.int32)

    def reset(self, games: NDArray[np.bool_] | None = None) -> None:
        """Begin to count anew in `games` (bool[B], default all), from the points that they begin with."""
        begun = slice(None) if games is None else games
        self._paid[begun] = self._game.scores[begun]

    def step(self, finished: NDArray[np.bool_], offenders: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        """float64[B, P]: what is due since the last call.

        `finished` bool[B]: the games that this step brought to their end; `offenders` bool[B, P]: the seats whose
        illegal action ended their game.
        """
        game = self._game
        if self.every_step:
            scores = game.scores
            due = np.subtract(scores, self._paid, dtype=np.float64)
            self._paid[:] = scores
        else:
            due = np.zeros(self._paid.shape)
            if finished.any():
                due[finished] = self._final(game.scores[finished], game.standings[finished])
        if offenders is not None:
            ended = offenders.any(axis=1)
            due[ended] = -1.0 * offenders[ended]
        return due

    def _final(self, scores: NDArray[np.int32], standings: NDArray[np.int32]) -> NDArray[np.float64]:
        if self.scheme == "margin":
            return margin(scores)
        return win(standings) if self.scheme == "win" else rank(standings)
