"""Given deals and decks: hands by name into the order a deck is dealt in, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.errors import SettingError
from sushigo_env.sushi_go.cards import CARDS, COPIES, INDEX, ROUNDS, K

if TYPE_CHECKING:
    from sushigo_env.sushi_go.game import SushiGo


def card_types(names: Sequence[str | int], where: str) -> list[int]:
    """Card types of names (types pass through); `SettingError` naming `where` for an unknown card."""
    if isinstance(names, str) or not isinstance(names, Sequence | np.ndarray):
        raise SettingError(f"{where} must be a list of cards, not {names!r}.")
    types = []
    for name in names:
        if isinstance(name, str) and name in INDEX:
            types.append(INDEX[name])
        elif isinstance(name, int | np.integer) and not isinstance(name, bool) and 0 <= name < K:
            types.append(int(name))
        else:
            raise SettingError(f"{where} has an unknown card {name!r}; the cards are {', '.join(CARDS)}.")
    return types


def check_copies(types: Sequence[int], where: str) -> None:
    """`SettingError` if `types` hold more of a card than the deck."""
    counts = np.bincount(np.asarray(types, np.int64), minlength=K)
    for card in np.flatnonzero(counts > COPIES):
        raise SettingError(f"{where}: {counts[card]} {CARDS[card]}, but the deck has {COPIES[card]}.")


def deck_of(deals: Any, tableaus: int, hand_size: int) -> NDArray[np.uint8]:
    """uint8[108]: the deck that deals `deals[round][seat]`, the cards never dealt after it in deck order.

    `SettingError` for a wrong number of rounds, hands or cards, an unknown card, more copies than the deck has.
    """
    dealt: list[int] = []
    _check_length(deals, ROUNDS, "deals", "rounds")
    for round_, hands in enumerate(deals):
        _check_length(hands, tableaus, f"deals of round {round_ + 1}", "hands")
        for seat, hand in enumerate(hands):
            where = f"deals of round {round_ + 1}, hand {seat}"
            dealt += card_types(hand, where)
            _check_length(hand, hand_size, where, "cards")
    check_copies(dealt, "deals")
    rest = np.repeat(np.arange(K), COPIES - np.bincount(np.asarray(dealt), minlength=K))
    return np.concatenate([dealt, rest]).astype(np.uint8)


def write_deals(deals: Any, game: SushiGo) -> NDArray[np.uint8]:
    """uint8[1 or B, 108]: decks for the option `deals` of `reset`: one game's deals, or a list of one for each."""
    try:
        nested = np.ndim(deals[0][0][0]) > 0
    except (TypeError, IndexError, KeyError, ValueError):
        nested = False
    if not nested:
        return deck_of(deals, game.num_tableaus, game.hand_size)[None]
    _check_length(deals, game.num_games, "deals", "games")
    return np.stack([deck_of(one, game.num_tableaus, game.hand_size) for one in deals])


def deals_of(game: SushiGo, index: int) -> list[list[list[str]]]:
    """`deals[round][seat]` of a game, by name, from its deck."""
    tableaus, size = game.num_tableaus, game.hand_size
    dealt = game.table.deck[index, : ROUNDS * tableaus * size].reshape(ROUNDS, tableaus, size)
    return [[[CARDS[card] for card in hand] for hand in hands] for hands in dealt]


def _check_length(value: Any, length: int, where: str, what: str) -> None:
    listed = (
        isinstance(value, Sequence | np.ndarray)
        and not isinstance(value, str)
        and (not isinstance(value, np.ndarray) or value.ndim > 0)
    )
    if not listed or len(value) != length:
        found = len(value) if listed else repr(value)
        raise SettingError(f"{where} must have {length} {what}, not {found}.")
