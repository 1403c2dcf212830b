"""`boat_greedy`: a rule of thumb for Sushi Boat, which does what can be expected to add most points.

What a plate adds: `_stack.py`; side dishes: `_dishes.py`; menus: `_menus.py`; places and the staff: `_places.py`; what
all of these may become in later turns: `_promise.py`; which of them is asked when: `_choose.py`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.boat._checked import read_mask, write_asked
from sushigo_agents.boat._choose import choose
from sushigo_agents.boat.base import BoatAgent
from sushigo_env._jit import jit
from sushigo_env._memory import pointer
from sushigo_env.sushi_boat.bits import lowest
from sushigo_env.sushi_boat.state import ROW

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
        """int32[N]: each row's best action; the same row always gets the same one, `keys` are not used.

        0 where a row's mask allows nothing: its seat waits. A mask may leave legal actions out; where it leaves out
        the best, the first that it allows is taken. `AgentError` for rows that no game shows under the setting
        `memory`, and for masks that allow what the rules forbid.
        """
        actions = np.zeros(len(observation), np.int32)
        told = np.ascontiguousarray(observation), self._bytes(action_mask)
        self._refuse(*_choose_all(*told, self._at, self._rules, self._limits, actions))
        return actions


@jit
def choose_allowed(row, rules, low, high):  # type: ignore[no-untyped-def]  # compiled
    """What the rule of thumb does in a game's row, if a mask of two words allows it; else the first that it allows."""
    action = choose(row, rules)
    word = high if action >= 64 else low
    if (word >> np.uint64(action & 63)) & np.uint64(1):
        return action
    return lowest(low) if low else 64 + lowest(high)


@jit
def _choose_all(observation, mask, at, rules, limits, actions):  # type: ignore[no-untyped-def]  # compiled
    """Write each row's action; gives the first row that cannot be and what is wrong with it, or -1 and 0."""
    position, size, count = np.zeros(ROW, np.uint8), observation.shape[1], mask.shape[1]
    row, fields, numbers, most = pointer(position, 0), pointer(at, 0), pointer(rules, 0), pointer(limits, 0)
    for i in range(len(actions)):
        low, high = read_mask(pointer(mask[i], 0), count)
        if low | high:
            wrong = write_asked(pointer(observation[i], 0), low, high, fields, numbers, most, size, _ANY_KEY, row)
            if wrong:
                return i, wrong
            actions[i] = choose_allowed(row, numbers, low, high)
    return -1, 0
