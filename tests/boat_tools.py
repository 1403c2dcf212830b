"""Sushi Boat for tests: random games, positions made by hand, and what a game holds in plain numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env import seeding
from sushigo_env.sushi_boat import loops, plays
from sushigo_env.sushi_boat.cards import DISHES, NUM_DISHES, PLATES, VARIANTS, Config
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.state import NONE, State

TABLES = [(players, variant) for players in (2, 3, 4, 5) for variant in VARIANTS]


def new_game(
    players: int, variant: str = "standard", seed: int = 1, count: int = 1, config: Config | None = None, **more: Any
) -> SushiBoat:
    """Games just begun, of the seeds from `seed` on."""
    game = SushiBoat(count, players, variant=variant, config=config or Config(), **more)
    game.reset(seeds=seeding.game_seeds(seed, count))
    return game


def random_actions(game: SushiBoat, step: int) -> NDArray[np.int32]:
    """int32[B]: a uniform choice of what each game's seat to act may do, from the game's own key."""
    return seeding.uniform_actions(game.legal_acting(), seeding.decision_keys(game.seeds, 0, step))


def walk(game: SushiBoat, last: int = 10**6, first: int = 0) -> Iterator[int]:
    """Play random decisions `first` to `last`, or to the end; gives the number of each before it is taken."""
    for step in range(first, last):
        if game.done.all():
            return
        yield step
        game.step_acting(random_actions(game, step))


def play(game: SushiBoat, last: int = 10**6, first: int = 0) -> None:
    """As `walk`, with nothing looked at."""
    for _ in walk(game, last, first):
        pass


def do(game: SushiBoat, *words: str) -> None:
    """Take actions given in words in game 0."""
    for each in words:
        game.step_acting(np.array([plays.index(each)]))


def put(game: SushiBoat, **fields: Any) -> None:
    """Set fields of game 0's row; lists shorter than a field leave the rest as it is."""
    for name, value in fields.items():
        field = getattr(game.table, name)
        if np.ndim(value):
            field[0][tuple(slice(0, n) for n in np.shape(value))] = value
        else:
            field[0] = value
    loops.refresh(0, game.num_games, game.table.rows.reshape(-1), game._rules)


def give_stack(game: SushiBoat, seat: int, stack: list[int]) -> None:
    """Lay a stack before a seat of game 0, out of nowhere."""
    game.table.stacks[0, seat] = NONE
    game.table.stacks[0, seat, : len(stack)] = stack
    game.table.stack_sizes[0, seat] = len(stack)
    put(game)


def legal_words(game: SushiBoat) -> list[str]:
    """What the seat to act of game 0 may do, in words."""
    return [plays.describe(action) for action in game.legal_actions(0)]


def plates_of(table: State) -> NDArray[np.int64]:
    """int[B, 25]: all plates of each game by kind, wherever they are."""
    kinds = np.arange(len(PLATES))
    found = table.bag.astype(int) + table.trash
    for places in (table.belt, table.stacks.reshape(len(found), -1), table.satsuki):
        found += (places[..., None] == kinds).sum(1)
    return found


def dishes_of(table: State) -> NDArray[np.int64]:
    """int[B, 8]: all side dishes of each game, wherever they are."""
    pool = table.pool.reshape(-1, NUM_DISHES, 2).sum(2)
    pile = (table.pile[..., None] == np.arange(NUM_DISHES)).sum(1)
    return pool + table.hands.sum(1) + table.eaten.sum(1) + pile


def dishes(**counts: int) -> list[int]:
    """Counts by dish."""
    return [counts.get(name, 0) for name in DISHES]
