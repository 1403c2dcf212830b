"""Players of rules of thumb: `greedy` counts the points a play can be expected to add, `rival` also denies.

How a play is valued: `_choice.py`; what later turns may bring: `_future.py`; maki and puddings: `_majorities.py`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_agents._choice import choose_plays
from sushigo_agents.base import SushiGoAgent
from sushigo_env.sushi_go.observation import offsets

DENIAL = {2: 0.7, 3: 0.5, 4: 0.3, 5: 0.15}
"""Players -> how much of what a play leaves to the next seat `rival` sets against it: the more seats there are to
beat, the less it helps to hold one of them back."""


class Greedy(SushiGoAgent):
    """Lays what can be expected to add most points to its own total.

    It counts what lies on the table, the turns left, what the hands it has seen can still hold when they come, and
    how maki and puddings stand; it plans wasabi and chopsticks. The dummy gets what leaves the opponent least.
    """

    name = "greedy"
    denial = 0.0

    def __init__(self, game: str, num_players: int, variant: str) -> None:
        super().__init__(game, num_players, variant)
        self._at = offsets(num_players, variant)

    def act(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.int32]:
        """int32[N]: each row's best play; the same row always gets the same one, `keys` are not used."""
        actions = np.zeros(len(observation), np.int32)
        table = (self.num_players, self.num_players + self.has_dummy, self.hand_size)
        rows = np.ascontiguousarray(observation), np.ascontiguousarray(action_mask)  # one layout, compiled once
        choose_plays(*rows, self._at, *table, self.denial, actions)
        return actions


class Rival(Greedy):
    """As `greedy`, but sets against each play what it leaves to the next seat.

    That is what the next seat's table would be worth with the best card of the hand that it would get: so a card it
    needs is taken away from it, and so is its place in a majority.
    """

    name = "rival"

    def __init__(self, game: str, num_players: int, variant: str) -> None:
        super().__init__(game, num_players, variant)
        self.denial = DENIAL[num_players]
