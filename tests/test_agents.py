"""One contract for every registered agent; what `greedy`, `rival` and `prefer` play where the best is plain."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sushigo_agents import registry
from sushigo_agents.match import play_deals
from sushigo_agents.prefer import ORDER

from sushigo_env.errors import AgentError, SettingError
from sushigo_env.seeding import decision_keys, game_seeds
from sushigo_env.sushi_go import plays
from sushigo_env.sushi_go.cards import CARDS, DUMMY
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.observation import OBSERVATIONS
from sushigo_env.sushi_go.position import Position

TABLES = [(players, passing, "standard") for players, passing in product((2, 3, 4, 5), ("left", "alternate"))]
TABLES.append((2, "left", DUMMY))


def specs(players: int, variant: str) -> list[str]:
    return [*registry.specs("sushi_go", players, variant), "prefer:tempura"]


CASES = [(spec, *table) for table in TABLES for spec in specs(table[0], table[2])]


def test_the_agents_of_this_package_are_registered() -> None:
    assert {"random", "greedy", "rival", "prefer", "zoo"} <= set(registry.names())
    assert {"random", "greedy", "rival", "prefer"} <= set(registry.specs("sushi_go", 4))


@pytest.mark.parametrize(("spec", "players", "passing", "variant"), CASES)
def test_agents_keep_the_contract(spec: str, players: int, passing: str, variant: str) -> None:
    agent, again = (registry.load(spec, "sushi_go", players, variant) for _ in range(2))
    assert agent.observation in OBSERVATIONS
    game = SushiGo(5, players, passing=passing, variant=variant)
    game.reset(seeds=game_seeds(11, 5))
    turn = 0
    while not game.done.all():
        asked = game.legal().any(axis=2)  # who waits is asked too: an API may ask everyone
        games, seats = np.nonzero(asked)
        seen = game.observe(agent.observation)[games, seats]
        mask = game.legal()[games, seats]
        keys = decision_keys(game.seeds[games], seats, turn)
        given = seen.copy(), mask.copy(), keys.copy()
        chosen = agent.act(seen, mask, keys)
        for array, before in zip((seen, mask, keys), given, strict=True):
            np.testing.assert_array_equal(array, before, err_msg="inputs must not be changed")
        assert chosen.dtype == np.int32
        assert chosen.shape == (len(games),)
        assert mask[np.arange(len(games)), chosen].all()
        hold_rows_apart(agent, again, seen, mask, keys, chosen)
        actions = np.zeros((5, players), np.int32)
        actions[games, seats] = chosen
        game.step(actions)
        turn += 1


def hold_rows_apart(agent: Any, again: Any, seen: Any, mask: Any, keys: Any, chosen: NDArray[np.int32]) -> None:
    """A row's play hangs on the row and its key alone: not on other rows, calls before, or another generator."""
    shuffled = np.random.default_rng(0).permutation(len(keys))
    np.testing.assert_array_equal(agent.act(seen[shuffled], mask[shuffled], keys[shuffled]), chosen[shuffled])
    np.testing.assert_array_equal(again.act(seen[:2], mask[:2], keys[:2]), chosen[:2])
    np.testing.assert_array_equal(agent.act(seen[-1:], mask[-1:], keys[-1:]), chosen[-1:])


@pytest.mark.parametrize("spec", specs(3, "standard"))
def test_agents_play_rows_that_are_views(spec: str) -> None:
    agent = registry.load(spec, "sushi_go", 3)
    game = SushiGo(4, 3)
    game.reset(seeds=game_seeds(2, 4))
    seen, mask, keys = game.observe(agent.observation)[::2, 1], game.legal()[::2, 1], game.seeds[::2]
    np.testing.assert_array_equal(agent.act(seen, mask, keys), agent.act(seen.copy(), mask.copy(), keys.copy()))


@pytest.mark.parametrize("spec", ["greedy", "rival", "prefer"])
def test_agents_of_this_game_play_no_other(spec: str) -> None:
    with pytest.raises(AgentError, match="plays sushi_go, not 'chess'"):
        registry.load(spec, "chess", 4)
    with pytest.raises(SettingError, match="num_players must be 2, 3, 4 or 5"):
        registry.load(spec, "sushi_go", 6)


