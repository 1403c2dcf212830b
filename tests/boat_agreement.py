"""Sushi Boat's engine held against the plain reference: the same seeds, the same actions, every field every time."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sushigo_env import seeding
from tests.boat_facts import ACTIONS, DISHES, STAFF_PLACES, USUAL, WORDS, Values
from tests.boat_reference import Reference

NOT_AT_THE_END = {"to_act", "phase"}
"""Fields that say nothing once a game is over."""

STYLES: dict[str, dict[str, float]] = {
    "uniform": {},
    "dishes": {"buy": 9, "take a yen": 3, "play": 0.5, "special order": 0.1, "order a menu": 0.1},
    "challenge": {
        "buy": 9,
        "take a yen": 2,
        "play": 3,
        "play Takoyaki": 0.02,
        "play Onigiri": 0.02,
        "DECLARE play Takoyaki": 9,
        "DECLARE play Onigiri": 9,
        "discard Takoyaki": 0.02,
        "discard Onigiri": 0.02,
        "special order": 0.1,
        "order a menu": 0.1,
    },
    "hoard": {"buy": 30, "take a yen": 9, "play": 0.02, "special order": 0.02, "order a menu": 0.02, "DECLARE play": 2},
    "staff": {"visit": 20, "take a yen": 2, "special order": 0.05, "order a menu": 0.05, "reveal": 5, "end turn": 5},
    "hungry": {
        "visit": 40,
        "pass": 0.1,
        "buy": 0.1,
        "special order": 0.05,
        "order a menu": 0,
        "play": 0.2,
        "place": 0.05,
        **{f"MOVE place {place}": 6.0 for place in STAFF_PLACES},
    },
    "orders": {"special order": 4, "order a menu": 4, "take a yen": 5, "buy": 0.2, "visit": 0.2},
    "seats": {"place": 6, "take a yen": 3, "special order": 0.1, "order a menu": 0.1},
}
"""How a game's players choose: the weight of what they like or shun; all else weighs 1.

Keys are a verb, an action in words, or either with its phase before it; the most exact one counts.
"""


class BoatEngine(Protocol):
    """What is asked of an engine: B games of P seats, stepped together."""

    num_games: int
    num_players: int

    def reset(self, *, seeds: NDArray[np.uint64]) -> None:
        """The first game of each seed."""

    def legal(self) -> NDArray[np.bool_]:
        """bool[B, P, A]: what each seat may do now."""

    def step(self, actions: NDArray[np.int32]) -> None:
        """int[B, P]: the action of the seat to act; the other entries, and games that are over, count for nothing."""


SnapshotOf = Callable[[Any, int], dict[str, Any]]
"""Engine and index of a game -> its snapshot."""


def chance_of(seed: int, episode: int = 0) -> Callable[[int], int]:
    """The draws of a seed's game, as the engine has them: numbers 0, 1, 2 ... of the game's stream."""
    key = np.uint64(seeding.episode_key(np.uint64(seed), np.uint64(episode)))
    counter = 0

    def chance(n: int) -> int:
        nonlocal counter
        bits = np.uint64(seeding.draw(key, np.uint64(counter)))
        counter += 1
        return int(seeding.below(bits, np.uint64(n)))

    return chance


def weight(style: dict[str, float], phase: str, action: int) -> float:
    """How much a style likes an action."""
    word, verb = WORDS[action], ACTIONS[action][0]
    for name in (f"{phase} {word}", word, f"{phase} {verb}", verb):
        if name in style:
            return style[name]
    return 1.0


def choose(legal: Sequence[int], phase: str, style: dict[str, float], key: int) -> int:
    """One of the legal actions, by the style's weights; uniformly where it shuns them all."""
    weights = list(accumulate(weight(style, phase, action) for action in legal))
    if weights[-1] <= 0:
        weights = [float(number) for number in range(1, len(legal) + 1)]
    drawn = (key >> 11) * 2.0**-53 * weights[-1]
    return legal[min(bisect_right(weights, drawn), len(legal) - 1)]


def check_games(
    game: BoatEngine,
    snapshot_of: SnapshotOf,
    menus: bool,
    first_seed: int,
    style: str = "uniform",
    look: Callable[[], None] | None = None,
    values: Values = USUAL,
) -> Counter[str]:
    """Play the engine's B games to their ends on both sides, by the same values, comparing all; see `play_on`."""
    seeds = seeding.game_seeds(first_seed, game.num_games)
    game.reset(seeds=seeds)
    references = [Reference(game.num_players, menus, chance_of(int(seed)), values=values) for seed in seeds]
    return play_on(game, snapshot_of, references, [int(seed) for seed in seeds], style, look)


