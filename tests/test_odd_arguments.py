"""What agents make of arrays that are not quite what `act` takes."""

from __future__ import annotations

import numpy as np
import pytest
from sushigo_agents.registry import load

from sushigo_env import games
from sushigo_env.errors import AgentError
from sushigo_env.seeding import decision_keys, game_seeds

AGENTS = [
    *(("sushi_go", spec) for spec in ("greedy", "prefer:sashimi", "zoo:self_play", "zoo:self_play,play=sample")),
    *(("sushi_boat", spec) for spec in ("boat_greedy", "zoo:boat_self_play", "zoo:boat_self_play,play=sample")),
]


def first_rows(game: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What `act` takes, for the first decision of 20 games of two."""
    table = games.GAMES[game].new(20, 2)
    table.reset(seeds=game_seeds(3, 20))
    index, seats = np.nonzero(table.to_move)
    seen, mask = table.observe("memory")[index, seats], table.legal()[index, seats]
    return seen.copy(), mask.copy(), decision_keys(table.seeds[index], seats, 0)


@pytest.mark.parametrize("byte", [2, 255])
@pytest.mark.parametrize(("game", "spec"), AGENTS)
def test_any_byte_but_0_is_true_in_a_mask(game: str, spec: str, byte: int) -> None:
    """A view of other bytes as bool holds neither 0 nor 1 where it is true; compiled code counts by these bytes."""
    agent, (seen, mask, keys) = load(spec, game, 2), first_rows(game)
    odd = (mask.astype(np.uint8) * np.uint8(byte)).view(np.bool_)
    np.testing.assert_array_equal(agent.act(seen, odd, keys), agent.act(seen, mask, keys))


@pytest.mark.parametrize(("game", "spec"), AGENTS)
def test_lists_and_single_rows_are_refused_in_a_sentence(game: str, spec: str) -> None:
    agent, (seen, mask, keys) = load(spec, game, 2), first_rows(game)
    for row, message in (
        ((seen.tolist(), mask, keys), "takes observations as NumPy arrays, not list"),
        ((seen, mask.tolist(), keys), "takes masks as NumPy arrays, not list"),
        ((seen, mask, keys.tolist()), "takes keys as NumPy arrays, not list"),
        ((seen[0], mask[0], keys[0]), "takes keys as NumPy arrays, not uint64"),
        ((seen[0], mask[0], keys[:1]), "it takes observations uint8"),
        ((seen[0], mask[0], keys[:1].reshape(())), "it takes observations uint8"),
    ):
        with pytest.raises(AgentError, match=message):
            agent.act(*row)  # type: ignore[arg-type]  # that is the point


def test_an_agent_that_names_its_games_is_refused_at_others() -> None:
    class Eater:
        observation, games = "memory", ("sushi_boat",)

        def act(self, observation: np.ndarray, action_mask: np.ndarray, keys: np.ndarray) -> np.ndarray:
            return action_mask.argmax(axis=1)

    agent = Eater()
    assert load(agent, "sushi_boat", 2) is agent
    with pytest.raises(AgentError, match="plays sushi_boat, not 'sushi_go'"):
        load(agent, "sushi_go", 2)
