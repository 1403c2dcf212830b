"""The engine as a table at which the hand-made cases of Sushi Boat are played: its state is written field by field."""

from __future__ import annotations

from typing import Any

import numpy as np

from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.loops import refresh
from sushigo_env.sushi_boat.state import NONE, PHASES


class EngineTable:
    """A game of the engine, set to a position; the seed decides what it draws."""

    def __init__(self, position: dict[str, Any], seed: int) -> None:
        players = position["num_players"]
        self.game = game = SushiBoat(1, players, variant="menus" if position["with_menus"] else "standard")
        game.reset(seeds=np.array([seed], np.uint64))
        state = game.table
        state.to_act[0] = state.turn[0] = state.first[0] = position["to_act"]
        state.phase[0] = state.back[0] = PHASES.index(position["phase"])
        for name in ("deck_left", "wasabi_left", "pool", "bag", "trash", "tiles"):
            getattr(state, name)[0] = position[name]
        state.bag_size[0], state.trash_size[0] = sum(position["bag"]), sum(position["trash"])
        state.belt[0] = [NONE if plate < 0 else plate for plate in position["belt"]]
        state.filled[0] = sum(1 << space for space, plate in enumerate(position["belt"]) if plate >= 0)
        state.pile_size[0] = _fill(state.pile[0], position["discard"])
        state.menu_deck_size[0] = _fill(state.menu_deck[0], position["menu_deck"])
        state.num_offered[0] = _fill(state.offered[0], [])
        state.pawns[0, :players] = [NONE if place < 0 else place for place in position["pawns"]]
        for name in ("yen", "cubes", "hands", "eaten"):
            getattr(state, name)[0, :players] = position[name]
        for seat in range(players):
            state.stack_sizes[0, seat] = _fill(state.stacks[0, seat], position["stacks"][seat])
            state.num_menus[0, seat] = _fill(state.menus[0, seat], position["menus"][seat])
        state.num_chances[0] = 0
        refresh(0, 1, game._rows, game._rules)

    def snapshot(self) -> dict[str, Any]:
        return self.game.snapshot(0)

    def step(self, action: int) -> None:
        self.game.step_acting(np.array([action], np.int32))

    def guesses_seen(self, viewer: int) -> list[list[int]]:
        players = self.game.num_players
        counts = self.game.layout.read(self.game.observe()[0, viewer], "guesses")
        by_seat = np.roll(counts, viewer, axis=0)
        return [np.repeat(np.arange(5), by_seat[seat]).tolist() for seat in range(players)]

    def winners(self) -> list[int]:
        standings = self.game.standings[0]
        return np.flatnonzero(standings == standings.max()).tolist()


def _fill(places: Any, given: list[int]) -> int:
    """Write what is given to the first places, nothing to the rest; how many there are."""
    places[:] = NONE
    places[: len(given)] = given
    return len(given)
