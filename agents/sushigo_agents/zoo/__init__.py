"""The zoo: trained agents, each a file of weights and a card per kind of table, `NAME-TABLE.safetensors` and `.json`.

A name is of one game, which its files tell.

zoo:self_play               the agent of that name, with the weights for the table it sits at
zoo:self_play,play=sample   the same, drawing its plays from the probabilities
"""

from __future__ import annotations

import difflib
from pathlib import Path

from sushigo_agents.base import GAME
from sushigo_agents.network import read, read_metadata
from sushigo_agents.policy import Policy
from sushigo_agents.zoo.card import Card, Regret, Strength
from sushigo_env.errors import AgentError, SettingError
from sushigo_env.sushi_go.cards import DUMMY

__all__ = [
    "FOLDER",
    "TABLES",
    "Card",
    "Regret",
    "Strength",
    "ZooAgent",
    "card",
    "cards",
    "game_of",
    "names",
    "path",
    "table",
    "tables",
]

FOLDER = Path(__file__).parent
"""Where the weights and cards lie; they travel in the wheel."""
TABLES = {
    "2p": (2, "standard"),
    "3p": (3, "standard"),
    "4p": (4, "standard"),
    "5p": (5, "standard"),
    "2p-dummy": (2, DUMMY),
    "2p-menus": (2, "menus"),
    "3p-menus": (3, "menus"),
    "4p-menus": (4, "menus"),
    "5p-menus": (5, "menus"),
}
"""Table of whichever game, as files are named -> number of players and variant."""


class ZooAgent(Policy):
    """The agent `value` of the zoo; the weights are picked by the table.

    `AgentError` for an unknown name (the nearest is suggested), one of another game (who plays this one is told), or a
    table that it has no weights for.
    """

    games = (GAME, "sushi_boat")
    """The games that the zoo has a place for."""

    def __init__(self, game: str, num_players: int, variant: str, value: str, play: str = "argmax") -> None:
        name = f"zoo:{value}" if play == "argmax" else f"zoo:{value},play={play}"
        if (plays := game_of(str(value))) != game:
            here = names(game)
            others = f"; the zoo has {', '.join(here)} for {game}" if here else ""
            raise AgentError(f"agent {name!r} plays {plays}, not {game!r}{others}.")
        network, metadata = read(path(str(value), num_players, variant))
        super().__init__(network, metadata, play=play, name=name)
        if (self.num_players, self.variant) != (num_players, variant):
            raise AgentError(f"the weights of {name!r} for {table(num_players, variant)} are for {metadata.table}.")

    @classmethod
    def specs(cls, game: str, num_players: int, variant: str) -> list[str]:
        """The specs of all that the zoo has for a table."""
        here = table(num_players, variant)
        return [f"zoo:{name}" for name in names(game) if here in tables(name)]


def table(num_players: int, variant: str = "standard") -> str:
    """What files call a table, such as `4p`; `SettingError` for one that no game has."""
    for name, here in TABLES.items():
        if here == (num_players, variant):
            return name
    known = ", ".join(dict.fromkeys(variant for _, variant in TABLES.values()))
    raise SettingError(
        f"num_players must be 2, 3, 4 or 5 and variant one of {known} (the dummy with 2 players), "
        f"not {num_players!r} and {variant!r}."
    )


def names(game: str | None = None) -> list[str]:
    """All that have weights for some table, or for one of `game`, sorted."""
    found = sorted({name for name, _ in _found()})
    return [name for name in found if game in (None, game_of(name))]


def game_of(name: str) -> str:
    """The game that `name` plays; `AgentError` for an unknown name, and for weights that cannot be read."""
    return read_metadata(FOLDER / f"{name}-{tables(name)[0]}.safetensors").game


def tables(name: str) -> list[str]:
    """The tables that `name` has weights for, in the order of `TABLES`; `AgentError` for an unknown name."""
    found = [here for here in TABLES if (name, here) in _found()]
    if not found:
        known = names()
        nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
        hint = f"did you mean {nearest[0]!r}? " if nearest else ""
        raise AgentError(f"the zoo has no {name!r}; {hint}it has {', '.join(known) or 'nobody yet'}.")
    return found


def path(name: str, num_players: int, variant: str = "standard", suffix: str = ".safetensors") -> Path:
    """The weights of `name` for a table, or with the suffix `.json` its card.

    `AgentError` for an unknown name, or a table that it has no weights for; `SettingError` for no table.
    """
    here = table(num_players, variant)
    there = tables(name)
    if here not in there:
        raise AgentError(f"zoo:{name} has no weights for the table {here}; it has some for {', '.join(there)}.")
    return FOLDER / f"{name}-{here}{suffix}"


def card(name: str, num_players: int, variant: str = "standard") -> Card:
    """The card of `name` for a table; `AgentError` as `path`, and for a card that is missing or not as it should be."""
    found = Card.read(path(name, num_players, variant, ".json"))
    if (found.name, found.num_players, found.variant) != (name, num_players, variant):
        raise AgentError(
            f"the card of zoo:{name} for {table(num_players, variant)} is that of {found.name} for "
            f"{found.num_players} players ({found.variant})."
        )
    return found


def cards(name: str | None = None) -> list[Card]:
    """All cards, or those of one name, by name and then by table."""
    found = [(each, here) for each in ([name] if name else names()) for here in tables(each)]
    return [card(each, *TABLES[here]) for each, here in found]


def _found() -> set[tuple[str, str]]:
    """Name and table of every file of weights."""
    parts = (file.stem.partition("-") for file in FOLDER.glob("*.safetensors"))
    return {(name, here) for name, _, here in parts if here in TABLES}
