"""Compiled: a search tree of simultaneous moves over positions dealt anew in each iteration.

A node is a history of joint plays since the decision, all of them public, whatever hidden cards a position was dealt.
At a node every seat keeps statistics of its own plays alone, as if it faced a bandit (decoupled selection): UCB1
(Auer et al. 2002), PUCT with priors (Silver et al. 2017), or regret matching (Hart and Mas-Colell 2000, with the
exploration of Lanctot, Lisy and Winands, "Monte Carlo tree search in simultaneous move games with applications to
Goofspiel", 2014). Only what is legal in the present position counts, so one tree serves all of them (Cowling, Powley,
Whitehouse, "Information set Monte Carlo tree search", 2012).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.search._choices import MASK_SIZE, worth_of_play
from sushigo_agents.search.fitted import UNIT
from sushigo_env._jit import jit
from sushigo_env._memory import load64
from sushigo_env.seeding import mix
from sushigo_env.sushi_go.plays import NUM_PLAYS, WAIT
from sushigo_env.sushi_go.state import SEATS

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

SELECTIONS = ("puct", "uct", "regret")
PUCT, UCT, REGRET = range(len(SELECTIONS))
NO_EDGE = -1
EXPLORED = 0.1
"""Share of plays that regret matching makes at random."""
OPEN = 0.1
"""Share of the priors that is the same for every play, so that none is ruled out before it was tried."""
PLAYS_A_NODE = 24
"""Edges there is room for, on average: few nodes are come to twice, and the others have none."""


class Tree(NamedTuple):
    """A tree's nodes and edges in arrays; an edge is one play of one seat at a node."""

    action: NDArray[np.uint8]
    following: NDArray[np.int32]
    """The next edge of the same seat and node, or -1."""
    visits: NDArray[np.int32]
    total: NDArray[np.float64]
    """Win shares added up over its visits."""
    prior: NDArray[np.float64]
    """What it weighs before any visit, in shares that need not add up to 1."""
    regret: NDArray[np.float64]
    average: NDArray[np.float64]
    """Regret matching's strategies added up."""
    heads: NDArray[np.int32]
    """int32[N, 5]: a node's first edge for each seat, or -1."""
    tags: NDArray[np.uint64]
    """uint64[H]: which node and joint play a place of the hash table is for; 0 for none."""
    children: NDArray[np.int32]
    """int32[H]: the node that it leads to."""
    used: NDArray[np.int64]
    """int64[2]: nodes and edges in use."""


def new_tree(nodes: int) -> Tree:
    """A tree with its root, and room for so many nodes."""
    edges, places = nodes * PLAYS_A_NODE + SEATS * MASK_SIZE, 1 << (2 * nodes).bit_length()
    actions, (following, visits) = np.empty(edges, np.uint8), np.empty((2, edges), np.int32)
    heads = np.full((nodes + 1, SEATS), NO_EDGE, np.int32)
    tags, children = np.zeros(places, np.uint64), np.zeros(places, np.int32)
    total, prior, regret, average = np.empty((4, edges))
    used = np.array([1, 0])
    return Tree(actions, following, visits, total, prior, regret, average, heads, tags, children, used)


@jit
def is_full(tree, players):
    """Whether a node more, with its edges, might find no room."""
    return tree.used[0] >= len(tree.heads) or tree.used[1] + players * MASK_SIZE > len(tree.action)


@jit
def child(tree, node, joint):
    """The node that `joint` (uint64, all plays in one number) leads to, and whether it is new."""
    tag = mix(mix(np.uint64(node)) + joint) | np.uint64(1)
    last = np.uint64(len(tree.tags) - 1)
    place = (tag >> np.uint64(8)) & last
    while tree.tags[place] != 0:
        if tree.tags[place] == tag:
            return np.int64(tree.children[place]), False
        place = (place + np.uint64(1)) & last
    new = tree.used[0]
    tree.tags[place], tree.children[place] = tag, new
    tree.used[0] = new + 1
    return np.int64(new), True


