"""Whether a saved state, or draws, can be a game's: kernels check nothing, so all they index with is checked before."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.errors import SettingError
from sushigo_env.sushi_boat import loops
from sushigo_env.sushi_boat.cards import (
    COLOURS,
    CUBES_GUESSED,
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
    TUNNEL,
    WASABI_CARDS,
    Config,
    deck_size,
)
from sushigo_env.sushi_boat.challenge import TAKOYAKI_GUESSES, USUAL_GUESSES, WITH_ONIGIRI, WITH_TAKOYAKI
from sushigo_env.sushi_boat.chance import DRAWS
from sushigo_env.sushi_boat.plays import NUM_MENU_PLAYS
from sushigo_env.sushi_boat.rules import DECK, MENUS_ON, OPEN, PLAYERS, STAFF_AT
from sushigo_env.sushi_boat.state import (
    ACT,
    ACTIONS_KEPT,
    BY_EDAMAME,
    BY_HIROSHI,
    CHANCES_KEPT,
    CHOOSE_DEPTH,
    CHOOSE_MENU,
    CHOOSE_SPACE,
    CHOOSE_TILE,
    DECLARE,
    DISCARD_DISH,
    EAT,
    EFFECTS,
    END,
    GUESS_COLOUR,
    MOVE,
    NAME_COLOURS,
    NONE,
    OVER,
    PHASES,
    SATSUKI_DRAW,
    START,
    State,
)


def check_rows(rows: NDArray[np.uint8], table: State, rules: NDArray[np.int64], config: Config) -> None:
    """`SettingError` unless `rows` (uint8[B, ROW]) can be games at the table of `table`, `rules` and `config`."""
    given = State.of(rows.copy())
    if (given.kind != table.kind).any():
        raise SettingError("the saved state is of another kind of table (players or variant differ).")
    players = int(rules[PLAYERS])
    begun = State.of(given.rows[given.started])
    sound = (
        _in_range(given, players)
        and _adds_up(begun, players, config)
        and _menus_add_up(begun, rules)
        and _seats_fit(begun, rules)
        and _fits_its_phase(begun, rules)
        and _challenge_fits(begun, players)
        and _can_be_written_down(begun)
    )
    if sound:
        loops.refresh(0, len(rows), given.rows.reshape(-1), rules)
        sound = bool((given.rows == rows).all() and (given.done | given.legal.any(1)).all())
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
    going_on = ~given.done & given.started & ~given.ended & (given.to_act != NONE) & (given.phase != OVER)
    return bool(inside and (over | going_on).all())


def _adds_up(begun: State, players: int, config: Config) -> bool:
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
    sound &= bool((begun.belt[:, list(TUNNEL)] != NONE).all())
    filled = ((begun.belt != NONE) << np.arange(SPACES)).sum(1)
    sound &= bool((filled == begun.filled).all() and (begun.bag.sum(1) == begun.bag_size).all())
    sound &= bool((begun.trash.sum(1) == begun.trash_size).all() and (np.sort(begun.tiles) == TILES).all())
    plates = begun.bag.astype(np.int64) + begun.trash
    for places in (begun.belt, begun.stacks.reshape(len(plates), -1), begun.satsuki):
        plates += (places[..., None] == np.arange(KINDS)).sum(1)
    revealed = deck_size(players) - begun.deck_left.astype(np.int64) - (WASABI_CARDS - begun.wasabi_left)
    sound &= bool((begun.wasabi_left <= begun.deck_left).all())
    sound &= bool((begun.pool.sum(1) == sum(config.dishes) - revealed).all())
    dishes = begun.pool.reshape(-1, NUM_DISHES, 2).sum(2) + begun.hands.sum(1) + begun.eaten.sum(1)
    dishes = dishes + (begun.pile[..., None] == np.arange(NUM_DISHES)).sum(1)
    return bool(sound and (plates == config.plates).all() and (dishes == config.dishes).all())


def _menus_add_up(begun: State, rules: NDArray[np.int64]) -> bool:
    """Whether there are 20 different menus, held, offered or in their deck, none without the variant.

    While they are dealt, the seats asked before hold one each.
    """
    players, places = int(rules[PLAYERS]), (begun.menus.reshape(len(begun.rows), -1), begun.menu_deck, begun.offered)
    counts = (np.concatenate(places, axis=1)[..., None] == np.arange(NUM_MENUS)).sum(1)
    dealt = (begun.phase == CHOOSE_MENU) & (begun.back == CHOOSE_MENU)
    away, asked = _from_turn(begun, players)
    fits = (begun.num_menus[:, :players] == (away < asked)).all(1) & (begun.deck_left == rules[DECK])
    absent = (begun.num_menus[:, players:] == 0).all()
    return bool((counts == rules[MENUS_ON]).all() and (~dealt | fits).all() and absent)


def _from_turn(begun: State, players: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """int64[B, P] and int64[B, 1]: how far each seat, and the seat to act, is from the one whose turn it is."""
    turn = begun.turn[:, None].astype(np.int64)
    return (np.arange(players) - turn) % players, (begun.to_act[:, None] - turn) % players


def _seats_fit(begun: State, rules: NDArray[np.int64]) -> bool:
    """Whether pawns stand at open places, each at its own, and stacks are not too high.

    Every turn may bring two plates, and the turns still to come must find room.
    """
    players, pawns = int(rules[PLAYERS]), begun.pawns
    at_place = (pawns[..., None] == np.arange(NUM_PLACES)).sum(1)
    is_open = (int(rules[OPEN]) >> np.arange(NUM_PLACES)) & 1
    live = ~begun.done
    away, _ = _from_turn(begun, players)
    phase = np.where(begun.phase <= END, begun.phase, np.where(begun.phase <= CHOOSE_MENU, begun.back, MOVE))
    phase[phase == CHOOSE_MENU] = START  # which the deal of menus goes on to
    by_staff = (begun.phase >= CHOOSE_TILE) & (begun.phase <= SATSUKI_DRAW)
    by_staff |= (begun.phase == CHOOSE_SPACE) & (begun.effect >= BY_HIROSHI)
    now = np.array([2, 2, 2, 1, 0])[np.minimum(phase, END)] + by_staff
    left = begun.deck_left[:, None].astype(np.int64) - (phase == START)[:, None]
    turns = np.where(away == 0, left // players, (left - away + players) // players)
    room = 2 * turns + np.where(away == 0, now[:, None], 0)
    low = begun.stack_sizes[:, :players] + room <= MAX_STACK
    return bool((at_place <= is_open).all() and low[live].all())


def _fits_its_phase(begun: State, rules: NDArray[np.int64]) -> bool:
    """Whether who is asked has what the question is about, and the turn can go on after it."""
    live = State.of(begun.rows[~begun.done])
    each, phase, back = np.arange(len(live.rows)), live.phase, live.back
    within = (phase >= DISCARD_DISH) & (phase <= CHOOSE_MENU)
    dealt = (phase == CHOOSE_MENU) & (back == CHOOSE_MENU)
    in_own_turn = ~dealt & (phase < DECLARE)
    going_on = np.where(within, back, phase)
    sound = (~within | dealt | (back <= END)) & (~in_own_turn | (live.to_act == live.turn))
    place, stack = live.pawns[each, live.turn], live.stack_sizes[each, live.turn]
    sound &= ~(in_own_turn & (going_on >= ACT)) | (place != NONE)
    by_staff = ((phase >= CHOOSE_TILE) & (phase <= SATSUKI_DRAW)) | (phase == CHOOSE_SPACE) & (
        live.effect >= BY_HIROSHI
    )
    at_staff = rules[STAFF_AT + np.where(place < NUM_PLACES, place, 0).astype(np.int64)] >= 0
    sound &= ~by_staff | ((back == EAT) & at_staff)
    for_edamame = (phase == CHOOSE_SPACE) & (live.effect == BY_EDAMAME)
    sound &= stack >= ((phase == NAME_COLOURS) | for_edamame) + 2 * (phase == CHOOSE_DEPTH)
    sound &= (phase == SATSUKI_DRAW) == (live.num_satsuki > 0)
    sound &= (phase == CHOOSE_MENU) == (live.num_offered > 0)
    sound &= ~(in_own_turn & (going_on == START)) | (live.deck_left > 0)
    return bool(sound.all())


def _challenge_fits(begun: State, players: int) -> bool:
    """Whether stage, declarations and guesses are those of the phase; all blank without a challenge."""
    live = State.of(begun.rows[~begun.ended])
    stage, asks = live.stage, live.phase == GUESS_COLOUR
    right_stage = np.where(asks, stage >= USUAL_GUESSES, stage == (live.phase == DECLARE))
    takoyaki, onigiri = (live.declared[:, :players, which] == 1 for which in (WITH_TAKOYAKI, WITH_ONIGIRI))
    away, asked = _from_turn(live, players)
    cubes, last = np.where(takoyaki, CUBES_TAKOYAKI, CUBES_GUESSED), stage[:, None] == TAKOYAKI_GUESSES
    in_stage = ~onigiri & (takoyaki == last)
    has_guessed = asks[:, None] & ((in_stage & (away < asked)) | (~onigiri & ~takoyaki & last))
    guesses = live.num_guesses[:, :players]
    now = asks[:, None] & (away == asked)
    fits = np.where(now, in_stage & (guesses < cubes), guesses == np.where(has_guessed, cubes, 0))
    declares = stage[:, None, None] > 0
    blank = (live.num_guesses[:, players:] == 0).all() and (declares | (live.declared == 0)).all()
    return bool(right_stage.all() and fits.all() and blank and (live.declared[:, players:] == 0).all())


def _can_be_written_down(begun: State) -> bool:
    """Whether draws and actions so far are some that there are."""
    drawn = np.arange(CHANCES_KEPT) < begun.num_chances[:, None]
    acted = np.arange(ACTIONS_KEPT) < begun.num_actions[:, None]
    return bool((begun.chances[drawn] < len(DRAWS)).all() and (begun.actions[acted] < NUM_MENU_PLAYS).all())


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
