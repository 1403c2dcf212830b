"""Bad input at the doors of the environments: the right class of error, one helpful sentence, nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sushigo_env import sushi_go_v0
from sushigo_env.errors import ActionError, OrderError, SettingError, SushiGoError
from tests.api_helpers import mask_of, play_turns, same

AEC_DOORS = [sushi_go_v0.env, sushi_go_v0.raw_env]
ALL_DOORS: list[Callable[..., Any]] = [
    *AEC_DOORS,
    sushi_go_v0.parallel_env,
    sushi_go_v0.vector_env,
    sushi_go_v0.gymnasium_env,
    sushi_go_v0.gymnasium_vector_env,
]
every_door = pytest.mark.parametrize("door", ALL_DOORS, ids=lambda door: door.__name__)
aec_doors = pytest.mark.parametrize("door", AEC_DOORS, ids=lambda door: door.__name__)


@every_door
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_players": 6}, "num_players must be 2, 3, 4 or 5, not 6"),
        ({"num_players": 1}, "num_players must be 2, 3, 4 or 5, not 1"),
        ({"num_players": "4"}, "num_players must be 2, 3, 4 or 5, not '4'"),
        ({"variant": "party"}, "variant must be one of standard, two_player_dummy, not 'party'"),
        ({"variant": "two_player_dummy", "num_players": 3}, "two_player_dummy is for 2 players, not 3"),
        ({"passing": "right"}, "passing must be one of left, alternate, not 'right'"),
        ({"observation": "all"}, "observation must be one of memory, table, full, not 'all'"),
        ({"reward": "points"}, "reward must be one of win, rank, score, margin, not 'points'"),
        ({"reward": None}, "reward must be one of"),
        ({"illegal": "ignore"}, "illegal must be one of terminate, raise, not 'ignore'"),
        ({"obs": "box"}, "obs must be one of dict, flat, not 'box'"),
        ({"dtype": "float64"}, "dtype must be one of uint8, float32, not 'float64'"),
    ],
)
def test_bad_settings_say_what_is_allowed(door: Callable[..., Any], settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message) as caught:
        door(**settings)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("door", [door for door in ALL_DOORS if door is not sushi_go_v0.vector_env])
def test_bad_render_modes(door: Callable[..., Any]) -> None:
    with pytest.raises(SettingError, match="render_mode must be one of human, ansi, not 'rgb_array'"):
        door(render_mode="rgb_array")


@pytest.mark.parametrize("door", [sushi_go_v0.vector_env, sushi_go_v0.gymnasium_vector_env])
@pytest.mark.parametrize("number", [0, -3, 2.5, True])
def test_bad_numbers_of_games(door: Callable[..., Any], number: Any) -> None:
    with pytest.raises(SettingError):
        door(number)
    with pytest.raises(SettingError):
        door(num_threads=number)


@every_door
@pytest.mark.parametrize("seed", [-1, 2**64, 0.5, "x", True])
def test_bad_seeds(door: Callable[..., Any], seed: Any) -> None:
    with pytest.raises(SettingError, match="seed must be"):
        door().reset(seed=seed)


@every_door
def test_unknown_reset_options_are_ignored(door: Callable[..., Any]) -> None:
    env = door()
    env.reset(seed=1, options={"colour": "red", "deal": None})
    assert not env.game.done.any()


BAD_ACTIONS = [
    (96, "the action of {agent} must be from 0 to 95, not 96"),
    (-1, "the action of {agent} must be from 0 to 95, not -1"),
    (2**70, "the action of {agent} must be from 0 to 95, not"),
    (1.0, "the action of {agent} must be an integer from 0 to 95, not 1.0"),
    (np.float32(1), "must be an integer"),
    ("1", "must be an integer from 0 to 95, not '1'"),
    (True, "must be an integer, not True"),
    (np.True_, "must be an integer"),
    ([1], "must be an integer"),
    (np.array([1, 2]), r"must be an integer from 0 to 95, not an array of shape \(2,\)"),
    (np.array([1]), r"not an array of shape \(1,\)"),
    ({}, "must be an integer"),
]


@aec_doors
@pytest.mark.parametrize(("action", "message"), [*BAD_ACTIONS, (None, "must be an integer from 0 to 95, not None")])
def test_bad_actions_in_aec(door: Callable[..., Any], action: Any, message: str) -> None:
    env = door()
    env.reset(seed=1)
    play_turns(env, 2, np.random.default_rng(0))
    saved = env.game.save()
    with pytest.raises(ActionError, match=message.format(agent="player_2")) as caught:
        env.step(action)
    assert "\n" not in str(caught.value)
    assert env.agent_selection == "player_2"
    assert same(env.game.save(), saved)
    assert not any(env.terminations.values())
    env.step(int(mask_of(env, "player_2").argmax()))


@pytest.mark.parametrize(("action", "message"), BAD_ACTIONS)
def test_bad_actions_in_parallel(action: Any, message: str) -> None:
    env = sushi_go_v0.parallel_env()
    _, infos = env.reset(seed=1)
    actions: dict[str, Any] = {agent: int(info["action_mask"].argmax()) for agent, info in infos.items()}
    saved = env.game.save()
    with pytest.raises(ActionError, match=message.format(agent="player_2")):
        env.step({**actions, "player_2": action})
    assert same(env.game.save(), saved)
    env.step(actions)


@pytest.mark.parametrize(("action", "message"), BAD_ACTIONS)
def test_bad_actions_in_gymnasium(action: Any, message: str) -> None:
    env = sushi_go_v0.gymnasium_env()
    env.reset(seed=1)
    saved = env.game.save()
    with pytest.raises(ActionError, match=message.format(agent="the learner, player_0,")):
        env.step(action)
    assert same(env.game.save(), saved)


@pytest.mark.parametrize("action", [3, np.int8(3), np.int32(3), np.uint64(3), np.array(3), np.array(3, np.int16)])
def test_any_integer_is_an_action(action: Any) -> None:
    game = sushi_go_v0.env(num_players=2, illegal="raise")
    game.reset(seed=1)
    legal = int(mask_of(game, "player_0").argmax())
    kind = type(action)(legal) if isinstance(action, int | np.integer) else np.array(legal, action.dtype)
    game.step(kind)
    assert game.agent_selection == "player_1"


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ({}, "needs an action of every agent, but player_0 has none"),
        ({"player_0": 0, "player_1": 0, "player_2": 0}, "but player_3 has none"),
        (
            {f"player_{seat}": 0 for seat in range(5)},
            "given actions of player_4; the agents are player_0, player_1",
        ),
        ([0, 0, 0, 0], "a dict of agent -> action, not list"),
        (None, "a dict of agent -> action, not NoneType"),
    ],
)
def test_bad_dicts_in_parallel(actions: Any, message: str) -> None:
    env = sushi_go_v0.parallel_env(illegal="raise")
    env.reset(options={"deals": None}, seed=1)
    saved = env.game.save()
    legal = int(env.game.legal()[0].all(axis=0).argmax())
    if isinstance(actions, dict):
        actions = dict.fromkeys(actions, legal)
    with pytest.raises(ActionError, match=message):
        env.step(actions)
    assert same(env.game.save(), saved)


@aec_doors
@pytest.mark.parametrize("call", ["step", "observe", "last", "state", "render", "record", "agent_iter"])
def test_nothing_before_reset(door: Callable[..., Any], call: str) -> None:
    env = door(render_mode="ansi")
    arguments: dict[str, tuple[Any, ...]] = {"step": (0,), "observe": ("player_0",)}
    with pytest.raises(OrderError, match=r"the game has not begun; call reset\(\) first") as caught:
        getattr(env, call)(*arguments.get(call, ()))
    assert isinstance(caught.value, RuntimeError)


@pytest.mark.parametrize(
    ("door", "call"),
    [(sushi_go_v0.parallel_env, call) for call in ("step", "state", "render", "record")]
    + [(sushi_go_v0.gymnasium_env, call) for call in ("step", "action_masks", "render", "record")]
    + [(sushi_go_v0.gymnasium_vector_env, call) for call in ("step", "action_masks", "render")],
)
def test_nothing_before_reset_elsewhere(door: Callable[..., Any], call: str) -> None:
    env = door(render_mode="ansi")
    with pytest.raises(OrderError, match=r"call reset\(\) first"):
        getattr(env, call)(*([{}] if call == "step" else []))


@aec_doors
def test_nothing_after_the_end(door: Callable[..., Any]) -> None:
    env = door()
    env.reset(seed=1)
    play_turns(env, 1000, np.random.default_rng(0))
    with pytest.raises(ActionError, match="the game is over for player_0, whose only action now is None, not 0"):
        env.step(0)
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []
    for call in (lambda: env.step(None), lambda: env.step(0), env.last):
        with pytest.raises(OrderError, match=r"the game is over; call reset\(\) to begin another"):
            call()
    env.reset()
    assert env.agent_selection == "player_0"


def test_nothing_after_the_end_elsewhere() -> None:
    parallel, learner = sushi_go_v0.parallel_env(), sushi_go_v0.gymnasium_env()
    _, infos = parallel.reset(seed=1)
    while parallel.agents:
        infos = parallel.step({agent: int(info["action_mask"].argmax()) for agent, info in infos.items()})[4]
    with pytest.raises(OrderError, match="the game is over"):
        parallel.step({})
    _, info = learner.reset(seed=1)
    while not learner.game.done[0]:
        info = learner.step(int(info["action_mask"].argmax()))[4]
    with pytest.raises(OrderError, match="the game is over"):
        learner.step(0)


def test_no_record_of_a_game_that_goes_on() -> None:
    env = sushi_go_v0.env()
    env.reset(seed=1)
    with pytest.raises(OrderError, match="not finished"):
        env.record()


@pytest.mark.parametrize("call", ["observe", "observation_space", "action_space"])
def test_unknown_agents(call: str) -> None:
    env = sushi_go_v0.env(num_players=2)
    env.reset()
    with pytest.raises(SettingError, match="no agent 'player_2'; the agents are player_0, player_1"):
        getattr(env, call)("player_2")


def test_every_error_is_a_sushi_go_error() -> None:
    for error in (ActionError, OrderError, SettingError):
        assert issubclass(error, SushiGoError)
