"""The rest of a round: against brute force through the engine, positions solved by hand, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog
from sushigo_agents.exact._kept import LAST_GENERATION
from sushigo_agents.exact._rest import NO_PUDDING_LEAD
from sushigo_agents.exact.endgame import Solution, Solver, solve

from sushigo_env.errors import SettingError
from sushigo_env.sushi_go import plays, scoring
from sushigo_env.sushi_go.cards import CARDS, CHOPSTICKS, COPIES, DECK, DUMMY, NIGIRI, PUDDING, WASABI, K
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.position import Position
from sushigo_env.sushi_go.state import PUDDINGS

Matrix = NDArray[np.float64]
PUDDING_VALUE = 1.7
"""A number that no sum of points hides."""


# brute force: the rules from the engine, the matrix games from scipy, nothing merged ----------------------------------
def matrix_value(payoff: Matrix) -> float:
    low, high = payoff.min(axis=1).max(), payoff.max(axis=0).min()
    if low >= high:
        return float(low)
    rows, columns = payoff.shape
    result = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.column_stack([-payoff.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -float(result.fun)


def all_plays(state: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], SushiGo]:
    """The legal plays of a saved game (bool[2, 96]), and a batch with the games after each pair of them."""
    game = SushiGo(1, 2)
    game.restore(state)
    legal = game.legal()[0].copy()
    first, second = (np.flatnonzero(legal[seat]) for seat in range(2))
    games = SushiGo(len(first) * len(second), 2)
    games.table.rows[:] = state
    games.step(np.stack([np.repeat(first, len(second)), np.tile(second, len(first))], axis=1))
    return legal, games


def brute_force(state: NDArray[np.uint8], before: Position, shape: bool = False) -> Any:
    """The value of a saved game; with `shape` the payoffs of all pairs of legal plays instead."""
    legal, games = all_plays(state)
    over = games.table.round != before.round
    margins = np.zeros(len(over))
    points = games.scores - before.scores
    kept = games.table.status[:, :2, PUDDINGS].astype(np.int64) - before.puddings
    worth = 0.0 if before.round == 2 else PUDDING_VALUE
    margins[over] = (points[over, 0] - points[over, 1]) + worth * (kept[over, 0] - kept[over, 1])
    for index in np.flatnonzero(~over):
        margins[index] = brute_force(games.table.rows[index : index + 1], before)
    payoff = margins.reshape(legal[0].sum(), legal[1].sum())
    return payoff if shape else matrix_value(payoff)


def random_position(rng: Any, cards: int, favoured: dict[int, float]) -> Position:
    """A position with `cards` in each hand; types of a greater weight come more often."""
    weights = np.array([favoured.get(card, 1.0) for card in DECK])
    deck = DECK[np.argsort(rng.exponential(size=len(DECK)) / weights)]
    parts = np.split(deck, [cards, 2 * cards, cards + 10, 20])[:4]
    hands, tableaus = parts[:2], parts[2:]
    left = int(COPIES[PUDDING] - (deck[:20] == PUDDING).sum())
    turn_round = int(rng.integers(0, 3))
    puddings = rng.integers(0, left // 2 + 1, 2) * (turn_round > 0)
    names = [[[CARDS[card] for card in rng.permutation(part)] for part in two] for two in (hands, tableaus)]
    scores = rng.integers(0, 60, 2)
    return Position.from_cards(names[0], names[1], puddings=puddings, scores=scores, round=turn_round)


def state_of(position: Position) -> NDArray[np.uint8]:
    game = SushiGo(1, 2)
    game.set_position(position)
    return game.save()


def hold_solution(solution: Solution, payoff: Matrix, legal: NDArray[np.bool_]) -> None:
    """Strategies over legal plays alone, that guarantee the value against all of the other's."""
    row, column = solution.row_strategy, solution.column_strategy
    assert row.shape == column.shape == (plays.NUM_PLAYS,)
    for strategy, mask in ((row, legal[0]), (column, legal[1])):
        assert (strategy >= 0).all()
        assert strategy.sum() == pytest.approx(1, abs=1e-12)
        assert not strategy[~mask].any()
    assert (row[legal[0]] @ payoff).min() >= solution.value - 1e-9
    assert (payoff @ column[legal[1]]).max() <= solution.value + 1e-9


FAVOURED: dict[str, dict[int, float]] = {
    "any": {},
    "wasabi and nigiri": {WASABI: 9.0, **dict.fromkeys(NIGIRI, 5.0)},
    "sets": {0: 9.0, 1: 9.0, 2: 6.0},
    "maki": {3: 9.0, 4: 9.0, 5: 9.0},
    "puddings": {PUDDING: 30.0},
    "chopsticks": {CHOPSTICKS: 40.0},
    "chopsticks, wasabi, nigiri": {CHOPSTICKS: 40.0, WASABI: 20.0, **dict.fromkeys(NIGIRI, 9.0)},
}


