"""`memory` shows what a seat could know and no more: deal the cards it has not seen anew, and not a byte changes."""

from collections import Counter

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from sushigo_env import seeding
from sushigo_env.sushi_go.cards import CARDS, INDEX, K
from sushigo_env.sushi_go.game import SushiGo
from tests import strategies
from tests.agreement import new_game, play, random_actions, reference_of
from tests.reference import COPIES, Reference
from tests.reference_observation import ObservedReference

Slot = tuple[list[str], int]
"""A place in the deals: a hand (or the pile) and an index into it."""


def after(table: strategies.Table, seed: int, steps: int) -> tuple[SushiGo, ObservedReference, list[np.ndarray]]:
    """A game after some random steps, the plain game beside it, and the actions that led there."""
    game = new_game(table, seeding.game_seeds(seed, 1))
    reference = reference_of(game, 0)
    actions = play(game, steps)
    for taken in actions:
        reference.step(taken[0].tolist())
    return game, reference, actions


def hidden_cards(reference: ObservedReference, viewer: int) -> list[list[str]]:
    """The cards of each seat's hand that `viewer` cannot name."""
    known = reference.memory[viewer]
    return [list((Counter(hand) - Counter(known[seat])).elements()) for seat, hand in enumerate(reference.hands)]


def hidden_slots(reference: ObservedReference, viewer: int, deals: list[list[list[str]]]) -> list[Slot]:
    """The places in the deals of all cards that `viewer` has not seen."""
    later = [(hand, i) for hands in deals[reference.round + 1 :] for hand in hands for i in range(len(hand))]
    now = deals[reference.round]
    if reference.has_dummy:
        drawn_unseen = reference.turn + (viewer == reference.controller)
        later += [(now[2], i) for i in range(drawn_unseen, len(now[2]))]
        return later + ([(now[1 - viewer], i) for i in range(9)] if reference.turn == 0 else [])
    for seat, cards in enumerate(hidden_cards(reference, viewer)):
        steps = reference.turn if reference.direction() == 0 else -reference.turn
        hand = now[(seat - steps) % reference.num_players]
        for card in set(cards):
            places = [i for i, name in enumerate(hand) if name == card]
            later += [(hand, i) for i in places[: cards.count(card)]]
    return later


def deal_anew(reference: ObservedReference, viewer: int, seed: int) -> list[list[list[str]]]:
    """The game's deals with the cards that `viewer` has not seen shuffled, and all others where they were."""
    deals = [[list(hand) for hand in hands] for hands in reference.deals]
    slots = hidden_slots(reference, viewer, deals)
    never_dealt = Counter(COPIES) - Counter(card for hands in deals for hand in hands for card in hand)
    pool = sorted([hand[i] for hand, i in slots] + list(never_dealt.elements()))
    order = np.random.default_rng(seed).permutation(len(pool))
    for (hand, i), place in zip(slots, order, strict=False):
        hand[i] = pool[place]
    return deals


@given(strategies.tables_and_steps(), strategies.seeds(), st.integers(0, 4), st.integers(0, 2**32))
def test_the_same_history_with_the_unseen_cards_dealt_anew(table_and_steps, seed, viewer, shuffle):
    """The others' plays so far were public; what they chose in an open half-turn was not, so it may be anything."""
    (table, steps), viewer = table_and_steps, viewer % table_and_steps[0].num_players
    game, reference, actions = after(table, seed, steps)
    deals = deal_anew(reference, viewer, shuffle)
    assume(deals != reference.deals)
    other = SushiGo(1, **table.settings)
    other.reset(seeds=seeding.game_seeds(shuffle, 1), options={"deals": deals})
    for step, taken in enumerate(actions):
        if step == steps - 1 and reference.half == 1:
            own = taken[0, viewer]
            taken = random_actions(other, step)
            taken[0, viewer] = own
        other.step(taken)
    for setting in ("memory", "table"):
        np.testing.assert_array_equal(other.observe(setting)[0, viewer], game.observe(setting)[0, viewer])
    if not (reference.half == 1 and reference.controller != viewer):
        np.testing.assert_array_equal(other.legal()[0, viewer], game.legal()[0, viewer])


@given(strategies.tables_and_steps(), strategies.seeds(), st.integers(0, 4), st.integers(0, 2**32))
def test_a_position_with_the_unseen_cards_dealt_anew(table_and_steps, seed, viewer, shuffle):
    (table, steps), viewer = table_and_steps, viewer % table_and_steps[0].num_players
    game, reference, _ = after(table, seed, steps - steps % 2 if table.has_dummy else steps)
    before = game.observe("memory")[0, viewer].copy()
    position, hidden = game.position(), hidden_cards(reference, viewer)
    pool = [INDEX[name] for cards in hidden for name in cards] + position.upcoming.tolist()
    shuffled = np.random.default_rng(shuffle).permutation(pool).tolist()
    for seat, cards in enumerate(hidden):
        fresh, shuffled = shuffled[: len(cards)], shuffled[len(cards) :]
        names = Counter(cards)
        counts = np.bincount(np.array(fresh, int), minlength=K) - [names[name] for name in CARDS]
        position.hands[seat] += counts.astype(np.uint8)
        if cards and table.has_dummy and seat == position.controller:
            position.drawn = fresh[-1]
    position.upcoming = np.array(shuffled, np.uint8)
    game.set_position(position)
    np.testing.assert_array_equal(game.observe("memory")[0, viewer], before)


def test_the_reference_knows_every_hand_after_they_have_gone_round():
    for table in strategies.TABLES[:-1]:
        _, reference, _ = after(table, 3, table.num_players - 1)
        assert isinstance(reference, Reference)
        assert all(not cards for viewer in range(table.num_players) for cards in hidden_cards(reference, viewer))
