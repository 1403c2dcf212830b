"""A fixed order of preference: the same card before any other, always. A player to learn from, and to beat."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.base import SushiGoAgent
from sushigo_env.errors import AgentError
from sushigo_env.sushi_go.cards import CARDS, INDEX
from sushigo_env.sushi_go.plays import WAIT

ORDER: tuple[str, ...] = (
    "squid_nigiri",
    "sashimi",
    "tempura",
    "wasabi",
    "maki_3",
    "salmon_nigiri",
    "dumpling",
    "pudding",
    "maki_2",
    "egg_nigiri",
    "maki_1",
    "chopsticks",
)
"""The order that a preferred card is put in front of."""


class Prefer(SushiGoAgent):
    """Lays the first card of its order that it holds, one card a turn: chopsticks stay where they lie.

    `prefer:CARD` puts `CARD` (the setting `value`) before `ORDER`; `prefer` alone keeps to `ORDER`. The dummy of the
    two-player variant gets the card that comes last. `AgentError` for a card there is not.
    """

    def __init__(self, game: str, num_players: int, variant: str, value: str | None = None) -> None:
        if value is not None and value not in INDEX:
            raise AgentError(f"prefer: unknown card {value!r}; the cards are {', '.join(CARDS)}.")
        self.name = "prefer" if value is None else f"prefer:{value}"
        super().__init__(game, num_players, variant)
        first = [] if value is None else [value]
        self._order = np.array([INDEX[card] for card in (*first, *ORDER)], np.int32)

    def act(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.int32]:
        """int32[N]: each row's first card by the order of preference, or the last one for the dummy."""
        actions = self._first_held(action_mask, self._order)
        if self.has_dummy:
            for_dummy = self.layout.read(observation, "half") == 1
            actions[for_dummy] = self._first_held(action_mask[for_dummy], self._order[::-1])
            actions[action_mask[:, WAIT]] = WAIT
        return actions

    @staticmethod
    def _first_held(action_mask: NDArray[np.bool_], order: NDArray[np.int32]) -> NDArray[np.int32]:
        first: NDArray[np.int32] = order[action_mask[:, order].argmax(axis=1)]
        return first
