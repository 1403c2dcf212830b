"""Searches refuse what they cannot think about: settings, rows, masks and keys."""

from __future__ import annotations

import numpy as np
import pytest
from sushigo_agents.registry import load
from sushigo_agents.search.positions import sample_positions

from sushigo_env.errors import AgentError, SettingError
from sushigo_env.sushi_go.game import SushiGo
from tests.search_helpers import KEYS, MAKERS


def _spoilt(how: str) -> tuple[np.ndarray, np.ndarray]:
    """A row and a mask of a game for three, spoilt in one way."""
    game = SushiGo(1, 3)
    game.reset(seeds=np.array([7], np.uint64))
    seen, mask = game.observe()[:, 0].copy(), game.legal()[:, 0].copy()
    slices = game.layout.slices
    if how == "too many unseen":
        seen[0, slices["unseen"]] = 255
    elif how == "too many unknown":
        seen[0, slices["unknown_cards"]] = 200
    elif how == "more cards than there are":
        seen[0, slices["unseen"]] = game.layout.high[slices["unseen"]]
    elif how == "noise":
        seen[:] = np.random.default_rng(3).integers(0, 256, seen.shape)
    elif how == "over":
        seen[0, slices["round"]] = 3
    elif how == "nothing legal":
        mask[:] = False
    else:
        mask[:] = True
    return seen, mask


SPOILT = ("too many unseen", "too many unknown", "more cards than there are", "noise", "over")
MASKS = ("nothing legal", "all legal")


@pytest.mark.parametrize("how", [*SPOILT, *MASKS])
@pytest.mark.parametrize("maker", ["search", "model", "monte_carlo"])
def test_what_no_game_shows_is_refused_before_kernels_see_it(maker: str, how: str):
    seen, mask = _spoilt(how)
    with pytest.raises(SettingError, match=r"row 0 (must be of a game|cannot be what a seat sees)|the mask of row 0"):
        MAKERS[maker](3, "standard").act(seen, mask, KEYS[:1])
    if how in SPOILT:
        with pytest.raises(SettingError, match="row 0"):
            sample_positions(seen, KEYS[:1], 3)


def test_a_mask_may_leave_plays_out():
    seen, mask = _spoilt("nothing legal")
    game = SushiGo(1, 3)
    game.reset(seeds=np.array([7], np.uint64))
    legal = np.flatnonzero(game.legal()[0, 0])
    mask[0, legal[[1, 3]]] = True
    for maker in ("search", "regret", "monte_carlo"):
        assert MAKERS[maker](3, "standard").act(seen, mask, KEYS[:1])[0] in legal[[1, 3]]


def test_keys_of_another_dtype_are_refused():
    seen, _ = _spoilt("nothing legal")
    for spec in ("search", "monte_carlo", "greedy"):
        with pytest.raises(AgentError, match="takes keys uint64"):
            load(spec, "sushi_go", 3).act(seen, SushiGo(1, 3).legal()[:, 0].copy(), KEYS[:1].astype(np.int64))


MISTAKES = [
    ("search:iterations=0", "agent 'search': iterations must be a whole number from 1 to 1,000,000, not 0"),
    ("search:iterations=1.5", "iterations must be a whole number"),
    ("search:iterations=true", "iterations must be a whole number"),
    ("search:time_ms=-1", "time_ms must be a number from 0 to 86,400,000, not -1"),
    ("search:explore=nan", "explore must be a number from 0 to 1,000, not nan"),
    ("search:selection=ucb", "selection must be one of puct, uct, regret, not 'ucb'"),
    ("search:rollout=rival", "rollout must be one of quick, random, greedy, not 'rival'"),
    ("search:aim=points", "aim must be one of win, margin, not 'points'"),
    ("search:policy=zoo:self_play,aim=margin", "aim must be win with a policy, whose value is of the victory"),
    ("search:explore=1" + "0" * 400, "explore must be a number from 0 to 1,000, not 1000"),
    ("monte_carlo:time_ms=1" + "0" * 400, "time_ms must be a number from 0 to 86,400,000, not 1000"),
    ("search:policy=0", "policy must be the spec of an agent with a network, not 0"),
    ("search:policy=false", "policy must be the spec of an agent with a network, not False"),
    ("search:choice=any", "choice must be one of best, mixed, not 'any'"),
    ("search:others=sleep", "others must be one of think, rollout, not 'sleep'"),
    ("search:horizon=year", "horizon must be one of round, game, not 'year'"),
    ("search:depth=3", "there is no setting 'depth'; there are policy, iterations"),
    ("search:policy=greedy", "policy must be an agent with a network, such as zoo:self_play, not 'greedy'"),
    ("search:policy=zoo:nobody", "the zoo has no 'nobody'"),
    ("monte_carlo:iterations=0", "agent 'monte_carlo': iterations must be a whole number"),
    ("monte_carlo:selection=uct", "takes the setting 'iterations'"),
]


@pytest.mark.parametrize(("spec", "words"), MISTAKES)
def test_mistakes_are_said_in_a_sentence(spec: str, words: str):
    with pytest.raises(AgentError, match=words.replace("(", r"\(")):
        load(spec, "sushi_go", 4)
