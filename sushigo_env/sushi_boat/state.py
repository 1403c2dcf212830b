"""The state of B games: one row of bytes a game, with a shaped view of each field.

Rows are what kernels work on, and what is copied, saved and restored. Fields have room for the largest table (5 seats).
A row also keeps what a record needs: every draw and every action so far.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_env.rows import Rows, StateField, offsets_of
from sushigo_env.sushi_boat.cards import (
    CUBES_TAKOYAKI,
    DISH_CARDS,
    KINDS,
    MAX_DISH_CARDS,
    MAX_STACK,
    MENU_VARIANT,
    NUM_DISHES,
    NUM_MENUS,
    SEATS,
    SPACES,
    TILES,
)
from sushigo_env.sushi_boat.scoring import POINT_KINDS

PHASES = (
    "START",
    "MOVE",
    "ACT",
    "EAT",
    "END",
    "DISCARD",
    "SPACE",
    "TILE",
    "TRASH",
    "SATSUKI",
    "FUGU",
    "MOCHI",
    "MENU",
    "DECLARE",
    "GUESS",
    "OVER",
)
"""What is decided next; from `DISCARD` on these are decisions within a turn, or of players whose turn it is not."""
TURN_PHASES = PHASES[:5]
"""The phases of a turn, one of which goes on after a decision within it."""
(START, MOVE, ACT, EAT, END) = range(5)
(DISCARD_DISH, CHOOSE_SPACE, CHOOSE_TILE, CHOOSE_TRASH, SATSUKI_DRAW, NAME_COLOURS, CHOOSE_DEPTH) = range(5, 12)
(CHOOSE_MENU, DECLARE, GUESS_COLOUR, OVER) = range(12, 16)
EFFECTS = ("Edamame", "Tempura", "Hiroshi", "Yuki & Takeshi", "Akiko")
"""What a space is chosen for in phase SPACE."""
(BY_EDAMAME, BY_TEMPURA, BY_HIROSHI, BY_YUKI, BY_AKIKO) = range(5)

NONE = 255
"""No plate, no place, no seat."""
CHANCES_KEPT = 512
"""More than the draws of the longest game."""
ACTIONS_KEPT = 768
"""More than the actions of the longest game."""


FIELDS = (
    # what most steps touch
    StateField("legal", np.uint64, (2,), "bit by action: what the seat to act may do now; 0 when the game is over"),
    StateField("belt", np.uint8, (SPACES,), "plate kind by space, or 255"),
    StateField("phase", np.uint8, (), "what is decided next, as `PHASES` numbers it"),
    StateField("to_act", np.uint8, (), "seat that decides; 255 when the game is over"),
    StateField("filled", np.uint16, (), "bit by space: a plate lies there"),
    StateField("num_actions", np.uint16, (), "actions so far"),
    StateField("num_chances", np.uint16, (), "draws so far"),
    StateField("scripted", np.uint16, (), "draws that were given: these many of `chances` are not left to chance"),
    StateField("turn", np.uint8, (), "seat whose turn it is; before the first turn, the first player's"),
    StateField("back", np.uint8, (), "phase that goes on after a decision within a turn"),
    StateField("effect", np.uint8, (), "what a space is chosen for, as `EFFECTS` numbers it"),
    StateField("deck_left", np.uint8, (), "cards in the deck"),
    StateField("wasabi_left", np.uint8, (), "Wasabi cards among them"),
    StateField("bag_size", np.uint8, (), "plates in the bag"),
    StateField("trash_size", np.uint8, (), "plates in the Trash"),
    StateField("pile_size", np.uint8, (), "dishes on the discard pile"),
    StateField("pawns", np.uint8, (SEATS,), "place by seat, or 255 off the board"),
    StateField("yen", np.uint8, (SEATS,), "yen by seat"),
    StateField("cubes", np.uint8, (SEATS,), "wasabi cubes kept, by seat"),
    StateField("stack_sizes", np.uint8, (SEATS,), "plates in each stack"),
    StateField("done", np.bool_, (), "the game is over, or was never begun"),
    StateField("stage", np.uint8, (), "of a challenge: 1 declaring, 2 usual guesses, 3 guesses with Takoyaki; or 0"),
    StateField("menu_deck_size", np.uint8, (), "menus in the menu deck"),
    StateField("num_offered", np.uint8, (), "menus to choose from now"),
    StateField("hands", np.uint8, (SEATS, NUM_DISHES), "side dishes in hand, by seat and dish"),
    StateField("eaten", np.uint8, (SEATS, NUM_DISHES), "side dishes eaten, by seat and dish"),
    StateField("colours", np.uint8, (SEATS, 8), "plates in each stack by colour [5]; nothing behind them"),
    StateField("types", np.uint8, (SEATS, 8), "plates in each stack by type [7]; nothing behind them"),
    StateField("stack_points", np.uint16, (SEATS,), "points of each stack's runs and sets"),
    StateField("bag", np.uint8, (KINDS,), "plates in the bag by kind"),
    StateField("trash", np.uint8, (KINDS,), "plates in the Trash by kind"),
    StateField("tiles", np.uint8, (len(TILES),), "staff kind by tile position"),
    StateField("first", np.uint8, (), "the first player"),
    StateField("num_satsuki", np.uint8, (), "plates that Satsuki has drawn and that wait for a choice"),
    StateField("satsuki", np.uint8, (2,), "these plates' kinds, or 255"),
    StateField("pile", np.uint8, (MAX_DISH_CARDS,), "dishes on the discard pile, top last; behind them 255"),
    StateField("pool", np.uint8, (DISH_CARDS,), "dish cards not yet revealed, those removed included, by kind"),
    StateField("stacks", np.uint8, (SEATS, MAX_STACK), "plate kinds by seat, top last; behind them 255"),
    StateField("declared", np.uint8, (SEATS, 2), "1 if the seat has declared Takoyaki, Onigiri in this challenge"),
    StateField("num_guesses", np.uint8, (SEATS,), "guesses made in this challenge, by seat"),
    StateField("guesses", np.uint8, (SEATS, CUBES_TAKOYAKI), "their colours, in order; behind them 255"),
    StateField("offered", np.uint8, (2,), "menus to choose from, or 255"),
    StateField("menu_deck", np.uint8, (NUM_MENUS,), "the menu deck, top first; behind it 255"),
    StateField("num_menus", np.uint8, (SEATS,), "menus kept, by seat"),
    StateField("menus", np.uint8, (SEATS, NUM_MENUS), "these menus, in order of keeping; behind them 255"),
    StateField("started", np.bool_, (), "the game has been begun"),
    StateField("ended", np.bool_, (), "the game was stopped before its end"),
    StateField("kind", np.uint8, (), "the kind of table, as `kind_of_table` numbers them"),
    StateField("points", np.uint16, (SEATS, len(POINT_KINDS)), "final points by seat and kind, once the game is over"),
    StateField("looked", np.bool_, (), "in this turn a Miso Soup was played, so the player may look through the stack"),
    StateField("padding", np.uint8, (3,), "nothing: words begin at multiples of their size"),
    StateField("episode", np.uint32, (), "games begun since the last seed, less one"),
    StateField("seed", np.uint64, (), "seed of the game's stream"),
    StateField("key", np.uint64, (), "key of the present episode's stream"),
    # what only a record needs
    StateField("chances", np.uint8, (CHANCES_KEPT,), "the code of every draw so far, then what was scripted"),
    StateField("actions", np.uint8, (ACTIONS_KEPT,), "every action so far"),
)
"""The table of fields, in the order they lie in a row."""


OFFSETS, ROW = offsets_of(FIELDS)
"""Field -> its first byte in a row; bytes of a row."""

LEGAL, BELT, PHASE, TO_ACT, FILLED = (OFFSETS[name] for name in ("legal", "belt", "phase", "to_act", "filled"))
NUM_ACTIONS_AT, NUM_CHANCES, SCRIPTED = OFFSETS["num_actions"], OFFSETS["num_chances"], OFFSETS["scripted"]
TURN, BACK, EFFECT, DECK_LEFT = OFFSETS["turn"], OFFSETS["back"], OFFSETS["effect"], OFFSETS["deck_left"]
WASABI_LEFT, BAG_SIZE, TRASH_SIZE = OFFSETS["wasabi_left"], OFFSETS["bag_size"], OFFSETS["trash_size"]
PILE_SIZE, PILE, POOL, FIRST = OFFSETS["pile_size"], OFFSETS["pile"], OFFSETS["pool"], OFFSETS["first"]
PAWNS, YEN, CUBES, STACK_SIZES = OFFSETS["pawns"], OFFSETS["yen"], OFFSETS["cubes"], OFFSETS["stack_sizes"]
DONE, STAGE, HANDS, EATEN = OFFSETS["done"], OFFSETS["stage"], OFFSETS["hands"], OFFSETS["eaten"]
BAG, TRASH_AT, TILES_AT, STACKS = OFFSETS["bag"], OFFSETS["trash"], OFFSETS["tiles"], OFFSETS["stacks"]
NUM_SATSUKI, SATSUKI_AT = OFFSETS["num_satsuki"], OFFSETS["satsuki"]
DECLARED, NUM_GUESSES, GUESSES = OFFSETS["declared"], OFFSETS["num_guesses"], OFFSETS["guesses"]
NUM_OFFERED, OFFERED = OFFSETS["num_offered"], OFFSETS["offered"]
MENU_DECK_SIZE, MENU_DECK = OFFSETS["menu_deck_size"], OFFSETS["menu_deck"]
NUM_MENUS_AT, MENUS_AT = OFFSETS["num_menus"], OFFSETS["menus"]
COLOUR_COUNTS, TYPE_COUNTS, STACK_POINTS = OFFSETS["colours"], OFFSETS["types"], OFFSETS["stack_points"]
STARTED, ENDED, KIND, POINTS = OFFSETS["started"], OFFSETS["ended"], OFFSETS["kind"], OFFSETS["points"]
EPISODE, KEY, LOOKED = OFFSETS["episode"], OFFSETS["key"], OFFSETS["looked"]
CHANCES, ACTIONS = OFFSETS["chances"], OFFSETS["actions"]
HOT = OFFSETS["pile"]
"""What most steps touch lies before this byte of a row."""


def kind_of_table(num_players: int, variant: str) -> int:
    """A number for each kind of table, kept with every game, so that no state is taken for another table's."""
    return 2 * num_players + (variant == MENU_VARIANT)


