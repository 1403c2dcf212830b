"""Find the numbers that search goes by, from games of the zoo: `python -m sushigo_train.fit_search [SPEC]`.

What a card is worth in a rollout is fitted, as logits, to what the agent lays; when the chopsticks are used, to when it
uses them; and what a round's end and a network's value are worth, to who won in the end. Written to `fitted.json` of
`sushigo_agents.search`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from sushigo_agents import zoo
from sushigo_agents.files import write_whole
from sushigo_agents.match import victory_shares
from sushigo_agents.policy import Policy
from sushigo_agents.registry import load
from sushigo_agents.search.fitted import FILE, MOST_TURNS, STATES, name_of
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from sushigo_env.errors import AgentError
from sushigo_env.seeding import decision_keys, game_seeds
from sushigo_env.sushi_go.cards import CHOPSTICKS, DUMPLING, EGG, ROUNDS, SALMON, SASHIMI, TEMPURA, K
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.plays import FIRST_PAIR
from sushigo_env.sushi_go.scoring import FEWEST_PUDDINGS, MOST_PUDDINGS, SASHIMI_SET, TEMPURA_SET
from sushigo_env.sushi_go.state import BARE, PUDDINGS

GAMES = 4000
SEED = 1_000_003
RIDGE = 1e-4
"""Pull of every logit to 0, for those that hardly ever come up."""
LEAST, MOST = torch.tensor([0.5, 0.25, 0.0, 0.0]), torch.tensor([20.0, 4.0, 2 * MOST_PUDDINGS, -2 * FEWEST_PUDDINGS])
"""Of what `END_COLUMNS` name: where puddings say little, the best fit would be any large number on a flat slope."""


class Games(NamedTuple):
    """What was seen in games: R decisions over cards, and the starts of rounds."""

    worth_at: torch.Tensor
    """int64[R, 12]: where in the flat table of worths each card's stands."""
    held: torch.Tensor
    """int64[R, 12]: the hand."""
    chopsticks: torch.Tensor
    """bool[R]: two cards could be laid."""
    actions: torch.Tensor
    """int64[R]."""
    starts: list[tuple[torch.Tensor, torch.Tensor]]
    """By round: puddings float32[G, T] and scores float32[G, P]."""
    values: torch.Tensor
    """float32[T, G, P]: what the agent's network made of each seat's position, step by step."""
    shares: torch.Tensor
    """float32[G, P]: who won."""


def play(spec: str, num_players: int, variant: str, games: int = GAMES) -> Games:
    """Games of `spec`, an agent with a network, in all seats."""
    agent = load(spec, "sushi_go", num_players, variant)
    if not isinstance(agent, Policy):
        raise AgentError(f"what search goes by is fitted to an agent with a network, not to {spec!r}.")
    values: list[torch.Tensor] = []
    game = SushiGo(games, num_players, variant=variant)
    game.reset(seeds=game_seeds(SEED, games))
    rows: list[tuple[NDArray[Any], ...]] = []
    starts: list[tuple[torch.Tensor, torch.Tensor]] = []
    step = 0
    while not game.done.all():
        state = game.table
        if len(starts) <= state.round[0]:
            puddings = state.status[:, : game.num_tableaus, PUDDINGS]
            starts.append((_floats(puddings), _floats(game.scores)))
        seen, legal = game.observe(agent.observation).copy(), game.legal().copy()
        values.append(_floats(agent.network.forward(seen.reshape(-1, seen.shape[-1]))[1].reshape(games, -1)))
        actions = np.zeros((games, num_players), np.int32)
        for seat in range(num_players):
            keys = decision_keys(game.seeds, seat, step)
            asked = legal[:, seat].any(axis=1)
            actions[asked, seat] = agent.act(seen[asked, seat], legal[asked, seat], keys[asked])
            if not state.half[0]:
                rows.append(_decisions(game, seat, legal[:, seat], actions[:, seat]))
        game.step(actions)
        step += 1
    at, held, pairs, taken = (torch.from_numpy(np.concatenate(part)) for part in zip(*rows, strict=True))
    return Games(at, held, pairs, taken, starts, torch.stack(values), _floats(victory_shares(game.standings)))


def _decisions(
    game: SushiGo, seat: int, legal: NDArray[np.bool_], actions: NDArray[np.int32]
) -> tuple[NDArray[Any], ...]:
    """A seat's decisions of a turn, where there is a choice of cards; as the first four fields of `Games`."""
    state = game.table
    laid = state.tableaus[:, seat].astype(np.int64)
    lies = np.zeros_like(laid)
    lies[:, TEMPURA], lies[:, SASHIMI] = laid[:, TEMPURA] % TEMPURA_SET, laid[:, SASHIMI] % SASHIMI_SET
    lies[:, DUMPLING] = np.minimum(laid[:, DUMPLING], STATES - 1)
    lies[:, SALMON : EGG + 1] = state.status[:, seat, BARE, None] > np.uint8(0)
    left = game.hand_size - 1 - int(state.turn[0])
    at = (np.arange(K) * STATES + lies) * MOST_TURNS + left
    choice = np.count_nonzero(legal, axis=1) > 1
    pairs = np.count_nonzero(legal[:, FIRST_PAIR:], axis=1) > 0
    held = state.hands[:, seat].astype(np.int64)
    return at[choice], held[choice], pairs[choice], actions[choice].astype(np.int64)


