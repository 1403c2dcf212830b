"""Compiled: a turn: reveal, move, act, eat, end; and the one way in for every action."""

from __future__ import annotations

import numpy as np

from sushigo_env._jit import jit
from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.belt import feed, feed_until_full, feed_until_one_falls, take_from_belt
from sushigo_env.sushi_boat.bits import load16, store16
from sushigo_env.sushi_boat.cards import DISH_CARDS, KINDS, SPACES
from sushigo_env.sushi_boat.challenge import begin_challenge, declare, decline, guess
from sushigo_env.sushi_boat.chance import CARD_CODE, draw_counted, draw_plate, draw_wasabi
from sushigo_env.sushi_boat.dishes import discard, fugu, mochi, play_dish, put_on_pile, put_on_stack, take_from_pile
from sushigo_env.sushi_boat.legal import write_legal
from sushigo_env.sushi_boat.menus import keep_menu, order_menu
from sushigo_env.sushi_boat.points import count_stack, write_final_points
from sushigo_env.sushi_boat.rules import DECK, PLAYERS
from sushigo_env.sushi_boat.staff import keep_drawn, swap_tiles, take_from_trash, use_space, visit
from sushigo_env.sushi_boat.state import (
    ACT,
    ACTIONS,
    ACTIONS_KEPT,
    DECK_LEFT,
    DECLARE,
    DONE,
    EAT,
    END,
    LOOKED,
    MOVE,
    NONE,
    NUM_ACTIONS_AT,
    OVER,
    PAWNS,
    PHASE,
    POOL,
    START,
    TO_ACT,
    TURN,
    WASABI_LEFT,
    YEN,
)

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)

CHANGES_STACK = np.zeros(plays.NUM_MENU_PLAYS, np.bool_)
"""bool[122]: actions that may change the stack of the seat that takes them; no action changes another's."""
for _first, _count in ((plays.SPACE, SPACES), (plays.TRASH, KINDS), (plays.TOP_OR_BOTTOM, 4)):
    CHANGES_STACK[_first : _first + _count] = True
CHANGES_STACK[plays.PAIR : plays.DISCARD] = True  # Fugu and Mochi


@jit
def reveal(row, rules):
    """Turn the top card over: a side dish and the refill its arrow tells, or a Wasabi card and a challenge."""
    left = np.int64(row[DECK_LEFT])
    first_cards = rules[DECK] - left < rules[PLAYERS]  # one a player lies on top, and none of them is a Wasabi card
    row[DECK_LEFT] = left - 1
    if not first_cards and draw_wasabi(row, left):
        row[WASABI_LEFT] -= 1
        begin_challenge(row, rules)
        return
    pool = 0
    for kind in range(DISH_CARDS):
        pool += row[POOL + kind]
    card = draw_counted(row, POOL, pool, CARD_CODE, DISH_CARDS)
    put_on_pile(row, card >> 1)
    if card & 1:
        feed_until_one_falls(row)
    else:
        feed_until_full(row)
    row[PHASE] = MOVE