class State(Rows):
    """The rows of B games, `rows` uint8[B, ROW], and a view of each field as an attribute, [B, *shape]."""

    fields = FIELDS

    legal: NDArray[np.uint64]
    belt: NDArray[np.uint8]
    phase: NDArray[np.uint8]
    to_act: NDArray[np.uint8]
    filled: NDArray[np.uint16]
    num_actions: NDArray[np.uint16]
    num_chances: NDArray[np.uint16]
    scripted: NDArray[np.uint16]
    turn: NDArray[np.uint8]
    back: NDArray[np.uint8]
    effect: NDArray[np.uint8]
    deck_left: NDArray[np.uint8]
    wasabi_left: NDArray[np.uint8]
    bag_size: NDArray[np.uint8]
    trash_size: NDArray[np.uint8]
    pile_size: NDArray[np.uint8]
    pawns: NDArray[np.uint8]
    yen: NDArray[np.uint8]
    cubes: NDArray[np.uint8]
    stack_sizes: NDArray[np.uint8]
    stage: NDArray[np.uint8]
    menu_deck_size: NDArray[np.uint8]
    num_offered: NDArray[np.uint8]
    hands: NDArray[np.uint8]
    eaten: NDArray[np.uint8]
    colours: NDArray[np.uint8]
    types: NDArray[np.uint8]
    stack_points: NDArray[np.uint16]
    bag: NDArray[np.uint8]
    trash: NDArray[np.uint8]
    tiles: NDArray[np.uint8]
    first: NDArray[np.uint8]
    num_satsuki: NDArray[np.uint8]
    satsuki: NDArray[np.uint8]
    pile: NDArray[np.uint8]
    pool: NDArray[np.uint8]
    stacks: NDArray[np.uint8]
    declared: NDArray[np.uint8]
    num_guesses: NDArray[np.uint8]
    guesses: NDArray[np.uint8]
    offered: NDArray[np.uint8]
    menu_deck: NDArray[np.uint8]
    num_menus: NDArray[np.uint8]
    menus: NDArray[np.uint8]
    points: NDArray[np.uint16]
    looked: NDArray[np.bool_]
    padding: NDArray[np.uint8]
    key: NDArray[np.uint64]
    chances: NDArray[np.uint8]
    actions: NDArray[np.uint8]

    def __init__(self, num_games: int, kind: int = 0) -> None:
        self._view(np.zeros((num_games, ROW), np.uint8))
        self.done[:] = True
        self.phase[:] = OVER
        self.to_act[:] = NONE
        for field in (self.belt, self.pawns, self.stacks, self.pile, self.satsuki, self.guesses):
            field[:] = NONE
        for field in (self.offered, self.menu_deck, self.menus):
            field[:] = NONE
        self.kind[:] = kind
