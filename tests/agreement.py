"""The engine held against the plain reference: the same deals, the same plays, everything compared at every step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env import seeding
from sushigo_env.sushi_go.deals import deals_of
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.observation import OBSERVATIONS
from sushigo_env.sushi_go.plays import PLAYS
from sushigo_env.sushi_go.scoring import KINDS
from tests.reference import Reference
from tests.reference_observation import ObservedReference
from tests.strategies import Table


def new_game(table: Table, seeds: NDArray[np.uint64], num_threads: int = 1) -> SushiGo:
    """Freshly dealt games at a table, one a seed."""
    game = SushiGo(len(seeds), num_threads=num_threads, **table.settings)  # type: ignore[arg-type]
    game.reset(seeds=seeds)
    return game


def random_actions(game: SushiGo, step: int, favourites: Iterable[str] = ()) -> NDArray[np.int32]:
    """int32[B, P]: a uniform choice of every seat's legal actions, from the games' own keys.

    Seats that hold one of the `favourites` (names of cards) choose among the plays that lay one.
    """
    mask = game.legal()
    liked = [bool({*favourites} & {*play}) for play in PLAYS] + [False] * (game.num_actions - len(PLAYS))
    wanted = mask & np.array(liked)
    mask = np.where(wanted.any(axis=-1, keepdims=True), wanted, mask)
    seats = np.tile(np.arange(game.num_players), game.num_games)
    keys = seeding.decision_keys(np.repeat(game.seeds, game.num_players), seats, step)
    return seeding.uniform_actions(mask.reshape(-1, game.num_actions), keys).reshape(-1, game.num_players)


def reference_of(game: SushiGo, index: int, observed: bool = True) -> Reference:
    """The plain game with the deals of game `index`; with everyone's knowledge where it is to be `observed`."""
    kind = ObservedReference if observed else Reference
    first = int(game.table.first_controller[index])
    return kind(game.num_players, game.variant, game.passing, deals_of(game, index), first)


def check_games(table: Table, first_seed: int, count: int, observed: int, favourites: Iterable[str] = ()) -> int:
    """Play `count` random games on both and compare them, observations in the first `observed`; decisions taken."""
    game = new_game(table, seeding.game_seeds(first_seed, count))
    references = [reference_of(game, i, i < observed) for i in range(count)]
    step = decisions = 0
    while not game.done.all():
        check_masks(game, references)
        check_scores(game, references)
        check_observations(game, references[:observed])
        decisions += int(game.to_move.sum())
        actions = random_actions(game, step, favourites)
        game.step(actions)
        for reference, row in zip(references, actions.tolist(), strict=True):
            reference.step(row)
        step += 1
    check_ends(game, references)
    check_observations(game, references[:observed])
    for i in range(observed):
        assert game.record(i)["result"] == references[i].result(), where(game, i)
    return decisions


def play(game: SushiGo, steps: int, favourites: Iterable[str] = ()) -> list[NDArray[np.int32]]:
    """Take random steps; the actions of each."""
    taken = []
    for step in range(steps):
        taken.append(random_actions(game, step, favourites))
        game.step(taken[-1])
    return taken


def where(game: SushiGo, index: int) -> str:
    """Words for the game, turn and half where the two disagree."""
    state = game.table
    place = f"round {state.round[index]}, turn {state.turn[index]}, half {state.half[index]}"
    return f"{game.num_players} players, {game.variant}, {game.passing}, seed {state.seed[index]}: {place}"


def check_masks(game: SushiGo, references: list[Reference]) -> None:
    """Every seat's mask is the reference's set of legal plays, and the same seats are to move."""
    mask = game.legal()
    legal, width, at = [], game.num_actions, 0
    for reference in references:
        for seat in range(game.num_players):
            legal += [at + action for action in reference.legal(seat)]
            at += width
    expected = np.zeros(mask.shape, np.bool_)
    expected.reshape(-1)[legal] = True
    if not np.array_equal(mask, expected):
        i, seat, action = np.argwhere(mask != expected)[0].tolist()
        raise AssertionError(f"{where(game, i)}, seat {seat}, action {action}: engine says {mask[i, seat, action]}")
    moving = [[seat in reference.to_move() for seat in range(game.num_players)] for reference in references]
    assert np.array_equal(game.to_move, moving)


def check_scores(game: SushiGo, references: list[Reference]) -> None:
    """Points so far, and which games are over."""
    scores = np.array([reference.scores for reference in references])
    assert np.array_equal(game.scores, scores), where(game, int(np.argwhere(game.scores != scores)[0, 0]))
    assert game.done.tolist() == [reference.done for reference in references]


def check_observations(game: SushiGo, references: list[Reference]) -> None:
    """Every field of every seat's observation under every setting, in the games that have an observed reference."""
    for setting in OBSERVATIONS:
        observations = game.observe(setting)
        for i, reference in enumerate(references):
            if isinstance(reference, ObservedReference):
                for seat, seen in enumerate(observations[i]):
                    expected = reference.observe(seat, setting)
                    if not np.array_equal(seen, flat(game, expected)):
                        wrong = differences(game, seen, expected)
                        raise AssertionError(f"{where(game, i)}, seat {seat}, {setting}: {wrong}")


def flat(game: SushiGo, fields: dict[str, Any]) -> NDArray[np.uint8]:
    """The fields laid out as the engine's layout says."""
    assert fields.keys() == game.layout.slices.keys()
    out = np.zeros(game.layout.size, np.uint8)
    for name, place in game.layout.slices.items():
        out[place] = np.ravel(fields[name])
    return out


def differences(game: SushiGo, seen: NDArray[np.uint8], expected: dict[str, Any]) -> str:
    """The fields in which an engine's observation is not the reference's."""
    fields = {name: game.layout.read(seen, name) for name in expected}
    wrong = [name for name, value in fields.items() if not np.array_equal(value, expected[name])]
    return "; ".join(f"{n} is {fields[n].tolist()}, should be {np.asarray(expected[n]).tolist()}" for n in wrong)


def check_ends(game: SushiGo, references: list[Reference]) -> None:
    """Scores, points by kind, puddings, standings of games that are over; nobody is left to move."""
    check_scores(game, references)
    check_masks(game, references)
    tables = game.num_tableaus
    kinds = [[[[points[k] for k in KINDS] for points in seats] for seats in r.rounds] for r in references]
    assert np.array_equal(game.table.round_points[:, :, :tables], kinds)
    assert game.table.pudding_points[:, :tables].tolist() == [r.pudding_points for r in references]
    assert game.table.status[:, :tables, 2].tolist() == [r.puddings for r in references]
    for standing, reference in zip(game.standings.tolist(), references, strict=True):
        assert [seat for seat, place in enumerate(standing) if place == max(standing)] == reference.winners
        places = list(zip(reference.scores, reference.puddings, strict=False))
        ranks = sorted(set(places))
        assert [sorted(set(standing)).index(place) for place in standing] == [ranks.index(place) for place in places]
