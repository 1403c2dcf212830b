"""Agents that search: they find what is known to be best, know no more than they see, and a seed fixes what they do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from sushigo_agents.match import play_deals
from sushigo_agents.registry import load
from sushigo_agents.search._greedy import greedy_play, new_mind
from sushigo_agents.search.fitted import table
from sushigo_agents.search.monte_carlo import MonteCarlo
from sushigo_agents.search.positions import sample_positions
from sushigo_agents.search.rollout import write_margins, write_shares
from sushigo_agents.search.search import Search

from sushigo_env import seeding
from sushigo_env._jit import jit
from sushigo_env._memory import pointer
from sushigo_env.errors import AgentError, SettingError
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.plays import index
from sushigo_env.sushi_go.position import Position

KEYS = np.arange(3, dtype=np.uint64)


def _games(position: Position, num_players: int) -> SushiGo:
    game = SushiGo(len(KEYS), num_players)
    game.reset(seeds=seeding.game_seeds(1, len(KEYS)), options={"position": position})
    return game


def _chosen(agent, position: Position, num_players: int) -> list[int]:
    """What it plays in seat 0, by three keys."""
    game = _games(position, num_players)
    return agent.act(game.observe()[:, 0].copy(), game.legal()[:, 0].copy(), KEYS).tolist()


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
    assert _chosen(agent, position, num_players) == [index(best)] * len(KEYS)


@pytest.mark.parametrize(("position", "num_players", "best"), KNOWN)
def test_guided_search_finds_the_known_best_play(position: Position, num_players: int, best: list[str]):
    agent = Search("sushi_go", num_players, "standard", policy="zoo:self_play", iterations=800)
    assert _chosen(agent, position, num_players) == [index(best)] * len(KEYS)


@pytest.mark.parametrize(("position", "num_players", "best"), KNOWN)
def test_monte_carlo_finds_the_known_best_play(position: Position, num_players: int, best: list[str]):
    agent = MonteCarlo("sushi_go", num_players, "standard")
    assert _chosen(agent, position, num_players) == [index(best)] * len(KEYS)


GREEDY = {"rollout": "greedy", "others": "rollout"}
MAKERS = {
    "search": lambda players, variant: Search("sushi_go", players, variant, iterations=60),
    "regret": lambda players, variant: Search("sushi_go", players, variant, iterations=60, selection="regret"),
    "game": lambda players, variant: Search("sushi_go", players, variant, iterations=60, horizon="game"),
    "model": lambda players, variant: Search("sushi_go", players, variant, iterations=60, **GREEDY),
    "guided": lambda players, variant: Search("sushi_go", players, variant, iterations=30, policy="zoo:self_play"),
    "monte_carlo": lambda players, variant: MonteCarlo("sushi_go", players, variant, iterations=20),
}


def _decisions(num_players: int, variant: str = "standard", games: int = 4, steps: int = 3):
    """Some decisions on the way through some games: observations, masks, keys."""
    game = SushiGo(games, num_players, variant=variant)
    game.reset(seeds=seeding.game_seeds(5, games))
    found = []
    for step in range(steps * 3):
        keys = seeding.decision_keys(np.repeat(game.seeds, num_players), np.tile(np.arange(num_players), games), step)
        seen, mask = game.observe().reshape(len(keys), -1).copy(), game.legal().reshape(len(keys), -1).copy()
        if step % 3 == 2:
            found.append((seen, mask, keys))
        game.step(seeding.uniform_actions(mask, keys).reshape(games, num_players))
    seen, mask, keys = (np.concatenate(part) for part in zip(*found, strict=True))
    able = mask.any(axis=1)
    return seen[able], mask[able], keys[able]


@pytest.mark.parametrize("maker", MAKERS)
def test_rows_alone_together_and_in_threads_get_the_same_plays(maker: str):
    agent, (seen, mask, keys) = MAKERS[maker](2, "standard"), _decisions(2)
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
    agent, (seen, mask, keys) = MAKERS[maker](num_players, variant), _decisions(num_players, variant, steps=1)
    plays = agent.act(seen, mask, keys)
    assert mask[np.arange(len(plays)), plays].all()


def test_the_variant_can_be_thought_about_in_both_halves():
    for maker in ("search", "regret", "game", "model", "monte_carlo"):
        agent, (seen, mask, keys) = MAKERS[maker](2, "two_player_dummy"), _decisions(2, "two_player_dummy")
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
        assert _chosen(agent, seen, 3) == _chosen(agent, position, 3)
    assert (_games(other, 3).table.hands != _games(position, 3).table.hands).any()


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


HOPELESS = Position.from_cards(  # the last turn: nothing wins; the squid is worth 2 points more than the egg
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
        agent, game = Search("sushi_go", 2, "standard", **settings), _games(HOPELESS, 2)
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
        agent, game = Search("sushi_go", 2, "standard", aim="margin"), _games(replace(HOPELESS, scores=scores), 2)
        thought = agent.think(game.observe()[:1, 0].copy(), game.legal()[:1, 0].copy(), KEYS[:1])[0]
        assert thought.visits.sum() == thought.iterations == 2000
        found.append((thought.visits.tolist(), thought.strategy.tolist()))
    assert found == [found[0]] * 4


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


def test_thoughts_are_complete():
    agent, (seen, mask, keys) = Search("sushi_go", 4, "standard", iterations=500), _decisions(4)
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
    seen, mask, keys = _decisions(4, steps=1)
    thoughts = agent.think(seen[:2], mask[:2], keys[:2])
    assert all(1 <= thought.iterations < 1_000_000 for thought in thoughts)


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


def test_names_are_specs():
    for spec in ("search", "search:iterations=50", "monte_carlo", "monte_carlo:rollout=random", "search:explore=0.5"):
        assert load(spec, "sushi_go", 2).name == spec
    guided = load("search:policy=zoo:self_play,iterations=5", "sushi_go", 2)
    assert load(guided.name, "sushi_go", 2).name == guided.name
