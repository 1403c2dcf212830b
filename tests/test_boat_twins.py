"""Twin games of Sushi Boat: alike in all that a seat may know, not in what it may not, and so alike to look at."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from sushigo_env.sushi_boat.cards import GREEN, RED
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.observation import OBSERVATIONS
from tests.boat_facts import CARD_COPIES, TUNNEL, colour_of
from tests.boat_tools import TABLES, dishes, do, new_game, put, random_actions, walk
from tests.test_boat_engine import at_a_challenge
from tests.test_boat_observation import read, shown


def set_to(twin: SushiBoat, game: SushiBoat) -> None:
    """The state of another game of the same table, which is faster than a copy."""
    twin.table.rows[:] = game.table.rows


def check_states(like: SushiBoat, states: list[NDArray[np.uint8]]) -> None:
    """`SettingError` where one of the states is not one that a game can have."""
    SushiBoat(len(states), like.num_players, variant=like.variant).restore(np.concatenate(states))


# what is to come is seen by nobody ----------------------------------------------------------------------------------


def other_menu_deck(game: SushiBoat) -> None:
    size = game.table.menu_deck_size[0]
    game.table.menu_deck[0, :size] = game.table.menu_deck[0, :size][::-1].copy()


def other_key(game: SushiBoat) -> None:
    game.table.key[0] ^= np.uint64(1)


def other_draws(game: SushiBoat) -> None:
    made = int(game.table.num_chances[0])
    game.table.chances[0, made : made + 20] = np.arange(1, 21)  # not what is there: zeros
    game.table.scripted[0] = made + 20


TO_COME = [
    (other, players, variant)
    for other in (other_menu_deck, other_key, other_draws)
    for players, variant in TABLES
    if variant == "menus" or other is not other_menu_deck
]


@pytest.mark.parametrize(("other", "players", "variant"), TO_COME)
def test_what_is_to_come_is_seen_by_nobody(other: Callable[[SushiBoat], None], players: int, variant: str) -> None:
    one = new_game(players, variant, seed=13)
    twin, after = one.copy(), one.copy()
    seats, parted, states = list(range(players)), 0, []
    for step in walk(one):
        set_to(twin, one)
        set_to(after, one)
        other(twin)
        states.append(twin.save())
        assert shown(twin, seats) == shown(one, seats)
        np.testing.assert_array_equal(twin.observe("full"), one.observe("full"))
        for each in (twin, after):
            each.step_acting(random_actions(one, step))
        parted += not np.array_equal(twin.observe("full"), after.observe("full"))
    check_states(one, states)
    assert parted >= players, "what is to come made no difference, so the twins were none"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_which_menus_others_hold_and_which_are_left_is_seen_by_nobody_else(players: int) -> None:
    one = new_game(players, "menus", seed=17)
    twin, states = one.copy(), []
    for step in walk(one):
        seat = step % players
        others = [each for each in range(players) if each != seat]
        if one.table.num_menus[0, seat] == 0 or one.table.menu_deck_size[0] == 0:
            continue
        set_to(twin, one)
        held, left = one.table.menus[0, seat, 0], one.table.menu_deck[0, 0]
        twin.table.menus[0, seat, 0], twin.table.menu_deck[0, 0] = left, held
        states.append(twin.save())
        assert shown(twin, others) == shown(one, others)
        assert (twin.observe("memory")[0, seat] != one.observe("memory")[0, seat]).any()
    check_states(one, states)
    assert len(states) > 50


# strict hides what people have to remember ---------------------------------------------------------------------------


def swap_tunnel_and_bag(game: SushiBoat) -> bool:
    """A plate in the tunnel for one of another kind in the bag."""
    space = TUNNEL[game.table.num_actions[0] % 2]
    hidden = int(game.table.belt[0, space])
    others = [kind for kind in np.flatnonzero(game.table.bag[0]) if kind != hidden]
    if not others:
        return False
    game.table.belt[0, space] = others[0]
    game.table.bag[0, others[0]] -= 1
    game.table.bag[0, hidden] += 1
    return True


def swap_bag_and_stack(game: SushiBoat) -> bool:
    """A plate below the top of a stack for one of its colour and another type in the bag."""
    table = game.table
    for seat in np.roll(range(game.num_players), table.num_actions[0]):
        if table.looked[0] and table.turn[0] == seat:  # the owner looks through this one
            continue
        for at, plate in enumerate(table.stacks[0, seat, : max(int(table.stack_sizes[0, seat]) - 1, 0)].tolist()):
            for kind in np.flatnonzero(table.bag[0]):
                if kind != plate and colour_of(kind) == colour_of(plate):
                    table.stacks[0, seat, at] = kind
                    table.bag[0, kind] -= 1
                    table.bag[0, plate] += 1
                    return True
    return False


def other_arrow(game: SushiBoat) -> bool:
    """A dish card left has the other arrow, and one of the same dish that was revealed had."""
    pool = game.table.pool[0]
    for green in range(0, len(pool), 2):
        for less, more in ((green, green + 1), (green + 1, green)):
            if pool[less] > 0 and pool[more] < CARD_COPIES[more]:
                pool[less] -= 1
                pool[more] += 1
                return True
    return False


def swap_pool_and_pile(game: SushiBoat) -> bool:
    """A dish on the discard pile, below its top, for another one left."""
    pile, pool = game.table.pile[0], game.table.pool[0]
    for at in range(int(game.table.pile_size[0]) - 1):
        for card in np.flatnonzero(pool):
            dish = int(pile[at])
            card_there = 2 * dish + int(pool[2 * dish] >= CARD_COPIES[2 * dish])
            if card // 2 != dish and pool[card_there] < CARD_COPIES[card_there]:
                pile[at] = card // 2
                pool[card] -= 1
                pool[card_there] += 1
                return True
    return False


def other_order_of_the_pile(game: SushiBoat) -> bool:
    """The discard pile below its top the other way round."""
    below = game.table.pile[0, : max(int(game.table.pile_size[0]) - 1, 0)]
    turned = below[::-1].copy()
    differs = bool((below != turned).any())
    below[:] = turned
    return differs


HIDDEN = {
    swap_tunnel_and_bag: {"belt", "bag"},
    swap_bag_and_stack: {"stacks", "stack_types", "points", "bag"},
    other_arrow: {"pool"},
    swap_pool_and_pile: {"pool", "discard_pile"},
    other_order_of_the_pile: {"discard_pile"},
}
"""What makes a twin that differs in nothing that lies open -> the fields by which `memory` tells it."""


def told_by(one: SushiBoat, other: SushiBoat, setting: str) -> list[set[str]]:
    """By viewer, the fields in which two games differ."""
    seen, others, read_field = one.observe(setting)[0], other.observe(setting)[0], one.layout.read
    return [
        {name for name in one.layout.slices if not np.array_equal(read_field(a, name), read_field(b, name))}
        for a, b in zip(seen, others, strict=True)
    ]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("change", HIDDEN)
def test_strict_hides_what_memory_tells(change: Callable[[SushiBoat], bool], players: int) -> None:
    one = new_game(players, "menus", seed=19, observation="strict")
    twin, states, fields = one.copy(), [], set()
    for _ in walk(one):
        set_to(twin, one)
        if not change(twin):
            continue
        put(twin)
        states.append(twin.save())
        assert told_by(one, twin, "strict") == [set()] * players
        assert (one.render(), one.legal_actions()) == (twin.render(), twin.legal_actions())
        by_memory = told_by(one, twin, "memory")
        assert all(by_memory)
        fields |= set.union(*by_memory)
    check_states(one, states)
    assert len(states) > 20
    assert not fields - HIDDEN[change]


# after a challenge its guesses are gone ------------------------------------------------------------------------------


def after_guesses(*guesses: str) -> SushiBoat:
    """Player 0 has guessed these with a Takoyaki, after player 2 put a cube on red, where green and red are hidden."""
    game = at_a_challenge(3, (GREEN, RED), [dishes(Takoyaki=1), dishes(Onigiri=1)])
    do(game, "play Takoyaki", "play Onigiri", "guess red", "guess white", *(f"guess {colour}" for colour in guesses))
    return game


def test_after_a_challenge_nobody_sees_a_guess_and_cubes_tell_how_it_went() -> None:
    game = after_guesses("red", "red")
    for setting in OBSERVATIONS:
        assert read(game, 0, "guesses", setting).sum() == 4, "before the last guess"
        assert read(game, 1, "declared", setting).sum() == 2
    do(game, "guess green")
    for seat in range(3):
        for setting in OBSERVATIONS:
            assert read(game, seat, "guesses", setting).sum() == 0
            assert read(game, seat, "declared", setting).sum() == 0
            assert read(game, seat, "cubes", setting).tolist() == np.roll([3, 2, 1], -seat).tolist()
    assert game.layout.read(game.state()[0], "guesses").sum() == 0
    assert "guesses:" not in game.render()


def test_guesses_that_keep_as_many_cubes_come_to_the_same() -> None:
    one, other = after_guesses("red", "white"), after_guesses("green", "yellow")
    assert told_by(one, other, "full") == [{"guesses"}] * 3
    do(one, "guess yellow")
    do(other, "guess blue")
    assert one.table.cubes[0, 0] == other.table.cubes[0, 0] == 1
    assert shown(one, [0, 1, 2]) == shown(other, [0, 1, 2])
    np.testing.assert_array_equal(one.observe("full"), other.observe("full"))