def play_on(
    game: BoatEngine,
    snapshot_of: SnapshotOf,
    references: list[Reference],
    seeds: list[int],
    style: str = "uniform",
    look: Callable[[], None] | None = None,
) -> Counter[str]:
    """As `check_games`, from where the engine's games and their references stand; `seeds` decide what is chosen.

    `look` is called whenever all games have been compared, for what else there is to compare.
    How often each kind of thing came up: phase and verb, the dishes played, bags refilled, decisions, draws.
    `AssertionError` at the first difference, with game, decision, the actions so far and the fields that differ.
    """
    histories: list[list[int]] = [[] for _ in references]
    seen: Counter[str] = Counter()
    playing = list(range(len(references)))
    while True:
        mask = game.legal()
        actions = np.zeros((game.num_games, game.num_players), np.int32)
        for i in playing:
            reference, history = references[i], histories[i]
            where = f"{game.num_players} players, menus {reference.with_menus}, {style}, seed {seeds[i]}"
            expected = reference.snapshot()
            compare(snapshot_of(game, i), expected, mask[i], where, history)
            if not reference.done:
                key = seeding.key_of(seeds[i], len(history), 1)
                action = choose(expected["legal"], reference.phase, STYLES[style], key)
                seen.update(events(reference, action))
                actions[i, reference.to_act] = action
                history.append(action)
        if look is not None:
            look()
        playing = [i for i in playing if not references[i].done]
        if not playing:
            break
        game.step(actions)
        for i in playing:
            references[i].step(histories[i][-1])
    seen["decisions"] = sum(len(history) for history in histories)
    seen["draws"] = sum(reference.draws for reference in references)
    seen["bag refilled"] = sum(reference.refills for reference in references)
    return seen


def compare(
    found: dict[str, Any], expected: dict[str, Any], mask: NDArray[np.bool_], where: str, history: list[int]
) -> None:
    """Every field of a snapshot, and the mask of every seat."""
    fields = [name for name in expected if not (expected["done"] and name in NOT_AT_THE_END)]
    wrong = [
        f"{name} is {found[name]}, should be {expected[name]}"
        for name in fields
        if not same(found[name], expected[name])
    ]
    may = [expected["to_act"] * mask.shape[1] + action for action in expected["legal"]]
    if np.flatnonzero(mask).tolist() != may:
        found_by_seat = "; ".join(f"seat {seat} {np.flatnonzero(row).tolist()}" for seat, row in enumerate(mask))
        wrong.append(f"mask of {found_by_seat}; should be seat {expected['to_act']} {expected['legal']}")
    if wrong:
        told = ", ".join(WORDS[action] for action in history[-8:])
        raise AssertionError(
            f"{where}, decision {len(history)} ({expected['phase']}, seat {expected['to_act']}), "
            f"after ... {told}:\n  " + "\n  ".join(wrong) + f"\n  all actions: {history}"
        )


def same(found: Any, expected: Any) -> bool:
    """Whether a field is as it should be; an array of the engine's counts as the list of its items."""
    return bool((found.tolist() if isinstance(found, np.ndarray | np.generic) else found) == expected)


def events(reference: Reference, action: int) -> list[str]:
    """What is about to come up, in words that can be counted."""
    verb, argument = ACTIONS[action]
    own = reference.own
    what = f"{verb} {DISHES[argument]}" if verb in ("play", "discard") else verb
    found = [f"{reference.phase} {what}"]
    if verb == "play" and reference.phase != "DECLARE":
        found.append(f"special {DISHES[argument]}")
        found += ["Mochi for nothing"] * (DISHES[argument] == "Mochi" and len(own.stack) == 1)
    if verb == "visit":
        at = reference.values.tile_position(own.place)
        found += [] if at is None else [f"visit {reference.tiles[at]}"]
    if verb == "space" and reference.phase == "SPACE":
        found.append(f"space for {reference.effect}")
    if verb == "tile":
        found.append(f"Momoko for {reference.tiles[argument]}")
    if verb == "place":
        taken = reference.occupant(argument) is not None
        row = not taken and reference.is_in_the_others_row(argument)
        found += ["seat taken"] * taken + ["row paid for"] * row
    if reference.phase == "DECLARE" and own.declared and verb == "play":
        found.append("both declared")
    if reference.phase == "SATSUKI" and len(reference.satsuki) == 1:
        found.append("one plate drawn")
    if verb == "pair" and not reference.can_draw():
        found.append("no plate for Fugu")
    return found
