"""Noise for Sushi Boat: observations, masks and saved states with changed bytes, given to agents and to `restore`.

Run in a process of its own, `python -m tests.boat_fuzz rows|states SEED ROUNDS`: it prints how many were refused and
how many were harmless, and fails on an illegal action, on a game that does not end, or on any other error.
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sushigo_agents.boat.greedy import BoatGreedy
from sushigo_agents.boat.monte_carlo import BoatMonteCarlo
from sushigo_agents.boat.positions import sample_positions

from sushigo_env.errors import SushiGoError
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.state import OFFSETS, ROW
from tests.boat_tools import TABLES, new_game

KINDS = ("rows", "states")
GAMES, MOST_STEPS = 16, 1500
Rows = tuple[NDArray[np.uint8], NDArray[np.bool_]]


def spoil(seen: NDArray[np.uint8], mask: NDArray[np.bool_], rng: Generator) -> Rows:
    """One way in ten each: all noise, a mask of noise; else one to five bytes of a row are others."""
    way = rng.integers(10)
    if way == 0:
        return rng.integers(0, 256, seen.shape).astype(np.uint8), mask
    if way == 1:
        return seen, rng.random(mask.shape) < rng.random()
    seen = seen.copy()
    for row in seen:
        for at in rng.integers(0, seen.shape[1], rng.integers(1, 6 if way < 6 else 2)):
            row[at] = rng.choice([0, 1, row[at] ^ 1, 255, rng.integers(256), rng.integers(30)])
    return seen, mask


def advance(game: SushiBoat, rng: Generator, steps: int) -> None:
    """Random decisions; games that are over begin anew."""
    for _ in range(steps):
        if game.done.any():
            game.reset(game.done.copy())
        mask = game.legal_acting()
        game.step_acting((rng.random(mask.shape) * mask).argmax(1))


def play_to_the_end(game: SushiBoat, rng: Generator) -> None:
    """Random decisions of one game to its end, looked at now and then."""
    for step in range(MOST_STEPS):
        if step % 25 == 0:
            for setting in game.observations:
                game.observe(setting)
            game.state()
            game.render(0)
        if game.done[0]:
            break
        mask = game.legal_acting()
        assert mask.any(), "nothing is legal"
        game.step_acting((rng.random(mask.shape) * mask).argmax(1))
    assert game.done[0], "the game does not end"
    if not game.table.ended[0]:
        game.record(0)


def fuzz_rows(players: int, variant: str, rng: Generator, rounds: int, counts: Counter[str]) -> None:
    table = "sushi_boat", players, variant
    agents = [
        BoatGreedy(*table),
        BoatMonteCarlo(*table, iterations=1, rollout="random"),
        BoatMonteCarlo(*table, iterations=1),
    ]
    game, one = (
        new_game(players, variant, seed=int(rng.integers(1 << 30)), count=GAMES),
        SushiBoat(1, players, variant=variant),
    )
    for _ in range(rounds):
        advance(game, rng, int(rng.integers(1, 12)))
        if game.done.any():
            game.reset(game.done.copy())
        each = np.arange(GAMES)
        seen, mask = spoil(game.observe()[each, game.to_act].copy(), game.legal_acting().copy(), rng)
        keys = rng.integers(0, 1 << 60, GAMES).astype(np.uint64)
        for i in range(GAMES):
            row = seen[i : i + 1], mask[i : i + 1], keys[i : i + 1]
            for agent in agents[: 3 if i % 4 == 0 else 1]:
                try:
                    action = int(agent.act(*row)[0])
                except SushiGoError:
                    counts["refused"] += 1
                else:
                    counts["harmless"] += 1
                    assert mask[i, action] or not mask[i].any(), "an action that the mask forbids"
            if i % 8 == 0:
                try:
                    one.restore(sample_positions(row[0], row[2], players, variant))
                except SushiGoError:
                    continue
                play_to_the_end(one, rng)


def fuzz_states(players: int, variant: str, rng: Generator, rounds: int, counts: Counter[str]) -> None:
    game, one = (
        new_game(players, variant, seed=int(rng.integers(1 << 30)), count=GAMES),
        SushiBoat(1, players, variant=variant),
    )
    for _ in range(rounds):
        advance(game, rng, int(rng.integers(1, 12)))
        for row in game.save().repeat(8, axis=0)[:, None]:
            for at in rng.integers(0, OFFSETS["chances"] if rng.random() < 0.95 else ROW, rng.integers(1, 3)):
                old = int(row[0, at])
                row[0, at] = rng.choice([0, 1, 255, old ^ 1, (old + 1) % 256, (old - 1) % 256, rng.integers(16)])
            try:
                one.restore(row)
            except SushiGoError:
                counts["refused"] += 1
                continue
            counts["harmless"] += 1
            play_to_the_end(one, rng)


def main(what: str, seed: str, rounds: str) -> None:
    counts: Counter[str] = Counter()
    for number, (players, variant) in enumerate(TABLES):
        rng = np.random.default_rng([int(seed), number])
        (fuzz_rows if what == "rows" else fuzz_states)(players, variant, rng, int(rounds), counts)
    print(*(f"{name}={count}" for name, count in counts.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
