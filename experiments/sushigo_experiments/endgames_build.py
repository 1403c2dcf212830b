"""Find endgames and solve them: `python -m sushigo_experiments.endgames_build [POSITIONS]` writes `data/endgames.npz`.

Positions come from games of different agents against each other, two to five turns before a round's end, so that they
are neither all alike nor all senseless; those where every play is as good are left out.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray
from rich.progress import track
from sushigo_agents.exact.endgame import PUDDING_VALUE, Solver
from sushigo_agents.exact.matrix_game import solve_matrix
from sushigo_agents.files import write_whole
from sushigo_agents.registry import load

from sushigo_env.seeding import decision_keys, draw, game_seeds
from sushigo_env.sushi_go.cards import ROUNDS
from sushigo_env.sushi_go.game import SushiGo
from sushigo_experiments.endgames import FILE, Endgames

POSITIONS = 3000
PLAYERS = ("random", "greedy", "zoo:self_play,play=sample")
TURNS_LEFT = (2, 3, 4, 5)
GAMES = 64
SEED = 77
LEAST_AT_STAKE = 0.5
"""Points between the value and what the worst play would get."""


def positions() -> Iterator[NDArray[np.uint8]]:
    """States of one game each, uint8[1, bytes a game], without end."""
    agents = [load(spec, "sushi_go", 2) for spec in PLAYERS]
    for batch in range(2**32):
        pair = [agents[int(draw(np.uint64(SEED), np.uint64(2 * batch + seat))) % len(agents)] for seat in range(2)]
        game = SushiGo(GAMES, 2)
        game.reset(seeds=game_seeds(SEED + batch * GAMES, GAMES))
        bits = np.array([int(draw(np.uint64(SEED + batch), np.uint64(i))) for i in range(GAMES)], np.uint64)
        rounds, left = bits % np.uint64(ROUNDS), 2 + (bits >> np.uint64(8)) % np.uint64(len(TURNS_LEFT))
        step = 0
        while not game.done.all():
            state = game.table
            due = (state.round == rounds) & (game.hand_size - state.turn == left)
            yield from (state.rows[i : i + 1].copy() for i in np.flatnonzero(due))
            actions = np.zeros((GAMES, 2), np.int32)
            for seat, agent in enumerate(pair):
                keys = decision_keys(game.seeds, seat, step)
                actions[:, seat] = agent.act(
                    game.observe(agent.observation)[:, seat].copy(), game.legal()[:, seat], keys
                )
            game.step(actions)
            step += 1


def payoffs(state: NDArray[np.uint8], solver: Solver) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Seat 0's plays int64[M], and float64[M, N]: the round's margin by both plays, the rest in equilibrium.

    What counts is as in `exact.endgame.solve`: puddings by their value, in the last round by their points.
    """
    game = SushiGo(1, 2)
    game.restore(state)
    rows, columns = (np.flatnonzero(mask) for mask in game.legal()[0])
    after = SushiGo(len(rows) * len(columns), 2)
    after.restore(np.repeat(state, len(rows) * len(columns), axis=0))
    after.step(np.array(list(product(rows, columns)), np.int32))
    values = [_value(after, i, game, solver) for i in range(after.num_games)]
    return rows, np.array(values).reshape(len(rows), len(columns))


def _value(after: SushiGo, i: int, before: SushiGo, solver: Solver) -> float:
    """Of the position that one pair of plays led to."""
    if not after.done[i] and after.table.round[i] == before.table.round[0]:
        here = after.position(i)
        found = solver.solve(
            here.hands, here.tableaus, here.wasabi, here.nigiri_points, here.puddings, final=here.round == ROUNDS - 1
        )
        assert found is not None
        return found.value
    gained = after.scores[i] - before.scores[0]
    margin = float(gained[0] - gained[1])
    if not after.done[i]:
        laid = after.table.status[i, :2, 2].astype(int) - before.table.status[0, :2, 2]
        margin += PUDDING_VALUE * float(laid[0] - laid[1])
    return margin


def build(count: int = POSITIONS) -> Endgames:
    """`count` endgames with something at stake."""
    solver, states, shapes, plays, cells = Solver(), [], [], [], []
    found = positions()
    for _ in track(range(count), "solving"):
        for state in found:
            rows, matrix = payoffs(state, solver)
            value, _, _ = solve_matrix(matrix)
            if value - matrix.min(axis=1).min() >= LEAST_AT_STAKE:
                break
        states.append(state)
        shapes.append(matrix.shape)
        plays.append(rows)
        cells.append(matrix.ravel())
    ended = np.concatenate(plays).astype(np.uint8), np.concatenate(cells).astype(np.float32)
    return Endgames(np.concatenate(states), np.array(shapes, np.uint8), *ended)


def main(count: str = str(POSITIONS)) -> None:
    """Build, and write the file."""
    found, content = build(int(count)), io.BytesIO()
    np.savez_compressed(content, **vars(found))
    write_whole(FILE, content.getvalue())


if __name__ == "__main__":
    main(*sys.argv[1:])
