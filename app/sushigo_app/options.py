"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from sushigo_env import games
from sushigo_env.errors import SettingError

Game = Annotated[str, typer.Option(help=f"The game: {' or '.join(games.GAMES)}.")]
"""Any game of the box."""


def _known(name: str | None) -> str | None:
    """`SettingError` for the name of a game there is not."""
    return None if name is None else games.find(name).name


OnlyGame = Annotated[
    str | None,
    typer.Option(
        "--game", callback=_known, help=f"Of this game alone: {' or '.join(games.GAMES)}.", show_default=False
    ),
]
"""For commands about things that are of one game each, and tell of which."""


def check_game(what: str, its_game: str, game: str | None) -> None:
    """`SettingError` if `what`, which is of `its_game`, is not of the `game` that was asked for."""
    if game not in (None, its_game):
        raise SettingError(f"{what} is for {its_game}, not for {game}.")
