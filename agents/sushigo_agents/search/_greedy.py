"""Compiled: `greedy`, asked from within a search what it would play for a seat of a position."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sushigo_agents._choice import choose_for_dummy, choose_play
from sushigo_agents._future import weigh_pulls
from sushigo_agents._table import FIELD, new_table, read_row
from sushigo_agents._table import Table as Thoughts
from sushigo_agents.search._choices import MASK_SIZE, write_legal
from sushigo_agents.search.fitted import Table
from sushigo_env._jit import jit
from sushigo_env._memory import pointer
from sushigo_env.sushi_go.encoder import MEMORY, encode
from sushigo_env.sushi_go.observation import layout, offsets
from sushigo_env.sushi_go.plays import WAIT
from sushigo_env.sushi_go.state import CONTROLLER, HALF

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

AT_PENDING = FIELD["pending"]
NO_DENIAL = 0.0


class Mind(NamedTuple):
    """Room for one seat's reasoning."""

    at: NDArray[np.int64]
    """Offsets of the observation's fields."""
    seen: NDArray[np.uint8]
    mask: NDArray[np.uint8]
    thoughts: Thoughts


def new_mind(num_players: int, variant: str, hand_size: int, dummy: int) -> Mind:
    """Room for one thread."""
    at, seen = offsets(num_players, variant), np.zeros(layout(num_players, variant).size, np.uint8)
    return Mind(at, seen, np.zeros(MASK_SIZE, np.uint8), new_table(num_players, num_players + dummy, hand_size))


@jit
def greedy_play(row, seat, table: Table, mind):
    """What `greedy` plays for a seat, from what that seat sees of the position `row`."""
    mask, fields, thoughts = pointer(mind.mask, 0), pointer(mind.at, 0), mind.thoughts
    encode(row, seat, table.players, table.size, table.dummy, MEMORY, fields, pointer(mind.seen, 0))
    write_legal(row, seat, table, mask)
    if mask[WAIT]:
        return np.int64(WAIT)
    read_row(mind.seen, mind.at, thoughts)
    weigh_pulls(thoughts)
    if table.dummy and row[HALF]:
        return np.int64(choose_for_dummy(mind.seen[fields[AT_PENDING] :], mask, thoughts))
    return np.int64(choose_play(mask, thoughts, NO_DENIAL, bool(table.dummy) and np.int64(row[CONTROLLER]) == seat))
