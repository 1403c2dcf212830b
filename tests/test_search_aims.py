"""What a search may take the others for, what it may aim for, and how it may choose in the end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sushigo_agents.match import play_deals
from sushigo_agents.registry import load
from sushigo_agents.search._greedy import greedy_play, new_mind
from sushigo_agents.search.fitted import table
from sushigo_agents.search.rollout import write_margins, write_shares
from sushigo_agents.search.search import Search

from sushigo_env import seeding
from sushigo_env._jit import jit
from sushigo_env._memory import pointer
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.plays import index
from sushigo_env.sushi_go.position import Position
from tests.search_helpers import KEYS, games_at


@pytest.mark.parametrize(("num_players", "variant"), [(2, "standard"), (5, "standard"), (2, "two_player_dummy")])
def test_rollouts_by_greedy_lay_what_greedy_lays(num_players: int, variant: str):
    greedy, game = load("greedy", "sushi_go", num_players, variant), SushiGo(40, num_players, variant=variant)
    game.reset(seeds=seeding.game_seeds(3, 40))
    here = table(num_players, variant)
    mind, compared = new_mind(num_players, variant, here.size, here.dummy), 0
    while not game.done.all():
        seen, legal = game.observe().reshape(40 * num_players, -1), game.legal().reshape(40 * num_players, -1)
        asked = legal.any(axis=1)
        plays = np.zeros(len(asked), np.int32)
        plays[asked] = greedy.act(seen[asked], legal[asked], np.zeros(asked.sum(), np.uint64))
        for i in np.flatnonzero(asked):
            assert rollout_play(game.table.rows[i // num_players], i % num_players, here, mind) == plays[i]
            compared += 1
        game.step(plays.reshape(40, num_players))
    assert compared > 2000


@jit
def rollout_play(row, seat, table, mind):
    """As rollouts ask for it."""
    return greedy_play(pointer(row, 0), seat, table, mind)


def test_who_knows_the_others_does_better_against_them():
    """At a table of greedy players, to take them for such pays."""
    shares = {}
    for spec in ("search:iterations=100", "search:iterations=60,rollout=greedy,others=rollout"):
        lineup = [load(spec, "sushi_go", 4), *[load("greedy", "sushi_go", 4)] * 3]
        played = play_deals(lineup, lambda games: SushiGo(games, 4), seeding.game_seeds(2, 24))
        shares[spec] = played.shares[:, :, 0].mean()
    usual, knowing = shares.values()
    assert 0.25 < usual < knowing
    assert knowing > 0.55


HOPELESS = Position.from_cards(  # nothing wins any more; with the chopsticks both nigiri can still be laid
    hands=[["egg_nigiri", "squid_nigiri"], ["maki_1", "tempura"]],
    tableaus=[
        ["chopsticks", "maki_3", "maki_3", "dumpling", "dumpling", "dumpling", "dumpling", "pudding"],
        ["tempura", "tempura", "maki_2", "salmon_nigiri", "salmon_nigiri", "dumpling", "tempura", "tempura"],
    ],
    round=2,
    scores=[3, 60],
)


def test_who_aims_for_the_margin_fights_on_when_the_game_is_lost():
    for settings, known in (({}, False), ({"aim": "margin"}, True)):
        agent, game = Search("sushi_go", 2, "standard", **settings), games_at(HOPELESS, 2)
        thought = agent.think(game.observe()[:1, 0].copy(), game.legal()[:1, 0].copy(), KEYS[:1])[0]
        tried = thought.values[thought.visits > 0]
        assert bool(np.ptp(tried) > 0.01) is known
        if known:
            both = index(["squid_nigiri", "egg_nigiri"])
            assert thought.actions[thought.strategy.argmax()] == both


def test_a_lead_from_before_changes_nothing_where_the_margin_counts():
    """However large: no play is passed over, none is preferred that was never tried."""
    found = []
    for scores in ([0, 0], [0, 60], [0, 90], [90, 0]):
        agent, game = Search("sushi_go", 2, "standard", aim="margin"), games_at(replace(HOPELESS, scores=scores), 2)
        thought = agent.think(game.observe()[:1, 0].copy(), game.legal()[:1, 0].copy(), KEYS[:1])[0]
        assert thought.visits.sum() == thought.iterations == 2000
        found.append((thought.visits.tolist(), thought.strategy.tolist()))
    assert found == [found[0]] * 4


def test_a_win_share_and_a_margin_say_the_same_of_who_is_ahead():
    """Leads are worth 1 for 40 points, and add up to nothing for two."""
    game = SushiGo(50, 2)
    game.reset(seeds=seeding.game_seeds(3, 50))
    while not game.done.all():
        mask = game.legal()
        keys = seeding.decision_keys(np.repeat(game.seeds, 2), np.tile(np.arange(2), 50), int(game.table.turn[0]))
        game.step(seeding.uniform_actions(mask.reshape(100, -1), keys).reshape(50, 2))
    shares, margins = np.zeros((50, 5)), np.zeros((50, 5))
    worths_of(game.table.rows, table(2), shares, margins)
    lead = (game.scores[:, 0] - game.scores[:, 1]) / 40
    np.testing.assert_allclose(margins[:, 0] - 0.5, lead)
    np.testing.assert_allclose(margins[:, 1] - 0.5, -lead)
    assert ((shares[:, 0] > 0.5) == (game.standings[:, 0] > game.standings[:, 1])).all()


@jit
def worths_of(rows, table, shares, margins):
    """What rollouts make of games."""
    for i in range(len(rows)):
        write_shares(pointer(rows[i], 0), table, shares[i])
        write_margins(pointer(rows[i], 0), table, margins[i])


EVEN = Position.from_cards(  # as in docs/exact.md: tempura is laid 4 times in 5, egg once, and so seat 1 the other way
    hands=[["tempura", "egg_nigiri"], ["tempura", "egg_nigiri"]],
    tableaus=[
        ["tempura", "pudding", "tempura", "tempura", *["dumpling"] * 4],
        ["sashimi", "sashimi", "tempura", "tempura", *["dumpling"] * 4],
    ],
)


def test_who_mixes_plays_each_play_as_often_as_it_thought_of_it():
    """In a position where only a mixed strategy is safe, and by draws that follow the strategy told."""
    agent = Search("sushi_go", 2, "standard", aim="margin", explore=0.3, choice="mixed", iterations=500)
    game, keys = SushiGo(1, 2), np.arange(200, dtype=np.uint64)
    game.reset(seeds=seeding.game_seeds(1, 1), options={"position": EVEN})
    seen, mask = game.observe()[:, 0].repeat(200, axis=0), game.legal()[:, 0].repeat(200, axis=0)
    thoughts = agent.think(seen, mask, keys)
    told = np.mean([thought.strategy for thought in thoughts], axis=0)
    assert told.sum() == pytest.approx(1)
    assert (told > 0.1).sum() == 2
    for thought in thoughts:
        assert (thought.visits[thought.strategy > 0] >= 50).all()
    plays = agent.act(seen, mask, keys)
    drawn = [(plays == action).mean() for action in thoughts[0].actions]
    np.testing.assert_allclose(drawn, told, atol=0.1)
    assert (Search("sushi_go", 2, "standard", aim="margin", iterations=500).act(seen, mask, keys) == plays).mean() < 1
