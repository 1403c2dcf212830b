"""`search`: tree search with simultaneous moves and hidden hands, alone or guided by a trained policy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_agents.base import SushiGoAgent
from sushigo_agents.network import Network
from sushigo_agents.policy import Policy
from sushigo_agents.registry import load
from sushigo_agents.search._greedy import Mind
from sushigo_agents.search._iterate import ROOT, Plan, Room, iterate, new_room
from sushigo_agents.search._tree import NO_EDGE, REGRET, SELECTIONS, Tree, new_tree
from sushigo_agents.search.clock import think_on
from sushigo_agents.search.fitted import table
from sushigo_agents.search.guide import Net, ready
from sushigo_agents.search.positions import check_possible
from sushigo_agents.search.rollout import ROLLOUTS, mind_of
from sushigo_agents.search.settings import SearchSettings, settings_of
from sushigo_agents.search.thought import Thought, pure
from sushigo_env.errors import AgentError
from sushigo_env.seeding import mix, weighted_choice
from sushigo_env.sushi_go.observation import OBSERVATIONS, offsets

ITERATIONS_BETWEEN_LOOKS = 32
"""At the clock."""
GUIDED = {"explore": 2.0}
"""What is usual with a policy."""
CHOICE = np.uint64(0x5EED)
"""Makes the key of the choice another than that of the thinking."""
DEVIATION = 0.5
"""Of a win share, at most: so a play that was tried n times is surely worth its mean less this by the root of n."""
RARELY = 0.1
"""Plays that were tried less often than in this share of the iterations are left out where it mixes."""
MOST_NODES = 1 << 17
"""Beyond these a tree does not grow, only its statistics do."""


class Search(SushiGoAgent):
    """Plays what a tree search of simultaneous moves finds best.

    Each iteration deals the hidden cards anew, follows the tree, in which every seat chooses by statistics of its own
    plays, plays on by a rule of thumb to the end of the round (or the game), and remembers every seat's win share.
    With `policy`, any agent with a network such as `zoo:self_play`, plays weigh what its policy says, and its value
    takes the place of playing on. Plays what is surely worth most (its mean less its
    uncertainty); with `choice=mixed` it draws by visits, with `selection=regret` from the average strategy.

    With one number of iterations the same key gives the same play in any batch and with any number of threads.
    `AgentError` for settings there are not or that do not go together, and for a policy that has no network, or one
    of another table.
    """

    name = "search"

    def __init__(
        self, game: str, num_players: int, variant: str, *, policy: str = "", **settings: int | float | str
    ) -> None:
        super().__init__(game, num_players, variant)
        if not isinstance(policy, str):
            raise AgentError(f"agent 'search': policy must be the spec of an agent with a network, not {policy!r}.")
        usual = GUIDED if policy else {}
        self.settings = settings_of(self.name, {**usual, **settings})
        if policy and self.settings.aim != "win":
            raise AgentError("agent 'search': aim must be win with a policy, whose value is of the victory.")
        words = self.settings.words(usual)
        told = [f"policy={policy}"] * bool(policy) + [words] * bool(words)
        self.name = f"search:{','.join(told)}" if told else "search"
        self.table = table(num_players, variant)
        self._at = offsets(num_players, variant)
        self._network = _network(policy, game, num_players, variant) if policy else None
        self._plan = _plan(self.settings, num_players, policy)

    @classmethod
    def specs(cls, game: str, num_players: int, variant: str) -> list[str]:
        """None: thinking takes its time, so it plays in a tournament of all only if it is asked to."""
        return []

    def act(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> NDArray[np.int32]:
        """int32[N]: the play chosen in each row."""
        thoughts = self.think(observation, action_mask, keys)
        return np.array([self._choice(*each) for each in zip(thoughts, keys, strict=True)], np.int32)

    def think(
        self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_], keys: NDArray[np.uint64]
    ) -> list[Thought]:
        """What it finds in each row; a row with one legal play is not thought about.

        Errors as `act`; `SettingError` for rows and masks that no game shows.
        """
        self._check(observation, action_mask, keys)
        check_possible(observation, action_mask, self.num_players, self.variant)
        room = new_room()
        net = ready(*self._network, self.num_players) if self._network else None
        mind = mind_of(self.settings.rollout, self.table, self.variant)
        rows = zip(np.ascontiguousarray(observation), action_mask, keys, strict=True)
        return [self._think(seen, np.flatnonzero(mask), key, room, net, mind) for seen, mask, key in rows]

    def _think(
        self,
        seen: NDArray[np.uint8],
        legal: NDArray[np.int64],
        key: np.uint64,
        room: Room,
        net: Net | None,
        mind: Mind | None,
    ) -> Thought:
        if len(legal) == 1:
            return Thought.forced(legal)
        tree = new_tree(min(self.settings.iterations, MOST_NODES))

        def work(first: int, last: int) -> None:
            iterate(seen, self._at, self.table, self._plan, net, mind, key, first, last, tree, room)

        return self._found(tree, legal, think_on(self.settings, ITERATIONS_BETWEEN_LOOKS, work))

    def _found(self, tree: Tree, legal: NDArray[np.int64], iterations: int) -> Thought:
        """The root's statistics of the seat that decides."""
        visits, (totals, averages) = np.zeros(self.num_actions, np.int64), np.zeros((2, self.num_actions))
        edge = tree.heads[ROOT, 0]
        while edge != NO_EDGE:
            action = tree.action[edge]
            visits[action], totals[action] = tree.visits[edge], tree.total[edge]
            averages[action] = tree.average[edge]
            edge = tree.following[edge]
        visits, totals, averages = visits[legal], totals[legal], averages[legal]
        values = np.divide(totals, visits, out=np.full(len(legal), np.nan), where=visits > 0)
        if self._plan.selection == REGRET:
            strategy = averages / averages.sum()
        elif self.settings.choice == "mixed":
            often = visits >= min(RARELY * visits.sum(), visits.max())
            strategy = visits * often / visits[often].sum()
        else:
            surely = np.where(visits > 0, values - DEVIATION / np.sqrt(np.maximum(visits, 1)), -np.inf)
            strategy = pure(int(surely.argmax()), len(legal))
        return Thought(legal, visits, values, strategy, iterations)

    def _choice(self, thought: Thought, key: np.uint64) -> int:
        played = np.flatnonzero(thought.strategy)
        drawn = weighted_choice(thought.strategy[played], np.array([mix(key ^ CHOICE)], np.uint64))[0]
        return int(thought.actions[played[drawn]])


def _plan(settings: SearchSettings, num_players: int, policy: str) -> Plan:
    """The settings as kernels take them."""
    thinkers = num_players if settings.others == "think" else 1
    selection, rollout = SELECTIONS.index(settings.selection), ROLLOUTS.index(settings.rollout)
    deals = settings.rounds > 1 or bool(policy)
    return Plan(
        selection, settings.explore, rollout, not policy, thinkers, settings.aim == "margin", settings.rounds, deals
    )


def _network(policy: str, game: str, num_players: int, variant: str) -> tuple[Network, int]:
    """The network behind a spec, and its observation setting as the encoder numbers them."""
    agent = load(policy, game, num_players, variant)
    if not isinstance(agent, Policy):
        raise AgentError(
            f"agent 'search': policy must be an agent with a network, such as zoo:self_play, not {policy!r}."
        )
    if agent.adviser is not None:
        raise AgentError(f"agent 'search': the policy {policy!r} is advised by {agent.advised_by}, whom no tree asks.")
    if agent.observation == "full":
        raise AgentError(f"agent 'search': the policy {policy!r} wants to see every hand, which no seat does.")
    return agent.network, OBSERVATIONS.index(agent.observation)
