"""The state of B games: one row of bytes a game, with a shaped view of each field.

Rows are what kernels work on, and what is copied, saved and restored. Fields have room for the largest table (5 seats;
in the two-player variant the dummy is tableau 2, its pile is in the deck). All is counted by card type.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_env.errors import SettingError
from sushigo_env.rows import Rows, StateField, offsets_of
from sushigo_env.sushi_go.cards import DECK, DUMMY, HAND_SIZE, PASSINGS, ROUNDS, K
from sushigo_env.sushi_go.plays import NUM_PLAYS
from sushigo_env.sushi_go.scoring import FEWEST_PUDDINGS, KINDS

SEATS = max(HAND_SIZE)
"""Seats of the largest table."""
PLAYS_KEPT = max(ROUNDS * seats * size for seats, size in HAND_SIZE.items())
"""Plays of the longest game."""
NO_CARD = 255
SCORE_OFFSET = -FEWEST_PUDDINGS
"""Added to the scores kept, since a final total may be as low as -6."""


FIELDS = (
    # what every step touches, in the first 184 bytes
    StateField("hands", np.uint8, (SEATS, K), "cards in hand, by seat and type; a chosen card stays until revealed"),
    StateField("tableaus", np.uint8, (SEATS, K), "cards laid this round, by seat and type"),
    StateField("status", np.uint8, (SEATS, 4), "by seat: uncovered wasabi, nigiri points, puddings kept, score + 6"),
    StateField("undealt", np.uint8, (K,), "cards of each type never yet in a hand"),
    StateField("turn", np.uint8, (), "turn of the round, from 0"),
    StateField("round", np.uint8, (), "round, from 0; 3 when the game is over"),
    StateField("reversed", np.uint8, (), "1 if hands go to the right this round"),
    StateField("half", np.uint8, (), "1 while the controller chooses the dummy's card"),
    StateField("controller", np.uint8, (), "seat in control this turn (two-player variant)"),
    StateField("drawn", np.uint8, (), "card type drawn from the pile this turn, or 255"),
    StateField("done", np.bool_, (), "the game is over, or was never begun"),
    StateField("started", np.bool_, (), "the game has been dealt"),
    StateField("pending", np.uint8, (2,), "the plays chosen in the first half, by seat"),
    StateField("first_controller", np.uint8, (), "seat in control of the game's first turn"),
    StateField("ended", np.bool_, (), "the game was stopped before its end"),
    StateField("episode", np.uint32, (), "games begun since the last seed, less one"),
    StateField("seed", np.uint64, (), "seed of the game's stream"),
    StateField("returned", np.uint8, (8,), "by hand: chopsticks that went back into it and are not known to have left"),
    StateField("pudding_points", np.int8, (8,), "pudding points by seat, once the game is over"),
    # what only round ends and records need
    StateField("deck", np.uint8, (len(DECK),), "all 108 cards in the order dealt: round by round, hand by hand"),
    StateField("plays", np.uint8, (PLAYS_KEPT,), "every action so far, turn by turn, seat by seat"),
    StateField("round_points", np.uint8, (ROUNDS, SEATS, len(KINDS)), "points by round, seat and kind"),
    StateField("placed", np.bool_, (), "the game was set to a position, so what came before it is not known"),
    StateField("kind", np.uint8, (), "the kind of table, as `kind_of_table` numbers them"),
)
"""The table of fields, in the order they lie in a row. Widths fall so that words lie on multiples of their size."""


OFFSETS, ROW = offsets_of(FIELDS)
"""Field -> its first byte in a row; bytes of a row."""


HANDS, TABLEAUS, STATUS, UNDEALT = OFFSETS["hands"], OFFSETS["tableaus"], OFFSETS["status"], OFFSETS["undealt"]
TURN, ROUND, REVERSED, HALF = OFFSETS["turn"], OFFSETS["round"], OFFSETS["reversed"], OFFSETS["half"]
CONTROLLER, DRAWN, DONE, PENDING = OFFSETS["controller"], OFFSETS["drawn"], OFFSETS["done"], OFFSETS["pending"]
DECK_AT, PLAYS_AT, POINTS_AT = OFFSETS["deck"], OFFSETS["plays"], OFFSETS["round_points"]
RETURNED = OFFSETS["returned"]
PUDDING_POINTS_AT, FIRST_CONTROLLER = OFFSETS["pudding_points"], OFFSETS["first_controller"]
STARTED, ENDED, END = OFFSETS["started"], OFFSETS["ended"], OFFSETS["kind"]
HOT = OFFSETS["seed"]
"""What every step touches lies before this byte of a row."""
BARE, NIGIRI_AT, PUDDINGS, SCORE = range(4)
"""The bytes of a seat's status."""
STATUS_SIZE, DUMMY_SEAT, KINDS_KEPT = 4, 2, len(KINDS)


def kind_of_table(num_players: int, variant: str, passing: str) -> int:
    """A number for each kind of table, kept with every game, so that no state is taken for another table's."""
    if variant == DUMMY:
        return 0  # two hands are switched, whatever the passing
    return num_players * len(PASSINGS) + PASSINGS.index(passing)


class State(Rows):
    """The rows of B games, `rows` uint8[B, ROW], and a view of each field as an attribute, [B, *shape]."""

    fields = FIELDS

    hands: NDArray[np.uint8]
    tableaus: NDArray[np.uint8]
    status: NDArray[np.uint8]
    undealt: NDArray[np.uint8]
    turn: NDArray[np.uint8]
    round: NDArray[np.uint8]
    reversed: NDArray[np.uint8]
    half: NDArray[np.uint8]
    controller: NDArray[np.uint8]
    drawn: NDArray[np.uint8]
    pending: NDArray[np.uint8]
    first_controller: NDArray[np.uint8]
    returned: NDArray[np.uint8]
    pudding_points: NDArray[np.int8]
    deck: NDArray[np.uint8]
    plays: NDArray[np.uint8]
    round_points: NDArray[np.uint8]
    placed: NDArray[np.bool_]

    def __init__(self, num_games: int, kind: int = 0) -> None:
        self._view(np.zeros((num_games, ROW), np.uint8))
        self.round[:] = ROUNDS
        self.done[:] = True
        self.drawn[:] = NO_CARD
        self.status[:, :, SCORE] = SCORE_OFFSET
        self.kind[:] = kind

    def check(self, rows: NDArray[np.uint8], size: int) -> None:
        """`SettingError` unless `rows` (uint8[B, ROW]) can be games at this kind of table, with hands of `size` cards.

        That is for another kind of table, and for values that no game can have and kernels would index with.
        """
        given = State.of(rows)
        if (given.kind != self.kind).any():
            raise SettingError("the saved state is of another kind of table (players, variant or passing differ).")
        cards = (given.deck < K).all() and ((given.drawn < K) | (given.drawn == NO_CARD)).all()
        turns = (given.turn < size).all() and (given.round <= ROUNDS).all() and (given.half <= 1).all()
        over = (given.done | (given.round < ROUNDS)).all()
        seats = (given.controller <= 1).all() and (given.first_controller <= 1).all()
        plays = (given.pending < NUM_PLAYS).all() and (given.plays <= NUM_PLAYS).all()
        flags = all((flag.view(np.uint8) <= 1).all() for flag in (given.done, given.started, given.ended, given.placed))
        counts = (given.hands.sum(2) <= size + 1).all()
        if not (cards and turns and over and seats and plays and flags and counts):
            raise SettingError("the saved state is damaged: it holds values that no game can have.")
