"""Whether a saved state, or draws, can be a game's: kernels check nothing, so all they index with is checked before."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.errors import SettingError
from sushigo_env.sushi_boat import loops
from sushigo_env.sushi_boat.cards import (
    COLOURS,
    CUBES_TAKOYAKI,
    HAND_LIMIT,
    KINDS,
    MAX_DISH_CARDS,
    MAX_STACK,
    NUM_DISHES,
    NUM_MENUS,
    NUM_PLACES,
    SPACES,
    TILES,
    WASABI_CARDS,
    Config,
    deck_size,
)
from sushigo_env.sushi_boat.rules import OPEN, STAFF_AT
from sushigo_env.sushi_boat.state import (
    ACT,
    ACTIONS_KEPT,
    BY_HIROSHI,
    CHANCES_KEPT,
    CHOOSE_DEPTH,
    CHOOSE_MENU,
    CHOOSE_SPACE,
    CHOOSE_TILE,
    EAT,
    EFFECTS,
    END,
    GUESS_COLOUR,
    NAME_COLOURS,
    NONE,
    OVER,
    PHASES,
    SATSUKI_DRAW,
    State,
)


def check_rows(rows: NDArray[np.uint8], table: State, rules: NDArray[np.int64], config: Config) -> None:
    """`SettingError` unless `rows` (uint8[B, ROW]) can be games at the table of `table`, `rules` and `config`."""
    given = State.of(rows.copy())
    if (given.kind != table.kind).any():
        raise SettingError("the saved state is of another kind of table (players or variant differ).")
    players = int(rules[0])
    begun = State.of(given.rows[given.started])
    sound = _in_range(given, players) and _adds_up(begun, config) and _fits_its_phase(begun, rules)
    if sound:
        loops.refresh(0, len(rows), given.rows.reshape(-1), rules)
        sound = bool((given.rows == rows).all())
    if not sound:
        raise SettingError("the saved state is damaged: it holds values that no game can have.")


def _in_range(given: State, players: int) -> bool:
    """Whether every number is in its range."""
    limits: list[tuple[NDArray[Any], int]] = [
        (given.phase, len(PHASES)),
        (given.turn, players),
        (given.first, players),
        (given.back, CHOOSE_MENU + 1),
        (given.effect, len(EFFECTS)),
        (given.deck_left, deck_size(players) + 1),
        (given.wasabi_left, WASABI_CARDS + 1),
        (given.stack_sizes, MAX_STACK + 1),
        (given.pile_size, MAX_DISH_CARDS + 1),
        (given.menu_deck_size, NUM_MENUS + 1),
        (given.num_menus, NUM_MENUS + 1),
        (given.num_guesses, CUBES_TAKOYAKI + 1),
        (given.declared, 2),
        (given.num_offered, 3),
        (given.num_satsuki, 3),
        (given.hands, HAND_LIMIT + 2),
        (given.num_actions, ACTIONS_KEPT + 1),
        (given.num_chances, CHANCES_KEPT + 1),
        (given.scripted, CHANCES_KEPT + 1),
        (given.stage, 4),
    ]
    limits += [(flag.view(np.uint8), 2) for flag in (given.done, given.started, given.ended, given.looked)]
    or_none: list[tuple[NDArray[np.uint8], int]] = [
        (given.to_act, players),
        (given.belt, KINDS),
        (given.pawns, NUM_PLACES),
        (given.satsuki, KINDS),
        (given.stacks, KINDS),
        (given.pile, NUM_DISHES),
        (given.offered, NUM_MENUS),
        (given.menu_deck, NUM_MENUS),
        (given.menus, NUM_MENUS),
        (given.guesses, len(COLOURS)),
    ]
    inside = all((values < limit).all() for values, limit in limits)
    inside &= all(((values < limit) | (values == NONE)).all() for values, limit in or_none)
    over = given.done & (given.to_act == NONE) & (given.phase == OVER)
    going_on = ~given.done & given.started & (given.to_act != NONE) & (given.phase != OVER)
    return bool(inside and (over | going_on).all())


def _adds_up(begun: State, config: Config) -> bool:
    """Whether lists are as long as they say, and plates, dishes and tiles are all there."""
    lists = (
        (begun.stacks, begun.stack_sizes),
        (begun.pile, begun.pile_size),
        (begun.satsuki, begun.num_satsuki),
        (begun.guesses, begun.num_guesses),
        (begun.offered, begun.num_offered),
        (begun.menu_deck, begun.menu_deck_size),
        (begun.menus, begun.num_menus),
    )
    sound = all(((items != NONE) == (np.arange(items.shape[-1]) < sizes[..., None])).all() for items, sizes in lists)
    filled = ((begun.belt != NONE) << np.arange(SPACES)).sum(1)
    sound &= bool((filled == begun.filled).all() and (begun.bag.sum(1) == begun.bag_size).all())
    sound &= bool((begun.trash.sum(1) == begun.trash_size).all() and (np.sort(begun.tiles) == TILES).all())
    plates = begun.bag.astype(np.int64) + begun.trash
    for places in (begun.belt, begun.stacks.reshape(len(plates), -1), begun.satsuki):
        plates += (places[..., None] == np.arange(KINDS)).sum(1)
    dishes = begun.pool.reshape(-1, NUM_DISHES, 2).sum(2) + begun.hands.sum(1) + begun.eaten.sum(1)
    dishes = dishes + (begun.pile[..., None] == np.arange(NUM_DISHES)).sum(1)
    return bool(sound and (plates == config.plates).all() and (dishes == config.dishes).all())


def _fits_its_phase(begun: State, rules: NDArray[np.int64]) -> bool:
    """Whether pawns are at open places, and who is asked has what the question is about."""
    live = State.of(begun.rows[~begun.done])
    each, phase = np.arange(len(live.rows)), live.phase
    place, stack = live.pawns[each, live.to_act], live.stack_sizes[each, live.to_act]
    for_staff = (phase == CHOOSE_SPACE) & (live.effect >= BY_HIROSHI)
    seated = np.isin(phase, (ACT, EAT, END, CHOOSE_TILE)) | for_staff
    needed = (phase == NAME_COLOURS) + 2 * (phase == CHOOSE_DEPTH)
    sound = (~seated | (place != NONE)) & (stack >= needed)
    with_staff = np.flatnonzero(rules[STAFF_AT : STAFF_AT + NUM_PLACES] >= 0)
    open_ = [place for place in range(NUM_PLACES) if rules[OPEN] >> place & 1]
    sound &= ((phase != CHOOSE_TILE) | np.isin(place, with_staff)) & np.isin(live.pawns, [*open_, NONE]).all(1)
    sound &= (phase != SATSUKI_DRAW) | (live.num_satsuki > 0)
    sound &= (phase != CHOOSE_MENU) | (live.num_offered > 0)
    sound &= (phase != GUESS_COLOUR) | (live.num_guesses[each, live.to_act] < CUBES_TAKOYAKI)
    sound &= (live.back != OVER) & (live.stack_sizes < MAX_STACK + 1).all(1)
    return bool(sound.all())


def draws(given: Any, num_games: int) -> list[list[int]]:
    """Codes of draws as one list for all games, or one for each; `SettingError` for anything else."""
    nested = isinstance(given, list | tuple) and len(given) > 0 and isinstance(given[0], list | tuple)
    scripts = given if nested else [given]
    whole = all(
        isinstance(script, list | tuple)
        and len(script) <= CHANCES_KEPT
        and all(type(code) is int and 0 <= code <= 255 for code in script)
        for script in scripts
    )
    if not whole or len(scripts) not in (1, num_games):
        raise SettingError(
            f"chances must be a list of at most {CHANCES_KEPT} numbers of 0 to 255, or one for each game."
        )
    return [list(script) for script in scripts]
