"""Tables at which the hand-made cases of Sushi Boat are played, each set to a position and told actions in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import pytest

from tests.boat_engine_table import EngineTable
from tests.boat_facts import WORDS
from tests.boat_reference import Reference


class BoatTable(Protocol):
    """What is asked of a table to play a case at it."""

    def snapshot(self) -> dict[str, Any]:
        """The table in numbers, as `Reference.snapshot` has it."""

    def step(self, action: int) -> None:
        """A legal action of the player to act."""

    def guesses_seen(self, viewer: int) -> list[list[int]]:
        """By seat, the guesses of the challenge in progress that a seat's observation shows, by colour."""

    def winners(self) -> list[int]:
        """The seats that won a game that is over."""


class ReferenceTable:
    """The plain reference, whose draws always give the first or always the last: a case must not hang on chance."""

    def __init__(self, position: dict[str, Any], chance: Callable[[int], int]) -> None:
        self.game = Reference(position["num_players"], position["with_menus"], chance, position)

    def snapshot(self) -> dict[str, Any]:
        return self.game.snapshot()

    def step(self, action: int) -> None:
        self.game.step(action)

    def guesses_seen(self, viewer: int) -> list[list[int]]:
        return [sorted(guesses) for guesses in self.game.guesses_seen(viewer)]

    def winners(self) -> list[int]:
        standings = self.game.standings()
        return [seat for seat, standing in enumerate(standings) if standing == max(standings)]


TABLES: dict[str, Callable[[dict[str, Any]], BoatTable]] = {
    "reference, first drawn": lambda position: ReferenceTable(position, lambda n: 0),
    "reference, last drawn": lambda position: ReferenceTable(position, lambda n: n - 1),
    "engine": lambda position: EngineTable(position, 0),
    "engine, another seed": lambda position: EngineTable(position, 1),
}
"""Every table that a case is played at: how it is set to a position."""

at_every_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


def play(table: BoatTable, *words: str) -> dict[str, Any]:
    """Take actions told in words, each of which must be legal; the snapshot after the last. No plate is ever lost."""
    for word in words:
        assert word in allowed(table), f"{word} is not legal: {sorted(allowed(table))}"
        table.step(WORDS.index(word))
        assert plates_in(table.snapshot()) == 54, f"after {word}"
    return table.snapshot()


def allowed(table: BoatTable, verb: str = "") -> set[str]:
    """What is legal, in words; of one verb only where told."""
    return {WORDS[action] for action in table.snapshot()["legal"] if WORDS[action].startswith(verb)}


def plates_in(snapshot: dict[str, Any]) -> int:
    """All plates on the table, in bag and Trash."""
    on_belt = sum(plate >= 0 for plate in snapshot["belt"])
    in_stacks = sum(len(stack) for stack in snapshot["stacks"])
    drawn = len(snapshot["satsuki"])
    return int(sum(snapshot["bag"]) + sum(snapshot["trash"]) + on_belt + in_stacks + drawn)
