"""Complete positions that agree with what a seat sees: what is hidden is dealt at random from the unseen cards.

A search works on these alone, so it cannot know more than its seat does. The viewer is seat 0 of such a position, the
left neighbour seat 1, and so on, as in the observation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.search._choices import MASK_WORDS, as_bytes, choose_legal
from sushigo_env import checks
from sushigo_env._jit import jit
from sushigo_env._memory import clear, copy, load32, on_stack, pointer, store32
from sushigo_env.errors import SettingError
from sushigo_env.seeding import below, draw
from sushigo_env.sushi_go.cards import CHOPSTICKS, COPIES, DECK, DUMMY, PASSINGS, ROUNDS, K, hand_size
from sushigo_env.sushi_go.encoder import (
    CONTROLS,
    DIRECTION,
    HALF_SEEN,
    OTHER_HANDS,
    OWN_HAND,
    PENDING_SEEN,
    ROUND_SEEN,
    STATUS_SEEN,
    TABLEAUS_SEEN,
    TURN_SEEN,
    UNKNOWN_CARDS,
    UNSEEN,
)
from sushigo_env.sushi_go.legal import write_mask
from sushigo_env.sushi_go.observation import layout, offsets
from sushigo_env.sushi_go.plays import CARD_PLAYS, FIRST_PAIR, NUM_PLAYS, PAIR_ROW
from sushigo_env.sushi_go.state import (
    CONTROLLER,
    DECK_AT,
    DRAWN,
    HALF,
    HANDS,
    NO_CARD,
    PENDING,
    RETURNED,
    REVERSED,
    ROUND,
    ROW,
    STARTED,
    STATUS,
    STATUS_SIZE,
    TABLEAUS,
    TURN,
    UNDEALT,
    State,
    kind_of_table,
)

# mypy: disable-error-code="no-untyped-def,assignment"
# (Compiled functions: Numba infers their types; the docstrings give them.)

DECK_SIZE = len(DECK)
_CARDS = ("own_hand", "other_hands", "unseen", "tableaus", "pending")
"""Fields that tell of different cards."""
_NEEDED = np.array([np.bincount(play, minlength=K) for play in CARD_PLAYS])
"""int64[96, 12]: the cards that each play takes out of the hand."""
DRAWN_KEY, PENDING_KEY = np.uint64(1000), np.uint64(1001)
"""Counters of the stream that no card is dealt by."""


@jit
def write_position(seen, at, players, size, dummy, key, later, row):
    """Write to `row` a position that agrees with the observation `seen`, hidden cards dealt by `key`.

    `at` points to the fields' offsets. With `later` the rest of the deck is shuffled for the rounds to come; without
    it nothing may be dealt from it.
    """
    clear(row, 0, ROW)
    copy(row, HANDS, seen, at[OWN_HAND], K)
    for seat in range(players + dummy):
        copy(row, TABLEAUS + seat * K, seen, at[TABLEAUS_SEEN] + seat * K, K)
        store32(row, STATUS + seat * STATUS_SIZE, load32(seen, at[STATUS_SEEN] + seat * STATUS_SIZE))
    turn, round_ = np.int64(seen[at[TURN_SEEN]]), np.int64(seen[at[ROUND_SEEN]])
    row[TURN], row[ROUND], row[REVERSED], row[STARTED] = turn, round_, seen[at[DIRECTION]], 1
    row[DRAWN] = NO_CARD
    pool, left = on_stack(DECK_SIZE), 0
    for card in range(K):
        for _ in range(np.int64(seen[at[UNSEEN] + card])):
            pool[left] = card
            left += 1
    unseen, counter = left, np.uint64(0)
    for seat in range(1, players):
        hand = HANDS + seat * K
        copy(row, hand, seen, at[OTHER_HANDS] + (seat - 1) * K, K)
        unknown = np.int64(seen[at[UNKNOWN_CARDS] + seat - 1])
        if unknown:
            row[RETURNED + seat] = row[hand + CHOPSTICKS] if not dummy else np.uint8(0)
        for _ in range(unknown):
            place = np.int64(below(draw(key, counter), np.uint64(left)))
            counter += np.uint64(1)
            left -= 1
            card, pool[place] = pool[place], pool[left]
            pool[left] = card  # what was dealt lies behind what is left
            row[hand + card] += 1
            if dummy:
                row[DRAWN] = card
    for place in range(left):
        row[UNDEALT + pool[place]] += 1
    if dummy:
        _write_control(seen, at, key, row)
    if not later and not dummy:
        return
    start = (round_ + 1) * (players + dummy) * size
    if dummy:
        start -= size - turn - 1
    for place in range(left - 1, 0, -1):
        other = np.int64(below(draw(key, np.uint64(unseen + place)), np.uint64(place + 1)))
        pool[place], pool[other] = pool[other], pool[place]
    for place in range(min(left, DECK_SIZE - start)):
        row[DECK_AT + start + place] = pool[place]


@jit
def _write_control(seen, at, key, row):
    """What the two-player variant adds: who controls, what was drawn, and in the second half the plays chosen."""
    controls, half = seen[at[CONTROLS]], seen[at[HALF_SEEN]]
    row[CONTROLLER], row[HALF] = 1 - controls, half
    if controls:  # which of the own cards was drawn matters to nobody but the other seat's eyes
        cards = np.int64(0)
        for card in range(K):
            cards += row[HANDS + card]
        place = np.int64(below(draw(key, DRAWN_KEY), np.uint64(cards)))
        for card in range(K):
            place -= np.int64(row[HANDS + card])
            if place < 0:
                row[DRAWN] = card
                break
    if half == 0:
        return
    first = second = np.int64(-1)
    for card in range(K):
        for _ in range(np.int64(seen[at[PENDING_SEEN] + card])):
            row[HANDS + card] += 1
            first, second = second, np.int64(card)
    row[PENDING] = second if first < 0 else PAIR_ROW[first] + second - first
    mask = as_bytes(on_stack(MASK_WORDS))
    write_mask(row, 1, 1 - np.int64(controls), mask)
    row[PENDING + 1] = choose_legal(mask, NUM_PLAYS, draw(key, PENDING_KEY))


def check_possible(
    observation: NDArray[np.uint8], action_mask: NDArray[np.bool_] | None, num_players: int, variant: str
) -> None:
    """`SettingError` for rows (uint8[N, D]) that no game shows, and for those of games that are over.

    So also for a mask (bool[N, A]) that allows nothing, or cards that the seat does not hold. Not all that is let
    through is possible, but kernels that play on from it do not go astray.
    """
    here = layout(num_players, variant)
    told = {name: observed.astype(np.int64) for name, observed in here.as_dict(observation).items()}
    over = told["round"] >= ROUNDS
    if over.any():
        raise SettingError(f"row {over.argmax()} must be of a game that goes on: a game that is over has no position.")
    cards = np.concatenate([told[name].reshape(len(observation), -1, K) for name in _CARDS if name in told], axis=1)
    hidden = told["unknown_cards"].sum(axis=1) > told["unseen"].sum(axis=1)
    wrong = (observation > here.high).any(axis=1) | (cards.sum(axis=1) > COPIES).any(axis=1) | hidden
    if wrong.any():
        raise SettingError(f"row {wrong.argmax()} cannot be what a seat sees: there are no such cards, or too many.")
    if action_mask is None:
        return
    lacks: NDArray[np.bool_] = (told["own_hand"][:, None] < _NEEDED).any(axis=2)
    lacks[:, FIRST_PAIR:] |= told["tableaus"][:, 0, CHOPSTICKS, None] == 0
    odd = (action_mask[:, :NUM_PLAYS] & lacks).any(axis=1) | ~action_mask.any(axis=1)
    if odd.any():
        raise SettingError(f"the mask of row {odd.argmax()} must allow something, and only what the seat can lay.")


def sample_positions(
    observation: NDArray[np.uint8],
    keys: NDArray[np.uint64],
    num_players: int,
    variant: str = "standard",
    passing: str = "left",
) -> NDArray[np.uint8]:
    """uint8[N, bytes a game]: for each row a complete position that agrees with it, which `SushiGo.restore` takes.

    `observation` uint8[N, D] as the setting `memory` gives it, of decisions in a game that goes on; `keys` uint64[N]
    decide what is dealt: unseen cards to the unknown places of the other hands, each way equally likely, and the rest
    to the deck. The viewer sits at seat 0. In the variant's second half the other seat's play, which nobody has seen,
    is any legal one. `SettingError` for shapes, dtypes and passing directions that do not fit, for observations of
    games that are over, and for such as no game shows.
    """
    checks.one_of("passing", passing, PASSINGS)
    observation, keys = np.asarray(observation), np.asarray(keys)
    wanted = (len(keys), layout(num_players, variant).size)
    if observation.shape != wanted or observation.dtype != np.uint8:
        raise SettingError(f"observations must be uint8{[*wanted]}, not {observation.dtype}{[*observation.shape]}.")
    if keys.ndim != 1 or keys.dtype.kind not in "iu":
        raise SettingError(f"keys must be uint64[N], not {keys.dtype}{[*keys.shape]}.")
    check_possible(observation, None, num_players, variant)
    at = offsets(num_players, variant)
    state = State(len(keys), kind_of_table(num_players, variant, passing))
    kind = state.kind.copy()
    table = num_players, hand_size(num_players, variant), int(variant == DUMMY)
    _write_positions(np.ascontiguousarray(observation), at, *table, np.ascontiguousarray(keys, np.uint64), state.rows)
    state.kind[:], state.placed[:] = kind, True
    return state.rows


@jit
def _write_positions(observation, at, players, size, dummy, keys, rows):
    fields = pointer(at, 0)
    for i in range(len(keys)):
        write_position(pointer(observation[i], 0), fields, players, size, dummy, keys[i], 1, pointer(rows[i], 0))