@pytest.mark.parametrize("kind", FAVOURED)
@pytest.mark.parametrize(("cards", "count"), [(1, 5), (2, 40), (3, 20)])
def test_small_positions_are_solved_as_by_brute_force(kind: str, cards: int, count: int) -> None:
    rng = np.random.default_rng(cards)
    for _ in range(count // 4 if cards == 3 and "chopsticks" in kind else count):
        position = random_position(rng, cards, FAVOURED[kind])
        state = state_of(position)
        payoff = brute_force(state, position, shape=True)
        solution = solve(position, pudding_value=PUDDING_VALUE)
        assert solution.value == pytest.approx(matrix_value(payoff), abs=1e-9)
        hold_solution(solution, payoff, all_plays(state)[0])


@pytest.mark.parametrize("kind", FAVOURED)
def test_four_cards_without_chopsticks_as_by_brute_force(kind: str) -> None:
    position = random_position(np.random.default_rng(9), 4, {**FAVOURED[kind], CHOPSTICKS: 1e-9})
    value = brute_force(state_of(position), position)
    assert solve(position, pudding_value=PUDDING_VALUE).value == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("kind", FAVOURED)
@pytest.mark.parametrize("cards", [4, 5, 6])
def test_a_position_is_the_matrix_game_of_the_positions_after_it(kind: str, cards: int) -> None:
    """With the small ones right, this makes the larger ones right, one turn after the other."""
    position = random_position(np.random.default_rng(cards), cards, FAVOURED[kind])
    legal, games = all_plays(state_of(position))
    solver = Solver(PUDDING_VALUE)
    values = [whole_of(solver, games.position(index)) for index in range(games.num_games)]
    payoff = np.reshape(values, (legal[0].sum(), legal[1].sum()))
    solution = whole_of(solver, position, value=False)
    assert solution.value == pytest.approx(matrix_value(payoff), abs=1e-8)
    hold_solution(solution, payoff, legal)


def whole_of(solver: Solver, position: Position, value: bool = True) -> Any:
    cards = position.hands, position.tableaus, position.wasabi, position.nigiri_points, position.puddings
    found = solver.solve(*cards, final=position.round == 2)
    assert found is not None
    return found.value if value else found


def exchanged(position: Position) -> Position:
    """The same position with the seats exchanged."""
    names = ("hands", "tableaus", "wasabi", "nigiri_points", "puddings", "scores", "returned")
    return replace(position, **{name: getattr(position, name)[::-1] for name in names})


@pytest.mark.parametrize("kind", FAVOURED)
def test_the_exchange_of_seats_turns_the_value_round(kind: str) -> None:
    rng = np.random.default_rng(8)
    for cards in (2, 3, 3, 4, 5):
        position = random_position(rng, cards, FAVOURED[kind])
        one, other = (solve(each, pudding_value=PUDDING_VALUE) for each in (position, exchanged(position)))
        assert other.value == pytest.approx(-one.value, abs=1e-9)
        if cards < 4:
            state = state_of(position)
            swapped = replace(one, row_strategy=other.column_strategy, column_strategy=other.row_strategy)
            hold_solution(swapped, brute_force(state, position, shape=True), all_plays(state)[0])


def test_what_was_solved_before_changes_nothing() -> None:
    rng = np.random.default_rng(6)
    positions = [random_position(rng, cards, FAVOURED["chopsticks"]) for cards in (6, 5, 6, 3, 5)]
    solver = Solver(PUDDING_VALUE)
    for position in [*positions, *positions[::-1]]:
        again, fresh = whole_of(solver, position, value=False), solve(position, pudding_value=PUDDING_VALUE)
        assert (again.value, again.positions) == (fresh.value, fresh.positions)
        np.testing.assert_array_equal(again.row_strategy, fresh.row_strategy)
        np.testing.assert_array_equal(again.column_strategy, fresh.column_strategy)


def test_a_solver_that_has_used_up_its_generations_begins_anew() -> None:
    first, second = (random_position(np.random.default_rng(seed), 5, {}) for seed in (1, 2))
    solver = Solver(PUDDING_VALUE)
    solver._generation = LAST_GENERATION - 1
    values = [whole_of(solver, position) for position in (first, second, first)]
    assert values == [solve(each, pudding_value=PUDDING_VALUE).value for each in (first, second, first)]
    assert solver._generation == 2


# solved by hand ------------------------------------------------------------------------------------------------------
def solved(hands: list[list[str]], tableaus: list[list[str]], **at: Any) -> tuple[float, dict[Any, float], Any]:
    """Value and both strategies, by the names of the cards laid; puddings are worth nothing before the last round."""
    solution = solve(Position.from_cards(hands, tableaus, **at), pudding_value=0)
    told = [
        {plays.PLAYS[play]: round(float(strategy[play]), 9) for play in np.flatnonzero(strategy)}
        for strategy in (solution.row_strategy, solution.column_strategy)
    ]
    return round(solution.value, 9), told[0], told[1]


EVEN = ["tempura", "tempura", *["dumpling"] * 4]
"""Six cards that are worth 15 points to either seat."""


def test_the_last_turn_is_no_choice() -> None:
    """A squid on the open wasabi, 9, against an egg, 1."""
    tables = [["wasabi", "pudding", "pudding", *EVEN], ["pudding", "pudding", "pudding", *EVEN]]
    value, mine, theirs = solved([["squid_nigiri"], ["egg_nigiri"]], tables)
    assert (value, mine, theirs) == (8, {("squid_nigiri",): 1}, {("egg_nigiri",): 1})


def test_two_turns_where_both_must_mix() -> None:
    """Both hold a tempura and an egg; seat 0 has an odd tempura.

    Seat 0 lays tempura, seat 1 tempura: 5 + 1 for the egg passed on, against 1 for the other egg: 5.
    Tempura, egg: 5, and the third tempura is nothing, against two eggs: 3.
    Egg, tempura: two eggs against two tempura: -3.
    Egg, egg: 1 + 5 against 1, as seat 1 gets one tempura only: 5.
    Seat 0 lays tempura with p: 5 p - 3 (1 - p) = 3 p + 5 (1 - p), so p = 4/5, and 17/5 is the value.
    Seat 1 lays tempura with q: 5 q + 3 (1 - q) = -3 q + 5 (1 - q), so q = 1/5.
    """
    hands = [["tempura", "egg_nigiri"], ["tempura", "egg_nigiri"]]
    value, mine, theirs = solved(hands, [["tempura", "pudding", *EVEN], ["sashimi", "sashimi", *EVEN]])
    assert value == 3.4
    assert mine == {("tempura",): 0.8, ("egg_nigiri",): 0.2}
    assert theirs == {("tempura",): 0.2, ("egg_nigiri",): 0.8}


def test_chopsticks_lay_wasabi_and_the_squid_on_it() -> None:
    """9 points at once; then a maki against chopsticks that are too late: 6 for the maki.

    Seat 1 lays one maki and passes the other on: a tie, 3 each. So 9 + 3 - 3.
    """
    hands = [["wasabi", "squid_nigiri"], ["maki_1", "maki_1"]]
    tables = [["chopsticks", "pudding", *EVEN], ["pudding", "pudding", *EVEN]]
    value, mine, theirs = solved(hands, tables)
    assert (value, mine, theirs) == (9, {("wasabi", "squid_nigiri"): 1}, {("maki_1",): 1})


def test_the_puddings_of_the_game_count_in_the_last_round_alone() -> None:
    """With as many puddings kept, the pudding laid is worth 6, more than a squid.

    Seat 0 lays the pudding, seat 1 a salmon; then seat 0 gets the other salmon, seat 1 the squid: 6 + 2 - 2 - 3. The
    squid first would give the pudding away: 3 + 2 - 2 - 6. In a round before, puddings worth nothing, the squid: 3.
    """
    hands = [["pudding", "squid_nigiri"], ["salmon_nigiri", "salmon_nigiri"]]
    tables = [["sashimi", "sashimi", *EVEN], ["sashimi", "sashimi", *EVEN]]
    assert solved(hands, tables, round=2, puddings=[3, 3])[:2] == (3, {("pudding",): 1})
    assert solved(hands, tables, round=2, puddings=[1, 3])[:2] == (3 - 6, {("squid_nigiri",): 1})
    assert solved(hands, tables, round=1, puddings=[3, 3])[:2] == (3, {("squid_nigiri",): 1})


# limits --------------------------------------------------------------------------------------------------------------
def test_a_budget_is_kept() -> None:
    position = random_position(np.random.default_rng(1), 5, {})
    needed = solve(position).positions
    assert needed > 3
    assert solve(position, budget=needed).positions == needed
    with pytest.raises(SettingError, match=rf"\(5 cards in each hand\) takes more than {needed - 1} positions"):
        solve(position, budget=needed - 1)


def test_other_tables_and_bad_settings_are_refused() -> None:
    three = Position.from_cards([["tempura"]] * 3, [["tempura"], ["dumpling"], ["sashimi"]])
    dummy = Position.from_cards(
        [["tempura"] * 2, ["sashimi"]],
        [["dumpling"] * 8, ["maki_2"] * 8, ["maki_3"] * 8],
        variant=DUMMY,
        drawn="tempura",
    )
    for position in (three, dummy):
        with pytest.raises(SettingError, match="positions of two players without the dummy"):
            solve(position)
    position = random_position(np.random.default_rng(1), 2, {})
    for wrong in ("much", True, float("nan")):
        with pytest.raises(SettingError, match="pudding_value must be a"):
            solve(position, pudding_value=wrong)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="budget"):
        solve(position, budget=0)
    position.hands[0, 0] += 1
    with pytest.raises(SettingError, match="hand 0 must have"):
        solve(position)


def test_the_words_have_room_for_what_the_deck_has() -> None:
    """Fifteen of a type in a hand, seven wasabi and chopsticks, and a lead of fewer puddings than the offset."""
    assert COPIES.max() < 16
    assert max(COPIES[WASABI], COPIES[CHOPSTICKS], scoring.DUMPLING_POINTS.size - 1) < 8
    assert (scoring.TEMPURA_SET, scoring.SASHIMI_SET) <= (2, 4)
    assert COPIES[PUDDING] < NO_PUDDING_LEAD
    assert int(scoring.MAKI_ICONS @ COPIES.astype(np.int64)) < 64
    assert K == 12