# prefer --------------------------------------------------------------------------------------------------------------
def test_prefer_lays_its_card_whenever_it_holds_it_else_by_its_order() -> None:
    agent = registry.load("prefer:pudding", "sushi_go", 2)
    order = ["pudding", *(card for card in ORDER if card != "pudding")]
    game = SushiGo(20, 2)
    game.reset(seeds=game_seeds(3, 20))
    while not game.done.all():
        mask = game.legal().reshape(40, -1)
        chosen = agent.act(game.observe().reshape(40, -1), mask, np.zeros(40, np.uint64))
        for row, action in enumerate(chosen):
            held = [CARDS[card] for card in np.flatnonzero(mask[row, : len(CARDS)])]
            assert plays.PLAYS[action] == (min(held, key=order.index),)
        game.step(chosen.reshape(20, 2))


def test_prefer_orders_every_card_once() -> None:
    assert sorted(ORDER) == sorted(CARDS)


def test_prefer_names_the_cards_there_are() -> None:
    with pytest.raises(AgentError, match=r"unknown card 'ramen'; the cards are tempura, .*chopsticks\."):
        registry.load("prefer:ramen", "sushi_go", 4)


# greedy and rival where the best play is plain -----------------------------------------------------------------------
def play_of(spec: str, hands: list[list[str]], tableaus: list[list[str]], variant: str = "standard", **at: Any) -> Any:
    """What seat 0 lays in a position."""
    players = len(hands)
    game = SushiGo(1, players, variant=variant)
    game.set_position(Position.from_cards(hands, tableaus, variant=variant, **at))
    agent = registry.load(spec, "sushi_go", players, variant)
    row = game.observe(agent.observation)[0, :1], game.legal()[0, :1], np.zeros(1, np.uint64)
    return plays.PLAYS[int(agent.act(*row)[0])]


DULL = ["egg_nigiri", "dumpling", "maki_1", "egg_nigiri", "maki_1", "dumpling", "maki_1"]
"""Seven cards that leave little to play for."""
PLAIN = {
    "squid on an open wasabi": (["squid_nigiri", "tempura", "sashimi"], [*DULL[:6], "wasabi"], "squid_nigiri"),
    "the third sashimi": (["salmon_nigiri", "sashimi", "maki_2"], [*DULL[:5], "sashimi", "sashimi"], "sashimi"),
    "the second tempura": (["salmon_nigiri", "tempura", "egg_nigiri"], [*DULL[:6], "tempura"], "tempura"),
    "the fifth dumpling": (["dumpling", "squid_nigiri", "tempura"], ["dumpling"] * 4 + ["maki_3"] * 3, "dumpling"),
    "no first sashimi with two turns left": (["sashimi", "egg_nigiri", "chopsticks"], DULL, "egg_nigiri"),
    "no chopsticks with two turns left": (["chopsticks", "salmon_nigiri", "sashimi"], DULL, "salmon_nigiri"),
}


@pytest.mark.parametrize(
    ("spec", "case"),  # where nothing is worth much, rival rather denies the opponent its third sashimi
    [(spec, case) for case in PLAIN for spec in ("greedy", "rival") if spec == "greedy" or not case.startswith("no ")],
)
def test_the_plainly_best_card_is_taken(spec: str, case: str) -> None:
    hand, laid, best = PLAIN[case]
    hands = [hand, ["egg_nigiri", "maki_1", "egg_nigiri"]]
    opponent = ["tempura", "sashimi", "sashimi", *["dumpling"] * 4]  # wants the same cards, so they will not wait
    assert play_of(spec, hands, [laid, opponent]) == (best,)


@pytest.mark.parametrize("spec", ["greedy", "rival"])
def test_chopsticks_lay_two_great_cards_at_once(spec: str) -> None:
    laid = ["chopsticks", "wasabi", "sashimi", "sashimi", *DULL[1:4]]
    hands = [["squid_nigiri", "sashimi", "maki_1"], ["egg_nigiri", "maki_1", "dumpling"]]
    assert play_of(spec, hands, [laid, ["salmon_nigiri"] * 7]) == ("sashimi", "squid_nigiri")


@pytest.mark.parametrize("spec", ["greedy", "rival"])
def test_wasabi_goes_under_the_nigiri_of_the_same_turn(spec: str) -> None:
    hands = [["wasabi", "squid_nigiri", "maki_1"], ["egg_nigiri", "maki_1", "dumpling"]]
    assert play_of(spec, hands, [["chopsticks", *DULL[1:]], ["salmon_nigiri"] * 7]) == ("wasabi", "squid_nigiri")


@pytest.mark.parametrize("spec", ["greedy", "rival"])
def test_the_last_free_choice_completes_a_set(spec: str) -> None:
    laid = [*DULL, "sashimi", "sashimi"]  # turn 9 of 10 would leave no choice; here two cards are left of nine
    hands = [["sashimi", "squid_nigiri"], ["egg_nigiri", "maki_1"], ["dumpling", "egg_nigiri"]]
    other = ["salmon_nigiri"] * 3
    tables = [laid[2:], [*other, "wasabi", "tempura", "tempura", "tempura"], [*other, *["maki_2"] * 4]]
    assert play_of(spec, hands, tables) == ("sashimi",)


