"""The numbers that rollouts and the worth of a round's end go by: found in games of the zoo, kept in `fitted.json`.

`python -m sushigo_train.fit_search` finds them anew.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sushigo_env.sushi_go.cards import DUMMY, HAND_SIZE, K, hand_size
from sushigo_env.sushi_go.scoring import DUMPLING_POINTS

FILE = Path(__file__).with_name("fitted.json")
UNIT = 64
"""What 1 of a logit is in the whole numbers that kernels add up."""
STATES = len(DUMPLING_POINTS)
"""How many ways a card's worth can hang on what lies before the player."""
MOST_TURNS = max(HAND_SIZE.values())


class Table(NamedTuple):
    """A kind of table as search kernels take it."""

    players: int
    size: int
    """Cards of a hand."""
    alternate: int
    dummy: int
    worth: NDArray[np.int64]
    """int64[12, 6, 10]: logit of a card by type, by what lies there already, by the turns left after this one."""
    pair_least: NDArray[np.int64]
    """int64[10]: the logit that a second card must have for the chopsticks to be used, by the turns left."""
    ends: NDArray[np.float64]
    """float64[3, 4]: by the rounds left, what `END_COLUMNS` name."""
    value: float
    """How steeply win shares rise with a network's value: they are the softmax of so many times the seats' values."""


END_COLUMNS = ("lead", "pudding_lead", "most_puddings", "fewest_puddings")
"""Points that a lead counts e-fold for; puddings likewise; points that most and fewest puddings are worth."""


@cache
def table(num_players: int, variant: str = "standard", passing: str = "left") -> Table:
    """The numbers for a table; `SettingError` for one the rules do not know."""
    size = hand_size(num_players, variant)
    told = json.loads(FILE.read_text(encoding="utf-8"))[name_of(num_players, variant)]
    worth = np.round(UNIT * np.array(told["worth"])).astype(np.int64).reshape(K, STATES, MOST_TURNS)
    least = np.round(UNIT * np.array(told["pair_least"])).astype(np.int64)
    ends = np.array([[0.0] * len(END_COLUMNS), *told["ends"]])
    alternate = passing == "alternate" and variant != DUMMY
    return Table(num_players, size, int(alternate), int(variant == DUMMY), worth, least, ends, told["value"])


def name_of(num_players: int, variant: str) -> str:
    """What the file calls a table."""
    return f"{num_players}p-dummy" if variant == DUMMY else f"{num_players}p"
