"""The agent `exact`: what it plays, when it leaves the play to another agent, and that it hangs on nothing else."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sushigo_agents.exact.agent import Exact
from sushigo_agents.exact.endgame import solve
from sushigo_agents.heuristic import Greedy
from sushigo_agents.match import play_deals
from sushigo_agents.registry import load

from sushigo_env.errors import AgentError, SettingError
from sushigo_env.seeding import decision_keys, game_seeds
from sushigo_env.sushi_go.cards import DUMMY
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.position import Position

CLASS = "sushigo_agents.exact.agent:Exact"
TABLE = ("sushi_go", 2, "standard")
Rows = tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.uint64]]


def rows_of(game: SushiGo, turn: int) -> Rows:
    """Every seat's row of every game."""
    games = game.num_games
    keys = decision_keys(np.repeat(game.seeds, 2), np.tile([0, 1], games), turn)
    return game.observe("memory").reshape(2 * games, -1).copy(), game.legal().reshape(2 * games, -1).copy(), keys


def games_with(cards: int, games: int = 12, seed: int = 5) -> SushiGo:
    """Games in which each hand has that many cards, after play at random."""
    game, anyone = SushiGo(games, 2), load("random", *TABLE)
    game.reset(seeds=game_seeds(seed, games))
    for turn in range(game.hand_size - cards):
        game.step(anyone.act(*rows_of(game, turn)).reshape(games, 2))
    return game


def in_a_row(position: Position) -> SushiGo:
    game = SushiGo(1, 2)
    game.set_position(position)
    return game


EVEN = ["tempura", "tempura", *["dumpling"] * 4]
HANDS = [["tempura", "egg_nigiri"], ["tempura", "egg_nigiri"]]
TABLES = [["tempura", "pudding", *EVEN], ["sashimi", "sashimi", *EVEN]]
MIXED = Position.from_cards(HANDS, TABLES)
"""Seat 0 lays the tempura 4 times out of 5, seat 1 once: worked out in `test_endgame.py`."""


def test_it_plays_by_the_chances_of_the_equilibrium() -> None:
    seen, mask, _ = rows_of(in_a_row(MIXED), 0)
    keys = decision_keys(game_seeds(1, 4000), 0, 0)
    for seat, chance in ((0, 0.8), (1, 0.2)):
        many = np.repeat(seen[seat : seat + 1], 4000, axis=0), np.repeat(mask[seat : seat + 1], 4000, axis=0)
        chosen = Exact(*TABLE).act(*many, keys)
        assert set(chosen) == {0, 8}  # tempura, egg
        assert (chosen == 0).mean() == pytest.approx(chance, abs=0.03)  # 4.7 standard deviations


@pytest.mark.parametrize("cards", [1, 2, 4, 6])
def test_it_plays_what_solving_the_position_says(cards: int) -> None:
    game, agent = games_with(cards), Exact(*TABLE)
    rows = rows_of(game, 0)
    chosen = agent.act(*rows)
    assert rows[1][np.arange(len(chosen)), chosen].all()
    for index in range(game.num_games):
        solution = solve(game.position(index))
        assert solution.row_strategy[chosen[2 * index]] > 0
        known = agent.strategy(rows[0][2 * index])
        assert known is not None
        assert known.value == solution.value
        np.testing.assert_array_equal(known.row_strategy, solution.row_strategy)
        other = agent.strategy(rows[0][2 * index + 1])
        assert other is not None
        assert other.value == pytest.approx(-solution.value, abs=1e-9)


def test_a_row_is_played_alike_in_any_batch_and_thread() -> None:
    agent, rows = Exact(*TABLE), rows_of(games_with(5), 3)
    chosen = agent.act(*rows)
    order = np.random.default_rng(0).permutation(len(chosen))
    np.testing.assert_array_equal(agent.act(*(part[order] for part in rows)), chosen[order])
    alone = [agent.act(*(part[row : row + 1] for part in rows))[0] for row in range(len(chosen))]
    np.testing.assert_array_equal(alone, chosen)
    with ThreadPoolExecutor(4) as pool:
        for again in pool.map(lambda _: agent.act(*rows), range(8)):
            np.testing.assert_array_equal(again, chosen)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(agent)).act(*rows), chosen)


def test_before_its_turns_it_plays_as_the_other_agent() -> None:
    for cards, solved in ((6, False), (5, True)):
        rows = rows_of(games_with(cards, 40), 2)
        for before in ("greedy", "rival", "random"):
            agent = load(f"{CLASS}:turns=5,before={before}", *TABLE)
            same = (agent.act(*rows) == load(before, *TABLE).act(*rows)).all()
            assert same != solved


