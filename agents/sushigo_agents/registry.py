"""The agents there are, by spec: `random`, `greedy`, `prefer:pudding`, `zoo:self_play`, `my_module:MyAgent`.

Specs are read in `sushigo_env.api.opponents`, so that environments understand them too; this is the door for agents'
users.
"""

from __future__ import annotations

from sushigo_env import games
from sushigo_env.api.contract import Agent
from sushigo_env.api.opponents import agent_names, agent_specs, load_agent


def load(spec: str | Agent, game: str, num_players: int, variant: str = "standard") -> Agent:
    """Make the agent that `spec` names for a table, such as `load("greedy", "sushi_go", num_players=3)`.

    `game` is the game's name, as the attribute `name` of a batched game tells it. An agent object is returned as it is.

    `AgentError` for an unknown name (the nearest is suggested), settings it does not take, code of its own that fails,
    an agent made for another table, or one that wants an observation setting which the game does not have.
    """
    observations = games.GAMES[game].observations if game in games.GAMES else None
    return load_agent(spec, game, num_players, variant, observations)


def names(game: str | None = None) -> list[str]:
    """Every registered name, or those that play the game of a name, sorted; a spec is a name, or begins with one.

    `SettingError` for a game there is not.
    """
    return agent_names(None if game is None else games.find(game).name)


def specs(game: str, num_players: int, variant: str = "standard") -> list[str]:
    """Specs of all registered agents that play at a table as they are, the zoo's for it among them, sorted."""
    return agent_specs(game, num_players, variant)
