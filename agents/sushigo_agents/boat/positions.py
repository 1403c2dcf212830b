"""Complete positions of Sushi Boat that agree with what a seat sees under the setting `memory`.

Plates and side dishes are open to who remembers, and what will be drawn is decided only when it is drawn: a position
is the table as seen, with a stream of its own. Dealt at random is what is hidden: others' guesses and menus, and the
order of the menu deck.
The viewer is seat 0 of such a position, the left neighbour seat 1, and so on, as in the observation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.boat._checked import find_impossible
from sushigo_agents.boat._position import write_position
from sushigo_agents.boat._possible import FINE, GAME_OVER, REASONS, limits_of
from sushigo_env._jit import jit
from sushigo_env._memory import clear, pointer
from sushigo_env.checks import one_of
from sushigo_env.errors import SettingError
from sushigo_env.sushi_boat.cards import DEFAULT, VARIANTS, Config, deck_size
from sushigo_env.sushi_boat.observation import layout, offsets
from sushigo_env.sushi_boat.rules import rules_of
from sushigo_env.sushi_boat.state import CHANCES, ROW, State, kind_of_table

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)


def sample_positions(
    observation: NDArray[np.uint8],
    keys: NDArray[np.uint64],
    num_players: int,
    variant: str = "standard",
    config: Config = DEFAULT,
) -> NDArray[np.uint8]:
    """uint8[N, bytes a game]: for each row a complete position that agrees with it, which `SushiBoat.restore` takes.

    `observation` uint8[N, D] as the setting `memory` gives it, of decisions in a game that goes on, with the
    values of `config`; `keys` uint64[N] deal what is hidden and decide what will be drawn. Others' menus and the menu
    deck are dealt from the menus that the viewer does not hold, each way equally likely; others' guesses are any
    colours. The viewer sits at seat 0. `SettingError` for shapes and dtypes that do not fit, for observations of games
    that are over, and for such as no game shows under that setting.
    """
    kind = check_table(num_players, variant, config)
    if not isinstance(keys, np.ndarray) or keys.ndim != 1 or keys.dtype != np.uint64:
        raise SettingError("keys must be uint64[N], a key for each row of the observations.")
    wanted = (len(keys), layout(num_players, variant).size)
    if not isinstance(observation, np.ndarray):
        raise SettingError(f"observations must be uint8{[*wanted]}, not {type(observation).__name__}.")
    if observation.shape != wanted or observation.dtype != np.uint8:
        raise SettingError(f"observations must be uint8{[*wanted]}, not {observation.dtype}{[*observation.shape]}.")
    at, rules = offsets(num_players, variant), rules_of(config, num_players, variant)
    observation, limits = np.ascontiguousarray(observation), limits_of(num_players, variant, config)
    index, wrong = find_impossible(observation, np.zeros((0, 8), np.uint8), at, rules, limits)
    if wrong == GAME_OVER:
        raise SettingError(f"row {index} must be of a game that goes on: a game that is over has no position.")
    if wrong != FINE:
        raise SettingError(f"row {index} cannot be what a seat sees: {REASONS[wrong]}.")
    state = State(len(keys), kind)
    _write_positions(observation, at, rules, np.ascontiguousarray(keys), state.rows)
    return state.rows


def check_table(num_players: int, variant: str, config: Config) -> int:
    """The kind of a table as states count them; `SettingError` for one that the rules do not know."""
    deck_size(num_players)
    one_of("variant", variant, tuple(VARIANTS))
    if not isinstance(config, Config):
        raise SettingError(f"config must be a Config, not {type(config).__name__}.")
    return kind_of_table(num_players, variant)


@jit
def _write_positions(observation, at, rules, keys, rows):
    fields, numbers = pointer(at, 0), pointer(rules, 0)
    for i in range(len(keys)):
        row = pointer(rows[i], 0)
        clear(row, CHANCES, ROW - CHANCES)
        write_position(pointer(observation[i], 0), fields, numbers, keys[i], row)
