"""Seats at tables: every rotation of every deal, victories shared, agents that break their contract."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sushigo_agents import match, registry
from sushigo_agents.match import play_deals, play_games, victory_shares

from sushigo_env.errors import AgentError, SettingError
from sushigo_env.seeding import decision_keys, game_seeds, uniform_actions
from sushigo_env.sushi_go.cards import DUMMY
from sushigo_env.sushi_go.game import SushiGo
from tests.toy_games import Sticks


def table_of(players: int, variant: str = "standard") -> Any:
    return lambda games: SushiGo(games, players, variant=variant)


def lineup(*specs: str, variant: str = "standard") -> list[Any]:
    return [registry.load(spec, "sushi_go", len(specs), variant) for spec in specs]


class Told:
    """Does what it is told: `answer(mask)`."""

    name, observation = "told", "memory"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, observation: Any, action_mask: NDArray[np.bool_], keys: Any) -> Any:
        return self.answer(action_mask)


@pytest.mark.parametrize("variant", ["standard", DUMMY])
def test_the_same_player_in_every_seat_has_a_fair_share_exactly(variant: str) -> None:
    result = play_deals(lineup("random", "random", variant=variant), table_of(2, variant), game_seeds(5, 20))
    assert result.scores.shape == result.shares.shape == (20, 2, 2)
    np.testing.assert_array_equal(result.shares.sum(axis=2), 1)
    np.testing.assert_allclose(result.shares.mean(axis=1), 0.5)  # the seats of a deal change hands
    np.testing.assert_array_equal(result.scores[:, 0], result.scores[:, 1, ::-1])


def test_rotations_seat_the_lineup_as_told() -> None:
    asked: list[Any] = []

    class First(Told):
        """Keeps what it saw."""

        def act(self, observation: Any, action_mask: Any, keys: Any) -> Any:
            asked.append((observation.copy(), keys.copy()))
            return action_mask.argmax(axis=1)

    agents = [First(None), *lineup("random", "random")]
    seeds = game_seeds(9, 2)
    result = play_deals(agents, table_of(3), seeds)
    game = SushiGo(2, 3)
    game.reset(seeds=seeds)
    for rotation in range(3):  # place 0 sits in seat `rotation`; rows go by game: deal by deal, rotation by rotation
        np.testing.assert_array_equal(asked[0][0][rotation::3], game.observe("memory")[:, rotation])
        for decision in (0, 26):
            np.testing.assert_array_equal(
                asked[decision][1][rotation::3], decision_keys(game.seeds, rotation, decision)
            )
    assert len(asked) == 27
    assert result.scores.shape == (2, 3, 3)


def test_games_are_played_as_their_records_tell() -> None:
    result = play_deals(lineup("random", "greedy"), table_of(2), game_seeds(1, 3), records=True)
    totals = [record["result"]["totals"] for record in result.records]
    by_seat = [result.scores[deal, turned][:: -1 if turned else 1].tolist() for deal in range(3) for turned in range(2)]
    assert totals == by_seat
    assert play_deals(lineup("random", "greedy"), table_of(2), game_seeds(1, 3)).records == []


def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    agents, told = lineup("random", "prefer", "random"), []
    whole = play_deals(agents, table_of(3), game_seeds(4, 10))
    monkeypatch.setattr(match, "GAMES_AT_ONCE", 12)
    parts = play_deals(agents, table_of(3), game_seeds(4, 10), progress=told.append)
    np.testing.assert_array_equal(whole.scores, parts.scores)
    np.testing.assert_array_equal(whole.shares, parts.shares)
    assert told == [4, 8, 10]
    straight = play_deals(agents, table_of(3), game_seeds(4, 10), rotate=False)
    np.testing.assert_array_equal(straight.scores, whole.scores[:, :1])


def test_a_sequential_game_is_played_too() -> None:
    first = Told(lambda mask: mask.argmax(axis=1))
    result = play_deals([first] * 3, Sticks, game_seeds(0, 4))
    np.testing.assert_array_equal(result.shares.sum(axis=2), 1)


class Counting(Told):
    """Keeps for how many seats it was asked at a time, and plays by its keys."""

    def __init__(self, observation: str) -> None:
        super().__init__(None)
        self.observation = observation
        self.asked: list[int] = []

    def act(self, observation: Any, action_mask: Any, keys: Any) -> Any:
        assert action_mask.any(axis=1).all()
        self.asked.append(len(keys))
        return uniform_actions(action_mask, keys)


def test_games_that_end_at_different_times_are_played_as_by_themselves() -> None:
    agents, seeds = [Counting("memory"), Counting("memory"), Counting("full")], game_seeds(3, 12)
    together = play_deals(agents, Sticks, seeds)
    asked = sum(sum(agent.asked) for agent in agents)
    alone = [play_deals(agents, Sticks, seeds[deal : deal + 1]) for deal in range(12)]
    np.testing.assert_array_equal(together.scores, np.concatenate([each.scores for each in alone]))
    np.testing.assert_array_equal(together.shares, np.concatenate([each.shares for each in alone]))
    assert sum(sum(agent.asked) for agent in agents) == 2 * asked  # each decision was asked for once, in both ways
    assert max(agents[0].asked[:5]) > 1 == agents[0].asked[-1]


def test_a_game_is_looked_at_only_by_settings_in_which_somebody_is_to_move(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []
    observe = Sticks.observe

    def counted(self: Sticks, observation: str | None = None) -> Any:
        looks.append(str(observation))
        return observe(self, observation)

    monkeypatch.setattr(Sticks, "observe", counted)
    agents = [Counting("memory"), Counting("memory"), Counting("full")]
    play_games(Sticks(1), agents, np.array([[0, 1, 2]]), game_seeds(0, 1))
    assert looks.count("memory") == sum(agents[0].asked) + sum(agents[1].asked)
    assert looks.count("full") == sum(agents[2].asked)


def test_a_shared_victory_counts_its_part() -> None:
    shares = victory_shares(np.array([[30, 20, 30], [7, 9, 8], [4, 4, 4]], np.int32))
    np.testing.assert_allclose(shares, [[0.5, 0, 0.5], [0, 1, 0], [1 / 3, 1 / 3, 1 / 3]])


BROKEN = {
    "plays what is masked": (lambda mask: (~mask).argmax(axis=1), r"illegal play, .+ \(action \d+\); legal were: \w+"),
    "is out of range": (lambda mask: np.full(len(mask), 96), r"action 96, which is out of range \(0 to 95\)"),
    "is negative": (lambda mask: np.full(len(mask), -1), "action -1, which is out of range"),
    "has another dtype": (lambda mask: np.zeros(len(mask)), "an array of float64 where an array of integers"),
    "has another shape": (lambda mask: np.zeros((len(mask), 1), int), r"shape \(6, 1\) where \(6,\) is wanted"),
    "is no array": (lambda mask: None, "returned NoneType where an array"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_an_agent_that_breaks_its_contract_is_named(case: str) -> None:
    answer, message = BROKEN[case]
    agents = [*lineup("random", "random"), Told(answer)]
    with pytest.raises(AgentError, match=rf"^agent told in seat 2 of the deal with seed 70 .*{message}"):
        play_deals(agents, table_of(3), game_seeds(70, 6), rotate=False)


def test_errors_call_agents_by_the_names_given() -> None:
    cheat = Told(lambda mask: (~mask).argmax(axis=1))
    with pytest.raises(AgentError, match=r"^agent mine:Cheat in seat 0"):
        play_deals([cheat, *lineup("random", "random")[1:]], table_of(2), game_seeds(0, 1), names=["mine:Cheat", "x"])


def test_tables_must_be_filled_and_deals_given() -> None:
    with pytest.raises(SettingError, match="a table for 3 needs 3 agents, not 2"):
        play_deals(lineup("random", "random"), table_of(3), game_seeds(0, 1))
    with pytest.raises(SettingError, match="names must be 2, one for each agent, not 1"):
        play_deals(lineup("random", "random"), table_of(2), game_seeds(0, 1), names=["one"])
    with pytest.raises(SettingError, match="at least 1 deal"):
        play_deals(lineup("random", "random"), table_of(2), game_seeds(0, 0))
    with pytest.raises(SettingError, match="seating must name agents 0 to 1, not 0 to 2"):
        play_games(SushiGo(1, 3), lineup("random", "random"), np.array([[0, 1, 2]]), game_seeds(0, 1))
