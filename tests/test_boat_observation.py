"""What a seat of Sushi Boat sees, and what it does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sushigo_env.sushi_boat.cards import GREEN, RED, VARIANTS
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.observation import OBSERVATIONS
from sushigo_env.sushi_boat.state import END
from tests.boat_observation import expected
from tests.boat_tools import TABLES, dishes, do, give_stack, new_game, play, walk
from tests.test_boat_engine import at_a_challenge


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_every_byte_is_as_worked_out_from_the_snapshot(players: int, variant: str) -> None:
    game = new_game(players, variant, seed=5, count=6)
    for step in walk(game):
        if step % 3 == 0:
            for setting in OBSERVATIONS:
                seen = game.observe(setting)
                for index in range(game.num_games):
                    for seat in range(players):
                        compare(game, seen[index, seat], expected(game, index, seat, setting))
            for index, whole in enumerate(game.state()):
                compare(game, whole, expected(game, index, 0, "memory", onlooker=True))
    assert game.done.all()
    compare(game, game.observe()[0, 1], expected(game, 0, 1, "memory"))


def compare(game: Any, seen: Any, wanted: Any) -> None:
    """Equal, or the names of the fields that are not."""
    if not np.array_equal(seen, wanted):
        layout = game.layout
        wrong = [
            name for name in layout.slices if not np.array_equal(layout.read(seen, name), layout.read(wanted, name))
        ]
        raise AssertionError(f"not as expected: {', '.join(wrong)}")


SECRETS = {"guesses", "menus", "offered"}
"""Fields that are not the same for all who look."""


def by_seat(game: SushiBoat) -> list[str]:
    """The fields that begin with the viewer."""
    names = list(game.layout.slices)
    return [name for name in names[: names.index("phase")] if name != "offered"]


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_observations_turn_with_the_seat(players: int, variant: str) -> None:
    game = new_game(players, variant, seed=9, count=4)
    read = game.layout.read
    turning = by_seat(game)
    for _ in walk(game, 120):
        seen = game.observe()
        for name in game.layout.slices:
            first = read(seen[:, 0], name)
            for seat in range(1, players):
                shown = read(seen[:, seat], name)
                if name in turning and name not in SECRETS:
                    np.testing.assert_array_equal(shown, np.roll(first, -seat, axis=1), name)
                elif name not in SECRETS:
                    np.testing.assert_array_equal(shown, first, name)


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_a_setting_adds_and_hides(variant: str) -> None:
    game = new_game(4, variant, seed=3, count=20)
    hidden, added = set(), set()
    for _ in walk(game):
        memory, strict, full = (game.observe(setting) for setting in OBSERVATIONS)
        for name in game.layout.slices:
            known, left, all_ = (game.layout.read(seen, name) for seen in (memory, strict, full))
            if not np.array_equal(known, left):
                hidden.add(name)
            if not np.array_equal(known, all_):
                added.add(name)
                assert ((all_ == known) | (known == 0)).all(), name
    assert hidden == {"stack_types", "stacks", "points", "belt", "discard_pile", "bag", "pool"}
    assert added == SECRETS if variant == "menus" else added == {"guesses"}


def test_largest_values_hold() -> None:
    for players, variant in TABLES:
        game = new_game(players, variant, seed=8, count=30)
        for _ in walk(game):
            assert (game.observe("full") <= game.layout.high).all()
        assert (game.scores <= game.max_score).all()


def read(game: SushiBoat, seat: int, name: str, setting: str | None = None) -> Any:
    return game.layout.read(game.observe(setting)[0, seat], name).copy()


def test_strict_looks_through_the_own_stack_after_a_miso_soup() -> None:
    game = new_game(2, seed=6)
    for _ in walk(game):
        if game.table.phase[0] == END:
            break
    seat = int(game.table.turn[0])
    game.table.hands[0, seat] = dishes(**{"Miso Soup": 1})
    give_stack(game, seat, [0, 7, 24, 3])  # red salmon, yellow shrimp, white california, red tuna
    game.table.pile_size[0] = 0
    hidden, open_ = [26, 27, 30, 4], [1, 8, 25, 4]
    assert read(game, seat, "stacks", "strict")[0][:4].tolist() == hidden
    assert read(game, seat, "stack_types", "strict")[0].tolist() == [0, 0, 0, 1, 0, 0, 0]
    do(game, "play Miso Soup")
    assert read(game, seat, "stacks", "strict")[0][:5].tolist() == [*open_, 0]
    assert read(game, seat, "stack_types", "strict")[0].tolist() == [1, 1, 0, 1, 0, 0, 1]
    assert read(game, 1 - seat, "stacks", "strict")[1][:4].tolist() == hidden
    assert read(game, 1 - seat, "stacks", "memory")[1][:4].tolist() == open_
    do(game, "end turn")
    assert read(game, seat, "stacks", "strict")[0][:4].tolist() == hidden


def test_strict_tells_nobody_of_types_below_the_top() -> None:
    one = new_game(3, seed=6)
    other = one.copy()
    give_stack(one, 0, [0, 7, 14])  # red salmon, yellow shrimp, green octopus: a set of 3
    give_stack(other, 0, [0, 8, 14])  # yellow octopus in the middle: a set of 2
    assert one.scores[0, 0] != other.scores[0, 0]
    np.testing.assert_array_equal(one.observe("strict"), other.observe("strict"))
    assert (one.observe("memory") != other.observe("memory")).any()
    for game in (one, other):
        game.observation = "strict"
    assert one.render() == other.render()
    assert "points ?" in one.render()
    play(one)
    assert read(one, 1, "points", "strict").tolist() == np.roll(one.scores[0], -1).tolist(), "counted openly at the end"
    assert f"points {one.scores[0, 0]}" in one.render()


# nobody peeks --------------------------------------------------------------------------------------------------------


def shown(game: SushiBoat, seats: list[int]) -> list[Any]:
    """All that these seats could get at."""
    own = [game.observe(setting)[:, seats].tolist() for setting in ("memory", "strict")]
    legal = game.legal()[:, seats].tolist()
    return [own, legal, game.state().tolist(), game.render(), game.scores.tolist(), game.to_act.tolist()]


def test_guesses_are_seen_by_nobody_until_they_are_in() -> None:
    one = at_a_challenge(4, (GREEN, RED), [dishes(Takoyaki=1)])
    do(one, "play Takoyaki")
    other = one.copy()
    first = int(one.to_act[0])
    for each in (one, other):
        do(each, f"guess {'red' if each is one else 'blue'}")
        do(each, f"guess {'white' if each is one else 'green'}")
    assert shown(one, [0, 2, 3]) == shown(other, [0, 2, 3])
    assert read(one, first, "guesses")[0].tolist() == [1, 0, 0, 0, 1]
    assert read(other, first, "guesses")[0].tolist() == [0, 0, 1, 1, 0]
    assert read(one, 0, "guesses", "full")[1].tolist() == [1, 0, 0, 0, 1]
    for each in (one, other):
        do(each, *["guess red"] * 4)
    assert read(one, 0, "guesses")[1].tolist() == [1, 0, 0, 0, 1], "the player with the Takoyaki sees them"
    assert read(one, 3, "guesses")[2].tolist() == [1, 0, 0, 0, 1], "and so do all"
    assert "guesses: red, white" in one.render()


def test_a_guess_with_takoyaki_is_seen_by_nobody() -> None:
    one = at_a_challenge(3, (GREEN, RED), [dishes(Takoyaki=1)])
    do(one, "play Takoyaki", *["guess red"] * 4)
    other = one.copy()
    do(one, "guess red", "guess blue")
    do(other, "guess white", "guess white")
    assert shown(one, [1, 2]) == shown(other, [1, 2])
    assert read(one, 0, "guesses")[0].tolist() == [1, 0, 0, 1, 0]


def test_menus_and_offers_are_seen_by_their_owner_alone() -> None:
    one = new_game(3, "menus", seed=2)
    seat = int(one.to_act[0])
    others = [each for each in range(3) if each != seat]
    other = one.copy()
    other.table.offered[0] = other.table.offered[0, ::-1]
    assert shown(one, others) == shown(other, others)
    assert read(one, seat, "offered").sum() == 2
    do(one, "keep first")
    do(other, "keep first")
    assert shown(one, others) == shown(other, others)
    assert (read(one, seat, "menus")[0] != read(other, seat, "menus")[0]).any()
    play(one)
    for viewer in range(3):
        assert read(one, viewer, "menus").sum() == one.table.num_menus[0].sum(), "at the end all lie open"


@pytest.mark.parametrize("players", [2, 5])
def test_secret_choices_change_nothing_for_others_in_random_games(players: int) -> None:
    game = new_game(players, "menus", seed=31)
    tried = {"GUESS": 0, "MENU": 0}
    for _ in walk(game):
        phase = game.snapshot()["phase"]
        if phase not in tried:
            continue
        seat, stage = int(game.to_act[0]), int(game.table.stage[0])
        views = []
        for action in game.legal_actions(0):
            after = game.copy()
            after.step_acting(np.array([action]))
            if phase == "MENU" or after.table.stage[0] == stage:
                views.append(shown(after, [each for each in range(players) if each != seat]))
        if len(views) > 1:
            tried[phase] += 1
            assert all(view == views[0] for view in views)
    assert tried["MENU"] >= players
    assert tried["GUESS"] > 0
