"""The 12 card types of Sushi Go!, the deck of 108, the hands. Facts: docs/rules.md."""

from __future__ import annotations

import numpy as np

from sushigo_env.errors import SettingError

CARDS: tuple[str, ...] = (
    "tempura",
    "sashimi",
    "dumpling",
    "maki_1",
    "maki_2",
    "maki_3",
    "salmon_nigiri",
    "squid_nigiri",
    "egg_nigiri",
    "pudding",
    "wasabi",
    "chopsticks",
)
"""Names by card type, as records spell them; a card type is its index here."""
(TEMPURA, SASHIMI, DUMPLING, MAKI_1, MAKI_2, MAKI_3, SALMON, SQUID, EGG, PUDDING, WASABI, CHOPSTICKS) = range(12)
K = len(CARDS)
"""Number of card types."""
COPIES = np.array([14, 14, 14, 6, 12, 8, 10, 5, 5, 10, 6, 4], np.uint8)
"""uint8[12]: copies of each type in the deck."""
DECK = np.repeat(np.arange(K, dtype=np.uint8), COPIES)
"""uint8[108]: the deck in order."""
INDEX: dict[str, int] = {name: card for card, name in enumerate(CARDS)}
"""Name -> card type."""

NIGIRI = (SALMON, SQUID, EGG)
"""The three nigiri, the cards that a wasabi triples."""
ROUNDS = 3
HAND_SIZE = {2: 10, 3: 9, 4: 8, 5: 7}
"""Players -> cards dealt to each, every round."""
DUMMY_HAND_SIZE = 9
"""Cards in each of the two hands and the pile of the two-player variant."""

PASSINGS = ("left", "alternate")
"""Who gets a hand next: the left neighbour always, or the right one in round 2."""
DUMMY = "two_player_dummy"
VARIANTS: dict[str, tuple[int, ...]] = {"standard": tuple(HAND_SIZE), DUMMY: (2,)}
"""Variant -> numbers of players, the usual variant first."""


def label(name: str) -> str:
    """A card's printed name: `egg_nigiri` -> `Egg Nigiri`, `maki_2` -> `Maki Roll (2)`."""
    if name.startswith("maki_"):
        return f"Maki Roll ({name[5:]})"
    return name.replace("_", " ").title()


def hand_size(num_players: int, variant: str = "standard") -> int:
    """Cards dealt to a hand each round; `SettingError` if the table is none the rules know."""
    whole = isinstance(num_players, int | np.integer) and not isinstance(num_players, bool)
    if not whole or num_players not in HAND_SIZE:
        raise SettingError(f"num_players must be 2, 3, 4 or 5, not {num_players!r}.")
    if not isinstance(variant, str) or variant not in VARIANTS:
        raise SettingError(f"variant must be one of {', '.join(VARIANTS)}, not {variant!r}.")
    if variant == DUMMY:
        if num_players != 2:
            raise SettingError(f"variant {DUMMY} is for 2 players, not {num_players}.")
        return DUMMY_HAND_SIZE
    return HAND_SIZE[num_players]