@jit
def add_edge(tree, node, seat, action, prior):
    """A play of a seat that has not come up at this node before."""
    edge = tree.used[1]
    tree.used[1] = edge + 1
    tree.action[edge], tree.prior[edge], tree.following[edge] = action, prior, tree.heads[node, seat]
    tree.visits[edge], tree.total[edge], tree.regret[edge], tree.average[edge] = 0, 0.0, 0.0, 0.0
    tree.heads[node, seat] = edge


@jit
def add_missing(tree, node, seat, mask, row, table, rollout_priors):
    """See that every play that `mask` allows has an edge; how many it allows.

    New ones weigh what rollouts make of them, or else what the others at the node do on average.
    """
    legal, known, weight = np.uint64(0), np.uint64(0), 0.0
    for word in range(MASK_SIZE >> 3):
        legal += (load64(mask, word * 8) * np.uint64(0x0101010101010101)) >> np.uint64(56)
    edge = tree.heads[node, seat]
    while edge != NO_EDGE:
        if mask[tree.action[edge]]:
            mask[tree.action[edge]] = 2
            known += np.uint64(1)
            weight += tree.prior[edge]
        edge = tree.following[edge]
    if known < legal:
        usual = weight / known if known else 1.0
        for action in range(NUM_PLAYS + 1):
            if mask[action] == 1:
                prior = usual
                if rollout_priors and action != WAIT:
                    prior = math.exp(worth_of_play(row, seat, table, action) / UNIT)
                add_edge(tree, node, seat, action, prior)
    return np.int64(legal)


@jit
def select(tree, node, seat, mask, legal, selection, explore, players, bits):
    """The edge that a seat follows, and the probability that it had (1 but for regret matching)."""
    if selection == REGRET:
        return _by_regret(tree, node, seat, mask, legal, bits)
    visits, total, weight = 0, 0.0, 0.0
    edge = tree.heads[node, seat]
    while edge != NO_EDGE:
        if mask[tree.action[edge]]:
            visits += tree.visits[edge]
            total += tree.total[edge]
            weight += tree.prior[edge]
        edge = tree.following[edge]
    usual = total / visits if visits else 1.0 / players
    spread = explore * math.sqrt(visits + 1.0 if selection == PUCT else math.log(visits + 1.0))
    weight = (1 - OPEN) / weight
    best, high, skip = np.int64(NO_EDGE), -np.inf, np.float64(bits >> np.uint64(40)) * 1e-12
    edge = tree.heads[node, seat]
    while edge != NO_EDGE:
        if mask[tree.action[edge]]:
            count = tree.visits[edge]
            score = tree.total[edge] / count if count else usual
            if selection == PUCT:
                score += spread * (weight * tree.prior[edge] + OPEN / legal) / (1 + count)
            else:
                score = score + spread / math.sqrt(count) if count else 1e6 + tree.prior[edge] * (1 + skip)
            if score > high:
                best, high = np.int64(edge), score
        edge = tree.following[edge]
    return best, 1.0


@jit
def _by_regret(tree, node, seat, mask, legal, bits):
    """A play drawn by positive regrets, now and then at random; the strategy is added to the average."""
    positive = 0.0
    edge = tree.heads[node, seat]
    while edge != NO_EDGE:
        if mask[tree.action[edge]]:
            positive += max(tree.regret[edge], 0.0)
        edge = tree.following[edge]
    drawn, chosen, chance = np.float64(bits >> np.uint64(11)) * 2.0**-53, np.int64(NO_EDGE), 0.0
    edge = tree.heads[node, seat]
    while edge != NO_EDGE:
        if mask[tree.action[edge]]:
            share = max(tree.regret[edge], 0.0) / positive if positive > 0 else 1.0 / legal
            tree.average[edge] += share
            share = (1 - EXPLORED) * share + EXPLORED / legal
            if drawn >= 0:
                chosen, chance = np.int64(edge), share
            drawn -= share
        edge = tree.following[edge]
    return chosen, chance


@jit
def update(tree, node, seat, mask, edge, chance, value, selection):
    """What an iteration's `value` for a seat says of the edge it followed, and in regret matching of the others."""
    tree.visits[edge] += 1
    tree.total[edge] += value
    if selection != REGRET:
        return
    other = tree.heads[node, seat]
    while other != NO_EDGE:
        if mask[tree.action[other]]:
            tree.regret[other] -= value
        other = tree.following[other]
    tree.regret[edge] += value / chance
