"""Compiled: iterations of a search: deal a position, follow the tree, play on or ask the network, and remember."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.search._choices import MASK_SIZE, write_legal
from sushigo_agents.search._tree import add_edge, add_missing, child, is_full, select, update
from sushigo_agents.search.guide import ask, write_values
from sushigo_agents.search.positions import write_position
from sushigo_agents.search.rollout import choose, play_on, write_margins, write_shares
from sushigo_env._jit import jit
from sushigo_env._memory import pointer
from sushigo_env.seeding import draw
from sushigo_env.sushi_go.kernels import take_turn
from sushigo_env.sushi_go.state import DONE, ROUND, ROW, SEATS

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

MOST_DEPTH = 64
"""Steps of the longest game, and a few more."""
FIRST_COUNTER = np.uint64(2048)
"""Of an iteration's stream: those before it dealt the position."""
ROOT = np.int64(0)


class Room(NamedTuple):
    """What an iteration works in."""

    row: NDArray[np.uint8]
    taken: NDArray[np.int32]
    values: NDArray[np.float64]
    masks: NDArray[np.uint8]
    """uint8[64, 5, 104]: what was legal on the way."""
    nodes: NDArray[np.int64]
    edges: NDArray[np.int64]
    """int64[64, 5]."""
    chances: NDArray[np.float64]


def new_room() -> Room:
    """Room for one thread."""
    path = MOST_DEPTH, SEATS
    masks, edges, chances = np.zeros((*path, MASK_SIZE), np.uint8), np.zeros(path, np.int64), np.zeros(path)
    nodes = np.zeros(MOST_DEPTH, np.int64)
    return Room(np.zeros(ROW, np.uint8), np.zeros(SEATS, np.int32), np.zeros(SEATS), masks, nodes, edges, chances)


class Plan(NamedTuple):
    """How an iteration is done, in numbers."""

    selection: int
    explore: float
    rollout: int
    """Place in `ROLLOUTS`."""
    rollout_priors: bool
    thinkers: int
    """Seats that choose by the tree: all, or the viewer's alone; the others then do as in rollouts."""
    margin: bool
    """Whether it aims for points, not for the victory."""
    rounds: int
    """How many rounds an iteration looks ahead, the present one included."""
    deals: bool
    """The next round is dealt too: it is played, or a network is asked about it."""


@jit
def iterate(seen, at, table, plan, net, mind, key, first, last, tree, room):
    """Iterations `first` to `last` for the decision behind the observation `seen`.

    `net` is a `Net`, or None where nobody guides it; `mind` a `Mind`, or None where rollouts need none.
    """
    row, taken, fields = pointer(room.row, 0), pointer(room.taken, 0), pointer(at, 0)
    for iteration in range(first, last):
        stream, counter = draw(key, np.uint64(iteration)), FIRST_COUNTER
        write_position(pointer(seen, 0), fields, table.players, table.size, table.dummy, stream, plan.deals, row)
        stop = np.int64(row[ROUND]) + plan.rounds
        if net is not None and iteration == 0:
            ask(row, fields, table, net)
            _add_known(tree, ROOT, table, plan, net, row, pointer(room.masks[0, 0], 0))
        node, depth, new = ROOT, 0, False
        while not new and not row[DONE] and row[ROUND] < stop and not (node != ROOT and is_full(tree, table.players)):
            joint = _step_down(tree, node, depth, table, plan, stream, counter, row, taken, mind, room)
            counter += np.uint64(table.players)
            room.nodes[depth] = node
            depth += 1
            take_turn(row, table.players, table.size, table.alternate, table.dummy, taken)
            if is_full(tree, table.players):
                break
            node, new = child(tree, node, joint)
        if net is None or row[DONE]:
            play_on(row, table, plan.rollout, mind, stop, stream, counter, taken)
            if plan.margin:
                write_margins(row, table, room.values)
            else:
                write_shares(row, table, room.values)
        else:
            ask(row, fields, table, net)
            write_values(table, net, room.values)
            if new and row[ROUND] < stop:
                _add_known(tree, node, table, plan, net, row, pointer(room.masks[depth, 0], 0))
        _remember(tree, depth, table, plan, room)


@jit
def _step_down(tree, node, depth, table, plan, stream, counter, row, taken, mind, room):
    """Every seat chooses, those that think an edge at the node; the plays of these in one number."""
    joint = np.uint64(0)
    for seat in range(table.players):
        bits = draw(stream, counter + np.uint64(seat))
        if seat >= plan.thinkers:
            taken[seat] = choose(row, seat, table, plan.rollout, mind, bits)
            continue
        mask = pointer(room.masks[depth, seat], 0)
        write_legal(row, seat, table, mask)
        legal = add_missing(tree, node, seat, mask, row, table, plan.rollout_priors)
        edge, chance = select(tree, node, seat, mask, legal, plan.selection, plan.explore, table.players, bits)
        room.edges[depth, seat], room.chances[depth, seat] = edge, chance
        taken[seat] = tree.action[edge]
        joint = joint * np.uint64(MASK_SIZE) + np.uint64(tree.action[edge])
    return joint


@jit
def _add_known(tree, node, table, plan, net, row, mask):
    """Give a new node its edges, weighed as the network does."""
    for seat in range(plan.thinkers):
        write_legal(row, seat, table, mask)
        high = np.float32(-np.inf)
        for action in range(len(net.logits[seat])):
            if mask[action]:
                high = max(high, net.logits[seat, action])
        for action in range(len(net.logits[seat])):
            if mask[action]:
                add_edge(tree, node, seat, action, math.exp(np.float64(net.logits[seat, action] - high)))


@jit
def _remember(tree, depth, table, plan, room):
    """Tell every edge on the way what came of it."""
    for level in range(depth):
        for seat in range(plan.thinkers):
            edge, chance, mask = room.edges[level, seat], room.chances[level, seat], room.masks[level, seat]
            update(tree, room.nodes[level], seat, mask, edge, chance, room.values[seat], plan.selection)
