"""Why an action is illegal, in words. Whether it is, `legal.py` alone decides; this only explains the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.cards import (
    COLOUR_OF,
    COLOURS,
    DISHES,
    EDAMAME,
    FUGU,
    MOCHI,
    ONIGIRI,
    PLACES,
    PLATES,
    STAFF,
    TAKOYAKI,
    TUNNEL,
)
from sushigo_env.sushi_boat.state import (
    ACT,
    BY_AKIKO,
    CHOOSE_DEPTH,
    CHOOSE_MENU,
    CHOOSE_SPACE,
    CHOOSE_TILE,
    CHOOSE_TRASH,
    DECLARE,
    DISCARD_DISH,
    EAT,
    EFFECTS,
    END,
    GUESS_COLOUR,
    MOVE,
    NAME_COLOURS,
    NONE,
    SATSUKI_DRAW,
    START,
    State,
)

if TYPE_CHECKING:
    from sushigo_env.sushi_boat.game import SushiBoat

ASKED = (
    "the turn begins with a reveal",
    "it is time to move",
    "it is time for one action or none",
    "it is time to eat",
    "all is done but to end the turn",
    "a dish must be discarded",
    "a space must be chosen",
    "a tile must be chosen",
    "a plate must be taken from the Trash",
    "a plate drawn must be chosen",
    "two colours must be named",
    "a depth must be chosen",
    "a menu must be chosen",
    "dishes may be declared for the challenge",
    "a colour must be guessed",
    "the game is over",
)
"""What each phase asks for, in order of `PHASES`."""
_NO_YEN = "the player has no yen"
_PHASES_OF = (
    (plays.REVEAL, 1, (START,)),
    (plays.PLACE, 9, (START, MOVE, ACT, EAT, END)),
    (plays.VISIT, 4, (ACT,)),
    (plays.SPACE, 14, (EAT, CHOOSE_SPACE)),
    (plays.EAT_NOTHING, 1, (EAT,)),
    (plays.END_TURN, 1, (END,)),
    (plays.ORDER, 1, (START, MOVE, ACT, EAT, END)),
    (plays.DISH, 8, (START, MOVE, ACT, EAT, END, DECLARE)),
    (plays.DECLINE, 1, (DECLARE,)),
    (plays.TRASH, 25, (CHOOSE_TRASH,)),
    (plays.TILE, 8, (CHOOSE_TILE,)),
    (plays.TOP_OR_BOTTOM, 4, (SATSUKI_DRAW,)),
    (plays.PAIR, 10, (NAME_COLOURS,)),
    (plays.DEPTH + 1, 19, (CHOOSE_DEPTH,)),
    (plays.DISCARD, 8, (DISCARD_DISH,)),
    (plays.GUESS, 5, (GUESS_COLOUR,)),
    (plays.ORDER_MENU, 1, (START, MOVE, ACT, EAT, END)),
    (plays.KEEP, 2, (CHOOSE_MENU,)),
)
"""First action, how many, and the phases that may have them."""


def reason(game: SushiBoat, index: int, action: int) -> str:
    """Why the seat to act of game `index` may not take `action`, which the rules forbid: half a sentence."""
    table = game.table
    seat, phase = int(table.to_act[index]), int(table.phase[index])
    for first, count, phases in _PHASES_OF:
        if first <= action < first + count:
            if phase not in phases:
                return ASKED[phase]
            return _reason_within(game, index, seat, first, action - first)
    return ASKED[phase]


def _reason_within(game: SushiBoat, index: int, seat: int, first: int, item: int) -> str:
    """The reason where the phase is right; `item` counts from the `first` action of its kind."""
    table = game.table
    yen = int(table.yen[index, seat])
    if first == plays.PLACE:
        return _place(game, index, seat, item)
    if first == plays.SPACE:
        return _space(table, index, seat, item)
    if first == plays.DISH:
        return _dish(table, index, seat, item)
    if first == plays.VISIT:
        return _act(game, index, seat, item)
    if first in (plays.ORDER, plays.ORDER_MENU):
        return (
            _NO_YEN if yen == 0 else f"the {'bag and the Trash are' if first == plays.ORDER else 'menu deck is'} empty"
        )
    if first == plays.EAT_NOTHING:
        return "there is a plate to eat"
    if first == plays.TRASH:
        return f"there is no {PLATES[item]} in the Trash"
    if first == plays.TILE:
        return _tile(game, index, seat, item)
    if first == plays.DEPTH + 1:
        return f"the stack has only {table.stack_sizes[index, seat]} plates"
    if first == plays.DISCARD:
        return f"the player holds no {DISHES[item]}"
    return "there is no second one"


def _place(game: SushiBoat, index: int, seat: int, place: int) -> str:
    table, num_players = game.table, game.num_players
    name, own = PLACES[place], int(table.pawns[index, seat])
    taken = [other for other in range(num_players) if other != seat and table.pawns[index, other] == place]
    if place == own:
        return f"the player's pawn is at {name} already"
    if place not in game.config.open_places(num_players):
        return f"{name} is a '4+' place, closed at a table of {num_players}"
    if table.phase[index] != MOVE and not taken:
        return f"it is not time to move, and {name} has nobody whose seat could be taken"
    if own == NONE and table.phase[index] != MOVE:
        return "a pawn off the board comes back only when it is time to move"
    if taken:
        return f"{name} is occupied by player_{taken[0]} and the player has no yen to take the seat"
    return f"{name} is in the other player's row, which costs a yen that the player has not"


def _space(table: State, index: int, seat: int, space: int) -> str:
    if space in TUNNEL:
        return f"space {space} is in the tunnel"
    if table.belt[index, space] == NONE:
        return f"no plate lies on space {space}"
    if table.phase[index] == EAT:
        return f"space {space} is not beside {PLACES[table.pawns[index, seat]]}"
    effect = int(table.effect[index])
    if effect == BY_AKIKO:
        colour = COLOURS[COLOUR_OF[table.belt[index, space]]]
        return f"the plate on space {space} is {colour} as is the top of the stack, and Akiko takes another colour"
    return f"{EFFECTS[effect]} does not reach space {space} from {PLACES[table.pawns[index, seat]]}"


def _dish(table: State, index: int, seat: int, dish: int) -> str:
    if table.hands[index, seat, dish] == 0:
        return f"the player holds no {DISHES[dish]}"
    if table.phase[index] == DECLARE:
        declarable = dish in (TAKOYAKI, ONIGIRI)
        return f"{DISHES[dish]} is declared already" if declarable else "only Takoyaki and Onigiri can be declared"
    if dish in (EDAMAME, FUGU, MOCHI) and table.stack_sizes[index, seat] == 0:
        return f"{DISHES[dish]} needs a plate in the stack"
    return "no plate can be seen on the belt"


def _act(game: SushiBoat, index: int, seat: int, item: int) -> str:
    table = game.table
    if table.yen[index, seat] == 0:
        return _NO_YEN
    if item == plays.BUY - plays.VISIT:
        return "the discard pile is empty"
    place = int(table.pawns[index, seat])
    position = game.config.tile_position(place)
    if position < 0:
        return f"{PLACES[place]} has no staff space"
    return f"{STAFF[table.tiles[index, position]]} has nothing to do at {PLACES[place]}"


def _tile(game: SushiBoat, index: int, seat: int, position: int) -> str:
    place = int(game.table.pawns[index, seat])
    if position == game.config.tile_position(place):
        return "that is Momoko's own tile"
    return f"{STAFF[game.table.tiles[index, position]]} has nothing to do at {PLACES[place]}"
