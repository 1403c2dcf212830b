"""`Sticks` as a second game of the box: its entry, its door and its records, all in this module."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sushigo_env import games
from sushigo_env.api.aec import AEC
from sushigo_env.api.gym_vector import GymVector
from sushigo_env.api.parallel import Parallel
from sushigo_env.api.settings import Settings
from tests.toy_games import Sticks

STICKS = games.Entry(
    name="sticks",
    title="Sticks",
    game="tests.toy_games:Sticks",
    record=__name__,
    door=__name__,
    gymnasium_id="Sticks-v0",
    pettingzoo_id="sticks-v0",
)


def put_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the box hold it until the test is over."""
    monkeypatch.setitem(games.GAMES, "sticks", STICKS)


def env(num_players: int, illegal: str = "terminate") -> AEC:
    return AEC(Sticks(1, num_players), Settings(illegal=illegal), "sticks_v0")


def raw_env(num_players: int) -> AEC:
    return env(num_players, "raise")


def parallel_env(num_players: int) -> Parallel:
    return Parallel(Sticks(1, num_players), Settings(), "sticks_v0")


def gymnasium_vector_env(num_envs: int, num_players: int, opponents: Any, reward: str, num_threads: int) -> GymVector:
    return GymVector(Sticks(num_envs, num_players), Settings(reward), "sticks_v0", opponents)


def sb3_vec_env(num_games: int, num_players: int, reward: str, num_threads: int) -> Any:
    from sushigo_env.api.sb3_vec import SB3VecEnv

    return SB3VecEnv(Sticks(num_games, num_players), Settings(reward, obs="flat"))


def score_line(line: str, line_number: int = 1) -> dict[str, Any]:
    """As if it had been replayed."""
    record: dict[str, Any] = json.loads(line)
    taken = record["taken"]
    kinds = [{"sticks_taken": sum(own), "last_stick": 3 * (seat == 0)} for seat, own in enumerate(taken)]
    totals = [sum(each.values()) for each in kinds]
    winners = [seat for seat, total in enumerate(totals) if total == max(totals)]
    result = {"points": kinds, "turns_taken": [len(own) for own in taken], "totals": totals, "winners": winners}
    return {**record, "line": line_number, "result": result}
