"""The games of the box, by name: where each is found and at which tables it is played.

Commands and experiments that take a game's name look it up here; a new game is one more `Entry`. Adapters (`api`) and
the games themselves know nothing of this list. Of a game nothing is imported before it is asked for.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sushigo_env.errors import RecordError, SettingError

if TYPE_CHECKING:
    from sushigo_env.api.contract import BatchedGame


@dataclass(frozen=True)
class Entry:
    """A game's names, and the dotted names of its modules.

    What the rules decide is asked of the game's class, which has beside the contract of `api.contract.BatchedGame` an
    attribute `variants` and, where hands are passed, `passings`. It is made with `(num_games, num_players, *, variant,
    observation, num_threads)` and, where hands are passed, `passing`; `SettingError` for a table the rules do not know.
    """

    name: str
    """In records, specs and options, such as `sushi_go`; the game's own `name`."""
    title: str
    """As the box has it."""
    game: str
    """module:class of the batched game."""
    record: str
    """Module that reads the game's records: `score_line(line, line_number)` gives one with its `result`."""
    door: str
    """Module with `env`, `parallel_env`, `vector_env` and the rest."""
    gymnasium_id: str
    """For `gymnasium.make`, behind the namespace."""
    pettingzoo_id: str
    """For `pettingzoo.make`, behind the namespace."""
    apis: tuple[str, ...] = ("aec", "parallel")
    """PettingZoo's APIs that it has an environment for: "parallel" only where all seats choose at once."""

    def load(self) -> Any:
        """The game's class."""
        module, _, name = self.game.partition(":")
        return getattr(importlib.import_module(module), name)

    def new(self, num_games: int, num_players: int, **settings: Any) -> BatchedGame:
        """Games of this kind; `SettingError` for settings that the game does not allow."""
        made: BatchedGame = self.load()(num_games, num_players, **settings)
        return made

    def open(self) -> Any:
        """The module with the game's environments."""
        return importlib.import_module(self.door)

    @property
    def simultaneous(self) -> bool:
        """Whether all seats choose at once."""
        return bool(self.load().simultaneous)

    @property
    def observations(self) -> tuple[str, ...]:
        """The observation settings there are."""
        return tuple(self.load().observations)

    @property
    def variants(self) -> Mapping[str, tuple[int, ...]]:
        """Variant -> numbers of players, the usual variant first."""
        variants: Mapping[str, tuple[int, ...]] = self.load().variants
        return variants

    @property
    def passings(self) -> tuple[str, ...]:
        """Ways to pass hands on, the usual one first; none in a game without."""
        return tuple(getattr(self.load(), "passings", ()))


GAMES: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry(
            name="sushi_go",
            title="Sushi Go!",
            game="sushigo_env.sushi_go.game:SushiGo",
            record="sushigo_env.sushi_go.record",
            door="sushigo_env.sushi_go_v0",
            gymnasium_id="SushiGo-v0",
            pettingzoo_id="sushi_go-v0",
        ),
        Entry(
            name="sushi_boat",
            title="Sushi Boat",
            game="sushigo_env.sushi_boat.game:SushiBoat",
            record="sushigo_env.sushi_boat.record",
            door="sushigo_env.sushi_boat_v0",
            gymnasium_id="SushiBoat-v0",
            pettingzoo_id="sushi_boat-v0",
            apis=("aec",),
        ),
    )
}
"""Name -> game."""
DEFAULT = "sushi_go"
"""The game that is meant where none is named."""


def find(name: str) -> Entry:
    """The game of that name; `SettingError` says which there are."""
    if name not in GAMES:
        raise SettingError(f"game must be one of {', '.join(GAMES)}, not {name!r}.")
    return GAMES[name]


def score_line(line: str, line_number: int = 1) -> dict[str, Any]:
    """The record in a line of JSON, of whichever game, with its `result` as the engine finds it.

    `RecordError`, with the line's number, for a record of an unknown game, and as the game's own reader raises it.
    """
    reader = importlib.import_module(_game_of(line, f"line {line_number}").record)
    record: dict[str, Any] = reader.score_line(line, line_number)
    return record


def _game_of(line: str, where: str) -> Entry:
    """The game that a record names; the default where the line is no record at all, whose reader then says so."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return GAMES[DEFAULT]
    if not isinstance(record, dict):
        return GAMES[DEFAULT]
    name = record.get("game")
    if not isinstance(name, str) or name not in GAMES:
        raise RecordError(f"{where}: game must be one of {', '.join(GAMES)}, not {name!r}.")
    return GAMES[name]
