"""Compiled: a policy network asked from within a search, about the seats of one position.

A row's results are the same as `Network.forward` gives, bit for bit: it is the same kernel.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.network import Network, layer
from sushigo_agents.search.fitted import Table
from sushigo_env._jit import jit
from sushigo_env._memory import pointer
from sushigo_env.sushi_go.encoder import encode

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

Floats = NDArray[np.float32]


class Net(NamedTuple):
    """A network's weights as kernels take them, and room for one position's rows."""

    setting: int
    """The observation setting, as the encoder numbers them."""
    trunk: tuple[tuple[Floats, Floats], ...]
    policy: tuple[Floats, Floats]
    value: tuple[Floats, Floats]
    seen: NDArray[np.uint8]
    """uint8[P, D]."""
    hidden: tuple[Floats, ...]
    """float32[P, width] of the inputs, and of each layer's outputs."""
    logits: Floats
    """float32[P, A]."""
    values: Floats
    """float32[P, 1]."""


def ready(network: Network, setting: int, num_players: int) -> Net:
    """`network` with room of its own; not for two threads at once."""
    trunk, policy, value = network.layers
    widths = [network.num_inputs, *(len(bias) for _, bias in trunk)]
    hidden = tuple(np.zeros((num_players, width), np.float32) for width in widths)
    seen = np.zeros((num_players, network.num_inputs), np.uint8)
    logits = np.zeros((num_players, network.num_actions), np.float32)
    return Net(setting, tuple(trunk), policy, value, seen, hidden, logits, np.zeros((num_players, 1), np.float32))


@jit
def ask(row, at, table: Table, net: Net):
    """Fill `net.logits` and `net.values` for every seat of the position `row`."""
    for seat in range(table.players):
        seen = pointer(net.seen[seat], 0)
        encode(row, seat, table.players, table.size, table.dummy, net.setting, at, seen)
    net.hidden[0][:] = net.seen
    for i in range(len(net.trunk)):
        weight, bias = net.trunk[i]
        layer(net.hidden[i], weight, bias, True, net.hidden[i + 1])
    last = net.hidden[len(net.trunk)]
    layer(last, net.policy[0], net.policy[1], False, net.logits)
    layer(last, net.value[0], net.value[1], False, net.values)


@jit
def write_values(table, net, out):
    """Write to `out` (float64[5]) win shares by `net.values`, as the zoo's games bear them out (`Table.value`).

    A value is of the reward that the network was trained by, in which margins count too.
    """
    high, total = net.values[0, 0], 0.0
    for seat in range(1, table.players):
        high = max(high, net.values[seat, 0])
    for seat in range(table.players):
        out[seat] = math.exp(table.value * np.float64(net.values[seat, 0] - high))
        total += out[seat]
    for seat in range(table.players):
        out[seat] /= total
