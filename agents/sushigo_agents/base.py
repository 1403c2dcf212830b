"""What the agents of this package share: they play Sushi Go!, at one kind of table."""

from __future__ import annotations

from sushigo_env.errors import AgentError
from sushigo_env.layout import Layout
from sushigo_env.sushi_go.cards import DUMMY, hand_size
from sushigo_env.sushi_go.observation import layout

GAME = "sushi_go"


class SushiGoAgent:
    """An agent for a table of Sushi Go!: the kind of table it was made for, and where its observations have what.

    `AgentError` for another game, `SettingError` for a table the rules do not know.
    """

    name: str
    """What matches call it: a spec that makes it."""
    observation = "memory"

    def __init__(self, game: str, num_players: int, variant: str) -> None:
        if game != GAME:
            raise AgentError(f"agent {self.name!r} plays {GAME}, not {game!r}.")
        self.hand_size: int = hand_size(num_players, variant)
        self.num_players = num_players
        self.has_dummy = variant == DUMMY
        self.layout: Layout = layout(num_players, variant)
