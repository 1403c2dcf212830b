"""Agents that search: they find what is known to be best, know no more than they see, and a seed fixes what they do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from sushigo_agents.registry import load
from sushigo_agents.search.monte_carlo import MonteCarlo
from sushigo_agents.search.search import Search

from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.plays import index
from sushigo_env.sushi_go.position import Position
from tests.search_helpers import KEYS, MAKERS, chosen, decisions, games_at

OPEN_WASABI = Position.from_cards(
    hands=[["squid_nigiri"] + ["dumpling"] * 3 + ["pudding"] * 4, ["tempura"] * 8, ["sashimi"] * 8],
    tableaus=[["wasabi"], ["maki_3"], ["maki_1"]],
)
THIRD_SASHIMI = Position.from_cards(
    hands=[["sashimi", "dumpling", "egg_nigiri", "tempura"], ["maki_2", "maki_2", "egg_nigiri", "tempura"]],
    tableaus=[
        ["sashimi", "sashimi", "maki_1", "salmon_nigiri", "maki_1", "egg_nigiri"],
        ["maki_3", "maki_3", "squid_nigiri", "dumpling", "tempura", "tempura"],
    ],
    round=2,
    scores=[28, 20],
)
DENIAL = Position.from_cards(  # the egg is a point; the sashimi would be 10 to the other
    hands=[["sashimi", "egg_nigiri"], ["maki_1", "tempura"]],
    tableaus=[
        ["maki_3", "maki_3", "squid_nigiri", "squid_nigiri", "dumpling", "dumpling", "tempura", "tempura"],
        ["sashimi", "sashimi", "maki_2", "salmon_nigiri", "salmon_nigiri", "dumpling", "tempura", "tempura"],
    ],
    round=2,
    scores=[30, 30],
)
LAST_CHOPSTICKS = Position.from_cards(  # the pair of tempura is 5, if both are laid now, and wins
    hands=[["tempura", "tempura"], ["maki_1", "egg_nigiri"]],
    tableaus=[
        ["chopsticks", "maki_3", "squid_nigiri", "squid_nigiri", "dumpling", "dumpling", "maki_2", "salmon_nigiri"],
        ["sashimi", "sashimi", "maki_2", "salmon_nigiri", "salmon_nigiri", "dumpling", "tempura", "tempura"],
    ],
    round=2,
    scores=[30, 36],
)
MAKI_TIE = Position.from_cards(  # 53 v 52 with the maki: 6 to 3 for it; 52 v 53 without: 3 to 6
    hands=[["maki_2", "salmon_nigiri"], ["egg_nigiri", "egg_nigiri"]],
    tableaus=[
        ["maki_3", "maki_1", "squid_nigiri", "squid_nigiri", "dumpling", "dumpling", "tempura", "tempura"],
        ["sashimi", "sashimi", "sashimi", "maki_3", "maki_1", "dumpling", "tempura", "tempura"],
    ],
    round=2,
    scores=[32, 30],
)
KNOWN = [
    pytest.param(OPEN_WASABI, 3, ["squid_nigiri"], id="squid on an open wasabi"),
    pytest.param(THIRD_SASHIMI, 2, ["sashimi"], id="the third sashimi"),
    pytest.param(DENIAL, 2, ["sashimi"], id="denying the third sashimi"),
    pytest.param(LAST_CHOPSTICKS, 2, ["tempura", "tempura"], id="chopsticks on the last turn they can be used"),
    pytest.param(MAKI_TIE, 2, ["maki_2"], id="breaking a tie for most maki"),
]
SETTINGS = [
    {},
    {"selection": "uct", "explore": 0.5},
    {"selection": "regret", "iterations": 20_000},
    {"horizon": "game", "iterations": 10_000},
    {"rollout": "greedy", "others": "rollout"},
    {"aim": "margin", "explore": 0.3},
    {"aim": "margin", "explore": 0.3, "choice": "mixed"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize(("position", "num_players", "best"), KNOWN)
def test_search_finds_the_known_best_play(position: Position, num_players: int, best: list[str], settings: dict):
    agent = Search("sushi_go", num_players, "standard", **settings)
    assert chosen(agent, position, num_players) == [index(best)] * len(KEYS)


@pytest.mark.parametrize(("position", "num_players", "best"), KNOWN)
def test_guided_search_finds_the_known_best_play(position: Position, num_players: int, best: list[str]):
    agent = Search("sushi_go", num_players, "standard", policy="zoo:self_play", iterations=800)
    assert chosen(agent, position, num_players) == [index(best)] * len(KEYS)


@pytest.mark.parametrize(("position", "num_players", "best"), KNOWN)
def test_monte_carlo_finds_the_known_best_play(position: Position, num_players: int, best: list[str]):
    agent = MonteCarlo("sushi_go", num_players, "standard")
    assert chosen(agent, position, num_players) == [index(best)] * len(KEYS)


@pytest.mark.parametrize("maker", MAKERS)
def test_rows_alone_together_and_in_threads_get_the_same_plays(maker: str):
    agent, (seen, mask, keys) = MAKERS[maker](2, "standard"), decisions(2)
    together = agent.act(seen, mask, keys)
    alone = [agent.act(seen[i : i + 1], mask[i : i + 1], keys[i : i + 1])[0] for i in range(len(keys))]
    others = [MAKERS[maker](2, "standard") for _ in range(3)]
    with ThreadPoolExecutor(4) as pool:
        in_threads = list(pool.map(lambda each: each.act(seen, mask, keys), [agent, agent, *others]))
    np.testing.assert_array_equal(alone, together)
    for found in in_threads:
        np.testing.assert_array_equal(found, together)


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(("num_players", "variant"), [(3, "standard"), (4, "standard"), (5, "standard")])
def test_every_table_can_be_thought_about(maker: str, num_players: int, variant: str):
    agent, (seen, mask, keys) = MAKERS[maker](num_players, variant), decisions(num_players, variant, steps=1)
    plays = agent.act(seen, mask, keys)
    assert mask[np.arange(len(plays)), plays].all()


def test_the_variant_can_be_thought_about_in_both_halves():
    for maker in ("search", "regret", "game", "model", "monte_carlo"):
        agent, (seen, mask, keys) = MAKERS[maker](2, "two_player_dummy"), decisions(2, "two_player_dummy")
        plays = agent.act(seen, mask, keys)
        assert mask[np.arange(len(plays)), plays].all()


def test_unseen_cards_dealt_anew_change_nothing():
    """What a seat cannot see cannot matter: two games that look the same to it get the same plays, key by key."""
    game = SushiGo(1, 3)
    game.reset(seeds=np.array([4], np.uint64))
    position = game.position()
    hidden = np.repeat(np.tile(np.arange(12), 2), position.hands[1:].reshape(-1))
    other = replace(position, hands=position.hands.copy(), upcoming=position.upcoming.copy())
    swapped = next(i for i, card in enumerate(other.upcoming) if card != hidden[0])
    other.hands[1, hidden[0]] -= 1
    other.hands[1, other.upcoming[swapped]] += 1
    other.upcoming[swapped] = hidden[0]
    agent = Search("sushi_go", 3, "standard", iterations=300, selection="regret")
    for seen in (position, other):
        assert chosen(agent, seen, 3) == chosen(agent, position, 3)
    assert (games_at(other, 3).table.hands != games_at(position, 3).table.hands).any()


def test_thoughts_are_complete():
    agent, (seen, mask, keys) = Search("sushi_go", 4, "standard", iterations=500), decisions(4)
    thoughts = agent.think(seen, mask, keys)
    for thought, allowed in zip(thoughts, mask, strict=True):
        np.testing.assert_array_equal(thought.actions, np.flatnonzero(allowed))
        assert thought.strategy.sum() == pytest.approx(1)
        if len(thought.actions) > 1:
            assert thought.visits.sum() == thought.iterations == 500
            tried = thought.values[thought.visits > 0]
            assert ((tried >= 0) & (tried <= 1)).all()


def test_one_legal_play_is_not_thought_about():
    agent = Search("sushi_go", 2, "standard")
    game = SushiGo(1, 2)
    game.reset(seeds=np.array([4], np.uint64))
    mask = np.zeros((1, 96), np.bool_)
    mask[0, game.legal()[0, 0].argmax()] = True
    assert agent.think(game.observe()[:, 0].copy(), mask, KEYS[:1])[0].iterations == 0


def test_time_ends_the_thinking():
    agent = Search("sushi_go", 4, "standard", iterations=1_000_000, time_ms=1)
    seen, mask, keys = decisions(4, steps=1)
    thoughts = agent.think(seen[:2], mask[:2], keys[:2])
    assert all(1 <= thought.iterations < 1_000_000 for thought in thoughts)


def test_names_are_specs():
    for spec in ("search", "search:iterations=50", "monte_carlo", "monte_carlo:rollout=random", "search:explore=0.5"):
        assert load(spec, "sushi_go", 2).name == spec
    guided = load("search:policy=zoo:self_play,iterations=5", "sushi_go", 2)
    assert load(guided.name, "sushi_go", 2).name == guided.name
