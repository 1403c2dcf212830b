"""Agents that fail or cheat are named with seat and deal, wherever they are asked: in matches and as opponents."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sushigo_agents import registry
from sushigo_agents.match import play_deals, play_games

from sushigo_env import sushi_go_v0
from sushigo_env.api.opponents import load_agent
from sushigo_env.api.settings import Settings
from sushigo_env.api.single_agent import SingleAgent
from sushigo_env.errors import AgentError, SettingError
from sushigo_env.seeding import game_seeds
from sushigo_env.sushi_go import observation
from sushigo_env.sushi_go.game import SushiGo
from tests.test_api_opponents import TABLE
from tests.toy_games import Sticks

SEED = 70


class Told:
    """Does what it is told: `answer(action_mask)`."""

    name, observation = "told", "memory"

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self.answer = answer

    def act(self, observation: Any, action_mask: Any, keys: Any) -> Any:
        return self.answer(action_mask)


def in_a_match(agent: Any) -> Any:
    """It sits in seats 1 and 2, so that it is asked for two rows at once."""
    lineup = [registry.load("random", "sushi_go", 3), agent, agent]
    return play_deals(lineup, lambda games: SushiGo(games, 3), game_seeds(SEED, 1), rotate=False)


def as_opponent(agent: Any) -> Any:
    env = sushi_go_v0.gymnasium_env(num_players=3, opponents=agent)
    _, info = env.reset(seed=SEED)
    return env.step(int(info["action_mask"].argmax()))


every_table = pytest.mark.parametrize("table", [in_a_match, as_opponent])


def raising(error: BaseException) -> Callable[[Any], Any]:
    def answer(action_mask: Any) -> Any:
        raise error

    return answer


def cheating(action_mask: Any) -> Any:
    illegal = (~action_mask).argmax(axis=1)
    action_mask[:] = True
    return illegal


FIRST = rf"^agent told in seat 1 of the deal with seed {SEED} \(the first of 2 asked\) "
BROKEN = {
    "raises": (raising(KeyError("boom\nmore")), FIRST + r"raised KeyError: 'boom\\nmore'\.$"),
    "raises two lines": (raising(ValueError("one.\ntwo")), FIRST + r"raised ValueError: one\.$"),
    "raises without a word": (raising(RuntimeError()), FIRST + r"raised RuntimeError\.$"),
    "leaves": (raising(SystemExit(0)), FIRST + r"raised SystemExit: 0\.$"),
    "breaks a rule of ours": (raising(SettingError("no such thing.")), FIRST + r"failed: no such thing\.$"),
    "takes other arguments": (lambda: None, FIRST + "raised TypeError: "),
    "is ragged": (lambda mask: [[1], [1, 2]], FIRST + "raised ValueError: "),
    "returns floats": (lambda mask: [0.0, 1.0], FIRST + "returned an array of float64 where an array of integers"),
    "returns booleans": (lambda mask: mask[:, 0], FIRST + "returned an array of bool where an array of integers"),
    "returns words": (lambda mask: ["0", "1"], FIRST + "returned an array of <U1 where an array of integers"),
    "returns numbers beyond all": (lambda mask: [10**30] * 2, FIRST + "returned an array of object where"),
    "returns nothing": (lambda mask: None, FIRST + "returned NoneType where an array of integers"),
    "returns one number": (lambda mask: 3, FIRST + r"returned actions of shape \(\) where \(2,\) is wanted"),
    "returns a column": (lambda mask: [[1], [2]], FIRST + r"returned actions of shape \(2, 1\) where \(2,\) is wanted"),
    "is far out of range": (
        lambda mask: np.full(2, 2**64 - 1, np.uint64),
        rf"^agent told in seat 1 of the deal with seed {SEED} returned action 18446744073709551615, .* \(0 to 95\)\.$",
    ),
    "errs in a later row": (
        lambda mask: [int(mask[0].argmax()), -1],
        rf"^agent told in seat 2 of the deal with seed {SEED} returned action -1, which is out of range",
    ),
    "writes to its mask": (
        cheating,
        rf"^agent told in seat 1 of the deal with seed {SEED} chose an illegal play, .* \(action \d+\); legal were: ",
    ),
}


@every_table
@pytest.mark.parametrize("case", BROKEN)
def test_an_agent_that_breaks_its_contract_is_named(table: Any, case: str) -> None:
    answer, message = BROKEN[case]
    with pytest.raises(AgentError, match=message) as caught:
        table(Told(answer))
    assert "\n" not in str(caught.value)


@every_table
def test_what_was_raised_is_kept(table: Any) -> None:
    error = KeyError("boom")
    with pytest.raises(AgentError) as caught:
        table(Told(raising(error)))
    assert caught.value.__cause__ is error


@every_table
def test_an_interrupt_passes_through(table: Any) -> None:
    with pytest.raises(KeyboardInterrupt):
        table(Told(raising(KeyboardInterrupt())))


@every_table
@pytest.mark.parametrize("kind", [list, tuple, np.int8, np.uint64, np.int64])
def test_anything_that_makes_an_array_of_integers_is_an_answer(table: Any, kind: Any) -> None:
    def answer(mask: Any) -> Any:
        chosen = mask.argmax(axis=1)
        return kind(chosen.tolist()) if kind in (list, tuple) else chosen.astype(kind)

    table(Told(answer))


def test_the_deal_of_an_opponent_is_named_as_far_as_it_is_known() -> None:
    agent = Told(lambda mask: mask.argmax(axis=1))
    env = sushi_go_v0.gymnasium_vector_env(2, num_players=2, opponents=agent)
    env.reset(options={"reset_mask": np.array([False, True])})
    agent.answer = lambda mask: None
    masks = env.action_masks()
    with pytest.raises(AgentError, match=r"^agent told in seat 1 of game 1, which was reset without a seed returned"):
        env.step(masks.argmax(axis=1))
    agent.answer = lambda mask: mask.argmax(axis=1)
    env.reset(seed=5)
    env.reset()
    agent.answer = lambda mask: [int(mask[0].argmax()), -1]
    with pytest.raises(
        AgentError, match=r"^agent told in seat 1 of the deal with seed 6, episode 1 returned action -1"
    ):
        env.step(env.action_masks().argmax(axis=1))


# loading -------------------------------------------------------------------------------------------------------------
def refuses(game: str, num_players: int, variant: str) -> Any:
    raise SettingError("this table is too small.")


def fails(game: str, num_players: int, variant: str) -> Any:
    raise ValueError("no weights")


def leaves(game: str, num_players: int, variant: str) -> Any:
    sys.exit(0)


def interrupts(game: str, num_players: int, variant: str) -> Any:
    raise KeyboardInterrupt


def everything(game: str, num_players: int, variant: str) -> Any:
    agent = Told(lambda mask: mask.argmax(axis=1))
    agent.observation = "everything"
    return agent


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            f"{__name__}:fails",
            rf"^agent '{__name__}:fails' cannot be made: its factory raised ValueError: no weights\.$",
        ),
        (f"{__name__}:leaves", "cannot be made: its factory raised SystemExit: 0"),
        ("builtins:dict", "^agent 'builtins:dict' cannot be made: its factory raised TypeError: dict expected at most"),
        (
            f"{__name__}:everything",
            f"^agent '{__name__}:everything' wants observation 'everything', but sushi_go has only memory, table,",
        ),
        ("gredy:Agent", "module 'gredy' was not found .*working folder.* Python's path.*; did you mean 'greedy'"),
    ],
)
def test_agents_that_cannot_be_made(spec: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        load_agent(spec, *TABLE, observation.OBSERVATIONS)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def f(:", "SyntaxError: invalid syntax"),
        ("raise RuntimeError('at import')", r"RuntimeError: at import\.$"),
        ("import sys; sys.exit(0)", r"SystemExit: 0\.$"),
        ("import no_such_module", r"ModuleNotFoundError: No module named 'no_such_module'\.$"),
        ("def __getattr__(name): raise OSError(name)", r"OSError: Agent\.$"),
    ],
)
def test_modules_that_fail_at_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, message: str) -> None:
    (tmp_path / "agent_that_fails.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "agent_that_fails", raising=False)
    with pytest.raises(AgentError, match=f"^agent 'agent_that_fails:Agent' cannot be loaded: {message}"):
        load_agent("agent_that_fails:Agent", *TABLE)


def test_loading_lets_our_own_sentences_and_interrupts_through() -> None:
    with pytest.raises(SettingError, match=r"^this table is too small\.$"):
        load_agent(f"{__name__}:refuses", *TABLE)
    with pytest.raises(KeyboardInterrupt):
        load_agent(f"{__name__}:interrupts", *TABLE)


def test_agents_may_declare_what_the_game_has_and_nothing_else() -> None:
    agent = Told(lambda mask: mask.argmax(axis=1))
    for setting in Sticks.observations:
        agent.observation = setting
        SingleAgent(Sticks(1), Settings(), "toy_v0", agent).reset(seed=1)
    agent.observation = "table"  # another game's
    for opponents in (agent, {agent: 1.0}):
        with pytest.raises(AgentError, match=r"^agent told wants observation 'table', but sticks has only memory, f"):
            SingleAgent(Sticks(1), Settings(), "toy_v0", opponents)
    with pytest.raises(AgentError, match="'table', but sticks has only memory, full"):
        play_games(Sticks(1), [agent], np.zeros((1, 3), np.int64), game_seeds(0, 1))
    agent.observation = "strict"
    with pytest.raises(AgentError, match="'strict', but sushi_go has only memory, table, full"):
        registry.load(agent, "sushi_go", 3)


# agents of other tables ----------------------------------------------------------------------------------------------
@every_table
@pytest.mark.parametrize(
    ("attribute", "value", "message"),
    [
        ("num_players", 4, "num_players=4; this table has num_players=3"),
        ("num_players", np.int64(2), r"num_players=np\.int64\(2\); this table has num_players=3"),
        ("variant", "two_player_dummy", "variant='two_player_dummy'; this table has variant='standard'"),
        ("game", "chess", "game='chess'; this table has game='sushi_go'"),
        ("observation", "everything", None),
    ],
)
def test_an_agent_made_for_another_table_is_refused(table: Any, attribute: str, value: Any, message: str) -> None:
    agent = Told(raising(AssertionError("it must not be asked")))
    setattr(agent, attribute, value)
    wanted = f"agent told was made for {message}" if message else "agent told wants observation 'everything', but sushi"
    with pytest.raises(AgentError, match=f"^{wanted}"):
        table(agent)


@every_table
def test_an_agent_may_call_its_simulator_game(table: Any) -> None:
    agent: Any = Told(lambda mask: mask.argmax(axis=1))
    agent.game, agent.num_players, agent.variant = SushiGo(), None, None
    table(agent)


@every_table
def test_a_greedy_of_another_table_is_refused(table: Any) -> None:
    with pytest.raises(AgentError, match=r"^agent greedy was made for num_players=4; this table has num_players=3"):
        table(registry.load("greedy", "sushi_go", 4))


@pytest.mark.parametrize("spec", ["greedy", "rival", "prefer"])
@pytest.mark.parametrize(
    ("rows", "width", "actions", "keys", "dtype"),
    [
        (3, 74, 96, 3, np.uint8),
        (3, 134, 97, 3, np.uint8),
        (3, 134, 96, 2, np.uint8),
        (2, 134, 96, 3, np.uint8),
        (3, 134, 96, 3, np.float32),
    ],
)
def test_arrays_of_another_table_never_reach_a_kernel(
    spec: str, rows: int, width: int, actions: int, keys: int, dtype: Any
) -> None:
    agent = registry.load(spec, "sushi_go", 4)
    arrays = np.zeros((rows, width), dtype), np.ones((3, actions), np.bool_), np.zeros(keys, np.uint64)
    message = (
        rf"agent '{spec}' was made for 4 players \(standard\): it takes observations uint8\[{keys}, 134\], "
        rf"masks \[{keys}, 96\] and keys \[{keys}\], not {np.dtype(dtype)}\[{rows}, {width}\], \[3, {actions}\] and"
    )
    with pytest.raises(AgentError, match=message):
        agent.act(*arrays)
