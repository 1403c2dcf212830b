"""`boat_greedy`: a rule of thumb for Sushi Boat, which does what can be expected to add most points.

What a plate adds: `_stack.py`; side dishes: `_dishes.py`; menus: `_menus.py`; places and the staff: `_places.py`; what
all of these may become in later turns: `_promise.py`; which of them is asked when: `_choose.py`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.boat._choose import choose
from sushigo_agents.boat.base import BoatAgent
from sushigo_agents.boat.positions import write_position
from sushigo_env._jit import jit
from sushigo_env._memory import pointer
from sushigo_env.sushi_boat.observation import PHASE_SEEN
from sushigo_env.sushi_boat.state import OVER, ROW, TO_ACT

_ANY_KEY = np.uint64(0)
"""What is hidden is dealt by it; no choice depends on that."""


class BoatGreedy(BoatAgent):
    """Does what can be expected to add most to its own points, looking one turn ahead.

    A place is worth the plate to eat there and the best that can be done before; yen are worth the visits that later
    turns can pay with them. The others' stacks and plans are not looked at, but for side dishes eaten and menus.
    """

    name = "boat_greedy"

    def act(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.int32]:
        """int32[N]: each row's best action; the same row always gets the same one, `keys` are not used."""
        actions = np.zeros(len(observation), np.int32)
        _choose_all(np.ascontiguousarray(observation), self._at, self._rules, actions)
        return actions


@jit
def _choose_all(observation, at, rules, actions):  # type: ignore[no-untyped-def]  # compiled
    position, fields, numbers = np.zeros(ROW, np.uint8), pointer(at, 0), pointer(rules, 0)
    row = pointer(position, 0)
    for i in range(len(actions)):
        if not observation[i, at[PHASE_SEEN] + OVER]:
            write_position(pointer(observation[i], 0), fields, numbers, _ANY_KEY, row)
            if row[TO_ACT] == 0:  # else the viewer waits, and has nothing to choose from
                actions[i] = choose(row, numbers)
