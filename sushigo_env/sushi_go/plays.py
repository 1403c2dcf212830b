"""The action table: every way to lay one or two cards, as an index.

12 single cards; 78 unordered pairs, laid in deck order; 6 pairs laid the other way round, where that makes a
difference: wasabi before a nigiri (with no uncovered wasabi on the table, else the nigiri goes on that one anyway),
and two different nigiri swapped (with exactly one uncovered wasabi, which takes the first). Action 96, `wait`, is the
idle seat's in the two-player variant.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sushigo_env.errors import ActionError
from sushigo_env.sushi_go.cards import CARDS, INDEX, NIGIRI, WASABI, K, label

_SINGLES = [(card,) for card in range(K)]
_PAIRS = [(first, second) for first in range(K) for second in range(first, K)]
_WASABI_FIRST = [(WASABI, nigiri) for nigiri in NIGIRI]
_NIGIRI_SWAPPED = [(second, first) for i, first in enumerate(NIGIRI) for second in NIGIRI[i + 1 :]]
CARD_PLAYS: tuple[tuple[int, ...], ...] = (*_SINGLES, *_PAIRS, *_WASABI_FIRST, *_NIGIRI_SWAPPED)
"""Action -> the card types it lays, in order."""
PLAYS: tuple[tuple[str, ...], ...] = tuple(tuple(CARDS[card] for card in play) for play in CARD_PLAYS)
"""Action -> the names of the cards it lays, in order."""

FIRST_PAIR = len(_SINGLES)
FIRST_WASABI = FIRST_PAIR + len(_PAIRS)
FIRST_SWAPPED = FIRST_WASABI + len(_WASABI_FIRST)
NUM_PLAYS = len(CARD_PLAYS)
WAIT = NUM_PLAYS
"""The two-player variant's idle action."""

NONE = K
"""In `SECOND`: no second card."""
FIRST = np.array([play[0] for play in CARD_PLAYS], np.uint8)
"""uint8[96]: the card laid first."""
SECOND = np.array([play[1] if len(play) == 2 else NONE for play in CARD_PLAYS], np.uint8)
"""uint8[96]: the card laid second, or `NONE`."""
PAIR_ROW = np.array([FIRST_PAIR + first * K - first * (first - 1) // 2 for first in range(K)], np.int64)
"""int64[12]: the action that lays two of a type; those after it lay that type and each later one."""
_ACTION = {play: action for action, play in enumerate(CARD_PLAYS)}


def index(cards: Sequence[str | int], uncovered_wasabi: int | None = None) -> int:
    """The action that lays `cards` (one or two, names or types, in the order laid).

    Where the order makes no difference both orders are the one play. Given the number of uncovered wasabi in front of
    the player, a reversed pair that makes no difference there is the pair in deck order; without it, reversed pairs
    that can matter keep their own action. `ActionError` if there is no such play.
    """
    if not isinstance(cards, list | tuple) or not 1 <= len(cards) <= 2:
        raise ActionError(f"a play is a list of one or two cards, not {cards!r}.")
    play = tuple(_card(card) for card in cards)
    action = _ACTION.get(play, -1)
    if action < 0:
        return _ACTION[play[::-1]]
    if uncovered_wasabi is not None and action >= FIRST_WASABI:
        matters = uncovered_wasabi == (0 if action < FIRST_SWAPPED else 1)
        if not matters:
            return _ACTION[play[::-1]]
    return action


def describe(action: int) -> str:
    """A play in words, such as `Wasabi, then Egg Nigiri`; `ActionError` if there is no such action."""
    if not _is_whole(action) or not 0 <= action <= WAIT:
        raise ActionError(f"actions are 0 to {WAIT} ({WAIT} only in the two-player variant), not {action!r}.")
    if action == WAIT:
        return "wait"
    return ", then ".join(label(name) for name in PLAYS[action])


def _card(card: str | int) -> int:
    if isinstance(card, str):
        if card not in INDEX:
            raise ActionError(f"unknown card {card!r}; the cards are {', '.join(CARDS)}.")
        return INDEX[card]
    if not _is_whole(card) or not 0 <= card < K:
        raise ActionError(f"card types are 0 to {K - 1}, not {card!r}.")
    return int(card)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
