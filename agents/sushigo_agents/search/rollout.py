"""Compiled: a game played on by a rule of thumb to the end of a round or of the game, and who gains what by it."""

from __future__ import annotations

import math

import numpy as np

from sushigo_agents.search._choices import quick, random_play
from sushigo_agents.search._greedy import Mind, greedy_play, new_mind
from sushigo_agents.search.fitted import Table
from sushigo_env._jit import inlined, jit
from sushigo_env._memory import on_stack, pointer
from sushigo_env.seeding import below, draw
from sushigo_env.sushi_go.cards import COPIES, PUDDING, ROUNDS, K
from sushigo_env.sushi_go.kernels import take_turn
from sushigo_env.sushi_go.legal import allowed_for_dummy
from sushigo_env.sushi_go.plays import WAIT
from sushigo_env.sushi_go.state import (
    CONTROLLER,
    DONE,
    HALF,
    PUDDINGS,
    ROUND,
    SCORE,
    SEATS,
    STATUS,
    STATUS_SIZE,
    TURN,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

ROLLOUTS = ("quick", "random", "greedy")
"""Rollout policies; kernels take their place here."""
QUICK = ROLLOUTS.index("quick")
MARGIN = 40.0
"""Points that count as much as a victory where it is the margin that a search aims for: so many as between rounds."""
_LOWEST = -1e9


def mind_of(rollout: str, table: Table, variant: str) -> Mind | None:
    """The room that a rollout policy needs: one for each thread."""
    return new_mind(table.players, variant, table.size, table.dummy) if rollout == "greedy" else None


@inlined
def choose(row, seat, table, rollout, mind, bits):
    """What a rollout plays for a seat, `WAIT` and the dummy's card included; `mind` where it is `greedy`."""
    controls = table.dummy and np.int64(row[CONTROLLER]) == seat
    if table.dummy and row[HALF]:
        return _for_dummy(row, seat, bits) if controls else np.int64(WAIT)
    spare = np.int64(controls)
    if mind is not None:
        return greedy_play(row, seat, table, mind)
    if rollout == QUICK:
        return np.int64(quick(row, seat, table, table.size - 1 - np.int64(row[TURN]), spare, bits))
    return np.int64(random_play(row, seat, spare, bits))


@jit
def _for_dummy(row, seat, bits):
    """Any type of card that the controller may give the dummy, each as likely."""
    kinds = np.uint64(0)
    for card in range(K):
        kinds += np.uint64(allowed_for_dummy(row, seat, card))
    place = below(bits, kinds)
    for card in range(K):
        if allowed_for_dummy(row, seat, card):
            if place == 0:
                return np.int64(card)
            place -= np.uint64(1)
    return np.int64(0)


@jit
def play_on(row, table, rollout, mind, stop, key, counter, taken):
    """Play until round `stop` begins or the game is over, by the stream `key` from `counter` on.

    `taken` points to room for int32[5].
    """
    while not row[DONE] and row[ROUND] < stop:
        for seat in range(table.players):
            taken[seat] = choose(row, seat, table, rollout, mind, draw(key, counter))
            counter += np.uint64(1)
        take_turn(row, table.players, table.size, table.alternate, table.dummy, taken)


@jit
def write_shares(row, table, out):
    """Write to `out` (float64[5]) each seat's win share: exact once the game is over, else what it can be expected.

    Between rounds a lead counts e-fold for so many points (`Table.ends`).
    """
    if row[DONE]:
        _final_shares(row, table.players, out)
        return
    high = _write_points(row, table, out)
    lead, total = table.ends[ROUNDS - np.int64(row[ROUND]), 0], 0.0
    for seat in range(table.players):
        out[seat] = math.exp((out[seat] - high) / lead)
        total += out[seat]
    for seat in range(table.players):
        out[seat] /= total


@jit
def write_margins(row, table, out):
    """Write to `out` (float64[5]) each seat's lead over the best other: 0.5 for none, 1 more for `MARGIN` points."""
    _write_points(row, table, out)
    first = second = _LOWEST
    for seat in range(table.players):
        second = max(second, min(first, out[seat]))
        first = max(first, out[seat])
    for seat in range(table.players):
        out[seat] = 0.5 + (out[seat] - (second if out[seat] == first else first)) / MARGIN


@jit
def _write_points(row, table, out):
    """Write to `out` each seat's points, and what its puddings can be expected to bring; the most of them."""
    _, pudding_lead, for_most, for_fewest = table.ends[ROUNDS - np.int64(row[ROUND])]
    seats = table.players + table.dummy
    most = fewest = 0.0
    if not row[DONE]:
        for seat in range(seats):
            puddings = np.float64(row[STATUS + seat * STATUS_SIZE + PUDDINGS])
            most += math.exp(puddings / pudding_lead)
            fewest += math.exp(-puddings / pudding_lead)
    high = _LOWEST
    for seat in range(table.players):
        status = STATUS + seat * STATUS_SIZE
        puddings, points = np.float64(row[status + PUDDINGS]), np.float64(row[status + SCORE])
        if not row[DONE]:
            points += for_most * math.exp(puddings / pudding_lead) / most
            points -= for_fewest * math.exp(-puddings / pudding_lead) / fewest
        out[seat] = points
        high = max(high, points)
    return high


@jit
def _final_shares(row, players, out):
    standings, best, winners = on_stack(SEATS), np.int64(-1), 0
    for seat in range(players):
        status = STATUS + seat * STATUS_SIZE
        standings[seat] = np.int64(row[status + SCORE]) * (COPIES[PUDDING] + 1) + np.int64(row[status + PUDDINGS])
        best = max(best, standings[seat])
    for seat in range(players):
        winners += standings[seat] == best
    for seat in range(players):
        out[seat] = (standings[seat] == best) / winners


@jit
def play_games(first, last, rows, table, rollout, keys):
    """Play games `first` to `last` of `rows` (uint8[B, ROW]) to their ends, by the streams `keys` (uint64[B]).

    `rollout` is the place of `quick` or `random` in `ROLLOUTS`.
    """
    taken = np.empty(SEATS, np.int32)
    for i in range(first, last):
        play_on(pointer(rows[i], 0), table, rollout, None, ROUNDS, keys[i], np.uint64(0), pointer(taken, 0))
