"""What a seat sees: the one table of fields, from which the encoder's offsets, the named slices and the docs come.

The viewer is seat 0, the left neighbour seat 1, and so on; in the two-player variant the dummy comes last. Settings:

- `memory`: own hand, every tableau, and the exact contents of each hand the viewer has already held (every play is
  public, so such a hand stays known);
- `table`: own hand and what lies on the table alone, as someone without memory sees it;
- `full`: every hand.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from sushigo_env.layout import Field, Layout
from sushigo_env.sushi_go.cards import COPIES, DUMMY, PUDDING, ROUNDS, WASABI, K, hand_size
from sushigo_env.sushi_go.scoring import (
    MAX_ROUND_POINTS,
    MOST_PUDDINGS,
    NIGIRI_POINTS,
    WASABI_FACTOR,
)
from sushigo_env.sushi_go.state import SCORE_OFFSET

OBSERVATIONS = ("memory", "table", "full")
MAX_SCORE = ROUNDS * MAX_ROUND_POINTS + MOST_PUDDINGS


def fields(num_players: int, variant: str) -> list[Field]:
    """The table of fields, in the order they lie in an observation."""
    players, dummy = num_players, variant == DUMMY
    tableaus = players + dummy
    cards = hand_size(players, variant) + dummy
    nigiri = -(-cards // 2) * int(NIGIRI_POINTS.max()) * WASABI_FACTOR
    seats = (tableaus,)
    table = [
        Field("own_hand", (K,), COPIES, "own hand, by card type" + (", less the pending cards" if dummy else "")),
        Field("other_hands", (players - 1, K), COPIES, "cards known to be in each other seat's hand, by type"),
        Field("unseen", (K,), COPIES, "cards of each type the viewer has not seen yet"),
        Field("tableaus", (tableaus, K), COPIES, "cards on the table this round, by seat and type"),
        Field("wasabi", seats, COPIES[WASABI], "wasabi with no nigiri on it, by seat", "status"),
        Field("nigiri_points", seats, nigiri, "points of the nigiri laid this round, by seat", "status"),
        Field("puddings", seats, COPIES[PUDDING], "puddings kept from the rounds before, by seat", "status"),
        Field("scores", seats, MAX_SCORE + SCORE_OFFSET, f"points so far, plus {SCORE_OFFSET}, by seat", "status"),
        Field("unknown_cards", (players - 1,), cards, "cards in each other seat's hand that the viewer cannot name"),
        Field("hand_sizes", (players,), cards, "cards in each seat's hand"),
        Field("turn", (), hand_size(players, variant) - 1, "turn of the round, from 0"),
        Field("round", (), ROUNDS, f"round, from 0; {ROUNDS} when the game is over"),
        Field("direction", (), 1, "hands go to the left (0) or the right (1) neighbour"),
    ]
    if dummy:
        table += [
            Field("pile_size", (), hand_size(players, variant), "cards left in the dummy's pile"),
            Field("controls", (), 1, "1 if the viewer is in control this turn"),
            Field("half", (), 1, "1 while the controller chooses the dummy's card"),
            Field("pending", (K,), 2, "the viewer's own cards chosen this turn and not yet revealed"),
        ]
    return table


@cache
def layout(num_players: int, variant: str = "standard") -> Layout:
    """The layout of observations at a table; the same for every observation setting."""
    return Layout(fields(num_players, variant))


@cache
def offsets(num_players: int, variant: str = "standard") -> NDArray[np.int64]:
    """int64[17]: where each field starts, in the order of `FIELD_NAMES`; -1 where the table has none."""
    slices = layout(num_players, variant).slices
    return np.array([slices[name].start if name in slices else -1 for name in FIELD_NAMES], np.int64)


FIELD_NAMES = tuple(field.name for field in fields(2, DUMMY))
"""Every field's name; the encoder finds a field's offset by its place here."""
