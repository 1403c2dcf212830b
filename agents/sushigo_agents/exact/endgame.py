"""The rest of a round for two players, solved: what it is worth, and what both should lay.

Once both hands are known, and from the second turn on they are, the rest of a round hides nothing but the choices of
the same turn. So it is a zero-sum game of simultaneous moves, solved backwards: each position is a matrix game over
both seats' plays, whose payoffs are the values of the positions after them, and whose equilibrium (von Neumann 1928)
gives its value. Positions that are the same in all that still matters are solved once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sushigo_agents.exact._frames import new_frames
from sushigo_agents.exact._kept import LAST_GENERATION, WIDE
from sushigo_agents.exact._rest import effects
from sushigo_agents.exact._root import solve_rest
from sushigo_env import checks
from sushigo_env.errors import SettingError
from sushigo_env.sushi_go.cards import ROUNDS, K
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.plays import NUM_PLAYS
from sushigo_env.sushi_go.position import Position

__all__ = ["BUDGET", "PUDDING_VALUE", "Solution", "Solver", "solve"]

PUDDING_VALUE = 2.5
"""Points that a pudding more than the other's is worth before the last round, unless told otherwise.

The most puddings bring 6 points at the game's end. After the first round 40 cards are still dealt, with 3.7 puddings
on average; if each goes to either seat by the toss of a coin, one more now turns the end by 2.4 points on average."""
BUDGET = 1_000_000
"""Positions that are opened at most, unless told otherwise: about two seconds, and up to 64 MB."""
_FIRST_PLACES = 1 << 12


@dataclass(frozen=True)
class Solution:
    """An equilibrium of the rest of a round: neither seat can do better while the other keeps to it."""

    value: float
    """Seat 0's margin of the whole round, what lies on the tables already included; see `solve`."""
    row_strategy: NDArray[np.float64]
    """float64[96]: the chance of each of seat 0's plays; 0 for those that are not legal."""
    column_strategy: NDArray[np.float64]
    """float64[96]: the chance of each of seat 1's plays."""
    positions: int
    """How many different positions were opened."""


def solve(position: Position, *, pudding_value: float = PUDDING_VALUE, budget: int = BUDGET) -> Solution:
    """Solve the rest of the round from `position`, of two players without the dummy; every card counts as known.

    The payoff is seat 0's points of this round less seat 1's, and `pudding_value` for each pudding that seat 0 lays in
    this round more than seat 1; in the third round it is the pudding points of the game's end instead. Where a position
    has several equilibria it is one of them, always the same.

    `SettingError` for another table or an impossible position, for a `pudding_value` that is no finite number, and if
    more than `budget` positions were to be opened.
    """
    if np.shape(position.hands) != (2, K) or np.shape(position.tableaus) != (2, K):
        raise SettingError(
            "solve takes positions of two players without the dummy, not of "
            f"{len(position.hands)} hands and {len(position.tableaus)} tableaus."
        )
    position.check(_table_for_two())
    found = Solver(pudding_value, budget).solve(
        position.hands,
        position.tableaus,
        position.wasabi,
        position.nigiri_points,
        position.puddings,
        final=bool(position.round == ROUNDS - 1),
    )
    if found is None:
        cards = int(position.hands[0].sum())
        raise SettingError(f"solving this position ({cards} cards in each hand) takes more than {budget} positions.")
    return found


class Solver:
    """Solves one position after another in the same memory; for one thread at a time.

    What it says of a position depends on nothing that was solved before.
    """

    def __init__(self, pudding_value: float = PUDDING_VALUE, budget: int = BUDGET) -> None:
        if isinstance(pudding_value, bool) or not isinstance(pudding_value, int | float | np.number):
            raise SettingError(f"pudding_value must be a number, not {pudding_value!r}.")
        if not math.isfinite(pudding_value):
            raise SettingError(f"pudding_value must be a finite number, not {pudding_value!r}.")
        self.pudding_value = float(pudding_value)
        self.budget: int = checks.whole_number("budget", budget)
        self._frames, self._kept, self._generation = new_frames(), np.zeros(WIDE * _FIRST_PLACES, np.uint64), 0

    def solve(
        self,
        hands: ArrayLike,
        tableaus: ArrayLike,
        wasabi: ArrayLike,
        nigiri_points: ArrayLike,
        puddings: ArrayLike,
        *,
        final: bool,
    ) -> Solution | None:
        """The rest of a round from cards by type (int[2, 12]) and the seats' numbers (int[2]); `final`: the last round.

        Nothing is checked: the cards must be of a possible position. None if it takes more than the budget.
        """
        if self._generation == LAST_GENERATION:
            self._kept, self._generation = np.zeros(WIDE * _FIRST_PLACES, np.uint64), 0
        self._generation += 1
        given = (hands, tableaus, wasabi, nigiri_points, puddings)
        cards = tuple(np.ascontiguousarray(each, np.int64) for each in given)
        strategies = np.zeros((2, NUM_PLAYS))
        work = self._frames, effects(), self._kept, np.uint64(self._generation), self.budget
        value, opened, self._kept = solve_rest(*work, cards, final, self.pudding_value, strategies)
        if opened > self.budget:
            return None
        return Solution(float(value), strategies[0], strategies[1], int(opened))


@cache
def _table_for_two() -> SushiGo:
    """A table that positions are checked against; it never has a game."""
    return SushiGo(1, 2)