def test_where_a_hand_is_unknown_it_plays_as_the_other_agent() -> None:
    rows = rows_of(games_with(10), 0)
    agent = Exact(*TABLE, turns=10)
    assert agent.strategy(rows[0][0]) is None
    np.testing.assert_array_equal(agent.act(*rows), Greedy(*TABLE).act(*rows))


def test_where_a_game_is_over_it_asks_the_other_agent() -> None:
    game = games_with(1, 3)
    while not game.done.all():
        game.step(game.legal().argmax(axis=2))
    agent = Exact(*TABLE, turns=10)
    rows = rows_of(game, 0)
    assert agent.strategy(rows[0][0]) is None
    np.testing.assert_array_equal(agent.act(*rows), Greedy(*TABLE).act(*rows))


def test_over_its_budget_it_plays_as_the_other_agent_in_that_row_alone() -> None:
    rows = rows_of(games_with(5, 30), 1)
    needs = np.array([Exact(*TABLE).strategy(row).positions for row in rows[0]])  # type: ignore[union-attr]
    budget = int(np.median(needs))
    assert needs.min() <= budget < needs.max()
    chosen = Exact(*TABLE, budget=budget, before="prefer").act(*rows)
    solved, other = Exact(*TABLE).act(*rows), load("prefer", *TABLE).act(*rows)
    np.testing.assert_array_equal(chosen, np.where(needs <= budget, solved, other))
    assert (solved != other)[needs > budget].any()


def test_it_sees_no_more_than_its_observation() -> None:
    """Cards still to come, and what the rounds before brought, change nothing."""
    game = games_with(4, 6)
    rows = rows_of(game, 0)
    chosen = Exact(*TABLE).act(*rows)
    for index in range(game.num_games):
        position = game.position(index)
        position.upcoming = position.upcoming[::-1].copy()
        game.set_position(position, index)
    np.testing.assert_array_equal(Exact(*TABLE).act(*(rows_of(game, 0)[:2]), rows[2]), chosen)


def test_its_name_is_a_spec_that_makes_it() -> None:
    assert Exact(*TABLE).name == "exact"
    assert Exact(*TABLE, turns=3, before="rival").name == "exact:turns=3,before=rival"
    assert Exact.specs(*TABLE) == Exact.specs("sushi_go", 3, "standard") == Exact.specs("sushi_go", 2, DUMMY) == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("turns=0", "turns must be 1 to 10, not 0"),
        ("turns=2.5", "turns must be 1 to 10, not 2.5"),
        ("budget=0", "budget must be a whole number, 1 or more, not 0"),
        ("pudding_value=inf", "pudding_value must be a finite number, not inf"),
        ("pudding_value=dear", "pudding_value must be a finite number, not 'dear'"),
        ("before=gredy", "unknown agent 'gredy'; did you mean 'greedy'"),
        ("depth=3", "takes the setting 'turns'.* but not the setting 'depth'"),
    ],
)
def test_settings_that_are_not_allowed(settings: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        load(f"{CLASS}:{settings}", *TABLE)


def test_tables_that_it_does_not_play_at() -> None:
    for players, variant in ((3, "standard"), (2, DUMMY)):
        with pytest.raises(AgentError, match="plays at tables for 2 players"):
            load(CLASS, "sushi_go", players, variant)
    with pytest.raises(AgentError, match="plays sushi_go, not 'chess'"):
        load(CLASS, "chess", 2)
    with pytest.raises(SettingError, match="num_players must be 2, 3, 4 or 5"):
        load(CLASS, "sushi_go", 7)


def test_the_agent_before_must_see_as_much() -> None:
    class Peeking:
        observation = "full"

        def act(self, observation: Any, action_mask: Any, keys: Any) -> Any:
            return action_mask.argmax(axis=1)

    with pytest.raises(AgentError, match="the agent before must see 'memory', not 'full'"):
        Exact(*TABLE, before=Peeking())


def test_it_beats_the_agent_that_it_plays_as_before() -> None:
    lineup: list[Any] = [Exact(*TABLE), load("greedy", *TABLE)]
    result = play_deals(lineup, lambda games: SushiGo(games, 2), game_seeds(2024, 100))
    shares = result.shares[:, :, 0].mean(axis=1)
    assert shares.mean() - 1.96 * shares.std(ddof=1) / len(shares) ** 0.5 > 0.6