def fit_worth(games: Games) -> torch.Tensor:
    """float32[720]: logits of cards, from decisions for a single card where no two could be laid."""
    single = ~games.chopsticks
    at, held, actions = games.worth_at[single], games.held[single] > 0, games.actions[single]
    worth = torch.zeros(K * STATES * MOST_TURNS, requires_grad=True)

    def loss() -> torch.Tensor:
        return cross_entropy(worth[at].masked_fill(~held, -1e9), actions) + RIDGE * worth.square().sum()

    _minimise(loss, worth)
    return worth.detach()


def fit_pairs(games: Games, worth: torch.Tensor) -> list[float]:
    """By the turns left: the worth from which a second card is taken for the chopsticks in half of the cases."""
    able = games.chopsticks
    at, held = games.worth_at[able], games.held[able].clone()
    held[:, CHOPSTICKS] = 0
    logits = torch.cat([worth[at].masked_fill(held < count, -1e9) for count in (1, 2)], dim=1)
    second = logits.topk(2, dim=1).values[:, 1]
    usable, left = second > -1e8, at[:, 0] % MOST_TURNS
    used = (games.actions[able] >= FIRST_PAIR).float()
    slope_and_levels = torch.zeros(1 + MOST_TURNS)
    slope_and_levels[0] = 1
    slope_and_levels.requires_grad_()

    def loss() -> torch.Tensor:
        logit = slope_and_levels[0] * second[usable] - slope_and_levels[1:][left[usable]]
        return binary_cross_entropy_with_logits(logit, used[usable]) + RIDGE * slope_and_levels.square().sum()

    _minimise(loss, slope_and_levels)
    slope, *levels = slope_and_levels.detach().tolist()
    return [level / max(slope, 0.1) for level in levels]


def fit_ends(games: Games) -> list[list[float]]:
    """By the rounds left, from 1: what `END_COLUMNS` name."""
    return [_fit_end(*games.starts[ROUNDS - left], games.shares) for left in range(1, ROUNDS)]


def _fit_end(puddings: torch.Tensor, scores: torch.Tensor, shares: torch.Tensor) -> list[float]:
    players, fewest_count = scores.shape[1], puddings.shape[1] > 2
    numbers = torch.tensor([3.0, 1.0, 6.0, 6.0], requires_grad=True)

    def loss() -> torch.Tensor:
        lead, pudding_lead, most, fewest = torch.clamp(numbers, LEAST, MOST)
        points = scores + most * torch.softmax(puddings / pudding_lead, 1)[:, :players]
        if fewest_count:
            points = points - fewest * torch.softmax(-puddings / pudding_lead, 1)[:, :players]
        return -(shares * torch.log_softmax(points / lead, 1)).sum(1).mean()

    _minimise(loss, numbers)
    lead, pudding_lead, most, fewest = torch.clamp(numbers, LEAST, MOST).detach().tolist()
    return [lead, pudding_lead, most, fewest if fewest_count else 0.0]


def fit_value(games: Games) -> float:
    """How steeply win shares rise with a network's value."""
    steepness = torch.ones(1, requires_grad=True)

    def loss() -> torch.Tensor:
        return -(games.shares * torch.log_softmax(games.values * steepness, 2)).sum(2).mean()

    _minimise(loss, steepness)
    return round(float(steepness.detach()), 3)


def main(spec: str = "zoo:self_play,play=sample") -> None:
    """Fit all tables, and write the file."""
    torch.set_num_threads(1)
    found = {}
    for num_players, variant in zoo.TABLES.values():
        if variant not in SushiGo.variants:
            continue
        games = play(spec, num_players, variant)
        worth = fit_worth(games)
        name = name_of(num_players, variant)
        found[name] = {
            "worth": _rounded(worth.tolist()),
            "pair_least": _rounded(fit_pairs(games, worth)),
            "ends": [_rounded(row) for row in fit_ends(games)],
            "value": fit_value(games),
        }
        print(name, found[name]["ends"], found[name]["value"])
    write_whole(FILE, (json.dumps(found) + "\n").encode())


def _minimise(loss: Callable[[], torch.Tensor], parameters: torch.Tensor) -> None:
    optimiser = torch.optim.LBFGS([parameters], max_iter=80, line_search_fn="strong_wolfe")

    def evaluate() -> Any:
        optimiser.zero_grad()
        value = loss()
        value.backward()  # type: ignore[no-untyped-call]  # PyTorch's
        return value

    optimiser.step(evaluate)  # type: ignore[no-untyped-call]  # PyTorch's


def _floats(array: NDArray[Any]) -> torch.Tensor:
    return torch.from_numpy(array.astype(np.float32))


def _rounded(numbers: list[float]) -> list[float]:
    return [round(number, 3) for number in numbers]


if __name__ == "__main__":
    main(*sys.argv[1:])
