"""Two tables that a golden game can be replayed at: the engine's, and the plain reference's, which draws its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from sushigo_env.sushi_go.cards import CARDS, DUMMY, label
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.plays import PLAYS, index
from sushigo_env.sushi_go.record import result_of
from sushigo_env.sushi_go.scoring import KINDS
from sushigo_env.sushi_go.state import BARE
from tests.golden_cases import GoldenGame
from tests.reference import Reference, legal_play_of, nigiri_points

DUMMY_SEAT = 2


class GoldenTable(Protocol):
    """What is asked of a table to tell a game."""

    def draw(self) -> str:
        """The table as text."""

    def controller(self) -> int:
        """The seat in control, in the variant."""

    def legal(self, seat: int) -> list[int]:
        """The actions a seat may take now."""

    def action(self, seat: int, cards: list[str]) -> int:
        """The action that lays `cards` in front of `seat`, or of the dummy."""

    def describe(self, action: int) -> str:
        """An action in words."""

    def step(self, actions: list[int]) -> None:
        """Everyone's action."""

    def points(self, round_: int) -> list[dict[str, int]]:
        """Points of a round that is over, by seat and kind."""

    def result(self) -> dict[str, Any]:
        """Of a game that is over: puddings, their points, totals, winners."""


class EngineTable:
    """The engine's own words and numbers."""

    def __init__(self, golden: GoldenGame) -> None:
        self.game = SushiGo(1, golden.players, variant=golden.variant, passing=golden.passing)
        options = {"deals": golden.deals, "first_controller": golden.first_controller or 0}
        self.game.reset(seeds=np.zeros(1, np.uint64), options=options)

    def draw(self) -> str:
        return self.game.render()

    def controller(self) -> int:
        return int(self.game.table.controller[0])

    def legal(self, seat: int) -> list[int]:
        return np.flatnonzero(self.game.legal()[0, seat]).tolist()

    def action(self, seat: int, cards: list[str]) -> int:
        return index(cards, int(self.game.table.status[0, seat, BARE]))

    def describe(self, action: int) -> str:
        return self.game.describe_action(action)

    def step(self, actions: list[int]) -> None:
        self.game.step(np.array([actions]))

    def points(self, round_: int) -> list[dict[str, int]]:
        points = self.game.table.round_points[0, round_, : self.game.num_tableaus].tolist()
        return [dict(zip(KINDS, seat, strict=True)) for seat in points]

    def result(self) -> dict[str, Any]:
        return result_of(self.game)


class PlainTable:
    """The same from the reference; nothing of the engine's drawing is used."""

    def __init__(self, golden: GoldenGame) -> None:
        first = golden.first_controller or 0
        self.game = Reference(golden.players, golden.variant, golden.passing, golden.deals, first)
        self.turns = len(golden.deals[0][0])

    def draw(self) -> str:
        lines = ["Sushi Go!: " + self._moment()]
        for seat, tableau in enumerate(self.game.tableaus):
            name = "dummy    " if self.game.has_dummy and seat == DUMMY_SEAT else f"player_{seat} "
            lines.append(f"{name} {self._standing(seat)}")
            lines.append(f"    table: {_words(tableau)}")
            if seat < self.game.num_players:
                lines.append(f"    hand:  {_words(self.game.hands[seat])}")
        return "\n".join(lines)

    def _moment(self) -> str:
        game = self.game
        if game.done:
            return "game over"
        moment = f"round {game.round + 1} of 3, turn {game.turn + 1} of {self.turns}, "
        if not game.has_dummy:
            return moment + ("hands go right" if game.direction() else "hands go left")
        does = "chooses the dummy's card" if game.half else "is in control"
        return moment + f"player_{game.controller} {does}, pile {len(game.pile)}"

    def _standing(self, seat: int) -> str:
        nigiri, open_wasabi = nigiri_points(self.game.tableaus[seat])
        standing = f"score {self.game.totals[seat]}, puddings kept {self.game.puddings[seat]}"
        if nigiri or open_wasabi:
            standing += f", nigiri {nigiri}"
        if open_wasabi:
            standing += f", wasabi open {open_wasabi}"
        return standing

    def controller(self) -> int:
        return self.game.controller

    def legal(self, seat: int) -> list[int]:
        return sorted(self.game.legal(seat))

    def action(self, seat: int, cards: list[str]) -> int:
        return legal_play_of(self.game, self.game.controller if self.game.half else seat, cards)

    def describe(self, action: int) -> str:
        return ", then ".join(label(card) for card in PLAYS[action])

    def step(self, actions: list[int]) -> None:
        self.game.step(actions)

    def points(self, round_: int) -> list[dict[str, int]]:
        return self.game.rounds[round_]

    def result(self) -> dict[str, Any]:
        return self.game.result()


SIDES: dict[str, Callable[[GoldenGame], GoldenTable]] = {"engine": EngineTable, "reference": PlainTable}
"""Whose table it is -> how to set it up."""


def has_dummy(golden: GoldenGame) -> bool:
    """Whether a golden game is of the two-player variant."""
    return golden.variant == DUMMY


def _words(cards: list[str]) -> str:
    """Cards by name, in deck order, with how many of each."""
    counted = [(cards.count(card), label(card)) for card in CARDS if card in cards]
    return ", ".join(f"{count} {name}" if count > 1 else name for count, name in counted) or "-"
