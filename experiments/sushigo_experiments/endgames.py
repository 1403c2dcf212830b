"""A measure of play: how much an agent gives away at the ends of rounds, where what is best is known exactly.

`data/endgames.npz` holds positions of two players with both hands known, as states that the engine takes, and for each
the matrix of a zero-sum game: seat 0's margin by both seats' plays, if both play the rest in equilibrium. An agent
chooses for seat 0. Its *regret* is the value of the matrix less the least, over the other's plays, of what the agent's
own play distribution gets: points of margin that an opponent who knew it could take from it. In equilibrium it is 0.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from sushigo_agents.exact.matrix_game import solve_matrix
from sushigo_agents.registry import load

from sushigo_env.api.contract import Agent
from sushigo_env.errors import SettingError
from sushigo_env.seeding import decision_keys, game_seeds
from sushigo_env.sushi_go.game import SushiGo
from sushigo_experiments.statistics import Estimate, check_installed, score_estimate

FILE = Path(__file__).with_name("data") / "endgames.npz"
SAMPLES = 64
"""Draws of a play by which the distribution of an agent that does not tell it is estimated."""
TRIED = 8
"""Draws after which an agent that has always played the same is taken to do so."""
CHUNK = 50
"""Positions asked about at once."""
IN_SUPPORT = 1e-6
"""Points: a play that is worth so little less than the value, against the other's equilibrium, is one of the best."""


@dataclass(frozen=True)
class Endgames:
    """N positions; the plays of both seats in them, and their matrices, end to end."""

    states: NDArray[np.uint8]
    """uint8[N, bytes a game]."""
    shapes: NDArray[np.uint8]
    """uint8[N, 2]: plays of seat 0 and of seat 1."""
    plays: NDArray[np.uint8]
    """Seat 0's actions in each position, ascending, end to end."""
    payoffs: NDArray[np.float32]
    """The matrices, row by row, end to end."""

    def __len__(self) -> int:
        return len(self.states)

    def matrices(self) -> list[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Of each position seat 0's actions int64[M] and the matrix float64[M, N]."""
        rows, cells = np.cumsum(self.shapes[:, 0].astype(np.int64)), np.cumsum(self.shapes.prod(axis=1, dtype=np.int64))
        plays = np.split(self.plays.astype(np.int64), rows[:-1])
        payoffs = np.split(self.payoffs.astype(np.float64), cells[:-1])
        shapes = self.shapes.astype(np.int64)
        return [(own, each.reshape(shape)) for own, each, shape in zip(plays, payoffs, shapes, strict=True)]


@dataclass(frozen=True)
class Measured:
    """What an agent did in the endgames."""

    agent: str
    positions: int
    regret: Estimate
    """Mean, in points of margin, with its 95% interval."""
    spread: float
    """Standard deviation between positions."""
    flawless: float
    """Share of the positions with a regret under a hundredth of a point."""
    in_support: float
    """How often its play is one of an equilibrium's, by its own distribution."""

    def as_json(self) -> dict[str, Any]:
        """As JSON-ready values."""
        told = vars(self) | {"regret": self.regret.mean, "regret_ci": list(self.regret.interval or ())}
        return told


@cache
def read(path: Path = FILE) -> Endgames:
    """The positions in a file; `SettingError` if it is not there or not whole."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            return Endgames(*(file[name] for name in ("states", "shapes", "plays", "payoffs")))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise SettingError(f"the endgames {path} cannot be read: {error}.") from error


def load_all(specs: Sequence[str]) -> None:
    """Errors as `registry.load`, if any of the agents cannot be made for two players."""
    for spec in specs:
        load(spec, "sushi_go", 2)


def measure(
    spec: str,
    *,
    positions: int | None = None,
    seed: int = 0,
    endgames: Endgames | None = None,
    progress: Callable[[int], None] = lambda positions: None,
) -> Measured:
    """Ask the agent about the first `positions` endgames (default: all), and tell its regret.

    An agent's method `probabilities(observation, action_mask) -> float32[N, A]` is believed if it has one and draws by
    it; else its distribution is estimated from what it plays by keys that come from `seed`. Errors as `registry.load`;
    `SettingError` for fewer than one position.
    """
    check_installed()
    given = read() if endgames is None else endgames
    count = len(given) if positions is None else min(positions, len(given))
    if count < 1:
        raise SettingError(f"positions must be 1 or more, not {positions}.")
    agent = load(spec, "sushi_go", 2)
    game = SushiGo(count, 2)
    game.restore(given.states[:count])
    seen = game.observe(agent.observation)[:, 0].copy()
    chances = _distribution(agent, seen, game.legal()[:, 0].copy(), seed, progress)
    regrets, supported = np.zeros(count), np.zeros(count)
    for i, (plays, matrix) in enumerate(given.matrices()[:count]):
        value, _, column = solve_matrix(matrix)
        own = chances[i, plays]
        regrets[i] = max(value - (own @ matrix).min(), 0.0)
        supported[i] = own @ (matrix @ column >= value - IN_SUPPORT)
    flawless = float((regrets < 0.01).mean())
    return Measured(spec, count, score_estimate(regrets), float(regrets.std()), flawless, float(supported.mean()))


def _distribution(
    agent: Agent, seen: NDArray[np.uint8], mask: NDArray[np.bool_], seed: int, progress: Callable[[int], None]
) -> NDArray[np.float64]:
    """float64[N, A]: how often the agent plays what."""
    told = getattr(agent, "probabilities", None)
    if told is not None and getattr(agent, "play", "sample") == "sample":
        chances: NDArray[np.float64] = np.array(told(seen, mask), np.float64)
        if np.isfinite(chances).all():
            progress(len(seen))
            chances /= chances.sum(axis=1, keepdims=True)
            return chances
    parts = []
    for first in range(0, len(seen), CHUNK):
        part = slice(first, first + CHUNK)
        parts.append(_drawn(agent, seen[part], mask[part], game_seeds(seed + first, len(seen[part]))))
        progress(len(seen[part]))
    return np.concatenate(parts)


def _drawn(
    agent: Agent, seen: NDArray[np.uint8], mask: NDArray[np.bool_], seeds: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """float64[N, A]: estimated from draws, fewer where the agent plays the same every time."""
    counts, rows, draws = np.zeros(mask.shape), np.arange(len(seen)), 0
    while draws < SAMPLES and (draws < TRIED or np.count_nonzero(counts) > len(seen)):
        counts[rows, agent.act(seen, mask, decision_keys(seeds, 0, draws))] += 1
        draws += 1
    return counts / draws
