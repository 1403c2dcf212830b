"""A table as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.sushi_go.cards import CARDS, DUMMY, ROUNDS, label
from sushigo_env.sushi_go.state import SCORE_OFFSET

if TYPE_CHECKING:
    from sushigo_env.sushi_go.game import SushiGo


def words(counts: NDArray[np.integer[Any]]) -> str:
    """Counts by card type (int[12]) in words: `2 Tempura, Wasabi`; a dash for none."""
    parts = [f"{count} {label(CARDS[card])}" if count > 1 else label(CARDS[card]) for card, count in _some(counts)]
    return ", ".join(parts) or "-"


def to_text(game: SushiGo, index: int = 0) -> str:
    """The table of game `index`: every hand open, what lies before each seat, points, puddings, score."""
    state, lines = game.table, [_headline(game, index)]
    for seat in range(game.num_tableaus):
        open_wasabi, nigiri, puddings, score = (int(value) for value in state.status[index, seat])
        name = "dummy" if seat >= game.num_players else f"player_{seat}"
        extras = f"score {score - SCORE_OFFSET}, puddings kept {puddings}"
        if nigiri or open_wasabi:
            extras += f", nigiri {nigiri}" + (f", wasabi open {open_wasabi}" if open_wasabi else "")
        lines.append(f"{name:<9} {extras}")
        lines.append(f"    table: {words(state.tableaus[index, seat])}")
        if seat < game.num_players:
            lines.append(f"    hand:  {words(state.hands[index, seat])}")
    return "\n".join(lines)


def _headline(game: SushiGo, index: int) -> str:
    state = game.table
    if not state.started[index]:
        return "Sushi Go!: not begun"
    if state.done[index]:
        return "Sushi Go!: " + ("stopped" if state.ended[index] else "game over")
    way = "right" if state.reversed[index] else "left"
    text = f"Sushi Go!: round {state.round[index] + 1} of {ROUNDS}, turn {state.turn[index] + 1} of {game.hand_size}"
    if game.variant != DUMMY:
        return f"{text}, hands go {way}"
    half = "chooses the dummy's card" if state.half[index] else "is in control"
    left = game.hand_size - state.turn[index] - 1
    return f"{text}, player_{state.controller[index]} {half}, pile {left}"


def _some(counts: NDArray[np.integer[Any]]) -> Iterable[tuple[int, int]]:
    return ((card, int(count)) for card, count in enumerate(counts) if count)
