"""What no game of Sushi Boat shows, given to its agents and as saved states: refused or harmless, never a crash."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray
from sushigo_agents.boat.greedy import BoatGreedy
from sushigo_agents.boat.monte_carlo import BoatMonteCarlo
from sushigo_agents.boat.positions import sample_positions

from sushigo_env.errors import AgentError, SettingError
from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.cards import MENU_VARIANT
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.state import (
    CHOOSE_DEPTH,
    CHOOSE_MENU,
    DECLARE,
    END,
    GUESS_COLOUR,
    MOVE,
    NAME_COLOURS,
    PHASES,
    SATSUKI_DRAW,
    START,
)
from tests import boat_fuzz
from tests.boat_tools import new_game, play, put, walk

AGENTS = (BoatGreedy, BoatMonteCarlo)
KEY = np.zeros(1, np.uint64)
PLAYERS, VARIANT = 4, MENU_VARIANT


def row_of(phase: int = MOVE) -> tuple[SushiBoat, NDArray[np.uint8], NDArray[np.bool_]]:
    """What the seat to act sees, and may do, in some decision of a phase."""
    game = new_game(PLAYERS, VARIANT, seed=4, count=40)
    for _ in walk(game):
        found = np.flatnonzero((game.table.phase == phase) & (game.table.num_actions > 30))
        if len(found):
            index, seat = int(found[0]), int(game.to_act[found[0]])
            return game, game.observe()[index, seat : seat + 1].copy(), game.legal()[index, seat : seat + 1].copy()
    raise AssertionError(f"no game came to {PHASES[phase]}")


def agent_of(maker: type) -> BoatGreedy | BoatMonteCarlo:
    more = {"iterations": 2, "horizon": "round"} if maker is BoatMonteCarlo else {}
    return maker("sushi_boat", PLAYERS, VARIANT, **more)  # type: ignore[no-any-return]


NUMBER, PHASE = "a number is larger than any", "phase, turn and what goes on after do not fit"
PLATES, DISHES = "its plates do not add up", "too many side dishes, or too few to come"
STAFF, MENUS = "staff, pawns and what is chosen do not fit", "its menus are too many"
SPOILT = [
    ("phase", 0, PHASE),
    ("phase", 0, PHASE),
    ("turn", 0, PHASE),
    ("to_act", 1, PHASE),
    ("after", 1, PHASE),
    ("purpose", 1, PHASE),
    ("stack_sizes", 21, NUMBER),
    ("stack_sizes", 20, PLATES),
    ("stacks", 26, NUMBER),
    ("stacks", 0, PLATES),
    ("bag", 0, PLATES),
    ("bag_size", 0, PLATES),
    ("belt", 0, PLATES),
    ("drawn", 1, PLATES),
    ("pool", 0, DISHES),
    ("wasabi_left", 5, NUMBER),
    ("discard_pile", 255, NUMBER),
    ("hands", 2, DISHES),
    ("tiles", 0, STAFF),
    ("tiles", 1, STAFF),
    ("places", 1, STAFF),
    ("menus_held", 20, MENUS),
    ("menus", 1, MENUS),
    ("menu_deck_left", 20, MENUS),
    ("guesses", 255, NUMBER),
]


@pytest.mark.parametrize("maker", AGENTS)
def test_what_no_game_shows_is_refused_before_kernels_see_it(maker):
    game, seen, mask = row_of()
    agent = agent_of(maker)
    assert mask[0, agent.act(seen, mask, KEY)[0]]
    for name, value, words in SPOILT:
        spoilt = seen.copy()
        spoilt[0, game.layout.slices[name]] = value
        with pytest.raises(AgentError, match=f"agent '{maker.name}.*' cannot decide in row 0: .*{words}"):
            agent.act(spoilt, mask, KEY)
        with pytest.raises(SettingError, match=f"row 0 cannot be what a seat sees: .*{words}"):
            sample_positions(spoilt, KEY, PLAYERS, VARIANT)


@pytest.mark.parametrize("maker", AGENTS)
def test_rows_of_others_of_strict_and_of_games_that_are_over_are_refused(maker):
    game, seen, mask = row_of()
    agent = agent_of(maker)
    index = int(np.flatnonzero(game.table.phase == MOVE)[0])
    seat = int(game.to_act[index])
    with pytest.raises(AgentError, match="row 0: another seat decides"):
        agent.act(game.observe()[index, seat - 1 : seat or None][:1].copy(), mask, KEY)
    strict = game.observe("strict")[index, seat : seat + 1].copy()
    with pytest.raises(
        AgentError, match=r"row 0: (a number is larger|its plates do not add up|there are too many side dishes)"
    ):
        agent.act(strict, mask, KEY)
    play(game)
    with pytest.raises(AgentError, match="row 0: its game is over"):
        agent.act(game.observe()[0, :1], mask, KEY)
    assert agent.act(game.observe()[0, :1], ~np.ones_like(mask), KEY).tolist() == [0], "nobody is asked"
    assert agent.act(seen[:0], mask[:0], KEY[:0]).shape == (0,)


@pytest.mark.parametrize("maker", AGENTS)
def test_a_mask_may_leave_actions_out_but_not_allow_more(maker):
    for phase in (START, MOVE, END, CHOOSE_MENU, GUESS_COLOUR):
        _, seen, mask = row_of(phase)
        agent, legal = agent_of(maker), np.flatnonzero(mask[0])
        for allowed in (legal[-2:], legal[:2], legal[1:2]):
            narrow = np.zeros_like(mask)
            narrow[0, allowed] = True
            assert not len(allowed) or agent.act(seen, narrow, KEY)[0] in allowed
        wide = mask.copy()
        wide[0, plays.DECLINE] = True
        with pytest.raises(AgentError, match="row 0: its mask allows what the rules forbid"):
            agent.act(seen, wide, KEY)
    with pytest.raises(AgentError, match="row 0: its mask allows nothing"):
        agent_of(BoatMonteCarlo).think(seen, np.zeros_like(mask), KEY)


def broken(phase: int, **fields: object) -> NDArray[np.uint8]:
    """A saved game of two, in a decision of a phase, with fields changed; what is kept of it is worked out anew."""
    game = new_game(2, VARIANT, seed=3)
    play(game, 2)  # menus are dealt
    put(game, phase=phase, **fields)
    return game.save()


@pytest.mark.parametrize(
    "rows",
    [
        lambda: broken(CHOOSE_DEPTH),
        lambda: broken(NAME_COLOURS),
        lambda: broken(SATSUKI_DRAW),
        lambda: broken(CHOOSE_MENU, back=START),
        lambda: broken(GUESS_COLOUR, stage=2, num_guesses=[2, 2]),
        lambda: broken(GUESS_COLOUR, stage=0),
        lambda: broken(DECLARE, stage=2),
        lambda: broken(START, deck_left=25),
        lambda: broken(START, declared=[[1, 0]]),
        lambda: broken(MOVE, pawns=[3, 3]),
        lambda: broken(START, menus=[[7, 7]], num_menus=[2]),
        lambda: broken(START, num_actions=1, actions=[200]),
        lambda: broken(START, num_chances=1, chances=[200]),
        lambda: broken(START, belt=[255] * 14, filled=0),
    ],
)
def test_saved_states_that_no_game_has_are_refused(rows):
    game = new_game(2, VARIANT, seed=3)
    kept = game.save()
    with pytest.raises(SettingError, match="the saved state is damaged"):
        game.restore(rows())
    np.testing.assert_array_equal(game.save(), kept)
    game.restore(kept)


@pytest.mark.parametrize("what", boat_fuzz.KINDS)
def test_noise_and_changed_bytes_never_crash(what):
    """In a process of its own, so that a crash or an endless loop is a failure of this test alone."""
    told = [sys.executable, "-m", "tests.boat_fuzz", what, "7", "1"]
    done = subprocess.run(told, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, (done.returncode, done.stdout[-500:], done.stderr[-1500:])
    counts = dict(part.split("=") for part in done.stdout.split())
    assert int(counts["refused"]) > 0
    assert int(counts["harmless"]) > 0