@pytest.mark.parametrize("spec", ["greedy", "rival"])
def test_a_maki_that_wins_the_majority_beats_an_egg(spec: str) -> None:
    mine = ["maki_2", "maki_2", *["salmon_nigiri"] * 6]
    theirs = ["maki_3", "maki_2", *["tempura"] * 6]
    hands = [["maki_2", "egg_nigiri"], ["egg_nigiri", "dumpling"]]
    assert play_of(spec, hands, [mine, theirs]) == ("maki_2",)
    theirs = ["maki_3", "maki_3", "maki_3", *["tempura"] * 5]
    assert play_of(spec, hands, [mine, theirs]) == ("egg_nigiri",)


@pytest.mark.parametrize("spec", ["greedy", "rival"])
def test_the_last_pudding_counts_for_the_whole_game(spec: str) -> None:
    hands = [["pudding", "squid_nigiri"], ["egg_nigiri", "maki_1"], ["dumpling", "egg_nigiri"]]
    tables = [["tempura", *DULL[:6]], ["sashimi"] * 7, ["salmon_nigiri"] * 7]
    assert play_of(spec, hands, tables, puddings=[1, 1, 1], round=2) == ("pudding",)
    assert play_of(spec, hands, tables, puddings=[4, 1, 2], round=2) == ("squid_nigiri",)


def test_a_rival_takes_what_the_next_seat_needs_most() -> None:
    hands = [["sashimi", "salmon_nigiri"], ["egg_nigiri", "maki_1"]]
    tables = [["tempura", *DULL], ["sashimi", "sashimi", *["tempura"] * 4, "maki_3", "maki_3"]]
    assert play_of("greedy", hands, tables) == ("salmon_nigiri",)
    assert play_of("rival", hands, tables) == ("sashimi",)
    tables[1][0] = "dumpling"  # now the neighbour has no use for it
    assert play_of("rival", hands, tables) == ("salmon_nigiri",)


@pytest.mark.parametrize("spec", ["greedy", "rival"])
def test_the_dummy_gets_what_the_opponent_needs(spec: str) -> None:
    game = SushiGo(1, 2, variant=DUMMY)
    hands = [["squid_nigiri", "sashimi", "egg_nigiri", "egg_nigiri"], ["egg_nigiri", "maki_1", "dumpling"]]
    tables = [["wasabi", *DULL[1:6]], ["sashimi", "sashimi", *["tempura"] * 4], ["maki_3"] * 6]
    game.set_position(Position.from_cards(hands, tables, variant=DUMMY, controller=0, drawn="egg_nigiri"))
    agent = registry.load(spec, "sushi_go", 2, DUMMY)
    laid = []
    for _ in range(2):
        chosen = agent.act(game.observe()[0], game.legal()[0], np.zeros(2, np.uint64))
        laid.append(plays.describe(int(chosen[0])))
        game.step(chosen[None])
    assert laid == ["Squid Nigiri", "Sashimi"]


# strength ------------------------------------------------------------------------------------------------------------
def win_share(spec: str, field: str, players: int, deals: int, variant: str = "standard") -> tuple[float, float]:
    """Win share of one `spec` against the rest `field`, and half its 95% interval by deal."""
    agent, other = (registry.load(name, "sushi_go", players, variant) for name in (spec, field))
    lineup = [agent] + [other] * (players - 1)
    result = play_deals(lineup, lambda games: SushiGo(games, players, variant=variant), game_seeds(2024, deals))
    shares = result.shares[:, :, 0].mean(axis=1)
    return float(shares.mean()), float(1.96 * shares.std(ddof=1) / len(shares) ** 0.5)


@pytest.mark.parametrize(("players", "floor"), [(2, 0.95), (3, 0.93), (4, 0.92), (5, 0.89)])
def test_greedy_beats_random_players(players: int, floor: float) -> None:
    assert win_share("greedy", "random", players, 300)[0] > floor


@pytest.mark.parametrize("players", [2, 3])
def test_rival_beats_greedy_players(players: int) -> None:
    share, half_interval = win_share("rival", "greedy", players, 2000)
    assert share - half_interval > 1 / players


def test_heuristics_beat_random_beside_a_dummy() -> None:
    assert win_share("greedy", "random", 2, 200, DUMMY)[0] > 0.95
    assert win_share("rival", "random", 2, 200, DUMMY)[0] > 0.95