@jit
def go_to(row, rules, seat, place):
    """The pawn goes to a place: 1 yen to who sits there and leaves the board, or (2 players) to who sits in the row."""
    for other in range(rules[PLAYERS]):
        if other != seat and row[PAWNS + other] != NONE:
            there = np.int64(row[PAWNS + other])
            if there == place or (rules[PLAYERS] == 2 and there // 3 == place // 3):
                row[YEN + seat] -= 1
                row[YEN + other] += 1
            if there == place:
                row[PAWNS + other] = NONE
    row[PAWNS + seat] = place
    if row[PHASE] == MOVE:
        row[PHASE] = ACT


@jit
def order(row, seat):
    """A special order: 1 yen, and a plate from the bag enters the belt."""
    row[YEN + seat] -= 1
    feed(row, draw_plate(row))


@jit
def buy(row, seat):
    """The top side dish of the discard pile for 1 yen."""
    row[YEN + seat] -= 1
    row[PHASE] = EAT
    take_from_pile(row, seat)


@jit
def take_yen(row, seat):
    """The action of taking 1 yen."""
    row[YEN + seat] += 1
    row[PHASE] = EAT


@jit
def eat(row, seat, space):
    """The plate on a space beside the place comes on top of the stack."""
    put_on_stack(row, seat, take_from_belt(row, space))
    row[PHASE] = END


@jit
def end_turn(row, rules):
    """The next player's turn; the game is over with the turn in which the last card was revealed."""
    row[LOOKED] = 0
    if row[DECK_LEFT] == 0:
        write_final_points(row, rules)
        row[DONE] = 1
        row[PHASE] = OVER
        row[TO_ACT] = NONE
        return
    after = np.int64(row[TURN]) + 1
    seat = after if after < rules[PLAYERS] else 0
    row[TURN] = seat
    row[TO_ACT] = seat
    row[PHASE] = START


@jit
def _turn_action(row, rules, seat, action):
    """The actions of the phases of a turn, up to spaces."""
    if action == plays.REVEAL:
        reveal(row, rules)
    elif action < plays.VISIT:
        go_to(row, rules, seat, action - plays.PLACE)
    elif action == plays.VISIT:
        visit(row, rules, seat)
    elif action == plays.BUY:
        buy(row, seat)
    elif action == plays.TAKE_YEN:
        take_yen(row, seat)
    elif action == plays.PASS:
        row[PHASE] = EAT
    elif row[PHASE] == EAT:
        eat(row, seat, action - plays.SPACE)
    else:
        use_space(row, seat, action - plays.SPACE)


@jit
def _special_action(row, rules, seat, action):
    """From `eat nothing` to `decline`."""
    if action == plays.EAT_NOTHING:
        row[PHASE] = END
    elif action == plays.END_TURN:
        end_turn(row, rules)
    elif action == plays.ORDER:
        order(row, seat)
    elif action == plays.DECLINE:
        decline(row, rules, seat)
    elif row[PHASE] == DECLARE:
        declare(row, rules, seat, action - plays.DISH)
    else:
        play_dish(row, seat, action - plays.DISH)


@jit
def _choice(row, rules, seat, action):
    """What a decision within a turn, or a challenge, asked for."""
    if action < plays.TILE:
        take_from_trash(row, seat, action - plays.TRASH)
    elif action < plays.TOP_OR_BOTTOM:
        swap_tiles(row, rules, seat, action - plays.TILE)
    elif action < plays.PAIR:
        keep_drawn(row, seat, action - plays.TOP_OR_BOTTOM)
    elif action <= plays.DEPTH:
        fugu(row, seat, action - plays.PAIR)
    elif action < plays.DISCARD:
        mochi(row, seat, action - plays.DEPTH)
    elif action < plays.GUESS:
        discard(row, seat, action - plays.DISCARD)
    elif action < plays.ORDER_MENU:
        guess(row, rules, seat, action - plays.GUESS)
    elif action == plays.ORDER_MENU:
        order_menu(row, seat)
    else:
        keep_menu(row, rules, seat, action - plays.KEEP)


@jit
def take_action(row, rules, action):
    """The seat to act takes `action`, already known to be legal; then it is worked out what may come next."""
    made, seat = load16(row, NUM_ACTIONS_AT), np.int64(row[TO_ACT])
    if made < ACTIONS_KEPT:
        row[ACTIONS + made] = action
        store16(row, NUM_ACTIONS_AT, made + 1)
    if action < plays.EAT_NOTHING:
        _turn_action(row, rules, seat, action)
    elif action < plays.TRASH:
        _special_action(row, rules, seat, action)
    else:
        _choice(row, rules, seat, action)
    if CHANGES_STACK[action]:
        count_stack(row, rules, seat)
    write_legal(row, rules)
